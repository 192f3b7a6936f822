//! Does one stage a number of times, and nothing else: for counting its instructions.
//!
//! `counted STAGE FILE CALLS`. The README says how `counted.sh` takes the difference of two such runs.
#![allow(clippy::print_stdout, reason = "the result is printed so that it has to be made")]

use std::hint::black_box;
use std::path::PathBuf;
use std::{env, io};

use axpress_benches::{payloads, stages};

fn main() -> io::Result<()> {
    let usage = || io::Error::other("usage: counted STAGE FILE CALLS");
    let mut arguments = env::args().skip(1);
    let name = arguments.next().ok_or_else(usage)?;
    let file = arguments.next().ok_or_else(usage)?;
    let calls: usize = arguments.next().and_then(|count| count.parse().ok()).ok_or_else(usage)?;
    let mut stages = stages::core().into_iter().chain(stages::peers());
    let mut stage = stages.find(|stage| stage.name == name).ok_or_else(usage)?;
    let payloads = payloads::load(&PathBuf::from(file), 0)?;
    let payload = payloads.first().ok_or_else(usage)?;
    let mut result = 0;
    for _ in 0..calls {
        result = (stage.run)(black_box(&payload.bytes));
    }
    println!("{result}");
    Ok(())
}
