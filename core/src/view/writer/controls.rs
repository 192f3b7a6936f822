//! Controls, and whatever else can take the focus.

use super::{LEAF, Leave, Step, Writer, into};
use crate::roles;
use crate::text::words;
use crate::view::lines::Name;
use crate::view::page::Item;

/// Most bytes of a name, and of its words, that are looked for in its row.
const NAME_SEARCHED: usize = 1024;
const WORDS_SEARCHED: usize = 32;

impl Writer<'_> {
    pub(super) fn enter_control(&mut self, item: &Item) -> Step {
        let name = self.name_in_row(item, self.page.label(item));
        let own_line = has_own_line(item);
        self.apart |= own_line;
        self.add_control(item, name);
        if item.has_options() {
            return LEAF;
        }
        let page = self.page;
        self.desk.covers.push(page.name(item), page.shown(name), page.shown_value(item));
        self.level += 1;
        into(Leave::Control)
    }

    pub(super) fn leave_control(&mut self, item: &Item) {
        self.desk.covers.pop();
        self.level -= 1;
        if self.desk.run.last_control().is_some_and(|(_, last)| last == item.index) {
            self.apart = false; // a block that adds nothing to its control breaks nothing
        }
        // A value below its line belongs to what ends the line.
        self.apart |= has_own_line(item) || self.desk.values.last() == Some(&item.index);
    }

    /// Something else that can take the focus: a line of text with a handle, or a container with one.
    pub(super) fn enter_focusable(&mut self, item: &Item) -> Step {
        if item.flat && item.controls == 0 && self.page.is_short(item) && item.says() {
            return self.enter_control(item);
        }
        self.enter_container(item)
    }

    /// In a row: the visible text, if the cells so far say the other words of the name.
    pub(super) fn name_in_row(&self, item: &Item, name: Name) -> Name {
        let Name::Named(text) = name else { return name };
        if !self.in_row || text.is_empty() {
            return name;
        }
        let (full, visible) = (self.page.shown(name), self.page.said(item));
        if visible.is_empty() || visible.len() >= full.len() || full.len() > NAME_SEARCHED {
            return name;
        }
        let begins = full.strip_prefix(visible).map(|after| ("", after));
        let Some((before, after)) = begins.or_else(|| full.split_once(visible)) else { return name };
        let told = |word: &str| self.desk.row.says(word);
        let mut words = words(before).chain(words(after));
        if words.by_ref().take(WORDS_SEARCHED).all(told) && words.next().is_none() {
            return Name::Said(item.said);
        }
        name
    }
}

/// A list or tree item of its own is never a part of another's line.
fn has_own_line(item: &Item) -> bool {
    matches!(item.role, roles::TREEITEM | roles::LISTBOX)
}
