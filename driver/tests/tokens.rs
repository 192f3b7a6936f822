//! What views cost in tokens. Counts are exact and deterministic, so that a view that costs one token more fails here.
//!
//! Each handle counts as `@1234`: which ids a page's nodes get is the browser's affair, and three digits are cheaper
//! than four.

mod support;

use axpress_core::{Compressor, ViewOptions};
use axpress_tests::generate;
use support::{axpress, with_even_handles};

/// Tokens of a text, as the program counts them.
fn tokens(text: &str) -> usize {
    axpress(&["tokens", "-"], text.as_bytes()).done().text().trim().parse().expect("a number")
}

fn costs(name: &str, payload: &[u8]) -> usize {
    let mut compressor = Compressor::new();
    let view = compressor.view(payload, &ViewOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    tokens(&with_even_handles(view.text))
}

#[test]
fn no_page_costs_more_than_it_did() {
    let fixture = |name: &str| {
        let path = format!("{}/../tests/fixtures/{name}/ax.json", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).expect("the fixture is there")
    };
    let pages = [
        ("checkout", fixture("checkout"), 30),
        ("login", fixture("login"), 92),
        ("form", fixture("form"), 128),
        ("widgets", fixture("widgets"), 210),
        ("long-article", fixture("long-article"), 2205),
        ("table", fixture("table"), 631),
        ("200 rows with one button", generate::berths(200, "Nothing checked yet"), 4897),
        ("500 rows with two buttons", generate::catches(500, "Idle"), 18_504),
        ("120 cards", generate::cards(120, "Idle"), 4031),
    ];
    for (name, payload, most) in pages {
        let cost = costs(name, &payload);
        assert!(cost <= most, "{name}: {cost} tokens, {most} before");
        assert!(cost * 10 > most * 9, "{name}: {cost} tokens, {most} before: hold it to what it costs now");
    }
}

#[test]
fn a_handle_costs_three_tokens_whatever_its_number() {
    assert_eq!(with_even_handles("a @1 b\\@2 c@d @34567"), "a @1234 b\\@2 c@d @1234");
    assert_eq!(tokens(" @1234"), 3);
}
