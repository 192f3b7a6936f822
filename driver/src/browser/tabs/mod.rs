//! The tabs: what Chrome says of them, kept as it comes.
//!
//! [`Tabs`] listens to the connection. Each event is taken in before any reply that came after it is read, so that who
//! has the reply to a click knows of the dialog, tab or navigation that came before. New targets wait until they are set
//! up: a dialog that opens before `Page.enable` could never be answered.

mod attach;
mod downloads;
mod events;
mod tab;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout, timeout_at};

pub(crate) use attach::attach_to_tabs;
pub(crate) use tab::{Child, Dialog, Happening, Shown, ShownDocument, Tab};

use super::cdp::{Client, Event, Listener};
use super::page::Policy;
use super::{Document, TabId, TabInfo};

/// How long what waited for a connection that ended is given to say so.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What is counted over all Chromes of a browser, so that nothing is ever used twice.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    tabs: AtomicU32,
    documents: AtomicU32,
    frames: AtomicU32,
}

impl Counters {
    fn next(counter: &AtomicU32) -> u32 {
        counter.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A tab's number.
    pub(crate) fn tab(&self) -> TabId {
        TabId(Self::next(&self.tabs))
    }

    /// A document's number.
    pub(crate) fn document(&self) -> Document {
        Document(Self::next(&self.documents))
    }

    /// The number of a frame document outside the page's process.
    pub(crate) fn frame(&self) -> u32 {
        Self::next(&self.frames)
    }
}

/// All tabs of a Chrome.
#[derive(Debug)]
pub(crate) struct Tabs {
    pub(crate) counters: Arc<Counters>,
    pub(crate) policy: Arc<Policy>,
    downloads: Option<PathBuf>,
    state: Mutex<State>,
    changed: Notify,
    /// For what goes on when a call of Chrome's has returned.
    own: Weak<Self>,
}

/// What is known.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The tabs that are there.
    pub(crate) tabs: BTreeMap<TabId, Tab>,
    /// The tab of each session, those of frames too.
    sessions: HashMap<String, TabId>,
    targets: HashMap<String, TabId>,
    /// Names of the files that are being saved, by Chrome's id of the download.
    saving: HashMap<String, String>,
    /// The connection has ended.
    pub(crate) closed: bool,
}

impl Tabs {
    /// No tabs yet.
    pub(crate) fn new(counters: Arc<Counters>, policy: Arc<Policy>, downloads: Option<PathBuf>) -> Arc<Self> {
        Arc::new_cyclic(|own| Self {
            counters,
            policy,
            downloads,
            state: Mutex::default(),
            changed: Notify::new(),
            own: Weak::clone(own),
        })
    }

    /// What is known now. Never held across a wait.
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is asked of a tab, where it is there.
    pub(crate) fn with<T>(&self, tab: TabId, ask: impl FnOnce(&mut Tab) -> T) -> Option<T> {
        self.state().tabs.get_mut(&tab).map(ask)
    }

    /// Waits until something is so; none where it is not by the deadline.
    pub(crate) async fn until<T>(&self, deadline: Instant, mut ask: impl FnMut(&mut State) -> Option<T>) -> Option<T> {
        loop {
            // Before asking, so that no change falls between.
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if let Some(answer) = ask(&mut self.state()) {
                return Some(answer);
            }
            if timeout_at(deadline, changed).await.is_err() {
                return ask(&mut self.state());
            }
        }
    }

    /// Whether downloads are saved, and not refused.
    pub(crate) fn saves_downloads(&self) -> bool {
        self.downloads.is_some()
    }

    fn weak(&self) -> Weak<Self> {
        Weak::clone(&self.own)
    }

    /// Runs something that waits for a tab's page, unless what holds the page comes first.
    pub(crate) async fn watched<T>(
        &self,
        tab: TabId,
        deadline: Instant,
        work: impl Future<Output = T>,
    ) -> Result<T, Interruption> {
        let interruption = self.until(deadline, |state| state.interruption(tab));
        let mut work = std::pin::pin!(work);
        let interruption = tokio::select! {
            biased;
            Some(interruption) = interruption => interruption,
            done = &mut work => return Ok(done),
        };
        if interruption == Interruption::Closed {
            // What waited when the connection ended was told why.
            return timeout(LAST_WORDS, work).await.map_err(|_| interruption);
        }
        Err(interruption)
    }

    /// All tabs, as others see them.
    pub(crate) fn list(&self) -> Vec<TabInfo> {
        self.state().tabs.values().map(Tab::info).collect()
    }

    /// Says that something is no longer as it was, to those who wait for it.
    pub(crate) fn touch(&self) {
        self.changed.notify_waiters();
    }
}

/// What keeps a page from answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Interruption {
    /// This dialog is open, in that tab.
    Dialog(TabId, Dialog),
    /// The page's process is gone.
    Crashed,
    /// The tab is gone.
    Gone,
    /// Chrome is gone.
    Closed,
}

impl Listener for Tabs {
    fn event(&self, client: &Client, event: &Event) {
        self.take(client, event);
        self.touch();
    }

    fn closed(&self) {
        self.state().closed = true;
        self.touch();
    }
}

impl State {
    /// The tab of a session.
    fn tab_of_session(&mut self, session: Option<&str>) -> Option<&mut Tab> {
        let tab = self.sessions.get(session?)?;
        self.tabs.get_mut(tab)
    }

    /// The tab of a target.
    fn tab_of_target(&mut self, target: &str) -> Option<&mut Tab> {
        let tab = self.targets.get(target)?;
        self.tabs.get_mut(tab)
    }

    /// What keeps the tab's page from answering, if anything does.
    pub(crate) fn interruption(&self, tab: TabId) -> Option<Interruption> {
        if self.closed {
            return Some(Interruption::Closed);
        }
        let Some(known) = self.tabs.get(&tab) else { return Some(Interruption::Gone) };
        if known.crashed {
            return Some(Interruption::Crashed);
        }
        self.dialog_over(tab).map(|(tab, dialog)| Interruption::Dialog(tab, dialog.clone()))
    }

    /// The dialog that holds a tab: its own, or that of a tab which it opened, since both may have one process.
    pub(crate) fn dialog_over(&self, tab: TabId) -> Option<(TabId, &Dialog)> {
        let own = self.tabs.get(&tab).and_then(|it| it.dialog.as_ref()).map(|dialog| (tab, dialog));
        own.or_else(|| {
            let mut opened = self.tabs.values().filter(|it| it.opener == Some(tab));
            opened.find_map(|it| it.dialog.as_ref().map(|dialog| (it.id, dialog)))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::json;
    use tokio::time::Instant;

    use super::Tabs;
    use crate::browser::cdp::fake::{LIMIT, connection};
    use crate::browser::cdp::{CallFailure, Client};

    #[tokio::test]
    async fn where_a_message_that_is_too_large_ends_the_connection_who_waits_for_it_is_told_of_that() {
        let (incoming, outgoing, mut chrome) = connection();
        let tabs = Tabs::new(Arc::default(), Arc::default(), None);
        let client = Client::new(incoming, outgoing, Arc::clone(&tabs) as _);
        let target = json!({"targetId": "T", "type": "page", "title": "", "url": ""});
        let attached = json!({"sessionId": "PAGE", "targetInfo": target, "waitingForDebugger": false});
        chrome.say(json!({"method": "Target.attachedToTarget", "params": attached}).to_string());
        let deadline = Instant::now() + Duration::from_secs(60);
        let tab = tabs.until(deadline, |state| state.tabs.keys().next().copied()).await.expect("a tab");
        let session = client.session("PAGE");
        let read = tabs.watched(tab, deadline, session.call("Accessibility.getFullAXTree", json!({}), deadline));
        let ended = async {
            while chrome.request().await.expect("a request")["method"] != "Accessibility.getFullAXTree" {}
            chrome.messages.send(Err(io::ErrorKind::FileTooLarge.into())).expect("someone listens");
        };
        let (read, ()) = tokio::join!(read, ended);
        assert_eq!(read, Ok(Err(CallFailure::TooLarge(LIMIT))));
    }
}
