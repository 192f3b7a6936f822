//! The query: which lines of a view, or parts of lines, answer it.
//!
//! What is scored is what would be printed together: the row or list item that a match stands in, and that one alone;
//! else its line; of a long line of controls the control. The best are kept with the lines they stand under. Takes the
//! items and the lines made of them, gives picks in the order of the page; linear in both.

use alloc::vec::Vec;
use core::ops::Range;

use super::lines::{Line, LineKind, Lines};
use super::page::{Item, Page, Text};
use super::picks::{Finder, Pick, find_handle, find_parents, find_rows};
use super::score::{Match, Score, Scorer};
use super::{escape, words};
use crate::roles::{self, Kind};
use crate::table::{NONE, Span};

/// Most matches that are shown.
const SHOWN: usize = 12;
/// Most bytes of a row or item that is shown as one; of a larger one its matching lines alone.
const GROUP_SIZE: u32 = 1000;
/// Most bytes of a line of controls that is shown whole for one of them.
const LINE_SIZE: usize = 200;
/// Most lines shown above a match.
const ANCESTORS: usize = 12;
/// Most items between a label and the control that says it.
const LABEL_STEPS: usize = 4;

/// A line, or one control's part of a line of controls.
#[derive(Clone, Copy, Debug)]
struct Part {
    line: u32,
    text: Text,
    /// Its handles in [`Lines::uids`].
    uids: u32,
    uids_end: u32,
    /// The first item on it, or the part's own.
    item: u32,
    /// Its place in [`Query::groups`].
    group: u32,
    matched: Match,
}

/// Parts that are shown together.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    matched: Match,
    shown: bool,
}

/// What a query is answered with, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct Query {
    scorer: Scorer,
    /// The nearest row or list item of each item.
    rows: Vec<u32>,
    parts: Vec<Part>,
    /// The first part of each line.
    firsts: Vec<u32>,
    /// Bytes of what is shown together, by the item that it stands in, and its group.
    sizes: Vec<(u32, u32)>,
    groups: Vec<Group>,
    best: Vec<(Score, u32)>,
    parents: Vec<u32>,
    open: Vec<(u32, u32)>,
    /// Lines that others stand under.
    above: Vec<bool>,
    matches: Vec<Match>,
    ranked: Vec<(Score, u32)>,
    pub(super) picks: Vec<Pick>,
    /// Matches that are not shown though they are as good, and such as are weaker.
    pub(super) more: usize,
    pub(super) weaker: usize,
    pub(super) found: bool,
}

impl Query {
    /// Takes a query over: false where there is no word in it.
    pub(super) fn set(&mut self, query: &str) -> bool {
        self.scorer.set(query)
    }

    /// Picks what answers the query from the lines that were made of these items.
    pub(super) fn pick(&mut self, page: &Page, items: Range<usize>, lines: &Lines) {
        self.split(lines);
        self.look(page, items, lines);
        find_rows(page, &mut self.rows);
        self.group(page, lines);
        self.choose();
        self.gather(page, lines);
    }

    /// The parts of the lines.
    fn split(&mut self, lines: &Lines) {
        self.parts.clear();
        self.firsts.clear();
        for at in 0..lines.list.len() {
            let Some(Pick { line, uids_end, .. }) = lines.pick(at) else { break };
            self.firsts.push(self.parts.len() as u32);
            let mut part = Part {
                line: at as u32,
                text: line.text,
                uids: line.uids,
                uids_end,
                item: line.item,
                group: 0,
                matched: Match::default(),
            };
            let text = lines.text(&line);
            let (mut from, mut seen) = (0, 0);
            while is_split(&line) && line.uids + seen + 1 < uids_end {
                let Some(Range { end, .. }) = find_handle(text, from) else { break };
                from = end;
                seen += 1;
                if text.as_bytes().get(end) == Some(&b' ') {
                    let rest = part.text;
                    let cut = line.text.start() + end;
                    part.text = Text::new(rest.start(), cut).trimmed(&lines.text);
                    part.uids_end = line.uids + seen;
                    self.parts.push(part);
                    part.text = Text::new(cut, rest.end()).trimmed(&lines.text);
                    (part.uids, part.uids_end) = (line.uids + seen, uids_end);
                }
            }
            self.parts.push(part);
        }
        self.firsts.push(self.parts.len() as u32);
    }

    /// What of each part matches.
    fn look(&mut self, page: &Page, items: Range<usize>, lines: &Lines) {
        let mut finder = Finder::new(lines);
        let mut current = (usize::MAX, 0);
        let mut handle = 0;
        for item in page.items.get(items).unwrap_or_default() {
            let Some(line) = finder.find(item) else { continue };
            let Some(&first) = self.firsts.get(line) else { continue };
            if current.0 != line {
                current = (line, first as usize);
                handle = self.parts.get(first as usize).map_or(0, |part| part.uids);
            }
            // The handles of a line stand in the order of its items; not every item's is printed.
            if item.has_uid() && lines.uids.get(handle as usize) == Some(&item.uid) {
                while self.parts.get(current.1).is_some_and(|part| part.uids_end <= handle) {
                    current.1 += 1;
                }
                let several = self.firsts.get(line + 1).is_some_and(|&next| next - first > 1);
                if let Some(part) = self.parts.get_mut(current.1).filter(|part| several && part.uids == handle) {
                    part.item = item.index;
                }
                handle += 1;
            }
            let matched = self.scorer.find(page, item);
            if matched.is_match()
                && !is_said_by_control(page, item)
                && let Some(part) = self.parts.get_mut(current.1)
            {
                part.matched.add(&matched);
            }
        }
    }

    /// Puts together what is shown together.
    fn group(&mut self, page: &Page, lines: &Lines) {
        let Self { parts, firsts, rows, sizes, groups, .. } = self;
        let key = |part: &Part| {
            let row = rows.get(part.item as usize).copied().unwrap_or(NONE);
            let line = lines.list.get(part.line as usize);
            let own = firsts.get(part.line as usize + 1).is_some_and(|&next| {
                let first = firsts.get(part.line as usize).copied().unwrap_or(0);
                next - first > 1 && line.is_some_and(|line| line.text.len() > LINE_SIZE)
            });
            let line = line.map_or(part.item, |line| line.item);
            match (row, own) {
                (NONE, true) => part.item,
                (NONE, false) => line,
                (row, _) => row,
            }
        };
        sizes.clear();
        sizes.resize(page.items.len(), (0, NONE));
        for part in parts.iter() {
            if let Some((size, _)) = sizes.get_mut(key(part) as usize) {
                *size = size.saturating_add(part.text.len() as u32);
            }
        }
        groups.clear();
        for part in parts.iter_mut() {
            let place = sizes.get_mut(key(part) as usize).filter(|(size, _)| *size <= GROUP_SIZE);
            let known = place.as_ref().map_or(NONE, |(_, group)| *group);
            part.group = if known == NONE { groups.len() as u32 } else { known };
            if known == NONE {
                groups.push(Group::default());
            }
            if let Some((_, group)) = place {
                *group = part.group;
            }
            if let Some(group) = groups.get_mut(part.group as usize) {
                group.matched.add(&part.matched);
            }
        }
    }

    /// The best groups, the earlier one of two that are as good.
    fn choose(&mut self) {
        let Self { scorer, groups, best, .. } = self;
        scorer.weigh(groups.iter().map(|group| group.matched.found));
        best.clear();
        let is_match = |group: &&Group| group.matched.is_match();
        for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.matched.is_match()) {
            let score = scorer.score(&group.matched);
            let place = best.partition_point(|&(other, _)| other >= score);
            if place < SHOWN {
                best.truncate(SHOWN - 1);
                best.insert(place, (score, number as u32));
            }
        }
        let top = best.first().map_or(Score::default(), |&(score, _)| score);
        best.retain(|(score, _)| score.is_beside(top));
        for &(_, number) in best.iter() {
            if let Some(group) = groups.get_mut(number as usize) {
                group.shown = true;
            }
        }
        let count = groups.iter().filter(is_match).count();
        let beside = |group: &&Group| scorer.score(&group.matched).is_beside(top);
        let strong = groups.iter().filter(is_match).filter(beside).count();
        self.more = strong - best.len();
        self.weaker = count - strong;
        self.found = count > 0;
    }

    /// The picks: the page's title, what is shown, and what that stands under.
    fn gather(&mut self, page: &Page, lines: &Lines) {
        let Self { parts, firsts, groups, parents, open, above, picks, .. } = self;
        let is_shown = |part: &Part| groups.get(part.group as usize).is_some_and(|group| group.shown);
        find_parents(lines.list.iter(), page, open, parents);
        above.clear();
        above.resize(lines.list.len(), false);
        for part in parts.iter().filter(|part| is_shown(part)) {
            let mut at = part.line as usize;
            for _ in 0..ANCESTORS {
                at = parents.get(at).map_or(NONE, |&parent| parent) as usize;
                match above.get_mut(at) {
                    Some(place) if !*place => *place = true,
                    _ => break,
                }
            }
        }
        picks.clear();
        for at in 0..lines.list.len() {
            let Some(pick) = lines.pick(at) else { break };
            let own =
                firsts.get(at).zip(firsts.get(at + 1)).map_or(0..0, |(&first, &end)| first as usize..end as usize);
            let own = parts.get(own).unwrap_or_default();
            let whole = pick.line.kind == LineKind::Page || above.get(at) == Some(&true) || own.iter().all(is_shown);
            if whole {
                picks.push(pick);
                continue;
            }
            let mut last: Option<&Part> = None;
            for part in own {
                let joined = last.is_some_and(is_shown);
                last = Some(part);
                if !is_shown(part) {
                    continue;
                }
                if let Some(before) = picks.last_mut().filter(|_| joined) {
                    before.line.text = Text::new(before.line.text.start(), part.text.end());
                    before.uids_end = part.uids_end;
                    continue;
                }
                let mut line = Line { text: part.text, uids: part.uids, ..pick.line };
                if pick.line.plural && is_wordless_button(page, part, lines) {
                    line.kind = LineKind::Buttons;
                } else if escape::begins_like_ours(part.text.of(&lines.text)) {
                    line.kind = LineKind::Escaped; // it was not at its line's beginning
                }
                if part.text.start() != pick.line.text.start() {
                    line.mark = Text::NONE;
                }
                picks.push(Pick { line, uids_end: part.uids_end, at: at as u32 });
            }
        }
    }

    /// The byte ranges of the page's items that answer the query, the best first.
    pub(super) fn nodes(&mut self, page: &Page, places: &[Span], out: &mut Vec<Range<usize>>) {
        let Self { scorer, matches, ranked, .. } = self;
        matches.clear();
        for item in &page.items {
            let mut matched = scorer.find(page, item);
            if matched.is_match() && repeats_above(page, item, &matched, matches) {
                matched = Match::default();
            }
            matches.push(matched);
        }
        scorer.weigh(matches.iter().map(|matched| matched.found));
        ranked.clear();
        let scored = matches.iter().zip(&page.items).filter(|(matched, _)| matched.is_match());
        ranked.extend(scored.map(|(matched, item)| (scorer.score(matched), item.row)));
        let top = ranked.iter().map(|&(score, _)| score).max().unwrap_or_default();
        ranked.retain(|(score, _)| score.is_beside(top));
        ranked.sort_unstable_by_key(|&(score, row)| (core::cmp::Reverse(score), row));
        out.clear();
        let ranges = ranked.iter().filter_map(|&(_, row)| places.get(row as usize));
        out.extend(ranges.map(|place| place.start as usize..place.end as usize));
    }
}

/// A line of controls, each of which can stand alone.
fn is_split(line: &Line) -> bool {
    matches!(line.kind, LineKind::Controls | LineKind::Tight)
}

/// Does its line say once, further to the left, that this is a button?
fn is_wordless_button(page: &Page, part: &Part, lines: &Lines) -> bool {
    let button = page.item(part.item).is_some_and(|item| item.role == roles::BUTTON && !item.is_said_by_table());
    let text = part.text.of(&lines.text);
    button && !text.starts_with("button ") && !text.starts_with("buttons ")
}

/// Is this text a label whose control says it, so that it is not printed?
fn is_said_by_control(page: &Page, item: &Item) -> bool {
    if item.kind != Kind::Text {
        return false;
    }
    let says = |control: &Item| control.has_uid() && words::labels(page.said(item), page.name(control));
    let named = page.item(item.parent).and_then(|label| page.item(label.titled));
    let after = item.index as usize + 1..page.items.len().min(item.index as usize + 1 + LABEL_STEPS);
    let next = page.items.get(after).unwrap_or_default().iter().find(|after| after.has_uid());
    named.is_some_and(says) || next.is_some_and(says)
}

/// Does an item close above say all that this one matches with? Then it is what a reader asks for.
fn repeats_above(page: &Page, item: &Item, own: &Match, all: &[Match]) -> bool {
    if item.has_uid() || !matches!(item.kind, Kind::Text | Kind::Inline | Kind::Cell | Kind::Block) {
        return false;
    }
    let mut above = page.item(item.parent);
    for _ in 0..LABEL_STEPS {
        let Some(one) = above else { return false };
        if matches!(one.kind, Kind::Root | Kind::Land | Kind::Quiet | Kind::Row | Kind::Frame) {
            return false;
        }
        let has = all.get(one.index as usize).map(|above| above.found).unwrap_or_default();
        if own.found.any() & !has.any() == 0 && own.found.whole & !has.whole == 0 {
            return true;
        }
        above = page.item(one.parent);
    }
    false
}
