//! How much smaller a text is than what it stands for.

use std::fmt;

use serde::Serialize;

use crate::tokens;

/// Sizes of a payload and of the text made of it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Counts {
    bytes_before: usize,
    bytes_after: usize,
    tokens_before: Option<usize>,
    tokens_after: usize,
}

impl Counts {
    /// Counts a text, and the payloads that it was made of.
    pub(crate) fn of<'a>(payloads: impl Iterator<Item = &'a [u8]> + Clone, text: &str) -> Self {
        Self {
            bytes_before: payloads.clone().map(<[u8]>::len).sum(),
            bytes_after: text.len(),
            tokens_before: payloads.map(tokens::count_bytes).sum(),
            tokens_after: tokens::count(text),
        }
    }
}

/// `398494 to 4851 tokens, 1363129 to 17101 bytes`
impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes_before, bytes_after, tokens_before, tokens_after } = self;
        if let Some(before) = tokens_before {
            write!(out, "{before} to ")?;
        }
        write!(out, "{tokens_after} tokens, {bytes_before} to {bytes_after} bytes")
    }
}
