//! Python's `repr` of a JSON value, as Python prints it after `json.loads`.
//!
//! Takes raw, validated JSON of any type and depth, and writes the text. Nothing recurses: a list or an object is read
//! into an array of tokens first, each of which knows where the one after it begins, and is then printed with a stack.
//! Of a key that stands twice in an object, the last value is printed at the place of the first.

use alloc::string::String;
use alloc::vec::Vec;

use super::printable::is_printable;
use super::writer::Writer;
use crate::decimal::{Decimal, SAFE};
use crate::table::{NONE, Span};
use crate::text::decode;

/// What is between two quotes, brackets or commas, or a whole list or object, whose tokens follow it.
#[derive(Clone, Copy, Debug)]
struct Token {
    span: Span,
    /// The token after it and all that is in it. Of a key: its value, or [`NONE`] where it is not printed.
    next: u32,
}

/// A list or object that is being printed.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Its next token, and the one after its last.
    at: u32,
    end: u32,
    object: bool,
    /// Something of it was printed.
    begun: bool,
}

/// A key of an object: its text in `key_text`, and its token.
#[derive(Clone, Copy, Debug)]
struct Key {
    text: Span,
    token: u32,
}

/// What printing takes, kept for the next value.
#[derive(Debug, Default)]
pub(super) struct Python {
    text: String,
    tokens: Vec<Token>,
    nested: Vec<u32>,
    open: Vec<Open>,
    keys: Vec<Key>,
    key_text: String,
}

impl Python {
    /// Writes the value.
    pub(super) fn repr(&mut self, raw: &[u8], out: &mut Writer) {
        if let [b'[' | b'{', ..] = raw {
            self.read(raw);
            self.print(raw, out);
        } else {
            self.scalar(raw, out);
        }
    }

    /// Reads a list or object into tokens.
    fn read(&mut self, raw: &[u8]) {
        self.tokens.clear();
        self.nested.clear();
        let mut at = 0;
        while let Some(&byte) = raw.get(at) {
            let start = at;
            match byte {
                b'[' | b'{' => {
                    at += 1;
                    self.nested.push(self.tokens.len() as u32);
                }
                b']' | b'}' => {
                    at += 1;
                    let next = self.tokens.len() as u32;
                    if let Some(opened) = self.nested.pop().and_then(|token| self.tokens.get_mut(token as usize)) {
                        opened.next = next;
                    }
                    continue;
                }
                b'"' => at = string_end(raw, at),
                b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' => {
                    at += 1;
                    continue;
                }
                _ => {
                    let rest = raw.get(at..).unwrap_or_default();
                    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r');
                    at += rest.iter().position(ends).unwrap_or(rest.len());
                }
            }
            self.tokens.push(Token { span: Span::new(start, at), next: self.tokens.len() as u32 + 1 });
        }
    }

    /// Prints the tokens.
    fn print(&mut self, raw: &[u8], out: &mut Writer) {
        self.open.clear();
        self.value(0, raw, out);
        while let Some(open) = self.open.last_mut() {
            if open.at >= open.end || out.is_full() {
                out.push(if open.object { b"}" } else { b"]" });
                self.open.pop();
                continue;
            }
            let (token, object) = (open.at, open.object);
            let value = if object { token + 1 } else { token };
            open.at = self.tokens.get(value as usize).map_or(NONE, |token| token.next);
            let Some(&Token { span, next }) = self.tokens.get(token as usize) else { continue };
            if object && next == NONE {
                continue;
            }
            if open.begun {
                out.push(b", ");
            }
            open.begun = true;
            if object {
                self.scalar(span.of(raw), out);
                out.push(b": ");
                self.value(next, raw, out);
            } else {
                self.value(token, raw, out);
            }
        }
    }

    /// Prints a scalar, or opens a list or object.
    fn value(&mut self, token: u32, raw: &[u8], out: &mut Writer) {
        let Some(&Token { span, next }) = self.tokens.get(token as usize) else { return };
        match span.of(raw) {
            open @ (b"[" | b"{") => {
                let object = open == b"{";
                out.push(open);
                if object {
                    self.settle_keys(token + 1, next, raw);
                }
                self.open.push(Open { at: token + 1, end: next, object, begun: false });
            }
            scalar => self.scalar(scalar, out),
        }
    }

    /// Of each key that stands twice in an object, gives the first one the last one's value and takes out the others.
    fn settle_keys(&mut self, start: u32, end: u32, raw: &[u8]) {
        self.keys.clear();
        self.key_text.clear();
        let mut token = start;
        while token < end {
            let Some(&Token { span, .. }) = self.tokens.get(token as usize) else { return };
            let begin = self.key_text.len();
            decode(inside(span.of(raw)), &mut self.key_text);
            self.keys.push(Key { text: Span::new(begin, self.key_text.len()), token });
            token = self.tokens.get(token as usize + 1).map_or(NONE, |value| value.next);
        }
        if self.keys.len() < 2 {
            return;
        }
        let texts = self.key_text.as_bytes();
        self.keys.sort_unstable_by_key(|key| (key.text.of(texts), key.token));
        for same in self.keys.chunk_by(|a, b| a.text.of(texts) == b.text.of(texts)) {
            let [first, .., last] = same else { continue };
            for key in same {
                if let Some(token) = self.tokens.get_mut(key.token as usize) {
                    token.next = if key.token == first.token { last.token + 1 } else { NONE };
                }
            }
        }
    }

    fn scalar(&mut self, raw: &[u8], out: &mut Writer) {
        match raw {
            [b'"', ..] => {
                self.text.clear();
                decode(inside(raw), &mut self.text);
                string(&self.text, out);
            }
            b"true" => out.push(b"True"),
            b"false" => out.push(b"False"),
            b"null" => out.push(b"None"),
            b"-0" => out.push(b"0"),
            _ if raw.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => float(raw, out),
            // An integer of any size: JSON has no leading zeros or plus that Python would take away.
            _ => out.push(raw),
        }
    }
}

/// Writes a float with the fewest digits that read back as it, with an exponent below 1e-4 and from 1e16 on.
fn float(raw: &[u8], out: &mut Writer) {
    let (negative, digits) = match raw {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if negative {
        out.push(b"-");
    }
    let Some(mut number) = Decimal::read(digits) else { return };
    if number.digits().len() > SAFE || !(-300..300).contains(&number.point()) {
        let float = number.to_f64();
        if float.is_infinite() {
            return out.push(b"inf");
        }
        number = if float == 0.0 { Decimal::of(0.0) } else { Decimal::shortest(float) };
    }
    let digits = number.digits();
    let push = |digits: &[u8], out: &mut Writer| digits.iter().for_each(|digit| out.push(&[b'0' + digit]));
    let or_zero = |digits: &[u8], out: &mut Writer| if digits.is_empty() { out.push(b"0") } else { push(digits, out) };
    match number.point() - i32::from(!digits.is_empty()) {
        exponent @ 0..16 => {
            let whole = exponent.unsigned_abs() as usize + 1;
            let (before, after) = digits.split_at_checked(whole).unwrap_or((digits, &[]));
            push(before, out);
            out.push(ZEROS.get(..whole - before.len()).unwrap_or_default());
            out.push(b".");
            or_zero(after, out);
        }
        exponent @ -4..0 => {
            out.push(b"0.");
            out.push(ZEROS.get(..exponent.unsigned_abs() as usize - 1).unwrap_or_default());
            push(digits, out);
        }
        exponent => {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, &[]));
            push(first, out);
            if !rest.is_empty() {
                out.push(b".");
                push(rest, out);
            }
            out.push(if exponent < 0 { b"e-" } else { b"e+" });
            if exponent.unsigned_abs() < 10 {
                out.push(b"0");
            }
            out.push_number(u64::from(exponent.unsigned_abs()));
        }
    }
}

const ZEROS: &[u8; 16] = &[b'0'; 16];

/// A JSON string without its quotes.
fn inside(raw: &[u8]) -> &[u8] {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}

/// Where the string that begins at `start` ends: after its closing quote.
fn string_end(raw: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = raw.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    raw.len()
}

/// Writes a string in Python's quotes, with its escapes.
fn string(text: &str, out: &mut Writer) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push_char(quote);
    let mut copied = 0;
    for (at, c) in text.char_indices() {
        let as_it_is = if c.is_ascii() { c != quote && c != '\\' && !c.is_ascii_control() } else { is_printable(c) };
        if as_it_is {
            continue;
        }
        out.push(text.as_bytes().get(copied..at).unwrap_or_default());
        copied = at + c.len_utf8();
        match c {
            '\n' => out.push(b"\\n"),
            '\r' => out.push(b"\\r"),
            '\t' => out.push(b"\\t"),
            _ if c == quote || c == '\\' => {
                out.push(b"\\");
                out.push_char(c);
            }
            _ => match u32::from(c) {
                code @ ..0x100 => hex(b"\\x", code, 2, out),
                code @ ..0x1_0000 => hex(b"\\u", code, 4, out),
                code => hex(b"\\U", code, 8, out),
            },
        }
    }
    out.push(text.as_bytes().get(copied..).unwrap_or_default());
    out.push_char(quote);
}

/// Writes an escape with that many lower-case hex digits.
fn hex(prefix: &[u8], code: u32, digits: u32, out: &mut Writer) {
    out.push(prefix);
    for place in (0..digits).rev() {
        out.push_char(char::from_digit((code >> (4 * place)) & 0xF, 16).unwrap_or('0'));
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use core::fmt::Write;

    use super::*;

    fn repr(raw: &str) -> String {
        let mut out = Writer::default();
        out.begin(10_000_000);
        let mut python = Python::default();
        python.repr(raw.as_bytes(), &mut out);
        let text: String = out.text().unwrap().into();
        // A printer that was used prints the same.
        out.begin(10_000_000);
        python.repr(raw.as_bytes(), &mut out);
        assert_eq!(out.text(), Some(text.as_str()));
        text
    }

    // The expected texts are those of CPython 3.11.

    #[test]
    fn strings_are_quoted_as_python_does() {
        assert_eq!(repr(r#""plain""#), "'plain'");
        assert_eq!(repr(r#""it's""#), r#""it's""#);
        assert_eq!(repr(r#""say \"hi\"""#), r#"'say "hi"'"#);
        assert_eq!(repr(r#""it's \"both\"""#), r#"'it\'s "both"'"#);
        assert_eq!(repr(r#""a\\b\/c""#), r"'a\\b/c'");
        assert_eq!(repr(r#""\n\r\t\b\f\u0000\u001f\u007f""#), r"'\n\r\t\x08\x0c\x00\x1f\x7f'");
    }

    #[test]
    fn what_is_not_printable_is_escaped() {
        assert_eq!(repr(r#""\u00a0\u00ad\u00e9\u0378""#), r"'\xa0\xadé\u0378'");
        assert_eq!(repr(r#""\u200b\u2028\u202e\ufeff\ue000\uffff""#), r"'\u200b\u2028\u202e\ufeff\ue000\uffff'");
        assert_eq!(repr(r#""\ud83d\ude00\udb40\udc01\udbff\udfff""#), r"'😀\U000e0001\U0010ffff'");
        assert_eq!(repr(r#""\ud83d""#), "'\u{fffd}'");
        // New in Unicode 15.
        assert_eq!(repr("\"\u{1fae8}\""), r"'\U0001fae8'");
    }

    #[test]
    fn integers_of_any_size_are_printed_as_they_are() {
        assert_eq!(repr("5"), "5");
        assert_eq!(repr("-17"), "-17");
        assert_eq!(repr("0"), "0");
        assert_eq!(repr("-0"), "0");
        let long = "9".repeat(10_000);
        assert_eq!(repr(&long), long);
    }

    #[test]
    fn floats_are_printed_as_python_prints_them() {
        for (raw, expected) in [
            ("1.5", "1.5"),
            ("1.0", "1.0"),
            ("100.0", "100.0"),
            ("-0.0", "-0.0"),
            ("0e5", "0.0"),
            ("1e5", "100000.0"),
            ("123456789.125", "123456789.125"),
            ("1e15", "1000000000000000.0"),
            ("9999999999999998.0", "9999999999999998.0"),
            ("1e16", "1e+16"),
            ("1E+16", "1e+16"),
            ("12345678901234567890.0", "1.2345678901234567e+19"),
            ("1.5e300", "1.5e+300"),
            ("0.0001", "0.0001"),
            ("0.00012345", "0.00012345"),
            ("0.00001", "1e-05"),
            ("1.25e-7", "1.25e-07"),
            ("0.1", "0.1"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("2.2250738585072014e-308", "2.2250738585072014e-308"),
            ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("1E400", "inf"),
            ("-1E400", "-inf"),
            ("1e-400", "0.0"),
            ("-1e-400", "-0.0"),
            ("1e99999999999999999999", "inf"),
            ("1e-99999999999999999999", "0.0"),
            ("9007199254740993.0", "9007199254740992.0"),
            ("1e22", "1e+22"),
            ("1e23", "1e+23"),
            ("4.35", "4.35"),
            ("1000000000000000.25", "1000000000000000.2"),
            ("1000000000000000.75", "1000000000000000.8"),
            ("5.684341886080802e-14", "5.684341886080802e-14"),
        ] {
            assert_eq!(repr(raw), expected, "{raw}");
        }
    }

    #[test]
    fn literals_are_those_of_python() {
        assert_eq!(repr("true"), "True");
        assert_eq!(repr("false"), "False");
        assert_eq!(repr("[null,true , false]"), "[None, True, False]");
    }

    #[test]
    fn lists_and_objects_are_printed_as_python_prints_them() {
        assert_eq!(repr("[]"), "[]");
        assert_eq!(repr("{ }"), "{}");
        assert_eq!(repr("[ 1,\n[2.50 , \"it's\"],{}]"), r#"[1, [2.5, "it's"], {}]"#);
        assert_eq!(repr(r#"{"a":{"b":[{"c":null}]},"d":"]}\""}"#), r#"{'a': {'b': [{'c': None}]}, 'd': ']}"'}"#);
    }

    #[test]
    fn of_a_repeated_key_the_last_value_stands_at_the_first_place() {
        assert_eq!(repr(r#"{"a":1,"b":2,"a":3}"#), "{'a': 3, 'b': 2}");
        assert_eq!(
            repr(r#"{"a":[1],"b":2,"\u0061":{"x":1,"x":2},"c":4,"a":{"y":1,"y":[]}}"#),
            "{'a': {'y': []}, 'b': 2, 'c': 4}"
        );
        assert_eq!(repr(r#"{"":1,"":2}"#), "{'': 2}");
        assert_eq!(repr(r#"{"\ud800":1,"b":2,"\udfff":3}"#), "{'\u{fffd}': 3, 'b': 2}");
    }

    #[test]
    fn nesting_of_any_depth_is_printed_in_linear_time() {
        let depth = 1_000_000;
        let lists = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(repr(&lists), lists);
        let depth = 200_000;
        let objects = format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
        assert_eq!(repr(&objects), format!("{}1{}", "{'a': ".repeat(depth), "}".repeat(depth)));
    }

    #[test]
    fn many_keys_are_settled_in_time_about_linear() {
        let mut raw = String::from("{");
        for number in 0..200_000 {
            let _ = write!(raw, r#""{}":{number},"#, number % 100_000);
        }
        raw.push_str("\"end\":0}");
        let text = repr(&raw);
        assert!(text.starts_with("{'0': 100000, '1': 100001, "));
        assert!(text.ends_with(", '99999': 199999, 'end': 0}"));
    }
}
