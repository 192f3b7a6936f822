//! What a command says beside its result: counts, on stderr or as JSON.

mod counts;
mod json;

use std::fmt;
use std::io::{self, Write};

use axpress_core::{Delta, View};

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

/// What a view says of itself: its counts, nodes and uids, and the frames that have no place in it.
pub(crate) fn of_view(view: &View<'_>, counts: Counts) -> String {
    let uids = format!("{} to {}", counted(view.nodes, "node"), counted(view.uids.len(), "uid"));
    match view.frames_left_out {
        0 => joined(&[&counts, &uids]),
        count => joined(&[&counts, &uids, &left_out(count)]),
    }
}

/// What a delta says of itself.
pub(crate) fn of_delta(delta: &Delta<'_>, counts: Counts) -> String {
    let (changes, uids) = (counted(delta.changes.len(), "change"), counted(delta.uids.len(), "uid"));
    match delta.frames_left_out {
        0 => joined(&[&counts, &changes, &uids]),
        count => joined(&[&counts, &changes, &uids, &left_out(count)]),
    }
}

fn left_out(frames: usize) -> String {
    format!("{} left out: no node holds it", counted(frames, "frame"))
}

/// Parts of a line, joined by `; `.
pub(crate) fn joined(parts: &[&dyn fmt::Display]) -> String {
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
