//! Every call of a compressor that takes a payload, to be held to the rules that hold for all of them.

use axpress_core::{Compressor, Error, Frame, OutlineOptions, Snapshot, Uid, ViewOptions};

use crate::allocations::{self, Counts};
use crate::changes;

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The outline.
    Outline,
    /// The outline without repeated texts.
    OutlineDedup,
    /// The outline, cut.
    OutlineCut,
    /// The outline, with secrets.
    OutlineSecrets,
    /// The view.
    View,
    /// The view of what a query matches.
    Query,
    /// The view in a budget, and in the smallest one.
    Budget,
    /// The view of what a query matches, in a budget.
    QueryCut,
    /// The view with frames, secrets, clickable nodes and addresses.
    ViewAll,
    /// The nodes that a query matches.
    Nodes,
    /// What changed from the payload to one that was changed as pages change.
    Delta,
    /// The same, in a budget.
    DeltaCut,
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
    Operation::OutlineSecrets,
    Operation::View,
    Operation::Query,
    Operation::Budget,
    Operation::QueryCut,
    Operation::ViewAll,
    Operation::Nodes,
    Operation::Delta,
    Operation::DeltaCut,
    Operation::Pack,
    Operation::Unpack,
    Operation::Compress,
];

/// Frames of a page, of which most have no place in it.
const FRAMES: usize = 200;
/// What is in each of them.
const FRAME: &[u8] = br#"[{"nodeId":"1","role":{"value":"button"},"name":{"value":"In"},"backendDOMNodeId":1}]"#;

/// Words that most pages have.
const QUERY: &str = "button the a list of 2";

fn part(query: Option<&'static str>, max_bytes: Option<usize>) -> ViewOptions<'static> {
    ViewOptions { query, max_bytes, ..ViewOptions::default() }
}

impl Operation {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outline => "outline",
            Self::OutlineDedup => "outline with dedup_text",
            Self::OutlineCut => "outline with max_chars",
            Self::OutlineSecrets => "outline with secrets",
            Self::View => "view",
            Self::Query => "view with query",
            Self::Budget => "view with max_bytes",
            Self::QueryCut => "view with query and max_bytes",
            Self::ViewAll => "view with frames, secrets, clickable and urls",
            Self::Nodes => "nodes",
            Self::Delta => "delta",
            Self::DeltaCut => "delta with max_bytes",
            Self::Pack => "pack",
            Self::Unpack => "unpack",
            Self::Compress => "compress",
        }
    }

    /// What it takes for this payload: the payload, its blob, or the payload and another one of the page.
    #[must_use]
    pub fn input(self, payload: &[u8]) -> Vec<u8> {
        let mut packer = Compressor::new();
        match self {
            Self::Unpack => packer.pack(payload).map(|(_, blob)| blob.to_vec()).unwrap_or_default(),
            Self::Delta | Self::DeltaCut => {
                let after = changes::mutated(payload, 1);
                [payload, &after, &payload.len().to_le_bytes()].concat()
            }
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
        let outline = |dedup_text, max_chars| OutlineOptions { max_chars, dedup_text, secrets: &[] };
        match self {
            Self::Outline => show(compressor.outline(input, &outline(false, 0))?.text.as_bytes()),
            Self::OutlineDedup => show(compressor.outline(input, &outline(true, 0))?.text.as_bytes()),
            Self::OutlineCut => show(compressor.outline(input, &outline(false, 100))?.text.as_bytes()),
            Self::OutlineSecrets => {
                let options = OutlineOptions { secrets: &[3, 5, 8, 13, 21, 34, 55], ..OutlineOptions::default() };
                show(compressor.outline(input, &options)?.text.as_bytes());
            }
            Self::View => show(compressor.view(input, &ViewOptions::default())?.text.as_bytes()),
            Self::Query => show(compressor.view(input, &part(Some(QUERY), None))?.text.as_bytes()),
            Self::Budget => {
                for most in [5000, 200] {
                    show(compressor.view(input, &part(None, Some(most)))?.text.as_bytes());
                }
            }
            Self::QueryCut => show(compressor.view(input, &part(Some(QUERY), Some(200)))?.text.as_bytes()),
            Self::ViewAll => {
                let uids: [Uid; FRAMES] = std::array::from_fn(|place| Uid { frame: 0, node: place as u64 + 2 });
                let frame = |place: usize| Frame { owner: uids[place], number: place as u32, payload: FRAME };
                let frames: [Frame<'_>; FRAMES] = std::array::from_fn(frame);
                let (secrets, clickable) = uids.split_at(FRAMES / 2);
                let options = ViewOptions { secrets, clickable, urls: true, ..ViewOptions::default() };
                let view = compressor.view(Snapshot { payload: input, frames: &frames }, &options)?;
                show(view.text.as_bytes());
            }
            Self::Nodes => {
                for range in compressor.nodes(input, QUERY)? {
                    show(&input[range.clone()]);
                }
            }
            Self::Delta | Self::DeltaCut => {
                let cut = (self == Self::DeltaCut).then_some(200);
                let options = ViewOptions { max_bytes: cut, ..ViewOptions::default() };
                // The input is two payloads: the first one's length stands at its end.
                let (payloads, length) = input.split_at(input.len() - size_of::<usize>());
                let length = usize::from_le_bytes(length.try_into().expect("a length is at the end"));
                let (before, after) = payloads.split_at(length);
                let delta = compressor.delta(before, after, &options)?;
                show(delta.text.as_bytes());
                for change in delta.changes {
                    show(delta.line(change).as_bytes());
                }
            }
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
            });
        })
    }
}
