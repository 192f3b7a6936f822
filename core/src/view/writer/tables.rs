//! Rows and cells: a row is a line of cells where every cell fits on one; else cells are blocks.

use alloc::string::String;

use super::{Desk, Leave, Step, Writer, into};
use crate::roles::Kind;
use crate::text::{trim, words};
use crate::view::lines::LineKind;
use crate::view::page::Item;

/// Most bytes of a row's text in which the words of its controls' names are looked for.
const SEARCHED: usize = 1024;

/// The row that is being made.
#[derive(Debug, Default)]
pub(super) struct RowText {
    text: String,
    /// What its cells say, printed or not.
    said: String,
    cells: u32,
    /// Where its handles begin.
    uids: usize,
}

impl RowText {
    /// Does a cell so far say this word?
    pub(super) fn says(&self, word: &str) -> bool {
        words(&self.said).any(|said| said == word)
    }

    /// Notes what a cell says, and how it was written from `start` on.
    fn note(&mut self, said: &str, start: usize) {
        push_word(said, &mut self.said);
        push_word(self.text.get(start..).unwrap_or_default(), &mut self.said);
    }
}

impl Writer<'_> {
    pub(super) fn enter_row(&mut self, item: &Item) -> Step {
        if self.flat > 0 || !self.is_line(item) {
            self.apart = true;
            return if item.has_uid() { self.enter_container(item) } else { into(Leave::Block) };
        }
        self.flush();
        let page = self.page;
        let Desk { row, lines, .. } = &mut *self.desk;
        row.text.clear();
        row.said.clear();
        row.cells = 0;
        row.uids = lines.uids.len();
        if item.has_uid() || item.has_states() {
            row.text.push_str("row");
            page.write_states(item, &mut row.text);
            item.write_uid(&mut row.text);
            row.text.push(':');
        }
        if item.has_uid() {
            lines.uids.push(item.uid);
        }
        self.flat = 1;
        self.in_row = true;
        into(Leave::Row)
    }

    /// Does every cell fit on one line, and is there nothing but cells?
    fn is_line(&self, row: &Item) -> bool {
        let mut at = row.index as usize + 1;
        if at == row.end as usize {
            return !row.has_uid(); // without cells, its name is all there is of it
        }
        while let Some(cell) = self.page.items.get(at).filter(|_| at < row.end as usize) {
            if cell.kind != Kind::Cell || !cell.flat {
                return false;
            }
            at = cell.end as usize;
        }
        true
    }

    pub(super) fn leave_row(&mut self, item: &Item) {
        self.desk.run.clear();
        self.flat = 0;
        self.in_row = false;
        let Desk { row, lines, .. } = &mut *self.desk;
        let text = trim(&row.text);
        let empty = text.bytes().all(|byte| matches!(byte, b' ' | b'|'));
        let text = if empty { "" } else { trim_empty_cells(text) };
        let start = lines.text.len();
        lines.text.push_str(text);
        let uids = row.uids;
        self.apart = true;
        if start < self.desk.lines.text.len() {
            self.emit(LineKind::Row, self.level, item.index, None, start, uids);
        }
    }

    pub(super) fn enter_cell(&mut self, item: &Item) -> Step {
        if !self.in_row || !self.page.is_in_row(item) {
            if item.has_uid() {
                return self.enter_focusable(item);
            }
            self.apart = true;
            return into(Leave::Block);
        }
        self.desk.run.clear();
        self.apart = false;
        if item.has_uid() {
            let name = self.name_in_row(item, self.page.label(item));
            self.add_control(item, name);
            self.desk.covers.push(self.page.name(item), self.page.shown(name), "");
        } else if !item.name.is_empty() && item.said.is_empty() && item.controls == 0 {
            self.add_text(item, false, self.page.name(item), false);
        }
        into(Leave::Cell)
    }

    pub(super) fn leave_cell(&mut self, item: &Item) {
        if item.has_uid() {
            self.desk.covers.pop();
        }
        let page = self.page;
        self.desk.run.drop_labels(page);
        let controls = self.desk.run.is_controls();
        let Desk { row, lines, run, .. } = &mut *self.desk;
        if row.cells > 0 {
            row.text.push_str(" |");
        }
        row.cells += 1;
        let before = row.text.len();
        if before > 0 {
            row.text.push(' ');
        }
        let start = row.text.len();
        run.write(page, controls, &mut row.text, &mut lines.uids);
        if row.text.len() == start {
            row.text.truncate(before);
        }
        row.note(page.said(item), start);
        run.clear();
        self.apart = false;
    }
}

fn push_word(text: &str, said: &mut String) {
    if said.len() + text.len() < SEARCHED {
        said.push(' ');
        said.push_str(text);
    }
}

/// Without the empty cells at the end.
fn trim_empty_cells(text: &str) -> &str {
    let mut text = text;
    while let Some(shorter) = text.strip_suffix(" |") {
        text = shorter;
    }
    text
}
