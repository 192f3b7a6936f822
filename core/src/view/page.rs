//! The page: the tree's nodes as the view sees them, with their text decoded.
//!
//! Items stand in reading order, an item's subtree from it to its `end`. From here on the payload's own bytes are not
//! looked at again, apart from the few extras that [`extras`] reads.

use alloc::string::String;
use alloc::vec::Vec;

use super::escape::push_safe;
use super::extras;
use super::options::{Uid, ViewOptions};
use super::words::squeeze_into;
use crate::reader::Reader;
use crate::roles::{EDITABLE, FOCUSABLE, Kind, ROLES, Role, RoleId};
use crate::table::{ExtraKind, NONE, Node, Table};
use crate::text::{self, trim};
use crate::tree::Place;

/// A range of one of the page's texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    start: u32,
    end: u32,
}

impl Text {
    pub(super) const NONE: Self = Self { start: 0, end: 0 };

    pub(super) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(super) fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    /// Without the white space around it.
    pub(super) fn trimmed(self, all: &str) -> Self {
        let text = self.of(all);
        let start = self.start() + text::spaces(text);
        Self::new(start, start + trim(text).len())
    }

    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A node of the page.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own that the survey answers")]
pub(super) struct Item {
    pub(super) kind: Kind,
    pub(super) role: RoleId,
    /// A heading's level, or 0.
    pub(super) level: u8,
    /// Everything below can stand on one line with it.
    pub(super) flat: bool,
    /// A table that says of its buttons what they are, or one of these.
    pub(super) in_buttons: bool,
    /// A frame whose document was read.
    pub(super) read: bool,
    /// A text of several lines.
    pub(super) lines: bool,
    /// What it says is printed elsewhere.
    pub(super) silent: bool,
    /// Stands inside a date or time field.
    pub(super) in_date: bool,
    /// Stands in an editable region, or is one.
    pub(super) in_region: bool,
    /// A select as browsers make it: its options are not separate controls.
    pub(super) select: bool,
    /// Which printed lists it stands under, a bit for each [`List`](crate::roles::List).
    pub(super) lists: u8,
    pub(super) states: u32,
    /// Its row in the node table of its document.
    pub(super) row: u32,
    /// Its handle; `node` is 0 where it has none, `frame` is its document's number.
    pub(super) uid: Uid,
    /// `backendDOMNodeId`, or 0.
    pub(super) backend: u64,
    /// Its place among the items, its parent's, and where its subtree ends.
    pub(super) index: u32,
    pub(super) parent: u32,
    pub(super) end: u32,
    /// Of [`Page::text`]: squeezed, but for a text's, which is as the page has it.
    pub(super) name: Text,
    /// Of [`Page::text`]: as the page has it.
    pub(super) value: Text,
    /// Of [`Page::reading`]: all text below it.
    pub(super) said: Text,
    /// Handles below it; of these buttons, and controls that have no role word.
    pub(super) controls: u32,
    pub(super) buttons: u32,
    pub(super) wordless: u32,
    /// The heading, caption or legend that says its name; for a label the control that it names.
    pub(super) titled: u32,
    /// Of [`Page::details`].
    pub(super) details: u32,
    pub(super) detail_count: u32,
}

impl Item {
    fn new(node: &Node, kind: Kind, index: u32, parent: u32, end: u32) -> Self {
        Self {
            kind,
            role: node.role,
            level: node.level,
            flat: true,
            lines: false,
            silent: false,
            in_date: false,
            in_region: false,
            in_buttons: false,
            read: false,
            select: false,
            lists: 0,
            states: node.states,
            row: 0,
            uid: Uid { frame: 0, node: 0 },
            backend: node.backend,
            index,
            parent,
            end,
            name: Text::NONE,
            value: Text::NONE,
            said: Text::NONE,
            controls: 0,
            buttons: 0,
            wordless: 0,
            titled: NONE,
            details: 0,
            detail_count: 0,
        }
    }

    pub(super) fn has_uid(&self) -> bool {
        self.uid.node != 0
    }

    /// Its role's line in the table.
    pub(super) fn role(&self) -> &'static Role {
        self.role.role()
    }

    /// What it has of the item above it, and its handle where it acts.
    fn inherit(&mut self, node: &Node, above: Option<&Self>, clickable: bool) {
        let mut opens_region = self.in_region;
        if let Some(above) = above {
            let role = above.role();
            self.in_date = above.in_date || role.date;
            self.in_region = above.in_region || node.states & EDITABLE != 0;
            opens_region = self.in_region && !above.in_region && !role.valued;
        }
        // A control by its role, what can take the focus, or the outermost node of an editable region.
        let acts = self.kind == Kind::Control || node.states & FOCUSABLE != 0 || opens_region;
        if (clickable || acts && !node.ignored) && self.can_have_uid() {
            self.uid.node = node.backend;
        }
    }

    /// The document, its frames and plain text have no handle.
    fn can_have_uid(&self) -> bool {
        self.backend != 0 && !matches!(self.kind, Kind::Root | Kind::Frame | Kind::Text | Kind::Break | Kind::Drop)
    }
}

/// What else is known of a few items, decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Detail {
    pub(super) kind: ExtraKind,
    /// Of [`Page::text`].
    pub(super) text: Text,
    /// A related node's backend id, or 0.
    pub(super) node: u64,
}

/// The page's items and their text. Kept for the next view: its vectors are reused.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) items: Vec<Item>,
    /// Names and values.
    pub(super) text: String,
    /// All text in reading order, squeezed: what an item says is a range of it.
    pub(super) reading: String,
    pub(super) details: Vec<Detail>,
    /// Words of roles that the table does not know, as they are printed: those of one document after those of the one
    /// before.
    words: Vec<Text>,
    /// A name while it is squeezed.
    unsqueezed: String,
    /// Items by backend id, sorted; empty where nothing asks for it.
    by_backend: Vec<(Uid, u32)>,
    /// Containers that have a name, the last one first; and whether there is a table.
    pub(super) containers: Vec<u32>,
    pub(super) tables: bool,
    /// Items whose end is not reached yet, during the survey.
    pub(super) open: Vec<u32>,
}

/// Which nodes are treated apart, by backend id: sorted.
#[derive(Debug, Default)]
pub(super) struct Marked {
    /// They have a handle whatever their role.
    clickable: Vec<Uid>,
    /// Their value and inner text are never printed.
    secrets: Vec<Uid>,
    /// It is printed even where nothing else would be of it.
    root: Option<Uid>,
    /// Links print their address.
    urls: bool,
}

impl Marked {
    pub(super) fn set(&mut self, options: &ViewOptions<'_>) {
        for (list, given) in [(&mut self.clickable, options.clickable), (&mut self.secrets, options.secrets)] {
            list.clear();
            list.extend_from_slice(given);
            list.sort_unstable();
        }
        self.root = options.root;
        self.urls = options.urls;
    }

    fn clickable(&self, uid: Uid) -> bool {
        !self.clickable.is_empty() && uid.node != 0 && self.clickable.binary_search(&uid).is_ok()
    }

    fn secret(&self, uid: Uid) -> bool {
        !self.secrets.is_empty() && self.secrets.binary_search(&uid).is_ok()
    }
}

impl Page {
    pub(super) fn item(&self, index: u32) -> Option<&Item> {
        self.items.get(index as usize)
    }

    pub(super) fn name(&self, item: &Item) -> &str {
        item.name.of(&self.text)
    }

    pub(super) fn value(&self, item: &Item) -> &str {
        item.value.of(&self.text)
    }

    pub(super) fn said(&self, item: &Item) -> &str {
        item.said.of(&self.reading)
    }

    /// The role's word as the view prints it.
    pub(super) fn word(&self, item: &Item) -> &str {
        let number = item.role.0 as usize;
        match ROLES.get(number) {
            Some(role) => role.word,
            None => self.words.get(number - ROLES.len()).map_or("", |word| word.of(&self.text)),
        }
    }

    /// What is known of this kind about the item.
    pub(super) fn details(&self, item: &Item, kind: ExtraKind) -> impl Iterator<Item = &Detail> {
        let details = self.details.get(item.details as usize..(item.details + item.detail_count) as usize);
        details.unwrap_or_default().iter().filter(move |detail| detail.kind == kind)
    }

    /// The text of the first detail of this kind, or the empty text.
    pub(super) fn detail(&self, item: &Item, kind: ExtraKind) -> &str {
        self.details(item, kind).next().map_or("", |detail| detail.text.of(&self.text))
    }

    /// The item of this backend id and document, where [`Page::index`] was called.
    pub(super) fn find(&self, node: Uid) -> Option<&Item> {
        let at = self.by_backend.binary_search_by_key(&node, |&(id, _)| id).ok()?;
        self.by_backend.get(at).and_then(|&(_, index)| self.item(index))
    }

    /// Makes [`Page::find`] ready; of equal ids the first item counts.
    pub(super) fn index(&mut self) {
        let with_id = self.items.iter().filter(|item| item.backend != 0);
        self.by_backend.clear();
        self.by_backend.extend(with_id.map(|item| (Uid { frame: item.uid.frame, node: item.backend }, item.index)));
        self.by_backend.sort_unstable();
        self.by_backend.dedup_by_key(|&mut (id, _)| id);
    }

    /// Forgets the page before.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.text.clear();
        self.reading.clear();
        self.details.clear();
        self.words.clear();
        self.by_backend.clear();
    }

    /// Takes over one document: its nodes in reading order, behind those that are there.
    pub(super) fn read(&mut self, payload: &[u8], reader: &mut Reader, frame: u32, marked: &Marked) {
        reader.hide(payload, |node| marked.secret(Uid { frame, node }));
        let Reader { table, tree, .. } = reader;
        let uid = |node: &Node| Uid { frame, node: node.backend };
        tree.build(table, |node| match table.roles.kind(node.role) {
            _ if marked.root == Some(uid(node)) => Place::Keep,
            Kind::Drop => Place::Drop,
            _ if marked.clickable(uid(node)) => Place::Keep,
            _ if node.ignored => Place::Splice,
            Kind::Pass if node.states & FOCUSABLE == 0 => Place::Splice,
            _ => Place::Keep,
        });
        let first = self.items.len() as u32;
        let unknown = self.words.len() as u32;
        for number in 0..table.roles.unknown() {
            let start = self.text.len();
            push_safe(table.roles.name(RoleId((ROLES.len() + number) as u32)), &mut self.text);
            self.words.push(Text::new(start, self.text.len()));
        }
        self.items.reserve(tree.entries.len());
        for entry in &tree.entries {
            let Some(node) = table.nodes.get(entry.row as usize) else { continue };
            let kind = if node.ignored { Kind::Block } else { table.roles.kind(node.role) };
            let parent = if entry.parent == NONE { NONE } else { first + entry.parent };
            let index = self.items.len() as u32;
            let mut item = Item::new(node, kind, index, parent, first + entry.end);
            if !node.role.is_known() {
                item.role.0 += unknown;
            }
            item.details = self.details.len() as u32;
            item.row = entry.row;
            item.uid.frame = frame;
            item.inherit(node, self.items.get(parent as usize), marked.clickable(uid(node)));
            if !node.name.is_none() {
                let raw = node.name.of(payload);
                item.name = self.decode_name(raw, kind == Kind::Text);
                // No escape, no line break.
                item.lines = item.name.len() != raw.len() && trim(self.name(&item)).as_bytes().contains(&b'\n');
            }
            if !node.value.is_none() {
                item.value = extras::scalar(node.value.of(payload), &mut self.text);
            }
            if node.extra_count > 0 {
                self.read_extras(payload, table, node, marked.urls);
                item.detail_count = self.details.len() as u32 - item.details;
            }
            self.items.push(item);
        }
    }

    /// A name as the view compares and prints it; a text stays as the page has it.
    fn decode_name(&mut self, raw: &[u8], verbatim: bool) -> Text {
        let start = self.text.len();
        if verbatim || (text::plain_run(raw) == raw.len() && !raw.ends_with(b" ")) {
            text::decode(raw, &mut self.text);
        } else {
            self.unsqueezed.clear();
            text::decode(raw, &mut self.unsqueezed);
            squeeze_into(&self.unsqueezed, &mut self.text);
        }
        Text::new(start, self.text.len())
    }

    fn read_extras(&mut self, payload: &[u8], table: &Table, node: &Node, urls: bool) {
        let extras = node.extras as usize..node.extras as usize + usize::from(node.extra_count);
        for extra in table.extras.get(extras).unwrap_or_default() {
            let raw = extra.span.of(payload);
            match extra.kind {
                ExtraKind::LabelledBy | ExtraKind::ErrorMessage => extras::related(raw, |related| {
                    let start = self.text.len();
                    text::decode(related.text, &mut self.text);
                    let text = Text::new(start, self.text.len());
                    self.details.push(Detail { kind: extra.kind, text, node: related.node });
                }),
                ExtraKind::Url if !urls => {} // long, on every link and image, and seldom asked for
                _ => {
                    let text = extras::scalar(raw, &mut self.text);
                    self.details.push(Detail { kind: extra.kind, text, node: 0 });
                }
            }
        }
    }
}
