//! The owned byte type: a copy that outlives what lent it.

use crate::bytes::{Input, axp_bytes};
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::status::{AXP_OUT_OF_MEMORY, axp_status};

/// A copy of bytes, to keep a result past the next call.
#[derive(Debug)]
pub struct axp_owned_bytes {
    guarded: Guarded<Vec<u8>>,
}
object!(axp_owned_bytes, Vec<u8>);

/// Copies bytes, of a result or any others.
///
/// NULL: `data` or `bytes` NULL is `AXP_NULL_ARGUMENT`; other failures are `AXP_INVALID_LENGTH`, `AXP_OUT_OF_MEMORY`.
/// Threads: any. Lifetime: `data` is read during the call alone; the copy lives until `axp_owned_bytes_free`.
/// Encoding: bytes are copied as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_owned_bytes_new(
    data: *const u8,
    length: usize,
    bytes: *mut *mut axp_owned_bytes,
) -> axp_status {
    guard::entry(|| unsafe {
        let data = Input::new(data, length)?;
        guard::output(bytes)?;
        let mut copy = Vec::new();
        copy.try_reserve_exact(length).map_err(|_| Failure::of_status(AXP_OUT_OF_MEMORY))?;
        copy.extend_from_slice(data.bytes());
        guard::create(bytes, copy)
    })
}

/// The bytes of a copy.
///
/// NULL: `bytes` or `borrowed` NULL is `AXP_NULL_ARGUMENT`. Threads: any, many at once. Lifetime: `borrowed` is valid
/// until `bytes` is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_owned_bytes_get(bytes: *const axp_owned_bytes, borrowed: *mut axp_bytes) -> axp_status {
    guard::entry(|| unsafe {
        guard::read(bytes, |bytes| {
            *guard::output(borrowed)? = axp_bytes::lend(bytes);
            Ok(())
        })
    })
}

/// Frees a copy.
///
/// NULL: does nothing. Threads: any, while no other call uses it. Lifetime: `bytes`, and what was borrowed from it, may
/// not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_owned_bytes_free(bytes: *mut axp_owned_bytes) {
    unsafe { guard::free(bytes) }
}
