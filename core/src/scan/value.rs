//! Passing over any JSON value, validated, to any depth without recursion; and walking through values so validated.
#![allow(clippy::inline_always, reason = "as in `bytes`")]

use alloc::string::String;
use alloc::vec::Vec;

use super::bytes::Cursor;
use crate::table::Span;
use crate::text;

/// The open containers around a place: a bit each, set for an object.
#[derive(Debug, Default)]
pub(super) struct Nesting {
    /// The innermost 1 to 64 of them, the innermost in the lowest bit.
    kinds: u64,
    depth: usize,
    /// Those further out, 64 a word.
    outer: Vec<u64>,
}

impl Nesting {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.depth = 0;
        self.outer.clear();
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    #[inline]
    pub(super) fn in_object(&self) -> bool {
        self.depth > 0 && self.kinds & 1 == 1
    }

    #[inline]
    pub(super) fn open(&mut self, object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.kinds);
        }
        self.kinds = self.kinds << 1 | u64::from(object);
        self.depth += 1;
    }

    #[inline]
    pub(super) fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.kinds >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.kinds = self.outer.pop().unwrap_or(0);
        }
    }
}

/// Passes over a value, white space before it included; gives its place.
#[inline]
pub(super) fn skip(cursor: &mut Cursor<'_>, nesting: &mut Nesting) -> Option<Span> {
    cursor.space();
    let start = cursor.at();
    if cursor.accept(b"\"") {
        cursor.string_end()?;
    } else {
        *cursor = skip_any(*cursor, nesting)?;
    }
    Some(Span::new(start, cursor.at()))
}

/// The same; `note` is given the place of each number in it, and of the content of each string that is no key.
pub(super) fn skip_noting(cursor: &mut Cursor<'_>, nesting: &mut Nesting, note: impl FnMut(usize)) -> Option<Span> {
    cursor.space();
    let start = cursor.at();
    *cursor = after(*cursor, nesting, note)?;
    Some(Span::new(start, cursor.at()))
}

#[inline(never)]
fn skip_any<'a>(cursor: Cursor<'a>, nesting: &mut Nesting) -> Option<Cursor<'a>> {
    after(cursor, nesting, |_| {})
}

/// The place after the value that begins at `cursor`.
#[inline(always)]
fn after<'a>(mut cursor: Cursor<'a>, nesting: &mut Nesting, mut note: impl FnMut(usize)) -> Option<Cursor<'a>> {
    nesting.clear();
    loop {
        cursor.space();
        match cursor.byte() {
            b'"' => note(cursor.string()?.start as usize),
            b'{' => {
                cursor.skip(1);
                cursor.space();
                if !cursor.accept(b"}") {
                    nesting.open(true);
                    key(&mut cursor)?;
                    continue;
                }
            }
            b'[' => {
                cursor.skip(1);
                cursor.space();
                if !cursor.accept(b"]") {
                    nesting.open(false);
                    continue;
                }
            }
            b't' => cursor.expect(b"true")?,
            b'f' => cursor.expect(b"false")?,
            b'n' => cursor.expect(b"null")?,
            _ => {
                let number = cursor.at();
                cursor.number()?;
                note(number);
            }
        }
        loop {
            if nesting.is_empty() {
                return Some(cursor);
            }
            cursor.space();
            match (cursor.byte(), nesting.in_object()) {
                (b',', object) => {
                    cursor.skip(1);
                    if object {
                        cursor.space();
                        key(&mut cursor)?;
                    }
                    break;
                }
                (b'}', true) | (b']', false) => {
                    cursor.skip(1);
                    nesting.close();
                }
                _ => return None,
            }
        }
    }
}

/// Passes over a key and its colon; gives what stands between the key's quotes.
#[inline(always)]
pub(super) fn key(cursor: &mut Cursor<'_>) -> Option<Span> {
    let key = cursor.string()?;
    cursor.space();
    cursor.expect(b":")?;
    Some(key)
}

/// The content of the string at `span`, or `None` where something else stands there.
pub(super) fn string_content(payload: &[u8], span: Span) -> Option<Span> {
    let is_string = span.of(payload).first() == Some(&b'"');
    is_string.then(|| Span::new(span.start as usize + 1, span.end as usize - 1))
}

/// Whether a string's content is this text, which has nothing that must be escaped.
#[inline]
pub(super) fn is(raw: &[u8], text: &[u8], scratch: &mut String) -> bool {
    raw == text || raw.len() > text.len() && plain(raw, scratch) == text
}

/// Text of a string's content: as it stands, or decoded in `scratch`.
pub(super) fn plain<'a>(raw: &'a [u8], scratch: &'a mut String) -> &'a [u8] {
    if !raw.contains(&b'\\') {
        return raw;
    }
    scratch.clear();
    text::decode(raw, scratch);
    scratch.as_bytes()
}

/// A walk through a container that was validated before.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    cursor: Cursor<'a>,
    close: u8,
}

impl<'a> Walk<'a> {
    /// Through the object at `span`; nothing where none stands there.
    pub(super) fn object(payload: &'a [u8], span: Span) -> Option<Self> {
        Self::new(payload, span, b'{', b'}')
    }

    /// Through the array at `span`; nothing where none stands there.
    pub(super) fn array(payload: &'a [u8], span: Span) -> Option<Self> {
        Self::new(payload, span, b'[', b']')
    }

    fn new(payload: &'a [u8], span: Span, open: u8, close: u8) -> Option<Self> {
        let mut cursor = Cursor::start_of(payload, span);
        if span.is_none() || cursor.byte() != open {
            return None;
        }
        cursor.skip(1);
        Some(Self { cursor, close })
    }

    /// The next item of an array.
    pub(super) fn item(&mut self, nesting: &mut Nesting) -> Option<Span> {
        self.before()?;
        let item = skip(&mut self.cursor, nesting)?;
        self.after();
        Some(item)
    }

    /// The next key, without quotes, and value of an object.
    pub(super) fn member(&mut self, nesting: &mut Nesting) -> Option<(Span, Span)> {
        self.before()?;
        let key = key(&mut self.cursor)?;
        let value = skip(&mut self.cursor, nesting)?;
        self.after();
        Some((key, value))
    }

    fn before(&mut self) -> Option<()> {
        self.cursor.space();
        (self.cursor.byte() != self.close).then_some(())
    }

    fn after(&mut self) {
        self.cursor.space();
        self.cursor.accept(b",");
    }
}
