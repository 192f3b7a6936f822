//! Results as JSON objects.

use axpress_core::{Change, ChangeKind, Delta, DeltaKind, Handle, LeftOut, Outline, View};
use serde::Serialize;

use super::Counts;
use crate::arguments::uid;

/// A view, of `view --json` and `compress --json`.
#[derive(Debug, Serialize)]
pub(crate) struct ViewReport<'a> {
    text: &'a str,
    uids: Vec<String>,
    /// None where the view is no smaller than the payload.
    handle: Option<String>,
    uncompressed: bool,
    nodes: usize,
    frames_left_out: usize,
    /// None where nothing was: there was neither a query nor a budget, or all of the page is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<LeftOutReport>,
    #[serde(flatten)]
    counts: Counts,
    /// Size of the blob, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    blob_bytes: Option<usize>,
}

impl<'a> ViewReport<'a> {
    pub(crate) fn new(view: &View<'a>, handle: Option<Handle>, counts: Counts, blob_bytes: Option<usize>) -> Self {
        Self {
            text: view.text,
            uids: view.uids.iter().map(uid::text).collect(),
            handle: handle.map(|handle| handle.to_string()),
            uncompressed: handle.is_none(),
            nodes: view.nodes,
            frames_left_out: view.frames_left_out,
            left_out: (view.left_out != LeftOut::default()).then(|| LeftOutReport::new(view.left_out)),
            counts,
            blob_bytes,
        }
    }
}

/// What a query or a budget left out of a view.
#[derive(Debug, Serialize)]
struct LeftOutReport {
    controls: usize,
    characters: usize,
    lines: usize,
    matches: usize,
}

impl LeftOutReport {
    fn new(LeftOut { controls, characters, lines, matches, .. }: LeftOut) -> Self {
        Self { controls, characters, lines, matches }
    }
}

/// A delta, of `view --since FILE --json`.
#[derive(Debug, Serialize)]
pub(crate) struct DeltaReport<'a> {
    text: &'a str,
    kind: &'static str,
    uids: Vec<String>,
    /// Of the new payload.
    handle: String,
    lines_before: usize,
    lines_after: usize,
    frames_left_out: usize,
    changes: Vec<ChangeReport<'a>>,
    #[serde(flatten)]
    counts: Counts,
}

/// A change, by positions of lines in the old view and in the new one.
#[derive(Debug, Serialize)]
struct ChangeReport<'a> {
    kind: &'static str,
    before: Option<u32>,
    after: Option<u32>,
    /// The line as the new view has it; none where it went.
    line: Option<&'a str>,
}

impl<'a> DeltaReport<'a> {
    pub(crate) fn new(delta: &Delta<'a>, handle: Handle, counts: Counts) -> Self {
        let change = |change: &Change| ChangeReport {
            kind: change_kind(change.kind),
            before: change.before,
            after: change.after,
            line: change.after.map(|_| delta.line(change)),
        };
        Self {
            text: delta.text,
            kind: match delta.kind {
                DeltaKind::Unchanged => "unchanged",
                DeltaKind::Changed => "changed",
                _ => "rewritten",
            },
            uids: delta.uids.iter().map(uid::text).collect(),
            handle: handle.to_string(),
            lines_before: delta.lines_before,
            lines_after: delta.lines_after,
            frames_left_out: delta.frames_left_out,
            changes: delta.changes.iter().map(change).collect(),
            counts,
        }
    }
}

fn change_kind(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Came => "came",
        ChangeKind::Went => "went",
        ChangeKind::Changed => "changed",
        ChangeKind::Moved => "moved",
        _ => "indented",
    }
}

/// An outline, of `outline --json`.
#[derive(Debug, Serialize)]
pub(crate) struct OutlineReport<'a> {
    text: &'a str,
    nodes: usize,
    unreached: usize,
    too_deep: usize,
    #[serde(flatten)]
    counts: Counts,
}

impl<'a> OutlineReport<'a> {
    pub(crate) fn new(outline: &Outline<'a>, counts: Counts) -> Self {
        let Outline { text, nodes, unreached, too_deep, .. } = *outline;
        Self { text, nodes, unreached, too_deep, counts }
    }
}
