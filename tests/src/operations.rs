//! Every call of a compressor that takes a payload, to be held to the rules that hold for all of them.

use axpress_core::{Compressor, Error, OutlineOptions, ViewOptions};

use crate::allocations::{self, Counts};

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The outline.
    Outline,
    /// The outline without repeated texts.
    OutlineDedup,
    /// The outline, cut.
    OutlineCut,
    /// The view.
    View,
    /// The blob.
    Pack,
    /// The original of the payload's blob.
    Unpack,
    /// View and blob.
    Compress,
}

/// All of them.
pub const OPERATIONS: &[Operation] = &[
    Operation::Outline,
    Operation::OutlineDedup,
    Operation::OutlineCut,
    Operation::View,
    Operation::Pack,
    Operation::Unpack,
    Operation::Compress,
];

impl Operation {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outline => "outline",
            Self::OutlineDedup => "outline with dedup_text",
            Self::OutlineCut => "outline with max_chars",
            Self::View => "view",
            Self::Pack => "pack",
            Self::Unpack => "unpack",
            Self::Compress => "compress",
        }
    }

    /// What it takes for this payload: the payload, or its blob.
    #[must_use]
    pub fn input(self, payload: &[u8]) -> Vec<u8> {
        let mut packer = Compressor::new();
        match self {
            Self::Unpack => packer.pack(payload).map(|(_, blob)| blob.to_vec()).unwrap_or_default(),
            _ => payload.to_vec(),
        }
    }

    /// Makes the call and shows each part of its result, or the error's code.
    pub fn run(self, compressor: &mut Compressor, input: &[u8], mut show: impl FnMut(&[u8])) {
        let result = self.call(compressor, input, &mut show);
        if let Err(error) = result {
            show(error.kind.code().as_bytes());
        }
    }

    fn call(self, compressor: &mut Compressor, input: &[u8], show: &mut impl FnMut(&[u8])) -> Result<(), Error> {
        let outline = |dedup_text, max_chars| OutlineOptions { max_chars, dedup_text };
        match self {
            Self::Outline => show(compressor.outline(input, &outline(false, 0))?.text.as_bytes()),
            Self::OutlineDedup => show(compressor.outline(input, &outline(true, 0))?.text.as_bytes()),
            Self::OutlineCut => show(compressor.outline(input, &outline(false, 100))?.text.as_bytes()),
            Self::View => show(compressor.view(input, &ViewOptions::default())?.text.as_bytes()),
            Self::Pack => show(compressor.pack(input)?.1),
            Self::Unpack => show(compressor.unpack(input)?),
            Self::Compress => {
                let compressed = compressor.compress(input, &ViewOptions::default())?;
                show(compressed.view.text.as_bytes());
                show(compressed.blob);
            }
        }
        Ok(())
    }

    /// What a compressor's second call with this payload allocates.
    #[must_use]
    pub fn second_call(self, payload: &[u8]) -> Counts {
        let input = self.input(payload);
        let mut compressor = Compressor::new();
        self.run(&mut compressor, &input, |_| ());
        allocations::during(|| {
            self.run(&mut compressor, &input, |result| {
                std::hint::black_box(result);
            })
        })
    }
}
