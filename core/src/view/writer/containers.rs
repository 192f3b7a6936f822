//! Containers, headings and list items.

use super::{BULLET, Desk, LEAF, Leave, Step, Writer, into};
use crate::roles::Kind;
use crate::view::escape::push_safe;
use crate::view::lines::LineKind;
use crate::view::page::Item;
use crate::view::words;

impl Writer<'_> {
    pub(super) fn enter_container(&mut self, item: &Item) -> Step {
        let page = self.page;
        let mut name = page.name(item);
        if let Some(title) = page.item(item.titled) {
            if !title.silent {
                name = ""; // its heading says it
            }
        } else if !name.is_empty() && (words::same(name, page.said(item)) || self.desk.covers.says(name)) {
            name = ""; // its content says it, or its control
        } else if !item.has_uid() && self.just_said(name) {
            name = ""; // the heading or label directly before it says it
        }
        let says_roles = item.role().lists_items && !item.name.is_empty();
        let plain = name.is_empty() && !item.has_uid() && !item.has_states() && !says_roles;
        if plain && item.kind == Kind::Quiet {
            self.apart = true;
            return into(Leave::Block);
        }
        let empty = item.said.is_empty() && item.controls == 0 && item.end == item.index + 1;
        if plain && item.kind == Kind::Land && empty {
            return LEAF;
        }
        if self.flat > 0 && !item.has_uid() {
            self.apart = true;
            return into(Leave::Block);
        }
        self.flush();
        let uids = self.desk.lines.uids.len();
        let start = self.desk.lines.text.len();
        let out = &mut self.desk.lines.text;
        out.push_str(page.word(item));
        if !name.is_empty() {
            out.push(' ');
            push_safe(name, out);
        }
        page.write_states(item, out);
        let above = page.item(item.parent);
        if item.in_buttons && !above.is_some_and(|above| above.in_buttons) {
            out.push_str("; buttons");
        }
        item.write_uid(out);
        if item.has_uid() {
            self.desk.lines.uids.push(item.uid);
        }
        self.emit(LineKind::Container, self.level, item.index, None, start, uids);
        self.level += 1;
        into(Leave::Container)
    }

    pub(super) fn leave_container(&mut self, item: &Item) {
        self.flush();
        self.level -= 1;
        let Desk { lines, mark, .. } = &mut *self.desk;
        let Some(last) = lines.list.last().copied() else { return };
        let nothing_in_it = last.item == item.index && last.kind == LineKind::Container;
        if nothing_in_it && !item.has_uid() && item.name.is_empty() {
            if self.mark_level.is_none() && !last.mark.is_empty() {
                // The next line has its mark.
                mark.push_str(lines.mark(&last));
                self.mark_level = Some(last.level);
            }
            lines.pop();
        }
    }

    pub(super) fn enter_heading(&mut self, item: &Item) -> Step {
        if (self.flat > 0 || !self.desk.covers.is_empty()) && !item.has_uid() {
            self.apart = true;
            return into(Leave::Block);
        }
        if item.end == item.index + 1 && !item.says() && !item.has_uid() {
            self.apart = true; // it would take its item's mark with it
            return LEAF;
        }
        self.flush();
        self.apart = false;
        self.mark_level = self.mark_level.or(Some(self.level));
        if self.desk.mark == BULLET {
            self.desk.mark.clear(); // its heading marks the item
        }
        let level = if item.level == 0 { 2 } else { item.level.min(6) };
        for _ in 0..level {
            self.desk.mark.push('#');
        }
        self.desk.mark.push(' ');
        if item.said.is_empty() && item.controls == 0 && !item.name.is_empty() {
            self.add_text(item, false, self.page.name(item), false);
        }
        self.add_handle(item);
        self.flat += u32::from(item.flat);
        into(Leave::Heading)
    }

    /// A heading or list item that has a handle begins with it.
    fn add_handle(&mut self, item: &Item) {
        if item.has_uid() {
            let name = self.page.label(item);
            self.add_control(item, name);
            self.desk.covers.push(self.page.name(item), self.page.shown(name), "");
        }
    }

    pub(super) fn leave_heading(&mut self, item: &Item) {
        if item.has_uid() {
            self.desk.covers.pop();
        }
        self.flush();
        self.flat -= u32::from(item.flat);
        if self.desk.mark.ends_with("# ") {
            // Nothing was in it.
            let filled = self.desk.mark.trim_ascii_end();
            let kept = filled.len() - filled.bytes().rev().take_while(|&byte| byte == b'#').count();
            self.desk.mark.truncate(kept);
            if self.desk.mark.is_empty() {
                self.mark_level = None;
            }
        }
        self.apart = true;
    }

    pub(super) fn enter_item(&mut self, item: &Item) -> Step {
        if self.flat > 0 {
            self.apart = true;
            if !self.desk.run.is_empty() {
                self.desk.run.push_text(true, "-", true);
            }
            return if item.has_uid() { self.enter_control(item) } else { into(Leave::Block) };
        }
        self.flush();
        if self.mark_level.is_none() {
            self.desk.mark.clear();
            self.desk.mark.push_str(BULLET);
            self.mark_level = Some(self.level);
        } else if !self.desk.mark.ends_with(BULLET) {
            self.desk.mark.push_str(BULLET); // an item that begins with an item: only a number is kept
        }
        self.level += 1;
        self.add_handle(item);
        into(Leave::Item)
    }

    pub(super) fn leave_item(&mut self, item: &Item) {
        if item.has_uid() {
            self.desk.covers.pop();
        }
        self.flush();
        self.level -= 1;
        if words::has_word(&self.desk.mark) {
            // A number with nothing after it.
            let (start, uids) = (self.desk.lines.text.len(), self.desk.lines.uids.len());
            self.emit(LineKind::Text, self.level, item.index, None, start, uids);
        }
        self.desk.mark.clear();
        self.mark_level = None;
        self.apart = true;
    }
}
