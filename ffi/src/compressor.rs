//! The compressor of C: core's, with its limits, the results that it lends and its last failure.

use axpress_core::{Compressor, ErrorKind, Frame, Limits};

use crate::bytes::{Input, axp_bytes};
use crate::error::{LastError, axp_error};
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::lent::Lent;
use crate::limits::axp_limits;
use crate::outline_options::axp_outline_options;
use crate::results::{axp_compressed, axp_delta, axp_nodes, axp_outline, axp_packed, axp_statistics, axp_view};
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
    /// The same for the second snapshot of a call.
    more_frames: Vec<Frame<'static>>,
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
            more_frames: Vec::new(),
        }
    }

    /// Most bytes of a payload: core's offsets are 32 bits wide.
    fn most_input_bytes(limits: &Limits) -> usize {
        limits.input_bytes.min(u32::MAX as usize)
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
            guard::read(options, |settings| {
                let made = state.compressor.outline(payload, &settings.options())?.into();
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

/// What changed from one page without frames to the next, two payloads of one document. Both are read with `options`; the
/// delta is of all of the page or of the root that they name, whatever their query is. Fails as `axp_compressor_view`
/// does; an offset is one in the payload that is at fault.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor` or sets
/// `options`. Lifetime: `before`, `after` and `options` are read during the call alone; `*delta`, with all that it points
/// to, is valid until the compressor's next call. Encoding: the payloads' bytes as Chrome sent them, JSON in UTF-8; the
/// text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_delta(
    compressor: *mut axp_compressor,
    before: *const u8,
    before_length: usize,
    after: *const u8,
    after_length: usize,
    options: *const axp_view_options,
    delta: *mut *const axp_delta,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let before = state.payload(before, before_length)?;
            let after = state.payload(after, after_length)?;
            let delta = guard::output(delta)?;
            guard::read(options, |settings| {
                let made = state.compressor.delta(before, after, &settings.options())?;
                *delta = state.lent.delta(&made);
                Ok(())
            })
        })
    }
}

/// What changed from one page to the next, each with its frames; `before` and `after` may be one and the same. Fails as
/// `axp_compressor_delta` does.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`, or
/// changes `before`, `after` or `options`. Lifetime: the pages, their payloads and `options` are read during the call
/// alone; `*delta`, with all that it points to, is valid until the compressor's next call. Encoding: the payloads' bytes
/// as Chrome sent them, JSON in UTF-8; the text is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_delta_snapshots(
    compressor: *mut axp_compressor,
    before: *const axp_snapshot,
    after: *const axp_snapshot,
    options: *const axp_view_options,
    delta: *mut *const axp_delta,
) -> axp_status {
    unsafe {
        call(compressor, |State { compressor, limits, lent, frames, more_frames, .. }| {
            let delta = guard::output(delta)?;
            let most = State::most_input_bytes(limits);
            let now_lent = lent.bytes;
            guard::read(before, |before| {
                guard::read(after, |after| {
                    guard::read(options, |settings| {
                        before.with_snapshot(most, &now_lent, frames, |before| {
                            after.with_snapshot(most, &now_lent, more_frames, |after| {
                                let made = compressor.delta(before, after, &settings.options())?;
                                *delta = lent.delta(&made);
                                Ok(())
                            })
                        })
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

/// The same of a page with its frames. Handle and blob are those of the page's own payload, without frames.
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

/// Where in a payload the nodes are that match a query, the best first; those that are as good are in the order of the
/// payload. What matches much worse than the best is not among them, nor is a text that only says what its control or
/// heading does. Fails as `axp_compressor_scan` does, and with `AXP_INVALID_UTF8` for the query.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `compressor`.
/// Lifetime: `payload` and `query` are read during the call alone; `*nodes`, with all that it points to, is valid until
/// the compressor's next call. Encoding: the payload's bytes as Chrome sent them, JSON in UTF-8; the query is UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_compressor_nodes(
    compressor: *mut axp_compressor,
    payload: *const u8,
    payload_length: usize,
    query: *const u8,
    query_length: usize,
    nodes: *mut *const axp_nodes,
) -> axp_status {
    unsafe {
        call(compressor, |state| {
            let payload = state.payload(payload, payload_length)?;
            let query = Input::new(query, query_length)?.not_lent(&state.lent.bytes)?.text()?;
            let nodes = guard::output(nodes)?;
            *nodes = state.lent.nodes(state.compressor.nodes(payload, query)?);
            Ok(())
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
