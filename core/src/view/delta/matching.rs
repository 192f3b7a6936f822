//! The matching: which line of the view before is which line of the view now.
//!
//! What both views begin and end with is the same. Between, the surest pairs come first: lines that read the same and
//! are of the same element, where no other pair is like them; the longest part of these that is in the same order in
//! both views is kept, the rest moved. Kept lines leave gaps, in which equal lines are paired, then anywhere lines with
//! a handle or a node in common: those changed. Then equal lines that are left moved, and what is left in a gap changed
//! where it reads the same but for its handles, or where as many lines of its element went as came.
//!
//! No step compares all with all: pairs are found by sorting, the longest order by binary search.

use alloc::vec::Vec;
use core::ops::Range;

use super::Uid;
use super::sheet::{Key, Sheet};
use crate::table::NONE;

/// What a line of the view now is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Came,
    /// It reads the same and stands in the order of all kept lines.
    Kept,
    Moved,
    Changed,
}

/// A line of the view now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) how: How,
    /// The line that it was, or [`NONE`].
    pub(super) before: u32,
}

/// Lines between two that are kept.
#[derive(Clone, Debug, Default)]
struct Gap {
    before: Range<u32>,
    after: Range<u32>,
}

/// What lines are paired by: two numbers and a frame's.
type PairKey = (u64, u64, u32);

/// A line under what it is paired by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Spot {
    key: PairKey,
    now: bool,
    line: u32,
}

/// What lines are paired by.
struct Rule {
    key: fn(&Key) -> Option<PairKey>,
    take: Take,
    /// Only lines that read the same.
    same: bool,
}

/// Which lines of one key are paired, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Take {
    /// One that there is once in each view.
    Single,
    /// As many as both views have.
    All,
    /// All, if both views have as many.
    Even,
}

const SAME_ELEMENT: Rule =
    Rule { key: |key| Some((key.content, key.block.node, key.block.frame)), take: Take::Single, same: true };
const SAME_ONCE: Rule = Rule { key: |key| Some((key.content, 0, 0)), take: Take::Single, same: true };
const SAME: Rule = Rule { key: |key| Some((key.content, 0, 0)), take: Take::All, same: true };
const NODE: Rule = Rule { key: |key| (key.own.node != 0).then_some(node(key, key.own)), take: Take::All, same: false };
const NEW_HANDLES: Rule = Rule { key: |key| Some((key.plain, 0, 0)), take: Take::All, same: false };
const ELEMENT: Rule = Rule { key: |key| Some(node(key, key.block)), take: Take::Even, same: false };

/// A container's own line and what stands in it are lines of one node.
fn node(key: &Key, node: Uid) -> PairKey {
    (node.node, u64::from(key.container), node.frame)
}

/// The pairs of two sheets. Kept for the next delta: its vectors are reused.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// Of each line of the view before: the line that it is now, or [`NONE`].
    pub(super) now: Vec<u32>,
    /// Of each line of the view now.
    pub(super) found: Vec<Found>,
    spots: Vec<Spot>,
    /// Lines now and before, by the line now.
    pairs: Vec<(u32, u32)>,
    gaps: Vec<Gap>,
    /// By length, the pair with which an order of that length ends soonest; and of each pair the one before it there.
    ends: Vec<u32>,
    previous: Vec<u32>,
}

impl Matching {
    pub(super) fn compare(&mut self, before: &Sheet, after: &Sheet) {
        let (old, new) = (before.keys.len() as u32, after.keys.len() as u32);
        self.now.clear();
        self.now.resize(old as usize, NONE);
        self.found.clear();
        self.found.resize(new as usize, Found { how: How::Came, before: NONE });
        let all = self.keep_ends(before, after, Gap { before: 0..old, after: 0..new });
        if all.before.is_empty() && all.after.is_empty() {
            return;
        }
        self.pair(before, after, &all, &SAME_ELEMENT);
        self.keep_order();
        self.move_pairs();
        for rule in [&SAME_ONCE, &SAME] {
            self.find_gaps(&all);
            for at in 0..self.gaps.len() {
                let Some(gap) = self.gaps.get(at).cloned() else { break };
                let gap = self.keep_ends(before, after, gap);
                self.pair(before, after, &gap, rule);
                self.keep_order();
            }
        }
        self.pair_handles(before, after, &all);
        self.change_pairs(before, after);
        self.pair(before, after, &all, &NODE);
        self.change_pairs(before, after);
        self.pair(before, after, &all, &SAME);
        self.move_pairs();
        self.find_gaps(&all);
        for rule in [&NEW_HANDLES, &ELEMENT] {
            for at in 0..self.gaps.len() {
                let Some(gap) = self.gaps.get(at).cloned() else { break };
                self.pair(before, after, &gap, rule);
                self.change_pairs(before, after);
            }
        }
    }

    /// How many lines are known again.
    pub(super) fn matched(&self) -> usize {
        self.found.iter().filter(|found| found.how != How::Came).count()
    }

    fn is_free(&self, line: u32, now: bool) -> bool {
        if now {
            self.found.get(line as usize).is_some_and(|found| found.before == NONE)
        } else {
            self.now.get(line as usize) == Some(&NONE)
        }
    }

    fn set(&mut self, line: u32, before: u32, how: How) {
        if let (Some(found), Some(now)) = (self.found.get_mut(line as usize), self.now.get_mut(before as usize)) {
            *found = Found { how, before };
            *now = line;
        }
    }

    /// Keeps the equal lines with which a gap begins and ends; gives what is between.
    fn keep_ends(&mut self, before: &Sheet, after: &Sheet, mut gap: Gap) -> Gap {
        loop {
            let (old, new) = (gap.before.start, gap.after.start);
            if gap.before.is_empty() || gap.after.is_empty() || !self.is_equal(before, old, after, new) {
                break;
            }
            self.set(new, old, How::Kept);
            gap = Gap { before: old + 1..gap.before.end, after: new + 1..gap.after.end };
        }
        while let (Some(old), Some(new)) = (gap.before.end.checked_sub(1), gap.after.end.checked_sub(1)) {
            if gap.before.is_empty() || gap.after.is_empty() || !self.is_equal(before, old, after, new) {
                break;
            }
            self.set(new, old, How::Kept);
            gap = Gap { before: gap.before.start..old, after: gap.after.start..new };
        }
        gap
    }

    fn is_equal(&self, before: &Sheet, old: u32, after: &Sheet, new: u32) -> bool {
        let content = |sheet: &Sheet, line| sheet.key_of(line).map(|key| key.content);
        self.is_free(old, false)
            && self.is_free(new, true)
            && content(before, old) == content(after, new)
            && before.reads(old, after, new)
    }

    /// Finds the gaps between kept lines.
    fn find_gaps(&mut self, all: &Gap) {
        self.gaps.clear();
        let mut gap = all.clone();
        for line in all.after.clone() {
            let Some(&Found { how: How::Kept, before }) = self.found.get(line as usize) else { continue };
            gap = Gap { before: gap.before.start..before, after: gap.after.start..line };
            if !gap.before.is_empty() && !gap.after.is_empty() {
                self.gaps.push(gap.clone());
            }
            gap = Gap { before: before + 1..all.before.end, after: line + 1..all.after.end };
        }
        if !gap.before.is_empty() && !gap.after.is_empty() {
            self.gaps.push(gap);
        }
    }

    /// Finds the pairs of a rule among the lines of a gap that have none yet.
    fn pair(&mut self, before: &Sheet, after: &Sheet, gap: &Gap, rule: &Rule) {
        self.spots.clear();
        self.pairs.clear();
        for (sheet, now, lines) in [(before, false, &gap.before), (after, true, &gap.after)] {
            let first = self.spots.len();
            for line in lines.clone() {
                let key = sheet.key_of(line).filter(|_| self.is_free(line, now)).and_then(rule.key);
                self.spots.extend(key.map(|key| Spot { key, now, line }));
            }
            if self.spots.len() == first {
                return;
            }
        }
        self.spots.sort_unstable();
        for spots in self.spots.chunk_by(|left, right| left.key == right.key) {
            let (old, new) = spots.split_at(spots.partition_point(|spot| !spot.now));
            let taken = match rule.take {
                Take::Single => old.len() == 1 && new.len() == 1,
                Take::Even => old.len() == new.len(),
                Take::All => true,
            };
            if !taken {
                continue;
            }
            let pairs = old.iter().zip(new).map(|(old, new)| (new.line, old.line));
            self.pairs.extend(pairs.filter(|&(new, old)| !rule.same || before.reads(old, after, new)));
        }
        self.pairs.sort_unstable();
    }

    /// Pairs the lines that have a handle in common.
    fn pair_handles(&mut self, before: &Sheet, after: &Sheet, all: &Gap) {
        self.spots.clear();
        self.pairs.clear();
        for line in all.before.clone() {
            if self.is_free(line, false) {
                let spot = |uid: &Uid| Spot { key: (uid.node, 0, uid.frame), now: false, line };
                self.spots.extend(before.uids(line).iter().map(spot));
            }
        }
        self.spots.sort_unstable();
        for line in all.after.clone() {
            if !self.is_free(line, true) {
                continue;
            }
            let had = after.uids(line).iter().find_map(|uid| {
                let key = (uid.node, 0, uid.frame);
                let at = self.spots.binary_search_by_key(&key, |spot| spot.key).ok()?;
                let old = self.spots.get(at)?.line;
                (self.now.get(old as usize) == Some(&NONE)).then_some(old)
            });
            if let Some(old) = had {
                // Taken at once: another line may have others of its handles.
                self.set(line, old, How::Changed);
                self.pairs.push((line, old));
            }
        }
    }

    /// Keeps the longest part of the pairs that is in the same order in both views.
    fn keep_order(&mut self) {
        self.ends.clear();
        self.previous.clear();
        for (at, &(_, old)) in self.pairs.iter().enumerate() {
            let ends_before = |&end: &u32| self.pairs.get(end as usize).is_some_and(|&(_, other)| other < old);
            let length = self.ends.partition_point(ends_before);
            let previous = length.checked_sub(1).and_then(|shorter| self.ends.get(shorter));
            self.previous.push(previous.copied().unwrap_or(NONE));
            match self.ends.get_mut(length) {
                Some(end) => *end = at as u32,
                None => self.ends.push(at as u32),
            }
        }
        let mut at = self.ends.last().copied().unwrap_or(NONE);
        while let Some(&(new, old)) = self.pairs.get(at as usize) {
            self.set(new, old, How::Kept);
            at = self.previous.get(at as usize).copied().unwrap_or(NONE);
        }
    }

    /// The pairs that are not kept moved.
    fn move_pairs(&mut self) {
        for at in 0..self.pairs.len() {
            let Some(&(new, old)) = self.pairs.get(at) else { break };
            if self.is_free(new, true) {
                self.set(new, old, How::Moved);
            }
        }
    }

    /// The pairs changed; where they read the same after all, they moved.
    fn change_pairs(&mut self, before: &Sheet, after: &Sheet) {
        for at in 0..self.pairs.len() {
            let Some(&(new, old)) = self.pairs.get(at) else { break };
            let how = if before.reads(old, after, new) { How::Moved } else { How::Changed };
            self.set(new, old, how);
        }
    }
}
