//! The fields of a node as Chrome writes them: no white space, keys in Chrome's order, no escapes where none are needed.
//!
//! Each of these takes the place right after a field's colon (or what its comment says) and passes over the field's
//! value. `None` does not mean that the payload is wrong, only that this is not how Chrome writes it.

#![allow(clippy::inline_always, reason = "as in `bytes`")]

use super::Scanner;
use super::bytes::Cursor;
use super::properties::Property;
use super::value;
use crate::roles::{FOCUSABLE, RoleId};
use crate::table::{Node, Span, Table};

impl Scanner {
    /// `"…"`: an id.
    #[inline(always)]
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
    #[inline(always)]
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

    /// The properties after the opening bracket.
    pub(super) fn properties(
        &mut self,
        payload: &[u8],
        cursor: &mut Cursor<'_>,
        node: &mut Node,
        table: &mut Table,
    ) -> Option<()> {
        if cursor.accept(b"]") {
            return Some(());
        }
        loop {
            if cursor.accept(br#"{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}"#) {
                node.states |= FOCUSABLE;
            } else {
                let start = *cursor;
                if self.plain_property(payload, cursor, node, table).is_none() {
                    *cursor = start;
                    let property = value::skip(cursor, &mut self.nesting)?;
                    self.scalar_property(payload, property, node, table);
                }
            }
            if !cursor.accept(b",") {
                return cursor.expect(b"]");
            }
        }
    }

    /// `{"name":"…","value":{"type":"…","value":…}}` with a value that is no container.
    fn plain_property(
        &mut self,
        payload: &[u8],
        cursor: &mut Cursor<'_>,
        node: &mut Node,
        table: &mut Table,
    ) -> Option<()> {
        cursor.expect(br#"{"name":""#)?;
        let start = cursor.at();
        let name = Span::new(start, cursor.string_end()?).of(payload);
        cursor.expect(br#","value":"#)?;
        let ax_value = cursor.at();
        let value = plain_value(cursor)?;
        let ax_value = Span::new(ax_value, cursor.at());
        cursor.expect(b"}")?;
        let raw = value.of(payload);
        let (text, quoted) = match raw {
            [b'"', text @ .., b'"'] => (Some(text), true),
            b"null" => (None, false),
            text => (Some(text), false),
        };
        if name.contains(&b'\\') {
            return None;
        }
        let text = text.map(|text| value::plain(text, &mut self.value_text));
        let value = if text.is_none() { Span::NONE } else { value };
        Property { name, text, quoted, value, ax_value }.apply(node, &mut table.extras);
        Some(())
    }
}

/// `{"type":"…","value":…}` with a value that is no container; gives that one.
#[inline]
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
