//! The middle way to read a node: keys in any order, each told by its first bytes, values as Chrome writes them.
//!
//! It is also what teaches the fast way its runs, where the order of the keys is Chrome's.

use super::Scanner;
use super::bytes::Cursor;
use super::fields::{note_related, plain_value};
use super::properties;
use super::runs::{Head, Hole, Holes};
use super::sequence::backend;
use super::value;
use crate::table::{ExtraKind, Node, Span, Table};

/// The first eight bytes of each key and what follows it.
mod key {
    pub(super) const NODE_ID: u64 = u64::from_le_bytes(*b"nodeId\":");
    pub(super) const IGNORED: u64 = u64::from_le_bytes(*b"ignored\"");
    pub(super) const ROLE: u64 = u64::from_le_bytes(*b"role\":{\"");
    pub(super) const NAME: u64 = u64::from_le_bytes(*b"name\":{\"");
    pub(super) const VALUE: u64 = u64::from_le_bytes(*b"value\":{");
    pub(super) const DESCRIPTION: u64 = u64::from_le_bytes(*b"descript");
    pub(super) const PROPERTIES: u64 = u64::from_le_bytes(*b"properti");
    pub(super) const PARENT_ID: u64 = u64::from_le_bytes(*b"parentId");
    pub(super) const CHILD_IDS: u64 = u64::from_le_bytes(*b"childIds");
    pub(super) const BACKEND: u64 = u64::from_le_bytes(*b"backendD");
}

/// Which keys came: a bit each.
mod seen {
    pub(super) const NODE_ID: u32 = 1;
    pub(super) const IGNORED: u32 = 2;
    pub(super) const ROLE: u32 = 4;
    pub(super) const NAME: u32 = 8;
    pub(super) const VALUE: u32 = 16;
    pub(super) const DESCRIPTION: u32 = 32;
    pub(super) const PROPERTIES: u32 = 64;
    pub(super) const PARENT_ID: u32 = 128;
    pub(super) const CHILD_IDS: u32 = 256;
    pub(super) const BACKEND: u32 = 512;
    /// What a head settles.
    pub(super) const HEAD: u32 = NODE_ID | IGNORED | ROLE;
    /// What a tail settles.
    pub(super) const TAIL: u32 = NAME | VALUE | DESCRIPTION | PROPERTIES;
}

/// What may be learned from the node being read.
#[derive(Clone, Copy, Debug, Default)]
struct Lesson<'a> {
    /// After the digits of the id, where that is the first key.
    head: Option<Cursor<'a>>,
    /// After the name, where a head ended at it, and the keys that were in that head.
    tail: Option<(usize, u32)>,
    /// Texts in the sources of the name.
    holes: Holes,
}

impl Scanner {
    /// Reads the node whose object begins at `cursor`; `None` where anything is not as Chrome writes it.
    pub(super) fn dispatch_node<'a>(
        &mut self,
        payload: &'a [u8],
        cursor: &mut Cursor<'a>,
        table: &mut Table,
    ) -> Option<Node> {
        let mut node = self.blank_node(table);
        let mut seen = 0;
        let mut lesson = Lesson::default();
        cursor.expect(b"{")?;
        loop {
            cursor.expect(b"\"")?;
            let bit = match cursor.word()? {
                key::NODE_ID => {
                    cursor.skip(b"nodeId\":".len());
                    let start = cursor.at();
                    node.id = self.id(payload, cursor)?;
                    let quote = cursor.at() - 1;
                    if quote == start + 1 {
                        return None;
                    }
                    if seen == 0 {
                        lesson.head = Some(Cursor::start_of(payload, Span::new(quote, quote)));
                    }
                    seen::NODE_ID
                }
                key::IGNORED => {
                    node.ignored = !cursor.accept(b"ignored\":false");
                    if node.ignored {
                        cursor.expect(b"ignored\":true")?;
                    }
                    seen::IGNORED
                }
                key::ROLE => {
                    cursor.skip(b"role\":".len());
                    node.role = self.role(payload, cursor, table)?;
                    seen::ROLE
                }
                key::NAME => {
                    cursor.skip(b"name\":".len());
                    self.name(payload, cursor, &mut node, seen, &mut lesson)?;
                    seen::NAME
                }
                key::VALUE => {
                    cursor.skip(b"value\":".len());
                    node.value = present(payload, plain_value(cursor)?);
                    seen::VALUE
                }
                key::DESCRIPTION => {
                    cursor.expect(b"description\":")?;
                    let description = present(payload, plain_value(cursor)?);
                    properties::keep(&mut node, &mut table.extras, ExtraKind::Description, description);
                    seen::DESCRIPTION
                }
                key::PROPERTIES => {
                    cursor.expect(b"properties\":[")?;
                    self.properties(payload, cursor, (&mut node, table), &mut lesson.holes)?;
                    seen::PROPERTIES
                }
                key::PARENT_ID => {
                    cursor.expect(b"parentId\":")?;
                    self.learn(payload, cursor.at() + 1, &node, seen, &lesson, table);
                    node.parent_id = self.id(payload, cursor)?;
                    seen::PARENT_ID
                }
                key::CHILD_IDS => {
                    cursor.expect(b"childIds\":[")?;
                    node.child_count = self.child_ids(payload, cursor)?;
                    seen::CHILD_IDS
                }
                key::BACKEND => {
                    cursor.expect(b"backendDOMNodeId\":")?;
                    node.backend = backend(cursor)?;
                    seen::BACKEND
                }
                _ => {
                    self.other(payload, cursor)?;
                    0
                }
            };
            if seen & bit != 0 {
                return None;
            }
            seen |= bit;
            if !cursor.accept(b",") {
                break;
            }
        }
        cursor.expect(b"}")?;
        (seen & seen::NODE_ID != 0).then_some(node)
    }

    /// A key that says nothing to us, and its value.
    fn other(&mut self, payload: &[u8], cursor: &mut Cursor<'_>) -> Option<()> {
        let start = cursor.at();
        let key = Span::new(start, cursor.string_end()?).of(payload);
        // A known key may hide behind escapes, or have a value of another type.
        if matches!(key, b"role" | b"name" | b"value") || key.contains(&b'\\') {
            return None;
        }
        cursor.expect(b":")?;
        value::skip(cursor, &mut self.nesting)?;
        Some(())
    }

    /// `{"type":"computedString","value":"…","sources":[…]}`, the sources where there are any.
    fn name<'a>(
        &mut self,
        payload: &'a [u8],
        cursor: &mut Cursor<'a>,
        node: &mut Node,
        seen: u32,
        lesson: &mut Lesson<'a>,
    ) -> Option<()> {
        cursor.expect(br#"{"type":"computedString","value":""#)?;
        let start = cursor.at();
        let end = cursor.string_end()?;
        node.name = Span::new(start, end);
        if seen & !seen::HEAD == 0
            && let Some(head) = lesson.head
        {
            let run = Span::new(head.at(), start).of(payload);
            self.runs.learn_head(head, run, Head { role: node.role, ignored: node.ignored, nameless: false });
            lesson.tail = Some((end + 1, seen));
        }
        if cursor.accept(b"}") {
            return Some(());
        }
        cursor.expect(br#","sources":"#)?;
        if lesson.tail.is_some() {
            value::skip_noting(cursor, &mut self.nesting, |start| note_related(payload, start, &mut lesson.holes))?;
        } else {
            value::skip(cursor, &mut self.nesting)?;
        }
        cursor.expect(b"}")
    }

    /// Learns what stands before the parent's id, which begins at `end`.
    fn learn(&mut self, payload: &[u8], end: usize, node: &Node, seen: u32, lesson: &Lesson<'_>, table: &Table) {
        let Some(head) = lesson.head else { return };
        if seen & !seen::HEAD == 0 {
            let run = Span::new(head.at(), end).of(payload);
            self.runs.learn_head(head, run, Head { role: node.role, ignored: node.ignored, nameless: true });
        }
        if let Some((tail, head)) = lesson.tail
            && seen & !seen::TAIL == head
            && let Some(holes) = all_holes(payload, node, lesson.holes, table)
        {
            // A tail that is too long is none.
            let _ = self.runs.learn_tail(payload, (tail, end), &holes, node);
        }
    }
}

/// The holes of a node's tail: those noted as it was read, and what is kept of it.
fn all_holes(payload: &[u8], node: &Node, mut holes: Holes, table: &Table) -> Option<Holes> {
    let extras = table.extras.get(node.extras as usize..)?;
    if !extras.is_sorted_by_key(|extra| extra.span.start) {
        return None;
    }
    let values = [(node.value, Hole::Value)].into_iter().filter(|(span, _)| !span.is_none());
    for (span, hole) in values.chain(extras.iter().map(|extra| (extra.span, Hole::Extra(extra.kind)))) {
        match (span.of(payload).first()?, hole) {
            (b'"' | b'-' | b'0'..=b'9', hole) => holes.push(span.start as usize, hole),
            (b'{', Hole::Extra(kind)) => {
                holes.push(span.start as usize, Hole::Open);
                holes.push(span.end as usize, Hole::Close(kind));
            }
            _ => return None,
        }
    }
    (!holes.are_spoiled()).then_some(holes)
}

/// The value, none for null.
fn present(payload: &[u8], value: Span) -> Span {
    if value.of(payload) == b"null" { Span::NONE } else { value }
}
