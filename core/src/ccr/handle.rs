//! Handles, and their prefixes: how an original is named.
//!
//! A handle is `ccr_` and the first 16 bytes of the original's SHA-256 in lower-case hex, so that a person can check
//! it with `sha256sum`. Wherever one is read it may come without `ccr_`, and the first 8 or more of its digits will
//! do, as with commit ids. There is one parser, [`HandlePrefix::from_str`]; a whole handle is a prefix of 32 digits.
//! Which handles a prefix means, and whether that is one or two, is for whoever has a store of them.

use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};

use crate::error::{Error, ErrorKind};

/// What stands before the digits.
const MARK: &str = "ccr_";
/// Bytes of a handle.
const BYTES: usize = 16;
/// Digits of a handle.
const DIGITS: usize = 2 * BYTES;
/// Fewest digits of a prefix.
const FEWEST_DIGITS: usize = 8;

/// SHA-256 of `bytes`.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The handle of an original: `ccr_` and the first 16 bytes of its SHA-256 in lower-case hex.
///
/// Handles are in the order of their digits.
///
/// ```
/// use axpress_core::Handle;
///
/// let handle = Handle::of(b"hello\n"); // printf 'hello\n' | sha256sum
/// assert_eq!(handle.to_string(), "ccr_5891b5b522d5df086d0ff0b110fbd9d2");
/// assert_eq!("5891b5b522d5df086d0ff0b110fbd9d2".parse(), Ok(handle));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    bytes: [u8; BYTES],
}

impl Handle {
    /// The handle of these bytes, as they came: hash them before anything parses or changes them.
    #[must_use]
    pub fn of(original: &[u8]) -> Self {
        Self::from_sha256(&sha256(original))
    }

    /// The handle of the original that has this SHA-256.
    #[must_use]
    pub fn from_sha256(digest: &[u8; 32]) -> Self {
        let mut bytes = [0; BYTES];
        bytes.iter_mut().zip(digest).for_each(|(to, from)| *to = *from);
        Self { bytes }
    }

    /// The handle's bytes: the first 16 of the SHA-256.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.bytes
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digits(out, self, DIGITS)
    }
}

/// Reads a whole handle, with or without `ccr_`. Fails with `invalid-handle`.
impl FromStr for Handle {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let prefix: HandlePrefix = text.parse()?;
        prefix.handle().ok_or(Error::new(ErrorKind::InvalidHandle, text.len()))
    }
}

/// The first digits of a handle, 8 at least and possibly all: what a person or an agent passes for one.
///
/// ```
/// use axpress_core::{Handle, HandlePrefix};
///
/// let prefix: HandlePrefix = "5891b5b5".parse()?;
/// assert!(prefix.matches(&Handle::of(b"hello\n")));
/// assert_eq!(prefix.to_string(), "ccr_5891b5b5");
/// # Ok::<(), axpress_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HandlePrefix {
    /// The digits that were not given are 0 here,
    first: Handle,
    /// and `f` here.
    last: Handle,
    digits: u8,
}

impl HandlePrefix {
    /// Whether the handle begins with these digits.
    #[must_use]
    pub fn matches(&self, handle: &Handle) -> bool {
        (self.first..=self.last).contains(handle)
    }

    /// The handle, where all of its digits were given.
    #[must_use]
    pub fn handle(&self) -> Option<Handle> {
        (self.first == self.last).then_some(self.first)
    }

    /// The first and the last of all handles that begin with these digits: what to ask an ordered store for.
    #[must_use]
    pub const fn bounds(&self) -> (Handle, Handle) {
        (self.first, self.last)
    }
}

impl From<Handle> for HandlePrefix {
    fn from(handle: Handle) -> Self {
        Self { first: handle, last: handle, digits: DIGITS as u8 }
    }
}

impl fmt::Display for HandlePrefix {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_digits(out, &self.first, usize::from(self.digits))
    }
}

/// Reads 8 to 32 hex digits of either case, with or without `ccr_`. Fails with `invalid-handle`, at the first byte
/// that does not belong.
impl FromStr for HandlePrefix {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits = text.strip_prefix(MARK).unwrap_or(text);
        let digits_at = text.len() - digits.len();
        let invalid = |position: usize| Error::new(ErrorKind::InvalidHandle, digits_at + position);
        let (mut first, mut last) = ([0; BYTES], [0xff; BYTES]);
        for (position, character) in digits.char_indices() {
            let digit = character.to_digit(16).ok_or(invalid(position))? as u8;
            let (Some(low), Some(high)) = (first.get_mut(position / 2), last.get_mut(position / 2)) else {
                return Err(invalid(position));
            };
            let shift = if position % 2 == 0 { 4 } else { 0 };
            *low |= digit << shift;
            *high &= !((0xf ^ digit) << shift);
        }
        if digits.len() < FEWEST_DIGITS {
            return Err(invalid(digits.len()));
        }
        Ok(Self { first: Handle { bytes: first }, last: Handle { bytes: last }, digits: digits.len() as u8 })
    }
}

/// `ccr_` and the first `count` digits.
fn write_digits(out: &mut fmt::Formatter<'_>, handle: &Handle, count: usize) -> fmt::Result {
    let mut digits = [0; DIGITS];
    for (two, byte) in digits.as_chunks_mut().0.iter_mut().zip(handle.bytes) {
        *two = [byte >> 4, byte & 0xf].map(|digit| digit + if digit < 10 { b'0' } else { b'a' - 10 });
    }
    out.write_str(MARK)?;
    out.write_str(digits.get(..count).and_then(|digits| core::str::from_utf8(digits).ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use core::str::FromStr;

    use super::{Handle, HandlePrefix};
    use crate::error::ErrorKind;

    /// `printf 'hello\n' | sha256sum`
    const HELLO: &str = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

    fn offset_of_error(text: &str) -> usize {
        let error = HandlePrefix::from_str(text).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidHandle, "{text}");
        assert_eq!(Handle::from_str(text).unwrap_err(), error, "both go through one parser: {text}");
        error.offset
    }

    #[test]
    fn a_handle_is_the_start_of_what_sha256sum_prints() {
        let handle = Handle::of(b"hello\n");
        assert_eq!(handle.to_string(), "ccr_".to_string() + &HELLO[..32]);
        // `sha256sum /dev/null`
        assert_eq!(Handle::of(b"").to_string(), "ccr_e3b0c44298fc1c149afbf4c8996fb924");
    }

    #[test]
    fn a_handle_is_read_with_and_without_its_mark() {
        let handle = Handle::of(b"hello\n");
        for text in [&handle.to_string(), &HELLO[..32], &HELLO[..32].to_uppercase()] {
            assert_eq!(Handle::from_str(text), Ok(handle));
            assert_eq!(HandlePrefix::from_str(text), Ok(handle.into()));
        }
    }

    #[test]
    fn eight_or_more_digits_match_the_handles_that_begin_with_them() {
        let handle = Handle::of(b"hello\n");
        for length in 8..=32 {
            let prefix = HandlePrefix::from_str(&HELLO[..length]).unwrap();
            assert!(prefix.matches(&handle));
            assert!(!prefix.matches(&Handle::of(b"hello")));
            assert_eq!(prefix.to_string(), "ccr_".to_string() + &HELLO[..length]);
            assert_eq!(HandlePrefix::from_str(&prefix.to_string()), Ok(prefix));
            assert_eq!(prefix.handle(), (length == 32).then_some(handle));
            let (first, last) = prefix.bounds();
            assert!(first <= handle && handle <= last);
            assert!(prefix.matches(&first) && prefix.matches(&last));
        }
        assert!(!HandlePrefix::from_str("5891b5b4").unwrap().matches(&handle));
        assert!(!HandlePrefix::from_str("5891b5b52f").unwrap().matches(&handle));
    }

    #[test]
    fn what_is_no_handle_is_refused_at_the_byte_that_does_not_belong() {
        assert_eq!(offset_of_error(""), 0);
        assert_eq!(offset_of_error("ccr_"), 4);
        assert_eq!(offset_of_error("5891b5b"), 7);
        assert_eq!(offset_of_error("ccr_5891b5b"), 11);
        assert_eq!(offset_of_error("5891b5b5g"), 8);
        assert_eq!(offset_of_error("CCR_5891b5b5"), 2);
        assert_eq!(offset_of_error(" 5891b5b5"), 0);
        assert_eq!(offset_of_error("5891b5b5\n"), 8);
        assert_eq!(offset_of_error("ccr_ccr_5891b5b5"), 6);
        assert_eq!(offset_of_error("5891b5b5é"), 8);
        assert_eq!(offset_of_error("٥891b5b5"), 0);
        assert_eq!(offset_of_error(&HELLO[..33]), 32);
        assert_eq!(offset_of_error(&("ccr_".to_string() + HELLO)), 36);
        let error = Handle::from_str("ccr_5891b5b5").unwrap_err();
        assert_eq!((error.kind, error.offset), (ErrorKind::InvalidHandle, 12), "a prefix is no handle");
    }
}
