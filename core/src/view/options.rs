//! What a view is made of, and how.

use alloc::vec::Vec;

/// A page: the payload of its document, and those of the frames in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Snapshot<'a> {
    /// The `result` of `Accessibility.getFullAXTree`, as Chrome sent it.
    pub payload: &'a [u8],
    /// The documents of its frames, in any order, to any depth.
    pub frames: &'a [Frame<'a>],
}

/// The payload of a frame's document.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The element that holds the frame: its backend node id, and the number of the document that it stands in.
    pub owner: Uid,
    /// 0 where the page's own process has the document: its backend ids are told from the page's. Else the number of
    /// that document, which no other one of the session ever had: its uids are `number.id`.
    pub number: u32,
    /// As in [`Snapshot::payload`].
    pub payload: &'a [u8],
}

/// How a view is made.
#[derive(Clone, Copy, Debug)]
pub struct ViewOptions<'a> {
    /// Only the best of what matches these words, with what it stands in, in the order of the page.
    pub query: Option<&'a str>,
    /// Most bytes of the text, 200 at least. What is cut is counted where it stood.
    pub max_bytes: Option<usize>,
    /// Nodes that a person sees without scrolling: under a budget their lines are kept before the rest of the page.
    /// Any nodes with a backend id; those that they stand in need not be named.
    pub viewport: &'a [Uid],
    /// Nodes whose value and inner text are never printed.
    pub secrets: &'a [Uid],
    /// Nodes that have a handle whatever their role.
    pub clickable: &'a [Uid],
    /// Links print their address: origin and path, cut at 80 characters.
    pub urls: bool,
    /// Only this node and what is below it; any node of the payload, with a handle or without.
    pub root: Option<Uid>,
}

impl ViewOptions<'_> {
    /// The whole page, as it is.
    pub const DEFAULT: ViewOptions<'static> = ViewOptions {
        query: None,
        max_bytes: None,
        viewport: &[],
        secrets: &[],
        clickable: &[],
        urls: false,
        root: None,
    };
}

impl Default for ViewOptions<'_> {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A handle as a view prints it: `@12`, or `@2.12` for a node in the frame that the caller numbered 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uid {
    /// The number that the caller gave the frame; 0 for the page's own process.
    pub frame: u32,
    /// `backendDOMNodeId`.
    pub node: u64,
}

impl<'a> From<&'a [u8]> for Snapshot<'a> {
    fn from(payload: &'a [u8]) -> Self {
        Self { payload, frames: &[] }
    }
}

impl<'a> From<&'a Vec<u8>> for Snapshot<'a> {
    fn from(payload: &'a Vec<u8>) -> Self {
        Self::from(payload.as_slice())
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Snapshot<'a> {
    fn from(payload: &'a [u8; N]) -> Self {
        Self::from(payload.as_slice())
    }
}
