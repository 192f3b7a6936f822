//! Results as JSON objects.

use axpress_core::{Handle, Outline, Uid, View};
use serde::Serialize;

use super::Counts;

/// A view, of `view --json` and `compress --json`.
#[derive(Debug, Serialize)]
pub(crate) struct ViewReport<'a> {
    text: &'a str,
    uids: Vec<String>,
    /// None where the view is no smaller than the payload.
    handle: Option<String>,
    uncompressed: bool,
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
            uids: view.uids.iter().map(uid).collect(),
            handle: handle.map(|handle| handle.to_string()),
            uncompressed: handle.is_none(),
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

/// A uid as the view prints it, without its `@`.
fn uid(uid: &Uid) -> String {
    match uid.frame {
        0 => uid.node.to_string(),
        frame => format!("{frame}.{}", uid.node),
    }
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;

    #[test]
    fn a_uid_is_a_string_since_as_a_number_2_10_would_be_2_1() {
        assert_eq!(super::uid(&Uid { frame: 0, node: 12 }), "12");
        assert_eq!(super::uid(&Uid { frame: 2, node: 10 }), "2.10");
    }
}
