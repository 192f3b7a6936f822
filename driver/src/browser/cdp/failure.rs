//! Why a request has no result.

use thiserror::Error;

/// A request's failure. Its text is a part of a sentence.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum CallFailure {
    /// Chrome's own words.
    #[error("Chrome says \"{message}\"")]
    Refused { code: i64, message: String },
    #[error("the page's process is gone")]
    Crashed,
    #[error("the page or frame is gone")]
    Detached,
    #[error("no answer in time")]
    Late,
    #[error("Chrome's answer is larger than the limit of {0} bytes")]
    TooLarge(usize),
    #[error("the connection to Chrome ended: {0}")]
    Closed(String),
    #[error("Chrome's answer to {0} was not understood")]
    NotUnderstood(&'static str),
}

impl CallFailure {
    /// Whether Chrome refused with a message that has these words.
    pub(crate) fn says(&self, words: &str) -> bool {
        matches!(self, Self::Refused { message, .. } if message.contains(words))
    }

    /// Whether the document that was asked went away meanwhile.
    pub(crate) fn lost_its_document(&self) -> bool {
        self.says("context") || self.says("navigated")
    }
}
