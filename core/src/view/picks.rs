//! Picks: the lines of a view that are to be printed, where not all of them are.
//!
//! A query picks lines, or parts of lines of controls; a budget leaves some of the picks out and cuts others. Here is
//! what both need: where each pick stands among the others, and how many handles and characters it has.

use alloc::vec::Vec;
use core::ops::Range;

use super::lines::{Line, LineKind, Lines};
use super::page::{Item, Page};
use crate::roles::{self, Kind};
use crate::table::NONE;
use crate::text::leading;

/// A line that is to be printed, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    /// The line; a part has the text, the mark and the handles of the part.
    pub(super) line: Line,
    /// Where its handles end in [`Lines::uids`].
    pub(super) uids_end: u32,
    /// Its line's place in [`Lines::list`].
    pub(super) at: u32,
}

impl Pick {
    /// How many handles it has.
    pub(super) fn controls(&self) -> u32 {
        self.uids_end.saturating_sub(self.line.uids)
    }
}

impl Lines {
    /// The whole line at this place.
    pub(super) fn pick(&self, at: usize) -> Option<Pick> {
        let line = *self.list.get(at)?;
        let uids_end = self.list.get(at + 1).map_or(self.uids.len() as u32, |next| next.uids);
        Some(Pick { line, uids_end, at: at as u32 })
    }

    /// The characters that the line prints after its indentation.
    pub(super) fn characters(&self, line: &Line) -> u32 {
        let before = super::print::prefix(line).len() + count(self.mark(line));
        // A space at a line's beginning is indentation.
        let indented = if before == 0 { leading(self.text(line), b' ') } else { 0 };
        (before + count(self.text(line)) - indented) as u32
    }
}

/// How many characters a text has.
pub(super) fn count(text: &str) -> usize {
    text.bytes().filter(|&byte| byte & 0xc0 != 0x80).count()
}

/// Where the first handle of `text` stands that begins at `from` or later. Page text has no `@` before a digit but after
/// a backslash, so that a handle is told by its looks.
pub(super) fn find_handle(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == b'@')? + 1;
        let escaped = at > 1 && bytes.get(at - 2) == Some(&b'\\');
        if escaped || !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            continue;
        }
        let digits = |from: usize| {
            from + bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let end = digits(at);
        let dotted = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        return Some(at - 1..if dotted { digits(end + 1) } else { end });
    }
}

/// How many handles there are in `text`.
pub(super) fn handles(text: &str) -> u32 {
    let (mut at, mut count) = (0, 0);
    while let Some(handle) = find_handle(text, at) {
        at = handle.end;
        count += 1;
    }
    count
}

/// The line that each line stands under, or [`NONE`]: the one above that is less deep, and for what follows the header
/// row of a table that row, for without it cells say little. `open` is scratch.
pub(super) fn find_parents<'a>(
    lines: impl Iterator<Item = &'a Line>,
    page: &Page,
    open: &mut Vec<(u32, u32)>,
    parents: &mut Vec<u32>,
) {
    parents.clear();
    open.clear();
    let mut before: Option<&Line> = None;
    for (at, line) in lines.enumerate() {
        // A header row stands half a level below its table.
        let depth = 2 * line.level + 1;
        while open.last().is_some_and(|&(_, above)| above > depth) {
            open.pop();
        }
        if open.last().is_some_and(|&(_, above)| above == depth) {
            open.pop();
        }
        parents.push(open.last().map_or(NONE, |&(above, _)| above));
        let heads = before.is_some_and(|table| table.kind == LineKind::Container && table.level < line.level)
            && is_header(line, page);
        open.push((at as u32, if heads { depth - 1 } else { depth }));
        before = Some(line);
    }
}

/// A row of column headers.
fn is_header(line: &Line, page: &Page) -> bool {
    let Some(row) = page.item(line.item).filter(|_| line.kind == LineKind::Row) else { return false };
    page.item(row.index + 1).is_some_and(|cell| cell.parent == row.index && cell.role == roles::COLUMN_HEADER)
}

/// Finds the line that an item is printed on, items in order.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    lines: &'a Lines,
    /// How many lines begin before the item.
    before: usize,
}

impl<'a> Finder<'a> {
    pub(super) fn new(lines: &'a Lines) -> Self {
        Self { lines, before: 0 }
    }

    /// The line of an item that stands after all that were asked for: the one that it begins, else the one that it is
    /// a part of. A heading begins its text's line; a container that has no line of its own has none, and neither has
    /// what is printed by what it holds.
    pub(super) fn find(&mut self, item: &Item) -> Option<usize> {
        let list = &self.lines.list;
        while list.get(self.before).is_some_and(|line| line.item < item.index) {
            self.before += 1;
        }
        let begun = list.get(self.before).filter(|line| line.item == item.index);
        let inside = || self.before.checked_sub(1);
        if item.has_uid() {
            // The lines of a value have their control's item, and no handle.
            let has_handle = self.lines.pick(self.before).is_some_and(|pick| pick.controls() > 0);
            return if begun.is_some() && has_handle { Some(self.before) } else { inside() };
        }
        match item.kind {
            _ if begun.is_some() => Some(self.before),
            Kind::Text | Kind::Marker | Kind::Image | Kind::Value | Kind::Unread | Kind::Control => inside(),
            Kind::Frame if item.end == item.index + 1 => inside(),
            Kind::Heading => list.get(self.before).filter(|line| line.item < item.end).map(|_| self.before),
            Kind::Land | Kind::Quiet | Kind::Frame | Kind::Root => None,
            _ if item.name.is_empty() || !item.said.is_empty() || item.controls > 0 => None,
            _ => inside(),
        }
    }
}

/// The nearest row or list item of each item: itself, one above it, or [`NONE`].
pub(super) fn find_rows(page: &Page, rows: &mut Vec<u32>) {
    rows.clear();
    for item in &page.items {
        let own = matches!(item.kind, Kind::Row | Kind::Item);
        let above = rows.get(item.parent as usize).copied().unwrap_or(NONE);
        rows.push(if own { item.index } else { above });
    }
}
