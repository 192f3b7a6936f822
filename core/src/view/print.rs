//! The print: lines put together as text.

use alloc::string::String;

use super::lines::{Line, LineKind, Lines};
use crate::error::{Error, ErrorKind};

/// Deepest level of indentation: deeper lines stand there.
pub(super) const LEVELS: u32 = 12;

/// Writes all lines, at most `limit` bytes.
pub(super) fn print(lines: &Lines, limit: usize, out: &mut String) -> Result<(), Error> {
    out.clear();
    for line in &lines.list {
        if out.len() + lines.length(line) > limit {
            return Err(Error::new(ErrorKind::OutputTooLarge, 0));
        }
        lines.push(line, out);
    }
    Ok(())
}

impl Lines {
    /// Bytes of the line at most, its line break included.
    pub(super) fn length(&self, line: &Line) -> usize {
        let indent = line.level.min(LEVELS) as usize;
        1 + indent + prefix(line).len() + self.mark(line).len() + self.text(line).len()
    }

    /// Appends the line, after a line break where it is not the first.
    pub(super) fn push(&self, line: &Line, out: &mut String) {
        if !out.is_empty() {
            out.push('\n');
        }
        self.push_indented(line, out);
    }

    /// Appends the line, without a line break.
    pub(super) fn push_indented(&self, line: &Line, out: &mut String) {
        for _ in 0..line.level.min(LEVELS) {
            out.push(' ');
        }
        out.push_str(prefix(line));
        out.push_str(self.mark(line));
        out.push_str(self.text(line));
    }
}

/// Begins a line: its line break, where it is not the first, and its indentation.
pub(super) fn push_start(level: u32, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    for _ in 0..level.min(LEVELS) {
        out.push(' ');
    }
}

/// What stands before the mark.
pub(super) fn prefix(line: &Line) -> &'static str {
    match line.kind {
        LineKind::Page => "page ",
        LineKind::Buttons => "buttons ",
        LineKind::Escaped => "\\",
        _ => "",
    }
}
