//! Terms: the words of a query, and which of them a text has.
//!
//! Case counts for nothing, in any script. A term is found whole where it begins and ends at a word's edge, and as a
//! part of a word elsewhere, but a number never as a part of a longer one: `link7` is not in `link70`.

use alloc::string::String;
use alloc::vec::Vec;

use super::page::Text;
use super::words::is_word;
use crate::text::words;

/// Most terms of a query: what comes after them is not looked for.
pub(super) const TERMS: usize = 32;
/// Most characters of a term: so many are compared.
const TERM_SIZE: usize = 64;
/// A shorter term of Latin letters is not looked for in parts of words: `to` is in too many.
const PART_SIZE: usize = 3;

/// How many different [`pair`]s there are.
const PAIRS: usize = 1 << 10;

/// Two bytes as one number, the same for both cases of a letter.
fn pair(first: u8, second: u8) -> usize {
    usize::from(first & 31) << 5 | usize::from(second & 31)
}

/// Which terms were found, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) whole: u32,
    /// As a part of a word.
    pub(super) part: u32,
}

impl Found {
    pub(super) fn any(self) -> u32 {
        self.whole | self.part
    }

    pub(super) fn add(&mut self, other: Self) {
        self.whole |= other.whole;
        self.part |= other.part;
    }
}

/// The terms of a query.
#[derive(Debug, Default)]
pub(super) struct Terms {
    /// All of them in lower case, one after the other.
    text: String,
    list: Vec<Text>,
    /// The terms that may begin with two bytes, by [`pair`] of these: those that begin with an ASCII character.
    starts: Vec<u32>,
    /// The terms that begin with another one: in other scripts the cases of a letter may differ in any byte.
    other: u32,
}

impl Terms {
    /// Takes the words of a query over. What stands round a word, as quotes and commas do, is no part of it.
    pub(super) fn set(&mut self, query: &str) {
        self.text.clear();
        self.list.clear();
        self.starts.clear();
        self.starts.resize(PAIRS, 0);
        self.other = 0;
        for word in words(query) {
            let inner = word.trim_matches(|c| !is_word(c));
            let word = if inner.is_empty() { word } else { inner };
            let start = self.text.len();
            self.text.extend(word.chars().take(TERM_SIZE).flat_map(char::to_lowercase));
            let term = Text::new(start, self.text.len());
            let known = self.list.iter().any(|known| known.of(&self.text) == term.of(&self.text));
            if term.is_empty() || known || self.list.len() == TERMS {
                self.text.truncate(start);
                continue;
            }
            let bit = 1 << self.list.len();
            self.list.push(term);
            match *self.text.as_bytes().get(start..).unwrap_or_default() {
                [first, ..] if first >= 0x80 => self.other |= bit,
                [first, second, ..] if second < 0x80 => self.begin(first, second, bit),
                // What comes second may be anything.
                [first, ..] => (0..=u8::MAX).for_each(|second| self.begin(first, second, bit)),
                [] => {}
            }
        }
    }

    fn begin(&mut self, first: u8, second: u8, bit: u32) {
        if let Some(terms) = self.starts.get_mut(pair(first, second)) {
            *terms |= bit;
        }
    }

    /// There is no word in the query.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, as bits.
    pub(super) fn all(&self) -> u32 {
        self.list.iter().enumerate().fold(0, |bits, (number, _)| bits | 1 << number)
    }

    /// Adds the terms that `text` has.
    pub(super) fn find(&self, text: &str, found: &mut Found) {
        let Some(starts) = self.starts.first_chunk::<PAIRS>() else { return };
        let bytes = text.as_bytes();
        for (at, two) in bytes.windows(2).enumerate() {
            let &[first, second] = two else { continue };
            let begun = match first {
                0xc0.. => self.other,
                0x80.. => 0,
                _ => starts.get(pair(first, second)).copied().unwrap_or(0),
            };
            if begun != 0 {
                self.compare(text, at, begun, found);
            }
        }
        if let Some(&last) = bytes.last().filter(|last| last.is_ascii()) {
            self.compare(text, bytes.len() - 1, starts.get(pair(last, 0)).copied().unwrap_or(0), found);
        }
    }

    /// Adds those of the `begun` terms that the text has at this byte.
    fn compare(&self, text: &str, at: usize, begun: u32, found: &mut Found) {
        let mut candidates = begun & !found.whole;
        while candidates != 0 {
            let number = candidates.trailing_zeros();
            candidates &= candidates - 1;
            let term = self.list.get(number as usize).map_or("", |term| term.of(&self.text));
            match standing(term, text, at) {
                Some(Standing::Whole) => found.whole |= 1 << number,
                Some(Standing::Part) => found.part |= 1 << number,
                None => {}
            }
        }
    }

    /// Adds the terms that are this word.
    pub(super) fn find_word(&self, word: &str, found: &mut Found) {
        for (number, term) in self.list.iter().enumerate() {
            found.whole |= u32::from(!word.is_empty() && term.of(&self.text).eq_ignore_ascii_case(word)) << number;
        }
    }
}

enum Standing {
    Whole,
    Part,
}

/// Does the term stand in the text at this byte, and how?
fn standing(term: &str, text: &str, at: usize) -> Option<Standing> {
    let (before, here) = text.split_at_checked(at)?;
    let mut rest = here.chars();
    let mut wanted = term.chars();
    let mut last = None;
    while !wanted.as_str().is_empty() {
        let c = rest.next()?;
        last = Some(c);
        if c.is_ascii() {
            if wanted.next() != Some(c.to_ascii_lowercase()) {
                return None;
            }
        } else if !c.to_lowercase().all(|lower| wanted.next() == Some(lower)) {
            return None;
        }
    }
    let edges = [(before.chars().next_back(), here.chars().next()), (last, rest.next())];
    let both = |is: fn(char) -> bool| edges.iter().any(|&(left, right)| left.is_some_and(is) && right.is_some_and(is));
    match () {
        () if !both(is_word) => Some(Standing::Whole),
        () if both(char::is_numeric) => None,
        () if term.len() < PART_SIZE && term.is_ascii() => None,
        () => Some(Standing::Part),
    }
}

#[cfg(test)]
mod tests {
    use super::{Found, Terms};

    fn found(query: &str, text: &str) -> (u32, u32) {
        let mut terms = Terms::default();
        terms.set(query);
        let mut found = Found::default();
        terms.find(text, &mut found);
        (found.whole, found.part)
    }

    #[test]
    fn a_word_is_found_whole_and_a_part_of_a_word_as_a_part() {
        assert_eq!(found("save order", "Save orders"), (1, 2));
        assert_eq!(found("order", "Reorder, then order"), (1, 1));
        assert_eq!(found("0173", "Review ORD-0173"), (1, 0));
        assert_eq!(found("ord-0173", "Review ORD-0173"), (1, 0));
        assert_eq!(found("absent", "Review ORD-0173"), (0, 0));
    }

    #[test]
    fn a_number_is_no_part_of_a_longer_number() {
        assert_eq!(found("link7", "link70"), (0, 0));
        assert_eq!(found("link7", "link70 link7"), (1, 0));
        assert_eq!(found("173", "ORD-0173"), (0, 0));
        assert_eq!(found("link", "link70"), (0, 1));
        assert_eq!(found("7", "link7a"), (0, 0));
    }

    #[test]
    fn short_words_are_found_whole_only() {
        assert_eq!(found("go to", "Category of goats to go"), (3, 0));
        assert_eq!(found("to", "Category"), (0, 0));
    }

    #[test]
    fn case_counts_for_nothing_in_any_script() {
        assert_eq!(found("ÉTÉ straße", "L'été, Straße"), (3, 0));
        assert_eq!(found("ΣΟΦΟΣ", "σοφοσ"), (1, 0));
        assert_eq!(found("заказ", "Новый ЗАКАЗ"), (1, 0));
        assert_eq!(found("登录", "用户登录"), (0, 1));
    }

    #[test]
    fn what_stands_round_a_word_is_no_part_of_it_and_signs_alone_are_words() {
        assert_eq!(found("\"Sign in\", (now)", "sign in now"), (7, 0));
        assert_eq!(found("+", "add + remove"), (1, 0));
    }

    #[test]
    fn a_word_said_twice_is_one_term_and_there_are_at_most_32() {
        let mut terms = Terms::default();
        terms.set("a A b");
        assert_eq!(terms.all(), 3);
        let words: std::vec::Vec<_> = (0..50).map(|number| std::format!("w{number}")).collect();
        terms.set(&words.join(" "));
        assert_eq!((terms.list.len(), terms.all()), (32, u32::MAX));
        terms.set(" \n ");
        assert!(terms.is_empty());
    }
}
