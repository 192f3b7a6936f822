//! One control in words: `role name = value; state @uid`.

use alloc::string::String;

use super::escape::push_safe;
use super::lines::Name;
use super::options::{Uid, ViewOptions};
use super::page::{Item, Page};
use super::words;
use crate::decimal;
use crate::roles::{self, HIDDEN_VALUE, Kind, STATES};
use crate::table::ExtraKind;
use crate::text::{self, push_number, trim};

/// Most options of a closed select that are printed.
const OPTIONS_SHOWN: usize = 10;
/// Most characters of a link's address.
const URL_SHOWN: usize = 80;
/// Most characters of an invalid control's message: all of it stands where the page has it.
const MESSAGE_SHOWN: usize = 200;
/// The bits of [`STATES`].
const STATE_BITS: u32 = (1 << STATES.len()) - 1;

impl core::fmt::Display for Uid {
    /// As a view prints it after its `@`: `12`, or `2.12` in the frame numbered 2.
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.frame > 0 {
            write!(out, "{}.", self.frame)?;
        }
        write!(out, "{}", self.node)
    }
}

impl Page {
    /// The text of a name that is shown.
    pub(super) fn shown(&self, name: Name) -> &str {
        match name {
            Name::Named(text) => text.of(&self.text),
            Name::Said(text) => text.of(&self.reading),
        }
    }

    /// A control's name; without one its text, where that is all there is below it.
    pub(super) fn label(&self, item: &Item) -> Name {
        let name = words::once(self.name(item));
        if name.is_empty() && item.flat && item.controls == 0 && item.value.is_empty() && self.is_short(item) {
            return Name::Said(item.said);
        }
        Name::Named(super::page::Text::new(item.name.start(), item.name.start() + name.len()))
    }

    /// The value as the page shows it: a field's own text (`02`, `mm`) before the number behind it.
    pub(super) fn shown_value(&self, item: &Item) -> &str {
        let value = self.value(item);
        if !matches!(item.role, roles::SPINBUTTON | roles::SLIDER | roles::PROGRESSBAR | roles::METER) {
            return value;
        }
        let said = self.said(item);
        let told = self.detail(item, ExtraKind::ValueText);
        match () {
            () if !said.is_empty() && item.controls == 0 && self.is_short(item) => said,
            () if !words::is_blank(told) => told,
            () => value,
        }
    }

    /// Writes the control: its words, without brackets. Where `below`, the value follows on lines of its own.
    pub(super) fn write_control(
        &self,
        item: &Item,
        name: Name,
        below: bool,
        options: &ViewOptions<'_>,
        out: &mut String,
    ) {
        let name = self.shown(name);
        let list = item.role().list.filter(|_| !item.role().lists_items);
        let word = match item.kind {
            Kind::Cell => "cell",
            _ if !name.is_empty() && (item.is_said_by_list(list) || item.is_said_by_table()) => "",
            _ => self.word(item),
        };
        out.push_str(word);
        match (name.is_empty(), word.is_empty()) {
            (false, true) => push_safe(name, out),
            (false, false) => {
                out.push(' ');
                push_safe(name, out);
            }
            (true, true) => out.push_str(item.role().name),
            (true, false) => self.write_description(item, out),
        }
        let value = trim(self.shown_value(item));
        if !value.is_empty() && (below || !words::same(value, name)) {
            out.push_str(" =");
            if !below {
                out.push(' ');
                push_squeezed(value, out);
            }
        }
        if item.states & HIDDEN_VALUE != 0 {
            out.push_str(" = (hidden)");
        }
        self.write_range(item, out);
        if options.urls {
            self.write_url(item, out);
        }
        self.write_states(item, out);
        item.write_uid(out);
        if item.has_options() {
            out.push_str(": ");
            self.write_options(item, out);
        }
    }

    /// What describes a control that says nothing else.
    fn write_description(&self, item: &Item, out: &mut String) {
        let told = self.detail(item, ExtraKind::Description);
        if item.kind == Kind::Control && self.value(item).is_empty() && self.said(item).is_empty() && !told.is_empty() {
            out.push(' ');
            push_squeezed(told, out);
        }
    }

    /// The range of a slider, and of a spin button that is no part of a date: ` (0..100)`.
    fn write_range(&self, item: &Item, out: &mut String) {
        if !matches!(item.role, roles::SLIDER | roles::SPINBUTTON) || item.in_date {
            return;
        }
        let (least, most) = (self.detail(item, ExtraKind::ValueMin), self.detail(item, ExtraKind::ValueMax));
        if let (Some(low), Some(high)) = (decimal::float(least), decimal::float(most))
            && low < high
        {
            for part in [" (", least, "..", most, ")"] {
                out.push_str(part);
            }
        }
    }

    /// A link's address: origin and path, cut at [`URL_SHOWN`].
    fn write_url(&self, item: &Item, out: &mut String) {
        let url = self.detail(item, ExtraKind::Url);
        if url.is_empty() || item.role != roles::LINK {
            return;
        }
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let bare = scheme.is_empty();
        let ends = |byte: u8| matches!(byte, b'?' | b'#') || bare && matches!(byte, b',' | b';');
        let rest = rest.get(..rest.bytes().position(ends).unwrap_or(rest.len())).unwrap_or_default();
        let authority = rest.bytes().position(|byte| byte == b'/').and_then(|end| rest.get(..end)).unwrap_or(rest);
        let user = authority.bytes().rposition(|byte| byte == b'@').map_or(0, |at| at + 1);
        let rest = if scheme.is_empty() { rest } else { rest.get(user..).unwrap_or_default() };
        out.push_str(" (");
        if !scheme.is_empty() {
            push_safe(scheme, out);
            out.push_str("://");
        }
        push_cut(rest, URL_SHOWN - scheme.chars().count().min(URL_SHOWN), out);
        out.push(')');
    }

    /// The state words that inform, in the order of the table.
    pub(super) fn write_states(&self, item: &Item, out: &mut String) {
        for word in told_states(item) {
            out.push_str("; ");
            out.push_str(word);
            if word == "invalid" {
                self.write_message(item, out);
            }
        }
    }

    /// What an invalid control is told to mend: `: Max 8 characters`.
    fn write_message(&self, item: &Item, out: &mut String) {
        let start = out.len();
        for detail in self.details(item, ExtraKind::ErrorMessage) {
            let said = self.find(Uid { frame: item.uid.frame, node: detail.node }).map_or("", |other| self.said(other));
            let told = if said.is_empty() { detail.text.of(&self.text) } else { said };
            if !told.is_empty() {
                out.push_str(if out.len() == start { ": " } else { " " });
                push_cut(told, MESSAGE_SHOWN, out);
            }
        }
        let description = self.detail(item, ExtraKind::Description);
        if out.len() == start && !words::is_blank(description) {
            out.push_str(": ");
            push_cut(description, MESSAGE_SHOWN, out);
        }
    }

    /// The options of a closed select, a group's name in parentheses before its first one.
    fn write_options(&self, item: &Item, out: &mut String) {
        let mut shown = 0;
        let mut group = "";
        let mut at = item.index as usize + 1;
        while let Some(below) = self.items.get(at).filter(|_| at < item.end as usize) {
            if below.role != roles::OPTION {
                group = if below.end as usize > at + 1 { self.name(below) } else { group };
                at += 1;
                continue;
            }
            at = below.end as usize;
            shown += 1;
            if shown > OPTIONS_SHOWN {
                continue;
            }
            if shown > 1 {
                out.push_str(" | ");
            }
            if !group.is_empty() {
                out.push('(');
                push_safe(group, out);
                out.push_str(") ");
                group = "";
            }
            push_safe(if below.name.is_empty() { self.said(below) } else { self.name(below) }, out);
            if below.is("disabled") {
                out.push_str(" (disabled)");
            }
        }
        if shown > OPTIONS_SHOWN {
            out.push_str(" | +");
            push_number((shown - OPTIONS_SHOWN) as u64, out);
            out.push_str(" more");
        }
    }
}

/// The words of the states that inform.
fn told_states(item: &Item) -> impl Iterator<Item = &'static str> + '_ {
    let mut before = "";
    let mut left = item.states & STATE_BITS;
    core::iter::from_fn(move || {
        while left != 0 {
            let state = STATES.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            let untold = match state.word {
                "unchecked" => item.role().radio, // a group has one that is checked: silence says the rest
                "collapsed" => item.select,
                "readonly" => item.kind != Kind::Control,
                word => word == before,
            };
            if !untold {
                before = state.word;
                return Some(state.word);
            }
        }
        None
    })
}

impl Item {
    /// Appends its handle, where it has one.
    pub(super) fn write_uid(&self, out: &mut String) {
        if self.has_uid() {
            out.push_str(" @");
            if self.uid.frame > 0 {
                push_number(u64::from(self.uid.frame), out);
                out.push('.');
            }
            push_number(self.uid.node, out);
        }
    }

    /// Has it a state that is printed?
    pub(super) fn has_states(&self) -> bool {
        told_states(self).next().is_some()
    }

    /// Its table says that it is a button.
    pub(super) fn is_said_by_table(&self) -> bool {
        self.in_buttons && self.role == roles::BUTTON
    }

    /// Does it have the state of this word?
    pub(super) fn is(&self, word: &str) -> bool {
        self.states & STATE_BITS != 0
            && STATES.iter().enumerate().any(|(bit, state)| self.states >> bit & 1 == 1 && state.word == word)
    }

    /// A closed select: its options stand after its handle.
    pub(super) fn has_options(&self) -> bool {
        self.select && !self.is_open()
    }

    /// A select whose options are controls of their own.
    pub(super) fn is_open(&self) -> bool {
        self.is("expanded")
    }
}

/// A value of several lines: it stands below its control's line.
pub(super) fn has_lines(value: &str) -> bool {
    value.as_bytes().contains(&b'\n')
}

pub(super) fn push_squeezed(text: &str, out: &mut String) {
    for (number, word) in text::words(text).enumerate() {
        if number > 0 {
            out.push(' ');
        }
        push_safe(word, out);
    }
}

/// Appends a text's first characters, and `…` where there are more.
pub(super) fn push_cut(text: &str, most: usize, out: &mut String) {
    match text.char_indices().nth(most) {
        Some((end, _)) => {
            push_squeezed(text.get(..end).unwrap_or_default(), out);
            out.push('…');
        }
        None => push_squeezed(text, out),
    }
}
