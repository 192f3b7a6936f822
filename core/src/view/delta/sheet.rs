//! The sheet: the lines of one view, and of each how it is known again in another view of the page.

use alloc::vec::Vec;
use core::mem::swap;

use crate::roles::Kind;
use crate::table::NONE;
use crate::view::Uid;
use crate::view::lines::{Line, LineKind, Lines};
use crate::view::page::{Item, Page};
use crate::view::picks::find_handle;
use crate::view::print::{LEVELS, prefix};

/// How far up the block is looked for that a line's text stands in.
const BLOCK_STEPS: usize = 16;

/// How a line is known again. Ids name the document too: frames have ids of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    /// Of all that it reads, without its level.
    pub(super) content: u64,
    /// Of what it reads without its handles.
    pub(super) plain: u64,
    /// The first node on it; `node` is 0 where it has no backend id.
    pub(super) own: Uid,
    /// The element that holds that node, where it is text; else the node.
    pub(super) block: Uid,
    /// It is a container's own line: what stands in the container is another line of the same node.
    pub(super) container: bool,
    /// The line that holds it: the nearest before it that is less deep, or [`NONE`].
    pub(super) parent: u32,
    /// The line after the last one that it holds.
    pub(super) end: u32,
    /// The table's line that says for this one, which is in the table, that controls without a word are buttons; or
    /// [`NONE`].
    pub(super) table: u32,
}

/// The lines of a view with their keys. Kept for the next delta: its vectors are reused.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) lines: Lines,
    pub(super) keys: Vec<Key>,
    /// Lines whose end is not reached yet.
    open: Vec<u32>,
}

impl Sheet {
    /// Takes the lines of a page, and leaves its own old ones to be written over.
    pub(super) fn take(&mut self, page: &Page, lines: &mut Lines) {
        swap(&mut self.lines, lines);
        self.keys.clear();
        self.open.clear();
        for (index, line) in self.lines.list.iter().enumerate() {
            while let Some(&above) = self.open.last() {
                if self.lines.list.get(above as usize).is_some_and(|above| above.level < line.level) {
                    break;
                }
                self.open.pop();
                if let Some(key) = self.keys.get_mut(above as usize) {
                    key.end = index as u32;
                }
            }
            let parent = self.open.last().copied().unwrap_or(NONE);
            let mut key = self.key(page, line, parent);
            if let Some(above) = self.key_of(parent) {
                key.table = if above.container && says_buttons(page, self.line(parent)) { parent } else { above.table };
            }
            self.open.push(index as u32);
            self.keys.push(key);
        }
        let end = self.keys.len() as u32;
        for above in self.open.drain(..) {
            if let Some(key) = self.keys.get_mut(above as usize) {
                key.end = end;
            }
        }
    }

    /// Swaps back what [`Sheet::take`] took, so that each call writes to the same memory as the one before.
    pub(super) fn give_back(&mut self, lines: &mut Lines) {
        swap(&mut self.lines, lines);
    }

    fn key(&self, page: &Page, line: &Line, parent: u32) -> Key {
        let (text, mark) = (self.lines.text(line), self.lines.mark(line));
        let begin = hash(hash(SEED, prefix(line).as_bytes()), mark.as_bytes());
        let content = hash(begin, text.as_bytes());
        let plain = without_handles(text).fold(begin, |so_far, part| hash(so_far, part.as_bytes()));
        let none = Uid { frame: 0, node: 0 };
        let item = page.item(line.item);
        Key {
            content,
            plain,
            own: item.map_or(none, id),
            block: item.map_or(none, |item| block(page, item)),
            container: line.kind == LineKind::Container,
            parent,
            end: NONE,
            table: NONE,
        }
    }

    pub(super) fn key_of(&self, index: u32) -> Option<&Key> {
        self.keys.get(index as usize)
    }

    pub(super) fn line(&self, index: u32) -> Option<&Line> {
        self.lines.list.get(index as usize)
    }

    /// How deep a line is printed.
    pub(super) fn level(&self, index: u32) -> u32 {
        self.line(index).map_or(0, |line| line.level.min(LEVELS))
    }

    /// The handles of a line.
    pub(super) fn uids(&self, index: u32) -> &[Uid] {
        let start = self.line(index).map_or(0, |line| line.uids);
        let end = self.line(index + 1).map_or(self.lines.uids.len(), |next| next.uids as usize);
        self.lines.uids.get(start as usize..end).unwrap_or_default()
    }

    /// Do these lines read the same, wherever they stand?
    pub(super) fn reads(&self, index: u32, other: &Self, other_index: u32) -> bool {
        let (Some(left), Some(right)) = (self.line(index), other.line(other_index)) else { return false };
        prefix(left) == prefix(right)
            && self.lines.mark(left) == other.lines.mark(right)
            && self.lines.text(left) == other.lines.text(right)
    }
}

/// Does this container's line say that the controls in it that have no word are buttons?
fn says_buttons(page: &Page, line: Option<&Line>) -> bool {
    let item = line.and_then(|line| page.item(line.item));
    item.is_some_and(|item| item.in_buttons && !page.item(item.parent).is_some_and(|above| above.in_buttons))
}

fn id(item: &Item) -> Uid {
    Uid { frame: item.uid.frame, node: item.backend }
}

/// The element that holds a text: a page that sets an element's text makes a new text node.
fn block(page: &Page, item: &Item) -> Uid {
    let mut item = item;
    for _ in 0..BLOCK_STEPS {
        if !matches!(item.kind, Kind::Text | Kind::Inline | Kind::Break | Kind::Marker) && item.backend != 0 {
            break;
        }
        let Some(above) = page.item(item.parent) else { break };
        item = above;
    }
    id(item)
}

/// The parts of a printed line between its handles, each of these with the space before it.
pub(super) fn without_handles(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    core::iter::from_fn(move || {
        let text = rest?;
        let Some(handle) = find_handle(text, 0) else {
            rest = None;
            return Some(text);
        };
        rest = text.get(handle.end..);
        text.get(..handle.start).map(|part| part.strip_suffix(' ').unwrap_or(part))
    })
}

const SEED: u64 = 0x243f_6a88_85a3_08d3;

/// Not against collisions that a page makes: those cost nothing but a worse delta, since texts are compared too.
fn hash(so_far: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let hashed = words.iter().fold(so_far, |so_far, word| mix(so_far, u64::from_le_bytes(*word)));
    let rest = rest.iter().fold(bytes.len() as u64, |rest, &byte| rest << 8 | u64::from(byte));
    mix(hashed, rest)
}

fn mix(so_far: u64, word: u64) -> u64 {
    let product = (so_far ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 29
}
