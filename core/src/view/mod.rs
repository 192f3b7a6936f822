//! The view: what an agent reads.

use alloc::string::String;
use alloc::vec::Vec;

use crate::error::Error;
use crate::limits::Limits;
use crate::table::Table;
use crate::tree::Tree;

/// How a view is made.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ViewOptions<'a> {
    /// Only what matches these words, best first, with its surroundings.
    pub query: Option<&'a str>,
    /// Most bytes of the text, 200 at least.
    pub max_bytes: Option<usize>,
    /// Backend node ids whose value and inner text are never printed.
    pub secrets: &'a [u64],
    /// Backend node ids that have a handle whatever their role.
    pub clickable: &'a [u64],
    /// Links print their address.
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
    text: String,
    uids: Vec<Uid>,
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
        let _ = (payload, table, tree, options, limits);
        Ok(View { text: &self.text, uids: &self.uids })
    }
}
