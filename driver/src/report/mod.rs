//! What a command says beside its result: counts, on stderr or as JSON.

mod counts;
mod json;

use std::fmt;
use std::io::{self, Write};

pub(crate) use counts::Counts;
pub(crate) use json::{DeltaReport, OutlineReport, ViewReport};

/// One line on stderr. Nobody to read it is no failure.
pub(crate) fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// `1 uid`, `2 uids`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Parts of a line, joined by `; `.
pub(crate) fn joined(parts: &[&dyn fmt::Display]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
