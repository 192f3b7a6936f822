//! Byte runs learned from nodes that were read: what was validated once and stands there again needs no second look.
//!
//! Between the few places where nodes differ (ids, names, addresses) Chrome writes the same bytes over and over. A
//! *head* is the run from a node's id to its name or its parent's id; it settles the role and whether the node is
//! ignored. A *tail* is all from the end of the name to the parent's id: runs, and between them *holes*, where any
//! string or number may stand; it settles the states, and which of the strings and numbers are kept as what.
//!
//! A run is compared whole and what fills a hole is validated, so both can only say what reading them again would say:
//! what was learned from one payload changes how fast the next one is read, never what is read.

use alloc::vec::Vec;

use super::bytes::Cursor;
use super::properties::level_of;
use crate::roles::RoleId;
use crate::table::{Extra, ExtraKind, Node, Span};

/// What is learned is kept in sets: heads by some of their bytes, tails by role and whether there is a name.
const SETS: usize = 256;
const HEADS: usize = 4;
const TAILS: usize = 8;
/// Most holes in one tail.
const HOLES: usize = 16;
/// Most bytes of a head, and of all runs of a tail together.
const LONGEST: usize = 4096;
/// Most bytes of all that was learned: then all is forgotten.
const MOST: usize = 128 << 10;

/// What a head says, and where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    pub(super) role: RoleId,
    pub(super) ignored: bool,
    /// It ends at the parent's id: there is no name. Else it ends at the first byte of the name.
    pub(super) nameless: bool,
}

/// What a tail says, and its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) value: Span,
    pub(super) states: u32,
    pub(super) level: u8,
}

/// A place in a tail where nodes differ, and what is kept of what stands there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Hole {
    /// The rest of a string: nothing is kept. It is often the name once more.
    #[default]
    Text,
    /// A number: nothing is kept.
    Number,
    /// A number: the level.
    Level,
    /// A string or a number: the node's value.
    Value,
    /// A string or a number: an extra.
    Extra(ExtraKind),
    /// Nothing: here begins an extra that has holes of its own.
    Open,
    /// Nothing: here it ends.
    Close(ExtraKind),
}

impl Hole {
    /// Passes over what stands in the hole.
    #[inline(always)]
    fn pass(self, cursor: &mut Cursor<'_>) -> Option<()> {
        match self {
            Self::Text => cursor.string_end().map(|_| ()),
            Self::Level => cursor.decimal().map(|_| ()),
            Self::Value | Self::Extra(_) if cursor.accept(b"\"") => cursor.string_end().map(|_| ()),
            Self::Number | Self::Value | Self::Extra(_) => cursor.number(),
            Self::Open | Self::Close(_) => Some(()),
        }
    }
}

/// The holes of a node's tail, in the order in which they stand there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Holes {
    places: [(usize, Hole); HOLES],
    count: usize,
    spoiled: bool,
}

impl Holes {
    /// Notes a hole that begins at `start`.
    pub(super) fn push(&mut self, start: usize, hole: Hole) {
        let after = self.places.iter().take(self.count).position(|&(other, _)| other > start).unwrap_or(self.count);
        if self.count == HOLES {
            self.spoiled = true;
        } else if let Some(moved) = self.places.get_mut(after..=self.count) {
            moved.rotate_right(1);
            self.count += 1;
            if let Some(place) = moved.first_mut() {
                *place = (start, hole);
            }
        }
    }

    /// Notes that the node has something from which nothing can be learned.
    pub(super) fn spoil(&mut self) {
        self.spoiled = true;
    }

    pub(super) fn are_spoiled(&self) -> bool {
        self.spoiled
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LearnedHead {
    start: u32,
    length: u32,
    /// The array of nodes for which a role holds that the table of roles does not know.
    array: u64,
    head: Head,
}

#[derive(Clone, Copy, Debug, Default)]
struct LearnedTail {
    start: u32,
    /// Length of the run before each hole, and of the last run.
    runs: [u16; HOLES + 1],
    holes: [Hole; HOLES],
    count: u8,
    states: u32,
}

impl LearnedTail {
    /// Passes over the tail at `cursor`, if it is this one.
    #[inline(always)]
    fn pass<'a>(
        &self,
        bytes: &[u8],
        name: &[u8],
        mut cursor: Cursor<'a>,
        extras: &mut Vec<Extra>,
    ) -> Option<Passed<'a>> {
        let (mut value, mut level, mut open) = (Span::NONE, 0, 0);
        let mut bytes = bytes.get(self.start as usize..)?;
        let (last, before) = self.runs.get(..=self.count as usize)?.split_last()?;
        for (length, hole) in before.iter().zip(&self.holes) {
            let (run, rest) = bytes.split_at_checked(*length as usize)?;
            bytes = rest;
            cursor.expect_run(run)?;
            if *hole == Hole::Text {
                if !cursor.accept_run(name) {
                    cursor.string_end()?;
                }
                continue;
            }
            let start = cursor;
            hole.pass(&mut cursor)?;
            let span = Span::new(start.at(), cursor.at());
            match *hole {
                Hole::Level => level = level_of(cursor.since(start)),
                Hole::Value => value = span,
                Hole::Extra(kind) => extras.push(Extra { kind, span }),
                Hole::Open => open = cursor.at(),
                Hole::Close(kind) => extras.push(Extra { kind, span: Span::new(open, cursor.at()) }),
                Hole::Text | Hole::Number => {}
            }
        }
        let run = bytes.get(..*last as usize).filter(|run| !run.is_empty())?;
        cursor.expect_run(run)?;
        Some(Passed { cursor, value, states: self.states, level })
    }
}

/// All that was learned.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// The newest of a set comes first.
    heads: Vec<[LearnedHead; HEADS]>,
    tails: Vec<[LearnedTail; TAILS]>,
    bytes: Vec<u8>,
    array: u64,
}

impl Runs {
    /// Another array of nodes begins, with a numbering of its own of the roles that the table of roles does not know.
    pub(super) fn begin(&mut self) {
        self.array += 1;
    }

    /// Passes over the head here, if it is known.
    #[inline]
    pub(super) fn head(&self, cursor: &mut Cursor<'_>) -> Option<Head> {
        let set = self.heads.get(head_set(cursor))?;
        set.iter().find(|known| self.pass_head(known, cursor)).map(|known| known.head)
    }

    #[inline]
    fn pass_head(&self, known: &LearnedHead, cursor: &mut Cursor<'_>) -> bool {
        let run = self.bytes.get(known.start as usize..).and_then(|bytes| bytes.get(..known.length as usize));
        let holds = known.head.role.is_known() || known.array == self.array;
        run.is_some_and(|run| holds && !run.is_empty() && cursor.accept_run(run))
    }

    /// Passes over the tail here, if it is known. `name` is what stands between the quotes, and the closing quote. What
    /// is to be kept is added to `extras`.
    #[inline]
    pub(super) fn tail<'a>(
        &mut self,
        role: RoleId,
        name: &[u8],
        start: Cursor<'a>,
        extras: &mut Vec<Extra>,
    ) -> Option<Passed<'a>> {
        let before = extras.len();
        let set = self.tails.get_mut(tail_set(role, name))?;
        for place in 0..TAILS {
            if let Some(passed) = set.get(place)?.pass(&self.bytes, name, start, extras) {
                // What is met often moves to the front.
                if place > 0 {
                    set.swap(place - 1, place);
                }
                return Some(passed);
            }
            extras.truncate(before);
        }
        None
    }

    /// Learns the head that stands at `start`.
    pub(super) fn learn_head(&mut self, start: Cursor<'_>, run: &[u8], head: Head) {
        if run.len() > LONGEST {
            return;
        }
        self.make_room();
        let place = self.bytes.len() as u32;
        self.bytes.extend_from_slice(run);
        if let Some(set) = self.heads.get_mut(head_set(&start)) {
            set.rotate_right(1);
            set[0] = LearnedHead { start: place, length: run.len() as u32, array: self.array, head };
        }
    }

    /// Learns the tail `payload[start..end]` of `node`. `None` if it is too long.
    pub(super) fn learn_tail(
        &mut self,
        payload: &[u8],
        (start, end): (usize, usize),
        holes: &Holes,
        node: &Node,
    ) -> Option<()> {
        self.make_room();
        let place = self.bytes.len();
        let mut known = LearnedTail { start: place as u32, states: node.states, ..Default::default() };
        let mut from = Cursor::start_of(payload, Span::new(start, start));
        for ((at, hole), (length, place_of_hole)) in
            holes.places.iter().take(holes.count).zip(known.runs.iter_mut().zip(&mut known.holes))
        {
            let mut cursor = Cursor::start_of(payload, Span::new(*at, *at));
            *length = self.add(cursor.since(from), place)?;
            *place_of_hole = *hole;
            known.count += 1;
            hole.pass(&mut cursor)?;
            from = cursor;
        }
        *known.runs.get_mut(holes.count)? = self.add(payload.get(from.at()..end)?, place)?;
        let name = payload.get(node.name.start as usize..=node.name.end as usize)?;
        let set = self.tails.get_mut(tail_set(node.role, name))?;
        set.rotate_right(1);
        *set.first_mut()? = known;
        Some(())
    }

    /// Keeps a run of the tail whose runs begin at `place`; gives its length.
    fn add(&mut self, run: &[u8], place: usize) -> Option<u16> {
        if self.bytes.len() + run.len() > place + LONGEST {
            self.bytes.truncate(place);
            return None;
        }
        self.bytes.extend_from_slice(run);
        Some(run.len() as u16)
    }

    /// Makes room for a head or a tail. All room is made at once, so that a later payload takes no more.
    fn make_room(&mut self) {
        if self.bytes.len() + LONGEST > MOST {
            self.bytes.clear();
            self.heads.clear();
            self.tails.clear();
        }
        self.bytes.reserve_exact(MOST - self.bytes.len());
        self.heads.resize(SETS, [LearnedHead::default(); HEADS]);
        self.tails.resize(SETS, [LearnedTail::default(); TAILS]);
    }
}

/// The set of the head at this place. The bytes looked at are those in which Chrome's role names differ.
#[inline]
fn head_set(cursor: &Cursor<'_>) -> usize {
    let bytes =
        u128::from_le_bytes(cursor.chunk::<64>().and_then(|chunk| chunk.last_chunk()).copied().unwrap_or_default());
    let mixed = bytes as u64 ^ ((bytes >> 64) as u64).rotate_left(27);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

#[inline]
fn tail_set(role: RoleId, name: &[u8]) -> usize {
    (role.0 as usize * 2 + usize::from(name.len() > 1)) % SETS
}
