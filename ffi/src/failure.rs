//! Why a call gave no result: core's error, or one of this boundary's own.

use axpress_core::Error;

use crate::status::{axp_status, texts};

/// A failure on its way out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failure {
    pub(crate) status: axp_status,
    pub(crate) offset: usize,
    /// What is wrong: the status's sentence, or core's narrower one.
    pub(crate) message: &'static str,
}

impl Failure {
    /// One of this boundary's own, which has no place in the input.
    pub(crate) fn of_status(status: axp_status) -> Self {
        Self::at(status, 0)
    }

    /// One of this boundary's own, at a byte of the input.
    pub(crate) fn at(status: axp_status, offset: usize) -> Self {
        Self { status, offset, message: texts(status).message }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { status: error.kind.number(), offset: error.offset, message: error.message() }
    }
}
