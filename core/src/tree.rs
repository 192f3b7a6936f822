//! The tree: which nodes there are, in reading order.
//!
//! An array in preorder: an entry's subtree is the entries from it to its `end`, its first child is the next entry,
//! a child's next sibling is at the child's `end`. No pointer is followed and nothing recurses, so depth costs
//! nothing. A node is visited once: cycles and shared children end there.

use alloc::vec::Vec;

use crate::table::{NONE, Node, Table};

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It has an entry.
    Keep,
    /// Its children stand in its place.
    Splice,
    /// Neither it nor what is below it is there.
    Drop,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// Its row in the table.
    pub(crate) row: u32,
    /// Its parent's entry, or [`NONE`].
    pub(crate) parent: u32,
    /// The entry after the last one of its subtree.
    pub(crate) end: u32,
}

/// The entries of one payload. Kept for the next call: its vectors are reused.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) entries: Vec<Entry>,
    /// Nodes visited, kept or not.
    pub(crate) reached: usize,
    stack: Vec<(u32, u32)>,
    seen: Vec<u64>,
}

impl Tree {
    /// Lays out the tree of `table`; `place` says what becomes of each node.
    pub(crate) fn build(&mut self, table: &Table, mut place: impl FnMut(&Node) -> Place) {
        self.entries.clear();
        self.stack.clear();
        self.seen.clear();
        self.seen.resize(table.nodes.len() / 64 + 1, 0);
        self.reached = 0;
        self.stack.extend(table.roots.iter().rev().map(|&row| (row, NONE)));
        while let Some((row, parent)) = self.stack.pop() {
            let Some(node) = table.nodes.get(row as usize) else { continue };
            let Some(word) = self.seen.get_mut(row as usize / 64) else { continue };
            let bit = 1 << (row % 64);
            if *word & bit != 0 {
                continue;
            }
            *word |= bit;
            self.reached += 1;
            let above = match place(node) {
                Place::Drop => continue,
                Place::Splice => parent,
                Place::Keep => {
                    let entry = self.entries.len() as u32;
                    self.entries.push(Entry { row, parent, end: entry + 1 });
                    entry
                }
            };
            let children = node.children as usize..(node.children + node.child_count) as usize;
            let children = table.children.get(children).unwrap_or_default();
            self.stack.extend(children.iter().rev().filter(|&&child| child != NONE).map(|&child| (child, above)));
        }
        self.close();
    }

    /// Sets every entry's end, from the last one up.
    fn close(&mut self) {
        for index in (0..self.entries.len()).rev() {
            let Some(&Entry { parent, end, .. }) = self.entries.get(index) else { continue };
            if let Some(above) = self.entries.get_mut(parent as usize) {
                above.end = above.end.max(end);
            }
        }
    }
}
