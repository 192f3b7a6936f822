//! What a view keeps true whatever the page: on generated trees, on every fixture, and on fixtures with changes.

use axpress_core::{Compressor, ViewOptions};
use axpress_tests::{changes, contract, fixtures};
use proptest::prelude::*;

use crate::{check, trees};

#[test]
fn every_control_and_every_text_of_a_generated_page_is_there_and_in_order() {
    check(trees::page(), |compressor, payload| {
        let view = compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view");
        let broken = contract::broken(payload.as_bytes(), &view);
        prop_assert!(broken.is_empty(), "{}\n{}\n{}", broken.join("\n"), view.text, payload);
        Ok(())
    });
}

#[test]
fn a_page_of_text_alone_is_its_words_each_once_in_reading_order() {
    check(trees::prose(), |compressor, payload| {
        let view = compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view");
        let is_word = |word: &&str| word.chars().any(char::is_alphanumeric) && *word != "table";
        // Texts that meet without white space are one word: so what is compared has none.
        let printed: String = view.text.split([' ', '\n', '|', '^']).filter(is_word).collect();
        let expected: String = trees::texts(payload).join(" ").split_whitespace().collect();
        prop_assert_eq!(printed, expected, "{}\n{}", view.text, payload);
        Ok(())
    });
}

#[test]
fn a_view_is_the_same_byte_for_byte_whatever_was_made_before_it() {
    check(trees::page(), |used, payload| {
        let of_used = used.view(payload.as_bytes(), &ViewOptions::default()).expect("a view").text.to_owned();
        let mut fresh = Compressor::new();
        let of_fresh = fresh.view(payload.as_bytes(), &ViewOptions::default()).expect("a view").text;
        prop_assert_eq!(of_used, of_fresh);
        Ok(())
    });
}

/// The payloads of all fixtures that are JSON to every reader.
fn pages() -> impl Iterator<Item = fixtures::Fixture> {
    let json = |payload: &[u8]| serde_json::from_slice::<serde_json::Value>(payload).is_ok();
    fixtures::all().into_iter().filter(move |fixture| json(&fixture.payload))
}

#[test]
fn every_control_and_every_text_of_a_fixture_is_there_and_in_order() {
    let mut compressor = Compressor::new();
    for fixture in pages() {
        let view = compressor.view(&fixture.payload, &ViewOptions::default()).expect("a fixture has a view");
        let broken = contract::broken(&fixture.payload, &view);
        assert!(broken.is_empty(), "{}: {}", fixture.name, broken.join("\n"));
    }
}

#[test]
fn a_page_after_changes_keeps_every_control_and_every_text() {
    let mut compressor = Compressor::new();
    for fixture in pages() {
        for seed in 0..8 {
            let payload = changes::mutated(&fixture.payload, seed);
            let Ok(view) = compressor.view(&payload, &ViewOptions::default()) else { continue };
            let broken = contract::broken(&payload, &view);
            assert!(broken.is_empty(), "{} {seed}: {}\n{}", fixture.name, broken.join("\n"), view.text);
        }
    }
}
