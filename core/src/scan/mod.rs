//! The scanner: a payload's bytes into the node table.
//!
//! Every byte is validated, those of values that no one asks for too. What is wrong is reported in this order: the
//! payload is no JSON; its shape is another; a node has no id. A payload's first two mean that nothing of it counts.

#![allow(clippy::inline_always, reason = "as in `bytes`")]

mod bytes;
mod dispatch;
mod fields;
mod ids;
mod offset;
mod properties;
mod role;
mod runs;
mod scalar;
mod sequence;
#[cfg(test)]
mod tests;
mod value;

use alloc::string::String;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::table::{NO_ID, Node, Span, Table};
use bytes::Cursor;
use ids::Ids;
use role::RoleReader;
use runs::Runs;
use value::Nesting;

pub(crate) use scalar::backend;

/// What the scanner keeps from one payload to the next: memory only, nothing that a result could depend on.
#[derive(Debug, Default)]
pub(crate) struct Scanner {
    ids: Ids,
    roles: RoleReader,
    runs: Runs,
    nesting: Nesting,
    text: String,
    value_text: String,
    /// Only the plain way is taken: what the fast ones are tested against.
    #[cfg(test)]
    plain_only: bool,
}

/// What is wrong with a payload that is JSON: the place of the first value of another shape, and of the first node
/// without an id.
#[derive(Debug, Default)]
struct Faults {
    shape: Option<usize>,
    node_id: Option<usize>,
}

/// Why reading ends early.
#[derive(Debug)]
enum Stop {
    /// This is no JSON.
    Syntax,
    /// The node at this offset is one too many.
    Nodes(usize),
}

impl Scanner {
    /// Reads `payload` into `table`.
    pub(crate) fn scan(&mut self, payload: &[u8], limits: &Limits, table: &mut Table) -> Result<(), Error> {
        let most = limits.input_bytes.min(u32::MAX as usize);
        if payload.len() > most {
            return Err(Error::new(ErrorKind::PayloadTooLarge, most));
        }
        let mut faults = Faults::default();
        self.clear(table);
        match self.envelope(payload, limits, table, &mut faults) {
            Ok(()) => {}
            Err(Stop::Nodes(at)) => return Err(Error::new(ErrorKind::TooManyNodes, at)),
            Err(Stop::Syntax) => {
                let offset = offset::first_fault(payload, &mut self.nesting);
                debug_assert!(offset.is_some(), "both validations agree");
                return Err(Error::new(ErrorKind::InvalidJson, offset.unwrap_or(payload.len())));
            }
        }
        if let Some(at) = faults.shape {
            return Err(Error::new(ErrorKind::NotAxPayload, at));
        }
        if let Some(at) = faults.node_id {
            return Err(Error::new(ErrorKind::InvalidNodeId, at));
        }
        self.ids.resolve(table);
        Ok(())
    }

    /// A scanner that takes the plain way only.
    #[cfg(test)]
    fn plain() -> Self {
        Self { plain_only: true, ..Self::default() }
    }

    /// Makes all ready for an array of nodes.
    fn clear(&mut self, table: &mut Table) {
        self.ids.clear();
        self.roles.clear();
        self.runs.begin();
        table.nodes.clear();
        table.places.clear();
        table.children.clear();
        table.extras.clear();
        table.roots.clear();
        table.repeats = 0;
        table.roles.clear();
    }

    /// Reads the bare array, or the object around it. Its other keys are normal; the last `nodes` counts.
    fn envelope(
        &mut self,
        payload: &[u8],
        limits: &Limits,
        table: &mut Table,
        faults: &mut Faults,
    ) -> Result<(), Stop> {
        let mut cursor = Cursor::new(payload);
        cursor.accept(b"\xEF\xBB\xBF");
        cursor.space();
        let start = cursor.at();
        if cursor.accept(b"{") {
            faults.shape = Some(start);
            cursor.space();
            if !cursor.accept(b"}") {
                loop {
                    let key = value::key(&mut cursor).ok_or(Stop::Syntax)?;
                    if value::is(key.of(payload), b"nodes", &mut self.text) {
                        *faults = Faults::default();
                        self.clear(table);
                        self.array(payload, &mut cursor, limits, table, faults)?;
                    } else {
                        value::skip(&mut cursor, &mut self.nesting).ok_or(Stop::Syntax)?;
                    }
                    cursor.space();
                    if cursor.accept(b"}") {
                        break;
                    }
                    cursor.expect(b",").ok_or(Stop::Syntax)?;
                    cursor.space();
                }
            }
        } else {
            self.array(payload, &mut cursor, limits, table, faults)?;
        }
        cursor.space();
        if cursor.is_at_end() { Ok(()) } else { Err(Stop::Syntax) }
    }

    /// Reads the array of nodes; notes what else stands in its place or in the place of a node.
    fn array<'a>(
        &mut self,
        payload: &'a [u8],
        cursor: &mut Cursor<'a>,
        limits: &Limits,
        table: &mut Table,
        faults: &mut Faults,
    ) -> Result<(), Stop> {
        cursor.space();
        if !cursor.accept(b"[") {
            let value = value::skip(cursor, &mut self.nesting).ok_or(Stop::Syntax)?;
            faults.shape = Some(value.start as usize);
            return Ok(());
        }
        cursor.space();
        if cursor.accept(b"]") {
            return Ok(());
        }
        loop {
            let start = cursor.at();
            if cursor.byte() == b'{' {
                if table.nodes.len() >= limits.nodes {
                    return Err(Stop::Nodes(start));
                }
                let node = self.node(payload, cursor, table).ok_or(Stop::Syntax)?;
                if node.id == NO_ID {
                    faults.node_id.get_or_insert(start);
                }
                self.ids.include(node.id);
                table.nodes.push(node);
                table.places.push(Span::new(start, cursor.at()));
            } else {
                value::skip(cursor, &mut self.nesting).ok_or(Stop::Syntax)?;
                faults.shape.get_or_insert(start);
            }
            cursor.space();
            if cursor.accept(b"]") {
                return Ok(());
            }
            cursor.expect(b",").ok_or(Stop::Syntax)?;
            cursor.space();
        }
    }

    /// Reads a node in the fastest way that can: each begins it afresh.
    #[inline(always)]
    fn node<'a>(&mut self, payload: &'a [u8], cursor: &mut Cursor<'a>, table: &mut Table) -> Option<Node> {
        #[cfg(test)]
        if self.plain_only {
            return self.scalar_node(payload, cursor, table);
        }
        let start = (*cursor, self.ids.mark(), table.extras.len());
        let (node, end) = match self.sequence_node(*cursor, table) {
            Some(read) => read,
            None => self.uncommon_node(payload, start, table)?,
        };
        *cursor = end;
        Some(node)
    }

    /// Reads a node that is not the common one.
    #[inline(never)]
    fn uncommon_node<'a>(
        &mut self,
        payload: &'a [u8],
        start: (Cursor<'a>, ids::Mark, usize),
        table: &mut Table,
    ) -> Option<(Node, Cursor<'a>)> {
        let mut cursor = self.back_to(start, table);
        if let Some(node) = self.dispatch_node(payload, &mut cursor, table) {
            return Some((node, cursor));
        }
        cursor = self.back_to(start, table);
        let node = self.scalar_node(payload, &mut cursor, table)?;
        Some((node, cursor))
    }

    /// Drops the ids and extras of a node that was given up.
    fn back_to<'a>(&mut self, start: (Cursor<'a>, ids::Mark, usize), table: &mut Table) -> Cursor<'a> {
        let (cursor, ids, extras) = start;
        self.ids.back_to(ids);
        table.extras.truncate(extras);
        cursor
    }

    /// A node of which nothing is known but where its children and extras will stand.
    fn blank_node(&self, table: &Table) -> Node {
        Node { children: self.ids.children.len() as u32, extras: table.extras.len() as u32, ..Node::EMPTY }
    }
}
