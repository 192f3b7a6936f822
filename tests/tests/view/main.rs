//! The view, held to its contract from outside.

mod bounds;
mod faults;
mod forged;
mod invariants;
mod trees;

use std::cell::RefCell;

use axpress_core::Compressor;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// Runs a test on generated payloads, with one compressor for all. `PROPTEST_CASES` says on how many.
fn check(strategy: impl Strategy<Value = String>, test: impl Fn(&mut Compressor, &str) -> Result<(), TestCaseError>) {
    let compressor = RefCell::new(Compressor::new());
    let config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    let result = TestRunner::new(config).run(&strategy, |payload| test(&mut compressor.borrow_mut(), &payload));
    if let Err(error) = result {
        panic!("{error}");
    }
}
