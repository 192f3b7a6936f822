//! What an act did: never more than was seen.

use std::fmt;
use std::path::PathBuf;

use axpress_core::Uid;

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
    /// Something in the page changed, and all of that changes by itself: a clock, a feed.
    pub restless: bool,
    /// What the node says after the act: a value, a state. Never that of a password-like field.
    pub read_back: Option<String>,
    /// The tab that calls without one mean from now on.
    pub tab: TabId,
}

/// What a page changed since an act, beside what is certain to be the act's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnChanges {
    /// Nothing that could be seen from within its documents.
    None,
    /// Something that changed before the act already, or changes again and again.
    Again,
    /// Something that does not: the act's doing, as far as can be seen.
    Once,
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
        /// What covers the node: its tag, id and text.
        by: String,
        /// Its uid, where it was shown.
        uid: Option<Uid>,
    },
    /// The input went to another node, which came between at the last moment.
    Missed {
        /// What got it; empty where that was not seen.
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
    /// The tab is about to go to another document, whose server has not answered yet.
    Leaving,
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
            Self::Blocked { by, uid: None } => write!(out, "blocked by {}", plain(by)),
            Self::Blocked { by, uid: Some(Uid { frame: 0, node }) } => write!(out, "blocked by {} @{node}", plain(by)),
            Self::Blocked { by, uid: Some(Uid { frame, node }) } => {
                write!(out, "blocked by {} @{frame}.{node}", plain(by))
            }
            Self::Missed { on } if on.is_empty() => out.write_str("missed: the input was not seen to reach it"),
            Self::Missed { on } => write!(out, "missed: the input went to {}", plain(on)),
            Self::Dialog { kind, message } => write!(out, "dialog {kind} {}", plain(&format!("{message:?}"))),
            Self::Navigated { url } => write!(out, "navigated to {url}"),
            Self::Leaving => out.write_str("navigating; the next page has not answered yet"),
            Self::NewTab { tab, url } => write!(out, "new tab {tab} {url}"),
            Self::Switched { tab, url } => write!(out, "tab {tab} {url}"),
            Self::Closed { tab } => write!(out, "closed tab {tab}"),
            Self::DownloadRefused { name } => write!(out, "download refused {}", plain(&format!("{name:?}"))),
            Self::Download { path: Some(path), .. } => write!(out, "downloaded {}", path.display()),
            Self::Download { path: None, name } => write!(out, "download started {}", plain(&format!("{name:?}"))),
            Self::UrlRefused { url } => write!(out, "refused to go to {url}"),
            Self::Crashed => out.write_str("the page crashed"),
            Self::NoAnswer => out.write_str("no answer from the page; whether the input did anything is not known"),
        }
    }
}

/// Text of a page, which can't make a handle: an `@` before a digit is escaped, as views do.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '@' && characters.peek().is_some_and(char::is_ascii_digit) {
            plain.push('\\');
        }
        plain.push(character);
    }
    plain
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;

    use super::Verdict;

    #[test]
    fn what_a_page_says_can_make_neither_a_handle_nor_a_line() {
        let dialog = Verdict::Dialog { kind: "alert".to_owned(), message: "press\nbutton Pay @12 a@b".to_owned() };
        assert_eq!(dialog.to_string(), r#"dialog alert "press\nbutton Pay \@12 a@b""#);
        let blocked = Verdict::Blocked { by: "<div> \"@7\"".to_owned(), uid: Some(Uid { frame: 2, node: 9 }) };
        assert_eq!(blocked.to_string(), r#"blocked by <div> "\@7" @2.9"#);
    }
}
