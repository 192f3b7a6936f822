//! Payloads with a few bytes changed: taken or refused as `serde_json` does, and the same table where both take them.

use std::vec::Vec;

use super::{Checker, Random, sample};
use crate::ErrorKind;

const PIECES: &[&[u8]] = &[
    b"\"",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b" ",
    b"\n",
    b"0",
    b"-",
    b"1e5",
    b"null",
    b"true",
    b"\\u",
    b"\\ud800",
    b"\x00",
    b"\x80",
    b"\xC3\xA9",
    b"\xE2\x82",
    b"\"nodeId\":\"5\",",
    b"\"ignored\":true,",
    b"\"\":0,",
    b"\"value\":1,",
];

/// Changes, drops, doubles or swaps something, one to three times.
fn mutate(random: &mut Random, payload: &mut Vec<u8>) {
    for _ in 0..=random.below(3) {
        let at = random.below(payload.len());
        let length = random.below(12).min(payload.len() - at);
        match random.below(6) {
            0 => payload[at] = random.below(256) as u8,
            1 => drop(payload.remove(at)),
            2 => drop(payload.drain(at..at + length)),
            3 => {
                let piece = random.pick(PIECES);
                payload.splice(at..at, piece.iter().copied());
            }
            4 => {
                let piece = payload[at..at + length].to_vec();
                let to = random.below(payload.len());
                payload.splice(to..to, piece);
            }
            _ => payload.truncate(at.max(1)),
        }
        if payload.is_empty() {
            payload.push(b'[');
        }
    }
}

#[test]
fn changed_payloads_are_read_as_serde_json_reads_them() {
    let mut checker = Checker::default();
    let mut random = Random(3);
    for _ in 0..200 {
        let payload = sample::payload(&mut random, 6).into_bytes();
        checker.check(&payload).unwrap();
        for _ in 0..25 {
            let mut changed = payload.clone();
            mutate(&mut random, &mut changed);
            let found = checker.check(&changed);
            let is_json = found.is_ok_and(|()| true) || found.is_err_and(|error| error.kind != ErrorKind::InvalidJson);
            if simd_json::to_owned_value(&mut changed.clone()).is_ok() {
                assert!(is_json, "simd-json takes {}", super::shown(&changed));
            }
        }
    }
    assert!(checker.accepted > 600 && checker.refused > 2000, "{} {}", checker.accepted, checker.refused);
}

#[test]
fn simd_json_finds_the_same_ids_names_and_values() {
    use simd_json::prelude::*;

    let mut random = Random(5);
    let mut checker = Checker::default();
    for _ in 0..50 {
        let payload = sample::payload(&mut random, 40);
        checker.check(payload.as_bytes()).unwrap();
        let document = simd_json::to_owned_value(&mut payload.clone().into_bytes()).unwrap();
        let nodes = document.get("nodes").unwrap_or(&document).as_array().unwrap();
        let rows = super::referee::rows(payload.as_bytes(), &checker.expected);
        assert_eq!(nodes.len(), rows.rows.len());
        for (node, row) in nodes.iter().zip(&rows.rows) {
            assert_eq!(node.get_str("nodeId"), row.place["nodeId"].as_str());
            assert_eq!(node.get("name").and_then(|name| name.get_str("value")), row.name.as_deref());
            assert_eq!(node.get_u64("backendDOMNodeId").unwrap_or(0), row.backend);
            assert_eq!(node.get_bool("ignored"), Some(row.ignored));
        }
    }
}
