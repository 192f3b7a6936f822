//! What a command reads: a file or standard input, whole, as bytes.

use std::fs::File;
use std::io::{self, Read};
use std::iter;

use axpress_core::{Frame, Limits};

use crate::arguments::{FrameArgument, Payload, Source};
use crate::failure::Failure;

/// A blob's header: what it may be longer than its original.
const BLOB_HEADER: usize = 48;

/// The payloads of a page: its own, and those of its frames.
pub(crate) struct Page<'a> {
    pub(crate) payload: Vec<u8>,
    frames: Vec<(&'a FrameArgument, Vec<u8>)>,
}

/// Reads a page.
pub(crate) fn page<'a>(own: &Source, frames: &'a [FrameArgument], limits: &Limits) -> Result<Page<'a>, Failure> {
    let frame = |argument: &'a FrameArgument| {
        let source = Source::File(argument.file.clone());
        Ok((argument, read(&source, most_bytes(limits))?))
    };
    let payload = read(own, most_bytes(limits))?;
    Ok(Page { payload, frames: frames.iter().map(frame).collect::<Result<_, Failure>>()? })
}

impl Page<'_> {
    /// The frames, as the core takes them.
    pub(crate) fn frames(&self) -> Vec<Frame<'_>> {
        self.frames
            .iter()
            .map(|(argument, payload)| Frame { owner: argument.owner, number: argument.number, payload })
            .collect()
    }

    /// All payloads.
    pub(crate) fn payloads(&self) -> impl Iterator<Item = &[u8]> + Clone {
        iter::once(self.payload.as_slice()).chain(self.frames.iter().map(|(_, payload)| payload.as_slice()))
    }
}

/// Reads an original or a blob: no more than shows that it is over the limit, which is for the core to say.
pub(crate) fn payload(payload: &Payload, limits: &Limits) -> Result<Vec<u8>, Failure> {
    read(&payload.source, most_bytes(limits))
}

fn most_bytes(limits: &Limits) -> u64 {
    limits.input_bytes.saturating_add(BLOB_HEADER + 1) as u64
}

/// Reads a text.
pub(crate) fn text(source: &Source) -> Result<String, Failure> {
    String::from_utf8(read(source, u64::MAX)?)
        .map_err(|error| Failure::NotText { offset: error.utf8_error().valid_up_to() })
}

fn read(source: &Source, most: u64) -> Result<Vec<u8>, Failure> {
    let read = |file: &mut dyn Read, size: u64| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(usize::try_from(size.min(most)).unwrap_or(0));
        file.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    match source {
        Source::Stdin => {
            read(&mut io::stdin().lock(), 0).map_err(|cause| Failure::Read { name: "standard input".to_owned(), cause })
        }
        Source::File(path) => File::open(path)
            .and_then(|mut file| {
                let size = file.metadata()?.len();
                // One byte more, so that the end is seen without growing.
                read(&mut file, size.saturating_add(1))
            })
            .map_err(|cause| Failure::Read { name: path.display().to_string(), cause }),
    }
}
