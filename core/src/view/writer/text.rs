//! What stands in a line: text, markers, images, inline roles, formulas, and what shows a value.

use super::{BULLET, Desk, LEAF, Leave, Step, Writer, into};
use crate::roles::Kind;
use crate::text::is_space;
use crate::view::control::push_cut;
use crate::view::escape::{begins_like_ours, push_safe};
use crate::view::lines::{LineKind, Name};
use crate::view::page::Item;
use crate::view::words;

/// Most characters of an image's name: it is no text of the page, and a query finds all of it.
const IMAGE_SHOWN: usize = 150;
/// Most items after an image among which the text that may say its name stands.
const SAID_WITHIN: usize = 6;

impl Writer<'_> {
    pub(super) fn enter_root(&mut self, item: &Item) -> Step {
        let name = self.page.name(item);
        if !name.is_empty() {
            let start = self.desk.lines.text.len();
            push_safe(name, &mut self.desk.lines.text);
            let uids = self.desk.lines.uids.len();
            self.emit(LineKind::Page, 0, item.index, None, start, uids);
        }
        into(Leave::Block)
    }

    pub(super) fn enter_text(&mut self, item: &Item) -> Step {
        let (text, said) = (self.page.name(item), self.page.said(item));
        let covered = !self.desk.covers.is_empty();
        if said.is_empty() {
            if text.contains('\n') && !covered {
                self.apart = true; // a line's end in preformatted text
            } else if !text.is_empty() && !self.apart && !self.desk.run.is_empty() {
                self.desk.run.push_space();
            }
            return LEAF;
        }
        if self.desk.covers.says(said) || words::is_icon(said) {
            if !covered && !self.apart && !self.desk.run.is_empty() {
                self.desk.run.push_space();
            }
            return LEAF;
        }
        if covered && (words::is_bullet(said) || self.desk.covers.named() && !words::has_word(said)) {
            return LEAF; // a named control's icon
        }
        if self.flat > 0 || !text.contains('\n') {
            self.add_text(item, text.starts_with(is_space), said, text.ends_with(is_space));
            return LEAF;
        }
        let mut squeezed = core::mem::take(&mut self.desk.spare);
        for (number, line) in text.split('\n').enumerate() {
            self.apart |= number > 0;
            squeezed.clear();
            words::squeeze_into(line, &mut squeezed);
            if !squeezed.is_empty() {
                self.add_text(item, line.starts_with(is_space), &squeezed, line.ends_with(is_space));
                self.prose = true;
            }
        }
        self.desk.spare = squeezed;
        self.apart |= text.rsplit('\n').next().is_some_and(words::is_blank);
        LEAF
    }

    pub(super) fn enter_break(&mut self) -> Step {
        self.apart = true;
        LEAF
    }

    /// A bullet is the `- `; a number takes its place.
    pub(super) fn enter_marker(&mut self, item: &Item) -> Step {
        let text = self.page.name(item); // squeezed
        if !words::has_word(text) {
            return LEAF;
        }
        let Desk { mark, spare, .. } = &mut *self.desk;
        let Some(rest) = mark.strip_prefix(BULLET) else {
            self.add_text(item, false, text, false);
            return LEAF;
        };
        spare.clear();
        if begins_like_ours(text) {
            spare.push('\\');
        }
        push_safe(text, spare);
        spare.push(' ');
        spare.push_str(rest);
        mark.clear();
        mark.push_str(spare);
        LEAF
    }

    pub(super) fn enter_math(&mut self) -> Step {
        self.leave_math();
        into(Leave::Math)
    }

    /// Formulas stay on the line, their parts a space apart.
    pub(super) fn leave_math(&mut self) {
        if !self.apart && !self.desk.run.is_empty() {
            self.desk.run.push_space();
        }
    }

    pub(super) fn enter_inline(&mut self, item: &Item) -> Step {
        match item.role().name {
            "superscript" => {
                let digit = self.desk.run.last_text().is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()));
                if digit && !self.apart && begins_with_number(self.page.said(item)) {
                    self.desk.run.push_text(false, "^", false);
                }
                into(Leave::Nothing)
            }
            "LabelText" => match self.page.item(item.titled) {
                Some(control) => {
                    self.desk.covers.push(self.page.name(control), &[]);
                    into(Leave::Label)
                }
                None => into(Leave::Nothing),
            },
            "code" => {
                self.code += 1;
                into(Leave::Code)
            }
            _ => into(Leave::Nothing),
        }
    }

    pub(super) fn enter_image(&mut self, item: &Item) -> Step {
        if item.has_uid() {
            return self.enter_control(item);
        }
        let name = self.page.name(item);
        if !name.is_empty() && !self.desk.covers.says(name) && !self.just_said(name) && !self.soon_said(item) {
            self.begin_piece(item);
            self.desk.run.push_words(|out| {
                out.push_str("(image ");
                push_cut(name, IMAGE_SHOWN, out);
                out.push(')');
            });
        }
        into(Leave::Nothing)
    }

    /// Is this the text or the control directly before?
    pub(super) fn just_said(&self, name: &str) -> bool {
        if let Some(text) = self.desk.run.last_text() {
            return words::same(text, name);
        }
        if let Some((shown, _)) = self.desk.run.last_control() {
            return words::same(self.page.shown(shown), name);
        }
        if !self.desk.run.is_empty() {
            return false;
        }
        self.desk.lines.list.last().is_some_and(|line| match line.first {
            Some(first) => words::same(self.page.shown(first), name),
            None => words::same(self.desk.lines.text(line), name),
        })
    }

    /// Does the text right after the image say its name: a caption, a title, the text of the same link?
    fn soon_said(&self, image: &Item) -> bool {
        let name = self.page.name(image);
        let mut at = image.end as usize;
        for _ in 0..SAID_WITHIN {
            let Some(item) = self.page.items.get(at) else { return false };
            let said = match item.kind {
                Kind::Text | Kind::Control | Kind::Heading | Kind::Title | Kind::Cell => self.page.said(item),
                _ => "",
            };
            if !said.is_empty() {
                // A longer text that happens to hold the name is about something else.
                return said.len() <= 2 * name.len() && words::says(said, name);
            }
            at += 1;
        }
        false
    }

    /// Progress bars and meters: a line of their own, without a handle.
    pub(super) fn enter_value(&mut self, item: &Item) -> Step {
        if item.has_uid() {
            return self.enter_control(item);
        }
        self.apart = true;
        self.begin_piece(item);
        let (page, options) = (self.page, self.options);
        let name = Name::Named(item.name);
        self.desk.run.push_words(|out| page.write_control(item, name, false, options, out));
        Step { leave: Leave::Block, into: false }
    }

    /// A canvas, a plugin: nothing in it could be read.
    pub(super) fn enter_unread(&mut self, item: &Item) -> Step {
        if item.has_uid() {
            return self.enter_focusable(item);
        }
        self.apart = true;
        if item.end > item.index + 1 {
            return into(Leave::Block);
        }
        self.add_unread(item, "");
        Step { leave: Leave::Block, into: false }
    }

    pub(super) fn enter_frame(&mut self, item: &Item) -> Step {
        if item.read || item.end > item.index + 1 {
            return self.enter_container(item);
        }
        self.apart = true;
        self.add_unread(item, " unread");
        Step { leave: Leave::Block, into: false }
    }

    fn add_unread(&mut self, item: &Item, why: &str) {
        self.begin_piece(item);
        let (word, name) = (self.page.word(item), self.page.name(item));
        self.desk.run.push_words(|out| {
            out.push('(');
            out.push_str(word);
            if !name.is_empty() {
                out.push(' ');
                push_safe(name, out);
            }
            out.push_str(why);
            out.push(')');
        });
    }

    pub(super) fn enter_block(&mut self, item: &Item) -> Step {
        self.apart = true;
        if !item.name.is_empty() && item.said.is_empty() && item.controls == 0 {
            self.add_text(item, false, self.page.name(item), false);
        }
        into(Leave::Block)
    }
}

/// Is it a power: digits, with or without a sign?
fn begins_with_number(said: &str) -> bool {
    let unsigned = said.strip_prefix(['-', '+', '\u{2212}']).unwrap_or(said);
    unsigned.starts_with(|c: char| c.is_ascii_digit())
}
