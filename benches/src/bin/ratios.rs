//! The tables: every stage of the core beside its peers, on the same bytes in one run, with the ratios that count.
//!
//! `ratios [FOLDER] [ROUNDS] [LEAST-BYTES]`. Rounds are interleaved, so that what else the machine does meets all
//! alike; the best round of each is what is printed, in MB/s. `NaN` stands where a peer refuses the payload.
#![allow(clippy::print_stdout, reason = "a table on standard output is what this is for")]
#![allow(clippy::cast_precision_loss, reason = "figures are printed with four digits at most")]

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;
use std::{env, io};

use axpress_benches::{payloads, stages};

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().map_or_else(payloads::folder, PathBuf::from);
    let rounds: usize = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(21);
    let least: usize = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let payloads = payloads::load(&folder, least)?;
    let mut stages: Vec<_> = stages::core().into_iter().chain(stages::peers()).collect();
    let names: Vec<_> = stages.iter().map(|stage| stage.name).collect();

    print!("{:<44} {:>10}", "MB/s", "bytes");
    for name in &names {
        print!(" {name:>18}");
    }
    println!(" {:>10} {:>10} {:>16}", "table/tape", "view/tape", "compress/SHA+LZ4");

    let mut lowest = f64::MAX;
    let mut totals = vec![0.0; stages.len()];
    let mut bytes = 0;
    for payload in &payloads {
        stages::check(&payload.name, &payload.bytes);
        let mut best = vec![f64::MAX; stages.len()];
        for _ in 0..rounds {
            for (stage, best) in stages.iter_mut().zip(&mut best) {
                // Twice, so that the stage before has not emptied the caches of the one that counts.
                for _ in 0..2 {
                    let start = Instant::now();
                    let result = black_box((stage.run)(black_box(&payload.bytes)));
                    *best = if result == 0 { f64::NAN } else { best.min(start.elapsed().as_secs_f64()) };
                }
            }
        }
        for (total, best) in totals.iter_mut().zip(&best) {
            *total += best;
        }
        bytes += payload.bytes.len();
        lowest = lowest.min(row(&payload.name, payload.bytes.len(), &names, &best));
    }
    row("all, each by itself", bytes, &names, &totals);

    // Each file once a round: caches and branch predictors are as a server meets them.
    let mut best = vec![f64::MAX; stages.len()];
    for _ in 0..rounds.div_ceil(4) {
        for (stage, best) in stages.iter_mut().zip(&mut best) {
            let start = Instant::now();
            for payload in &payloads {
                black_box((stage.run)(black_box(&payload.bytes)));
            }
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    row("all, one after the other", bytes, &names, &best);
    println!("lowest node table / tape: {lowest:.2}");
    Ok(())
}

/// Prints a line; gives the ratio of node table to tape.
fn row(line: &str, bytes: usize, names: &[&str], seconds: &[f64]) -> f64 {
    print!("{line:<44} {bytes:>10}");
    for seconds in seconds {
        print!(" {:>18.0}", bytes as f64 / seconds / 1e6);
    }
    let of = |name: &str| {
        let stage = names.iter().zip(seconds).find(|&(&other, _)| other == name);
        *stage.expect("there is a stage of this name").1
    };
    let (table, tape) = (of("node table"), of("simd-json tape"));
    let pressed = of("compress") / of("SHA-256 + LZ4");
    println!(" {:>10.2} {:>10.2} {pressed:>16.2}", tape / table, tape / of("view"));
    tape / table
}
