//! Text of a payload: JSON strings decoded, and what Python calls white space.
//!
//! Takes the body of a JSON string, which is what stands between its quotes and was validated by the scanner. Almost
//! all of such a body is plain ASCII, so it is read eight bytes at a time and copied in runs; only escapes and other
//! characters are looked at one by one. A lone surrogate is U+FFFD, here and everywhere.
//!
//! Texts are split and trimmed by functions from here: the standard library's are made anew for each kind of pattern, and
//! a browser has to load them all.

use alloc::string::String;

/// White space as Python's `str.split` has it: Unicode's, and the four separators of ASCII.
#[inline]
pub(crate) fn is_space(c: char) -> bool {
    // Nothing above U+3000 is: most text that is not ASCII is told by that.
    c <= '\u{3000}' && (c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
}

/// Appends the text of a JSON string's body (what stands between its quotes, already validated). A lone surrogate
/// is U+FFFD.
pub(crate) fn decode(raw: &[u8], out: &mut String) {
    let mut rest = raw;
    loop {
        while let [b'\\', ..] = rest {
            let (c, length) = escaped(rest);
            out.push(c);
            rest = rest.get(length..).unwrap_or_default();
        }
        if rest.is_empty() {
            return;
        }
        let (plain, after) = rest.split_at_checked(backslash(rest)).unwrap_or((rest, &[]));
        match core::str::from_utf8(plain) {
            Ok(text) => out.push_str(text),
            Err(_) => out.push(char::REPLACEMENT_CHARACTER),
        }
        rest = after;
    }
}

/// The character at the start of a JSON string's body, and how many bytes it takes there. The body is not empty.
#[inline]
pub(crate) fn first_char(raw: &[u8]) -> (char, usize) {
    match raw.first() {
        Some(b'\\') => escaped(raw),
        Some(&ascii) if ascii < 0x80 => (char::from(ascii), 1),
        Some(&lead) => {
            let length = if lead >= 0xF0 {
                4
            } else if lead >= 0xE0 {
                3
            } else {
                2
            };
            let text = raw.get(..length).and_then(|bytes| core::str::from_utf8(bytes).ok());
            (text.and_then(|text| text.chars().next()).unwrap_or(char::REPLACEMENT_CHARACTER), length)
        }
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The high bit of each byte of `word` that is `byte`, and of no other.
#[inline]
fn equal(word: u64, byte: u8) -> u64 {
    let zero_where_equal = word ^ (ONES * u64::from(byte));
    !(((zero_where_equal & !HIGH) + !HIGH) | zero_where_equal) & HIGH
}

/// The high bit of each byte of `word` that is below a space; of bytes after the first such one it may say more.
#[inline]
fn control(word: u64) -> u64 {
    word.wrapping_sub(ONES * u64::from(b' ')) & !word & HIGH
}

/// How many bytes come before the first of those that `in_word` marks and `is` knows: all of them where there is none.
#[inline]
fn before(text: &[u8], in_word: impl Fn(u64) -> u64, is: impl Fn(u8) -> bool) -> usize {
    let mut at = 0;
    while let Some(word) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let found = in_word(u64::from_le_bytes(*word));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let tail = text.get(at..).unwrap_or_default();
    at + tail.iter().position(|&byte| is(byte)).unwrap_or(tail.len())
}

/// How many bytes come before the first backslash.
fn backslash(raw: &[u8]) -> usize {
    before(raw, |word| equal(word, b'\\'), |byte| byte == b'\\')
}

/// How many bytes of a text come before the first `@` or control character, or what may be the lead of one.
pub(crate) fn at_sign_or_control(text: &[u8]) -> usize {
    let in_word = |word| equal(word, b'@') | control(word) | equal(word, 0x7f) | equal(word, 0xc2);
    before(text, in_word, |byte| matches!(byte, b'@' | 0x7f | 0xc2) || byte < b' ')
}

/// How many bytes at the start have no second space in a row, and none of those that are told to end it. A space at the
/// very start counts as a second one.
#[inline]
fn run(text: &[u8], ends_in_word: impl Fn(u64) -> u64, ends: impl Fn(u8) -> bool) -> usize {
    let (mut at, mut after_space) = (0, 0x80);
    while let Some(bytes) = text.get(at..).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*bytes);
        let spaces = equal(word, b' ');
        let found = ends_in_word(word) | (spaces & (spaces << 8 | after_space));
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        after_space = spaces >> 56;
        at += 8;
    }
    let mut after_space = after_space != 0;
    for &byte in text.get(at..).unwrap_or_default() {
        let space = byte == b' ';
        if ends(byte) || (space && after_space) {
            break;
        }
        after_space = space;
        at += 1;
    }
    at
}

/// How many bytes at the start of a JSON string's body can be copied as they are where white space is collapsed.
pub(crate) fn plain_run(raw: &[u8]) -> usize {
    run(raw, |word| word & HIGH | equal(word, b'\\'), |byte| byte >= 0x80 || byte == b'\\')
}

/// The same of a text: up to a second space in a row, a control character, or the lead byte of what may be white space
/// beyond ASCII: U+0085, U+00A0, U+1680, U+2000 to U+205F, U+3000, and their neighbours.
pub(crate) fn squeezed_run(text: &str) -> usize {
    let ends = |word: u64| {
        let beyond = if word & HIGH == 0 {
            0
        } else {
            [0xc2, 0xe1, 0xe2, 0xe3].iter().fold(0, |found, &lead| found | equal(word, lead))
        };
        control(word) | beyond
    };
    run(text.as_bytes(), ends, |byte| byte < b' ' || matches!(byte, 0xc2 | 0xe1..=0xe3))
}

/// Begins with white space?
#[inline]
pub(crate) fn begins_with_space(text: &str) -> bool {
    match text.as_bytes().first() {
        Some(b'!'..=b'~') | None => false,
        _ => text.starts_with(is_space),
    }
}

/// Ends with white space?
#[inline]
pub(crate) fn ends_with_space(text: &str) -> bool {
    match text.as_bytes().last() {
        Some(b'!'..=b'~') | None => false,
        _ => text.ends_with(is_space),
    }
}

/// Without white space at its ends.
#[inline]
pub(crate) fn trim(text: &str) -> &str {
    if begins_with_space(text) || ends_with_space(text) { trim_spaces(text) } else { text }
}

fn trim_spaces(text: &str) -> &str {
    let start = text.get(spaces(text)..).unwrap_or_default();
    let after = start.char_indices().rev().find(|&(_, c)| !is_space(c)).map_or(0, |(at, c)| at + c.len_utf8());
    start.get(..after).unwrap_or_default()
}

/// How many bytes of white space the text begins with.
pub(crate) fn spaces(text: &str) -> usize {
    let blanks = leading(text, b' ');
    blanks + before_char(text, blanks, |c| !is_space(c))
}

/// How many bytes come before the first white space.
pub(crate) fn word(text: &str) -> usize {
    let plain = text.bytes().take_while(|byte| matches!(byte, b'!'..=b'~')).count();
    plain + before_char(text, plain, is_space)
}

/// How many bytes come from `start` on before the first character that `ends`.
#[inline]
fn before_char(text: &str, start: usize, ends: impl Fn(char) -> bool) -> usize {
    let text = text.get(start..).unwrap_or_default();
    text.char_indices().find(|&(_, c)| ends(c)).map_or(text.len(), |(at, _)| at)
}

/// How many of this byte, which is ASCII, the text begins with.
pub(crate) fn leading(text: &str, ascii: u8) -> usize {
    text.bytes().take_while(|&byte| byte == ascii).count()
}

/// What stands before, between and after the bytes that are this one, which is ASCII.
pub(crate) fn split(text: &str, ascii: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let end = text.bytes().position(|byte| byte == ascii);
        rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    })
}

/// What stands between white space, the first one first.
pub(crate) fn words(text: &str) -> Words<'_> {
    Words { rest: text }
}

#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.get(spaces(self.rest)..).filter(|text| !text.is_empty())?;
        let (word, rest) = text.split_at_checked(word(text))?;
        self.rest = rest;
        Some(word)
    }
}

/// The digits of a number in decimal, in the room given.
pub(crate) fn digits(number: u64, room: &mut [u8; 20]) -> &[u8] {
    let (mut rest, mut start) = (number, room.len());
    for (place, digit) in room.iter_mut().enumerate().rev() {
        // Almost all are small, and 32 bits are divided in less time.
        let (tenth, last) = match u32::try_from(rest) {
            Ok(small) => (u64::from(small / 10), u64::from(small % 10)),
            Err(_) => (rest / 10, rest % 10),
        };
        *digit = b'0' + last as u8;
        rest = tenth;
        start = place;
        if rest == 0 {
            break;
        }
    }
    room.get(start..).unwrap_or_default()
}

/// Appends a number in decimal: there is one on every control, and formatting takes time and, in a browser, room.
pub(crate) fn push_number(number: u64, out: &mut String) {
    let mut room = [0; 20];
    out.push_str(core::str::from_utf8(digits(number, &mut room)).unwrap_or_default());
}

/// The character of the escape at the start of `raw`, and its length in bytes.
fn escaped(raw: &[u8]) -> (char, usize) {
    match raw.get(1) {
        Some(b'u') => code_point(raw),
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(&other) => (char::from(other), 2),
        None => (char::REPLACEMENT_CHARACTER, 1),
    }
}

/// The character of a `\uXXXX` escape, or of a pair of them, and its length in bytes.
fn code_point(raw: &[u8]) -> (char, usize) {
    let high = hex4(raw.get(2..).unwrap_or_default());
    if let (0xD800..0xDC00, Some([b'\\', b'u', digits @ ..])) = (high, raw.get(6..)) {
        let low = hex4(digits);
        if (0xDC00..0xE000).contains(&low) {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
        }
    }
    (char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

/// The number of the four hex digits at the start, all four at once.
#[inline]
fn hex4(digits: &[u8]) -> u32 {
    let word = u32::from_be_bytes(digits.first_chunk().copied().unwrap_or_default());
    // A letter is 0x41 to 0x46 or 0x61 to 0x66, so that bit 6 tells it from a digit.
    let nibbles = (word & 0x0F0F_0F0F) + 9 * (word >> 6 & 0x0101_0101);
    let bytes = (nibbles | nibbles >> 4) & 0x00FF_00FF;
    (bytes | bytes >> 8) & 0xFFFF
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn decoded(raw: &str) -> String {
        let mut out = String::from("before ");
        decode(raw.as_bytes(), &mut out);
        let text = out.strip_prefix("before ").unwrap().into();
        // Read one character at a time it is the same text.
        let (mut rest, mut single) = (raw.as_bytes(), String::new());
        while !rest.is_empty() {
            let (c, length) = first_char(rest);
            single.push(c);
            rest = &rest[length..];
        }
        assert_eq!(single, text);
        text
    }

    #[test]
    fn every_escape_is_decoded() {
        assert_eq!(decoded(r#"\"\\\/\b\f\n\r\t"#), "\"\\/\u{8}\u{c}\n\r\t");
        assert_eq!(decoded(r"\u0041\u00e9\u20AC\uFfFf"), "Aé€\u{ffff}");
    }

    #[test]
    fn a_pair_of_surrogates_is_one_character() {
        assert_eq!(decoded(r"\ud83d\ude00"), "😀");
        assert_eq!(decoded(r"\uD83D\uDE00!"), "😀!");
        assert_eq!(decoded(r"\udbff\udfff"), "\u{10ffff}");
        assert_eq!(decoded(r"\ud800\udc00"), "\u{10000}");
    }

    #[test]
    fn a_lone_surrogate_is_a_replacement_character() {
        assert_eq!(decoded(r"\ud83d"), "\u{fffd}");
        assert_eq!(decoded(r"\udc00x"), "\u{fffd}x");
        assert_eq!(decoded(r"\ud83c\ud83c"), "\u{fffd}\u{fffd}");
        assert_eq!(decoded(r"\ud83d\ud83d\ude00"), "\u{fffd}😀");
        assert_eq!(decoded(r"\ud83d\n"), "\u{fffd}\n");
        assert_eq!(decoded(r"\ud83d\u0041"), "\u{fffd}A");
        assert_eq!(decoded(r"\ude00\ud83d"), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_text_is_decoded_wherever_its_escape_stands() {
        for before in 0..20 {
            for after in 0..20 {
                let (a, b) = ("é".repeat(before % 3) + &"a".repeat(before), "b".repeat(after));
                assert_eq!(decoded(&format!(r"{a}\u20ac\n{b}")), format!("{a}€\n{b}"));
            }
        }
    }

    #[test]
    fn all_code_units_are_decoded_as_utf_16_is() {
        for unit in 0..=0xFFFF_u16 {
            let expected = char::decode_utf16([unit]).next().unwrap().unwrap_or('\u{fffd}');
            assert_eq!(escaped(format!("\\u{unit:04x}").as_bytes()), (expected, 6));
            assert_eq!(escaped(format!("\\u{unit:04X}").as_bytes()), (expected, 6));
        }
    }

    #[test]
    fn a_plain_run_ends_where_a_byte_at_a_time_ends_it() {
        let naive = |raw: &[u8]| {
            (0..raw.len())
                .find(|&at| {
                    let space_before = at == 0 || raw[at - 1] == b' ';
                    raw[at] >= 0x80 || raw[at] == b'\\' || (raw[at] == b' ' && space_before)
                })
                .unwrap_or(raw.len())
        };
        for special in [&b"\\"[..], b"  ", b" ", b"\xC3\xA9", b"!", b"\x7f", b"]", b"\xDC", b"\xA0", b"! !  !", b""] {
            for before in 0..20 {
                for after in 0..12 {
                    let mut raw = [b'a'].repeat(before);
                    raw.extend_from_slice(special);
                    raw.extend([b'z'].repeat(after));
                    assert_eq!(plain_run(&raw), naive(&raw), "{raw:?}");
                    assert_eq!(backslash(&raw), raw.iter().position(|&b| b == b'\\').unwrap_or(raw.len()));
                }
            }
        }
    }

    #[test]
    fn texts_are_split_and_trimmed_as_the_standard_library_does_it() {
        let parts = ["", "a", "ab", "é", "\u{2003}", " ", "  ", "\n", "\u{a0}", "\x1c", "\u{200b}", "#", "-"];
        for first in parts {
            for second in parts {
                for third in parts {
                    let text = format!("{first}{second}{third}");
                    assert_eq!(trim(&text), text.trim_matches(is_space), "{text:?}");
                    assert_eq!(spaces(&text), text.len() - text.trim_start_matches(is_space).len(), "{text:?}");
                    assert_eq!(word(&text), text.find(is_space).unwrap_or(text.len()), "{text:?}");
                    let expected = text.split(is_space).filter(|word| !word.is_empty());
                    assert!(words(&text).eq(expected), "{text:?}");
                    assert!(split(&text, b'-').eq(text.split('-')), "{text:?}");
                    assert_eq!(leading(&text, b'#'), text.len() - text.trim_start_matches('#').len(), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn white_space_is_that_of_python() {
        let spaces: Vec<u32> = ('\0'..=char::MAX).filter(|&c| is_space(c)).map(u32::from).collect();
        let python = [
            9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 0x85, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
            0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
        ];
        assert_eq!(spaces, python);
    }
}
