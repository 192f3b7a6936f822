//! Scores: how well an item, or what is printed together, answers a query.
//!
//! All terms before some, whole words before parts of words, rare terms before common ones; then what has more of them
//! in one node, then what has a handle.

use alloc::vec::Vec;

use super::page::{Item, Page};
use super::terms::{Found, TERMS, Terms};
use crate::roles::{Kind, ROLES, STATES};
use crate::table::ExtraKind;

/// How much more a whole word weighs than a part of one.
const WHOLE: u32 = 4;

/// What was found in something that is printed, or in a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Match {
    pub(super) found: Found,
    /// Most terms that one node has.
    most: u32,
    /// A node with a handle has one.
    acts: bool,
}

impl Match {
    pub(super) fn is_match(&self) -> bool {
        self.found.any() != 0
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.found.add(other.found);
        self.most = self.most.max(other.most);
        self.acts |= other.acts;
    }
}

/// A match's rank: the greater the better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    all: bool,
    weight: u32,
    most: u32,
    acts: bool,
}

impl Score {
    /// Is it good enough to stand beside the best one?
    pub(super) fn is_beside(self, best: Self) -> bool {
        self.all == best.all && 2 * self.weight >= best.weight
    }
}

/// A query, made ready for a page.
#[derive(Debug, Default)]
pub(super) struct Scorer {
    pub(super) terms: Terms,
    /// The terms that are a role's word or name, for each role of the table.
    roles: Vec<Found>,
    /// The terms that are a state's word, for each state of the table.
    states: Vec<Found>,
    /// How many matches have each term, then what it weighs.
    weights: Vec<u32>,
}

impl Scorer {
    /// Takes a query over: false where there is no word in it.
    pub(super) fn set(&mut self, query: &str) -> bool {
        self.terms.set(query);
        let Self { terms, roles, states, weights } = self;
        let words = |words: [&str; 2]| {
            let mut found = Found::default();
            for word in words {
                terms.find_word(word, &mut found);
            }
            found
        };
        roles.clear();
        roles.extend(ROLES.iter().map(|role| words([role.name, role.word])));
        states.clear();
        states.extend(STATES.iter().map(|state| words([state.word, state.word])));
        weights.clear();
        weights.resize(TERMS, 0);
        !terms.is_empty()
    }

    /// What an item says of itself: its role, its name, its value, its states.
    pub(super) fn find(&self, page: &Page, item: &Item) -> Match {
        let mut found = Found::default();
        let mut look = |text: &str| {
            if !text.is_empty() {
                self.terms.find(text, &mut found);
            }
        };
        look(page.name(item));
        look(page.value(item));
        for kind in [ExtraKind::ValueText, ExtraKind::Description, ExtraKind::ErrorMessage] {
            if item.detail_count > 0 {
                page.details(item, kind).for_each(|detail| look(detail.text.of(&page.text)));
            }
        }
        if tells_role(item) {
            match self.roles.get(item.role.0 as usize) {
                Some(&role) => found.add(role),
                None => self.terms.find_word(page.word(item), &mut found),
            }
            for (bit, &state) in self.states.iter().enumerate() {
                found.add(if item.states >> bit & 1 == 1 { state } else { Found::default() });
            }
        }
        Match { found, most: found.any().count_ones(), acts: item.has_uid() && found.any() != 0 }
    }

    /// Weighs the terms by how few of these have them.
    pub(super) fn weigh(&mut self, matches: impl Iterator<Item = Found>) {
        let mut count = 0_u32;
        for found in matches {
            count += 1;
            let mut terms = found.any();
            while terms != 0 {
                if let Some(weight) = self.weights.get_mut(terms.trailing_zeros() as usize) {
                    *weight += 1;
                }
                terms &= terms - 1;
            }
        }
        for weight in &mut self.weights {
            *weight = 1 + ((count + 1) / (*weight + 1)).max(1).ilog2();
        }
    }

    /// The score of a match, once the terms are weighed.
    pub(super) fn score(&self, one: &Match) -> Score {
        let Match { found, most, acts } = *one;
        let weight = self.weights.iter().enumerate().fold(0, |sum, (bit, weight)| {
            let times = match (found.whole >> bit & 1, found.part >> bit & 1) {
                (1, _) => WHOLE,
                (_, 1) => 1,
                _ => 0,
            };
            sum + times * weight
        });
        Score { all: found.any() == self.terms.all(), weight, most, acts }
    }
}

/// Is it told by its role and states, not by its text alone?
fn tells_role(item: &Item) -> bool {
    let plain = matches!(
        item.kind,
        Kind::Root | Kind::Text | Kind::Break | Kind::Marker | Kind::Inline | Kind::Block | Kind::Pass | Kind::Drop
    );
    !plain || item.has_uid()
}
