//! The delta's text: the plan's lines with their marks, or the whole view; no longer than it may be.

use alloc::string::String;
use alloc::vec::Vec;

use super::plan::{Entry, Mark, Plan};
use super::sheet::{Sheet, without_handles};
use crate::error::{Error, ErrorKind};
use crate::text::push_number;
use crate::view::Uid;
use crate::view::print::{LEVELS, prefix, push_start};

/// The text where nothing changed.
pub(super) const NO_CHANGE: &str = "no change";
/// What stands above the view where a delta would say too much.
pub(super) const REWRITTEN: &str = "… most of the page changed; its view now:\n";
/// Of a text of more bytes than this that went, or moved without a handle, only so many characters are printed.
const LONG: usize = 120;
const SHORT: usize = 80;

impl Mark {
    fn text(self) -> &'static str {
        match self {
            Self::Holds => "",
            Self::Came => "+ ",
            Self::Changed => "~ ",
            Self::Went => "x ",
            Self::Moved => "> ",
        }
    }
}

/// Would a line without a mark be taken for one with a mark?
fn begins_like_a_mark(mark: &str, text: &str) -> bool {
    let begin = if mark.is_empty() { text } else { mark };
    [Mark::Came, Mark::Changed, Mark::Went, Mark::Moved].iter().any(|mark| begin.starts_with(mark.text()))
}

impl Plan {
    /// Bytes of the whole text.
    pub(super) fn length(&mut self, before: &Sheet, after: &Sheet) -> usize {
        let Self { entries, spare, .. } = self;
        entries.iter().map(|entry| 1 + length(entry, before, after, spare)).sum::<usize>().saturating_sub(1)
    }

    /// Writes the text: all of it, `length` bytes, or what fits and how many changes do not.
    #[expect(clippy::too_many_arguments, reason = "what it reads, what it may take and what it writes to")]
    pub(super) fn print(
        &mut self,
        before: &Sheet,
        after: &Sheet,
        length: usize,
        limit: usize,
        cut: bool,
        text: &mut String,
        uids: &mut Vec<Uid>,
    ) -> Result<(), Error> {
        let (mut end, mut left) = (self.entries.len(), 0);
        if length > limit {
            if !cut {
                return Err(Error::new(ErrorKind::OutputTooLarge, 0));
            }
            (end, left) = self.fitting(before, after, limit);
        }
        // Else it could grow past the budget.
        text.reserve_exact(length.min(limit));
        for entry in self.entries.get(..end).unwrap_or_default() {
            push_start(0, text);
            push_entry(entry, before, after, text);
            if entry.mark != Mark::Went {
                uids.extend_from_slice(after.uids(entry.line));
            }
        }
        if left > 0 {
            push_left(left, text);
        }
        Ok(())
    }

    /// The most lines that fit with the count of the other changes below them, and that count.
    fn fitting(&mut self, before: &Sheet, after: &Sheet, limit: usize) -> (usize, usize) {
        let Self { entries, spare, .. } = self;
        let mut left = entries.iter().filter(|entry| entry.mark != Mark::Holds).count();
        let (mut used, mut fits) = (0, (0, left));
        for (at, entry) in entries.iter().enumerate() {
            used += 1 + length(entry, before, after, spare);
            if used > limit {
                break;
            }
            if entry.mark == Mark::Holds {
                continue;
            }
            left -= 1;
            if used + left_length(left, spare) <= limit {
                fits = (at + 1, left);
            }
        }
        fits
    }
}

/// Bytes of the whole view, below the line that says that it is one.
pub(super) fn view_length(after: &Sheet) -> usize {
    REWRITTEN.len() - 1 + after.lines.list.iter().map(|line| after.lines.length(line)).sum::<usize>()
}

/// Appends `… +12 changes` as a line of its own.
fn push_left(left: usize, text: &mut String) {
    push_start(0, text);
    push_count(left, "change", text);
}

fn push_count(count: usize, noun: &str, out: &mut String) {
    out.push_str("… +");
    push_number(count as u64, out);
    out.push(' ');
    out.push_str(noun);
    out.push_str(if count == 1 { "" } else { "s" });
}

/// Bytes of that line with the line break before it; none where nothing is left.
fn left_length(left: usize, spare: &mut String) -> usize {
    if left == 0 {
        return 0;
    }
    spare.clear();
    push_count(left, "change", spare);
    1 + spare.len()
}

fn length(entry: &Entry, before: &Sheet, after: &Sheet, spare: &mut String) -> usize {
    spare.clear();
    push_entry(entry, before, after, spare);
    spare.len()
}

fn push_entry(entry: &Entry, before: &Sheet, after: &Sheet, out: &mut String) {
    let sheet = if entry.mark == Mark::Went { before } else { after };
    let Some(line) = sheet.line(entry.line) else { return };
    let (mark, text) = (sheet.lines.mark(line), sheet.lines.text(line));
    for _ in 0..entry.level.min(LEVELS) {
        out.push(' ');
    }
    out.push_str(entry.mark.text());
    if entry.mark == Mark::Holds && begins_like_a_mark(mark, text) {
        out.push('\\');
    }
    out.push_str(prefix(line));
    out.push_str(mark);
    match entry.mark {
        Mark::Went => push_known(text, out),
        Mark::Moved if sheet.uids(entry.line).is_empty() => push_known(text, out),
        _ => out.push_str(text),
    }
    if entry.more > 0 {
        out.push(' ');
        push_count(entry.more as usize, "line", out);
    }
}

/// Writes a text that the reader knows: without handles, and of a long one the beginning.
fn push_known(text: &str, out: &mut String) {
    let mut left = if text.len() <= LONG { usize::MAX } else { SHORT };
    for part in without_handles(text) {
        if let Some((end, _)) = part.char_indices().nth(left) {
            out.push_str(part.get(..end).unwrap_or_default());
            return out.push('…');
        }
        left -= part.chars().count();
        out.push_str(part);
    }
}
