//! The fast way to read a node: the order of Chrome's keys, with runs of bytes that are known.

#![allow(clippy::inline_always, reason = "as in `bytes`")]

use super::Scanner;
use super::bytes::Cursor;
use crate::table::{Node, Span, Table};

impl Scanner {
    /// Reads the node whose object begins at `cursor`; `None` where a run is not known, or the order is another.
    #[inline(always)]
    pub(super) fn sequence_node<'a>(&mut self, start: Cursor<'a>, table: &mut Table) -> Option<(Node, Cursor<'a>)> {
        let mut cursor = start;
        let mut node = self.blank_node(table);
        cursor.expect(br#"{"nodeId":""#)?;
        node.id = cursor.decimal()?;
        let head = self.runs.head(&mut cursor)?;
        node.role = head.role;
        node.ignored = head.ignored;
        if !head.nameless {
            let name = cursor;
            let end = cursor.string_end()?;
            node.name = Span::new(name.at(), end);
            let tail = self.runs.tail(head.role, cursor.since(name), cursor, &mut table.extras)?;
            cursor = tail.cursor;
            node.value = tail.value;
            node.states = tail.states;
            node.level = tail.level;
            node.extra_count = (table.extras.len() - node.extras as usize) as u16;
        }
        node.parent_id = cursor.decimal()?;
        cursor.expect(br#"","childIds":["#)?;
        if !cursor.accept(b"]") {
            cursor.expect(b"\"")?;
            self.ids.children.push(cursor.decimal()?);
            while cursor.accept(br#"",""#) {
                self.ids.children.push(cursor.decimal()?);
            }
            cursor.expect(b"\"]")?;
            node.child_count = self.ids.children.len() as u32 - node.children;
        }
        if cursor.accept(br#","backendDOMNodeId":"#) {
            node.backend = backend(&mut cursor)?;
        }
        cursor.expect(b"}")?;
        Some((node, cursor))
    }
}

/// A backend node id: 1 to 2⁵³, a number of at most 15 digits.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn backend(cursor: &mut Cursor<'_>) -> Option<u64> {
    u64::try_from(cursor.decimal()?).ok().filter(|&number| number > 0)
}
