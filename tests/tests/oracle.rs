//! Generated payloads have the outline that the oracle gives them. Needs `python3`, and fails without it.
//!
//! `repr` asks which characters can be printed, and the answer is that of Unicode 14.0: characters that are not
//! assigned there are left out, since another Python may know them.

mod payloads;

// The table itself says which characters are assigned for sure: those that it takes as printable.
#[path = "../../core/src/outline/printable.rs"]
mod printable;

use std::cell::RefCell;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use axpress_core::{Compressor, OutlineOptions};
use axpress_tests::oracle::{Answer, Oracle};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

fn oracle() -> Oracle {
    Oracle::start().expect("the oracle starts")
}

fn modes() -> Vec<OutlineOptions<'static>> {
    let of = |dedup_text| [0, 1, 100, 1000].map(|max_chars| OutlineOptions { max_chars, dedup_text, secrets: &[] });
    [of(false), of(true)].concat()
}

fn answer(compressor: &mut Compressor, payload: &[u8], mode: &OutlineOptions<'_>) -> Answer {
    let outline = compressor.outline(payload, mode);
    outline.map(|outline| outline.text.to_owned()).map_err(|error| error.kind.code().to_owned())
}

/// Every mode of a payload is the oracle's, by a compressor that was used before and by a fresh one.
fn assert_same(oracle: &mut Oracle, used: &mut Compressor, payload: &[u8]) -> Result<(), TestCaseError> {
    let modes = modes();
    let expected = oracle.outlines(payload, &modes).expect("the oracle answers");
    for (mode, expected) in modes.iter().zip(&expected) {
        for compressor in [&mut *used, &mut Compressor::new()] {
            prop_assert_eq!(&answer(compressor, payload, mode), expected, "{:?} of {}", mode, text(payload));
        }
    }
    Ok(())
}

fn text(payload: &[u8]) -> String {
    String::from_utf8_lossy(payload.get(..10_000).unwrap_or(payload)).into_owned()
}

/// Runs a test on generated values, with one oracle and one compressor for all of them. `PROPTEST_CASES` says on how
/// many, 256 where it is not set.
fn check<S: Strategy>(strategy: S, test: impl Fn(&mut Oracle, &mut Compressor, S::Value) -> Result<(), TestCaseError>) {
    let state = RefCell::new((oracle(), Compressor::new()));
    let config = Config { failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let result = TestRunner::new(config).run(&strategy, |value| {
        let (oracle, compressor) = &mut *state.borrow_mut();
        test(oracle, compressor, value)
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn generated_trees_have_the_outline_of_the_oracle() {
    check(payloads::tree(), |oracle, compressor, payload| assert_same(oracle, compressor, payload.as_bytes()));
}

#[test]
fn generated_graphs_and_wrong_types_have_the_outline_of_the_oracle() {
    check(payloads::graph(), |oracle, compressor, payload| assert_same(oracle, compressor, payload.as_bytes()));
}

#[test]
fn generated_values_have_the_repr_of_the_oracle() {
    check(payloads::values(), |oracle, compressor, payload| assert_same(oracle, compressor, payload.as_bytes()));
}

/// What is no payload is refused for the reason for which the oracle refuses it, and what is one is not.
#[test]
fn generated_damage_is_refused_for_the_reason_that_the_oracle_gives() {
    check(payloads::damaged(), |oracle, compressor, payload| {
        let expected = oracle.outlines(&payload, &[OutlineOptions::default()]).expect("the oracle answers");
        let found = answer(compressor, &payload, &OutlineOptions::default());
        // A changed escape may be a character that another Unicode knows: only whether there is a text is compared.
        let code = |answer: &Answer| answer.as_ref().err().cloned();
        prop_assert_eq!(code(&found), expected.first().and_then(code), "{}", text(&payload));
        Ok(())
    });
}

#[test]
fn every_character_in_a_value_and_a_name_is_written_as_the_oracle_writes_it() {
    let (mut oracle, mut compressor) = (oracle(), Compressor::new());
    let all_are_known = oracle.unicode() == "14.0.0";
    let characters: Vec<char> =
        (0..=0x10_FFFF).filter_map(char::from_u32).filter(|&c| all_are_known || printable::is_printable(c)).collect();
    let mut payload = String::from("[");
    for (number, some) in characters.chunks(500).enumerate() {
        let mut units = String::new();
        for c in some {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(units, "\\u{unit:04x}");
            }
        }
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(
            payload,
            r#"{comma}{{"nodeId":"{number}","role":{{"value":"textbox"}},"name":{{"value":"{units}"}},
            "value":{{"value":"{units}"}}}}"#
        );
    }
    payload.push(']');
    assert_same(&mut oracle, &mut compressor, payload.as_bytes()).unwrap();
}

#[test]
fn deep_chains_cycles_and_shared_children_have_the_outline_of_the_oracle() {
    let (mut oracle, mut compressor) = (oracle(), Compressor::new());
    let of = |dedup_text, max_chars| OutlineOptions { max_chars, dedup_text, secrets: &[] };
    let modes = [of(false, 0), of(true, 1000)];
    for (times, roles, cycle) in [
        (1, &["link"][..], false),
        (2, &["group", "list"], false),
        (3, &["none", "none", "none", "link", "link"], true),
    ] {
        let payload = payloads::chain(100_000, times, roles, cycle);
        let expected = oracle.outlines(payload.as_bytes(), &modes).expect("the oracle answers");
        for (mode, expected) in modes.iter().zip(expected) {
            assert_eq!(answer(&mut compressor, payload.as_bytes(), mode), expected);
        }
    }
}

#[test]
fn the_table_of_printable_characters_is_what_its_script_writes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/isprintable.py");
    let status = Command::new("python3").arg(script).arg("--check").status().expect("python3 starts");
    // 2: this Python has another Unicode, and can't tell.
    assert!(matches!(status.code(), Some(0 | 2)), "{status}");
}
