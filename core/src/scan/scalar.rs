//! The plain way to read a node: any key order, white space, duplicate keys, values of any type.
//!
//! First the node's object is passed over, validated, and the place of each value that counts is noted: the last one
//! for a key that stands there twice. Then those values are read. Every other way to read a node must give what this
//! one gives.

use super::Scanner;
use super::bytes::Cursor;
use super::properties::{self, Property};
use super::value::{self, Walk};
use crate::table::{ExtraKind, NO_ID, Node, Span, Table};

/// Where a node's values are.
#[derive(Debug, Default)]
struct Places {
    node_id: Span,
    parent_id: Span,
    child_ids: Span,
    backend: Span,
    ignored: Span,
    role: Span,
    name: Span,
    value: Span,
    description: Span,
    properties: Span,
}

impl Places {
    /// The place for the value of this key, decoded.
    fn of(&mut self, key: &[u8]) -> Option<&mut Span> {
        Some(match key {
            b"nodeId" => &mut self.node_id,
            b"parentId" => &mut self.parent_id,
            b"childIds" => &mut self.child_ids,
            b"backendDOMNodeId" => &mut self.backend,
            b"ignored" => &mut self.ignored,
            b"role" => &mut self.role,
            b"name" => &mut self.name,
            b"value" => &mut self.value,
            b"description" => &mut self.description,
            b"properties" => &mut self.properties,
            _ => return None,
        })
    }
}

impl Scanner {
    /// Reads the node whose object begins at `cursor`. A node without a valid id has [`NO_ID`].
    pub(super) fn scalar_node(&mut self, payload: &[u8], cursor: &mut Cursor<'_>, table: &mut Table) -> Option<Node> {
        let places = self.places(payload, cursor)?;
        let mut node = self.blank_node(table);
        node.id = match value::string_content(payload, places.node_id) {
            Some(id) if id.start < id.end => self.ids.key(id.of(payload)),
            _ => NO_ID,
        };
        node.parent_id =
            value::string_content(payload, places.parent_id).map_or(NO_ID, |id| self.ids.key(id.of(payload)));
        node.backend = backend(places.backend.of(payload));
        node.ignored = places.ignored.of(payload) == b"true";
        if let Some(role) = value::string_content(payload, self.ax_value(payload, places.role)) {
            node.role = self.roles.role(role.of(payload), &mut table.roles);
        }
        node.name = value::string_content(payload, self.ax_value(payload, places.name)).unwrap_or_default();
        node.value = self.ax_value(payload, places.value);
        let description = self.ax_value(payload, places.description);
        properties::keep(&mut node, &mut table.extras, ExtraKind::Description, description);
        self.scalar_properties(payload, places.properties, &mut node, table);
        self.scalar_children(payload, places.child_ids, &mut node);
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
            let key = value::key(cursor)?;
            let value = value::skip(cursor, &mut self.nesting)?;
            if let Some(place) = places.of(value::plain(key.of(payload), &mut self.text)) {
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

    /// The `value` of the AX value at `span`; none where it is absent or null, or no object stands there.
    pub(super) fn ax_value(&mut self, payload: &[u8], span: Span) -> Span {
        let mut found = Span::NONE;
        let Some(mut members) = Walk::object(payload, span) else { return found };
        while let Some((key, value)) = members.member(&mut self.nesting) {
            if value::plain(key.of(payload), &mut self.text) == b"value" {
                found = value;
            }
        }
        if found.of(payload) == b"null" { Span::NONE } else { found }
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
            match value::plain(key.of(payload), &mut self.text) {
                b"name" => name = value,
                b"value" => ax_value = value,
                _ => {}
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
fn backend(raw: &[u8]) -> u64 {
    if raw.len() > 16 || !raw.iter().all(u8::is_ascii_digit) {
        return 0;
    }
    let number = raw.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    if number <= 1 << 53 { number } else { 0 }
}
