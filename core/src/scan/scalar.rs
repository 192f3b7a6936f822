//! The plain way to read a node: any key order, white space, duplicate keys, values of any type.
//!
//! First the node's object is passed over, validated, and the place of each value that counts is noted: the last one
//! for a key that stands there twice. Then those values are read. Every other way to read a node must give what this
//! one gives.

use super::Scanner;
use super::bytes::Cursor;
use super::properties::{self, Property};
use super::value::{self, Walk};
use crate::table::{ExtraKind, Node, Span, Table};

/// The keys that count.
#[derive(Clone, Copy, Debug)]
enum Key {
    NodeId,
    ParentId,
    ChildIds,
    Backend,
    Ignored,
    Role,
    Name,
    Value,
    Description,
    Properties,
}

impl Key {
    const COUNT: usize = 10;

    fn of(key: &[u8]) -> Option<Self> {
        Some(match key {
            b"nodeId" => Self::NodeId,
            b"parentId" => Self::ParentId,
            b"childIds" => Self::ChildIds,
            b"backendDOMNodeId" => Self::Backend,
            b"ignored" => Self::Ignored,
            b"role" => Self::Role,
            b"name" => Self::Name,
            b"value" => Self::Value,
            b"description" => Self::Description,
            b"properties" => Self::Properties,
            _ => return None,
        })
    }

    /// Whether an AX value stands behind it, of which only the `value` counts.
    fn has_ax_value(self) -> bool {
        matches!(self, Self::Role | Self::Name | Self::Value | Self::Description)
    }
}

/// Where a node's values are.
#[derive(Debug, Default)]
struct Places([Span; Key::COUNT]);

impl Places {
    fn get(&self, key: Key) -> Span {
        self.0.get(key as usize).copied().unwrap_or_default()
    }
}

impl Scanner {
    /// Reads the node whose object begins at `cursor`. A node without a valid id has [`NO_ID`](crate::table::NO_ID).
    pub(super) fn scalar_node(&mut self, payload: &[u8], cursor: &mut Cursor<'_>, table: &mut Table) -> Option<Node> {
        let places = self.places(payload, cursor)?;
        let string = |key| value::string_content(payload, places.get(key));
        let mut node = self.blank_node(table);
        if let Some(id) = string(Key::NodeId).filter(|id| id.start < id.end) {
            node.id = self.ids.key(id.of(payload));
        }
        if let Some(id) = string(Key::ParentId) {
            node.parent_id = self.ids.key(id.of(payload));
        }
        if let Some(role) = string(Key::Role) {
            node.role = self.roles.role(role.of(payload), &mut table.roles);
        }
        node.backend = backend(places.get(Key::Backend).of(payload));
        node.ignored = places.get(Key::Ignored).of(payload) == b"true";
        node.name = string(Key::Name).unwrap_or_default();
        node.value = places.get(Key::Value);
        let description = places.get(Key::Description);
        properties::keep(&mut node, &mut table.extras, ExtraKind::Description, description);
        self.scalar_properties(payload, places.get(Key::Properties), &mut node, table);
        self.scalar_children(payload, places.get(Key::ChildIds), &mut node);
        Some(node)
    }

    /// Passes over a node's object and notes where its values are.
    fn places(&mut self, payload: &[u8], cursor: &mut Cursor<'_>) -> Option<Places> {
        let mut places = Places::default();
        cursor.expect(b"{")?;
        cursor.space();
        if cursor.accept(b"}") {
            return Some(places);
        }
        loop {
            let text = value::key(cursor)?.of(payload);
            let key = Key::of(text).or_else(|| Key::of(value::plain(text, &mut self.text)));
            let value = match key {
                Some(key) if key.has_ax_value() => self.pass_ax_value(payload, cursor)?,
                _ => value::skip(cursor, &mut self.nesting)?,
            };
            if let Some(place) = key.and_then(|key| places.0.get_mut(key as usize)) {
                *place = value;
            }
            cursor.space();
            if cursor.accept(b"}") {
                return Some(places);
            }
            cursor.expect(b",")?;
            cursor.space();
        }
    }

    /// Passes over an AX value; gives its `value`: none where that is absent or null, or no object stands here.
    fn pass_ax_value(&mut self, payload: &[u8], cursor: &mut Cursor<'_>) -> Option<Span> {
        cursor.space();
        if !cursor.accept(b"{") {
            value::skip(cursor, &mut self.nesting)?;
            return Some(Span::NONE);
        }
        let mut found = Span::NONE;
        cursor.space();
        if cursor.accept(b"}") {
            return Some(found);
        }
        loop {
            let key = value::key(cursor)?;
            let value = value::skip(cursor, &mut self.nesting)?;
            if value::is(key.of(payload), b"value", &mut self.text) {
                found = value;
            }
            cursor.space();
            if cursor.accept(b"}") {
                return Some(if found.of(payload) == b"null" { Span::NONE } else { found });
            }
            cursor.expect(b",")?;
            cursor.space();
        }
    }

    /// The same for an AX value that was validated before; none for no span.
    pub(super) fn ax_value(&mut self, payload: &[u8], span: Span) -> Span {
        if span.is_none() {
            return Span::NONE;
        }
        self.pass_ax_value(payload, &mut Cursor::start_of(payload, span)).unwrap_or_default()
    }

    fn scalar_children(&mut self, payload: &[u8], span: Span, node: &mut Node) {
        let Some(mut items) = Walk::array(payload, span) else { return };
        while let Some(item) = items.item(&mut self.nesting) {
            if let Some(id) = value::string_content(payload, item) {
                self.ids.push_child(id.of(payload));
                node.child_count += 1;
            }
        }
    }

    fn scalar_properties(&mut self, payload: &[u8], span: Span, node: &mut Node, table: &mut Table) {
        let Some(mut items) = Walk::array(payload, span) else { return };
        while let Some(item) = items.item(&mut self.nesting) {
            self.scalar_property(payload, item, node, table);
        }
    }

    /// Reads a property: `{"name": …, "value": AX value}`.
    pub(super) fn scalar_property(&mut self, payload: &[u8], span: Span, node: &mut Node, table: &mut Table) {
        let (mut name, mut ax_value) = (Span::NONE, Span::NONE);
        let Some(mut members) = Walk::object(payload, span) else { return };
        while let Some((key, value)) = members.member(&mut self.nesting) {
            if value::is(key.of(payload), b"name", &mut self.text) {
                name = value;
            } else if value::is(key.of(payload), b"value", &mut self.text) {
                ax_value = value;
            }
        }
        let Some(name) = value::string_content(payload, name) else { return };
        let value = self.ax_value(payload, ax_value);
        let content = value::string_content(payload, value);
        let raw = content.unwrap_or(value).of(payload);
        let property = Property {
            name: value::plain(name.of(payload), &mut self.text),
            text: (!value.is_none()).then(|| value::plain(raw, &mut self.value_text)),
            quoted: content.is_some(),
            value,
            ax_value: if Walk::object(payload, ax_value).is_some() { ax_value } else { Span::NONE },
        };
        property.apply(node, &mut table.extras);
    }
}

/// A backend node id: a JSON integer from 1 to 2⁵³, else 0.
pub(crate) fn backend(raw: &[u8]) -> u64 {
    if raw.len() > 16 || !raw.iter().all(u8::is_ascii_digit) {
        return 0;
    }
    let number = raw.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    if number <= 1 << 53 { number } else { 0 }
}
