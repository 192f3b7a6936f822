//! Results as JSON objects.

use axpress_core::{Handle, Outline, View};
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
    #[serde(flatten)]
    counts: Counts,
    /// Size of the blob, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    blob_bytes: Option<usize>,
}

impl<'a> ViewReport<'a> {
    pub(crate) fn new(
        view: &View<'a>,
        nodes: usize,
        handle: Option<Handle>,
        counts: Counts,
        blob_bytes: Option<usize>,
    ) -> Self {
        Self {
            text: view.text,
            uids: view.uids.iter().map(uid::text).collect(),
            handle: handle.map(|handle| handle.to_string()),
            uncompressed: handle.is_none(),
            nodes,
            frames_left_out: view.frames_left_out,
            counts,
            blob_bytes,
        }
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
