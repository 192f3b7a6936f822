//! Comparing and joining page text: the small questions that the view asks of strings.
//!
//! Nothing here allocates, and nothing is quadratic: searches are bounded by [`SEARCHED`].

use alloc::string::String;

use crate::text::is_space;

/// Longest text that is searched for another; a longer one is only compared where reading has come to.
pub(super) const SEARCHED: usize = 4096;

/// Appends `text` with its white space runs as one space, and none at the ends.
pub(super) fn squeeze_into(text: &str, out: &mut String) {
    if is_squeezed(text) {
        out.push_str(text);
        return;
    }
    let mut gap = false;
    let mut first = true;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        gap |= !first;
        if gap {
            out.push(' ');
        }
        out.push_str(word);
        (gap, first) = (false, false);
    }
}

/// Has no white space to squeeze; some texts that have none are not seen as such.
pub(super) fn is_squeezed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut before = b' ';
    for &byte in bytes {
        if byte >= 0x80 || byte < b' ' || byte == b' ' && before == b' ' {
            return false;
        }
        before = byte;
    }
    before != b' ' || bytes.is_empty()
}

/// The characters of a text with white space runs as one space and none at the ends.
#[derive(Clone)]
pub(super) struct Squeezed<'a> {
    rest: core::str::Chars<'a>,
    /// A character that comes after the space given last.
    held: Option<char>,
}

impl<'a> Squeezed<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.trim_matches(is_space).chars(), held: None }
    }
}

impl Iterator for Squeezed<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        if let Some(held) = self.held.take() {
            return Some(held);
        }
        let c = self.rest.next()?;
        if !is_space(c) {
            return Some(c);
        }
        self.held = self.rest.by_ref().find(|&c| !is_space(c));
        Some(' ')
    }
}

/// A text as names are compared: no case, no white space runs, no colon or star at its ends.
pub(super) fn key(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    let inner = text.trim_matches(|c: char| is_space(c) || matches!(c, ':' | '*'));
    Squeezed::new(inner).flat_map(char::to_lowercase)
}

/// Do these say the same?
pub(super) fn same(left: &str, right: &str) -> bool {
    key(left).eq(key(right))
}

/// Does `label` say what `name` says, or begin it at a word's end?
pub(super) fn labels(label: &str, name: &str) -> bool {
    let mut name = key(name);
    let mut last = None;
    for c in key(label) {
        if name.next() != Some(c) {
            return false;
        }
        last = Some(c);
    }
    match (last, name.next()) {
        (None, _) => false,
        (Some(last), Some(next)) => !(is_word(last) && is_word(next)),
        (Some(_), None) => true,
    }
}

/// Does what `text` says stand in `whole`, from word edge to word edge?
pub(super) fn says(whole: &str, text: &str) -> bool {
    let mut whole = key(whole);
    let mut before = None;
    for _ in 0..SEARCHED {
        let mut here = whole.clone();
        let mut last = None;
        let matched = key(text).all(|c| {
            last = Some(c);
            here.next() == last
        });
        if matched && !both_words(before, key(text).next()) && !both_words(last, here.next()) {
            return true;
        }
        before = whole.next();
        if before.is_none() {
            break;
        }
    }
    false
}

fn both_words(left: Option<char>, right: Option<char>) -> bool {
    left.is_some_and(is_word) && right.is_some_and(is_word)
}

/// Is `part` in `text`, both squeezed, from a word's beginning to a word's end?
pub(super) fn has_words(text: &str, part: &str) -> bool {
    if part.len() > text.len() || text.len() > SEARCHED {
        return false;
    }
    text.match_indices(part).any(|(at, _)| {
        let (before, rest) = text.split_at(at);
        !joins_words(before, part) && !joins_words(part, rest.get(part.len()..).unwrap_or_default())
    })
}

/// Would `left` and `right`, put together, make one word of two?
pub(super) fn joins_words(left: &str, right: &str) -> bool {
    both_words(left.chars().next_back(), right.chars().next())
}

/// Two texts meet inside a word, like `Survey` and `Published`: the page sets them apart by style, which the payload
/// does not say.
pub(super) fn apart_by_case(left: &str, right: &str) -> bool {
    let (Some(last), Some(first)) = (left.chars().next_back(), right.chars().next()) else { return false };
    if !first.is_uppercase() {
        return false;
    }
    last.is_lowercase() || last.is_numeric() && right.chars().nth(1).is_some_and(char::is_lowercase)
}

/// A character of a word.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Has a letter or a digit.
pub(super) fn has_word(text: &str) -> bool {
    text.chars().any(is_word)
}

/// Only white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// Only separators and bullets: said by the controls standing side by side.
pub(super) fn is_separator(text: &str) -> bool {
    text.chars().all(|c| {
        is_space(c)
            || is_bar(c)
            || matches!(c, '/' | '\\' | ',' | ';' | ':' | '*' | '<' | '>' | '«' | '»' | '‹' | '›' | '.' | '-')
            || matches!(c, '\u{2013}' | '\u{2014}' | '→' | '←')
    })
}

/// Only what stands between controls, and says nothing alone on a line.
pub(super) fn is_bare(text: &str) -> bool {
    text.chars().all(|c| is_space(c) || is_bar(c))
}

fn is_bar(c: char) -> bool {
    matches!(c, '|' | '\u{2022}' | '\u{00b7}' | '\u{25e6}' | '\u{25aa}' | '\u{25cf}' | '\u{2219}' | '\u{22c5}')
}

/// Only bullets.
pub(super) fn is_bullet(text: &str) -> bool {
    text.chars().all(|c| {
        is_space(c)
            || matches!(c, '\u{2022}' | '\u{25e6}' | '\u{25aa}' | '\u{25b8}' | '\u{25be}' | '\u{25cf}' | '\u{25cb}')
            || matches!(c, '\u{25a0}' | '\u{2013}' | '-')
    })
}

/// Only private-use characters: an icon font.
pub(super) fn is_icon(text: &str) -> bool {
    text.chars().all(|c| is_space(c) || matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10fffd}'))
}

/// A name that is the same words twice, said once: `Month Month` is `Month`.
pub(super) fn once(name: &str) -> &str {
    let half = name.len() / 2;
    match (name.get(..half), name.get(half..)) {
        (Some(left), Some(right)) if name.len() > 4 && right.strip_prefix(' ') == Some(left) => left,
        _ => name,
    }
}
