//! Covers: what an open control, or a label's control, has said already. Texts below that repeat it are not printed.

use alloc::string::String;
use alloc::vec::Vec;

use super::page::Text;
use super::words;

/// Most open covers that a text is compared with.
const LOOKED_AT: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Cover {
    text: Text,
    /// How far the texts below have come in it.
    at: usize,
    named: bool,
}

/// The covers that are open, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Covers {
    list: Vec<Cover>,
    text: String,
}

impl Covers {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.text.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Opens a cover that says a name, what is shown for it, and a value; a value comes as the page has it.
    pub(super) fn push(&mut self, name: &str, shown: &str, value: &str) {
        let start = self.text.len();
        self.text.push_str(name);
        if !shown.is_empty() && shown != name {
            self.push_gap(start);
            self.text.push_str(shown);
        }
        if !value.is_empty() && !words::is_blank(value) {
            self.push_gap(start);
            words::squeeze_into(value, &mut self.text);
        }
        self.list.push(Cover { text: Text::new(start, self.text.len()), at: 0, named: !name.is_empty() });
    }

    fn push_gap(&mut self, start: usize) {
        if self.text.len() > start {
            self.text.push(' ');
        }
    }

    pub(super) fn pop(&mut self) {
        if let Some(cover) = self.list.pop() {
            self.text.truncate(cover.text.start());
        }
    }

    /// The innermost one has a name.
    pub(super) fn named(&self) -> bool {
        self.list.last().is_some_and(|cover| cover.named)
    }

    /// Is this squeezed text said: where reading has come to in a cover, or anywhere in it at word edges?
    pub(super) fn says(&mut self, text: &str) -> bool {
        let from = self.list.len().saturating_sub(LOOKED_AT);
        let Self { list, text: texts } = self;
        list.get_mut(from..).unwrap_or_default().iter_mut().any(|cover| {
            let whole = cover.text.of(texts);
            let start = cover.at + usize::from(whole.as_bytes().get(cover.at) == Some(&b' '));
            if whole.get(start..).is_some_and(|rest| rest.starts_with(text)) {
                cover.at = start + text.len();
                return true;
            }
            words::has_words(whole, text)
        })
    }
}
