//! The view: what an agent reads. Markdown-like text in reading order, every control with its handle.
//!
//! [`page`] takes the tree's nodes over with their text decoded, [`survey`] finds out what each holds, [`writer`] walks
//! them once and makes [`lines`], [`finish`] does what needs all of them, and here they are put together. Each step is
//! linear in the payload. Where a query or a budget asks for less, [`selection`] prints a part of the lines: [`query`]
//! finds what answers, [`budget`] what fits. The grammar's rules stand where their kind of line is made;
//! `crate::roles` says which role is of which kind.

mod budget;
mod control;
mod covers;
mod delta;
mod escape;
mod extras;
mod finish;
mod frames;
mod joined;
mod lines;
mod options;
mod page;
mod picks;
mod print;
mod query;
mod ranks;
mod run;
mod score;
mod selection;
mod survey;
mod terms;
mod words;
mod writer;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Error, ErrorKind};
use crate::reader::Reader;

pub use delta::{Change, ChangeKind, Delta, DeltaKind};
pub use options::{Frame, Snapshot, Uid, ViewOptions};
pub use selection::LeftOut;

/// A view, lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The text: lines joined by `\n`, none at the end.
    pub text: &'a str,
    /// The uids in the text, in the order in which they stand there, and no others.
    pub uids: &'a [Uid],
    /// Nodes of all payloads, repeats included.
    pub nodes: usize,
    /// Frames of the snapshot that no element of the page holds: they are not in the view.
    pub frames_left_out: usize,
    /// What of the full view is not in this one, because of a query or a budget.
    pub left_out: LeftOut,
}

/// What was read for a view.
struct Read {
    nodes: usize,
    frames_left_out: usize,
}

/// What a view is made with, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    page: page::Page,
    marked: page::Marked,
    frames: frames::Frames,
    desk: writer::Desk,
    delta: delta::Scratch,
    selection: selection::Selection,
    text: String,
    /// Byte ranges of nodes.
    ranges: Vec<Range<usize>>,
}

impl Scratch {
    /// Makes the view of a page.
    pub(crate) fn view(
        &mut self,
        reader: &mut Reader,
        snapshot: &Snapshot<'_>,
        options: &ViewOptions<'_>,
    ) -> Result<View<'_>, Error> {
        if options.max_bytes.is_some_and(|most| most < budget::LEAST) {
            return Err(Error::new(ErrorKind::BudgetTooSmall, 0));
        }
        let Read { nodes, frames_left_out } = self.read(reader, snapshot, options)?;
        let items = self.lay_out(options)?;
        let Self { page, desk, selection, text, .. } = self;
        let lines = &desk.lines;
        let limit = reader.limits.output_bytes;
        let Some(left_out) = selection.write(page, items, lines, options, limit, text)? else {
            print::print(lines, limit, text)?;
            return Ok(View { text, uids: &lines.uids, nodes, frames_left_out, left_out: LeftOut::default() });
        };
        Ok(View { text, uids: &selection.uids, nodes, frames_left_out, left_out })
    }

    /// The byte ranges of the payload's nodes that answer a query.
    pub(crate) fn nodes(&mut self, reader: &mut Reader, payload: &[u8], query: &str) -> Result<&[Range<usize>], Error> {
        self.read(reader, &Snapshot::from(payload), &ViewOptions::default())?;
        self.ranges.clear();
        if self.selection.query.set(query) {
            self.selection.query.nodes(&self.page, &reader.table.places, &mut self.ranges);
        }
        Ok(&self.ranges)
    }

    /// Takes over the page's documents and surveys them.
    fn read(&mut self, reader: &mut Reader, snapshot: &Snapshot<'_>, options: &ViewOptions<'_>) -> Result<Read, Error> {
        self.marked.set(options);
        self.page.clear();
        self.frames.clear();
        reader.scan(snapshot.payload)?;
        self.page.read(snapshot.payload, reader, 0, &self.marked);
        let own = self.page.items.len();
        let mut nodes = reader.table.nodes.len();
        for frame in snapshot.frames {
            let first = self.page.items.len();
            reader.scan(frame.payload)?;
            nodes += reader.table.nodes.len();
            if nodes > reader.limits.nodes {
                return Err(Error::new(ErrorKind::TooManyNodes, 0));
            }
            self.page.read(frame.payload, reader, frame.number, &self.marked);
            self.frames.add(&self.page, frame.owner, first);
        }
        let frames_left_out = self.frames.graft(&mut self.page, own);
        self.page.survey();
        Ok(Read { nodes, frames_left_out })
    }

    /// Makes the lines, of the whole page or of the subtree that is asked for; gives the items that they are made of.
    fn lay_out(&mut self, options: &ViewOptions<'_>) -> Result<Range<usize>, Error> {
        let items = match options.root {
            None => 0..self.page.items.len(),
            Some(root) => {
                let is_root = |item: &&page::Item| item.backend == root.node && item.uid.frame == root.frame;
                let found = self.page.items.iter().find(is_root).filter(|_| root.node != 0);
                let found = found.ok_or(Error::new(ErrorKind::UnknownRoot, 0))?;
                found.index as usize..found.end as usize
            }
        };
        self.page.find_button_tables(items.clone());
        self.desk.write(&self.page, items.clone(), options);
        self.desk.lines.finish(&self.page);
        Ok(items)
    }
}
