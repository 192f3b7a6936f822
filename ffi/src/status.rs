//! The statuses: core's kinds of failure with their numbers, and those that only a C host can meet, from 1001 on.

use axpress_core::ErrorKind;

use crate::bytes::axp_bytes;
use crate::guard;

/// What a call came to: `AXP_OK`, or why it gave no result. Numbers are never reused; treat an unknown one as a failure.
pub type axp_status = i32;

/// Done; the outputs are written.
pub const AXP_OK: axp_status = 0;
/// `invalid-json`: the payload is not JSON in UTF-8.
pub const AXP_INVALID_JSON: axp_status = 1;
/// `not-ax-payload`: this is JSON, but no accessibility payload.
pub const AXP_NOT_AX_PAYLOAD: axp_status = 2;
/// `invalid-node-id`: a node has no `nodeId` that is a string with something in it.
pub const AXP_INVALID_NODE_ID: axp_status = 3;
/// `payload-too-large`: the payload is larger than the limit on input bytes.
pub const AXP_PAYLOAD_TOO_LARGE: axp_status = 4;
/// `too-many-nodes`: the payload has more nodes than the limit.
pub const AXP_TOO_MANY_NODES: axp_status = 5;
/// `output-too-large`: the result is larger than the limit on output bytes.
pub const AXP_OUTPUT_TOO_LARGE: axp_status = 6;
/// `corrupt-blob`: this is no blob of ours, or it was cut or changed.
pub const AXP_CORRUPT_BLOB: axp_status = 7;
/// `unsupported-blob`: the blob was made by a later version.
pub const AXP_UNSUPPORTED_BLOB: axp_status = 8;
/// `blob-too-large`: the blob's original is larger than the limit on input bytes.
pub const AXP_BLOB_TOO_LARGE: axp_status = 9;
/// `invalid-handle`: the text is no handle and no prefix of one.
pub const AXP_INVALID_HANDLE: axp_status = 10;
/// `budget-too-small`: a budget is 200 bytes or more.
pub const AXP_BUDGET_TOO_SMALL: axp_status = 11;
/// `unknown-root`: the page has no node of the id that was given as root.
pub const AXP_UNKNOWN_ROOT: axp_status = 12;
/// `null-argument`: a pointer is NULL.
pub const AXP_NULL_ARGUMENT: axp_status = 1001;
/// `panic`: a fault in the library, caught; the compressor is poisoned.
pub const AXP_PANIC: axp_status = 1002;
/// `poisoned`: an earlier call on this object met a fault; free it and make another.
pub const AXP_POISONED: axp_status = 1003;
/// `busy`: another call is using this object.
pub const AXP_BUSY: axp_status = 1004;
/// `invalid-length`: a length is larger than any object in memory can be.
pub const AXP_INVALID_LENGTH: axp_status = 1005;
/// `invalid-utf8`: the text is not UTF-8.
pub const AXP_INVALID_UTF8: axp_status = 1006;
/// `input-is-result`: the input is what this compressor lent last, and would be overwritten; copy it first.
pub const AXP_INPUT_IS_RESULT: axp_status = 1007;
/// `out-of-memory`: there is no memory for the copy.
pub const AXP_OUT_OF_MEMORY: axp_status = 1008;

/// The texts of a status.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texts {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
    pub(crate) next_step: &'static str,
}

/// The texts of any number.
pub(crate) fn texts(status: axp_status) -> Texts {
    if let Some(kind) = ErrorKind::ALL.iter().find(|kind| kind.number() == status) {
        return Texts { code: kind.code(), message: kind.message(), next_step: kind.next_step() };
    }
    let (code, message, next_step) = match status {
        AXP_OK => ("ok", "the call did what was asked", "go on"),
        AXP_NULL_ARGUMENT => ("null-argument", "a pointer is NULL", "pass a pointer for every argument"),
        AXP_PANIC => ("panic", "the library met a fault of its own", "free this object, and report the fault"),
        AXP_POISONED => ("poisoned", "an earlier call on this object met a fault", "free it and make another"),
        AXP_BUSY => ("busy", "another call is using this object", "give each thread an object of its own"),
        AXP_INVALID_LENGTH => {
            ("invalid-length", "a length is larger than any object in memory", "pass the length in bytes")
        }
        AXP_INVALID_UTF8 => ("invalid-utf8", "the text is not UTF-8", "pass text in UTF-8"),
        AXP_INPUT_IS_RESULT => {
            ("input-is-result", "the input is what this compressor lent last", "copy it, or use another compressor")
        }
        AXP_OUT_OF_MEMORY => ("out-of-memory", "there is no memory for the copy", "free something, or copy less"),
        _ => ("unknown-status", "this version knows no such status", "ask the library that gave it"),
    };
    Texts { code, message, next_step }
}

/// The code of a status in kebab case, as `invalid-json`; `unknown-status` for a number that this version does not know.
///
/// NULL: takes no pointer. Threads: any. Lifetime: the text is the library's and lives as long as it is loaded.
/// Encoding: ASCII.
#[unsafe(no_mangle)]
pub extern "C" fn axp_status_code(status: axp_status) -> axp_bytes {
    guard::plain(axp_bytes::EMPTY, || axp_bytes::lend(texts(status).code.as_bytes()))
}

/// What a status means, as a sentence without its full stop.
///
/// NULL: takes no pointer. Threads: any. Lifetime: the text is the library's and lives as long as it is loaded.
/// Encoding: UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn axp_status_message(status: axp_status) -> axp_bytes {
    guard::plain(axp_bytes::EMPTY, || axp_bytes::lend(texts(status).message.as_bytes()))
}

/// What to do about a status, as a sentence without its full stop.
///
/// NULL: takes no pointer. Threads: any. Lifetime: the text is the library's and lives as long as it is loaded.
/// Encoding: UTF-8.
#[unsafe(no_mangle)]
pub extern "C" fn axp_status_next_step(status: axp_status) -> axp_bytes {
    guard::plain(axp_bytes::EMPTY, || axp_bytes::lend(texts(status).next_step.as_bytes()))
}
