//! The outline: the plain, exact rendering of one frame's tree, character for character what the Python pipeline gives.
//!
//! Takes the node table of a payload and gives text: a line a node, with its role, its name, its value as Python's
//! `repr` prints it and its handle. `trim` makes the items out of the tree, `render` the lines out of the items, with
//! `python` for the values. Depth costs nothing, and a name can neither end its line nor close its quotes.

mod printable;
mod python;
mod render;
mod trim;
mod writer;

use crate::error::Error;
use crate::reader::Reader;
use crate::tree::Place;

/// What an outline ends with where it was cut.
const TRUNCATED: &str = "\n…[outline truncado]";

/// How an outline is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutlineOptions<'a> {
    /// Cut the text at that many code points and say so; 0 for no end.
    pub max_chars: usize,
    /// Drop texts that the name or value of what they stand in already says.
    pub dedup_text: bool,
    /// Backend node ids whose value and inner text are never printed.
    pub secrets: &'a [u64],
}

/// An outline, lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Outline<'a> {
    /// The text: lines joined by `\n`, none at the end.
    pub text: &'a str,
    /// Nodes of the payload, without repeats.
    pub nodes: usize,
    /// Nodes that no root reaches: not printed.
    pub unreached: usize,
    /// Nodes below level 59: not printed.
    pub too_deep: usize,
}

/// What an outline is made with, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    trim: trim::Trim,
    python: python::Python,
    text: writer::Writer,
}

impl Scratch {
    pub(crate) fn outline(
        &mut self,
        payload: &[u8],
        reader: &mut Reader,
        options: &OutlineOptions<'_>,
    ) -> Result<Outline<'_>, Error> {
        if !options.secrets.is_empty() {
            reader.hide(payload, |node| options.secrets.contains(&node));
        }
        let Reader { limits, table, tree, .. } = reader;
        tree.build(table, |node| if node.ignored { Place::Splice } else { Place::Keep });
        self.trim.trim(payload, table, tree, options.dedup_text);
        let items = &mut self.trim.items;
        let too_deep = render::render(payload, table, items, options, limits, &mut self.python, &mut self.text)?;
        let text = self.text.text();
        debug_assert!(text.is_some(), "a cut is between characters");
        let nodes = table.nodes.len() - table.repeats;
        Ok(Outline { text: text.unwrap_or_default(), nodes, unreached: nodes - tree.reached, too_deep })
    }
}
