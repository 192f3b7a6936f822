//! What calls give: structs that belong to the compressor and are read by C through a pointer.
//!
//! A field, once here, keeps its place; new ones go to the end.

use axpress_core::{Change, ChangeKind, DeltaKind, Outline, Statistics, Uid};

use crate::bytes::axp_bytes;
use crate::handle::axp_handle;

/// A handle of a node as a view prints it: `@12`, or `@2.12` for a node in the frame that the caller numbered 2.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct axp_uid {
    /// The number that the caller gave the frame; 0 for the page's own process.
    pub frame: u32,
    /// `backendDOMNodeId`.
    pub node: u64,
}

impl From<Uid> for axp_uid {
    fn from(uid: Uid) -> Self {
        Self { frame: uid.frame, node: uid.node }
    }
}

impl From<axp_uid> for Uid {
    fn from(uid: axp_uid) -> Self {
        Self { frame: uid.frame, node: uid.node }
    }
}

/// A view: what an agent should read.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_view {
    /// The text, in UTF-8: lines joined by a line feed, none at the end.
    pub text: axp_bytes,
    /// The uids in the text, in the order in which they stand there, and no others.
    pub uids: *const axp_uid,
    /// How many uids there are.
    pub uids_length: usize,
    /// Nodes of all payloads, repeats included.
    pub nodes: usize,
    /// Frames of the snapshot that no element of the page holds: they are not in the view.
    pub frames_left_out: usize,
    /// Uids of the full view that are not in this one, because of a query or a budget.
    pub uids_left_out: usize,
    /// Characters of the full view that are not in this one, without indentation and line feeds.
    pub characters_left_out: usize,
    /// Lines of the full view of which nothing is in this one.
    pub lines_left_out: usize,
    /// Rows, items and lines that match the query and are not shown: others match better, or come first.
    pub matches_left_out: usize,
}

/// Where in a payload something is: from the byte `start` up to the byte `end`, which is the first one after it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_range {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// Where in a payload nodes are.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_nodes {
    /// A range a node.
    pub ranges: *const axp_range,
    /// How many ranges there are.
    pub ranges_length: usize,
}

/// An outline: a line a node.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_outline {
    /// The text, in UTF-8: lines joined by a line feed, none at the end.
    pub text: axp_bytes,
    /// Nodes of the payload, without repeats.
    pub nodes: usize,
    /// Nodes that no root reaches: not printed.
    pub unreached: usize,
    /// Nodes below level 59: not printed.
    pub too_deep: usize,
}

impl From<Outline<'_>> for axp_outline {
    fn from(outline: Outline<'_>) -> Self {
        Self {
            text: axp_bytes::lend(outline.text.as_bytes()),
            nodes: outline.nodes,
            unreached: outline.unreached,
            too_deep: outline.too_deep,
        }
    }
}

/// Counts of one payload.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_statistics {
    /// Nodes, without repeats.
    pub nodes: usize,
    /// Nodes that repeat an earlier node's id: Chrome writes some generated text twice. They are not there.
    pub repeats: usize,
    /// Nodes whose parent is absent or not in the payload: 1 for a whole page.
    pub roots: usize,
}

impl From<Statistics> for axp_statistics {
    fn from(statistics: Statistics) -> Self {
        Self { nodes: statistics.nodes, repeats: statistics.repeats, roots: statistics.roots }
    }
}

/// `axp_delta.kind`: nothing changed, and the text is `no change`.
pub const AXP_DELTA_UNCHANGED: i32 = 0;
/// `axp_delta.kind`: the text has the changes.
pub const AXP_DELTA_CHANGED: i32 = 1;
/// `axp_delta.kind`: the text is the new view, below a line that says so: little is left of the old one, or its changes
/// are no shorter.
pub const AXP_DELTA_REWRITTEN: i32 = 2;

/// `axp_change.kind`: the line is new.
pub const AXP_CHANGE_CAME: i32 = 0;
/// `axp_change.kind`: the line is no longer there.
pub const AXP_CHANGE_WENT: i32 = 1;
/// `axp_change.kind`: the line stands for the same as the old one, and reads differently.
pub const AXP_CHANGE_CHANGED: i32 = 2;
/// `axp_change.kind`: the line reads as before, elsewhere.
pub const AXP_CHANGE_MOVED: i32 = 3;
/// `axp_change.kind`: the line reads as before, deeper or less deep; it is not in the text.
pub const AXP_CHANGE_INDENTED: i32 = 4;

/// No position: the line is not in that view.
pub const AXP_NO_LINE: u32 = 4_294_967_295;

/// One change, by the positions of lines: those of the old view as it was, and those of the new one.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_change {
    /// What happened: one of `AXP_CHANGE_`. A number that is not known is a change of a kind to come.
    pub kind: i32,
    /// Position of the line in the old view, from 0; `AXP_NO_LINE` where it came.
    pub before: u32,
    /// Position of the line in the new view, from 0; `AXP_NO_LINE` where it went.
    pub after: u32,
    /// The line as it stands in the new view, indented; empty where it went.
    pub line: axp_bytes,
}

/// What changed between two payloads of a page.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_delta {
    /// What the text is: one of `AXP_DELTA_`.
    pub kind: i32,
    /// The text, in UTF-8: lines joined by a line feed, none at the end.
    pub text: axp_bytes,
    /// The uids in the text, in the order in which they stand there, and no others: all live in the new view.
    pub uids: *const axp_uid,
    /// How many uids there are.
    pub uids_length: usize,
    /// All changes, whatever the text says of them. The lines of the old view that none names fill the positions of the
    /// new one that none names, in their order.
    pub changes: *const axp_change,
    /// How many changes there are.
    pub changes_length: usize,
    /// Lines of the old view.
    pub lines_before: usize,
    /// Lines of the new view.
    pub lines_after: usize,
    /// As in `axp_view`, of the new page.
    pub frames_left_out: usize,
}

/// The numbers of core's kinds.
pub(crate) const fn delta_kind(kind: DeltaKind) -> i32 {
    match kind {
        DeltaKind::Unchanged => AXP_DELTA_UNCHANGED,
        DeltaKind::Rewritten => AXP_DELTA_REWRITTEN,
        _ => AXP_DELTA_CHANGED,
    }
}

/// One of core's changes; `line` is its line.
pub(crate) fn change(change: &Change, line: &str) -> axp_change {
    let kind = match change.kind {
        ChangeKind::Came => AXP_CHANGE_CAME,
        ChangeKind::Went => AXP_CHANGE_WENT,
        ChangeKind::Moved => AXP_CHANGE_MOVED,
        ChangeKind::Indented => AXP_CHANGE_INDENTED,
        _ => AXP_CHANGE_CHANGED,
    };
    axp_change {
        kind,
        before: change.before.unwrap_or(AXP_NO_LINE),
        after: change.after.unwrap_or(AXP_NO_LINE),
        line: axp_bytes::lend(line.as_bytes()),
    }
}

/// A blob, and the handle of its original.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_packed {
    /// The original's handle.
    pub handle: axp_handle,
    /// What `axp_compressor_unpack` makes the original of.
    pub blob: axp_bytes,
}

/// A view and what it stands for.
///
/// Lifetime: the compressor's, until its next call. Nothing here is freed by the caller.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_compressed {
    /// The view, with its uids and counts. Never NULL.
    pub view: *const axp_view,
    /// The original's handle.
    pub handle: axp_handle,
    /// What `axp_compressor_unpack` makes the original of.
    pub blob: axp_bytes,
    /// Bytes of the original.
    pub original_bytes: usize,
    /// The view is no smaller than the payload: pass the payload on instead.
    pub uncompressed: bool,
}
