//! What a tool answers with: what an agent reads, and the figures beside it.

use serde_json::{Map, Value};

use crate::error::Error;

/// An answer, whatever carries it: MCP, the command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What an agent reads.
    pub content: Vec<Content>,
    /// The tool failed, or what it was to do was not done.
    pub is_error: bool,
    /// Figures and whole handles, for programs.
    pub meta: Map<String, Value>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text.
    Text(String),
    /// A PNG, in base64.
    Image(String),
}

impl Answer {
    /// An answer of one text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text(text.into())], ..Self::default() }
    }

    /// With a figure.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(name.to_owned(), value.into());
        self
    }

    /// A failure, as an agent reads it: what happened and what to do next.
    #[must_use]
    pub fn error(error: &Error) -> Self {
        Self { is_error: true, ..Self::text(error.to_string()).with("code", error.code.code()) }
    }

    /// All texts, one after the other.
    #[must_use]
    pub fn texts(&self) -> String {
        let text = |content: &Content| match content {
            Content::Text(text) => Some(text.clone()),
            Content::Image(_) => None,
        };
        self.content.iter().filter_map(text).collect::<Vec<_>>().join("\n")
    }
}

/// Text of a page on a line of ours: control characters are spaces, and it can't make a handle. What was escaped already
/// stays as it is.
pub(super) fn on_a_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '@' && characters.peek().is_some_and(char::is_ascii_digit) && !line.ends_with('\\') {
            line.push('\\');
        }
        line.push(if character.is_control() { ' ' } else { character });
    }
    line
}

/// The beginning of a text, of at most so many bytes, cut at a character.
pub(super) fn beginning(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::{beginning, on_a_line};

    #[test]
    fn a_pages_text_makes_neither_a_line_nor_a_handle() {
        assert_eq!(on_a_line("one\ntwo @12 a@b @x"), r"one two \@12 a@b @x");
        assert_eq!(on_a_line("\u{1b}[31m@"), " [31m@");
        assert_eq!(on_a_line(&on_a_line("@12")), r"\@12");
    }

    #[test]
    fn a_text_is_cut_at_a_character() {
        assert_eq!((beginning("aé", 2), beginning("aé", 3), beginning("🎉", 3)), ("a", "aé", ""));
    }
}
