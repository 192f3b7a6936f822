//! `axpress`: accessibility trees, pressed.
//!
//! The command line. It hands a payload's bytes to the core as they came and writes what the core gives; it never
//! parses, drops or formats a node. Results go to stdout exactly, counts and errors to stderr. Exit code 0 is done,
//! 1 failed, 2 called wrongly.
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod failure;
mod input;
mod output;
mod report;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::failure::Failure;

fn main() -> ExitCode {
    match commands::run(&Arguments::parse().command) {
        // Whoever reads has read enough: `axpress view page.json | head -1`.
        Ok(()) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Err(Failure::Said) => ExitCode::FAILURE,
        Err(failure) => {
            report::note(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}
