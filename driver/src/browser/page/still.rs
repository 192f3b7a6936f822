//! Waits until a page has been still for a moment: no element of it came, went or changed.
//!
//! A page that never is still is read after a bounded time. Still is not settled: what a page fetches may come any time.
//! From then on the document is watched, see [`watch`](super::watch).

use std::time::Duration;

use tokio::time::Instant;

use super::watch::WATCH;
use super::{Page, Trouble, world};
use crate::browser::cdp::CallFailure;

/// Runs in a world of its own, so that the page can't tell. Resolves to the time when nothing has changed for `still`
/// milliseconds, after `most` at the latest.
const UNTIL_STILL: &str = "(still, most) => new Promise(resolve => {
    const end = () => { observer.disconnect(); clearTimeout(quiet); clearTimeout(late); resolve(axpressWatch.now()); };
    const begin = () => { clearTimeout(quiet); quiet = setTimeout(end, still); };
    let quiet, late = setTimeout(end, most);
    const observer = new MutationObserver(begin);
    observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
    begin();
})";

impl Page<'_> {
    /// Waits until the page has been still so long, at most until the deadline and the time after which it is read anyway.
    pub(crate) async fn until_still(&self, still: Duration, most: Duration, deadline: Instant) -> Result<(), Trouble> {
        let expression = format!("{WATCH}, ({UNTIL_STILL})({}, {})", still.as_millis(), most.as_millis());
        let wait = world::evaluate::<f64>(&self.session, &self.frame, &expression, deadline);
        match self.watch(deadline, wait).await {
            // The document went away under it: where to is the caller's to find out.
            Err(Trouble::Call(failure)) if failure.lost_its_document() => Ok(()),
            // One that can't be watched is read as it is.
            Err(Trouble::Call(CallFailure::NotUnderstood(_))) => Ok(()),
            Err(trouble) => Err(trouble),
            Ok(at) => {
                self.tabs.with(self.tab, |tab| tab.times.read(at));
                Ok(())
            }
        }
    }
}
