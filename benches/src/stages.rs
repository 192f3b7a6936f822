//! The stages of the core and its peers, each as a call that can be timed: bytes in, a number out.

use axpress_core::{Compressor, OutlineOptions, ViewOptions};

use crate::peers::{self, Lz4, Tape};

/// Bytes in, a number that depends on the work out; 0 for what is refused.
pub type Run = Box<dyn FnMut(&[u8]) -> usize>;

/// A stage or a peer.
pub struct Stage {
    /// What the tables call it.
    pub name: &'static str,
    /// Does the work once.
    pub run: Run,
}

impl std::fmt::Debug for Stage {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.name)
    }
}

fn stage(name: &'static str, run: impl FnMut(&[u8]) -> usize + 'static) -> Stage {
    Stage { name, run: Box::new(run) }
}

/// The stages of the core. Each has its own compressor, as a host has one.
#[must_use]
pub fn core() -> Vec<Stage> {
    let mut scanner = Compressor::new();
    let mut outliner = Compressor::new();
    let mut viewer = Compressor::new();
    let mut finder = Compressor::new();
    let mut cutter = Compressor::new();
    let mut packer = Compressor::new();
    let mut presser = Compressor::new();
    vec![
        stage("node table", move |bytes| scanner.scan(bytes).map_or(0, |statistics| statistics.nodes + 1)),
        stage("outline", move |bytes| {
            outliner.outline(bytes, &OutlineOptions::default()).map_or(0, |outline| outline.text.len() + 1)
        }),
        stage("view", move |bytes| viewer.view(bytes, &ViewOptions::default()).map_or(0, |view| view.text.len() + 1)),
        stage("view with a query", move |bytes| {
            let options = ViewOptions { query: Some("search results"), ..ViewOptions::default() };
            finder.view(bytes, &options).map_or(0, |view| view.text.len() + 1)
        }),
        stage("view in 5,000 bytes", move |bytes| {
            let options = ViewOptions { max_bytes: Some(5000), ..ViewOptions::default() };
            cutter.view(bytes, &options).map_or(0, |view| view.text.len() + 1)
        }),
        stage("pack", move |bytes| packer.pack(bytes).map_or(0, |(_, blob)| blob.len())),
        stage("compress", move |bytes| {
            presser.compress(bytes, &ViewOptions::default()).map_or(0, |pressed| pressed.blob.len())
        }),
    ]
}

/// The peers, on the same bytes.
#[must_use]
pub fn peers() -> Vec<Stage> {
    let mut tape = Tape::default();
    let mut lz4 = Lz4::default();
    let mut kept = Lz4::default();
    vec![
        stage("simd-json tape", move |bytes| tape.read(bytes)),
        stage("serde_json typed", peers::typed),
        stage("SHA-256", |bytes| usize::from(peers::sha256(bytes)[0]) + 1),
        stage("LZ4", move |bytes| lz4.compress(bytes)),
        stage("SHA-256 + LZ4", move |bytes| usize::from(peers::sha256(bytes)[0]) + kept.compress(bytes)),
    ]
}

/// Checks what the stages give for these bytes, before any of them is timed: as many nodes as `serde_json` finds where
/// it takes the payload, a blob that gives the original back, and the same blob and view from one call as from two.
///
/// # Panics
/// If anything differs.
pub fn check(name: &str, bytes: &[u8]) {
    let mut compressor = Compressor::new();
    let statistics = compressor.scan(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let typed = peers::typed(bytes);
    assert!(typed == 0 || typed - 1 == statistics.nodes + statistics.repeats, "{name}: serde_json finds other nodes");
    let blob = compressor.pack(bytes).unwrap_or_else(|error| panic!("{name}: {error}")).1.to_vec();
    assert!(compressor.unpack(&blob).is_ok_and(|original| original == bytes), "{name}: the blob is not the original");
    let options = ViewOptions::default();
    let view = compressor.view(bytes, &options).unwrap_or_else(|error| panic!("{name}: {error}")).text.to_owned();
    let pressed = compressor.compress(bytes, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(pressed.view.text == view && pressed.blob == blob, "{name}: one call gives other results than two");
}
