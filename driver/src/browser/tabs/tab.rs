//! What is known of a tab.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axpress_core::Uid;
use tokio::time::Instant;

use crate::browser::page::Times;
use crate::browser::{Document, TabId, TabInfo};

/// How long an address that was asked for has to become a request.
const LEAVE: Duration = Duration::from_secs(1);
/// How long the rest of a page is waited for when all its elements are there.
const REST: Duration = Duration::from_secs(5);

/// A tab.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "what Chrome says of a tab, each of its own")]
pub(crate) struct Tab {
    pub(crate) id: TabId,
    /// Chrome's id of it, which is also that of its main frame.
    pub(crate) target: String,
    pub(crate) session: String,
    pub(crate) opener: Option<TabId>,
    pub(crate) url: String,
    pub(crate) title: String,
    /// It is set up: what Chrome is asked to tell, it tells.
    pub(crate) ready: bool,
    /// Chrome's id of the loading that made its document; empty before the first.
    pub(crate) loader: String,
    /// The page asked for a tab that has not come yet.
    pub(crate) opening: bool,
    /// Somebody uses it.
    pub(crate) taken: bool,
    /// It did not answer in time, and may be busy for ever.
    pub(crate) hung: bool,
    /// Its process is gone.
    pub(crate) crashed: bool,
    pub(crate) dialog: Option<Dialog>,
    /// Frames of other processes, outer ones first.
    pub(crate) children: Vec<Child>,
    /// Documents that its main frame has had.
    pub(crate) commits: u32,
    /// Documents of it that have loaded, counted alike.
    pub(crate) loads: u32,
    /// Documents that its frames have had.
    pub(crate) frame_commits: u32,
    pub(crate) loading: bool,
    /// When all elements of its document were there.
    pub(crate) content: Option<Instant>,
    /// When the page asked to go elsewhere, where it has not gone yet.
    pub(crate) leaving: Option<Instant>,
    /// What happened, as far as acts report it, since the act began.
    pub(crate) happenings: Vec<Happening>,
    /// What an agent was shown.
    pub(crate) shown: HashMap<Uid, Shown>,
    /// The documents of the last snapshot, by frame and loader.
    pub(crate) documents: HashMap<(String, String), (Document, Option<u32>)>,
    /// Password-like fields by the document of their session's frame: a field that shows its password stays one.
    pub(crate) secrets: HashMap<Document, HashSet<u64>>,
    /// The file field that the open file chooser is for, where acts wait for one.
    pub(crate) chooser: Option<u64>,
    /// What is being dragged, where acts wait for it: `Input.DragData`.
    pub(crate) dragged: Option<String>,
    /// When it was read and acted in.
    pub(crate) times: Times,
    /// Reads and acts of a tab take turns.
    pub(crate) turn: Arc<tokio::sync::Mutex<()>>,
}

/// A frame of another process than the frame that holds it.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) session: String,
    /// Its frame.
    pub(crate) frame: String,
    /// The frame that holds it, where Chrome says so.
    pub(crate) parent_frame: Option<String>,
    /// The session of the document that holds it.
    pub(crate) parent: String,
    /// Where it was when it was read last; empty before that.
    pub(crate) url: String,
}

/// A dialog that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub(crate) kind: String,
    pub(crate) message: String,
}

/// What happened in a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Happening {
    /// It went elsewhere: to another document, or within its document.
    Navigated { url: String },
    /// It opened a tab.
    Opened(TabId),
    /// It wants to save a file.
    Download { id: String, name: String },
    /// The file is saved there.
    Saved { id: String, path: PathBuf },
    /// It was stopped from going there.
    Refused { url: String },
}

/// A node that an agent was shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) document: Arc<ShownDocument>,
    pub(crate) role: Box<str>,
    /// Its name as the payload has it, escapes and all.
    pub(crate) name: Box<str>,
    /// Its value is never said.
    pub(crate) secret: bool,
}

/// The document that it was in.
#[derive(Debug)]
pub(crate) struct ShownDocument {
    pub(crate) frame: String,
    pub(crate) loader: String,
}

impl Tab {
    /// A tab that has just come.
    pub(crate) fn new(id: TabId, target: &str, session: &str) -> Self {
        Self {
            id,
            target: target.to_owned(),
            session: session.to_owned(),
            opener: None,
            url: String::new(),
            title: String::new(),
            ready: false,
            loader: String::new(),
            opening: false,
            taken: false,
            hung: false,
            crashed: false,
            dialog: None,
            children: Vec::new(),
            commits: 0,
            loads: 0,
            frame_commits: 0,
            loading: false,
            content: None,
            leaving: None,
            happenings: Vec::new(),
            shown: HashMap::new(),
            documents: HashMap::new(),
            secrets: HashMap::new(),
            chooser: None,
            dragged: None,
            times: Times::default(),
            turn: Arc::default(),
        }
    }

    /// As others see it.
    pub(crate) fn info(&self) -> TabInfo {
        TabInfo {
            tab: self.id,
            url: self.url.clone(),
            title: self.title.clone(),
            opener: self.opener,
            dialog: self.dialog.as_ref().map(|dialog| (dialog.kind.clone(), dialog.message.clone())),
        }
    }

    /// Whether it is about to go elsewhere. An address that no page comes of, as for a mail, is forgotten soon.
    pub(crate) fn is_leaving(&self) -> bool {
        self.leaving.is_some_and(|since| self.loading || since.elapsed() < LEAVE)
    }

    /// Until when its next page, or the rest of its page, is waited for; none where there is nothing to wait for.
    pub(crate) fn busy_until(&self, deadline: Instant) -> Option<Instant> {
        let until = match (self.leaving, self.loading, self.content) {
            (Some(since), false, _) => since + LEAVE,
            (Some(_), true, _) | (None, true, None) => deadline,
            // What is still missing may never come.
            (None, true, Some(since)) => since + REST,
            (None, false, _) => return None,
        };
        Some(until.min(deadline)).filter(|until| *until > Instant::now())
    }

    /// Whether it is for whoever needs one: nobody has used it, and nothing is there.
    pub(crate) fn is_free(&self) -> bool {
        !self.taken && !self.crashed && self.opener.is_none() && matches!(self.url.as_str(), "" | "about:blank")
    }
}
