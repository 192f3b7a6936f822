//! Payloads that Chrome does not write: other orders, white space, doubled keys, strange ids, great depth.

use std::collections::HashMap;
use std::format;
use std::string::String;
use std::vec::Vec;

use serde_json::Value;
use serde_json::value::RawValue;

use super::{Checker, Random, sample};
use crate::table::NONE;

#[track_caller]
fn check(payload: &str) -> Checker {
    let mut checker = Checker::default();
    assert_eq!(checker.check(payload.as_bytes()), Ok(()));
    checker
}

/// The value as text, its keys in another order and with white space where JSON allows it.
fn rewritten(value: &Value, reverse: bool, space: &str) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| rewritten(item, reverse, space)).collect();
            format!("[{space}{}{space}]", items.join(&format!("{space},{space}")))
        }
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    format!("{}{space}:{space}{}", Value::from(key.as_str()), rewritten(value, reverse, space))
                })
                .collect();
            if reverse {
                members.reverse();
            }
            format!("{{{space}{}{space}}}", members.join(&format!("{space},{space}")))
        }
        other => format!("{other}"),
    }
}

#[test]
fn order_of_keys_and_white_space_change_nothing() {
    let mut random = Random(17);
    let mut checker = Checker::default();
    for _ in 0..60 {
        let payload = sample::payload(&mut random, 20);
        let value: Value = serde_json::from_str(&payload).unwrap();
        checker.check(payload.as_bytes()).unwrap();
        for space in ["", " ", "\r\n\t "] {
            for reverse in [false, true] {
                checker.check(rewritten(&value, reverse, space).as_bytes()).unwrap();
            }
        }
    }
}

#[test]
fn nodes_with_their_keys_in_any_order_teach_nothing_wrong() {
    let mut random = Random(23);
    let mut checker = Checker::default();
    for _ in 0..400 {
        let payload = sample::payload(&mut random, 6);
        let array = &payload[payload.find("[{\"nodeId").unwrap()..=payload.rfind(']').unwrap()];
        let nodes: Vec<HashMap<String, &RawValue>> = serde_json::from_str(array).unwrap();
        let node = &nodes[random.below(nodes.len())];
        let mut keys: Vec<&String> = node.keys().collect();
        keys.sort();
        keys.retain(|key| *key == "nodeId" || random.below(3) > 0);
        for last in (1..keys.len()).rev() {
            keys.swap(last, random.below(last + 1));
        }
        // Most begin and end as Chrome's do: others teach nothing.
        if random.below(8) > 0 {
            let ends = ["parentId", "childIds", "backendDOMNodeId"];
            keys.sort_by_key(|key| (*key != "nodeId", ends.iter().position(|end| end == key)));
        }
        // Every other one is ignored.
        let texts: Vec<String> = (0..4)
            .map(|number| {
                let members: Vec<String> = keys
                    .iter()
                    .map(|key| match key.as_str() {
                        "ignored" => format!("\"ignored\":{}", number % 2 == 0),
                        key => format!("\"{key}\":{}", node[key]),
                    })
                    .collect();
                format!("{{{}}}", members.join(","))
            })
            .collect();
        for order in [[0, 1, 2, 3], [1, 0, 3, 2]] {
            let nodes: Vec<&str> = order.iter().map(|&number: &usize| texts[number].as_str()).collect();
            checker.check(format!("[{}]", nodes.join(",")).as_bytes()).unwrap();
        }
    }
}

#[test]
fn the_last_of_doubled_keys_counts() {
    let checker = check(
        r#"[{"nodeId":"1","nodeId":"2","role":{"value":"link","value":"button"},"name":{"value":"a"},"name":{"value":"b","value":7},"childIds":["2"],"childIds":["3","4"],"ignored":true,"ignored":false,"backendDOMNodeId":3,"backendDOMNodeId":4,"properties":[{"name":"level","value":{"value":3}},{"name":"url","value":{"value":"u"}}],"properties":[{"name":"checked","name":"pressed","value":{"value":"true"}}]}]"#,
    );
    let node = &checker.expected.nodes[0];
    assert_eq!((node.id, node.backend, node.child_count, node.level, node.extra_count), (2, 4, 2, 0, 0));
    assert!(node.name.is_none() && !node.ignored);
}

#[test]
fn keys_and_ids_may_hide_behind_escapes() {
    let checker = check(
        r#"[{"\u006eodeId":"\u0031","r\u006fle":{"v\u0061lue":" \u0020link\t\n "},"childIds":["\u0032"]},{"nodeId":"2","parentId":"\u0031","properties":[{"n\u0061me":"focus\u0061ble","value":{"value":"tru\u0065"}}]}]"#,
    );
    let table = &checker.expected;
    assert_eq!((table.nodes[0].id, table.nodes[1].parent_id, table.children[0]), (1, 1, 1));
    assert_eq!(table.roles.name(table.nodes[0].role), "link");
}

#[test]
fn lone_surrogates_in_ids_and_keys_are_replacement_characters() {
    let checker = check(
        r#"[{"nodeId":"a\ud800","childIds":["b\udc00","c","\ud83d\ude00"],"\ud800":1},{"nodeId":"b�","parentId":"a�"},{"nodeId":"c","parentId":"a\udfff"},{"nodeId":"😀","parentId":"a\ud800x"}]"#,
    );
    let table = &checker.expected;
    assert_eq!(table.children, [1, 2, 3]);
    assert_eq!(table.roots, [0, 3]);
}

#[test]
fn values_of_other_types_are_normal() {
    check(
        r#"[{"nodeId":"1","role":7,"name":"x","value":3,"properties":{},"childIds":"2","parentId":4,"ignored":"true","backendDOMNodeId":"5","description":[]},{"nodeId":"2","role":{"value":null},"name":{"value":true},"value":{"value":{"a":[]}},"properties":[1,null,{},{"name":1},{"name":"level"},{"value":{}},{"name":"checked","value":"true"},{"name":"level","value":{"value":true}},[]],"childIds":[1,null,"1",{"a":"b"},["2"],""],"parentId":null,"ignored":1,"backendDOMNodeId":1.0,"description":{"value":null}},{"nodeId":"3","role":{"value":"  "},"value":{"value":null},"parentId":""}]"#,
    );
}

#[test]
fn backend_ids_are_integers_from_one_to_two_to_the_power_of_53() {
    for (number, backend) in [
        ("0", 0),
        ("-1", 0),
        ("-0", 0),
        ("1", 1),
        ("12345678", 12_345_678),
        ("123456789", 123_456_789),
        ("999999999999999", 999_999_999_999_999),
        ("1000000000000000", 1_000_000_000_000_000),
        ("9007199254740992", 9_007_199_254_740_992),
        ("9007199254740993", 0),
        ("18446744073709551617", 0),
        ("1.0", 0),
        ("1e3", 0),
        ("true", 0),
    ] {
        let text = format!(
            r#"[{{"nodeId":"1","childIds":[],"backendDOMNodeId":{number}}},{{"nodeId":"2","childIds":[],"backendDOMNodeId":{number} }}]"#
        );
        let checker = check(&text);
        assert!(checker.expected.nodes.iter().all(|node| node.backend == backend), "{number}");
    }
}

#[test]
fn ids_are_text_and_only_canonical_decimals_are_numbers() {
    let ids = [
        "0",
        "-0",
        "00",
        "1",
        "01",
        "+1",
        "1 ",
        "1.0",
        "-1",
        "--1",
        "12345678",
        "123456789",
        "1234567812345678",
        "999999999999999999",
        "1000000000000000000",
        "-999999999999999999",
        "-1000000000000000001",
        "9223372036854775807",
        "-9223372036854775808",
        "99999999999999999999999",
        "-",
        "a",
        "é",
        "A",
    ];
    let nodes: Vec<String> = ids
        .iter()
        .map(|id| format!(r#"{{"nodeId":"{id}","parentId":"{id}","childIds":["{id}","{id}0"],"backendDOMNodeId":1}}"#))
        .collect();
    let checker = check(&format!("[{}]", nodes.join(",")));
    assert_eq!(checker.expected.repeats, 0);
    assert_eq!(checker.expected.roots, [0], "each is its own parent, so there is no root but the first node");
}

#[test]
fn the_first_of_repeated_nodes_counts() {
    let checker = check(
        r#"[{"nodeId":"1","childIds":["2","2","9"]},{"nodeId":"2","parentId":"1"},{"nodeId":"2","childIds":["1"]},{"nodeId":"3"},{"nodeId":"3"},{"nodeId":"x","parentId":"9"},{"nodeId":"x"}]"#,
    );
    let table = &checker.expected;
    assert_eq!((table.repeats, &table.roots[..]), (3, &[0, 3, 5][..]));
    assert_eq!(table.children, [1, 1, NONE, 0]);
}

#[test]
fn a_parent_may_come_after_its_children() {
    let checker = check(r#"[{"nodeId":"3","parentId":"2"},{"nodeId":"2","parentId":"1"},{"nodeId":"1"}]"#);
    assert_eq!(checker.expected.roots, [2]);
}

#[test]
fn two_hundred_thousand_strange_ids_are_found_in_no_time() {
    let strange = |number: usize| format!("node-{:x}-\\u00e9", number.wrapping_mul(0x9E37_79B9));
    let nodes: Vec<String> = (0..200_000)
        .map(|number| {
            format!(
                r#"{{"nodeId":"{}","parentId":"{}","childIds":["{}"]}}"#,
                strange(number),
                strange(number / 2),
                strange(number + 1)
            )
        })
        .collect();
    let mut scanner = crate::scan::Scanner::default();
    let mut table = crate::table::Table::default();
    scanner.scan(format!("[{}]", nodes.join(",")).as_bytes(), &crate::Limits::DEFAULT, &mut table).unwrap();
    assert_eq!((table.repeats, &table.roots[..]), (0, &[0][..]));
    let expected: Vec<u32> = (1..200_000).chain([NONE]).collect();
    assert!(table.children == expected);
}

#[test]
fn ids_spread_wide_are_found_as_those_close_together_are() {
    let wide = |number: usize| (number as i64 * 7_919_000_003) - 500_000_000_000;
    let nodes: Vec<String> = (0..2_000)
        .map(|number| {
            let (id, parent, child) = (wide(number % 1_900), wide(number / 2), wide(number + 1));
            format!(r#"{{"nodeId":"{id}","parentId":"{parent}","childIds":["{child}","5"]}}"#)
        })
        .collect();
    let checker = check(&format!("[{}]", nodes.join(",")));
    assert_eq!(checker.expected.repeats, 100);
}

#[test]
fn a_child_listed_many_ways_and_a_cycle_are_just_rows() {
    let nodes: Vec<String> = (0..40)
        .map(|number| {
            format!(r#"{{"nodeId":"{number}","parentId":"{}","childIds":["{1}","{1}","0"]}}"#, number - 1, number + 1)
        })
        .collect();
    let checker = check(&format!("[{}]", nodes.join(",")));
    assert_eq!(checker.expected.roots, [0]);
}

#[test]
fn a_million_levels_need_no_stack() {
    let depth = 1_000_000;
    let mut scanner = crate::scan::Scanner::default();
    let mut table = crate::table::Table::default();
    let limits = crate::Limits::DEFAULT;
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let inner = format!("{}{}1{}{}", open.repeat(depth), "", "", close.repeat(depth));
        for payload in [
            format!(r#"[{{"nodeId":"1","value":{{"type":"x","value":{inner}}},"other":{inner}}}]"#),
            format!(r#"{{"other":{inner},"nodes":[{{"nodeId":"1"}}]}}"#),
        ] {
            scanner.scan(payload.as_bytes(), &limits, &mut table).unwrap();
            assert_eq!(table.nodes.len(), 1);
        }
        let broken = format!("{}x", open.repeat(depth));
        let error = scanner.scan(broken.as_bytes(), &limits, &mut table).unwrap_err();
        assert_eq!(error.offset, broken.len() - 1);
    }
}
