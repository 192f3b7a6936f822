//! Why a tool call failed: one table of codes, each with what to do next.
//!
//! The codes are those that agents and clients know; they are never renamed. What happened is said by whoever failed, in
//! a sentence without its full stop. No value of a password-like field ever comes into it.

use std::borrow::Cow;
use std::fmt;

/// A failure, as tools and commands print it: `cave_x: what happened. Next: what to do.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Which of the table.
    pub code: Code,
    /// What happened, as a sentence without its full stop.
    pub what: String,
    /// What to do next, likewise: the code's own, or one that knows more.
    pub next: Cow<'static, str>,
}

impl Error {
    /// A failure with its code's own next step.
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self { code, what: what.into(), next: Cow::Borrowed(code.next_step()) }
    }

    /// With a next step that knows more than the code's.
    #[must_use]
    pub fn next(self, next: impl Into<Cow<'static, str>>) -> Self {
        Self { next: next.into(), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What others said of it may end in a full stop.
        let what = self.what.trim_end_matches('.');
        write!(out, "{}: {what}. Next: {}.", self.code.code(), self.next)
    }
}

impl std::error::Error for Error {}

macro_rules! codes {
    ($($name:ident $code:literal $next_step:literal)*) => {
        /// What a tool call can fail with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", $code, "`. Next: ", $next_step, ".")] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code: `cave_stale_uid`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            /// What to do next, as a sentence without its full stop.
            #[must_use]
            pub const fn next_step(self) -> &'static str {
                match self { $(Self::$name => $next_step,)* }
            }
        }
    };
}

codes! {
    InvalidArguments "cave_invalid_arguments"
        "call again with the arguments mended"
    BrowserUnavailable "cave_browser_unavailable"
        "run `axpress doctor`, which finds out what is missing"
    SnapshotFailed "cave_browser_snapshot_failed"
        "take the snapshot again; if it fails again, navigate to the page again"
    SnapshotUncompressed "cave_browser_snapshot_uncompressed"
        "ask for a part of the page with `query`, or take a screenshot"
    UrlDenied "cave_browser_url_denied"
        "give an http or https address, about:blank or data:text/html"
    UnknownAction "cave_unknown_action"
        "use one of the actions that the tool's description lists"
    UnknownUid "cave_unknown_uid"
        "take a uid from the last view of this tab"
    StaleUid "cave_stale_uid"
        "take a snapshot and use its uids"
    ActionFailed "cave_browser_action_failed"
        "take a snapshot to see how the page is now"
    EvalFailed "cave_browser_eval_failed"
        "mend the expression"
    UnknownHandle "cave_unknown_handle"
        "take the handle from the snapshot that gave it"
    AmbiguousHandle "cave_ambiguous_handle"
        "give more digits of the handle"
    HandlePruned "cave_handle_pruned"
        "take a snapshot of the page again"
    HandleUnreadable "cave_handle_unreadable"
        "take a snapshot of the page again"
    RecoveryWithheld "cave_recovery_withheld"
        "go on with the view; who runs the server can allow it with --expose-secrets"
    StoreFull "cave_store_full"
        "make room with `axpress store --prune`, or raise the budget"
    PayloadTooLarge "cave_payload_too_large"
        "ask for a smaller page, or raise the limit"
    ToolPanicked "cave_tool_panicked"
        "call again; if it happens again, report it"
    UnknownTool "cave_unknown_tool"
        "use one of the tools that tools/list names"
}

#[cfg(test)]
mod tests {
    use super::{Code, Error};

    #[test]
    fn a_failure_says_its_code_what_happened_and_what_to_do_next() {
        let error = Error::new(Code::UnknownUid, "no view of this tab showed @12");
        let expected =
            "cave_unknown_uid: no view of this tab showed @12. Next: take a uid from the last view of this tab.";
        assert_eq!(error.to_string(), expected);
        assert!(error.next("look again").to_string().ends_with("@12. Next: look again."));
    }

    #[test]
    fn codes_are_given_once_and_next_steps_have_no_full_stop() {
        for code in Code::ALL {
            assert!(code.code().starts_with("cave_"));
            assert_eq!(Code::ALL.iter().filter(|other| other.code() == code.code()).count(), 1);
            assert!(!code.next_step().ends_with('.'));
        }
    }
}
