//! The run: the line that is being made, as pieces of text and controls.

use alloc::string::String;
use alloc::vec::Vec;

use super::Uid;
use super::escape::push_safe;
use super::lines::Name;
use super::page::{Item, Page, Text};
use super::words;
use crate::text::is_space;

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece {
    /// Text of the page: squeezed but for its ends, not yet made safe.
    Text(Text),
    /// Words as they are printed, a space apart from what is around them.
    Words(Text),
    /// A control, as it is printed.
    Control { text: Text, name: Name, item: u32 },
}

/// The pieces since the last line's end.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub(super) pieces: Vec<Piece>,
    text: String,
    /// The first item of it.
    pub(super) item: u32,
}

impl Run {
    pub(super) fn clear(&mut self) {
        self.pieces.clear();
        self.text.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text piece that the run ends with.
    pub(super) fn last_text(&self) -> Option<&str> {
        match self.pieces.last() {
            Some(Piece::Text(text)) => Some(text.of(&self.text)),
            _ => None,
        }
    }

    /// The control that the run ends with: its name and its item.
    pub(super) fn last_control(&self) -> Option<(Name, u32)> {
        self.pieces.last().and_then(control_name)
    }

    /// Appends text: what is squeezed, and whether white space stands before and after it.
    pub(super) fn push_text(&mut self, before: bool, body: &str, after: bool) {
        let start = self.text.len();
        let joined = self.last_text().map(|text| text.ends_with(' '));
        if before && joined != Some(true) {
            self.text.push(' ');
        }
        words::squeeze_into(body, &mut self.text);
        if after && !(body.is_empty() && (before || joined == Some(true))) {
            self.text.push(' ');
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => *text = Text::new(text.start(), self.text.len()),
            _ => self.pieces.push(Piece::Text(Text::new(start, self.text.len()))),
        }
    }

    pub(super) fn push_space(&mut self) {
        self.push_text(true, "", false);
    }

    /// Appends a control; `write` appends its words.
    pub(super) fn push_control(&mut self, item: u32, name: Name, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.pieces.push(Piece::Control { text: Text::new(start, self.text.len()), name, item });
    }

    /// Appends words as they are printed; `write` appends them.
    pub(super) fn push_words(&mut self, write: impl FnOnce(&mut String)) {
        let start = self.text.len();
        write(&mut self.text);
        self.pieces.push(Piece::Words(Text::new(start, self.text.len())));
    }

    /// The first control, and whether the run begins with it.
    pub(super) fn first_control(&self) -> Option<(Name, bool)> {
        self.pieces.iter().enumerate().find_map(|(at, piece)| match piece {
            Piece::Control { name, .. } => Some((*name, at == 0)),
            _ => None,
        })
    }

    /// Drops the labels that stand beside the control that says the same: before it, or after a box to tick.
    pub(super) fn drop_labels(&mut self, page: &Page) {
        for at in 0..self.pieces.len() {
            let Some(&Piece::Text(text)) = self.pieces.get(at) else { continue };
            let label = text.of(&self.text);
            let after = self.pieces.get(at + 1).and_then(control_name).map(|(name, _)| name);
            let before = at.checked_sub(1).and_then(|before| self.pieces.get(before)).and_then(control_name);
            let before = before.filter(|&(_, item)| page.item(item).is_some_and(|item| Page::role(item).check));
            let names = |name: Name| words::labels(label, page.shown(name));
            if after.is_some_and(names) || before.is_some_and(|(name, _)| names(name)) {
                if let Some(piece) = self.pieces.get_mut(at) {
                    *piece = Piece::Text(Text::NONE);
                }
            }
        }
    }

    /// Nothing but controls, and what separates them.
    pub(super) fn is_controls(&self) -> bool {
        let mut controls = false;
        self.pieces.iter().all(|piece| match piece {
            Piece::Text(text) => words::is_separator(text.of(&self.text)),
            Piece::Words(_) => false,
            Piece::Control { .. } => {
                controls = true;
                true
            }
        }) && controls
    }

    /// Appends the line: controls alone stand bare, a space apart; beside text they are in brackets, and the text is
    /// joined as the page joins it.
    pub(super) fn write(&self, page: &Page, controls: bool, out: &mut String, uids: &mut Vec<Uid>) {
        let start = out.len();
        let mut open: Option<&Item> = None;
        let mut gap = false;
        for piece in &self.pieces {
            match piece {
                Piece::Text(_) if controls => {}
                Piece::Text(text) => {
                    let text = text.of(&self.text);
                    let body = text.trim_matches(is_space);
                    gap |= text.is_empty() || text.starts_with(is_space);
                    if body.is_empty() {
                        continue;
                    }
                    push_gap(gap, start, out);
                    push_safe(body, out);
                    gap = text.ends_with(is_space);
                }
                Piece::Words(text) => {
                    push_gap(true, start, out);
                    out.push_str(text.of(&self.text));
                    gap = true;
                }
                Piece::Control { text, name, item } => {
                    let text = text.of(&self.text);
                    let item = page.item(*item);
                    let listed = open.zip(item).is_some_and(|(list, item)| item.index < list.end);
                    if listed && out.len() > start {
                        out.push(':');
                    }
                    push_gap(gap || controls || listed, start, out);
                    gap = false;
                    if controls {
                        out.push_str(text);
                    } else {
                        push_bracketed(text, page.shown(*name), out);
                    }
                    if let Some(item) = item {
                        if item.has_uid() {
                            uids.push(item.uid);
                        }
                        open = (Page::role(item).name == "listbox").then_some(item);
                    }
                }
            }
        }
    }
}

fn control_name(piece: &Piece) -> Option<(Name, u32)> {
    match piece {
        Piece::Control { name, item, .. } => Some((*name, *item)),
        Piece::Text(_) | Piece::Words(_) => None,
    }
}

fn push_gap(gap: bool, start: usize, out: &mut String) {
    if gap && out.len() > start && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// A control in brackets; a name that has brackets of its own lends them: `[1 @12]`.
fn push_bracketed(text: &str, name: &str, out: &mut String) {
    out.push('[');
    match name.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
        Some(inner) if text.starts_with(name) => {
            out.push_str(inner);
            out.push_str(text.get(name.len()..).unwrap_or_default());
        }
        _ => out.push_str(text),
    }
    out.push(']');
}
