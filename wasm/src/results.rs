//! What a call gives JavaScript: plain objects that `results.js` makes, each of them a copy.
//!
//! The functions imported here are given what the compressor lends and copy it before they return.

#![expect(clippy::cast_precision_loss, reason = "offsets are less than 2^32, and node ids at most 2^53")]

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use axpress_core::{ChangeKind, Compressed, Delta, DeltaKind, Error, Handle, LeftOut, Outline, Statistics, Uid, View};
use wasm_bindgen::prelude::*;

/// A result object, or the error to throw.
pub(crate) type Answer = Result<JsValue, JsValue>;

#[wasm_bindgen(raw_module = "./results.js")]
extern "C" {
    fn failure(code: &str, message: &str, next_step: &str, offset: f64) -> JsValue;
    #[wasm_bindgen(js_name = view)]
    fn view_object(text: &str, uids: &[f64], nodes: usize, frames_left_out: usize, left_out: &[usize]) -> JsValue;
    #[wasm_bindgen(js_name = delta)]
    fn delta_object(
        kind: &str,
        text: &str,
        uids: &[f64],
        changes: &[f64],
        lines: &str,
        lines_before: usize,
        lines_after: usize,
        frames_left_out: usize,
    ) -> JsValue;
    #[wasm_bindgen(js_name = compressed)]
    fn compressed_object(
        view: JsValue,
        handle: &str,
        blob: &[u8],
        original_bytes: usize,
        uncompressed: bool,
    ) -> JsValue;
    #[wasm_bindgen(js_name = outline)]
    fn outline_object(text: &str, nodes: usize, unreached: usize, too_deep: usize) -> JsValue;
    #[wasm_bindgen(js_name = statistics)]
    fn statistics_object(nodes: usize, repeats: usize, roots: usize) -> JsValue;
    #[wasm_bindgen(js_name = packed)]
    fn packed_object(handle: &str, blob: &[u8]) -> JsValue;
    #[wasm_bindgen(js_name = bytes)]
    fn bytes_object(bytes: &[u8]) -> JsValue;
    #[wasm_bindgen(js_name = ranges)]
    fn ranges_object(places: &[f64]) -> JsValue;
}

/// The object of a result, or the error.
pub(crate) fn answer<T>(result: Result<T, Error>, object: impl FnOnce(T) -> JsValue) -> Answer {
    match result {
        Ok(result) => Ok(object(result)),
        Err(error) => {
            let kind = error.kind;
            Err(failure(kind.code(), error.message(), kind.next_step(), error.offset as f64))
        }
    }
}

pub(crate) fn view(view: &View<'_>) -> JsValue {
    let LeftOut { controls, characters, lines, matches, .. } = view.left_out;
    view_object(view.text, &pairs(view.uids), view.nodes, view.frames_left_out, &[controls, characters, lines, matches])
}

pub(crate) fn delta(delta: &Delta<'_>) -> JsValue {
    let kind = match delta.kind {
        DeltaKind::Unchanged => "unchanged",
        DeltaKind::Changed => "changed",
        _ => "rewritten",
    };
    let position = |line: Option<u32>| line.map_or(-1.0, f64::from);
    let mut changes = Vec::with_capacity(3 * delta.changes.len());
    let mut lines = String::new();
    for change in delta.changes {
        let kind = match change.kind {
            ChangeKind::Came => 0.0,
            ChangeKind::Went => 1.0,
            ChangeKind::Changed => 2.0,
            ChangeKind::Moved => 3.0,
            _ => 4.0,
        };
        changes.extend([kind, position(change.before), position(change.after)]);
        lines.push_str(delta.line(change));
        lines.push('\n');
    }
    let Delta { text, uids, lines_before, lines_after, frames_left_out, .. } = *delta;
    delta_object(kind, text, &pairs(uids), &changes, &lines, lines_before, lines_after, frames_left_out)
}

pub(crate) fn compressed(compressed: &Compressed<'_>) -> JsValue {
    let Compressed { handle, blob, original_bytes, uncompressed, .. } = *compressed;
    compressed_object(view(&compressed.view), &handle.to_string(), blob, original_bytes, uncompressed)
}

pub(crate) fn outline(outline: &Outline<'_>) -> JsValue {
    outline_object(outline.text, outline.nodes, outline.unreached, outline.too_deep)
}

pub(crate) fn statistics(statistics: &Statistics) -> JsValue {
    let Statistics { nodes, repeats, roots, .. } = *statistics;
    statistics_object(nodes, repeats, roots)
}

pub(crate) fn packed(handle: &Handle, blob: &[u8]) -> JsValue {
    packed_object(&handle.to_string(), blob)
}

pub(crate) fn bytes(bytes: &[u8]) -> JsValue {
    bytes_object(bytes)
}

pub(crate) fn ranges(ranges: &[Range<usize>]) -> JsValue {
    let places: Vec<f64> = ranges.iter().flat_map(|range| [range.start as f64, range.end as f64]).collect();
    ranges_object(&places)
}

/// Frame, node, frame, node …
fn pairs(uids: &[Uid]) -> Vec<f64> {
    uids.iter().flat_map(|uid| [f64::from(uid.frame), uid.node as f64]).collect()
}
