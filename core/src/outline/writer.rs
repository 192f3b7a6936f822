//! The text as it grows: bytes up to a limit that is never passed, and names written on one line.

use alloc::string::String;
use alloc::vec::Vec;

use crate::text::{digits, first_char, is_space, plain_run};

/// Takes text up to a limit; what goes past it is left out, and that is remembered.
#[derive(Debug, Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
    most: usize,
    full: bool,
}

impl Writer {
    /// Begins an empty text of at most that many bytes.
    pub(super) fn begin(&mut self, most: usize) {
        self.bytes.clear();
        self.most = most;
        self.full = false;
    }

    /// Appends text, or as many bytes of it as fit.
    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) {
        let room = self.most - self.bytes.len();
        if text.len() <= room {
            self.bytes.extend_from_slice(text);
        } else {
            self.bytes.extend_from_slice(text.get(..room).unwrap_or_default());
            self.full = true;
        }
    }

    #[inline]
    pub(super) fn push_char(&mut self, c: char) {
        let mut bytes = [0; 4];
        // Of a known length they are stored; of any length they would be copied by a call.
        match (c.encode_utf8(&mut bytes).len(), bytes) {
            (1, [first, ..]) => self.push(&[first]),
            (2, [first, second, ..]) => self.push(&[first, second]),
            (3, [first, second, third, _]) => self.push(&[first, second, third]),
            _ => self.push(&bytes),
        }
    }

    /// Appends a number in decimal.
    pub(super) fn push_number(&mut self, number: u64) {
        self.push(digits(number, &mut [0; 20]));
    }

    /// Something was left out. Until the next `begin` the text may end within a character.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Cuts the text after `count` code points and appends `mark`, where there are more of them. Says whether it did,
    /// or nothing where what comes out is over `most` bytes.
    pub(super) fn cut(&mut self, count: usize, mark: &str, most: usize) -> Option<bool> {
        let starts = self.bytes.iter().enumerate().filter(|&(_, &byte)| byte & 0xC0 != 0x80);
        let Some(end) = starts.map(|(at, _)| at).nth(count) else { return Some(false) };
        self.bytes.truncate(end);
        if most.saturating_sub(end) < mark.len() {
            return None;
        }
        self.bytes.extend_from_slice(mark.as_bytes());
        Some(true)
    }

    /// The whole text. All of it came from validated text, so it is some.
    pub(super) fn text(&self) -> Option<&str> {
        core::str::from_utf8(&self.bytes).ok()
    }
}

/// What a name is written to.
pub(super) trait Names {
    /// Takes ASCII text without quotes and backslashes.
    fn plain(&mut self, text: &[u8]);
    /// Takes any character.
    fn single(&mut self, c: char);
}

/// Between quotes: no name can close them.
impl Names for Writer {
    #[inline]
    fn plain(&mut self, text: &[u8]) {
        self.push(text);
    }

    #[inline]
    fn single(&mut self, c: char) {
        if c == '\\' || c == '"' {
            self.push(b"\\");
        }
        self.push_char(c);
    }
}

/// As it is.
impl Names for String {
    fn plain(&mut self, text: &[u8]) {
        self.push_str(core::str::from_utf8(text).unwrap_or_default());
    }

    fn single(&mut self, c: char) {
        self.push(c);
    }
}

/// Writes the name of a JSON string's body as one line: each run of white space is one space, none at the ends.
pub(super) fn one_line(raw: &[u8], out: &mut impl Names) {
    let (mut rest, mut begun, mut gap) = (raw, false, false);
    while !rest.is_empty() {
        let (run, after) = rest.split_at_checked(plain_run(rest)).unwrap_or((rest, &[]));
        let (text, gap_after) = run.strip_suffix(b" ").map_or((run, false), |text| (text, true));
        if !text.is_empty() {
            if gap && begun {
                out.plain(b" ");
            }
            out.plain(text);
            (begun, gap) = (true, false);
        }
        gap |= gap_after;
        rest = after;
        // One character at least, and all escapes and characters beyond ASCII that follow it.
        while !rest.is_empty() {
            let (c, length) = first_char(rest);
            if is_space(c) {
                gap = true;
            } else {
                if gap && begun {
                    out.plain(b" ");
                }
                out.single(c);
                (begun, gap) = (true, false);
            }
            rest = rest.get(length..).unwrap_or_default();
            if rest.first().is_some_and(|&byte| byte.is_ascii() && byte != b'\\') {
                break;
            }
        }
    }
}

/// Whether a JSON string's body is nothing but white space.
#[inline]
pub(super) fn is_blank(raw: &[u8]) -> bool {
    match raw.first() {
        None => true,
        Some(&first) if first > b' ' && first < 0x80 && first != b'\\' => false,
        Some(_) => {
            let mut rest = raw;
            while !rest.is_empty() {
                let (c, length) = first_char(rest);
                if !is_space(c) {
                    return false;
                }
                rest = rest.get(length..).unwrap_or_default();
            }
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(raw: &str) -> String {
        let mut writer = Writer::default();
        writer.begin(1000);
        one_line(raw.as_bytes(), &mut writer);
        writer.text().unwrap().into()
    }

    #[test]
    fn a_name_is_one_line_without_outer_space() {
        assert_eq!(quoted(""), "");
        assert_eq!(quoted("   "), "");
        assert_eq!(quoted(" a "), "a");
        assert_eq!(quoted("  two   words  "), "two words");
        assert_eq!(quoted(r"\n\ta\r\n\u2003 b\u00a0"), "a b");
        assert_eq!(quoted("a\u{a0} \u{3000}b"), "a b");
        assert_eq!(quoted("sixteen letters  and some more  "), "sixteen letters and some more");
        assert_eq!(quoted(r"a \u200b b"), "a \u{200b} b");
    }

    #[test]
    fn no_name_closes_its_quotes() {
        assert_eq!(quoted(r#"a\"  #ref=7"#), r#"a\" #ref=7"#);
        assert_eq!(quoted(r"a\\\u0022\u005c"), r#"a\\\"\\"#);
    }

    #[test]
    fn a_name_for_search_is_the_same_without_escapes() {
        for raw in [r#" a\"b\\ \n c "#, r"\u00e9  \ud83d\ude00 é  plain text that is longer", ""] {
            let mut plain = String::new();
            one_line(raw.as_bytes(), &mut plain);
            assert_eq!(plain.replace('\\', "\\\\").replace('"', "\\\""), quoted(raw));
        }
    }

    #[test]
    fn what_python_splits_at_is_blank() {
        assert!(is_blank(b""));
        assert!(is_blank(br" \n\t\r\f\u000b\u001c\u001f\u0085\u00a0\u1680\u2000\u2028\u3000"));
        assert!(is_blank("\u{a0} \u{3000}".as_bytes()));
        assert!(!is_blank(br" \u200b"));
        assert!(!is_blank(br" \ud800"));
        assert!(!is_blank(b" ."));
    }

    #[test]
    fn a_text_never_passes_its_limit() {
        let mut writer = Writer::default();
        writer.begin(5);
        writer.push(b"abc");
        assert!(!writer.is_full());
        writer.push(b"def");
        assert!(writer.is_full());
        writer.push(b"g");
        assert_eq!(writer.text(), Some("abcde"));
        writer.begin(5);
        assert!(!writer.is_full() && writer.is_empty());
    }

    #[test]
    fn a_cut_counts_code_points() {
        for (count, expected) in [(0, "…"), (1, "a…"), (2, "aé…"), (3, "aé😀…"), (4, "aé😀z"), (5, "aé😀z")]
        {
            let mut writer = Writer::default();
            writer.begin(100);
            writer.push("aé😀z".as_bytes());
            assert_eq!(writer.cut(count, "…", 100), Some(count < 4));
            assert_eq!(writer.text(), Some(expected));
        }
        let mut writer = Writer::default();
        writer.begin(100);
        writer.push(b"abc");
        assert_eq!(writer.cut(2, "…", 4), None);
    }

    #[test]
    fn numbers_are_decimal() {
        for number in [0, 9, 10, 128, 1 << 53, u64::MAX] {
            let mut writer = Writer::default();
            writer.begin(100);
            writer.push_number(number);
            assert_eq!(writer.text(), Some(alloc::format!("{number}").as_str()));
        }
    }
}
