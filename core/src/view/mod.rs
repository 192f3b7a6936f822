//! The view: what an agent reads. Markdown-like text in reading order, every control with its handle.
//!
//! [`page`] takes the tree's nodes over with their text decoded, [`survey`] finds out what each holds, [`writer`] walks
//! them once and makes [`lines`], [`finish`] does what needs all of them, and here they are put together. Each step is
//! linear in the payload. The grammar's rules stand where their kind of line is made; `crate::roles` says which role is
//! of which kind.

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
mod print;
mod run;
mod survey;
mod words;
mod writer;

use alloc::string::String;

use crate::error::{Error, ErrorKind};
use crate::reader::Reader;

pub use delta::{Change, ChangeKind, Delta, DeltaKind};
pub use options::{Frame, Snapshot, Uid, ViewOptions};

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
    text: String,
}

impl Scratch {
    /// Makes the view of a page.
    pub(crate) fn view(
        &mut self,
        reader: &mut Reader,
        snapshot: &Snapshot<'_>,
        options: &ViewOptions<'_>,
    ) -> Result<View<'_>, Error> {
        let read = self.read(reader, snapshot, options)?;
        self.lay_out(options)?;
        print::print(&self.desk.lines, reader.limits.output_bytes, &mut self.text)?;
        Ok(View {
            text: &self.text,
            uids: &self.desk.lines.uids,
            nodes: read.nodes,
            frames_left_out: read.frames_left_out,
        })
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

    /// Makes the lines, of the whole page or of the subtree that is asked for.
    fn lay_out(&mut self, options: &ViewOptions<'_>) -> Result<(), Error> {
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
        self.desk.write(&self.page, items, options);
        self.desk.lines.finish(&self.page);
        Ok(())
    }
}
