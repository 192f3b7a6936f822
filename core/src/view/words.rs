//! Comparing and joining page text: the small questions that the view asks of strings.
//!
//! Nothing here allocates, and nothing is quadratic: searches are bounded by [`SEARCHED`].

use alloc::string::String;

use crate::text::{is_space, spaces, squeezed_run, trim, word};

/// Longest text that is searched for another; a longer one is only compared where reading has come to.
pub(super) const SEARCHED: usize = 4096;

/// Appends `text` with its white space runs as one space, and none at the ends.
pub(super) fn squeeze_into(text: &str, out: &mut String) {
    if squeezed_run(text) == text.len() && !text.as_bytes().ends_with(b" ") {
        out.push_str(text);
        return;
    }
    let begin = out.len();
    let mut rest = text;
    let mut gap = false;
    while !rest.is_empty() {
        let (run, after) = rest.split_at_checked(squeezed_run(rest)).unwrap_or((rest, ""));
        let (stretch, gap_after) = run.strip_suffix(' ').map_or((run, false), |before| (before, true));
        push_stretch(stretch, &mut gap, begin, out);
        gap |= gap_after;
        // What ended the run, and all beyond ASCII that follows it.
        let odd = after.char_indices().skip(1).find(|(_, c)| c.is_ascii()).map_or(after.len(), |(at, _)| at);
        let (odd, after) = after.split_at_checked(odd).unwrap_or((after, ""));
        let mut odd = odd;
        while let Some((stretch, tail)) = odd.split_at_checked(word(odd)).filter(|_| !odd.is_empty()) {
            push_stretch(stretch, &mut gap, begin, out);
            gap |= !tail.is_empty();
            odd = tail.get(spaces(tail)..).unwrap_or_default();
        }
        rest = after;
    }
}

/// Appends what has no white space to squeeze, after a space where one is due.
fn push_stretch(text: &str, gap: &mut bool, begin: usize, out: &mut String) {
    if text.is_empty() {
        return;
    }
    if *gap && out.len() > begin {
        out.push(' ');
    }
    out.push_str(text);
    *gap = false;
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
        Self { rest: trim(text).chars(), held: None }
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

/// Most marks at a text's end that are no part of what it says: one text is compared with many.
const MARKS: usize = 8;

/// A text as names are compared: no case, no white space runs, no colon or star at its ends.
pub(super) fn key(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    let is_mark = |c: char| is_space(c) || matches!(c, ':' | '*');
    let mut inner = text;
    for _ in 0..MARKS {
        let start = inner.strip_prefix(is_mark).unwrap_or(inner);
        let both = start.strip_suffix(is_mark).unwrap_or(start);
        if both.len() == inner.len() {
            break;
        }
        inner = both;
    }
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

/// Does what `text` says stand in `whole`, from word edge to word edge? The steps are bounded by the two's lengths, so
/// that only what was made to be slow is not found.
pub(super) fn says(whole: &str, text: &str) -> bool {
    let mut steps = (4 * (whole.len() + text.len())).min(SEARCHED);
    let mut whole = key(whole);
    let mut before = None;
    while steps > 0 {
        let mut here = whole.clone();
        let mut last = None;
        let matched = key(text).all(|c| {
            last = Some(c);
            steps = steps.saturating_sub(1);
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
    // As a letter is that has another lower case: a table of those that are upper case would be one more.
    if first.to_lowercase().next() == Some(first) {
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

/// Only separators and bullets: said by the controls standing side by side. A full stop ends a sentence and is kept.
pub(super) fn is_separator(text: &str) -> bool {
    text.chars().all(|c| {
        is_space(c)
            || is_bar(c)
            || matches!(c, '/' | '\\' | ',' | ';' | ':' | '*' | '<' | '>' | '«' | '»' | '‹' | '›' | '-')
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_every_kind_is_squeezed_as_python_splits_it() {
        for code in 0..0x3100 {
            let Some(c) = char::from_u32(code) else { continue };
            let mut text = String::new();
            text.extend([c, 'a', c, c, 'b', ' ', c, 'c', c]);
            let mut squeezed = String::new();
            squeeze_into(&text, &mut squeezed);
            if is_space(c) {
                assert_eq!(squeezed, "a b c", "U+{code:04X}");
            } else {
                assert_eq!(squeezed, text, "U+{code:04X}");
            }
        }
    }

    #[test]
    fn nothing_but_white_space_is_nothing() {
        let mut out = String::from("x");
        squeeze_into(" \n\u{a0} ", &mut out);
        squeeze_into("", &mut out);
        assert_eq!(out, "x");
    }

    #[test]
    fn a_label_is_its_controls_name_or_begins_it_at_a_words_end() {
        assert!(labels("E-mail:", "e-mail"));
        assert!(labels("Colour *", "Colour of the boat"));
        assert!(!labels("Col", "Colour"));
        assert!(!labels("", "Colour"));
        assert!(!labels("Colour of the boat", "Colour"));
    }

    #[test]
    fn words_are_found_whole() {
        assert!(has_words("Save order now", "order"));
        assert!(!has_words("Save orders now", "order"));
        assert!(says("Orders awaiting review", "awaiting  Review"));
        assert!(!says("Orders awaiting reviews", "review"));
    }

    #[test]
    fn a_name_said_twice_is_said_once() {
        assert_eq!(once("Month Month"), "Month");
        assert_eq!(once("Month month"), "Month month");
        assert_eq!(once("a a"), "a a");
        assert_eq!(once("žluť žluť"), "žluť");
    }
}
