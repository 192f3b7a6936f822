//! The plan: what of the changes is said, in which order and how deep; and all of them as positions.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::matching::{Found, How, Matching};
use super::sheet::Sheet;
use super::{Change, ChangeKind};
use crate::error::{Error, ErrorKind};
use crate::table::NONE;

/// What stands before a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Nothing: it holds what is marked.
    Holds,
    Came,
    Changed,
    Went,
    Moved,
}

/// A line of the delta's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) mark: Mark,
    /// Of the view before where it went, else of the view now.
    pub(super) line: u32,
    pub(super) level: u32,
    /// Lines that it holds and that went or moved with it.
    pub(super) more: u32,
}

/// The lines of the text, and all changes. Kept for the next delta: its vectors are reused.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) entries: Vec<Entry>,
    pub(super) changes: Vec<Change>,
    /// The lines of the changes, as the view now has them.
    pub(super) lines: String,
    /// A line of the text while it is measured.
    pub(super) spare: String,
    /// Of each line that went or moved: the entry that says so.
    went: Vec<u32>,
    moved: Vec<u32>,
    /// Lines of the view now that are in the text and can hold what comes next, with their levels there.
    open: Vec<(u32, u32)>,
}

impl Plan {
    pub(super) fn make(
        &mut self,
        before: &Sheet,
        after: &Sheet,
        matching: &Matching,
        output_bytes: usize,
    ) -> Result<(), Error> {
        self.entries.clear();
        self.changes.clear();
        self.lines.clear();
        self.open.clear();
        for (list, length) in [(&mut self.went, before.keys.len()), (&mut self.moved, after.keys.len())] {
            list.clear();
            list.resize(length, NONE);
        }
        let (old_end, new_end) = (before.keys.len() as u32, after.keys.len() as u32);
        let (mut old, mut new) = (0, 0);
        while new < new_end || old < old_end {
            let gap = Gap::from(matching, new, old_end);
            // In a gap, up to each line that stands in order, and that one too; then up to the kept line at its end.
            while new <= gap.new || old <= gap.old {
                let (next_old, next_new) = gap.next_changed(matching, old, new).unwrap_or((gap.old, gap.new));
                for line in old..next_old {
                    if matching.now.get(line as usize) == Some(&NONE) {
                        self.went(before, after, matching, line);
                    }
                }
                for line in new..(next_new + 1).min(new_end) {
                    let Some(&found) = matching.found.get(line as usize) else { break };
                    if self.stands(before, after, matching, line, found) && self.lines.len() > output_bytes {
                        return Err(Error::new(ErrorKind::OutputTooLarge, 0));
                    }
                }
                (old, new) = (next_old + 1, next_new + 1);
            }
        }
        Ok(())
    }

    /// A line went: said once, with what it held.
    fn went(&mut self, before: &Sheet, after: &Sheet, matching: &Matching, line: u32) {
        self.changes.push(Change { kind: ChangeKind::Went, before: Some(line), after: None, start: 0, end: 0 });
        let parent = before.key_of(line).map_or(NONE, |key| key.parent);
        let with = self.went.get(parent as usize).copied().unwrap_or(NONE);
        let entry = if let Some(entry) = self.entries.get_mut(with as usize) {
            entry.more += 1;
            with
        } else {
            let holder = matching.now.get(parent as usize).copied().unwrap_or(NONE);
            self.enter(after, Mark::Went, line, holder)
        };
        if let Some(place) = self.went.get_mut(line as usize) {
            *place = entry;
        }
    }

    /// A line of the view now: said where it is not as it was. Gives whether it is a change.
    fn stands(&mut self, before: &Sheet, after: &Sheet, matching: &Matching, line: u32, found: Found) -> bool {
        let kind = match found.how {
            How::Kept if before.level(found.before) == after.level(line) => return false,
            How::Kept => ChangeKind::Indented,
            How::Came => ChangeKind::Came,
            How::Moved => ChangeKind::Moved,
            How::Changed => ChangeKind::Changed,
        };
        let Range { start, end } = self.copy(after, line);
        let old = (found.before != NONE).then_some(found.before);
        self.changes.push(Change { kind, before: old, after: Some(line), start, end });
        let parent = after.key_of(line).map_or(NONE, |key| key.parent);
        match kind {
            ChangeKind::Came => _ = self.hold(after, Mark::Came, line, parent),
            ChangeKind::Changed => _ = self.hold(after, Mark::Changed, line, parent),
            ChangeKind::Moved => {
                let held = before.key_of(found.before).map_or(NONE, |key| key.parent);
                let together = parent != NONE && matching.now.get(held as usize) == Some(&parent);
                let with = self.moved.get(parent as usize).copied().filter(|_| together).unwrap_or(NONE);
                let entry = if let Some(entry) = self.entries.get_mut(with as usize) {
                    entry.more += 1;
                    with
                } else {
                    self.hold(after, Mark::Moved, line, parent)
                };
                if let Some(place) = self.moved.get_mut(line as usize) {
                    *place = entry;
                }
            }
            ChangeKind::Went | ChangeKind::Indented => {}
        }
        true
    }

    /// Says a line of the view now, which can hold what comes next; gives its entry.
    fn hold(&mut self, after: &Sheet, mark: Mark, line: u32, parent: u32) -> u32 {
        let entry = self.enter(after, mark, line, parent);
        let level = self.entries.last().map_or(0, |entry| entry.level);
        self.open.push((line, level));
        entry
    }

    /// Says a line below the one that holds it, which is said first where it is not yet; gives its entry.
    fn enter(&mut self, after: &Sheet, mark: Mark, line: u32, parent: u32) -> u32 {
        let end = |line: u32| after.key_of(line).map_or(0, |key| key.end);
        while let Some(&(above, _)) = self.open.last() {
            if parent != NONE && above <= parent && parent < end(above) {
                break;
            }
            self.open.pop();
        }
        if self.open.last().map_or(NONE, |&(above, _)| above) != parent {
            // The table's line too, where the words of the controls below are on it.
            let table = after.key_of(parent).map_or(NONE, |key| key.table);
            if table != NONE && self.open.binary_search_by_key(&table, |&(line, _)| line).is_err() {
                self.holds(table);
            }
            self.holds(parent);
        }
        let level = self.open.last().map_or(0, |&(_, level)| level + 1);
        self.entries.push(Entry { mark, line, level, more: 0 });
        self.entries.len() as u32 - 1
    }

    /// Says a line that is as it was, because of what it holds.
    fn holds(&mut self, line: u32) {
        let level = self.open.last().map_or(0, |&(_, level)| level + 1);
        self.entries.push(Entry { mark: Mark::Holds, line, level, more: 0 });
        self.open.push((line, level));
    }

    /// Keeps a line for who applies the changes.
    fn copy(&mut self, after: &Sheet, line: u32) -> Range<u32> {
        let Some(line) = after.line(line) else { return 0..0 };
        if !self.lines.is_empty() {
            self.lines.push('\n');
        }
        let start = self.lines.len() as u32;
        after.lines.push_indented(line, &mut self.lines);
        start..self.lines.len() as u32
    }
}

/// Lines between kept ones: the kept line at their end, before and now, or the ends of both views.
#[derive(Clone, Copy)]
struct Gap {
    old: u32,
    new: u32,
}

impl Gap {
    /// The gap that begins at `new`.
    fn from(matching: &Matching, new: u32, old_end: u32) -> Self {
        let rest = matching.found.get(new as usize..).unwrap_or_default();
        match rest.iter().enumerate().find(|(_, found)| found.how == How::Kept) {
            Some((at, found)) => Self { old: found.before, new: new + at as u32 },
            None => Self { old: old_end, new: new + rest.len() as u32 },
        }
    }

    /// The next line of the gap that changed in its place: what came and went before it is said before it.
    fn next_changed(self, matching: &Matching, old: u32, new: u32) -> Option<(u32, u32)> {
        let lines = matching.found.get(new as usize..self.new as usize)?.iter().zip(new..);
        let in_place = |found: &Found| found.how == How::Changed && (old..self.old).contains(&found.before);
        lines
            .map(|(found, line)| (*found, line))
            .find(|(found, _)| in_place(found))
            .map(|(found, line)| (found.before, line))
    }
}
