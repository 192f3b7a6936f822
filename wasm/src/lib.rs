//! The core for JavaScript: what `axpress.js`, the module that people import, calls.
//!
//! Takes bytes and plain numbers, gives plain objects, all copied: nothing that JavaScript holds points into this
//! memory, so it may grow and move at any time. No function takes or gives a callback, so none can be called while
//! another runs. `axpress.js` reads the options, checks their types and passes them on; it is the only caller, and
//! what it must keep to stands here:
//!
//! - [`options`] begins a call: it forgets what was set before. [`frame`] adds a frame's payload. [`view`] and
//!   [`compress`] then take both.
//! - After anything that is no `AxpressError` was thrown, the instance is given up and a new one made: there was no
//!   memory for the call, and what it left behind is not looked at.
//!
//! It never parses, drops or formats a node.
#![deny(unsafe_code)]

mod results;
mod state;

use axpress_core::{Handle, HandlePrefix, OutlineOptions};
use wasm_bindgen::prelude::*;

use crate::results::Answer;
use crate::state::State;

/// The limits from now on.
#[wasm_bindgen]
pub fn limits(input_bytes: u32, nodes: u32, output_bytes: u32) {
    state::with(|state| state.set_limits(input_bytes as usize, nodes as usize, output_bytes as usize));
}

/// The options of the next view. Uids are pairs of a frame's number and a backend node id; `root` is one such pair or
/// none.
#[wasm_bindgen]
pub fn options(
    query: Option<String>,
    max_bytes: Option<u32>,
    secrets: Vec<f64>,
    clickable: Vec<f64>,
    urls: bool,
    root: Vec<f64>,
) {
    state::with(|state| {
        state.frames.clear();
        state.options = state::Options {
            query,
            max_bytes: max_bytes.map(|bytes| bytes as usize),
            secrets: state::uids(&secrets),
            clickable: state::uids(&clickable),
            urls,
            root: state::uids(&root).first().copied(),
        };
    });
}

/// A frame of the page that the next view is of.
#[wasm_bindgen]
pub fn frame(owner_frame: f64, owner_node: f64, number: u32, payload: Vec<u8>) {
    state::with(|state| {
        if let Some(&owner) = state::uids(&[owner_frame, owner_node]).first() {
            state.frames.push(state::OwnedFrame { owner, number, payload });
        }
    });
}

/// The view of a page.
#[wasm_bindgen]
pub fn view(payload: &[u8]) -> Answer {
    state::with(|State { compressor, options, frames, .. }| {
        let frames = state::frames(frames);
        let page = state::snapshot(payload, &frames);
        results::answer(compressor.view(page, &options.view()), |view| results::view(&view))
    })
}

/// The view of a page, and the handle and the blob of its payload.
#[wasm_bindgen]
pub fn compress(payload: &[u8]) -> Answer {
    state::with(|State { compressor, options, frames, .. }| {
        let frames = state::frames(frames);
        let page = state::snapshot(payload, &frames);
        results::answer(compressor.compress(page, &options.view()), |compressed| results::compressed(&compressed))
    })
}

/// The outline of a payload.
#[wasm_bindgen]
pub fn outline(payload: &[u8], max_chars: u32, dedup_text: bool) -> Answer {
    let options = OutlineOptions { max_chars: max_chars as usize, dedup_text };
    state::with(|state| {
        results::answer(state.compressor.outline(payload, &options), |outline| results::outline(&outline))
    })
}

/// What a payload holds, counted.
#[wasm_bindgen]
pub fn scan(payload: &[u8]) -> Answer {
    state::with(|state| results::answer(state.compressor.scan(payload), |statistics| results::statistics(&statistics)))
}

/// The blob of any bytes, and their handle.
#[wasm_bindgen]
pub fn pack(original: &[u8]) -> Answer {
    state::with(|state| {
        results::answer(state.compressor.pack(original), |(handle, blob)| results::packed(&handle, blob))
    })
}

/// The original of a blob.
#[wasm_bindgen]
pub fn unpack(blob: &[u8]) -> Answer {
    state::with(|state| results::answer(state.compressor.unpack(blob), results::bytes))
}

/// The handle of any bytes.
#[wasm_bindgen]
pub fn handle(original: &[u8]) -> Answer {
    Ok(Handle::of(original).to_string().into())
}

/// A handle, or the first 8 digits of one or more, as handles are written.
#[wasm_bindgen]
pub fn handle_prefix(text: &str) -> Answer {
    results::answer(text.parse::<HandlePrefix>(), |prefix| prefix.to_string().into())
}

/// The memory of this instance: `axpress.js` asks whether it can grow.
#[wasm_bindgen]
#[must_use]
pub fn linear_memory() -> JsValue {
    wasm_bindgen::memory()
}
