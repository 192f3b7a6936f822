//! Goes to an address, and waits until the page there has loaded.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::{Page, Policy, Trouble};
use crate::browser::cdp::CallFailure;
use crate::browser::tabs::Happening;
use crate::error::{Code, Error};

/// How long a page must be still after it has loaded, and how long that is waited for.
const STILL: Duration = Duration::from_millis(60);
const MOST: Duration = Duration::from_secs(1);
/// How long a page is waited for that this call did not go to.
const SETTLE: Duration = Duration::from_secs(5);
/// How often a page may send itself elsewhere before it is read as it is.
const HOPS: u32 = 5;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
    #[serde(default)]
    is_download: bool,
}

impl Page<'_> {
    /// Goes to an address that the policy allows, and waits until its page has loaded and was still for a moment.
    ///
    /// Fails with `cave_browser_url_denied` and `cave_browser_snapshot_failed`.
    pub(crate) async fn navigate(&self, url: &str) -> Result<(), Error> {
        let url = self.tabs.policy.check(url)?;
        let deadline = Instant::now() + self.limits.load;
        let before = self.tabs.with(self.tab, |tab| {
            tab.happenings.clear();
            (tab.commits, std::mem::take(&mut tab.hung))
        });
        let (commits, hung) = before.unwrap_or_default();
        if hung {
            // Another page of the same site would get the same busy process.
            self.session.post("Runtime.terminateExecution", json!({}));
        }
        // A crash or a dialog is what navigating ends; a question whether to leave is one that only the agent answers.
        let asked = self.session.ask::<Navigated>("Page.navigate", json!({"url": url}), deadline);
        let leave = self.tabs.until(deadline, |state| {
            let tab = state.tabs.get(&self.tab)?;
            tab.dialog.as_ref().filter(|dialog| dialog.kind == "beforeunload").and(state.interruption(self.tab))
        });
        let navigated = tokio::select! {
            biased;
            Some(interruption) = leave => Err(Trouble::Interruption(interruption)),
            navigated = asked => navigated.map_err(Trouble::Call),
        };
        let navigated = navigated.map_err(|trouble| {
            if matches!(trouble, Trouble::Call(CallFailure::Late)) {
                self.session.post("Page.stopLoading", json!({}));
            }
            trouble.error(Code::SnapshotFailed, &format!("going to {url}"))
        })?;
        if let Some(error) = self.refusal(&url, &navigated) {
            return Err(error);
        }
        if let Some(loader) = navigated.loader_id {
            // Chrome answers before it tells that the document is there.
            let there = self.tabs.until(deadline, |state| {
                let Some(tab) = state.tabs.get(&self.tab) else { return Some(()) };
                (tab.loader == loader || tab.dialog.is_some() || tab.commits > commits + 1 || state.closed)
                    .then_some(())
            });
            there.await;
            self.until_loaded(deadline)
                .await
                .map_err(|trouble| trouble.error(Code::SnapshotFailed, "loading the page"))?;
        }
        Ok(())
    }

    fn refusal(&self, url: &str, navigated: &Navigated) -> Option<Error> {
        let why = navigated.error_text.as_deref().filter(|why| !why.is_empty())?;
        let refused = self.tabs.with(self.tab, |tab| {
            tab.happenings.iter().find_map(|happening| match happening {
                Happening::Refused { url } => Some(url.clone()),
                _ => None,
            })
        });
        if let Some(refused) = refused.flatten() {
            return Some(Error::new(Code::UrlDenied, format!("{refused} is refused by the policy")));
        }
        let what = if navigated.is_download {
            return Some(
                Error::new(Code::SnapshotFailed, format!("{url} is a file to save, not a page"))
                    .next("go to a page; files are saved only where a folder for downloads is named"),
            );
        } else {
            format!("{url} could not be loaded: {why}")
        };
        Some(Error::new(Code::SnapshotFailed, what).next("see that the address is right and that its server answers"))
    }

    /// Waits until the document that the page has now has loaded, and was still for a moment; also of those that it
    /// sends itself to meanwhile.
    ///
    /// A page that has not loaded by the deadline is read as it is.
    pub(crate) async fn until_loaded(&self, deadline: Instant) -> Result<(), Trouble> {
        for _ in 0..HOPS {
            self.until_there(deadline).await?;
            if self.tabs.with(self.tab, |tab| tab.is_leaving()) == Some(true) {
                return Ok(());
            }
            let late = Instant::now() + MOST + MOST;
            match self.until_still(STILL, MOST, late.min(deadline)).await {
                Err(Trouble::Call(CallFailure::Late)) => return Ok(()),
                stilled => stilled?,
            }
            if self.tabs.with(self.tab, |tab| tab.busy_until(deadline)).flatten().is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Waits while the page is on its way to another one, or has not loaded; as long as that is worth it.
    async fn until_there(&self, deadline: Instant) -> Result<(), Trouble> {
        while let Some(until) = self.tabs.with(self.tab, |tab| tab.busy_until(deadline)).flatten() {
            let waited = self.tabs.until(until, |state| {
                if let Some(interruption) = state.interruption(self.tab) {
                    return Some(Err(Trouble::Interruption(interruption)));
                }
                // What it is waited for may have changed, and with it for how long.
                let now = state.tabs.get(&self.tab).and_then(|tab| tab.busy_until(deadline));
                (now != Some(until)).then_some(Ok(()))
            });
            waited.await.unwrap_or(Ok(()))?;
        }
        Ok(())
    }

    /// Waits shortly for a page that is loading, and until it has been still for a moment.
    ///
    /// Fails with `cave_browser_snapshot_failed`.
    pub(crate) async fn settle(&self) -> Result<(), Error> {
        let deadline = Instant::now() + SETTLE;
        let interruption = self.tabs.state().interruption(self.tab);
        if let Some(interruption) = interruption {
            return Err(Trouble::Interruption(interruption).error(Code::SnapshotFailed, "reading the page"));
        }
        let settled = self.until_loaded(deadline).await;
        settled.map_err(|trouble| trouble.error(Code::SnapshotFailed, "reading the page"))?;
        if self.tabs.with(self.tab, |tab| tab.is_leaving()) == Some(true) {
            // Its page answers no more, and nobody has answered for the next one.
            let what = "the tab is going to another page, whose server has not answered yet";
            return Err(Error::new(Code::SnapshotFailed, what)
                .next("take the snapshot again in a while, or go elsewhere with a url"));
        }
        Ok(())
    }

    /// Fails where the tab is at an address that is not for agents: a file, or a page of Chrome's own.
    pub(crate) fn check_place(&self) -> Result<(), Error> {
        let url = self.tabs.with(self.tab, |tab| tab.url.clone()).unwrap_or_default();
        if Policy::may_read(&url) {
            return Ok(());
        }
        Err(Error::new(Code::UrlDenied, format!("the tab is at {url}, which is not a page of the web")))
    }
}
