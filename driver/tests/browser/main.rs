//! The browser against a real Chromium, on pages that the tests serve themselves.
//!
//! `make browser` runs these; they fail where there is no Chromium. All share one, each with tabs of its own.

mod choose;
mod click;
mod dialogs;
mod frames;
mod hits;
mod moving;
mod original;
mod pages;
mod policy;
mod program;
mod read;
mod received;
mod restless;
mod stale;
mod support;
mod trouble;
mod typing;
mod uids;
