//! What stands in a line: text, markers, images, inline roles, formulas, and what shows a value.

use super::{BULLET, Desk, Leave, Step, Writer, into};
use crate::roles::{self, Kind};
use crate::text::{begins_with_space, ends_with_space, split};
use crate::view::control::{has_lines, push_cut};
use crate::view::escape::{mark_begins_like_ours, push_safe};
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
        self.flush();
        if !name.is_empty() {
            let start = self.desk.lines.text.len();
            push_safe(name, &mut self.desk.lines.text);
            let uids = self.desk.lines.uids.len();
            self.emit(LineKind::Page, 0, item.index, None, start, uids);
        }
        into(Leave::Block)
    }

    pub(super) fn enter_text(&mut self, item: &Item) -> Step {
        self.say_text(item);
        into(Leave::Nothing)
    }

    fn say_text(&mut self, item: &Item) {
        let (text, said) = (self.page.name(item), self.page.said(item));
        let covered = !self.desk.covers.is_empty();
        if said.is_empty() {
            if has_lines(text) && !covered {
                self.apart = true; // a line's end in preformatted text
            } else if !text.is_empty() && !self.apart && !self.desk.run.is_empty() {
                self.desk.run.push_space();
            }
            return;
        }
        if self.desk.covers.says(said) || words::is_icon(said) {
            if !covered && !self.apart && !self.desk.run.is_empty() {
                self.desk.run.push_space();
            }
            return;
        }
        if covered && (words::is_bullet(said) || self.desk.covers.named() && !words::has_word(said)) {
            return; // a named control's icon
        }
        if self.flat > 0 || !has_lines(text) {
            self.add_text(item, begins_with_space(text), said, ends_with_space(text));
            return;
        }
        let mut squeezed = core::mem::take(&mut self.desk.spare);
        let mut last = "";
        for (number, line) in split(text, b'\n').enumerate() {
            last = line;
            self.apart |= number > 0;
            squeezed.clear();
            words::squeeze_into(line, &mut squeezed);
            if !squeezed.is_empty() {
                self.add_text(item, begins_with_space(line), &squeezed, ends_with_space(line));
                self.prose = true;
            }
        }
        self.desk.spare = squeezed;
        self.apart |= words::is_blank(last);
    }

    pub(super) fn enter_break(&mut self) -> Step {
        self.apart = true;
        into(Leave::Nothing)
    }

    /// A bullet is the `- `; a number takes its place.
    pub(super) fn enter_marker(&mut self, item: &Item) -> Step {
        let text = self.page.name(item); // squeezed
        if words::has_word(text) {
            self.say_marker(item, text);
        }
        self.desk.covers.push(text, "", "");
        into(Leave::Label)
    }

    fn say_marker(&mut self, item: &Item, text: &str) {
        let Desk { mark, spare, run, .. } = &mut *self.desk;
        let first = run.is_empty();
        let Some(rest) = mark.strip_prefix(BULLET).filter(|_| first) else {
            self.add_text(item, false, text, false);
            return;
        };
        spare.clear();
        if mark_begins_like_ours(text) {
            spare.push('\\');
        }
        push_safe(text, spare);
        spare.push(' ');
        spare.push_str(rest);
        mark.clear();
        mark.push_str(spare);
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
        match item.role {
            roles::SUPERSCRIPT => {
                let digit = self.desk.run.last_text().is_some_and(|text| text.ends_with(|c: char| c.is_ascii_digit()));
                if digit && !self.apart && begins_with_number(self.page.said(item)) {
                    self.desk.run.push_text(false, "^", false);
                }
                into(Leave::Nothing)
            }
            roles::LABEL => match self.page.item(item.titled) {
                Some(control) => {
                    self.desk.covers.push(self.page.name(control), "", "");
                    into(Leave::Label)
                }
                None => into(Leave::Nothing),
            },
            roles::CODE => {
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
        let after = self.page.items.iter().skip(image.end as usize).take(SAID_WITHIN);
        let mut said = after.map(|item| match item.kind {
            Kind::Text | Kind::Control | Kind::Heading | Kind::Title | Kind::Cell => self.page.said(item),
            _ => "",
        });
        // A longer text that happens to hold the name is about something else.
        said.find(|said| !said.is_empty()).is_some_and(|said| said.len() <= 2 * name.len() && words::says(said, name))
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
        self.desk.covers.push(page.name(item), "", page.shown_value(item));
        into(Leave::Value)
    }

    pub(super) fn leave_value(&mut self) {
        self.desk.covers.pop();
        self.apart = true;
    }

    /// A canvas, a plugin: nothing in it could be read.
    pub(super) fn enter_unread(&mut self, item: &Item) -> Step {
        if item.has_uid() {
            return self.enter_focusable(item);
        }
        self.apart = true;
        // What stands below a canvas is there in case that it can't be drawn; of the others it is what they show.
        if item.end == item.index + 1 || item.role == roles::CANVAS {
            self.add_unread(item, "");
            self.apart = true;
        }
        into(Leave::Block)
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
