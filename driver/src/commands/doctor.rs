//! `axpress doctor`: finds out what is wrong, and says how to mend it. Each check does what the program does.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use axpress_core::{Compressor, ViewOptions};
use axpress_driver::browser::{Browser, Options, SnapshotRequest};
use axpress_driver::store::{self, Store};
use axpress_driver::{Code, Error, home, tokens};
use serde::Serialize;

use super::blocking;
use crate::arguments::Plain;
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Serialize)]
struct Check {
    #[serde(rename = "check")]
    name: &'static str,
    ok: bool,
    says: String,
}

/// A page that every Chrome can read without a network.
const PAGE: &str = "data:text/html,<title>Doctor</title><button>Fine</button>";

pub(crate) fn run(arguments: &Plain) -> Result<(), Failure> {
    let checks = blocking(async {
        vec![
            check("program", program()),
            check("home", home_folder()),
            check("store", store_of_originals().await),
            check("keeper", running_keeper().await),
            check("chrome", chrome().await),
        ]
    })?;
    let well = checks.iter().all(|check| check.ok);
    if arguments.json {
        output::json(&checks)?;
    } else {
        let colours = io::stdout().is_terminal();
        let line = |check: &Check| {
            let (word, colour) = if check.ok { ("ok  ", 32) } else { ("BAD ", 31) };
            let word = if colours { format!("\x1b[{colour}m{word}\x1b[0m") } else { word.to_owned() };
            format!("{word} {:8} {}", check.name, check.says)
        };
        output::text(&checks.iter().map(line).collect::<Vec<_>>().join("\n"))?;
    }
    if well { Ok(()) } else { Err(Failure::Said) }
}

fn check(name: &'static str, found: Result<String, Error>) -> Check {
    match found {
        Ok(says) => Check { name, ok: true, says },
        Err(error) => Check { name, ok: false, says: error.to_string() },
    }
}

fn program() -> Result<String, Error> {
    let tokens = tokens::count("button Save order @2462");
    if tokens != 6 {
        return Err(Error::new(Code::ToolPanicked, format!("the tokenizer counts {tokens} instead of 6"))
            .next("install the program again"));
    }
    Ok(format!("axpress {} on {} {}", env!("CARGO_PKG_VERSION"), std::env::consts::OS, std::env::consts::ARCH))
}

fn home_folder() -> Result<String, Error> {
    let folder = super::page::folder()?;
    let usable = home::make(&folder).and_then(|()| {
        let file = folder.join(format!("doctor.{}", std::process::id()));
        home::write(&file, b"written")?;
        std::fs::remove_file(file)
    });
    match usable {
        Ok(()) => Ok(format!("{} can be written", folder.display())),
        Err(cause) => {
            let what = format!("{} can't be written: {cause}", folder.display());
            Err(Error::new(Code::BrowserUnavailable, what).next("set AXPRESS_HOME to a folder that can"))
        }
    }
}

async fn store_of_originals() -> Result<String, Error> {
    let (store, notice) = Store::open(&store::Options { folder: home::folder(), ..store::Options::default() })?;
    if let Some(notice) = notice {
        return Err(Error::new(Code::HandleUnreadable, notice)
            .next("mend the folder, or move store.sqlite3 in it away: a new one is made"));
    }
    let statistics = store.statistics().await?;
    Ok(format!("{} originals, {} of {} bytes", statistics.blobs, statistics.bytes, statistics.budget))
}

#[cfg(not(unix))]
async fn running_keeper() -> Result<String, Error> {
    Ok("there is none on this system; `axpress mcp` needs none".to_owned())
}

#[cfg(unix)]
async fn running_keeper() -> Result<String, Error> {
    use axpress_driver::keeper;

    let Some(folder) = home::folder() else { return Ok("none runs".to_owned()) };
    Ok(match keeper::find(&folder).await {
        Some(state) if state.version == env!("CARGO_PKG_VERSION") => format!("process {} runs", state.pid),
        Some(state) => {
            let what = format!("process {} is of version {}", state.pid, state.version);
            return Err(Error::new(Code::BrowserUnavailable, what).next("end it with `axpress close`"));
        }
        None => "none runs; the first command starts one".to_owned(),
    })
}

async fn chrome() -> Result<String, Error> {
    let options = Options::from_environment()?;
    let attached = options.endpoint.clone();
    let browser = Browser::new(options)?;
    let begin = Instant::now();
    let read = async {
        let tab = browser.own_tab().await?;
        let started = begin.elapsed();
        let request = SnapshotRequest { url: Some(PAGE.to_owned()), wait: Duration::ZERO };
        let page = browser.snapshot(tab, &request).await?;
        let mut compressor = Compressor::new();
        let view = compressor.view(page.payload.as_ref(), &ViewOptions::default());
        match view {
            Ok(view) if view.text.contains("button Fine @") => Ok(started),
            _ => Err(Error::new(Code::SnapshotFailed, "Chrome runs, and its accessibility tree can't be read")
                .next("use a Chrome or Chromium of this year")),
        }
    };
    let read = read.await;
    browser.close().await;
    let how = attached.map_or("starts".to_owned(), |endpoint| format!("is attached to at {endpoint}"));
    read.map(|took| format!("{how} in {} ms, and a page is read", took.as_millis()))
}
