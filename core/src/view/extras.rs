//! The few things that are read from a node's raw JSON for a view: values, and the nodes that others relate to.
//!
//! The scanner has validated these bytes: here they are only taken apart.

use alloc::string::String;

use super::page::Text;
use crate::decimal::Decimal;
use crate::scan::backend;
use crate::text;

/// Appends a scalar as text: a string decoded, a number as people write it, `true` or `false`; anything else is none.
pub(super) fn scalar(raw: &[u8], out: &mut String) -> Text {
    let start = out.len();
    match raw {
        [b'"', body @ .., b'"'] => text::decode(body, out),
        b"true" => out.push_str("true"),
        b"false" => out.push_str("false"),
        [b'-' | b'0'..=b'9', ..] => number(raw, out),
        _ => {}
    }
    Text::new(start, out.len())
}

/// A number as Chrome's sliders and meters have them, in six digits: `0.30000000000000004` is `0.3`.
fn number(raw: &[u8], out: &mut String) {
    let Ok(text) = core::str::from_utf8(raw) else { return };
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let number =
        Decimal::read(digits.as_bytes()).filter(|_| text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')));
    let Some(number) = number.filter(|number| number.digits().is_empty() || (-3..=6).contains(&number.point())) else {
        return out.push_str(text);
    };
    // As the nearest float says it: that is what Chrome had.
    let number = Decimal::of(number.to_f64()).rounded(usize::try_from(6 + number.point().min(0)).unwrap_or(0));
    out.push_str(sign);
    let digit = |at: usize| char::from(b'0' + number.digits().get(at).copied().unwrap_or(0));
    let whole = usize::try_from(number.point()).unwrap_or(0);
    (0..whole).for_each(|at| out.push(digit(at)));
    if whole == 0 {
        out.push('0');
    }
    if number.digits().len() > whole {
        out.push('.');
        (number.point()..0).for_each(|_| out.push('0'));
        (whole..number.digits().len()).for_each(|at| out.push(digit(at)));
    }
}

/// One of the nodes that a property relates to.
pub(super) struct Related<'a> {
    /// Its backend id, or 0.
    pub(super) node: u64,
    /// Its text as Chrome gives it, raw.
    pub(super) text: &'a [u8],
}

/// The `relatedNodes` of a raw AX value, in order.
pub(super) fn related<'a>(raw: &'a [u8], mut each: impl FnMut(Related<'a>)) {
    let mut tokens = Tokens { rest: raw };
    let mut current: Option<Related<'a>> = None;
    let mut listed = false;
    while let Some(token) = tokens.next() {
        match token {
            Token::Key(b"relatedNodes") => listed = true,
            Token::Open if listed => current = Some(Related { node: 0, text: b"" }),
            Token::Close => {
                if let Some(related) = current.take() {
                    each(related);
                }
            }
            Token::Key(b"backendDOMNodeId") => {
                if let (Some(Token::Scalar(digits)), Some(related)) = (tokens.next(), current.as_mut()) {
                    related.node = backend(digits);
                }
            }
            Token::Key(b"text") => {
                if let (Some(Token::String(text)), Some(related)) = (tokens.next(), current.as_mut()) {
                    related.text = text;
                }
            }
            _ => {}
        }
    }
}

enum Token<'a> {
    Open,
    Close,
    /// A member's key, raw.
    Key(&'a [u8]),
    /// A string's body, raw.
    String(&'a [u8]),
    /// A number, `true`, `false` or `null`.
    Scalar(&'a [u8]),
}

struct Tokens<'a> {
    rest: &'a [u8],
}

impl<'a> Tokens<'a> {
    fn take(&mut self, length: usize) -> &'a [u8] {
        let (token, rest) = self.rest.split_at(length.min(self.rest.len()));
        self.rest = rest;
        token
    }

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            match *self.rest.first()? {
                b'{' => {
                    self.take(1);
                    return Some(Token::Open);
                }
                b'}' => {
                    self.take(1);
                    return Some(Token::Close);
                }
                b'"' => {
                    self.take(1);
                    let body = self.take(string_length(self.rest));
                    self.take(1);
                    let colon = self.rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
                    if self.rest.get(colon) == Some(&b':') {
                        self.take(colon + 1);
                        return Some(Token::Key(body));
                    }
                    return Some(Token::String(body));
                }
                byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']') || byte.is_ascii_whitespace();
                    let length = self.rest.iter().position(ends).unwrap_or(self.rest.len());
                    return Some(Token::Scalar(self.take(length)));
                }
                _ => {
                    self.take(1);
                }
            }
        }
    }
}

/// Bytes up to the closing quote.
fn string_length(raw: &[u8]) -> usize {
    let mut escaped = false;
    raw.iter()
        .position(|&byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        })
        .unwrap_or(raw.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_value_is_printed_as_people_write_it() {
        let shown = |raw: &str| {
            let mut out = String::new();
            scalar(raw.as_bytes(), &mut out);
            out
        };
        assert_eq!(shown(r#""a\nb""#), "a\nb");
        assert_eq!(shown("0.30000000000000004"), "0.3");
        assert_eq!(shown("35.5"), "35.5");
        assert_eq!(shown("12345.678"), "12345.7");
        assert_eq!(shown("20000000"), "20000000");
        assert_eq!(shown("0.0"), "0");
        assert_eq!(shown("-2.50"), "-2.5");
        assert_eq!(shown("1e300"), "1e300");
        assert_eq!(shown("null"), "");
        assert_eq!(shown("[1]"), "");
    }

    #[test]
    fn related_nodes_are_read_in_any_key_order_and_without_ids() {
        let raw = br#"{"type":"idrefList","value":"a b","relatedNodes":[{"text":"say \"no\"","backendDOMNodeId":7},{"idref":"b"} ]}"#;
        let mut seen = Vec::new();
        related(raw, |related| seen.push((related.node, related.text)));
        assert_eq!(seen, [(7, br#"say \"no\""#.as_slice()), (0, b"".as_slice())]);
    }
}
