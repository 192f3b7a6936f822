//! Every fixture as a test of its own: a folder more is a test more, without a line of Rust.
//!
//! `AXP_UPDATE=1` rewrites `view.txt` and `delta.txt`. The outlines are the oracle's and are not touched: `tools/goldens.py`
//! makes them.

use std::process::ExitCode;
use std::{env, fs};

use axpress_core::{Compressor, OutlineOptions, Snapshot, ViewOptions};
use axpress_tests::fixtures::{self, Fixture, Page};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for fixture in fixtures::all() {
        let add = |kind: &str, test: fn(&Fixture) -> Result<(), Failed>| {
            let fixture = fixture.clone();
            Trial::test(format!("{kind}::{}", fixture.name), move || test(&fixture))
        };
        trials.push(add("outline", |fixture| outline(fixture, "outline.txt", false)));
        trials.push(add("outline_dedup", |fixture| outline(fixture, "outline.dedup.txt", true)));
        if fixture.prefix.is_empty() {
            trials.push(add("case", case));
            trials.push(add("view", view));
            if fixture.folder.join("after.ax.json").exists() {
                trials.push(add("delta", delta));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A fixture says what it shows.
fn case(fixture: &Fixture) -> Result<(), Failed> {
    let case = fixture.read("case.toml")?.ok_or("no case.toml")?;
    let shows = case.lines().any(|line| line.strip_prefix("shows = \"").is_some_and(|rest| rest.len() > 1));
    if shows { Ok(()) } else { Err("case.toml does not say what the fixture shows".into()) }
}

/// The outline is the oracle's.
fn outline(fixture: &Fixture, file: &str, dedup_text: bool) -> Result<(), Failed> {
    let expected = fixture
        .read(file)?
        .ok_or_else(|| format!("{} is missing: tools/goldens.py makes it", fixture.path(file).display()))?;
    let options = OutlineOptions { dedup_text, ..OutlineOptions::default() };
    let mut compressor = Compressor::new();
    let outline = compressor.outline(&fixture.payload, &options)?;
    same(outline.text, &expected)
}

/// The view, with all frames of the page, is the one that was last looked at and found right.
fn view(fixture: &Fixture) -> Result<(), Failed> {
    let page = Page::of(fixture);
    let snapshot = Snapshot { payload: &fixture.payload, frames: &page.frames() };
    let options = ViewOptions { secrets: &page.secrets, ..ViewOptions::default() };
    let mut compressor = Compressor::new();
    let view = compressor.view(snapshot, &options)?;
    expect(fixture, "view.txt", view.text)
}

/// The delta to the payload after the change is the one that was last looked at and found right; its changes make the
/// new view of the old one.
fn delta(fixture: &Fixture) -> Result<(), Failed> {
    let after = fs::read(fixture.path("after.ax.json"))?;
    let mut compressor = Compressor::new();
    let options = ViewOptions::default();
    let old = compressor.view(&fixture.payload, &options)?.text.to_owned();
    let new = compressor.view(&after, &options)?.text.to_owned();
    let delta = compressor.delta(&fixture.payload, &after, &options)?;
    same(&delta.apply(&old).ok_or("the changes are not of the old view")?, &new)?;
    expect(fixture, "delta.txt", delta.text)
}

/// The text is that of the file, or becomes it.
fn expect(fixture: &Fixture, file: &str, text: &str) -> Result<(), Failed> {
    let expected = fixture.read(file)?;
    if expected.as_deref() == Some(text) {
        return Ok(());
    }
    if env::var_os("AXP_UPDATE").is_some_and(|value| value == "1") {
        return Ok(fs::write(fixture.path(file), text)?);
    }
    same(text, &expected.ok_or_else(|| format!("no {file}: AXP_UPDATE=1 writes it"))?)
}

/// Equal, or a message with the first line that is not.
fn same(found: &str, expected: &str) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    let (mut ours, mut theirs, mut number) = (found.split('\n'), expected.split('\n'), 1);
    loop {
        match (ours.next(), theirs.next()) {
            (Some(a), Some(b)) if a == b => number += 1,
            (a, b) => {
                let shown = |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("{line:?}"));
                return Err(format!("line {number}\n   found {}\nexpected {}", shown(a), shown(b)).into());
            }
        }
    }
}
