//! What a payload holds, counted.

use crate::table::Table;

/// Counts of one payload, from [`Compressor::scan`](crate::Compressor::scan).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Nodes, without repeats.
    pub nodes: usize,
    /// Nodes that repeat an earlier node's id: Chrome writes some generated text twice. They are not there.
    pub repeats: usize,
    /// Nodes whose parent is absent or not in the payload: 1 for a whole page.
    pub roots: usize,
}

impl Statistics {
    pub(crate) fn of(table: &Table) -> Self {
        Self { nodes: table.nodes.len() - table.repeats, repeats: table.repeats, roots: table.roots.len() }
    }
}
