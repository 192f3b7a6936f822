//! What can go wrong: one table of kinds, each with a number, a code and a sentence.
//!
//! The numbers are part of the C ABI and are never reused. The codes are what the command line prints and what
//! JavaScript and MCP carry; a sentence says what is wrong and what to do next.

use core::fmt;

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
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} at byte {}: {}", self.kind.code(), self.offset, self.kind.message())
    }
}

impl core::error::Error for Error {}

macro_rules! error_kinds {
    ($($number:literal $name:ident $code:literal $message:literal)*) => {
        /// The kinds of failure. Each has a number for C, a kebab-case code for people and programs, and a sentence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorKind {
            $(#[doc = concat!("`", $code, "`: ", $message)] $name = $number,)*
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

            /// What is wrong and what to do next, as a sentence.
            #[must_use]
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
            }
        }
    };
}

error_kinds! {
    1 InvalidJson "invalid-json" "the payload is not JSON in UTF-8; pass the bytes as Chrome sent them"
    2 NotAxPayload "not-ax-payload" "this is JSON, but no accessibility payload; pass the `result` of Accessibility.getFullAXTree, or its `nodes` array"
    3 InvalidNodeId "invalid-node-id" "this node has no `nodeId` that is a string with something in it"
    4 PayloadTooLarge "payload-too-large" "the payload is larger than the limit on input bytes; raise it in `Limits`"
    5 TooManyNodes "too-many-nodes" "the payload has more nodes than the limit; raise it in `Limits`"
    6 OutputTooLarge "output-too-large" "the result is larger than the limit on output bytes; raise it in `Limits`, or set a budget"
    7 CorruptBlob "corrupt-blob" "this is no blob of ours, or it was changed; take the original from where it was stored first"
    8 UnsupportedBlob "unsupported-blob" "the blob was made by a later version; read it with that version"
    9 BlobTooLarge "blob-too-large" "the blob's original is larger than the limit on input bytes; raise it in `Limits`"
    10 InvalidHandle "invalid-handle" "a handle is 32 hex digits, with or without `ccr_`, or a prefix of at least 8 of them"
    11 BudgetTooSmall "budget-too-small" "a budget is 200 bytes or more"
    12 UnknownRoot "unknown-root" "no printed node has the uid that was given as root; take one from the last view"
    13 InvalidFrame "invalid-frame" "a frame's payload could not be placed: no frame node has the owner that was given"
}
