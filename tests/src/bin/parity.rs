//! Holds the core to its contracts on every payload below a folder, and says so in one line a check.
//!
//!     cargo run -p axpress-tests --release --bin parity -- FOLDER
//!
//! Outlines are those of the oracle; what was packed unpacks to the same bytes; a compressor that was used gives the
//! same as a fresh one; the second call allocates nothing; the view keeps what its contract says. Ends with 1 where
//! anything differs, 2 where it can't be told.
#![allow(clippy::print_stdout, reason = "the result of this program is what it prints")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use axpress_core::{Compressor, Error, OutlineOptions, ViewOptions};
use axpress_tests::allocations::{self, Counting};
use axpress_tests::contract;
use axpress_tests::fixtures;
use axpress_tests::operations::{OPERATIONS, Operation};
use axpress_tests::oracle::{Answer, Oracle};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many differences of a check are shown.
const SHOWN: usize = 10;

/// One check over all payloads.
struct Check {
    name: &'static str,
    done: usize,
    differences: usize,
}

impl Check {
    const fn new(name: &'static str) -> Self {
        Self { name, done: 0, differences: 0 }
    }

    /// Notes the outcome for one payload: nothing, or what differs.
    fn note(&mut self, path: &Path, difference: Option<String>) {
        self.done += 1;
        if let Some(difference) = difference {
            self.differences += 1;
            if self.differences <= SHOWN {
                println!("{}: {}: {difference}", self.name, path.display());
            }
        }
    }

    /// Prints the summary and says whether nothing differs.
    fn end(&self) -> bool {
        println!("{:<12} {:>6} checked, {} differ", self.name, self.done, self.differences);
        self.differences == 0
    }
}

fn main() -> ExitCode {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("use: parity FOLDER (of payloads: ax.json or NAME.ax.json, at any depth)");
        return ExitCode::from(2);
    };
    match run(&folder) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("parity: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(folder: &Path) -> io::Result<bool> {
    let paths = fixtures::payloads(folder)?;
    if paths.is_empty() {
        return Err(io::Error::other(format!("no payloads under {}", folder.display())));
    }
    if !allocations::is_counting() {
        return Err(io::Error::other("this program's allocator does not count"));
    }
    let mut oracle = Oracle::start()?;
    let modes = modes();
    let mut used = Compressor::new();
    let mut checks =
        [Check::new("outline"), Check::new("pack"), Check::new("fresh"), Check::new("allocations"), Check::new("view")];
    for path in &paths {
        let payload = fs::read(path)?;
        let [outline, pack, fresh, allocations, view] = &mut checks;
        let answers = oracle.outlines(&payload, &modes)?;
        for (mode, answer) in modes.iter().zip(&answers) {
            outline.note(path, differs_from_oracle(&mut used, &payload, mode, answer));
        }
        pack.note(path, differs_unpacked(&mut used, &payload).unwrap_or_else(|error| Some(error.to_string())));
        view.note(path, breaks_contract(&mut used, &payload));
        for operation in OPERATIONS {
            fresh.note(path, differs_from_fresh(&mut used, *operation, &payload));
            allocations.note(path, second_call_allocates(*operation, &payload));
        }
    }
    // Every line is printed, whatever the first of them says.
    let differing = checks.iter().filter(|check| !check.end()).count();
    Ok(differing == 0)
}

/// Every way in which an outline is asked for.
fn modes() -> Vec<OutlineOptions<'static>> {
    let of = |dedup_text| [0, 1, 100, 1000].map(|max_chars| OutlineOptions { max_chars, dedup_text, secrets: &[] });
    [of(false), of(true)].concat()
}

fn differs_from_oracle(
    compressor: &mut Compressor,
    payload: &[u8],
    mode: &OutlineOptions,
    answer: &Answer,
) -> Option<String> {
    let outline = compressor.outline(payload, mode).map(|outline| outline.text).map_err(|error| error.kind.code());
    let expected = answer.as_ref().map(String::as_str).map_err(String::as_str);
    if outline == expected {
        return None;
    }
    let shown = |text: Result<&str, &str>, at: usize| match text {
        Ok(text) => format!("{:?}", text.lines().nth(at).unwrap_or("(the end)")),
        Err(code) => code.to_owned(),
    };
    let lines =
        |text: Result<&'_ str, &'_ str>| text.unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    let (ours, theirs) = (lines(outline), lines(expected));
    let at = ours.iter().zip(&theirs).position(|(a, b)| a != b).unwrap_or(ours.len().min(theirs.len()));
    Some(format!("{mode:?}, line {}: {}, oracle {}", at + 1, shown(outline, at), shown(expected, at)))
}

/// What the view breaks of its contract. Payloads that are no JSON to every reader are not looked at.
fn breaks_contract(compressor: &mut Compressor, payload: &[u8]) -> Option<String> {
    serde_json::from_slice::<serde_json::Value>(payload).ok()?;
    let view = match compressor.view(payload, &ViewOptions::default()) {
        Ok(view) => view,
        Err(error) => return Some(error.to_string()),
    };
    let broken = contract::broken(payload, &view);
    broken
        .first()
        .map(|first| format!("{} times, first: {}", broken.len(), first.chars().take(300).collect::<String>()))
}

fn differs_unpacked(compressor: &mut Compressor, payload: &[u8]) -> Result<Option<String>, Error> {
    let (handle, blob) = compressor.pack(payload)?;
    let blob = blob.to_vec();
    if compressor.unpack(&blob)? != payload {
        return Ok(Some(format!("{} bytes do not come back", payload.len())));
    }
    let compressed = compressor.compress(payload, &ViewOptions::default())?;
    Ok((compressed.handle != handle || compressed.blob != blob)
        .then(|| "compress packs otherwise than pack".to_owned()))
}

fn differs_from_fresh(used: &mut Compressor, operation: Operation, payload: &[u8]) -> Option<String> {
    let input = operation.input(payload);
    let (mut of_used, mut of_fresh) = (Vec::new(), Vec::new());
    operation.run(used, &input, |part| of_used.push(part.to_vec()));
    operation.run(&mut Compressor::new(), &input, |part| of_fresh.push(part.to_vec()));
    (of_used != of_fresh).then(|| format!("{}: a used compressor gives another result", operation.name()))
}

fn second_call_allocates(operation: Operation, payload: &[u8]) -> Option<String> {
    let counts = operation.second_call(payload);
    (counts != allocations::Counts::default()).then(|| format!("{}: {counts:?}", operation.name()))
}
