//! The run: the line that is being made, as pieces of text and controls.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

use super::joined::Joined;
use super::lines::Name;
use super::options::Uid;
use super::page::{Item, Page, Text};
use super::words;
use crate::roles;

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
    /// As it was written last, it ends with several buttons that share their role's word.
    pub(super) plural: bool,
    /// As it was written last, it ends with the options of a select.
    pub(super) options: bool,
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

    /// Appends squeezed text; `before` and `after` say whether white space stands there.
    pub(super) fn push_text(&mut self, before: bool, body: &str, after: bool) {
        let start = self.text.len();
        let joined = self.last_text().map(|text| text.ends_with(' '));
        if before && joined != Some(true) {
            self.text.push(' ');
        }
        self.text.push_str(body);
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
            let before = before.filter(|&(_, item)| page.item(item).is_some_and(|item| item.role().check));
            let names = |name: Name| words::labels(label, page.shown(name));
            let said = after.is_some_and(names) || before.is_some_and(|(name, _)| names(name));
            if let Some(piece) = self.pieces.get_mut(at).filter(|_| said) {
                *piece = Piece::Text(Text::NONE);
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

    /// Appends the line; `controls` where it has nothing else.
    pub(super) fn write(&mut self, page: &Page, controls: bool, out: &mut String, uids: &mut Vec<Uid>) {
        let buttons = if controls { self.last_buttons(page) } else { None };
        self.plural = buttons.is_some();
        let last = self.last_control().and_then(|(_, last)| page.item(last));
        self.options = controls && last.is_some_and(Item::has_options);
        let mut line = Joined::new(out, controls);
        for (at, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Text(_) if controls => {}
                Piece::Text(text) => line.push_text(text.of(&self.text)),
                Piece::Words(text) => line.push_words(text.of(&self.text)),
                Piece::Control { text, name, item } => {
                    let Some(item) = page.item(*item) else { continue };
                    let text = text.of(&self.text);
                    let (word, text) = match buttons.map(|first| at.cmp(&first)) {
                        Some(Ordering::Equal) => ("buttons ", text.strip_prefix("button ").unwrap_or(text)),
                        Some(Ordering::Greater) => ("", text.strip_prefix("button ").unwrap_or(text)),
                        _ => ("", text),
                    };
                    if controls && item.has_options() && self.next_is_wordless(page, at) {
                        // Else the next name would read as an option.
                        line.push_control(item, "[", text, page.shown(*name));
                        line.push_end();
                    } else {
                        line.push_control(item, word, text, page.shown(*name));
                    }
                    if item.has_uid() {
                        uids.push(item.uid);
                    }
                }
            }
        }
        line.close();
    }

    /// Has the next control no role word before its name?
    fn next_is_wordless(&self, page: &Page, at: usize) -> bool {
        let mut next = self.pieces.iter().skip(at + 1);
        let next = next.find_map(|piece| match piece {
            Piece::Control { text, item, .. } => Some((text.of(&self.text), page.item(*item)?)),
            _ => None,
        });
        next.is_some_and(|(text, item)| item.role().word.is_empty() || !text.starts_with(item.role().word))
    }

    /// Where the buttons begin that the line ends with, two or more: they have their role's word once.
    fn last_buttons(&self, page: &Page) -> Option<usize> {
        let is_button = |piece: &Piece| match *piece {
            Piece::Control { item, name, .. } => {
                let button = page.item(item).filter(|item| item.role == roles::BUTTON && item.has_uid());
                button.is_some_and(|button| !button.is_said_by_table()) && !page.shown(name).is_empty()
            }
            Piece::Text(_) => true,
            Piece::Words(_) => false,
        };
        let others = self.pieces.iter().rposition(|piece| !is_button(piece)).map_or(0, |last| last + 1);
        let controls = |piece: &Piece| matches!(piece, Piece::Control { .. });
        let buttons = self.pieces.get(others..)?;
        let first = buttons.iter().position(controls)?;
        let more = buttons.get(first + 1..)?.iter().any(controls);
        more.then_some(others + first)
    }
}

fn control_name(piece: &Piece) -> Option<(Name, u32)> {
    match piece {
        Piece::Control { name, item, .. } => Some((*name, *item)),
        Piece::Text(_) | Piece::Words(_) => None,
    }
}
