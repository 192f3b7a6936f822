//! Controls, and whatever else can take the focus.

use super::{Leave, Step, Writer, into};
use crate::view::lines::Name;
use crate::view::page::Item;
use crate::view::words;

impl Writer<'_> {
    pub(super) fn enter_control(&mut self, item: &Item) -> Step {
        let name = self.name_in_row(item, self.page.label(item));
        let own_line = has_own_line(item);
        self.apart |= own_line;
        self.add_control(item, name);
        if item.select && !item.is_open() {
            return Step { leave: Leave::Nothing, into: false };
        }
        let page = self.page;
        let shown = page.shown_value(item);
        self.desk.covers.push(page.name(item), &[page.shown(name), page.value(item), shown]);
        self.level += 1;
        into(Leave::Control)
    }

    pub(super) fn leave_control(&mut self, item: &Item) {
        self.desk.covers.pop();
        self.level -= 1;
        if self.desk.run.last_control().is_some_and(|(_, last)| last == item.index) {
            self.apart = false; // a block that adds nothing to its control breaks nothing
        }
        self.apart |= has_own_line(item);
    }

    /// Something else that can take the focus: a line of text with a handle, or a container with one.
    pub(super) fn enter_focusable(&mut self, item: &Item) -> Step {
        let says = !item.name.is_empty() || !item.said.is_empty();
        if item.flat && item.controls == 0 && self.page.is_short(item) && says {
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
        if visible.is_empty() || visible == full || full.len() > words::SEARCHED {
            return name;
        }
        let Some((before, after)) = full.split_once(visible) else { return name };
        let told = |word: &str| self.desk.row.says(word);
        if before.split(' ').chain(after.split(' ')).filter(|word| !word.is_empty()).all(told) {
            return Name::Said(item.said);
        }
        name
    }
}

/// A list or tree item of its own is never a part of another's line.
fn has_own_line(item: &Item) -> bool {
    matches!(item.role().name, "treeitem" | "listbox")
}
