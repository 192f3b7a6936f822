//! What a call gives JavaScript: plain objects that `results.js` makes, each of them a copy.
//!
//! The functions imported here are given what the compressor lends and copy it before they return.

use axpress_core::{Compressed, Error, Handle, Outline, Statistics, Uid, View};
use wasm_bindgen::prelude::*;

/// A result object, or the error to throw.
pub(crate) type Answer = Result<JsValue, JsValue>;

#[wasm_bindgen(raw_module = "./results.js")]
extern "C" {
    fn failure(code: &str, message: &str, next_step: &str, offset: f64) -> JsValue;
    #[wasm_bindgen(js_name = view)]
    fn view_object(text: &str, uids: &[f64], frames_left_out: usize) -> JsValue;
    #[wasm_bindgen(js_name = compressed)]
    fn compressed_object(view: JsValue, handle: &str, blob: &[u8], original_bytes: usize, uncompressed: bool)
    -> JsValue;
    #[wasm_bindgen(js_name = outline)]
    fn outline_object(text: &str, nodes: usize, unreached: usize, too_deep: usize) -> JsValue;
    #[wasm_bindgen(js_name = statistics)]
    fn statistics_object(nodes: usize, repeats: usize, roots: usize) -> JsValue;
    #[wasm_bindgen(js_name = packed)]
    fn packed_object(handle: &str, blob: &[u8]) -> JsValue;
    #[wasm_bindgen(js_name = bytes)]
    fn bytes_object(bytes: &[u8]) -> JsValue;
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
    view_object(view.text, &pairs(view.uids), view.frames_left_out)
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

/// Frame, node, frame, node …
fn pairs(uids: &[Uid]) -> Vec<f64> {
    uids.iter().flat_map(|uid| [f64::from(uid.frame), uid.node as f64]).collect()
}
