//! The browser: pages are read, and acted on, over the Chrome `DevTools` protocol.
//!
//! Payload bytes go out as they came in; nothing here parses, drops or formats a node. What Chrome says of itself is
//! taken as it is: an acknowledged input proves nothing, so acts read back.
//!
//! A [`Browser`] is cheap to make and to clone. Chrome starts with the first call that needs it, and again with the next
//! one where it is gone; tabs, documents and frame numbers are counted on, so that none is ever used twice.

mod act;
mod action;
pub(crate) mod cdp;
mod chrome;
mod eval;
mod files;
mod live;
mod options;
mod outcome;
mod page;
mod shown;
mod snapshot;
mod tabs;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axpress_core::{Compressor, Uid};
use base64::Engine as _;
use tokio::time::Instant;

pub use action::{Action, Arguments};
pub use files::Files;
pub use options::{Limits, Options};
pub use outcome::{ActOutcome, OwnChanges, Verdict};
pub use snapshot::{Document, FramePayload, PageSnapshot, SnapshotRequest, UnreadFrame};

use crate::error::{Code, Error};
use act::Actor;
use live::Live;
use page::Policy;
use tabs::Counters;

/// A tab, counted from 1 in the order in which tabs came; a number is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TabId(pub u32);

impl fmt::Display for TabId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// What is known of a tab without asking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TabInfo {
    /// The tab.
    pub tab: TabId,
    /// Where it is.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The tab that opened it.
    pub opener: Option<TabId>,
    /// The dialog that is open in it: its kind and what it says.
    pub dialog: Option<(String, String)>,
}

/// What an expression came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// Its value: JSON, or what the page prints for what JSON has no form for (`undefined`, functions, elements).
    pub text: String,
    /// What else happened meanwhile: a dialog, a navigation, a new tab.
    pub verdict: Option<Verdict>,
}

/// A PNG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// In base64, as Chrome gives it and as clients take it.
    pub base64: String,
}

impl Screenshot {
    /// Its bytes; none where Chrome sent what is not base64.
    #[must_use]
    pub fn png(&self) -> Option<Vec<u8>> {
        base64::engine::general_purpose::STANDARD.decode(&self.base64).ok()
    }
}

/// A Chrome, and its tabs.
#[derive(Clone, Debug)]
pub struct Browser(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    options: Options,
    policy: Arc<Policy>,
    counters: Arc<Counters>,
    live: Mutex<Option<Arc<Live>>>,
    /// Chrome is started by one call at a time.
    starting: tokio::sync::Mutex<()>,
    compressor: Mutex<Compressor>,
}

impl Browser {
    /// A browser that is not yet started. Fails with `cave_invalid_arguments` where an allowed origin is none.
    pub fn new(mut options: Options) -> Result<Self, Error> {
        // What a page gave may be given on.
        if let Some(folder) = &options.downloads {
            options.files.and(folder);
        }
        let policy = Arc::new(Policy::new(&options)?);
        Ok(Self(Arc::new(Shared {
            options,
            policy,
            counters: Arc::default(),
            live: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            compressor: Mutex::default(),
        })))
    }

    /// Starts or attaches now, where that was not done. Fails with `cave_browser_unavailable`.
    pub async fn start(&self) -> Result<(), Error> {
        self.live().await.map(drop)
    }

    /// The Chrome that runs, started where none does.
    async fn live(&self) -> Result<Arc<Live>, Error> {
        let Shared { options, policy, counters, starting, .. } = &*self.0;
        let _turn = starting.lock().await;
        if let Some(live) = self.running() {
            return Ok(live);
        }
        let live = Arc::new(Live::start(options, Arc::clone(policy), Arc::clone(counters)).await?);
        *lock(&self.0.live) = Some(Arc::clone(&live));
        Ok(live)
    }

    fn actor<'a>(&'a self, live: &'a Live) -> Actor<'a> {
        Actor { live, options: &self.0.options, compressor: &self.0.compressor }
    }

    fn running(&self) -> Option<Arc<Live>> {
        lock(&self.0.live).clone().filter(|live| !live.is_over())
    }

    /// The process id of the Chrome that was started, while it runs.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.running().and_then(|live| live.pid())
    }

    /// A tab for someone who has none: the one that Chrome began with, where nobody was given it, else a new one.
    ///
    /// Fails with `cave_browser_unavailable`.
    pub async fn own_tab(&self) -> Result<TabId, Error> {
        let live = self.live().await?;
        let free = live.tabs.state().tabs.values_mut().find(|tab| tab.is_free()).map(|tab| {
            tab.taken = true;
            tab.id
        });
        match free {
            Some(tab) => Ok(tab),
            None => live.open("about:blank", Instant::now() + self.0.options.limits.start).await,
        }
    }

    /// All tabs, in the order of their numbers; none while Chrome does not run.
    #[must_use]
    pub fn tabs(&self) -> Vec<TabInfo> {
        self.running().map(|live| live.tabs.list()).unwrap_or_default()
    }

    /// Fails with `cave_browser_url_denied` for an address that is not gone to. Asks nobody and starts nothing.
    pub fn check_url(&self, url: &str) -> Result<(), Error> {
        self.0.policy.check(url).map(drop)
    }

    /// Reads a page, after navigating where that is asked.
    ///
    /// Fails with `cave_browser_url_denied`, `cave_browser_snapshot_failed` (also while a dialog is open),
    /// `cave_browser_unavailable`, and `cave_invalid_arguments` for a tab that there is not.
    pub async fn snapshot(&self, tab: TabId, request: &SnapshotRequest) -> Result<PageSnapshot, Error> {
        // What is refused is refused whether there is a Chrome or not.
        if let Some(url) = &request.url {
            self.check_url(url)?;
        }
        let live = self.live().await?;
        let page = live.page(&self.0.options, tab)?;
        let _turn = page.turn().await?;
        match &request.url {
            Some(url) => page.navigate(url).await?,
            None => page.settle().await?,
        }
        if !request.wait.is_zero() {
            page.pause(request.wait).await.map_err(|trouble| trouble.error(Code::SnapshotFailed, "waiting"))?;
        }
        page.check_place()?;
        let mut snapshot = page.read().await?;
        snapshot.exposes_secrets = shown::exposes_secrets(&mut lock(&self.0.compressor), &snapshot);
        Ok(snapshot)
    }

    /// Takes down which uids of a snapshot an agent was shown, by a view, a query or a delta: only those can be acted on,
    /// and only while their node's document, role and name are those of the snapshot. Those shown before stay.
    pub fn shown(&self, snapshot: &PageSnapshot, uids: &[Uid]) {
        if let Some(live) = self.running() {
            shown::record(&live.tabs, &mut lock(&self.0.compressor), snapshot, uids);
        }
    }

    /// Acts, waits shortly for what comes of it, and reads back.
    ///
    /// Fails with `cave_unknown_uid`, `cave_stale_uid` (with which of removed, navigated, `frame_gone`, changed it was),
    /// `cave_browser_action_failed`, `cave_browser_url_denied`, `cave_invalid_arguments`, `cave_browser_unavailable`.
    pub async fn act(&self, tab: TabId, action: &Action) -> Result<ActOutcome, Error> {
        let checked;
        let action = match action {
            Action::OpenTab(Some(url)) => {
                self.check_url(url)?;
                action
            }
            Action::Upload(uid, paths) => {
                let paths = paths.iter().map(|path| self.0.options.files.check(path));
                checked = Action::Upload(*uid, paths.collect::<Result<_, _>>()?);
                &checked
            }
            action => action,
        };
        let live = self.live().await?;
        self.actor(&live).act(tab, action).await
    }

    /// Whose doing it is that a page is another one than before the last act in the tab, where the act was not seen to do
    /// it: waits shortly for whether it changes again.
    ///
    /// Fails with `cave_browser_action_failed`, `cave_invalid_arguments`, `cave_browser_unavailable`.
    pub async fn own_changes(&self, tab: TabId) -> Result<OwnChanges, Error> {
        let live = self.live().await?;
        let page = live.page(&self.0.options, tab)?;
        let _turn = page.turn().await?;
        let asked = page.own_changes(Instant::now() + self.0.options.limits.act).await;
        asked.map_err(|trouble| trouble.error(Code::ActionFailed, "looking at what changed"))
    }

    /// Evaluates an expression in the page; a promise is awaited.
    ///
    /// Fails with `cave_browser_eval_failed`, `cave_invalid_arguments`, `cave_browser_unavailable`.
    pub async fn eval(&self, tab: TabId, expression: &str) -> Result<Evaluation, Error> {
        let live = self.live().await?;
        let page = live.page(&self.0.options, tab)?;
        eval::eval(&page, expression).await
    }

    /// A picture of what the tab shows, or of a node.
    ///
    /// Fails as [`Browser::act`] does.
    pub async fn screenshot(&self, tab: TabId, uid: Option<Uid>) -> Result<Screenshot, Error> {
        let live = self.live().await?;
        self.actor(&live).screenshot(tab, uid).await
    }

    /// Ends Chrome where it was started, and leaves one that was attached to. A later call starts it again.
    pub async fn close(&self) {
        let live = lock(&self.0.live).take();
        if let Some(live) = live {
            live.close().await;
        }
    }
}

/// What a lock guards, also where who had it before failed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
