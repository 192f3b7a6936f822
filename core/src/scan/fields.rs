//! The fields of a node as Chrome writes them: no white space, keys in Chrome's order, no escapes where none are needed.
//!
//! Each of these takes the place right after a field's colon (or what its comment says) and passes over the field's
//! value. `None` does not mean that the payload is wrong, only that this is not how Chrome writes it.

#![allow(clippy::inline_always, reason = "as in `bytes`")]

use super::Scanner;
use super::bytes::Cursor;
use super::properties::{self, Property};
use super::runs::{Hole, Holes};
use super::value;
use crate::roles::RoleId;
use crate::table::{Node, Span, Table};

impl Scanner {
    /// `"…"`: an id.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn id(&mut self, payload: &[u8], cursor: &mut Cursor<'_>) -> Option<i64> {
        let start = *cursor;
        if cursor.accept(b"\"")
            && let Some(number) = cursor.decimal()
            && cursor.accept(b"\"")
        {
            return Some(number);
        }
        let (number, end) = self.odd_id(payload, start)?;
        *cursor = end;
        Some(number)
    }

    #[cold]
    fn odd_id<'a>(&mut self, payload: &[u8], mut cursor: Cursor<'a>) -> Option<(i64, Cursor<'a>)> {
        let id = cursor.string()?;
        Some((self.ids.key(id.of(payload)), cursor))
    }

    /// `"…","…"]`: the children after the opening bracket; gives their number.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn child_ids(&mut self, payload: &[u8], cursor: &mut Cursor<'_>) -> Option<u32> {
        if cursor.accept(b"]") {
            return Some(0);
        }
        let before = self.ids.children.len();
        loop {
            let id = self.id(payload, cursor)?;
            self.ids.children.push(id);
            if !cursor.accept(b",") {
                cursor.expect(b"]")?;
                return Some((self.ids.children.len() - before) as u32);
            }
        }
    }

    /// `{"type":"role","value":"…"}`.
    pub(super) fn role(&mut self, payload: &[u8], cursor: &mut Cursor<'_>, table: &mut Table) -> Option<RoleId> {
        let name = value::string_content(payload, plain_value(cursor)?)?;
        Some(self.roles.role(name.of(payload), &mut table.roles))
    }

    /// The properties after the opening bracket. Where nodes differ in them is noted in `holes`.
    pub(super) fn properties(
        &mut self,
        payload: &[u8],
        cursor: &mut Cursor<'_>,
        (node, table): (&mut Node, &mut Table),
        holes: &mut Holes,
    ) -> Option<()> {
        if cursor.accept(b"]") {
            return Some(());
        }
        loop {
            self.property(payload, cursor, (&mut *node, &mut *table), holes)?;
            if !cursor.accept(b",") {
                return cursor.expect(b"]");
            }
        }
    }

    /// `{"name":"…","value":{"type":"…",…}}`.
    fn property(
        &mut self,
        payload: &[u8],
        cursor: &mut Cursor<'_>,
        (node, table): (&mut Node, &mut Table),
        holes: &mut Holes,
    ) -> Option<()> {
        cursor.expect(br#"{"name":""#)?;
        let start = cursor.at();
        let name = Span::new(start, cursor.string_end()?).of(payload);
        if name.contains(&b'\\') {
            return None;
        }
        cursor.expect(br#","value":"#)?;
        let start = *cursor;
        let plain = plain_value(cursor);
        let value = if let Some(value) = plain {
            value
        } else {
            *cursor = start;
            let ax_value = if properties::is_relation(name) {
                value::skip_noting(cursor, &mut self.nesting, |start| note_related(payload, start, holes))?
            } else {
                holes.spoil();
                value::skip(cursor, &mut self.nesting)?
            };
            self.ax_value(payload, ax_value)
        };
        let ax_value = Span::new(start.at(), cursor.at());
        cursor.expect(b"}")?;
        let raw = value.of(payload);
        let (text, quoted) = match raw {
            [b'"', text @ .., b'"'] => (Some(text), true),
            b"null" | b"" => (None, false),
            text => (Some(text), false),
        };
        if name == b"level" {
            match plain {
                Some(value) if raw.iter().all(u8::is_ascii_digit) => {
                    holes.push(value.start as usize, Hole::Level);
                }
                _ => holes.spoil(),
            }
        }
        let text = text.map(|text| value::plain(text, &mut self.value_text));
        let value = if text.is_none() { Span::NONE } else { value };
        let ax_value = if payload.get(ax_value.start as usize) == Some(&b'{') { ax_value } else { Span::NONE };
        Property { name, text, quoted, value, ax_value }.apply(node, &mut table.extras);
        Some(())
    }
}

/// Notes the string or number at `start` if it is one in which nodes differ: a text, or another node.
pub(super) fn note_related(payload: &[u8], start: usize, holes: &mut Holes) {
    let before = payload.get(..start).unwrap_or_default();
    if before.ends_with(br#""value":""#) || before.ends_with(br#""text":""#) || before.ends_with(br#""idref":""#) {
        holes.push(start, Hole::Text);
    } else if before.ends_with(br#""backendDOMNodeId":"#) {
        holes.push(start, Hole::Number);
    }
}

/// `{"type":"…","value":…}` with a value that is no container; gives that one.
#[cfg_attr(not(target_family = "wasm"), inline)]
pub(super) fn plain_value(cursor: &mut Cursor<'_>) -> Option<Span> {
    cursor.expect(br#"{"type":""#)?;
    cursor.string_end()?;
    cursor.expect(br#","value":"#)?;
    let start = cursor.at();
    match cursor.byte() {
        b'"' => {
            cursor.string()?;
        }
        b't' => cursor.expect(b"true")?,
        b'f' => cursor.expect(b"false")?,
        b'n' => cursor.expect(b"null")?,
        _ => cursor.number()?,
    }
    let value = Span::new(start, cursor.at());
    cursor.expect(b"}")?;
    Some(value)
}
