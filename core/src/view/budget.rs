//! The budget: which picks are printed so that the text is never longer than it may be.
//!
//! Lines are kept rank by rank, within a rank in the order of the page, each with what it stands under. What is left
//! out between two kept lines is counted in a notice there, and what is added is the exact length of line and notices:
//! so nothing is printed to be measured. A line too long to be kept is cut. Linear in the picks for each rank.

use alloc::string::String;
use alloc::vec::Vec;

use super::lines::{Line, LineKind, Lines};
use super::page::{Page, Text};
use super::picks::{Pick, find_parents, handles};
use super::print::{LEVELS, push_start};
use super::ranks::{Rank, Ranks, noun};
use crate::table::NONE;
use crate::text::push_number;

/// The smallest budget, in bytes.
pub(crate) const LEAST: usize = 200;
/// Fewest bytes of a line's text that are worth a cut.
const CUT_LEAST: usize = 24;
/// How often in a rank a line may be too long before what comes after it is not tried.
const TRIES: usize = 8;
/// A cut stands at a space that is not further back than this: longer than any handle, so that none is cut.
const SPACE_BACK: usize = 40;
/// Stands where a line is cut.
const CUT: &str = "…";
/// Ends the last notice: how to get what was left out.
const WAY: &str = "; query or raise the budget";

/// What stands before a place in the list of picks.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    controls: u32,
    characters: u32,
}

/// What is left out between two kept lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Gap {
    level: u32,
    controls: u32,
    characters: u32,
    /// Where it is a number of whole rows or items.
    members: u32,
    noun: &'static str,
}

/// A part of a notice.
enum Word {
    Text(&'static str),
    Number(u32),
}

impl Gap {
    fn is_empty(&self) -> bool {
        self.controls == 0 && self.characters == 0
    }

    /// The notice in parts: `… +177 rows, 177 controls, 9120 characters`.
    fn words(&self, mut each: impl FnMut(Word)) {
        let mut between = "… +";
        for (number, noun) in [(self.members, self.noun), (self.controls, " control"), (self.characters, " character")]
        {
            if number > 0 {
                each(Word::Text(between));
                each(Word::Number(number));
                each(Word::Text(noun));
                each(Word::Text(if number == 1 { "" } else { "s" }));
                between = ", ";
            }
        }
    }

    /// Bytes of its line, the line break included.
    fn length(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut length = 1 + self.level.min(LEVELS) as usize;
        self.words(|word| {
            length += match word {
                Word::Text(text) => text.len(),
                Word::Number(number) => number.checked_ilog10().unwrap_or(0) as usize + 1,
            }
        });
        length
    }

    fn push(&self, out: &mut String) {
        push_start(self.level, out);
        self.words(|word| match word {
            Word::Text(text) => out.push_str(text),
            Word::Number(number) => push_number(u64::from(number), out),
        });
    }
}

/// How much of a pick is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    Nothing,
    /// So many bytes of its text.
    Cut(u32),
    All,
}

/// What was left out of a page, and where. Kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Budget {
    pub(super) ranks: Ranks,
    kept: Vec<Keep>,
    sums: Vec<Sum>,
    parents: Vec<u32>,
    open: Vec<(u32, u32)>,
    /// The next kept pick from each one on, as it was when the rank was begun.
    next: Vec<u32>,
    /// A line and those that it stands under that are not kept yet.
    chain: Vec<u32>,
    /// Bytes of all that is kept and of the notices, each with a line break.
    used: usize,
    most: usize,
}

/// What the budget is about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work<'a> {
    pub(super) page: &'a Page,
    pub(super) lines: &'a Lines,
    pub(super) picks: &'a [Pick],
}

impl Budget {
    /// Chooses what is kept of the picks in `most` bytes, their lines being ranked; gives the bytes that the text takes.
    pub(super) fn fit(&mut self, work: Work<'_>, most: usize) -> usize {
        let Work { page, lines, picks } = work;
        find_parents(picks.iter().map(|pick| &pick.line), page, &mut self.open, &mut self.parents);
        self.sums.clear();
        let mut sum = Sum::default();
        self.sums.push(sum);
        for pick in picks {
            sum.controls += pick.controls();
            sum.characters += lines.characters(&pick.line);
            self.sums.push(sum);
        }
        self.kept.clear();
        self.kept.resize(picks.len(), Keep::Nothing);
        // The first line has no line break before it.
        self.most = most + 1;
        self.used = WAY.len() + self.gap(work, None, picks.len()).length();
        for rank in Rank::ALL {
            if rank == Rank::Rest {
                self.fill_small_gaps(work);
            }
            self.keep_rank(work, rank);
        }
        self.fill_small_gaps(work);
        self.extend_cuts(work);
        self.used.saturating_sub(1)
    }

    /// Writes what is kept, and its handles beside it.
    pub(super) fn print(&self, work: Work<'_>, out: &mut String, mut shown: impl FnMut(&Pick, u32)) {
        let mut previous = None;
        let mut last_notice = None;
        for at in 0..=work.picks.len() {
            let keep = self.kept.get(at).copied();
            if keep == Some(Keep::Nothing) {
                continue;
            }
            let gap = self.gap(work, previous, at);
            if !gap.is_empty() {
                gap.push(out);
                last_notice = Some(out.len());
            }
            previous = Some(at);
            let Some((keep, pick)) = keep.zip(work.picks.get(at)) else { break };
            let line = kept_line(&pick.line, keep);
            work.lines.push(&line, out);
            if let Keep::Cut(_) = keep {
                out.push_str(CUT);
            }
            let controls = match keep {
                Keep::Cut(_) => handles(work.lines.text(&line)),
                _ => pick.controls(),
            };
            shown(&Pick { line, ..*pick }, controls);
        }
        if let Some(end) = last_notice {
            out.insert_str(end, WAY);
        }
    }

    /// Keeps as many lines of the rank as there is room for.
    fn keep_rank(&mut self, work: Work<'_>, rank: Rank) {
        let mut tries = if matches!(rank, Rank::Rest | Rank::Run) { 1 } else { TRIES };
        let mut previous = None;
        self.find_next();
        for at in 0..work.picks.len() {
            if self.kept.get(at) != Some(&Keep::Nothing) {
                previous = Some(at);
            } else if self.rank(work, at) == Some(rank) {
                if self.keep(work, previous, at) {
                    previous = Some(at);
                } else if tries == 1 {
                    self.end_run(work, previous, at);
                    return;
                } else {
                    tries -= 1;
                }
            }
        }
    }

    /// Takes back the beginning of a run's member whose line `at` has no room, so that whole members are left out.
    fn end_run(&mut self, work: Work<'_>, previous: Option<usize>, at: usize) {
        let member = |at: usize| {
            let line = &work.picks.get(at)?.line;
            self.ranks.member(work.page, line).map(|(first, number)| (first.index, number))
        };
        let own = member(at);
        let is_own = |line: usize| {
            let kept = self.kept.get(line).is_some_and(|keep| *keep != Keep::Nothing);
            kept && self.rank(work, line) == Some(Rank::Run) && member(line) == own
        };
        let Some(previous) = previous.filter(|&previous| own.is_some() && previous + 1 == at && is_own(previous))
        else {
            return;
        };
        let mut start = previous;
        while let Some(before) = start.checked_sub(1).filter(|&before| is_own(before)) {
            start = before;
        }
        let above = start.checked_sub(1);
        if above.is_some_and(|above| self.kept.get(above) == Some(&Keep::Nothing)) {
            return;
        }
        let next = self.next.get(at).map_or(work.picks.len(), |&next| next as usize);
        let mut used = self.used;
        for line in start..=previous {
            used -= self.length(work, line);
            used -= self.gap(work, Some(line), if line == previous { next } else { line + 1 }).length();
            self.set(line, Keep::Nothing);
        }
        self.used = used + self.gap(work, above, next).length();
    }

    fn rank(&self, work: Work<'_>, at: usize) -> Option<Rank> {
        self.ranks.list.get(work.picks.get(at)?.at as usize).copied()
    }

    fn find_next(&mut self) {
        let Self { next, kept, .. } = self;
        next.clear();
        next.resize(kept.len() + 1, kept.len() as u32);
        let mut found = kept.len() as u32;
        for (at, (place, keep)) in next.iter_mut().zip(kept).enumerate().rev() {
            if *keep != Keep::Nothing {
                found = at as u32;
            }
            *place = found;
        }
    }

    /// Keeps a line that stands in the gap after `previous`, with those that it stands under and that are not kept:
    /// they stand in that gap too. False where there is no room.
    fn keep(&mut self, work: Work<'_>, previous: Option<usize>, at: usize) -> bool {
        let next = self.next.get(at + 1).map_or(work.picks.len(), |&next| next as usize);
        self.chain.clear();
        let mut above = at as u32;
        while self.kept.get(above as usize) == Some(&Keep::Nothing) {
            self.chain.push(above);
            above = self.parents.get(above as usize).map_or(NONE, |&parent| parent);
        }
        let gap = self.gap(work, previous, next).length();
        let room = (self.most + gap).saturating_sub(self.used);
        let mut taken = 0;
        let mut last = previous;
        for step in (0..self.chain.len()).rev() {
            let Some(line) = self.chain.get(step).map(|&line| line as usize) else { break };
            taken += self.gap(work, last, line).length();
            last = Some(line);
            let most = room.saturating_sub(taken);
            let chosen = match step {
                0 => self.choose(work, line, next, most),
                _ => cut(work, line, self.longest().min(most)).map(|keep| {
                    self.set(line, keep);
                    self.length(work, line)
                }),
            };
            let Some(length) = chosen else {
                for step in 0..self.chain.len() {
                    let line = self.chain.get(step).map_or(NONE, |&line| line);
                    self.set(line as usize, Keep::Nothing);
                }
                return false;
            };
            taken += length;
        }
        self.used = self.used + taken - gap;
        true
    }

    /// How much of a line to print in `room`, with the notice between it and `next`: all where it is not too long, else
    /// its beginning; of a line with controls only where the whole would be too long anywhere. Gives the bytes of both.
    fn choose(&mut self, work: Work<'_>, at: usize, next: usize, room: usize) -> Option<usize> {
        let notice = self.gap(work, Some(at), next).length();
        let may_cut = work
            .picks
            .get(at)
            .is_some_and(|Pick { line, .. }| line.kind == LineKind::Text || work.lines.length(line) > self.longest());
        for most in [self.longest(), room.saturating_sub(notice)] {
            if let Some(keep) = cut(work, at, most).filter(|keep| may_cut || *keep == Keep::All) {
                self.set(at, keep);
                let length = self.length(work, at) + self.gap(work, Some(at), next).length();
                if length <= room {
                    return Some(length);
                }
                self.set(at, Keep::Nothing);
            }
        }
        None
    }

    /// A longer line is cut, as long as others wait.
    fn longest(&self) -> usize {
        (self.most / 4).max(100)
    }

    fn set(&mut self, at: usize, keep: Keep) {
        if let Some(place) = self.kept.get_mut(at) {
            *place = keep;
        }
    }

    /// Bytes of what is printed of a line, the line break included.
    fn length(&self, work: Work<'_>, at: usize) -> usize {
        let (Some(&keep), Some(pick)) = (self.kept.get(at), work.picks.get(at)) else { return 0 };
        let length = work.lines.length(&kept_line(&pick.line, keep));
        match keep {
            Keep::Nothing => 0,
            Keep::Cut(_) => length + CUT.len(),
            Keep::All => length,
        }
    }

    /// Prints what is no longer than the notice that stands for it.
    fn fill_small_gaps(&mut self, work: Work<'_>) {
        self.find_next();
        let mut at = 0;
        while at < work.picks.len() {
            let next = self.next.get(at).map_or(work.picks.len(), |&next| next as usize);
            let previous = at.checked_sub(1);
            let whole = previous.is_none_or(|previous| self.kept.get(previous) == Some(&Keep::All));
            if next > at && whole {
                let notice = self.gap(work, previous, next).length();
                let mut length = 0;
                for pick in work.picks.get(at..next).unwrap_or_default() {
                    length += work.lines.length(&pick.line);
                    if length > notice {
                        break;
                    }
                }
                if length <= notice {
                    self.used = self.used + length - notice;
                    for place in self.kept.get_mut(at..next).unwrap_or_default() {
                        *place = Keep::All;
                    }
                }
            }
            at = next + 1;
        }
    }

    /// Gives the room that is left to the lines that were cut, rank by rank.
    fn extend_cuts(&mut self, work: Work<'_>) {
        self.find_next();
        for rank in Rank::ALL {
            for at in 0..work.picks.len() {
                let Some(&Keep::Cut(size)) = self.kept.get(at) else { continue };
                if self.rank(work, at) != Some(rank) {
                    continue;
                }
                let next = self.next.get(at + 1).map_or(work.picks.len(), |&next| next as usize);
                let before = self.length(work, at) + self.gap(work, Some(at), next).length();
                let room = (self.most + before).saturating_sub(self.used);
                for most in [usize::MAX, room.saturating_sub(self.gap(work, Some(at), next).length())] {
                    let Some(keep) = cut(work, at, most).filter(|keep| keep.size() > size) else { continue };
                    self.set(at, keep);
                    let length = self.length(work, at) + self.gap(work, Some(at), next).length();
                    if length <= room {
                        self.used = self.used + length - before;
                        break;
                    }
                    self.set(at, Keep::Cut(size));
                }
            }
        }
    }

    /// What is left out between a kept line, or the beginning, and a line after it, or the end.
    fn gap(&self, work: Work<'_>, previous: Option<usize>, next: usize) -> Gap {
        let Work { lines, picks, .. } = work;
        let start = previous.map_or(0, |previous| previous + 1);
        let sum = |at: usize| self.sums.get(at).copied().unwrap_or_default();
        // Of the line before a place.
        let own = |at: usize| sum(at).characters - at.checked_sub(1).map_or(0, |before| sum(before).characters);
        let mut gap = Gap {
            controls: sum(next).controls - sum(start.min(next)).controls,
            characters: sum(next).characters - sum(start.min(next)).characters,
            ..Gap::default()
        };
        let before = previous.and_then(|previous| Some((*self.kept.get(previous)?, picks.get(previous)?)));
        let first = picks.get(start).filter(|_| start < next);
        gap.level = first.or(before.map(|(_, pick)| pick)).map_or(0, |pick| pick.line.level);
        match before {
            Some((keep @ Keep::Cut(_), pick)) => {
                let shown = kept_line(&pick.line, keep);
                gap.controls += pick.controls().saturating_sub(handles(lines.text(&shown)));
                gap.characters += own(start).saturating_sub(lines.characters(&shown));
            }
            // Not yet chosen: as if all of it were left out.
            Some((Keep::Nothing, pick)) => {
                gap.controls += pick.controls();
                gap.characters += own(start);
            }
            _ if start < next => self.count_members(work, start, next, &mut gap),
            _ => {}
        }
        gap
    }

    /// Counts the rows or items of a run, where the lines are those and nothing else, and whole.
    fn count_members(&self, work: Work<'_>, start: usize, end: usize, gap: &mut Gap) {
        let Work { page, lines, picks } = work;
        if picks.len() != lines.list.len() {
            return; // a query may have picked from the members
        }
        let member = |at: usize| picks.get(at).and_then(|pick| self.ranks.member(page, &pick.line));
        let number = |member: Option<(&super::page::Item, u32)>| member.map(|(first, number)| (first.index, number));
        let (Some((first, from)), Some((other, to))) = (member(start), member(end - 1)) else { return };
        let begins = start.checked_sub(1).is_none_or(|before| number(member(before)) != Some((first.index, from)));
        let ends = number(member(end)) != Some((other.index, to));
        if first.index == other.index && begins && ends && to >= from {
            gap.members = to - from + 1;
            gap.noun = noun(first);
        }
    }
}

impl Keep {
    fn size(self) -> u32 {
        match self {
            Self::Nothing => 0,
            Self::Cut(size) => size,
            Self::All => u32::MAX,
        }
    }
}

/// The line as it is printed: its beginning, where it is cut.
fn kept_line(line: &Line, keep: Keep) -> Line {
    match keep {
        Keep::Cut(size) => Line { text: Text::new(line.text.start(), line.text.start() + size as usize), ..*line },
        _ => *line,
    }
}

/// How much of a line fits into so many bytes, if any of it is worth to be printed.
fn cut(work: Work<'_>, at: usize, most: usize) -> Option<Keep> {
    let line = &work.picks.get(at)?.line;
    let (length, text) = (work.lines.length(line), work.lines.text(line));
    if length <= most {
        return Some(Keep::All);
    }
    let mut end = (text.len() + most).checked_sub(length + CUT.len()).filter(|&end| end >= CUT_LEAST)?;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (shown, rest) = text.split_at_checked(end)?;
    if !rest.starts_with(' ') {
        let space = shown.bytes().rposition(|byte| byte == b' ').unwrap_or(0);
        if end - space <= SPACE_BACK {
            end = space;
        }
    }
    (end >= CUT_LEAST / 2).then_some(Keep::Cut(end as u32))
}
