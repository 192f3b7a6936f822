//! The view: what an agent reads. Markdown-like text in reading order, every control with its handle.
//!
//! [`page`] takes the tree's nodes over with their text decoded, [`survey`] finds out what each holds, [`writer`] walks
//! them once and makes [`lines`], [`finish`] does what needs all of them, and here they are put together. Each step is
//! linear in the payload. The grammar's rules stand where their kind of line is made; `crate::roles` says which role is
//! of which kind.

mod control;
mod covers;
mod escape;
mod extras;
mod finish;
mod lines;
mod page;
mod run;
mod survey;
mod words;
mod writer;

use alloc::string::String;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::table::Table;
use crate::tree::Tree;

use lines::LineKind;

/// Deepest level of indentation: deeper lines stand there.
const LEVELS: u32 = 12;

/// How a view is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewOptions<'a> {
    /// Only what matches these words, best first, with its surroundings.
    pub query: Option<&'a str>,
    /// Most bytes of the text, 200 at least.
    pub max_bytes: Option<usize>,
    /// Backend node ids whose value and inner text are never printed.
    pub secrets: &'a [u64],
    /// Backend node ids that have a handle whatever their role.
    pub clickable: &'a [u64],
    /// Links print their address: origin and path, cut at 80 characters.
    pub urls: bool,
}

/// A handle as a view prints it: `@12`, or `@2.12` for a node in the frame that the caller numbered 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uid {
    /// The number that the caller gave the frame; 0 for the page's own process.
    pub frame: u32,
    /// `backendDOMNodeId`.
    pub node: u64,
}

/// A view, lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The text: lines joined by `\n`, none at the end.
    pub text: &'a str,
    /// The uids in the text, in the order in which they stand there, and no others.
    pub uids: &'a [Uid],
}

/// What a view is made with, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    page: page::Page,
    marked: page::Marked,
    desk: writer::Desk,
    text: String,
}

impl Scratch {
    pub(crate) fn view(
        &mut self,
        payload: &[u8],
        table: &Table,
        tree: &mut Tree,
        options: &ViewOptions<'_>,
        limits: &Limits,
    ) -> Result<View<'_>, Error> {
        self.marked.set(options.clickable, options.secrets);
        self.page.clear();
        self.page.read(payload, table, tree, 0, &self.marked);
        self.page.survey();
        self.desk.write(&self.page, options);
        self.desk.lines.finish(&self.page);
        self.print(limits)?;
        Ok(View { text: &self.text, uids: &self.desk.lines.uids })
    }

    /// Puts the lines together.
    fn print(&mut self, limits: &Limits) -> Result<(), Error> {
        self.text.clear();
        let lines = &self.desk.lines;
        for line in &lines.list {
            let (mark, text) = (lines.mark(line), lines.text(line));
            if self.text.len() + mark.len() + text.len() + LEVELS as usize + 1 > limits.output_bytes {
                return Err(Error::new(ErrorKind::OutputTooLarge, 0));
            }
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            for _ in 0..line.level.min(LEVELS) {
                self.text.push(' ');
            }
            if line.kind == LineKind::Page {
                self.text.push_str("page ");
            }
            self.text.push_str(mark);
            self.text.push_str(text);
        }
        Ok(())
    }
}
