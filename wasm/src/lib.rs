//! The core for JavaScript: what `axpress.js`, the module that people import, calls.
//!
//! Takes bytes and plain numbers, gives plain objects, all copied: nothing that JavaScript holds points into this
//! memory, so it may grow and move at any time. No function takes or gives a callback, so none can be called while
//! another runs. `axpress.js` reads the options, checks their types and passes them on; it is the only caller, and
//! what it must keep to stands here:
//!
//! - [`options`] begins a call: it forgets what was set before. [`frame`] adds a frame's payload. [`view`],
//!   [`compress`] and [`delta`] then take both.
//! - After anything that is no `AxpressError` was thrown, the instance is given up and a new one made: there was no
//!   memory for the call, and what it left behind is not looked at.
//!
//! It never parses, drops or formats a node.
#![cfg_attr(target_family = "wasm", no_std)]
#![deny(unsafe_code)]

extern crate alloc;

mod results;
mod state;

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use axpress_core::{Handle, HandlePrefix, OutlineOptions, Snapshot};
use wasm_bindgen::prelude::*;

use crate::results::Answer;
use crate::state::State;

#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// The caller gets a trap and nothing else: what would format a message is not in the file.
#[cfg(target_family = "wasm")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

/// The limits from now on.
#[wasm_bindgen]
pub fn limits(input_bytes: u32, nodes: u32, output_bytes: u32) {
    state::with(|state| state.set_limits(input_bytes as usize, nodes as usize, output_bytes as usize));
}

/// The options of the next view or delta. Uids are pairs of a frame's number and a backend node id; `root` is one such
/// pair or none.
#[wasm_bindgen]
pub fn options(
    query: Option<String>,
    max_bytes: Option<u32>,
    viewport: &[f64],
    secrets: &[f64],
    clickable: &[f64],
    urls: bool,
    root: &[f64],
) {
    state::with(|state| {
        state.frames.clear();
        state.frames_before.clear();
        state.options = state::Options {
            query,
            max_bytes: max_bytes.map(|bytes| bytes as usize),
            viewport: state::uids(viewport),
            secrets: state::uids(secrets),
            clickable: state::uids(clickable),
            urls,
            root: state::uids(root).first().copied(),
        };
    });
}

/// A frame of the page that the next view is of, or of the page `before` it.
#[wasm_bindgen]
pub fn frame(owner_frame: f64, owner_node: f64, number: u32, payload: Vec<u8>, before: bool) {
    state::with(|state| {
        let frames = if before { &mut state.frames_before } else { &mut state.frames };
        if let Some(&owner) = state::uids(&[owner_frame, owner_node]).first() {
            frames.push(state::OwnedFrame { owner, number, payload });
        }
    });
}

/// The view of a page.
#[wasm_bindgen]
pub fn view(payload: &[u8]) -> Answer {
    state::with(|State { compressor, options, frames, .. }| {
        let frames = state::frames(frames);
        let page = Snapshot { payload, frames: &frames };
        results::answer(compressor.view(page, &options.view()), |view| results::view(&view))
    })
}

/// The view of a page, and the handle and the blob of its payload.
#[wasm_bindgen]
pub fn compress(payload: &[u8]) -> Answer {
    state::with(|State { compressor, options, frames, .. }| {
        let frames = state::frames(frames);
        let page = Snapshot { payload, frames: &frames };
        results::answer(compressor.compress(page, &options.view()), |compressed| results::compressed(&compressed))
    })
}

/// What changed from one page to the next.
#[wasm_bindgen]
pub fn delta(before: &[u8], after: &[u8]) -> Answer {
    state::with(|State { compressor, options, frames, frames_before }| {
        let (frames, frames_before) = (state::frames(frames), state::frames(frames_before));
        let before = Snapshot { payload: before, frames: &frames_before };
        let after = Snapshot { payload: after, frames: &frames };
        results::answer(compressor.delta(before, after, &options.view()), |delta| results::delta(&delta))
    })
}

/// Where the nodes are that match a query.
#[wasm_bindgen]
pub fn nodes(payload: &[u8], query: &str) -> Answer {
    state::with(|state| results::answer(state.compressor.nodes(payload, query), results::ranges))
}

/// The outline of a payload. `secrets` are backend node ids.
#[wasm_bindgen]
pub fn outline(payload: &[u8], max_chars: u32, dedup_text: bool, secrets: &[f64]) -> Answer {
    let secrets: Vec<u64> = secrets.iter().map(|&node| state::whole(node)).collect();
    let options = OutlineOptions { max_chars: max_chars as usize, dedup_text, secrets: &secrets };
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
