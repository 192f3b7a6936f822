//! Joining: text and controls on one line, so that each control's beginning and end can be told.
//!
//! A handle ends its control. So a control that begins the line stands bare, and others directly after it too; one after
//! text begins with a bracket, and others directly after it share the bracket: `See [docs @1 faq @2] first`. Controls
//! alone on the line are bare. Text is joined as the page joins it.

use alloc::string::String;

use super::escape::push_safe;
use super::page::Item;
use crate::roles;
use crate::text::{begins_with_space, ends_with_space, is_space, trim};

/// What stands last on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// A control that stands bare and ends with its handle.
    Bare,
    /// The same in a bracket, which is still open.
    Open,
    /// Anything else.
    Text,
}

/// A line while it is written.
pub(super) struct Joined<'a> {
    out: &'a mut String,
    start: usize,
    /// The line has nothing but controls.
    controls: bool,
    /// White space stands before the next piece.
    gap: bool,
    before: Before,
    /// A list box stands last, and its own items are those before this one.
    list_end: u32,
}

impl<'a> Joined<'a> {
    /// A line that is appended to `out`.
    pub(super) fn new(out: &'a mut String, controls: bool) -> Self {
        let start = out.len();
        Self { out, start, controls, gap: false, before: Before::Nothing, list_end: 0 }
    }

    /// Text that is squeezed but for its ends; empty where a label was dropped.
    pub(super) fn push_text(&mut self, text: &str) {
        let body = trim(text);
        self.gap |= text.is_empty() || begins_with_space(text);
        if body.is_empty() {
            return;
        }
        self.close();
        self.gap |= self.before == Before::Bare && !may_follow_handle(body);
        self.push_gap();
        push_safe(body, self.out);
        self.gap = ends_with_space(text);
        self.before = Before::Text;
    }

    /// Words of ours.
    pub(super) fn push_words(&mut self, words: &str) {
        self.close();
        self.gap = true;
        self.push_gap();
        self.out.push_str(words);
        self.gap = true;
        self.before = Before::Text;
    }

    /// A control: its role's word where that is not in its text, its text, and its name.
    pub(super) fn push_control(&mut self, item: &Item, word: &str, text: &str, name: &str) {
        if item.index < self.list_end {
            self.out.push(':');
        }
        self.list_end = if item.role == roles::LISTBOX { item.end } else { 0 };
        if self.controls {
            self.gap = true;
            self.push_gap();
            self.out.push_str(word);
            self.out.push_str(text);
            return;
        }
        let brackets = name.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        if let Some(inner) = brackets.filter(|_| text.starts_with(name)) {
            // A link that has brackets of its own lends them: `[1 @12]`.
            self.close();
            self.push_gap();
            self.out.push('[');
            self.out.push_str(inner);
            self.out.push_str(text.get(name.len()..).unwrap_or_default());
            self.out.push(']');
            self.before = Before::Text;
            return;
        }
        let ends_with_handle = item.has_uid() && !item.has_options();
        let opens = match self.before {
            Before::Nothing | Before::Bare => !ends_with_handle,
            Before::Open => false,
            Before::Text => true,
        };
        self.gap |= matches!(self.before, Before::Bare | Before::Open);
        self.push_gap();
        if opens {
            self.out.push('[');
        }
        self.out.push_str(text);
        let bare = !opens && self.before != Before::Open;
        self.before = if bare { Before::Bare } else { Before::Open };
        if !bare && !ends_with_handle {
            self.close();
        }
    }

    /// The bracket that stands before a control ends.
    pub(super) fn push_end(&mut self) {
        self.out.push(']');
    }

    /// Ends an open bracket.
    pub(super) fn close(&mut self) {
        if self.before == Before::Open {
            self.out.push(']');
            self.before = Before::Text;
        }
    }

    fn push_gap(&mut self) {
        if self.gap && self.out.len() > self.start && !self.out.ends_with(' ') {
            self.out.push(' ');
        }
        self.gap = false;
    }
}

/// Does this text, directly after a handle, leave no doubt where the handle ends?
fn may_follow_handle(text: &str) -> bool {
    let mut chars = text.chars();
    match chars.next() {
        Some(',' | ';' | ':' | '!' | '?' | ')' | ']') => true,
        Some('.') => chars.next().is_none_or(is_space),
        _ => false,
    }
}
