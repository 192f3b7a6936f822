//! What can go wrong: one table of kinds, each with a number, a code and a sentence.
//!
//! The numbers are part of the C ABI and are never reused. The codes are what the command line prints and what
//! JavaScript and MCP carry; one sentence says what is wrong, one what to do next.

use core::fmt;

use crate::ccr;

/// Why a call gave no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// Byte offset in the input of that call at which it shows: the payload, the blob or the text that was read.
    pub offset: usize,
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// What is wrong, as a sentence without its full stop: the kind's, or a narrower one where the offset tells more.
    #[must_use]
    pub const fn message(&self) -> &'static str {
        match (self.kind, self.offset) {
            (ErrorKind::UnsupportedBlob, ccr::VERSION_AT) => "the blob's format version is a later one than 1",
            (ErrorKind::UnsupportedBlob, ccr::CODEC_AT) => "the blob's codec is neither 0, stored, nor 1, LZ4",
            _ => self.kind.message(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, offset } = self;
        write!(out, "{} at byte {offset}: {}. Next: {}.", kind.code(), self.message(), kind.next_step())
    }
}

impl core::error::Error for Error {}

macro_rules! error_kinds {
    ($($number:literal $name:ident $code:literal $message:literal $next_step:literal)*) => {
        /// The kinds of failure. Each has a number for C, a kebab-case code for people and programs,
        /// and two sentences.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorKind {
            $(#[doc = concat!("`", $code, "`: ", $message, ". Next: ", $next_step, ".")] $name = $number,)*
        }

        impl ErrorKind {
            /// All kinds, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The number, as the C ABI returns it.
            #[must_use]
            pub const fn number(self) -> i32 {
                self as i32
            }

            /// The code, in kebab case: `invalid-json`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What is wrong, as a sentence without its full stop.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }

            /// What to do next, as a sentence without its full stop.
            #[must_use]
            pub const fn next_step(self) -> &'static str {
                match self { $(Self::$name => $next_step,)* }
            }
        }
    };
}

error_kinds! {
    1 InvalidJson "invalid-json"
        "the payload is not JSON in UTF-8"
        "pass the bytes as Chrome sent them"
    2 NotAxPayload "not-ax-payload"
        "this is JSON, but no accessibility payload"
        "pass the `result` of Accessibility.getFullAXTree, or its `nodes` array"
    3 InvalidNodeId "invalid-node-id"
        "this node has no `nodeId` that is a string with something in it"
        "pass the bytes as Chrome sent them"
    4 PayloadTooLarge "payload-too-large"
        "the payload is larger than the limit on input bytes"
        "raise `input_bytes` in the limits"
    5 TooManyNodes "too-many-nodes"
        "the payload has more nodes than the limit"
        "raise `nodes` in the limits"
    6 OutputTooLarge "output-too-large"
        "the result is larger than the limit on output bytes"
        "raise `output_bytes` in the limits, or set a budget"
    7 CorruptBlob "corrupt-blob"
        "this is no blob of ours, or it was cut or changed"
        "take the blob again from where it was stored first"
    8 UnsupportedBlob "unsupported-blob"
        "the blob was made by a later version"
        "read it with the version that made it"
    9 BlobTooLarge "blob-too-large"
        "the blob's original is larger than the limit on input bytes"
        "raise `input_bytes` in the limits"
    10 InvalidHandle "invalid-handle"
        "a handle is 32 hex digits, with or without `ccr_`, or a prefix of at least 8 of them"
        "take the handle from the line or the result that gave it"
    11 BudgetTooSmall "budget-too-small"
        "a budget is 200 bytes or more"
        "raise the budget"
    12 UnknownRoot "unknown-root"
        "the page has no node of the id that was given as root"
        "take a uid from the last view of this page"
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{Error, ErrorKind};

    #[test]
    fn an_error_says_its_code_its_offset_what_is_wrong_and_what_to_do_next() {
        let text = Error::new(ErrorKind::InvalidJson, 17).to_string();
        let expected =
            "invalid-json at byte 17: the payload is not JSON in UTF-8. Next: pass the bytes as Chrome sent them.";
        assert_eq!(text, expected);
    }

    #[test]
    fn an_unsupported_blob_says_whether_it_is_its_version_or_its_codec() {
        assert!(Error::new(ErrorKind::UnsupportedBlob, 4).to_string().contains("format version"));
        assert!(Error::new(ErrorKind::UnsupportedBlob, 5).to_string().contains("codec"));
    }

    #[test]
    fn numbers_and_codes_are_given_once_and_sentences_have_no_full_stop() {
        for (number, kind) in (1..).zip(ErrorKind::ALL) {
            assert_eq!(kind.number(), number);
            assert!(kind.code().bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()));
            assert!(ErrorKind::ALL.iter().filter(|other| other.code() == kind.code()).count() == 1);
            assert!(!kind.message().ends_with('.') && !kind.next_step().ends_with('.'));
        }
    }
}
