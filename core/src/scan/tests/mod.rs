//! Tests of the scanner: against other parsers, and its fast ways against its plain one.

#![allow(clippy::cast_possible_wrap, reason = "numbers of nodes")]

mod errors;
mod folder;
mod learned;
mod mutations;
mod odd;
mod referee;
mod sample;
mod texts;

use std::string::String;
use std::vec::Vec;

use super::Scanner;
use crate::roles::RoleId;
use crate::table::{Node, Table};
use crate::{Error, ErrorKind, Limits};

/// Scans payloads in every way and with every state there is, and compares with `serde_json`.
#[derive(Default)]
struct Checker {
    used: Scanner,
    plain: Option<Scanner>,
    expected: Table,
    table: Table,
    /// Payloads that were JSON, and those that were not.
    accepted: usize,
    refused: usize,
}

impl Checker {
    /// Checks a payload; gives what was found.
    fn check(&mut self, payload: &[u8]) -> Result<(), Error> {
        let plain = self.plain.get_or_insert_with(Scanner::plain);
        let expected = plain.scan(payload, &Limits::DEFAULT, &mut self.expected);
        for scanner in [&mut Scanner::default(), &mut self.used] {
            let found = scanner.scan(payload, &Limits::DEFAULT, &mut self.table);
            assert_eq!(found, expected, "{}", shown(payload));
            assert!(found.is_err() || same(&self.table, &self.expected), "the tables differ: {}", shown(payload));
        }
        match referee::read(payload) {
            Some(Ok(rows)) => {
                assert_eq!(expected, Ok(()), "{}", shown(payload));
                assert_eq!(referee::rows(payload, &self.expected), rows, "{}", shown(payload));
            }
            Some(Err(kind)) => assert_eq!(expected.map_err(|error| error.kind), Err(kind), "{}", shown(payload)),
            None => {}
        }
        match expected {
            Err(Error { kind: ErrorKind::InvalidJson, offset }) => {
                self.refused += 1;
                self.check_offset(payload, offset);
            }
            _ => self.accepted += 1,
        }
        expected
    }

    /// Up to the byte at `offset` a JSON text could go on, with it none can.
    fn check_offset(&mut self, payload: &[u8], offset: usize) {
        let plain = self.plain.get_or_insert_with(Scanner::plain);
        let mut offset_of = |payload: &[u8]| match plain.scan(payload, &Limits::DEFAULT, &mut self.table) {
            Err(Error { kind: ErrorKind::InvalidJson, offset }) => Some(offset),
            _ => None,
        };
        let before = payload.get(..offset).expect("the offset is in the payload");
        assert!(offset_of(before).is_none_or(|fault| fault == offset), "{}", shown(payload));
        if let Some(with) = payload.get(..=offset) {
            assert_eq!(offset_of(with), Some(offset), "{}", shown(payload));
        }
    }
}

/// Whether two tables say the same. A role that the table of roles does not know may have another number in each: a
/// node that was given up and read again may have met more of them.
fn same(table: &Table, other: &Table) -> bool {
    let nodes = |table: &Table| -> Vec<(Node, String)> {
        let named = table.nodes.iter().map(|node| (*node, table.roles.name(node.role).into()));
        named.map(|(node, name)| (Node { role: RoleId::UNKNOWN, ..node }, name)).collect()
    };
    nodes(table) == nodes(other)
        && table.places == other.places
        && table.children == other.children
        && table.extras == other.extras
        && table.roots == other.roots
        && table.repeats == other.repeats
}

fn shown(payload: &[u8]) -> String {
    String::from_utf8_lossy(&payload[..payload.len().min(4000)]).into_owned()
}

/// A small generator of numbers that look random, the same for each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % end
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
