//! Handles: how an original is named, and the one parser of what people and agents pass for one.

use axpress_core::{Error, ErrorKind, Handle, HandlePrefix};

use crate::bytes::Input;
use crate::guard;
use crate::status::axp_status;

/// Bytes of a handle's text.
pub const AXP_HANDLE_LENGTH: usize = 36;

/// The handle of an original: `ccr_` and the first 16 bytes of its SHA-256 in lower-case hex. Handles are equal where
/// their texts are, and are in the order of their texts.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct axp_handle {
    /// The text, in ASCII, not NUL-terminated.
    pub text: [u8; AXP_HANDLE_LENGTH],
}

impl From<Handle> for axp_handle {
    fn from(handle: Handle) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut text = *b"ccr_00000000000000000000000000000000";
        let (_, digits) = text.split_at_mut(4);
        for (pair, byte) in digits.chunks_exact_mut(2).zip(handle.as_bytes()) {
            pair.copy_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]]);
        }
        Self { text }
    }
}

/// The handle of any bytes, as they came.
///
/// NULL: `original` or `handle` NULL is `AXP_NULL_ARGUMENT`; a length that no memory has is `AXP_INVALID_LENGTH`. There
/// is no other limit. Threads: any, many at once. Lifetime: `original` is read during the call alone; `handle` is the
/// caller's own memory. Encoding: any bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_handle_of(
    original: *const u8,
    original_length: usize,
    handle: *mut axp_handle,
) -> axp_status {
    guard::entry(|| unsafe {
        let original = Input::new(original, original_length)?;
        let handle = guard::output(handle)?;
        *handle = Handle::of(original.bytes()).into();
        Ok(())
    })
}

/// Reads a handle, or the first 8 or more digits of one, in either case, with or without `ccr_`: gives the first and
/// the last of all handles that begin so, which are one and the same where all 32 digits were given. A store looks for
/// what lies between; two of them there is an ambiguous handle.
///
/// Anything else is `AXP_INVALID_HANDLE`, and then, alone of all outputs, `error_offset` is written: the first byte
/// that does not belong.
///
/// NULL: any pointer NULL is `AXP_NULL_ARGUMENT`; a length that no memory has is `AXP_INVALID_LENGTH`. Threads: any,
/// many at once. Lifetime: `text` is read during the call alone; the outputs are the caller's own memory. Encoding:
/// ASCII; other bytes are refused as any that does not belong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_handle_parse(
    text: *const u8,
    text_length: usize,
    first: *mut axp_handle,
    last: *mut axp_handle,
    error_offset: *mut usize,
) -> axp_status {
    guard::entry(|| unsafe {
        let text = Input::new(text, text_length)?;
        let (first, last) = (guard::output(first)?, guard::output(last)?);
        let error_offset = guard::output(error_offset)?;
        let prefix = parse(text.bytes()).inspect_err(|error| *error_offset = error.offset)?;
        let (lowest, highest) = prefix.bounds();
        (*first, *last) = (lowest.into(), highest.into());
        Ok(())
    })
}

/// Core's parser takes text; what is no text is refused at its first bad byte, or before it.
fn parse(text: &[u8]) -> Result<HandlePrefix, Error> {
    match std::str::from_utf8(text) {
        Ok(text) => text.parse(),
        Err(error) => {
            let offset = error.valid_up_to();
            let earlier = std::str::from_utf8(&text[..offset]).unwrap_or_default().parse::<HandlePrefix>().err();
            let earlier = earlier.filter(|earlier| earlier.offset < offset);
            Err(earlier.unwrap_or(Error { kind: ErrorKind::InvalidHandle, offset }))
        }
    }
}
