//! The results that a compressor lends: where they are, until its next call.

use std::ops::Range;

use axpress_core::{Compressed, Delta, Handle, Statistics, View};

use crate::bytes::axp_bytes;
use crate::results::{
    self, axp_change, axp_compressed, axp_delta, axp_nodes, axp_outline, axp_packed, axp_range, axp_statistics,
    axp_uid, axp_view,
};

/// The results that are lent, each where C finds it.
#[derive(Debug)]
pub(crate) struct Lent {
    /// What of core's memory C can see. Input may not be any of it.
    pub(crate) bytes: [axp_bytes; 2],
    uids: Vec<axp_uid>,
    changes: Vec<axp_change>,
    view: axp_view,
    outline: axp_outline,
    statistics: axp_statistics,
    packed: axp_packed,
    compressed: axp_compressed,
    delta: axp_delta,
    ranges: Vec<axp_range>,
    nodes: axp_nodes,
}

impl Lent {
    pub(crate) fn new() -> Self {
        let handle = Handle::from_sha256(&[0; 32]).into();
        let text = axp_bytes::EMPTY;
        let view = axp_view {
            text,
            uids: std::ptr::null(),
            uids_length: 0,
            nodes: 0,
            frames_left_out: 0,
            uids_left_out: 0,
            characters_left_out: 0,
            lines_left_out: 0,
            matches_left_out: 0,
        };
        Self {
            bytes: [axp_bytes::EMPTY; 2],
            uids: Vec::new(),
            changes: Vec::new(),
            view,
            outline: axp_outline { text, nodes: 0, unreached: 0, too_deep: 0 },
            statistics: axp_statistics { nodes: 0, repeats: 0, roots: 0 },
            packed: axp_packed { handle, blob: axp_bytes::EMPTY },
            compressed: axp_compressed {
                view: std::ptr::null(),
                handle,
                blob: axp_bytes::EMPTY,
                original_bytes: 0,
                uncompressed: false,
            },
            ranges: Vec::new(),
            nodes: axp_nodes { ranges: std::ptr::null(), ranges_length: 0 },
            delta: axp_delta {
                kind: results::AXP_DELTA_UNCHANGED,
                text,
                uids: std::ptr::null(),
                uids_length: 0,
                changes: std::ptr::null(),
                changes_length: 0,
                lines_before: 0,
                lines_after: 0,
                frames_left_out: 0,
            },
        }
    }

    pub(crate) fn view(&mut self, view: &View<'_>) -> *const axp_view {
        self.uids.clear();
        self.uids.extend(view.uids.iter().map(|&uid| axp_uid::from(uid)));
        self.view = axp_view {
            text: axp_bytes::lend(view.text.as_bytes()),
            uids: self.uids.as_ptr(),
            uids_length: self.uids.len(),
            nodes: view.nodes,
            frames_left_out: view.frames_left_out,
            uids_left_out: view.left_out.controls,
            characters_left_out: view.left_out.characters,
            lines_left_out: view.left_out.lines,
            matches_left_out: view.left_out.matches,
        };
        self.bytes = [self.view.text, axp_bytes::EMPTY];
        &raw const self.view
    }

    pub(crate) fn outline(&mut self, outline: axp_outline) -> *const axp_outline {
        self.outline = outline;
        self.bytes = [outline.text, axp_bytes::EMPTY];
        &raw const self.outline
    }

    pub(crate) fn statistics(&mut self, statistics: Statistics) -> *const axp_statistics {
        self.statistics = statistics.into();
        &raw const self.statistics
    }

    pub(crate) fn nodes(&mut self, nodes: &[Range<usize>]) -> *const axp_nodes {
        self.ranges.clear();
        self.ranges.extend(nodes.iter().map(|range| axp_range { start: range.start, end: range.end }));
        self.nodes = axp_nodes { ranges: self.ranges.as_ptr(), ranges_length: self.ranges.len() };
        &raw const self.nodes
    }

    pub(crate) fn packed(&mut self, handle: Handle, blob: &[u8]) -> *const axp_packed {
        self.packed = axp_packed { handle: handle.into(), blob: axp_bytes::lend(blob) };
        self.bytes = [self.packed.blob, axp_bytes::EMPTY];
        &raw const self.packed
    }

    pub(crate) fn compressed(&mut self, compressed: &Compressed<'_>) -> *const axp_compressed {
        self.compressed = axp_compressed {
            view: self.view(&compressed.view),
            handle: compressed.handle.into(),
            blob: axp_bytes::lend(compressed.blob),
            original_bytes: compressed.original_bytes,
            uncompressed: compressed.uncompressed,
        };
        self.bytes = [self.view.text, self.compressed.blob];
        &raw const self.compressed
    }

    pub(crate) fn delta(&mut self, delta: &Delta<'_>) -> *const axp_delta {
        self.uids.clear();
        self.uids.extend(delta.uids.iter().map(|&uid| axp_uid::from(uid)));
        self.changes.clear();
        self.changes.extend(delta.changes.iter().map(|change| results::change(change, delta.line(change))));
        self.delta = axp_delta {
            kind: results::delta_kind(delta.kind),
            text: axp_bytes::lend(delta.text.as_bytes()),
            uids: self.uids.as_ptr(),
            uids_length: self.uids.len(),
            changes: self.changes.as_ptr(),
            changes_length: self.changes.len(),
            lines_before: delta.lines_before,
            lines_after: delta.lines_after,
            frames_left_out: delta.frames_left_out,
        };
        // The lines of the changes are parts of one text: from the first of them to the end of the last.
        let lines = self.changes.iter().map(|change| change.line).filter(|line| line.length > 0);
        let first = lines.clone().min_by_key(|line| line.data as usize).unwrap_or(axp_bytes::EMPTY);
        let end = lines.map(|line| line.data as usize + line.length).max().unwrap_or(first.data as usize);
        self.bytes = [self.delta.text, axp_bytes { data: first.data, length: end - first.data as usize }];
        &raw const self.delta
    }
}
