//! Text of a payload: JSON strings decoded, and what Python calls white space.

use alloc::string::String;

/// White space as Python's `str.split` has it: Unicode's, and the four separators of ASCII.
#[inline]
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// Appends the text of a JSON string's body (what stands between its quotes, already validated). A lone surrogate
/// is U+FFFD.
pub(crate) fn decode(raw: &[u8], out: &mut String) {
    let mut rest = raw;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\\') {
        let (plain, escape) = rest.split_at(at);
        push(plain, out);
        rest = decode_escape(escape, out);
    }
    push(rest, out);
}

fn push(plain: &[u8], out: &mut String) {
    match core::str::from_utf8(plain) {
        Ok(text) => out.push_str(text),
        Err(_) => out.push(char::REPLACEMENT_CHARACTER),
    }
}

/// Appends the character of the escape at the start of `raw`; gives what follows it.
fn decode_escape<'a>(raw: &'a [u8], out: &mut String) -> &'a [u8] {
    let (c, length) = match raw.get(1) {
        Some(b'u') => code_point(raw),
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(&other) => (char::from(other), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    };
    out.push(c);
    raw.get(length..).unwrap_or_default()
}

/// The character of a `\uXXXX` escape, or of a pair of them, and its length in bytes.
fn code_point(raw: &[u8]) -> (char, usize) {
    let high = hex4(raw.get(2..6));
    if (0xD800..0xDC00).contains(&high) && raw.get(6..8) == Some(b"\\u") {
        let low = hex4(raw.get(8..12));
        if (0xDC00..0xE000).contains(&low) {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
        }
    }
    (char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

fn hex4(digits: Option<&[u8]>) -> u32 {
    digits
        .unwrap_or_default()
        .iter()
        .fold(0, |number, &digit| number * 16 + char::from(digit).to_digit(16).unwrap_or(0))
}
