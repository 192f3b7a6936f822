//! The compressor: all scratch memory, and the calls that lend its results.

use core::ops::Range;

use crate::ccr::{self, Handle};
use crate::error::Error;
use crate::identity::Identities;
use crate::limits::Limits;
use crate::outline::{self, Outline, OutlineOptions};
use crate::reader::Reader;
use crate::statistics::Statistics;
use crate::view::{self, Delta, Snapshot, View, ViewOptions};

/// Makes outlines, views and blobs. It owns all memory that this takes: a result is valid until the next call, and
/// once a call of a size was made, the next allocates nothing.
#[derive(Debug, Default)]
pub struct Compressor {
    reader: Reader,
    outline: outline::Scratch,
    view: view::Scratch,
    ccr: ccr::Scratch,
}

/// A view and what it stands for, from one call; lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Compressed<'a> {
    /// The view.
    pub view: View<'a>,
    /// The original's handle.
    pub handle: Handle,
    /// The blob that gives the original back.
    pub blob: &'a [u8],
    /// Bytes of the original.
    pub original_bytes: usize,
    /// The view is no smaller than the payload: the caller is told so and should pass the payload on.
    pub uncompressed: bool,
}

impl Compressor {
    /// A compressor with the default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A compressor with these limits.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { reader: Reader::new(limits), ..Self::default() }
    }

    /// Other limits from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.reader.limits = limits;
    }

    /// Reads a payload, validates all of it and counts what it holds; makes no text.
    ///
    /// Fails with `invalid-json`, `not-ax-payload`, `invalid-node-id`, `payload-too-large` or `too-many-nodes`, as
    /// every other call on that payload does.
    pub fn scan(&mut self, payload: &[u8]) -> Result<Statistics, Error> {
        self.reader.scan(payload)?;
        Ok(Statistics::of(&self.reader.table))
    }

    /// Who the nodes of a payload are. Fails as [`Compressor::scan`] does.
    pub fn identities<'a>(&'a mut self, payload: &'a [u8]) -> Result<Identities<'a>, Error> {
        self.reader.scan(payload)?;
        Ok(Identities::new(&self.reader.table, payload))
    }

    /// The outline of a payload.
    pub fn outline(&mut self, payload: &[u8], options: &OutlineOptions<'_>) -> Result<Outline<'_>, Error> {
        self.reader.scan(payload)?;
        self.outline.outline(payload, &mut self.reader, options)
    }

    /// The view of a page: of a payload alone, or of a [`Snapshot`] with its frames.
    pub fn view<'p>(&mut self, page: impl Into<Snapshot<'p>>, options: &ViewOptions<'_>) -> Result<View<'_>, Error> {
        self.view.view(&mut self.reader, &page.into(), options)
    }

    /// Where in a payload the nodes are that match a query: their byte ranges, the best first, those that are as good in
    /// the order of the payload. The scoring is that of [`ViewOptions::query`]; what matches much worse than the best
    /// is not among them, nor is a text that only says what its control or heading does.
    pub fn nodes(&mut self, payload: &[u8], query: &str) -> Result<&[Range<usize>], Error> {
        self.view.nodes(&mut self.reader, payload, query)
    }

    /// Whether a node of these backend ids holds a value or a text in the clear, one that is not bullets alone: whoever
    /// keeps the payload keeps that, too.
    pub fn holds_secrets(&mut self, payload: &[u8], secrets: &[u64]) -> Result<bool, Error> {
        self.reader.scan(payload)?;
        Ok(self.reader.holds_in_clear(payload, |node| secrets.contains(&node)))
    }

    /// What changed from one page to the next, two payloads of one document: lines that came, went, changed or moved.
    ///
    /// Both are read with these options; a delta is of all of the page or of `root`, whatever the `query` is. A `root`
    /// that only the new page has is new as a whole. Fails as two views do.
    pub fn delta<'p>(
        &mut self,
        before: impl Into<Snapshot<'p>>,
        after: impl Into<Snapshot<'p>>,
        options: &ViewOptions<'_>,
    ) -> Result<Delta<'_>, Error> {
        self.view.delta(&mut self.reader, &before.into(), &after.into(), options)
    }

    /// The blob of any bytes, and their handle.
    pub fn pack(&mut self, original: &[u8]) -> Result<(Handle, &[u8]), Error> {
        self.ccr.pack(original, &self.reader.limits)
    }

    /// The original of a blob.
    pub fn unpack(&mut self, blob: &[u8]) -> Result<&[u8], Error> {
        self.ccr.unpack(blob, &self.reader.limits)
    }

    /// View, handle and blob of a page from one call; handle and blob are those of its own payload, without frames.
    pub fn compress<'p>(
        &mut self,
        page: impl Into<Snapshot<'p>>,
        options: &ViewOptions<'_>,
    ) -> Result<Compressed<'_>, Error> {
        let page = page.into();
        let view = self.view.view(&mut self.reader, &page, options)?;
        let (handle, blob) = self.ccr.pack(page.payload, &self.reader.limits)?;
        let original_bytes = page.payload.len();
        Ok(Compressed { view, handle, blob, original_bytes, uncompressed: view.text.len() >= original_bytes })
    }
}
