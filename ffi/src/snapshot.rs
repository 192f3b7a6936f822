//! A page with its frames, as an object that borrows their payloads.

use axpress_core::{ErrorKind, Frame, Snapshot, Uid};

use crate::bytes::{Input, axp_bytes};
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::results::axp_uid;
use crate::status::axp_status;

/// A page: the payload of its document, and those of the frames in it. It borrows the payloads' bytes.
#[derive(Debug)]
pub struct axp_snapshot {
    guarded: Guarded<Parts>,
}
object!(axp_snapshot, Parts);

/// The payloads as they came. They are looked at only by a call that knows a compressor's limits.
#[derive(Debug)]
pub(crate) struct Parts {
    payload: Input,
    frames: Vec<Part>,
}

/// A frame's payload and place.
#[derive(Debug)]
struct Part {
    owner: Uid,
    number: u32,
    payload: Input,
}

impl Parts {
    /// Core's snapshot of these payloads; `frames` is room for its frames, and holds nothing before or after.
    ///
    /// # Safety
    /// The payloads must be readable during `work`.
    pub(crate) unsafe fn with_snapshot<R>(
        &self,
        most: usize,
        lent: &[axp_bytes],
        frames: &mut Vec<Frame<'static>>,
        work: impl FnOnce(Snapshot<'_>) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let read = |payload: Input| {
            let payload = payload.at_most(most, ErrorKind::PayloadTooLarge)?.not_lent(lent)?;
            // SAFETY: the caller's promise. The lifetime is too long for the type's sake alone: what has it is gone
            // before this returns, whichever way it does.
            Ok::<&'static [u8], Failure>(unsafe { payload.bytes() })
        };
        let frames = Emptied(frames);
        for part in &self.frames {
            frames.0.push(Frame { owner: part.owner, number: part.number, payload: read(part.payload)? });
        }
        work(Snapshot { payload: read(self.payload)?, frames: frames.0 })
    }
}

/// Room that is empty again when a call ends, also by an error or a panic.
struct Emptied<'a>(&'a mut Vec<Frame<'static>>);

impl Drop for Emptied<'_> {
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// Makes a page of a payload, to which frames may be added.
///
/// NULL: `payload` or `snapshot` NULL is `AXP_NULL_ARGUMENT`; a length that no memory has is `AXP_INVALID_LENGTH`.
/// Threads: any. Lifetime: `payload` is borrowed, and must stay as it is until the snapshot is freed; the snapshot lives
/// until `axp_snapshot_free`. Encoding: the bytes as Chrome sent them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_snapshot_new(
    payload: *const u8,
    payload_length: usize,
    snapshot: *mut *mut axp_snapshot,
) -> axp_status {
    guard::entry(|| unsafe {
        let payload = Input::new(payload, payload_length)?;
        guard::create(snapshot, Parts { payload, frames: Vec::new() })
    })
}

/// Frees a page. The payloads are the caller's and stay.
///
/// NULL: does nothing. Threads: any, while no other call uses it. Lifetime: `snapshot` may not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_snapshot_free(snapshot: *mut axp_snapshot) {
    unsafe { guard::free(snapshot) }
}

/// Adds the document of a frame, in any order, to any depth. `owner` is the element that holds the frame: its backend
/// node id, and the number of the document that it stands in. `number` is 0 where the page's own process has the frame's
/// document; else the number of that document, which no other one of the session ever had: its uids are `number.id`.
///
/// NULL: `snapshot` or `payload` NULL is `AXP_NULL_ARGUMENT`; a length that no memory has is `AXP_INVALID_LENGTH`.
/// Threads: any; `AXP_BUSY` while another call uses `snapshot`. Lifetime: `payload` is borrowed, and must stay as it is
/// until the snapshot is freed. Encoding: the bytes as Chrome sent them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_snapshot_add_frame(
    snapshot: *mut axp_snapshot,
    owner: axp_uid,
    number: u32,
    payload: *const u8,
    payload_length: usize,
) -> axp_status {
    guard::entry(|| unsafe {
        guard::change(snapshot, |parts| {
            let payload = Input::new(payload, payload_length)?;
            parts.frames.push(Part { owner: owner.into(), number, payload });
            Ok(())
        })
    })
}
