//! What was learned from one payload never changes what is read from the next.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::{Checker, Random, same, sample};
use crate::Limits;
use crate::scan::Scanner;
use crate::table::Table;

fn scanned(scanner: &mut Scanner, payload: &str) -> Table {
    let mut table = Table::default();
    scanner.scan(payload.as_bytes(), &Limits::DEFAULT, &mut table).unwrap();
    table
}

#[test]
fn two_payloads_in_either_order_give_what_each_gives_alone() {
    let mut random = Random(7);
    for _ in 0..60 {
        let (first, second) = (sample::payload(&mut random, 30), sample::payload(&mut random, 30));
        let alone = [&first, &second].map(|payload| scanned(&mut Scanner::plain(), payload));
        for order in [[0, 1], [1, 0]] {
            let mut scanner = Scanner::default();
            for which in order {
                let payload = [&first, &second][which];
                assert!(same(&scanned(&mut scanner, payload), &alone[which]), "{first}\n{second}");
            }
        }
    }
}

#[test]
fn a_thousand_payloads_through_one_scanner_give_what_each_gives_alone() {
    let mut checker = Checker::default();
    let mut random = Random(11);
    for _ in 0..1000 {
        checker.check(sample::payload(&mut random, 12).as_bytes()).unwrap();
    }
}

#[test]
fn more_runs_than_are_kept_are_forgotten_and_learned_again() {
    let mut checker = Checker::default();
    for round in 0..3 {
        let nodes: Vec<String> = (0..2000)
            .map(|number| {
                let long = "x".repeat(number % 700);
                format!(
                    r#"{{"nodeId":"{number}","ignored":false,"role":{{"type":"role","value":"link"}},"chromeRole":{{"type":"internalRole","value":{round}}},"name":{{"type":"computedString","value":"n"}},"{long}":0,"properties":[],"parentId":"1","childIds":[]}}"#
                )
            })
            .collect();
        checker.check(format!("[{}]", nodes.join(",")).as_bytes()).unwrap();
    }
}

#[test]
fn a_role_that_the_table_does_not_know_is_found_again_in_each_payload() {
    let node = |id: usize, role: &str| {
        format!(
            r#"{{"nodeId":"{id}","ignored":false,"role":{{"type":"role","value":"{role}"}},"chromeRole":{{"type":"internalRole","value":1}},"name":{{"type":"computedString","value":""}},"properties":[],"parentId":"0","childIds":[]}}"#
        )
    };
    let mut scanner = Scanner::default();
    for roles in [["one", "two", "two"], ["two", "one", "two"], ["three", "two", "one"], ["one", "one", "link"]] {
        let nodes: Vec<String> = roles.iter().enumerate().map(|(id, role)| node(id, role)).collect();
        let table = scanned(&mut scanner, &format!("[{}]", nodes.join(",")));
        let found: Vec<&str> = table.nodes.iter().map(|node| table.roles.name(node.role)).collect();
        assert_eq!(found, roles);
    }
}

/// Nodes alike but for what stands in `differ`, so that the second is read by what was learned from the first.
#[track_caller]
fn alike(template: &str, differ: &[&str]) {
    let nodes: Vec<String> = differ
        .iter()
        .enumerate()
        .map(|(id, text)| template.replace("ID", &format!("{id}")).replace("HERE", text))
        .collect();
    let mut checker = Checker::default();
    for _ in 0..2 {
        checker.check(format!("[{}]", nodes.join(",")).as_bytes()).unwrap();
    }
}

const WHOLE: &str = r#"{"nodeId":"ID","ignored":false,"role":{"type":"role","value":"slider"},"chromeRole":{"type":"internalRole","value":1},"name":{"type":"computedString","value":"n"}HERE,"parentId":"0","childIds":[]}"#;

#[test]
fn a_learned_tail_reads_strings_and_numbers_in_its_holes_anew() {
    let value = |text: &str| format!(r#","value":{{"type":"any","value":{text}}},"properties":[]"#);
    let values = [value("\"a\""), value("\"other\\u0041\""), value("5"), value("-1.5e7"), value("true"), value("null")];
    alike(WHOLE, &values.each_ref().map(String::as_str));
    let level =
        |text: &str| format!(r#","properties":[{{"name":"level","value":{{"type":"integer","value":{text}}}}}]"#);
    let levels =
        [level("1"), level("77"), level("255"), level("256"), level("0"), level("2.0"), level("-3"), level("\"4\"")];
    alike(WHOLE, &levels.each_ref().map(String::as_str));
}

#[test]
fn a_learned_tail_never_takes_the_first_of_two_properties_for_the_last() {
    let twice = |first: &str, second: &str| {
        format!(
            r#","properties":[{{"name":"level","value":{{"type":"integer","value":{first}}}}},{{"name":"level","value":{{"type":"integer","value":{second}}}}},{{"name":"url","value":{{"type":"string","value":"{first}"}}}},{{"name":"url","value":{{"type":"string","value":null}}}}]"#
        )
    };
    for second in ["0", "3", "false"] {
        let properties = [twice("0", second), twice("7", second), twice("8", second)];
        alike(WHOLE, &properties.each_ref().map(String::as_str));
    }
}

#[test]
fn a_learned_tail_does_not_read_a_state_that_is_another() {
    let checked = |ax_value: &str| format!(r#","properties":[{{"name":"checked","value":{ax_value}}}]"#);
    let states = [
        checked(r#"{"type":"tristate","value":"true"}"#),
        checked(r#"{"type":"tristate","value":"false"}"#),
        checked(r#"{"type":"tristate","value":"true","relatedNodes":[]}"#),
        checked(r#"{"type":"tristate","value":"mixed","relatedNodes":[]}"#),
        checked(r#"{"value":"true"}"#),
        checked("[]"),
        checked("\"true\""),
    ];
    alike(WHOLE, &states.each_ref().map(String::as_str));
}

#[test]
fn what_comes_after_the_name_is_not_taken_for_what_came_before_it() {
    let template = r#"{"nodeId":"ID","name":{"type":"computedString","value":"n"}HERE,"properties":[],"parentId":"0","childIds":[]}"#;
    let ignored = [r#","ignored":true"#, r#","ignored":false"#, r#","role":{"type":"role","value":"link"}"#, ""];
    alike(template, &ignored);
    alike(template, &[ignored[0], ignored[0], ignored[1], ignored[2], ignored[2]]);
}

#[test]
fn a_second_array_of_nodes_has_roles_of_its_own() {
    let node = |id: usize, role: &str| {
        format!(
            r#"{{"nodeId":"{id}","ignored":false,"role":{{"type":"role","value":"{role}"}},"chromeRole":{{"type":"internalRole","value":1}},"name":{{"type":"computedString","value":""}},"properties":[],"parentId":"0","childIds":[]}}"#
        )
    };
    let array = |roles: [&str; 3]| roles.map(|role| node(role.len(), role)).join(",");
    let payload = format!(
        r#"{{"nodes":[{}],"nodes":[{}]}}"#,
        array(["one", "second", "second"]),
        array(["third", "second", "one"])
    );
    Checker::default().check(payload.as_bytes()).unwrap();
}
