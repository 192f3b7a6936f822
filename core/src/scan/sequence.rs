//! The fast way to read a node: the order of Chrome's keys, with runs of bytes that are known.

use super::Scanner;
use super::bytes::Cursor;
use crate::table::{Node, Span, Table};

impl Scanner {
    /// Reads the node whose object begins at `cursor`; `None` where a run is not known, or the order is another.
    #[inline]
    pub(super) fn sequence_node(&mut self, payload: &[u8], cursor: &mut Cursor<'_>, table: &mut Table) -> Option<Node> {
        let mut node = self.blank_node(table);
        cursor.expect(br#"{"nodeId":""#)?;
        node.id = cursor.decimal()?;
        let head = self.runs.head(cursor)?;
        node.role = head.role;
        node.ignored = head.ignored;
        if !head.nameless {
            let start = cursor.at();
            let end = cursor.string_end()?;
            node.name = Span::new(start, end);
            let name = Span::new(start, end + 1).of(payload);
            self.runs.tail(name, cursor, &mut node, &mut table.extras)?;
        }
        node.parent_id = cursor.decimal()?;
        cursor.expect(br#"","childIds":["#)?;
        node.child_count = self.child_ids(payload, cursor)?;
        if cursor.accept(br#","backendDOMNodeId":"#) {
            node.backend = backend(cursor)?;
        }
        cursor.expect(b"}")?;
        Some(node)
    }
}

/// A backend node id: 1 to 2⁵³, a number of at most 15 digits.
#[inline]
pub(super) fn backend(cursor: &mut Cursor<'_>) -> Option<u64> {
    u64::try_from(cursor.decimal()?).ok().filter(|&number| number > 0)
}
