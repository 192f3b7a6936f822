//! Frames: each document is set under the element that holds it, to any depth.

use alloc::vec::Vec;

use super::options::Uid;
use super::page::{Item, Page};
use crate::roles::Kind;
use crate::table::NONE;

/// A document among the page's items, until it is in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document {
    /// The element that holds it.
    owner: Uid,
    first: u32,
    end: u32,
    placed: bool,
}

/// The documents of a page's frames. Kept for the next view: its vectors are reused.
#[derive(Debug, Default)]
pub(super) struct Frames {
    documents: Vec<Document>,
    items: Vec<Item>,
    /// Where each item went.
    moved: Vec<u32>,
    /// Documents that are being laid out: the next item of each, its end, and its owner's new place.
    open: Vec<(u32, u32, u32)>,
}

impl Frames {
    pub(super) fn clear(&mut self) {
        self.documents.clear();
    }

    /// A document whose items are the page's from `first` on.
    pub(super) fn add(&mut self, page: &Page, owner: Uid, first: usize) {
        self.documents.push(Document { owner, first: first as u32, end: page.items.len() as u32, placed: false });
    }

    /// Sets the documents behind the page's own `own` items under their owners; gives how many have none.
    pub(super) fn graft(&mut self, page: &mut Page, own: usize) -> usize {
        if self.documents.is_empty() {
            return 0;
        }
        // Of two documents of one owner the first that was given counts. A stable sort would allocate.
        self.documents.sort_unstable_by_key(|document| (document.owner, document.first));
        self.items.clear();
        self.items.reserve(page.items.len()); // the two lists change places
        self.moved.clear();
        self.moved.resize(page.items.len(), NONE);
        self.open.clear();
        self.open.push((0, own as u32, NONE));
        while let Some((next, end, owner)) = self.open.pop() {
            if next >= end {
                continue;
            }
            self.open.push((next + 1, end, owner));
            let Some(mut item) = page.item(next).copied() else { continue };
            let is_document = owner != NONE && item.kind == Kind::Root && item.parent == NONE;
            if is_document {
                // The frame's own line stands for its document.
                self.name_frame(owner, &item);
                self.set_moved(next, owner);
                continue;
            }
            let index = self.items.len() as u32;
            self.set_moved(next, index);
            item.parent = if item.parent == NONE {
                owner
            } else {
                self.moved.get(item.parent as usize).copied().unwrap_or(owner)
            };
            item.index = index;
            item.end = index + 1;
            let document = self.document_of(&item);
            item.read = document.is_some();
            self.items.push(item);
            if let Some((first, end)) = document {
                self.open.push((first, end, index));
            }
        }
        for index in (0..self.items.len()).rev() {
            let Some(&Item { parent, end, .. }) = self.items.get(index) else { continue };
            if let Some(above) = self.items.get_mut(parent as usize) {
                above.end = above.end.max(end);
            }
        }
        core::mem::swap(&mut page.items, &mut self.items);
        self.documents.iter().filter(|document| !document.placed).count()
    }

    /// The items of the document that this one holds, the first time it is asked for.
    fn document_of(&mut self, item: &Item) -> Option<(u32, u32)> {
        if item.kind != Kind::Frame || item.backend == 0 {
            return None;
        }
        let owner = Uid { frame: item.uid.frame, node: item.backend };
        let at = self.documents.partition_point(|document| document.owner < owner);
        let document = self.documents.get_mut(at).filter(|document| document.owner == owner && !document.placed)?;
        document.placed = true;
        Some((document.first, document.end))
    }

    /// A frame without a name has its document's title.
    fn name_frame(&mut self, owner: u32, document: &Item) {
        if let Some(frame) = self.items.get_mut(owner as usize).filter(|frame| frame.name.is_empty()) {
            frame.name = document.name;
        }
    }

    fn set_moved(&mut self, from: u32, to: u32) {
        if let Some(place) = self.moved.get_mut(from as usize) {
            *place = to;
        }
    }
}
