//! JSON texts of all shapes in the place of a node's values, and in the place of the payload.

use std::format;
use std::string::String;
use std::vec::Vec;

use proptest::prelude::*;

use super::Checker;

/// A string's content, escapes and all that JSON allows in it.
fn content() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -!#-\\[\\]-~]{0,12}",
        1 => "\\\\[\"\\\\/bfnrt]",
        1 => "\\\\u[0-9a-fA-F]{4}",
        1 => "[\u{80}-\u{10ffff}]{1,3}",
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\t\r\n")]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        content().prop_map(|content| format!("\"{content}\"")),
        "-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?",
        prop_oneof![Just("true"), Just("false"), Just("null")].prop_map(String::from),
    ]
}

/// A key: often one that the scanner looks for.
fn key() -> impl Strategy<Value = String> {
    let known = [
        "nodeId",
        "ignored",
        "role",
        "name",
        "value",
        "type",
        "sources",
        "properties",
        "parentId",
        "childIds",
        "backendDOMNodeId",
        "description",
        "nodes",
        "ignoredReasons",
        "level",
        "n\\u0061me",
    ];
    prop_oneof![4 => prop::sample::select(known.to_vec()).prop_map(String::from), 1 => content()]
}

fn json() -> impl Strategy<Value = String> {
    scalar().prop_recursive(4, 24, 4, |inner| {
        let items = prop::collection::vec((inner.clone(), space()), 0..4).prop_map(|items| {
            let items: Vec<String> = items.into_iter().map(|(item, space)| format!("{space}{item}{space}")).collect();
            format!("[{}]", items.join(","))
        });
        let members = prop::collection::vec((key(), space(), inner), 0..4).prop_map(|members| {
            let members: Vec<String> = members
                .into_iter()
                .map(|(key, space, value)| format!("{space}\"{key}\"{space}:{space}{value}{space}"))
                .collect();
            format!("{{{}}}", members.join(","))
        });
        prop_oneof![items, members]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_in_the_place_of_a_payload_is_read_or_refused_as_its_shape_says(text in json(), space in space()) {
        let _ = Checker::default().check(format!("{space}{text}{space}").as_bytes());
    }

    #[test]
    fn any_json_in_the_place_of_a_value_is_read_as_serde_json_reads_it(
        members in prop::collection::vec((key(), json()), 0..8),
        id in "[a-c]|[0-9]{1,10}",
    ) {
        let members: Vec<String> = members.iter().map(|(key, value)| format!("\"{key}\":{value},")).collect();
        let node = format!("{{{}\"nodeId\":\"{id}\"}}", members.concat());
        let payload = format!("[{node},{node}]");
        prop_assert!(Checker::default().check(payload.as_bytes()).is_ok());
    }

    #[test]
    fn any_json_in_the_place_of_an_ax_value_is_read_as_serde_json_reads_it(
        name in json(), role in scalar(), property in json(), value in json(),
    ) {
        let node = format!(
            r#"{{"nodeId":"1","ignored":false,"role":{{"type":"role","value":{role}}},"name":{{"type":"computedString","value":{name}}},"value":{value},"properties":[{{"name":"url","value":{{"type":"string","value":{property}}}}},{{"name":"level","value":{property}}},{property}],"parentId":"2","childIds":[]}}"#
        );
        let payload = format!("[{node},{node}]");
        prop_assert!(Checker::default().check(payload.as_bytes()).is_ok());
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let _ = Checker::default().check(&bytes);
    }

    #[test]
    fn no_text_of_json_marks_makes_it_panic(text in "[\\[\\]{}:,\"\\\\ 0-9a-fu.eE+-]{0,40}") {
        let _ = Checker::default().check(text.as_bytes());
        let _ = Checker::default().check(format!("{{\"nodes\":[{{\"nodeId\":\"{text}").as_bytes());
    }
}
