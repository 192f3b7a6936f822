//! What is kept between calls: the compressor with its memory, and what `options` and `frame` set for the next view.

use alloc::string::String;
use alloc::vec::Vec;

use atomic_refcell::AtomicRefCell;

use axpress_core::{Compressor, Frame, Limits, Uid, ViewOptions};

#[derive(Default)]
pub(crate) struct State {
    pub(crate) compressor: Compressor,
    pub(crate) options: Options,
    pub(crate) frames: Vec<OwnedFrame>,
    /// Those of the page before, for a delta.
    pub(crate) frames_before: Vec<OwnedFrame>,
}

/// As [`ViewOptions`], owned.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) query: Option<String>,
    pub(crate) max_bytes: Option<usize>,
    pub(crate) viewport: Vec<Uid>,
    pub(crate) secrets: Vec<Uid>,
    pub(crate) clickable: Vec<Uid>,
    pub(crate) urls: bool,
    pub(crate) root: Option<Uid>,
}

/// As [`Frame`], owned.
pub(crate) struct OwnedFrame {
    pub(crate) owner: Uid,
    pub(crate) number: u32,
    pub(crate) payload: Vec<u8>,
}

/// It lives as long as the instance.
static STATE: AtomicRefCell<Option<State>> = AtomicRefCell::new(None);

/// Works with the state. Nothing in here calls JavaScript that could call back: `results.js` only makes objects.
pub(crate) fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    work(STATE.borrow_mut().get_or_insert_with(State::default))
}

impl State {
    pub(crate) fn set_limits(&mut self, input_bytes: usize, nodes: usize, output_bytes: usize) {
        let mut limits = Limits::DEFAULT;
        limits.input_bytes = input_bytes;
        limits.nodes = nodes;
        limits.output_bytes = output_bytes;
        self.compressor.set_limits(limits);
    }
}

impl Options {
    pub(crate) fn view(&self) -> ViewOptions<'_> {
        ViewOptions {
            query: self.query.as_deref(),
            max_bytes: self.max_bytes,
            viewport: &self.viewport,
            secrets: &self.secrets,
            clickable: &self.clickable,
            urls: self.urls,
            root: self.root,
        }
    }
}

/// The frames as core takes them.
pub(crate) fn frames(frames: &[OwnedFrame]) -> Vec<Frame<'_>> {
    frames
        .iter()
        .map(|OwnedFrame { owner, number, payload }| Frame { owner: *owner, number: *number, payload })
        .collect()
}

/// A whole number up to 2^53, as JavaScript sends it.
#[expect(clippy::cast_sign_loss, reason = "none is negative")]
pub(crate) const fn whole(number: f64) -> u64 {
    number as u64
}

/// Uids from pairs of a frame's number and a backend node id.
pub(crate) fn uids(pairs: &[f64]) -> Vec<Uid> {
    let uid = |pair: &[f64]| match *pair {
        [frame, node] => Some(Uid { frame: whole(frame) as u32, node: whole(node) }),
        _ => None,
    };
    pairs.chunks_exact(2).filter_map(uid).collect()
}
