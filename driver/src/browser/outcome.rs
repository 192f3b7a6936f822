//! What an act did: never more than was seen.

use std::fmt;
use std::path::PathBuf;

use super::TabId;

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActOutcome {
    /// The input reached the node that was shown.
    pub ok: bool,
    /// What happened.
    pub verdict: Verdict,
    /// True for a `wait` whose text came or whose time is over, else false: an acknowledged input is not a settled page.
    pub settled: bool,
    /// What the node says after the act: a value, a state. Never that of a password-like field.
    pub read_back: Option<String>,
    /// The tab that calls without one mean from now on.
    pub tab: TabId,
}

/// The first line of an act's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Something in the page is seen to have changed.
    Changed,
    /// The input arrived; nothing is seen to have changed. Who compares two views may see more.
    NoChangeSeen,
    /// Nothing was done, since something else would have got the input.
    Blocked {
        /// What covers the node, as an agent can find it.
        by: String,
    },
    /// The input went to another node, which came between at the last moment.
    Missed {
        /// What got it.
        on: String,
    },
    /// A dialog is open, and holds the page until it is accepted or dismissed.
    Dialog {
        /// `alert`, `confirm`, `prompt` or `beforeunload`.
        kind: String,
        /// What it says.
        message: String,
    },
    /// The tab went to another document.
    Navigated {
        /// Where it is now.
        url: String,
    },
    /// The page opened a tab.
    NewTab {
        /// The tab.
        tab: TabId,
        /// Where it goes.
        url: String,
    },
    /// The tab that is used from now on.
    Switched {
        /// The tab.
        tab: TabId,
        /// Where it is.
        url: String,
    },
    /// The tab is gone.
    Closed {
        /// The tab.
        tab: TabId,
    },
    /// The page wanted to save a file, and no folder is named for that.
    DownloadRefused {
        /// The name that it would have had.
        name: String,
    },
    /// A file is being saved, or is saved.
    Download {
        /// Where it is; where it is complete.
        path: Option<PathBuf>,
        /// The name that the page gave it.
        name: String,
    },
    /// The page was stopped from going to an address that the policy refuses.
    UrlRefused {
        /// The address.
        url: String,
    },
    /// The page's process is gone.
    Crashed,
    /// The page did not take the input before the deadline: whether it did anything is not known.
    NoAnswer,
}

impl Verdict {
    /// Whether an answer with it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        matches!(
            self,
            Self::Blocked { .. } | Self::Missed { .. } | Self::Crashed | Self::NoAnswer | Self::UrlRefused { .. }
        )
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => out.write_str("changed"),
            Self::NoChangeSeen => out.write_str("no change seen"),
            Self::Blocked { by } => write!(out, "blocked by {by}"),
            Self::Missed { on } => write!(out, "missed: the input went to {on}"),
            Self::Dialog { kind, message } => write!(out, "dialog {kind} {message:?}"),
            Self::Navigated { url } => write!(out, "navigated to {url}"),
            Self::NewTab { tab, url } => write!(out, "new tab {tab} {url}"),
            Self::Switched { tab, url } => write!(out, "tab {tab} {url}"),
            Self::Closed { tab } => write!(out, "closed tab {tab}"),
            Self::DownloadRefused { name } => write!(out, "download refused {name:?}"),
            Self::Download { path: Some(path), .. } => write!(out, "downloaded {}", path.display()),
            Self::Download { path: None, name } => write!(out, "download started {name:?}"),
            Self::UrlRefused { url } => write!(out, "refused to go to {url}"),
            Self::Crashed => out.write_str("the page crashed"),
            Self::NoAnswer => out.write_str("no answer from the page; whether the input did anything is not known"),
        }
    }
}
