//! Byte runs learned from nodes that were read: what was validated once and stands there again needs no second look.
//!
//! Between the few places where nodes differ (ids, names, addresses) Chrome writes the same bytes over and over. A
//! *head* is the run from a node's id to its name or its parent's id; it settles the role and whether the node is
//! ignored. A *tail* is the run from the end of the name to the parent's id, or to the properties where those differ;
//! copies of the name inside it are left out, and stand for whatever the name is.
//!
//! A run is compared whole, so it can only say what reading it again would say: what was learned from one payload
//! changes how fast the next one is read, never what is read.

use alloc::vec::Vec;

use super::bytes::Cursor;
use crate::roles::RoleId;

const HEADS: usize = 256;
/// Tails of one role, with names and without.
const TAILS: usize = 4;
const TAIL_SETS: usize = 256;
/// Copies of the name in one tail.
pub(super) const COPIES: usize = 3;
const LONGEST: usize = 1024;
/// Bytes of all runs together: then all are forgotten.
const MOST: usize = 128 << 10;

/// What a head says, and where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Head {
    pub(super) role: RoleId,
    pub(super) ignored: bool,
    /// It ends at the parent's id: there is no name. Else at the first byte of the name.
    pub(super) nameless: bool,
}

/// What a tail says, and where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tail {
    pub(super) states: u32,
    pub(super) level: u8,
    /// It ends after the opening bracket of the properties. Else at the parent's id.
    pub(super) open: bool,
}

/// Where a name is repeated in the tail of its node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Copies {
    starts: [usize; COPIES],
    count: usize,
}

impl Copies {
    /// Notes a copy that begins there, after its opening quote.
    pub(super) fn push(&mut self, start: usize) {
        if let Some(place) = self.starts.get_mut(self.count) {
            *place = start;
            self.count += 1;
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct LearnedHead {
    start: u32,
    length: u32,
    /// The payload for which a role holds that the table of roles does not know.
    payload: u64,
    head: Head,
}

#[derive(Clone, Copy, Debug, Default)]
struct LearnedTail {
    start: u32,
    /// Lengths of the parts, between which the name stands.
    parts: [u16; COPIES + 1],
    count: u8,
    tail: Tail,
}

/// All that was learned.
#[derive(Debug, Default)]
pub(super) struct Runs {
    heads: Vec<LearnedHead>,
    tails: Vec<[LearnedTail; TAILS]>,
    bytes: Vec<u8>,
    payload: u64,
}

impl Runs {
    /// Another payload begins.
    pub(super) fn begin(&mut self) {
        self.payload += 1;
    }

    /// Passes over the head here, if it is known.
    #[inline]
    pub(super) fn head(&self, cursor: &mut Cursor<'_>) -> Option<Head> {
        let known = self.heads.get(head_slot(cursor))?;
        let run = self.bytes.get(known.start as usize..)?.get(..known.length as usize)?;
        let holds = known.head.role.is_known() || known.payload == self.payload;
        (holds && !run.is_empty() && cursor.accept_run(run)).then_some(known.head)
    }

    /// Passes over the tail here, if it is known. `name` is what stands between the quotes, and the closing quote.
    #[inline]
    pub(super) fn tail(&self, role: RoleId, name: &[u8], cursor: &mut Cursor<'_>) -> Option<Tail> {
        let set = self.tails.get(tail_set(role, name))?;
        let start = *cursor;
        set.iter().take_while(|known| known.count > 0).find_map(|known| {
            *cursor = start;
            self.pass(known, name, cursor).map(|()| known.tail)
        })
    }

    #[inline]
    fn pass(&self, known: &LearnedTail, name: &[u8], cursor: &mut Cursor<'_>) -> Option<()> {
        let mut bytes = self.bytes.get(known.start as usize..)?;
        let (first, copies) = known.parts.get(..known.count as usize)?.split_first()?;
        let (run, rest) = bytes.split_at_checked(*first as usize)?;
        bytes = rest;
        cursor.accept_run(run).then_some(())?;
        for length in copies {
            let (run, rest) = bytes.split_at_checked(*length as usize)?;
            bytes = rest;
            (cursor.accept_run(name) && cursor.accept_run(run)).then_some(())?;
        }
        Some(())
    }

    /// Learns the head that stands at `start`.
    pub(super) fn learn_head(&mut self, start: Cursor<'_>, run: &[u8], head: Head) {
        if run.len() > LONGEST {
            return;
        }
        let place = self.reserve(run.len());
        self.bytes.extend_from_slice(run);
        self.heads.resize(HEADS, LearnedHead::default());
        if let Some(slot) = self.heads.get_mut(head_slot(&start)) {
            *slot = LearnedHead { start: place, length: run.len() as u32, payload: self.payload, head };
        }
    }

    /// Learns the tail that stands in `payload` from `start` to `end`. `name` is as for [`Runs::tail`].
    pub(super) fn learn_tail(
        &mut self,
        payload: &[u8],
        (start, end): (usize, usize),
        copies: &Copies,
        (role, name): (RoleId, &[u8]),
        tail: Tail,
    ) {
        let mut known = LearnedTail { start: 0, parts: [0; COPIES + 1], count: 0, tail };
        if end - start > LONGEST + copies.count * name.len() {
            return;
        }
        known.start = self.reserve(end - start);
        let mut from = start;
        let ends = copies.starts.iter().take(copies.count).filter(|&&copy| copy < end);
        for (part, to) in known.parts.iter_mut().zip(ends.copied().chain([end])) {
            let run = payload.get(from..to).unwrap_or_default();
            self.bytes.extend_from_slice(run);
            *part = run.len() as u16;
            known.count += 1;
            from = to + name.len();
        }
        self.tails.resize(TAIL_SETS, <[LearnedTail; TAILS]>::default());
        if let Some(set) = self.tails.get_mut(tail_set(role, name)) {
            set.rotate_right(1);
            set[0] = known;
        }
    }

    /// Makes room for a run; gives the place at which it will begin.
    fn reserve(&mut self, length: usize) -> u32 {
        if self.bytes.len() + length > MOST {
            self.bytes.clear();
            self.heads.clear();
            self.tails.clear();
        }
        self.bytes.reserve_exact(MOST - self.bytes.len());
        self.bytes.len() as u32
    }
}

/// Where the head at this place is kept. The bytes looked at are those in which Chrome's role names differ.
#[inline]
fn head_slot(cursor: &Cursor<'_>) -> usize {
    let mixed = cursor.word(48) ^ cursor.word(56).rotate_left(27);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize
}

#[inline]
fn tail_set(role: RoleId, name: &[u8]) -> usize {
    (role.0 as usize * 2 + usize::from(name.len() > 1)) % TAIL_SETS
}
