//! What calls give: structs that belong to the compressor and are read by C through a pointer.
//!
//! A field, once here, keeps its place; new ones go to the end.

use axpress_core::{Outline, Statistics, Uid};

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
    /// Frames of the snapshot that no element of the page holds: they are not in the view.
    pub frames_left_out: usize,
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
    /// Nodes that Chrome itself ignores, repeats included.
    pub ignored: usize,
    /// Children that the payload lacks.
    pub missing_children: usize,
}

impl From<Statistics> for axp_statistics {
    fn from(statistics: Statistics) -> Self {
        Self {
            nodes: statistics.nodes,
            repeats: statistics.repeats,
            roots: statistics.roots,
            ignored: statistics.ignored,
            missing_children: statistics.missing_children,
        }
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
    /// The view, with its uids. Never NULL.
    pub view: *const axp_view,
    /// Counts of the page's own payload. Never NULL.
    pub statistics: *const axp_statistics,
    /// The original's handle.
    pub handle: axp_handle,
    /// What `axp_compressor_unpack` makes the original of.
    pub blob: axp_bytes,
    /// Bytes of the original.
    pub original_bytes: usize,
    /// The view is no smaller than the payload: pass the payload on instead.
    pub uncompressed: bool,
}
