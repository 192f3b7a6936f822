//! What is read of a page: the payloads of its documents, as Chrome sent them, and what must be known beside them.

use std::time::Duration;

use axpress_core::{Frame, Snapshot, Uid};
use bytes::Bytes;

use super::TabId;

/// What a snapshot is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SnapshotRequest {
    /// Navigate there first; without it the page that is there is read.
    pub url: Option<String>,
    /// Wait so long, after the page has loaded, before it is read.
    pub wait: Duration,
}

/// A page: its own payload, and those of its frames.
#[derive(Clone, Debug)]
pub struct PageSnapshot {
    /// The tab it was read in.
    pub tab: TabId,
    /// The page's address.
    pub url: String,
    /// The page's title.
    pub title: String,
    /// The page's document.
    pub document: Document,
    /// Chrome's id of its main frame.
    pub frame_id: String,
    /// Chrome's id of the loading that made the document.
    pub(crate) loader: String,
    /// The `result` of `Accessibility.getFullAXTree`, byte for byte as it was sent.
    pub payload: Bytes,
    /// The documents of its frames, outer ones first.
    pub frames: Vec<FramePayload>,
    /// Password-like fields: their value and inner text are never printed.
    pub secrets: Vec<Uid>,
    /// What can be acted on though its role does not say so: labels that are drawn for file fields that are not.
    pub clickable: Vec<Uid>,
    /// A payload says the value of a secret field in the clear: it is recovered only where that is asked for.
    pub exposes_secrets: bool,
    /// Frames that could not be read, quiet where all could.
    pub unread: Vec<UnreadFrame>,
    /// The page had not finished loading when it was read.
    pub loading: bool,
}

/// The payload of a frame's document.
#[derive(Clone, Debug)]
pub struct FramePayload {
    /// The element that holds the frame.
    pub owner: Uid,
    /// 0 in the page's own process; else the number of the document, never used again.
    pub number: u32,
    /// Chrome's id of the frame.
    pub frame_id: String,
    /// The frame's address.
    pub url: String,
    /// The frame's document.
    pub document: Document,
    pub(crate) loader: String,
    /// As in [`PageSnapshot::payload`].
    pub payload: Bytes,
}

/// A frame that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadFrame {
    /// The element that holds it, where that is known.
    pub owner: Option<Uid>,
    /// The frame's address; empty where it was not said.
    pub url: String,
    /// Why: as a part of a sentence.
    pub why: String,
}

/// A document in a frame: counted, so that no two documents of one browser are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Document(pub(crate) u32);

impl PageSnapshot {
    /// The frames, as the core takes them.
    #[must_use]
    pub fn core_frames<'a>(&'a self) -> Vec<Frame<'a>> {
        let frame =
            |frame: &'a FramePayload| Frame { owner: frame.owner, number: frame.number, payload: &frame.payload };
        self.frames.iter().map(frame).collect()
    }

    /// The page, as the core takes it, with its [`PageSnapshot::core_frames`].
    #[must_use]
    pub fn core<'a>(&'a self, frames: &'a [Frame<'a>]) -> Snapshot<'a> {
        Snapshot { payload: &self.payload, frames }
    }
}
