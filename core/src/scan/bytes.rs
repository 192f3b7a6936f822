//! Reading bytes: literals, strings and numbers at a place in the payload, each validated as it is passed over.
//!
//! A [`Cursor`] is the rest of the payload, so that a look ahead is one comparison of lengths. Eight bytes at a time
//! are looked at as one `u64`: no platform's instructions are needed for that. What gives `None` met a byte that JSON
//! does not allow there, or one that the caller did not expect; the cursor is then of no more use.
#![allow(
    clippy::inline_always,
    reason = "a call costs more than most of these do, and makes the cursor live in memory"
)]
// In WebAssembly most are called after all: a browser loads each copy. Its build with SIMD has more of them copied.

use crate::table::Span;

const LOW: u64 = u64::from_le_bytes([0x01; 8]);
const HIGH: u64 = u64::from_le_bytes([0x80; 8]);

/// A place in the payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(payload: &'a [u8]) -> Self {
        Self { rest: payload, length: payload.len() }
    }

    /// The place at which `span` begins.
    pub(super) fn start_of(payload: &'a [u8], span: Span) -> Self {
        Self { rest: payload.get(span.start as usize..).unwrap_or_default(), length: payload.len() }
    }

    /// Bytes before it.
    #[inline(always)]
    pub(super) fn at(&self) -> usize {
        self.length - self.rest.len()
    }

    /// The byte here; 0, which JSON allows nowhere, at the end.
    #[inline(always)]
    pub(super) fn byte(&self) -> u8 {
        self.rest.first().copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline(always)]
    pub(super) fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Passes over `literal` if it stands here.
    #[inline(always)]
    pub(super) fn accept<const N: usize>(&mut self, literal: &[u8; N]) -> bool {
        if cfg!(target_family = "wasm") && N > 8 {
            return self.accept_run(literal);
        }
        match self.rest.split_first_chunk::<N>() {
            Some((here, rest)) if here == literal => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Passes over `literal`, which must stand here.
    #[inline(always)]
    pub(super) fn expect<const N: usize>(&mut self, literal: &[u8; N]) -> Option<()> {
        self.accept(literal).then_some(())
    }

    /// Passes over `run` if it stands here.
    #[cfg_attr(any(not(target_family = "wasm"), target_feature = "simd128"), inline(always))]
    pub(super) fn accept_run(&mut self, run: &[u8]) -> bool {
        match self.rest.split_at_checked(run.len()) {
            Some((here, rest)) if are_equal(here, run) => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Passes over `run`, which must stand here.
    #[cfg_attr(any(not(target_family = "wasm"), target_feature = "simd128"), inline(always))]
    pub(super) fn expect_run(&mut self, run: &[u8]) -> Option<()> {
        self.accept_run(run).then_some(())
    }

    /// The next bytes; `None` where the payload ends before.
    #[inline(always)]
    pub(super) fn chunk<const N: usize>(&self) -> Option<&'a [u8; N]> {
        self.rest.first_chunk()
    }

    /// The next eight bytes as a number; `None` where the payload ends before.
    #[inline(always)]
    pub(super) fn word(&self) -> Option<u64> {
        self.chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// What stands between an earlier place and this one.
    #[inline(always)]
    pub(super) fn since(&self, start: Self) -> &'a [u8] {
        start.rest.get(..start.rest.len() - self.rest.len()).unwrap_or_default()
    }

    /// Passes over white space.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn space(&mut self) {
        if self.byte() > b' ' {
            return;
        }
        while let [b' ' | b'\n' | b'\r' | b'\t', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Passes over a string: gives what stands between its quotes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn string(&mut self) -> Option<Span> {
        self.expect(b"\"")?;
        let start = self.at();
        let end = self.string_end()?;
        Some(Span::new(start, end))
    }

    /// Passes over the rest of a string of which the opening quote is behind: gives the place of its closing quote.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn string_end(&mut self) -> Option<usize> {
        while let Some((chunk, rest)) = self.rest.split_first_chunk::<8>() {
            let special = special_bytes(u64::from_le_bytes(*chunk));
            if special != 0 {
                self.skip(first_of(special));
                break;
            }
            self.rest = rest;
        }
        if self.byte() != b'"' {
            let length = string_rest(self.rest)?;
            self.skip(length);
        }
        let end = self.at();
        self.skip(1);
        Some(end)
    }

    /// Passes over a canonical decimal of at most 15 digits; `None` near the payload's end too.
    #[cfg_attr(any(not(target_family = "wasm"), target_feature = "simd128"), inline(always))]
    pub(super) fn decimal(&mut self) -> Option<i64> {
        let negative = self.accept(b"-");
        let digits = self.word()?;
        let (mut number, count) = decimal_digits(digits)?;
        self.skip(count);
        if count == 8
            && let Some((more, count)) = decimal_digits(self.word()?)
        {
            number = number * POWERS_OF_TEN.get(count)? + more;
            self.skip(count);
        }
        let leading_zero = digits as u8 == b'0' && (count > 1 || negative);
        (!leading_zero).then_some(if negative { -number } else { number })
    }

    /// Passes over a number.
    pub(super) fn number(&mut self) -> Option<()> {
        self.accept(b"-");
        if !self.accept(b"0") {
            self.digits()?;
        }
        if self.accept(b".") {
            self.digits()?;
        }
        if self.accept(b"e") || self.accept(b"E") {
            let _ = self.accept(b"+") || self.accept(b"-");
            self.digits()?;
        }
        Some(())
    }

    /// Passes over one digit or more.
    fn digits(&mut self) -> Option<()> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.skip(count);
        (count > 0).then_some(())
    }
}

/// Whether two runs of one length are equal. WebAssembly has no instruction for that, and the function that stands for
/// it compares byte by byte.
#[cfg(target_family = "wasm")]
fn are_equal(here: &[u8], run: &[u8]) -> bool {
    // The last eight first: they may overlap others, and no byte is left to be compared by itself.
    let (Some(end), Some(run_end)) = (here.last_chunk::<8>(), run.last_chunk::<8>()) else {
        return here.iter().eq(run);
    };
    let (words, run_words) = (here.as_chunks::<8>().0, run.as_chunks::<8>().0);
    let same = |(a, b): (&[u8; 8], &[u8; 8])| u64::from_le_bytes(*a) == u64::from_le_bytes(*b);
    same((end, run_end)) && words.iter().zip(run_words).all(same)
}

#[cfg(not(target_family = "wasm"))]
#[inline(always)]
fn are_equal(here: &[u8], run: &[u8]) -> bool {
    here == run
}

/// The high bit of each byte that needs a look inside a string: quote, backslash, control or not ASCII. Exact for the
/// first one; the bits above it mean nothing.
#[inline(always)]
const fn special_bytes(bytes: u64) -> u64 {
    let quote = (bytes ^ (LOW * b'"' as u64)).wrapping_sub(LOW);
    let backslash = (bytes ^ (LOW * b'\\' as u64)).wrapping_sub(LOW);
    let control = bytes.wrapping_sub(LOW * 0x20);
    (quote | backslash | control | bytes) & HIGH
}

/// By how many digits follow, at most seven.
const POWERS_OF_TEN: [i64; 8] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];

/// The number that the digits at the start of these eight bytes make, and how many they are; `None` for none.
#[inline(always)]
const fn decimal_digits(bytes: u64) -> Option<(i64, usize)> {
    let values = bytes ^ (LOW * b'0' as u64);
    let others = (values.wrapping_add(LOW * 0x76) | values) & HIGH;
    let bits = others.trailing_zeros() & !7;
    if bits == 0 {
        return None;
    }
    // The digits go to the high end, zeros before them; then neighbours are joined to pairs, fours and eight.
    let ones = values << (64 - bits);
    let pairs = (ones.wrapping_mul(10).wrapping_add(ones >> 8)) & 0x00FF_00FF_00FF_00FF;
    let fours = (pairs.wrapping_mul(100).wrapping_add(pairs >> 16)) & 0x0000_FFFF_0000_FFFF;
    let eight = (fours.wrapping_mul(10_000).wrapping_add(fours >> 32)) & 0xFFFF_FFFF;
    Some((eight.cast_signed(), (bits / 8) as usize))
}

/// The number of the first byte whose high bit is set.
#[inline(always)]
const fn first_of(bits: u64) -> usize {
    (bits.trailing_zeros() / 8) as usize & 7
}

/// Length of the rest of a string up to its closing quote, whatever is in it.
#[inline(never)]
fn string_rest(text: &[u8]) -> Option<usize> {
    let mut rest = text;
    loop {
        rest = match rest {
            [b'"', ..] => return Some(text.len() - rest.len()),
            [b'\\', b'u', a, b, c, d, rest @ ..] if are_hexadecimal([*a, *b, *c, *d]) => rest,
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', rest @ ..] => rest,
            [b'\\' | 0..0x20, ..] | [] => return None,
            [0x80..=0xFF, ..] => rest.get(character_length(rest)?..)?,
            _ => plain_rest(rest),
        };
    }
}

/// Whether these are four hexadecimal digits, looked at all at once: a byte's high bit comes to be set where a sum
/// passes 0x7F, and nothing is carried into the next byte where all are ASCII.
#[inline(always)]
const fn are_hexadecimal(digits: [u8; 4]) -> bool {
    const EACH: u32 = u32::from_le_bytes([1; 4]);
    const HIGH: u32 = EACH * 0x80;
    let digits = u32::from_le_bytes(digits);
    let ascii = digits & !HIGH;
    let letters = ascii | (EACH * 0x20);
    let decimal = (ascii + EACH * (0x80 - b'0' as u32)) & !(ascii + EACH * (0x7F - b'9' as u32));
    let letter = (letters + EACH * (0x80 - b'a' as u32)) & !(letters + EACH * (0x7F - b'f' as u32));
    (decimal | letter) & !digits & HIGH == HIGH
}

/// What follows the bytes that need no look.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn plain_rest(mut rest: &[u8]) -> &[u8] {
    while let Some((chunk, after)) = rest.split_first_chunk::<8>() {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            return rest.get(first_of(special)..).unwrap_or_default();
        }
        rest = after;
    }
    let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20 | 0x80..=0xFF)).count();
    rest.get(plain..).unwrap_or_default()
}

/// Length of the UTF-8 sequence at the start of `bytes`, which is not ASCII.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn character_length(bytes: &[u8]) -> Option<usize> {
    const CONTINUES: core::ops::RangeInclusive<u8> = 0x80..=0xBF;
    let (length, second) = match *bytes.first()? {
        0xC2..=0xDF => (2, CONTINUES),
        0xE0 => (3, 0xA0..=0xBF),
        0xE1..=0xEC | 0xEE | 0xEF => (3, CONTINUES),
        0xED => (3, 0x80..=0x9F),
        0xF0 => (4, 0x90..=0xBF),
        0xF1..=0xF3 => (4, CONTINUES),
        0xF4 => (4, 0x80..=0x8F),
        _ => return None,
    };
    let valid = second.contains(bytes.get(1)?) && bytes.get(2..length)?.iter().all(|byte| CONTINUES.contains(byte));
    valid.then_some(length)
}
