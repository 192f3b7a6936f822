//! Whole payloads from a folder: the repository's fixtures, and `AXPRESS_PAYLOADS` where that is set.

use std::path::{Path, PathBuf};
use std::vec::Vec;
use std::{env, fs};

use super::{referee, same};
use crate::scan::Scanner;
use crate::table::Table;
use crate::{ErrorKind, Limits};

fn payloads() -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut pending: Vec<PathBuf> = env::var_os("AXPRESS_PAYLOADS").map(PathBuf::from).into_iter().collect();
    pending.push(fixtures);
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.to_string_lossy().ends_with("ax.json") {
            let bytes = fs::read(&path).unwrap();
            found.push((path, bytes));
        }
    }
    found.sort();
    found
}

#[test]
fn the_table_of_each_payload_is_the_one_that_serde_json_gives() {
    let mut scanner = Scanner::default();
    for (path, payload) in payloads() {
        let Some(expected) = referee::read(&payload) else { continue };
        let mut fresh = Scanner::default();
        for scanner in [&mut fresh, &mut scanner] {
            let found = referee::scanned(scanner, &payload).map_err(|error| error.kind);
            assert!(found == expected, "{}", path.display());
        }
    }
}

#[test]
fn fast_and_plain_ways_give_the_same_table() {
    let (mut used, mut plain) = (Scanner::default(), Scanner::plain());
    let (mut table, mut expected) = (Table::default(), Table::default());
    for (path, payload) in payloads() {
        plain.scan(&payload, &Limits::DEFAULT, &mut expected).map_err(|error| error.kind).unwrap_or_else(|kind| {
            assert_ne!(kind, ErrorKind::InvalidJson, "{}", path.display());
        });
        for scanner in [&mut Scanner::default(), &mut used] {
            let _ = scanner.scan(&payload, &Limits::DEFAULT, &mut table);
            assert!(same(&table, &expected), "{}", path.display());
        }
    }
}
