//! The borrowed byte type, and input that comes as a pointer and a length.

use axpress_core::{Error, ErrorKind};

use crate::failure::Failure;
use crate::status::{AXP_INPUT_IS_RESULT, AXP_INVALID_LENGTH, AXP_INVALID_UTF8, AXP_NULL_ARGUMENT};

/// Bytes that belong to another: a pointer and a length, not NUL-terminated.
///
/// Lifetime: that of what lent them; the function says it. Nothing frees them. `data` is never NULL in what the library
/// gives, but points to nothing where `length` is 0. Encoding: UTF-8 where they are text.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_bytes {
    /// The first byte.
    pub data: *const u8,
    /// How many bytes there are.
    pub length: usize,
}

impl axp_bytes {
    /// These bytes, for as long as whoever lends them keeps them.
    pub(crate) const fn lend(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), length: bytes.len() }
    }

    /// No bytes.
    pub(crate) const EMPTY: Self = Self::lend(b"");
}

/// A pointer and a length as they came. Nothing is read yet, so the length may be anything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    data: *const u8,
    length: usize,
}

impl Input {
    /// Refuses NULL and lengths that no memory has.
    pub(crate) fn new(data: *const u8, length: usize) -> Result<Self, Failure> {
        if data.is_null() {
            return Err(Failure::of_status(AXP_NULL_ARGUMENT));
        }
        check_length(length)?;
        Ok(Self { data, length })
    }

    /// Refuses more than `most` bytes before any of them is touched: a wrong length is then an error, and no read past
    /// the end of what is really there.
    pub(crate) fn at_most(self, most: usize, kind: ErrorKind) -> Result<Self, Failure> {
        if self.length > most { Err(Error { kind, offset: most }.into()) } else { Ok(self) }
    }

    /// Refuses bytes of what the compressor lent last: making the next result would change them under the reader.
    pub(crate) fn not_lent(self, lent: &[axp_bytes]) -> Result<Self, Failure> {
        let start = self.data as usize;
        let overlaps = |lent: &axp_bytes| {
            let lent_start = lent.data as usize;
            start < lent_start.saturating_add(lent.length) && lent_start < start.saturating_add(self.length)
        };
        if lent.iter().any(overlaps) { Err(Failure::of_status(AXP_INPUT_IS_RESULT)) } else { Ok(self) }
    }

    /// The bytes.
    ///
    /// # Safety
    /// They must be readable and stay unchanged for all of `'a`.
    pub(crate) unsafe fn bytes<'a>(self) -> &'a [u8] {
        // SAFETY: not NULL and not longer than isize::MAX, both checked by `new`; the rest is the caller's promise.
        unsafe { std::slice::from_raw_parts(self.data, self.length) }
    }

    /// The bytes as text.
    ///
    /// # Safety
    /// They must be readable and stay unchanged for all of `'a`.
    pub(crate) unsafe fn text<'a>(self) -> Result<&'a str, Failure> {
        // SAFETY: the same promise.
        let bytes = unsafe { self.bytes() };
        std::str::from_utf8(bytes).map_err(|error| Failure::at(AXP_INVALID_UTF8, error.valid_up_to()))
    }
}

/// Refuses a length over `isize::MAX`: no object in memory is that long, and Rust may not make a slice of it.
pub(crate) fn check_length(length: usize) -> Result<(), Failure> {
    if isize::try_from(length).is_ok() { Ok(()) } else { Err(Failure::of_status(AXP_INVALID_LENGTH)) }
}
