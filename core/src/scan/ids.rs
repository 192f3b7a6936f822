//! Ids: node ids as numbers, and numbers as rows.
//!
//! An id that is a canonical decimal of at most 18 digits is its number. Any other text gets a number below all of
//! those: one for each time that it is met, then its place in the order of all such texts when the last node is read,
//! so that it does not depend on how and when it was met. Rows are found in two plain arrays, since Chrome counts its
//! ids up from 1 and down from a billion below zero; by a search in a sorted list where the ids are spread wider.
//! Nothing is hashed, so no payload makes this slow.

use alloc::string::String;
use alloc::vec::Vec;

use crate::table::{NO_ID, NONE, Node, Table};
use crate::text;

/// The key of the first text that is no number; the next ones follow.
const FIRST_ODD: i64 = NO_ID + 1;
/// Below the smallest number of 18 digits.
const ODD_END: i64 = -1_000_000_000_000_000_000;

/// How many ids were read at some point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    children: usize,
    odd: usize,
}

/// The ids of one payload.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Keys of the children of all nodes.
    pub(super) children: Vec<i64>,
    positive: Range,
    negative: Range,
    odd: Odd,
    rows: Rows,
}

impl Ids {
    pub(super) fn clear(&mut self) {
        self.back_to(Mark::default());
        (self.positive, self.negative) = (Range::EMPTY, Range::EMPTY);
    }

    /// Notes that a node has this id.
    #[inline]
    pub(super) fn include(&mut self, id: i64) {
        if id >= 0 { &mut self.positive } else { &mut self.negative }.include(id);
    }

    /// What was read so far.
    #[inline]
    pub(super) fn mark(&self) -> Mark {
        Mark { children: self.children.len(), odd: self.odd.ends.len() }
    }

    /// Forgets what was read since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.children.truncate(mark.children);
        self.odd.ends.truncate(mark.odd);
        self.odd.text.truncate(self.odd.ends.last().copied().unwrap_or(0));
    }

    /// The key of an id: the content of a JSON string.
    pub(super) fn key(&mut self, raw: &[u8]) -> i64 {
        decimal(raw).unwrap_or_else(|| self.odd_key(raw))
    }

    pub(super) fn push_child(&mut self, raw: &[u8]) {
        let key = self.key(raw);
        self.children.push(key);
    }

    #[cold]
    fn odd_key(&mut self, raw: &[u8]) -> i64 {
        let start = self.odd.text.len();
        text::decode(raw, &mut self.odd.text);
        // An escape may have hidden a number.
        if let Some(key) = self.odd.text.as_bytes().get(start..).and_then(decimal) {
            self.odd.text.truncate(start);
            return key;
        }
        self.odd.ends.push(self.odd.text.len());
        FIRST_ODD + i64::from(self.odd.ends.len() as u32 - 1)
    }

    /// Finds the rows of all children, the roots and the repeats.
    pub(super) fn resolve(&mut self, table: &mut Table) {
        if !self.odd.ends.is_empty() {
            self.odd.rank();
            for node in &mut table.nodes {
                node.id = self.odd.ranked(node.id);
                node.parent_id = self.odd.ranked(node.parent_id);
            }
            (self.positive, self.negative) = (Range::EMPTY, Range::EMPTY);
            for node in &table.nodes {
                self.include(node.id);
            }
            for child in &mut self.children {
                *child = self.odd.ranked(*child);
            }
        }
        self.rows.clear(&table.nodes, self.positive, self.negative);
        // Parents come before their children, so a node whose parent is not there yet is nearly always a root.
        let (mut parent, mut parent_is_there) = (NO_ID, false);
        for (row, node) in table.nodes.iter().enumerate() {
            if node.parent_id != parent || !parent_is_there {
                parent = node.parent_id;
                parent_is_there = self.rows.row(parent) != NONE;
            }
            let row = row as u32;
            if !self.rows.claim(node.id, row) {
                table.repeats += 1;
            } else if !parent_is_there {
                table.roots.push(row);
            }
        }
        let rows = &self.rows;
        let parent_of = |row: u32| table.nodes.get(row as usize).map_or(NO_ID, |node| node.parent_id);
        table.roots.retain(|&row| rows.row(parent_of(row)) == NONE);
        if table.roots.is_empty() && !table.nodes.is_empty() {
            table.roots.push(0);
        }
        table.children.extend(self.children.iter().map(|&child| rows.row(child)));
    }
}

/// The number of a canonical decimal of at most 18 digits.
fn decimal(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let canonical = match digits {
        [b'0'] => !negative,
        [b'1'..=b'9', rest @ ..] => rest.len() < 18 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    let number = || digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
    canonical.then(|| if negative { -number() } else { number() })
}

/// Texts that are no numbers, each as often as it was met.
#[derive(Debug, Default)]
struct Odd {
    /// All texts, one after the other, and where each ends.
    text: String,
    ends: Vec<usize>,
    /// Their numbers in the order of their texts.
    order: Vec<u32>,
    /// The place of each among the different texts.
    ranks: Vec<u32>,
}

impl Odd {
    fn text<'a>(text: &'a str, ends: &[usize], number: u32) -> &'a str {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let end = ends.get(number).copied().unwrap_or(start);
        text.get(start..end).unwrap_or_default()
    }

    /// Ranks all texts.
    fn rank(&mut self) {
        let Self { text, ends, order, ranks } = self;
        let text_of = |number| Self::text(text, ends, number);
        order.clear();
        order.extend(0..ends.len() as u32);
        order.sort_unstable_by(|&a, &b| text_of(a).cmp(text_of(b)));
        ranks.clear();
        ranks.resize(ends.len(), 0);
        let mut rank = 0;
        let mut before = None;
        for &number in order.iter() {
            let text = text_of(number);
            rank += u32::from(before.is_some_and(|before| before != text));
            before = Some(text);
            if let Some(place) = ranks.get_mut(number as usize) {
                *place = rank;
            }
        }
    }

    /// The key that does not depend on when the text was met.
    fn ranked(&self, key: i64) -> i64 {
        if !(FIRST_ODD..ODD_END).contains(&key) {
            return key;
        }
        let number = key.wrapping_sub(FIRST_ODD).cast_unsigned() as usize;
        self.ranks.get(number).map_or(key, |&rank| FIRST_ODD + i64::from(rank))
    }
}

/// The first row of each key.
#[derive(Debug, Default)]
struct Rows {
    /// Whether the arrays are in use, or the list.
    dense: bool,
    positive: Dense,
    negative: Dense,
    sorted: Vec<(i64, u32)>,
}

/// Rows of the keys from `low` on; [`NONE`] where there is none.
#[derive(Debug, Default)]
struct Dense {
    low: i64,
    rows: Vec<u32>,
}

impl Rows {
    /// Begins afresh, for ids in these ranges.
    fn clear(&mut self, nodes: &[Node], positive: Range, negative: Range) {
        let most = nodes.len() as u64 * 8 + 1024;
        self.dense = positive.width() <= most && negative.width() <= most;
        self.sorted.clear();
        if self.dense {
            self.positive.clear(positive);
            self.negative.clear(negative);
        } else {
            self.sorted.extend(nodes.iter().enumerate().map(|(row, node)| (node.id, row as u32)));
            self.sorted.sort_unstable();
            self.sorted.dedup_by_key(|&mut (key, _)| key);
        }
    }

    /// Notes the row, unless an earlier one has the key.
    #[inline]
    fn claim(&mut self, key: i64, row: u32) -> bool {
        if self.dense {
            return if key >= 0 { &mut self.positive } else { &mut self.negative }.claim(key, row);
        }
        self.row(key) == row
    }

    /// The first row with this key, or [`NONE`].
    #[inline]
    fn row(&self, key: i64) -> u32 {
        if self.dense {
            return if key >= 0 { &self.positive } else { &self.negative }.row(key);
        }
        let found = self.sorted.binary_search_by_key(&key, |&(key, _)| key);
        found.ok().and_then(|place| self.sorted.get(place)).map_or(NONE, |&(_, row)| row)
    }
}

impl Dense {
    fn clear(&mut self, range: Range) {
        self.low = range.low;
        self.rows.clear();
        self.rows.resize(range.width() as usize, NONE);
    }

    #[inline]
    fn place(&self, key: i64) -> usize {
        key.wrapping_sub(self.low).cast_unsigned() as usize
    }

    /// Notes the row, unless an earlier one has the key.
    #[inline]
    fn claim(&mut self, key: i64, row: u32) -> bool {
        let place = self.place(key);
        match self.rows.get_mut(place) {
            Some(free) if *free == NONE => {
                *free = row;
                true
            }
            _ => false,
        }
    }

    #[inline]
    fn row(&self, key: i64) -> u32 {
        self.rows.get(self.place(key)).copied().unwrap_or(NONE)
    }
}

/// The smallest and the largest of some keys.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: i64,
    high: i64,
}

impl Default for Range {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Range {
    const EMPTY: Self = Self { low: i64::MAX, high: i64::MIN };

    #[inline]
    fn include(&mut self, key: i64) {
        self.low = self.low.min(key);
        self.high = self.high.max(key);
    }

    fn width(self) -> u64 {
        if self.high < self.low { 0 } else { self.high.wrapping_sub(self.low).cast_unsigned() + 1 }
    }
}
