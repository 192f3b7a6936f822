//! The browser: pages are read, and acted on, over the Chrome DevTools Protocol.
//!
//! Payload bytes go out as they came in; nothing here parses, drops or formats a node. What Chrome says of itself is
//! taken as it is: an acknowledged input proves nothing, so acts read back.
//!
//! A [`Browser`] is cheap to make and to clone. Chrome starts with the first call that needs it, and again with the next
//! one where it is gone; tabs, documents and frame numbers are counted on, so that none is ever used twice.

mod action;
mod options;
mod outcome;
mod snapshot;

use std::fmt;

use axpress_core::Uid;

pub use action::{Action, Arguments};
pub use options::{Limits, Options};
pub use outcome::{ActOutcome, Verdict};
pub use snapshot::{Document, FramePayload, PageSnapshot, SnapshotRequest, UnreadFrame};

use crate::error::Error;

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

/// A Chrome, and its tabs.
#[derive(Clone, Debug)]
pub struct Browser {
    options: std::sync::Arc<Options>,
}

impl Browser {
    /// A browser that is not yet started.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options: std::sync::Arc::new(options) }
    }

    /// Starts or attaches now, where that was not done. Fails with `cave_browser_unavailable`.
    pub async fn start(&self) -> Result<(), Error> {
        todo!()
    }

    /// A tab for someone who has none: the one that Chrome began with, where nobody was given it, else a new one.
    pub async fn own_tab(&self) -> Result<TabId, Error> {
        todo!()
    }

    /// All tabs, in the order of their numbers.
    #[must_use]
    pub fn tabs(&self) -> Vec<TabInfo> {
        todo!()
    }

    /// Reads a page, after navigating where that is asked.
    ///
    /// Fails with `cave_browser_url_denied`, `cave_browser_snapshot_failed` (also while a dialog is open),
    /// `cave_browser_unavailable`, and `cave_invalid_arguments` for a tab that there is not.
    pub async fn snapshot(&self, tab: TabId, request: &SnapshotRequest) -> Result<PageSnapshot, Error> {
        todo!()
    }

    /// Takes down which uids of a snapshot an agent was shown, by a view, a query or a delta: only those can be acted on,
    /// and only while their node's document, role and name are those of the snapshot. Those shown before stay.
    pub fn shown(&self, snapshot: &PageSnapshot, uids: &[Uid]) {
        todo!()
    }

    /// Acts, waits shortly for what comes of it, and reads back.
    ///
    /// Fails with `cave_unknown_uid`, `cave_stale_uid` (with which of removed, navigated, frame_gone, changed it was),
    /// `cave_browser_action_failed`, `cave_browser_url_denied`, `cave_invalid_arguments`, `cave_browser_unavailable`.
    pub async fn act(&self, tab: TabId, action: &Action) -> Result<ActOutcome, Error> {
        todo!()
    }

    /// Evaluates an expression in the page; a promise is awaited.
    pub async fn eval(&self, tab: TabId, expression: &str) -> Result<Evaluation, Error> {
        todo!()
    }

    /// A picture of what the tab shows, or of a node.
    pub async fn screenshot(&self, tab: TabId, uid: Option<Uid>) -> Result<Screenshot, Error> {
        todo!()
    }

    /// Ends Chrome where it was started, and leaves one that was attached to.
    pub async fn close(&self) {
        todo!()
    }
}
