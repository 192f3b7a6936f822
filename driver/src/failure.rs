//! Why a command failed, as stderr says it: `code at byte N: what happened. Next: what to do.`
//!
//! Core's codes are printed as they are; the file commands add those for files and text.

use std::io;

use axpress_core::ErrorKind;
use thiserror::Error;

/// A failure. Its text is the line that is printed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Core(#[from] axpress_core::Error),
    #[error("{} at byte {offset}: the blob's {field} is {number}, which this version does not know. Next: {}.",
        ErrorKind::UnsupportedBlob.code(), ErrorKind::UnsupportedBlob.next_step())]
    UnsupportedBlob { offset: usize, field: &'static str, number: u8 },
    #[error("cannot-read: {name}: {cause}. Next: pass a file that can be read, or - for standard input.")]
    Read { name: String, cause: io::Error },
    #[error("cannot-write: {name}: {cause}. Next: see that there is room and that the place can be written.")]
    Write { name: String, cause: io::Error },
    #[error("not-text at byte {offset}: the file is not UTF-8, and only text has tokens. Next: pass a text file.")]
    NotText { offset: usize },
    /// A tool's failure, or something that it did not do: what an agent would read.
    #[error("{0}")]
    Tool(String),
    #[error(transparent)]
    Driver(#[from] axpress_driver::Error),
    /// What failed was said already, as the result. Not printed.
    #[error("said")]
    Said,
    /// Nobody reads stdout any more. Not printed.
    #[error("closed-pipe")]
    ClosedPipe,
}

impl Failure {
    /// What `unpack` failed with: an unsupported blob says which version or codec it has.
    pub(crate) fn of_blob(error: axpress_core::Error, blob: &[u8]) -> Self {
        match (error.kind, blob.get(error.offset)) {
            (ErrorKind::UnsupportedBlob, Some(&number)) => {
                let field = if error.offset == 4 { "format version" } else { "codec" };
                Self::UnsupportedBlob { offset: error.offset, field, number }
            }
            _ => Self::Core(error),
        }
    }
}
