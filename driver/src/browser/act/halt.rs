//! Why an act went no further.

use axpress_core::Uid;

use crate::browser::cdp::CallFailure;
use crate::browser::page::Trouble;
use crate::browser::tabs::Interruption;
use crate::error::{Code, Error};

/// What ended an act before it was done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Halt {
    /// Nothing was put in.
    Failed(Error),
    /// Something else would have got the input.
    Blocked { by: String, uid: Option<Uid> },
    /// The input was put in, and this came of it.
    Interrupted(Interruption),
    /// The input was put in, and the page did not answer.
    Unanswered,
}

impl Halt {
    /// What was put in met this trouble.
    pub(super) fn of_input(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Interruption(interruption) => Self::Interrupted(interruption),
            Trouble::Call(CallFailure::Crashed) => Self::Interrupted(Interruption::Crashed),
            Trouble::Call(CallFailure::Late) => Self::Unanswered,
            trouble @ Trouble::Call(_) => Self::from(trouble),
        }
    }
}

impl From<Trouble> for Halt {
    fn from(trouble: Trouble) -> Self {
        Self::Failed(trouble.error(Code::ActionFailed, "looking at the node"))
    }
}

impl From<CallFailure> for Halt {
    fn from(failure: CallFailure) -> Self {
        Self::from(Trouble::Call(failure))
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// An act that can't be done.
pub(super) fn impossible(what: impl Into<String>) -> Halt {
    Halt::Failed(Error::new(Code::ActionFailed, what))
}
