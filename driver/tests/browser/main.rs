//! The browser against a real Chromium, on pages that the tests serve themselves.
//!
//! `make browser` runs these; they fail where there is no Chromium. All share one, each with tabs of its own.

mod read;
mod support;
