//! The trimmed tree: repeated text dropped, and nodes merged with an only child of their role.
//!
//! An array in preorder, as the tree is. A node that absorbs its only child stands right before it, so that all that
//! was merged into an item stands between it and its `next`, which is where its children begin; without children it
//! is what comes after it.

use alloc::string::String;
use alloc::vec::Vec;

use super::writer::{is_blank, one_line};
use crate::roles::RoleId;
use crate::table::{NONE, Span, Table};
use crate::text::decode;
use crate::tree::{Entry, Tree};

/// A name or value of more code points is not searched for the texts below it.
const SEARCHED_CODE_POINTS: usize = 4096;

/// A node of the trimmed tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) row: u32,
    /// Its parent's item, or [`NONE`].
    pub(super) parent: u32,
    /// The item after it and all that was merged into it.
    pub(super) next: u32,
    pub(super) children: u32,
    /// Body of the name, none where there is nothing but white space in it.
    pub(super) name: Span,
    /// Raw value, none where it is null.
    pub(super) value: Span,
    /// `backendDOMNodeId`, or 0.
    pub(super) backend: u64,
    pub(super) role: RoleId,
    /// Set when it is printed: the level at which its children stand.
    pub(super) level: u32,
}

/// The texts in which what is below a named node is searched.
#[derive(Clone, Copy, Debug)]
struct Named {
    /// The entry after the last one below it.
    end: u32,
    name: Span,
    value: Span,
    /// Where its texts begin and end in `said`, once a text was searched in them: the name, then the value.
    texts: Option<(usize, usize, usize)>,
}

/// The items, and what making them takes; kept for the next call.
#[derive(Debug, Default)]
pub(super) struct Trim {
    pub(super) items: Vec<Item>,
    /// The item of each entry.
    placed: Vec<u32>,
    /// The named nodes above the entry at hand, and the texts of those that were searched.
    named: Vec<Named>,
    said: String,
    text: String,
}

impl Trim {
    /// Makes the items of a tree.
    pub(super) fn trim(&mut self, payload: &[u8], table: &Table, tree: &Tree, dedup_text: bool) {
        self.items.clear();
        if dedup_text {
            self.add_unsaid(payload, table, tree);
        } else {
            for entry in &tree.entries {
                self.add(payload, table, entry.row, entry.parent);
            }
        }
        self.absorb();
    }

    /// Adds the item of a row.
    #[inline]
    fn add(&mut self, payload: &[u8], table: &Table, row: u32, parent: u32) {
        let Some(node) = table.nodes.get(row as usize) else { return };
        if let Some(above) = self.items.get_mut(parent as usize) {
            above.children += 1;
        }
        let name = if is_blank(node.name.of(payload)) { Span::NONE } else { node.name };
        let (value, backend, role, next) = (node.value, node.backend, node.role, self.items.len() as u32 + 1);
        self.items.push(Item { row, parent, next, children: 0, name, value, backend, role, level: 0 });
    }

    /// Adds the items of a tree, without the texts that the name or value of what they stand in already says.
    fn add_unsaid(&mut self, payload: &[u8], table: &Table, tree: &Tree) {
        self.placed.clear();
        self.placed.resize(tree.entries.len(), NONE);
        self.named.clear();
        self.said.clear();
        let mut index = 0;
        while let Some(&Entry { row, parent, end }) = tree.entries.get(index) {
            while let Some(&Named { texts, .. }) = self.named.last().filter(|named| named.end as usize <= index) {
                if let Some((start, ..)) = texts {
                    self.said.truncate(start);
                }
                self.named.pop();
            }
            let Some(node) = table.nodes.get(row as usize) else { return };
            let name = node.name.of(payload);
            let dropped = match table.roles.name(node.role) {
                "InlineTextBox" => true,
                "StaticText" => is_blank(name) || self.is_said(payload, name),
                _ => false,
            };
            if dropped {
                index = end as usize;
                continue;
            }
            if let Some(place) = self.placed.get_mut(index) {
                *place = self.items.len() as u32;
            }
            let parent = self.placed.get(parent as usize).copied().unwrap_or(NONE);
            self.add(payload, table, row, parent);
            if !is_blank(name) && !node.role.role().skipped {
                self.named.push(Named { end, name: node.name, value: node.value, texts: None });
            }
            index += 1;
        }
    }

    /// Whether the nearest named node's name or value contains the text of this name. Each named node is read once,
    /// when it is the nearest for the first time: its texts then are the last ones, and go when it does.
    fn is_said(&mut self, payload: &[u8], name: &[u8]) -> bool {
        let Some(named) = self.named.last_mut() else { return false };
        let said = &mut self.said;
        let (start, middle, end) = *named.texts.get_or_insert_with(|| {
            let start = said.len();
            one_line(named.name.of(payload), said);
            forget_long(said, start);
            let middle = said.len();
            if let [b'"', body @ .., b'"'] = named.value.of(payload) {
                decode(body, said);
                forget_long(said, middle);
            }
            (start, middle, said.len())
        });
        self.text.clear();
        one_line(name, &mut self.text);
        let contains = |from, to| said.get(from..to).is_some_and(|text| text.contains(&self.text));
        contains(start, middle) || contains(middle, end)
    }

    /// Merges each item that has an only child with its role with that child, from the last one up.
    fn absorb(&mut self) {
        for index in (0..self.items.len()).rev() {
            let Some(&Item { children: 1, next, role, .. }) = self.items.get(index) else { continue };
            let Some(&only) = self.items.get(next as usize).filter(|only| only.role == role) else { continue };
            let Some(item) = self.items.get_mut(index) else { continue };
            if item.name.is_none() {
                item.name = only.name;
            }
            if item.value.is_none() {
                item.value = only.value;
            }
            if item.backend == 0 {
                item.backend = only.backend;
            }
            (item.children, item.next) = (only.children, only.next);
        }
    }
}

/// Takes the text from `start` on out again where it is too long to be searched.
fn forget_long(said: &mut String, start: usize) {
    if said.get(start..).is_some_and(|text| text.chars().nth(SEARCHED_CODE_POINTS).is_some()) {
        said.truncate(start);
    }
}
