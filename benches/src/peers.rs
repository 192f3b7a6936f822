//! Peers: other crates that do a part of the same work on the same bytes, with all memory kept that they let us keep.

use std::borrow::Cow;
use std::hint::black_box;

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// simd-json's tape with reused buffers. It writes into its input, so the bytes are copied first, as any caller must
/// who keeps the original.
pub struct Tape {
    copy: Vec<u8>,
    buffers: simd_json::Buffers,
}

impl Default for Tape {
    fn default() -> Self {
        Self { copy: Vec::new(), buffers: simd_json::Buffers::new(1 << 20) }
    }
}

impl Tape {
    /// Reads `bytes`; gives the number of the tape's entries, 0 for what simd-json refuses.
    pub fn read(&mut self, bytes: &[u8]) -> usize {
        self.copy.clear();
        self.copy.extend_from_slice(bytes);
        let mut tape = simd_json::Tape::null();
        match simd_json::fill_tape(&mut self.copy, &mut self.buffers, &mut tape) {
            Ok(()) => black_box(&tape).0.len(),
            Err(_) => 0,
        }
    }
}

/// A payload as `serde_json` reads it into types that borrow.
#[derive(Debug, Deserialize)]
pub struct TypedPayload<'a> {
    /// All nodes.
    #[serde(borrow)]
    pub nodes: Vec<TypedNode<'a>>,
}

/// A node as `serde_json` reads it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are Chrome's")]
pub struct TypedNode<'a> {
    #[serde(borrow)]
    pub node_id: Cow<'a, str>,
    #[serde(default)]
    pub ignored: bool,
    #[serde(borrow, default)]
    pub parent_id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub child_ids: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub role: Option<TypedValue<'a>>,
    #[serde(borrow, default)]
    pub name: Option<TypedValue<'a>>,
    #[serde(borrow, default)]
    pub value: Option<TypedValue<'a>>,
    #[serde(borrow, default)]
    pub properties: Vec<TypedProperty<'a>>,
    #[serde(default, rename = "backendDOMNodeId")]
    pub backend: Option<u64>,
}

/// An AX value: its value raw.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the names are Chrome's")]
pub struct TypedValue<'a> {
    #[serde(borrow, default)]
    pub value: Option<&'a RawValue>,
}

/// A property.
#[derive(Debug, Deserialize)]
#[expect(missing_docs, reason = "the names are Chrome's")]
pub struct TypedProperty<'a> {
    #[serde(borrow)]
    pub name: Cow<'a, str>,
    #[serde(borrow)]
    pub value: TypedValue<'a>,
}

/// Reads `bytes` with `serde_json`; gives one more than the number of nodes, 0 for what it refuses: bare arrays, lone
/// surrogates.
#[must_use]
pub fn typed(bytes: &[u8]) -> usize {
    serde_json::from_slice::<TypedPayload<'_>>(bytes).map_or(0, |payload| black_box(payload).nodes.len() + 1)
}

/// The SHA-256 of `bytes`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// LZ4 with a kept table and a kept output.
pub struct Lz4 {
    table: CompressTable,
    output: Vec<u8>,
}

impl Default for Lz4 {
    fn default() -> Self {
        Self { table: CompressTable::large(), output: Vec::new() }
    }
}

impl Lz4 {
    /// Compresses `bytes`; gives the size.
    ///
    /// # Panics
    /// If the output were too small, which its size rules out.
    pub fn compress(&mut self, bytes: &[u8]) -> usize {
        self.output.resize(get_maximum_output_size(bytes.len()), 0);
        compress_into_with_table(bytes, &mut self.output, &mut self.table).expect("the output has the maximum size")
    }
}
