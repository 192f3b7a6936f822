//! The last failure of an object, kept until its next call.

use std::any::Any;
use std::fmt::Write;

use crate::bytes::axp_bytes;
use crate::failure::Failure;
use crate::status::{AXP_OK, AXP_PANIC, axp_status, texts};

/// Why the last call on an object failed.
///
/// Lifetime: valid until the next call on that object, other than for its error. Encoding: all text is UTF-8.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct axp_error {
    /// What the call returned; `AXP_OK` where it did not fail, and then all else is empty.
    pub status: axp_status,
    /// The byte of the input at which it shows; 0 where it is about no byte.
    pub offset: usize,
    /// The code, in kebab case: `invalid-json`.
    pub code: axp_bytes,
    /// What happened, as a sentence without its full stop.
    pub message: axp_bytes,
    /// What to do next, as a sentence without its full stop.
    pub next_step: axp_bytes,
    /// All of it in one line: `invalid-json at byte 17: what happened. Next: what to do.`
    pub text: axp_bytes,
}

/// The failure of an object's last call, with the memory of its texts.
#[derive(Debug)]
pub(crate) struct LastError {
    public: axp_error,
    message: String,
    text: String,
}

impl Default for LastError {
    fn default() -> Self {
        Self { public: Self::NONE, message: String::new(), text: String::new() }
    }
}

impl LastError {
    const NONE: axp_error = axp_error {
        status: AXP_OK,
        offset: 0,
        code: axp_bytes::EMPTY,
        message: axp_bytes::EMPTY,
        next_step: axp_bytes::EMPTY,
        text: axp_bytes::EMPTY,
    };

    /// Where the failure is found, as long as the object lives and is not called.
    pub(crate) fn public(&self) -> *const axp_error {
        &raw const self.public
    }

    pub(crate) fn clear(&mut self) {
        self.public = Self::NONE;
    }

    pub(crate) fn set(&mut self, failure: Failure) {
        self.message.clear();
        self.message.push_str(failure.message);
        self.put(failure.status, failure.offset);
    }

    /// What a panic said.
    pub(crate) fn set_panic(&mut self, panic: &(dyn Any + Send)) {
        let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        self.message.clear();
        self.message.push_str(texts(AXP_PANIC).message);
        if let Some(said) = said {
            self.message.push_str(": ");
            self.message.push_str(said);
        }
        self.put(AXP_PANIC, 0);
    }

    fn put(&mut self, status: axp_status, offset: usize) {
        let Self { public, message, text } = self;
        let texts = texts(status);
        text.clear();
        // Writing into a string can't fail.
        let _ = write!(text, "{} at byte {offset}: {message}. Next: {}.", texts.code, texts.next_step);
        *public = axp_error {
            status,
            offset,
            code: axp_bytes::lend(texts.code.as_bytes()),
            message: axp_bytes::lend(message.as_bytes()),
            next_step: axp_bytes::lend(texts.next_step.as_bytes()),
            text: axp_bytes::lend(text.as_bytes()),
        };
    }
}
