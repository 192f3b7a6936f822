//! The compressor of C: core's, with its limits, the results that it lends and its last failure.

use axpress_core::{Compressed, Compressor, ErrorKind, Frame, Handle, Limits, Statistics, View};

use crate::bytes::{Input, axp_bytes};
use crate::error::{LastError, axp_error};
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::limits::axp_limits;
use crate::outline_options::axp_outline_options;
use crate::results::{axp_compressed, axp_outline, axp_packed, axp_statistics, axp_uid, axp_view};
use crate::snapshot::axp_snapshot;
use crate::status::{AXP_POISONED, axp_status};
use crate::view_options::axp_view_options;

/// What makes outlines, views and blobs. It owns the memory that this takes and keeps it from call to call.
#[derive(Debug)]
pub struct axp_compressor {
    guarded: Guarded<State>,
}
object!(axp_compressor, State);

/// A compressor's state.
#[derive(Debug)]
pub(crate) struct State {
    compressor: Compressor,
    limits: Limits,
    /// A panic has left it half done.
    poisoned: bool,
    error: LastError,
    lent: Lent,
    /// Room for a snapshot's frames during a call.
    frames: Vec<Frame<'static>>,
}

/// The results that are lent, each where C finds it.
#[derive(Debug)]
struct Lent {
    /// What of core's memory C can see. Input may not be any of it.
    bytes: [axp_bytes; 2],
    uids: Vec<axp_uid>,
    view: axp_view,
    outline: axp_outline,
    statistics: axp_statistics,
    packed: axp_packed,
    compressed: axp_compressed,
}

impl State {
    fn new(limits: Limits) -> Self {
        Self {
            compressor: Compressor::with_limits(limits),
            limits,
            poisoned: false,
            error: LastError::default(),
            lent: Lent::new(),
            frames: Vec::new(),
        }
    }

    /// Most bytes of a payload: core's offsets are 32 bits wide.
    fn most_input_bytes(limits: &Limits) -> usize {
        limits.input_bytes.min(u32::MAX as usize)
    }
}

impl Lent {
    fn new() -> Self {
        let handle = Handle::from_sha256(&[0; 32]).into();
        let text = axp_bytes::EMPTY;
        let view = axp_view { text, uids: std::ptr::null(), uids_length: 0, frames_left_out: 0 };
        Self {
            bytes: [axp_bytes::EMPTY; 2],
            uids: Vec::new(),
            view,
            outline: axp_outline { text, nodes: 0, unreached: 0, too_deep: 0 },
            statistics: axp_statistics { nodes: 0, repeats: 0, roots: 0, ignored: 0, missing_children: 0 },
            packed: axp_packed { handle, blob: axp_bytes::EMPTY },
            compressed: axp_compressed {
                view: std::ptr::null(),
                statistics: std::ptr::null(),
                handle,
                blob: axp_bytes::EMPTY,
                original_bytes: 0,
                uncompressed: false,
            },
        }
    }

    fn view(&mut self, view: &View<'_>) -> *const axp_view {
        self.uids.clear();
        self.uids.extend(view.uids.iter().map(|&uid| axp_uid::from(uid)));
        self.view = axp_view {
            text: axp_bytes::lend(view.text.as_bytes()),
            uids: self.uids.as_ptr(),
            uids_length: self.uids.len(),
            frames_left_out: view.frames_left_out,
        };
        self.bytes = [self.view.text, axp_bytes::EMPTY];
        &raw const self.view
    }

    fn outline(&mut self, outline: axp_outline) -> *const axp_outline {
        self.outline = outline;
        self.bytes = [outline.text, axp_bytes::EMPTY];
        &raw const self.outline
    }

    fn statistics(&mut self, statistics: Statistics) -> *const axp_statistics {
        self.statistics = statistics.into();
        &raw const self.statistics
    }

    fn packed(&mut self, handle: Handle, blob: &[u8]) -> *const axp_packed {
        self.packed = axp_packed { handle: handle.into(), blob: axp_bytes::lend(blob) };
        self.bytes = [self.packed.blob, axp_bytes::EMPTY];
        &raw const self.packed
    }

    fn compressed(&mut self, compressed: &Compressed<'_>) -> *const axp_compressed {
        self.compressed = axp_compressed {
            view: self.view(&compressed.view),
            statistics: self.statistics(compressed.statistics),
            handle: compressed.handle.into(),
            blob: axp_bytes::lend(compressed.blob),
            original_bytes: compressed.original_bytes,
            uncompressed: compressed.uncompressed,
        };
        self.bytes = [self.view.text, self.compressed.blob];
        &raw const self.compressed
    }
}

/// Makes a compressor with the default limits: 1 GiB of input, 16 M nodes, 256 MiB of output.
///
/// NULL: `compressor` NULL is `AXP_NULL_ARGUMENT`. Threads: any. Lifetime: until `axp_compressor_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_new(compressor: *mut *mut axp_compressor) -> axp_status {
    guard::entry(|| unsafe { guard::create(compressor, State::new(Limits::DEFAULT)) })
}

/// Makes a compressor with these limits.
///
/// NULL: `limits` or `compressor` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while `limits` are being set.
/// Lifetime: `limits` are copied; the compressor lives until `axp_compressor_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_new_with_limits(
    limits: *const axp_limits,
    compressor: *mut *mut axp_compressor,
) -> axp_status {
    guard::entry(|| unsafe { guard::read(limits, |&limits| guard::create(compressor, State::new(limits))) })
}

/// Frees a compressor, a poisoned one too.
///
/// NULL: does nothing. Threads: any, while no other call uses it. Lifetime: `compressor`, and all that it lent, may not
/// be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_free(compressor: *mut axp_compressor) {
    unsafe { guard::free(compressor) }
}

/// Why the last call on this compressor failed: status, byte offset, texts. After `AXP_BUSY` it is that of the call
/// before; after a call that gave a result its status is `AXP_OK`.
///
/// NULL: `compressor` or `error` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses
/// `compressor`. Lifetime: `*error` is the compressor's own and valid until its next call or its end. Encoding: UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_error(
    compressor: *const axp_compressor,
    error: *mut *const axp_error,
) -> axp_status {
    guard::entry(|| unsafe {
        guard::read(compressor, |state| {
            *guard::output(error)? = state.error.public();
            Ok(())
        })
    })
}

/// Reads a payload, validates all of it and counts what it holds; makes no text. Fails as every other call on that
/// payload does: `AXP_INVALID_JSON`, `AXP_NOT_AX_PAYLOAD`, `AXP_INVALID_NODE_ID`, `AXP_PAYLOAD_TOO_LARGE`,
/// `AXP_TOO_MANY_NODES`.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`.
/// Lifetime: `payload` is read during the call alone; `*statistics` is valid until the compressor's next call. Encoding:
/// the bytes as Chrome sent them, JSON in UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_scan(
    compressor: *mut axp_compressor,
    payload: *const u8,
    payload_length: usize,
    statistics: *mut *const axp_statistics,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let payload = state.payload(payload, payload_length)?;
            let statistics = guard::output(statistics)?;
            let counted = state.compressor.scan(payload)?;
            *statistics = state.lent.statistics(counted);
            Ok(())
        })
    }
}

/// The outline of a payload: a line a node. Fails as `axp_compressor_scan` does, and with `AXP_OUTPUT_TOO_LARGE`.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor` or sets
/// `options`. Lifetime: `payload` and `options` are read during the call alone; `*outline` is valid until the
/// compressor's next call. Encoding: the payload's bytes as Chrome sent them, JSON in UTF-8; the text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_outline(
    compressor: *mut axp_compressor,
    payload: *const u8,
    payload_length: usize,
    options: *const axp_outline_options,
    outline: *mut *const axp_outline,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let payload = state.payload(payload, payload_length)?;
            let outline = guard::output(outline)?;
            guard::read(options, |options| {
                let made = state.compressor.outline(payload, options)?.into();
                *outline = state.lent.outline(made);
                Ok(())
            })
        })
    }
}

/// The view of a page without frames: what an agent should read, with its uids. Fails as `axp_compressor_scan` does,
/// and with `AXP_OUTPUT_TOO_LARGE`, `AXP_BUDGET_TOO_SMALL`, `AXP_UNKNOWN_ROOT`.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor` or sets
/// `options`. Lifetime: `payload` and `options` are read during the call alone; `*view` is valid until the compressor's
/// next call. Encoding: the payload's bytes as Chrome sent them, JSON in UTF-8; the text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_view(
    compressor: *mut axp_compressor,
    payload: *const u8,
    payload_length: usize,
    options: *const axp_view_options,
    view: *mut *const axp_view,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let payload = state.payload(payload, payload_length)?;
            let view = guard::output(view)?;
            guard::read(options, |settings| {
                let made = state.compressor.view(payload, &settings.options())?;
                *view = state.lent.view(&made);
                Ok(())
            })
        })
    }
}

/// The view of a page with its frames. Fails as `axp_compressor_view` does; an offset is one in the payload that is at
/// fault, of the page or of a frame.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`, or
/// changes `snapshot` or `options`. Lifetime: `snapshot`, its payloads and `options` are read during the call alone;
/// `*view` is valid until the compressor's next call. Encoding: the payloads' bytes as Chrome sent them, JSON in UTF-8;
/// the text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_view_snapshot(
    compressor: *mut axp_compressor,
    snapshot: *const axp_snapshot,
    options: *const axp_view_options,
    view: *mut *const axp_view,
) -> axp_status {
    unsafe {
        call(compressor, |State { compressor, limits, lent, frames, .. }| {
            let view = guard::output(view)?;
            let most = State::most_input_bytes(limits);
            guard::read(snapshot, |parts| {
                guard::read(options, |settings| {
                    let now_lent = lent.bytes;
                    parts.with_snapshot(most, &now_lent, frames, |page| {
                        let made = compressor.view(page, &settings.options())?;
                        *view = lent.view(&made);
                        Ok(())
                    })
                })
            })
        })
    }
}

/// View, handle, blob, uids and counts of a page without frames, from one call. Fails as `axp_compressor_view` does.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor` or sets
/// `options`. Lifetime: `payload` and `options` are read during the call alone; `*compressed`, with all that it points
/// to, is valid until the compressor's next call. Encoding: the payload's bytes as Chrome sent them, JSON in UTF-8; the
/// text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_compress(
    compressor: *mut axp_compressor,
    payload: *const u8,
    payload_length: usize,
    options: *const axp_view_options,
    compressed: *mut *const axp_compressed,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let payload = state.payload(payload, payload_length)?;
            let compressed = guard::output(compressed)?;
            guard::read(options, |settings| {
                let made = state.compressor.compress(payload, &settings.options())?;
                *compressed = state.lent.compressed(&made);
                Ok(())
            })
        })
    }
}

/// The same of a page with its frames. Handle, blob and counts are those of the page's own payload, without frames.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`, or
/// changes `snapshot` or `options`. Lifetime: `snapshot`, its payloads and `options` are read during the call alone;
/// `*compressed`, with all that it points to, is valid until the compressor's next call. Encoding: the payloads' bytes as
/// Chrome sent them, JSON in UTF-8; the text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_compress_snapshot(
    compressor: *mut axp_compressor,
    snapshot: *const axp_snapshot,
    options: *const axp_view_options,
    compressed: *mut *const axp_compressed,
) -> axp_status {
    unsafe {
        call(compressor, |State { compressor, limits, lent, frames, .. }| {
            let compressed = guard::output(compressed)?;
            let most = State::most_input_bytes(limits);
            guard::read(snapshot, |parts| {
                guard::read(options, |settings| {
                    let now_lent = lent.bytes;
                    parts.with_snapshot(most, &now_lent, frames, |page| {
                        let made = compressor.compress(page, &settings.options())?;
                        *compressed = lent.compressed(&made);
                        Ok(())
                    })
                })
            })
        })
    }
}

/// The blob of any bytes, JSON or not, and their handle. Fails with `AXP_PAYLOAD_TOO_LARGE` alone.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`.
/// Lifetime: `original` is read during the call alone; `*packed` is valid until the compressor's next call. Encoding: any
/// bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_pack(
    compressor: *mut axp_compressor,
    original: *const u8,
    original_length: usize,
    packed: *mut *const axp_packed,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let original = state.payload(original, original_length)?;
            let packed = guard::output(packed)?;
            let (handle, blob) = state.compressor.pack(original)?;
            *packed = state.lent.packed(handle, blob);
            Ok(())
        })
    }
}

/// The original of a blob, its hash checked. Fails with `AXP_CORRUPT_BLOB`, `AXP_UNSUPPORTED_BLOB`,
/// `AXP_BLOB_TOO_LARGE`.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`.
/// Lifetime: `blob` is read during the call alone; `original` is the caller's own memory, and what it points to is valid
/// until the compressor's next call. Encoding: any bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_unpack(
    compressor: *mut axp_compressor,
    blob: *const u8,
    blob_length: usize,
    original: *mut axp_bytes,
) -> axp_status {
    /// A blob is larger than its original by this at most.
    const HEADER: usize = 48;
    unsafe {
        call(compressor, |state| {
            let most = State::most_input_bytes(&state.limits).saturating_add(HEADER);
            let blob = Input::new(blob, blob_length)?.at_most(most, ErrorKind::BlobTooLarge)?;
            let blob = blob.not_lent(&state.lent.bytes)?.bytes();
            let original = guard::output(original)?;
            *original = axp_bytes::lend(state.compressor.unpack(blob)?);
            state.lent.bytes = [*original, axp_bytes::EMPTY];
            Ok(())
        })
    }
}

/// Panics inside a call, as a fault in the library would.
#[cfg(feature = "forced-panic")]
#[allow(clippy::missing_panics_doc, reason = "it does nothing else, and the caller never sees it")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_force_panic(compressor: *mut axp_compressor) -> axp_status {
    unsafe { call(compressor, |_| panic!("this panic was asked for")) }
}

impl State {
    /// A payload that came as a pointer and a length.
    ///
    /// # Safety
    /// It must be readable for all of `'a`.
    unsafe fn payload<'a>(&self, payload: *const u8, length: usize) -> Result<&'a [u8], Failure> {
        let most = Self::most_input_bytes(&self.limits);
        let payload = Input::new(payload, length)?.at_most(most, ErrorKind::PayloadTooLarge)?;
        // SAFETY: the same promise.
        Ok(unsafe { payload.not_lent(&self.lent.bytes)?.bytes() })
    }
}

/// Makes a call on a compressor; keeps why it failed, and poisons it where it panicked.
///
/// # Safety
/// The pointer is NULL or that of a live compressor.
unsafe fn call(compressor: *const axp_compressor, work: impl FnOnce(&mut State) -> Result<(), Failure>) -> axp_status {
    let attempt = |state: &mut State| {
        if state.poisoned {
            let failure = Failure::of_status(AXP_POISONED);
            state.error.set(failure);
            return Err(failure);
        }
        state.error.clear();
        match guard::catch(|| work(state)) {
            Ok(result) => result,
            Err(panic) => {
                state.poisoned = true;
                let failure = Failure::of_status(crate::status::AXP_PANIC);
                state.error.set_panic(&*panic);
                guard::forget(panic);
                return Err(failure);
            }
        }
        .inspect_err(|&failure| state.error.set(failure))
    };
    guard::entry(|| unsafe { guard::change(compressor, attempt) })
}
