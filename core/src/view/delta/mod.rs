//! The delta: what changed between two payloads of one page, as a text for agents and as positions for programs.
//!
//! `+ line` came, `~ line` now reads so, `x line` went, `> line` moved. Lines are those of the view. A marked line stands
//! one level below the line that holds it, the nearest one that is less deep, printed as the view has it: with what it
//! holds, in reading order, each only where something in it changed. Of what went or moved as a whole only the first
//! line is printed, ` … +3 lines` after it; a line that went has no handles, since none of them lives, and of a long one
//! only the beginning is printed, ending in `…`: its reader knows it. An unchanged line is not mentioned, however deep
//! it now stands.
//!
//! Nothing forged: every line that is not marked is one that holds others, and where page text has it begin like a mark
//! it has a `\` before it. `no change` and lines that begin with `…` are ours alone, as in every view.
//!
//! [`sheet`] says of each line how it is known again, [`matching`] pairs the lines of both views, [`plan`] puts what is
//! to be said in order, [`mod@print`] writes it. Each is O(n log n) in the lines at worst, and linear in what both views
//! begin and end with. A page of which too little is left ([`SHARED`]), or whose changes take hardly less room than its
//! view ([`WORTH`]), is given as its view, below a line that says so.

mod matching;
mod plan;
mod print;
mod sheet;

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::print::print;
use super::{Snapshot, Uid, ViewOptions, budget};
use crate::error::{Error, ErrorKind};
use crate::reader::Reader;
use matching::Matching;
use plan::Plan;
use sheet::Sheet;

/// One line of so many of the longer view must be known again; else the pages share too little for a delta.
const SHARED: usize = 3;
/// So many eighths of the view's bytes are too many for a delta: it has to be read beside the view before.
const WORTH: usize = 7;

/// What changed between two payloads of a page, lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Delta<'a> {
    /// What the text is.
    pub kind: DeltaKind,
    /// The text: lines joined by `\n`, none at the end.
    pub text: &'a str,
    /// The uids in the text, in the order in which they stand there, and no others: all live in the new view.
    pub uids: &'a [Uid],
    /// All changes, whatever the text says of them: see [`Delta::apply`].
    pub changes: &'a [Change],
    /// Lines of the old view.
    pub lines_before: usize,
    /// Lines of the new view.
    pub lines_after: usize,
    /// As in [`View`](super::View), of the new snapshot.
    pub frames_left_out: usize,
    /// Lines of the new view that the changes name.
    lines: &'a str,
}

/// What the text of a delta is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeltaKind {
    /// Nothing changed: `no change`.
    Unchanged,
    /// The changes.
    Changed,
    /// The new view, below a line that says so: little is left of the old one, or its changes are no shorter.
    Rewritten,
}

/// One change, by the positions of lines: those of the old view as it was, and those of the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Position of the line in the old view, from 0; none where it came.
    pub before: Option<u32>,
    /// Position of the line in the new view, from 0; none where it went.
    pub after: Option<u32>,
    /// Of the delta's `lines`.
    start: u32,
    end: u32,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// It is new.
    Came,
    /// It is no longer there.
    Went,
    /// It stands for the same as the old line, and reads differently.
    Changed,
    /// It reads as before, elsewhere.
    Moved,
    /// It reads as before, deeper or less deep: not in the text.
    Indented,
}

impl<'a> Delta<'a> {
    /// The line of a change as it stands in the new view, indented; empty where it went.
    #[must_use]
    pub fn line(&self, change: &Change) -> &'a str {
        self.lines.get(change.start as usize..change.end as usize).unwrap_or_default()
    }

    /// The new view's text, made of the old one's: both without a budget.
    ///
    /// A line that came, changed, moved or was indented stands at its `after`, as [`Delta::line`] gives it. The lines of
    /// the old view that no change names fill the other positions, in their order. None where the text is not that of
    /// the old view.
    #[must_use]
    pub fn apply(&self, before: &str) -> Option<String> {
        let old: Vec<&str> = before.split('\n').filter(|line| !line.is_empty()).collect();
        let mut kept = alloc::vec![true; old.len()];
        let mut new: Vec<Option<&str>> = alloc::vec![None; self.lines_after];
        for change in self.changes {
            if let Some(before) = change.before {
                *kept.get_mut(before as usize)? = false;
            }
            if let Some(after) = change.after {
                *new.get_mut(after as usize)? = Some(self.line(change));
            }
        }
        let mut rest = old.iter().zip(&kept).filter(|&(_, &kept)| kept).map(|(&line, _)| line);
        let mut text = String::new();
        for (position, line) in new.into_iter().enumerate() {
            if position > 0 {
                text.push('\n');
            }
            text.push_str(line.or_else(|| rest.next())?);
        }
        (old.len() == self.lines_before && rest.next().is_none()).then_some(text)
    }
}

/// What a delta is made with, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    before: Sheet,
    after: Sheet,
    matching: Matching,
    plan: Plan,
    text: String,
    uids: Vec<Uid>,
}

impl super::Scratch {
    /// Makes the delta from one page to the next.
    pub(crate) fn delta(
        &mut self,
        reader: &mut Reader,
        before: &Snapshot<'_>,
        after: &Snapshot<'_>,
        options: &ViewOptions<'_>,
    ) -> Result<Delta<'_>, Error> {
        if options.max_bytes.is_some_and(|most| most < budget::LEAST) {
            return Err(Error::new(ErrorKind::BudgetTooSmall, 0));
        }
        self.read(reader, before, options)?;
        match self.lay_out(options) {
            // The subtree that is asked for is new: all of it came.
            Err(error) if error.kind == ErrorKind::UnknownRoot => self.desk.lines.clear(),
            laid_out => _ = laid_out?,
        }
        self.delta.before.take(&self.page, &mut self.desk.lines);
        let done = self.delta_to(reader, after, options);
        self.delta.before.give_back(&mut self.desk.lines);
        let (kind, frames_left_out) = done?;
        Ok(self.delta.lend(kind, frames_left_out))
    }

    /// The second half: what was read before is on its sheet.
    fn delta_to(
        &mut self,
        reader: &mut Reader,
        after: &Snapshot<'_>,
        options: &ViewOptions<'_>,
    ) -> Result<(DeltaKind, usize), Error> {
        let frames_left_out = self.read(reader, after, options)?.frames_left_out;
        let items = self.lay_out(options)?;
        self.delta.after.take(&self.page, &mut self.desk.lines);
        let output_bytes = reader.limits.output_bytes;
        let mut kind = self.delta.compare(options, output_bytes);
        if kind == Ok(DeltaKind::Rewritten) {
            kind = self.write_view(items, options, output_bytes).map(|()| DeltaKind::Rewritten);
        }
        self.delta.after.give_back(&mut self.desk.lines);
        Ok((kind?, frames_left_out))
    }

    /// Writes the new view in place of a delta, in the budget that is left below the line that says so.
    fn write_view(&mut self, items: Range<usize>, options: &ViewOptions<'_>, output_bytes: usize) -> Result<(), Error> {
        let Self { page, selection, delta, text: view, .. } = self;
        let Scratch { after, text, uids, .. } = delta;
        let rest = |most: usize| most.saturating_sub(print::REWRITTEN.len());
        let options = ViewOptions { query: None, max_bytes: options.max_bytes.map(rest), ..*options };
        let limit = rest(output_bytes);
        if selection.write(page, items, &after.lines, &options, limit, view)?.is_some() {
            uids.extend_from_slice(&selection.uids);
        } else {
            print(&after.lines, limit, view)?;
            uids.extend_from_slice(&after.lines.uids);
        }
        text.reserve_exact(print::REWRITTEN.len() + view.len());
        text.push_str(print::REWRITTEN);
        text.push_str(view);
        Ok(())
    }
}

impl Scratch {
    /// Compares both sheets and writes what changed; a page that is rewritten is not written here.
    fn compare(&mut self, options: &ViewOptions<'_>, output_bytes: usize) -> Result<DeltaKind, Error> {
        let Self { before, after, matching, plan, text, uids } = self;
        let limit = options.max_bytes.unwrap_or(output_bytes).min(output_bytes);
        let cut = options.max_bytes.is_some_and(|most| most <= output_bytes);
        matching.compare(before, after);
        plan.make(before, after, matching, output_bytes)?;
        text.clear();
        uids.clear();
        if plan.entries.is_empty() {
            text.push_str(print::NO_CHANGE);
            return Ok(if plan.changes.is_empty() { DeltaKind::Unchanged } else { DeltaKind::Changed });
        }
        let longer = before.keys.len().max(after.keys.len());
        let length = plan.length(before, after);
        if matching.matched() * SHARED < longer || length * 8 >= print::view_length(after) * WORTH {
            return Ok(DeltaKind::Rewritten);
        }
        plan.print(before, after, length, limit, cut, text, uids)?;
        Ok(DeltaKind::Changed)
    }

    fn lend(&self, kind: DeltaKind, frames_left_out: usize) -> Delta<'_> {
        Delta {
            kind,
            text: &self.text,
            uids: &self.uids,
            changes: &self.plan.changes,
            lines_before: self.before.keys.len(),
            lines_after: self.after.keys.len(),
            frames_left_out,
            lines: &self.plan.lines,
        }
    }
}
