//! What is refused, with which kind, and where.

use std::format;

use super::Checker;
use crate::scan::Scanner;
use crate::table::Table;
use crate::{Error, ErrorKind, Limits};

#[track_caller]
fn refused(payload: impl AsRef<[u8]>, kind: ErrorKind, offset: usize) {
    assert_eq!(Checker::default().check(payload.as_ref()), Err(Error { kind, offset }));
}

#[track_caller]
fn invalid(payload: impl AsRef<[u8]>, offset: usize) {
    refused(payload, ErrorKind::InvalidJson, offset);
}

const SMALL: &str = r#" {"id": 1, "nodes": [{"nodeId":"1","ignored":false,"role":{"type":"role","value":"link"},"chromeRole":{"type":"internalRole","value":110},"name":{"type":"computedString","value":"\u00e9 é \"","sources":[{"type":"contents","value":{"type":"computedString","value":"\u00e9 é \""}}]},"properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}],"parentId":"7","childIds":["2","x"],"backendDOMNodeId":1}, {"nodeId":"2","value":{"value":[-1.5e+3,true,null,{}]}}], "more": false }"#;

#[test]
fn every_truncation_of_a_payload_is_invalid_json_at_its_end() {
    let mut checker = Checker::default();
    let end = SMALL.trim_end().len();
    for length in 0..end {
        let expected = Error { kind: ErrorKind::InvalidJson, offset: length };
        assert_eq!(checker.check(&SMALL.as_bytes()[..length]), Err(expected), "{length}");
    }
    assert_eq!(checker.check(&SMALL.as_bytes()[..end]), Ok(()));
}

#[test]
fn every_byte_that_can_not_stand_where_it_is_put_is_where_the_fault_is() {
    let mut checker = Checker::default();
    for at in 0..=SMALL.len() {
        for byte in [b'\x01', b'\xFF', b'\xC3', b'"', b'}', b',', b'7'] {
            let mut payload = SMALL.as_bytes().to_vec();
            payload.insert(at, byte);
            if let Err(Error { kind: ErrorKind::InvalidJson, offset }) = checker.check(&payload) {
                assert!(offset >= at, "{at} {byte} {offset}");
                if byte == 1 || byte == 0xFF {
                    assert_eq!(offset, at);
                }
            }
        }
    }
    assert!(checker.refused > 1000 && checker.accepted > 100);
}

#[test]
fn what_is_no_json_is_refused_at_its_first_fault() {
    invalid("", 0);
    invalid("  ", 2);
    invalid("nodes", 1);
    invalid("NaN", 0);
    invalid("-Infinity", 1);
    invalid("[NaN]", 1);
    invalid("[1,]", 3);
    invalid("[,1]", 1);
    invalid("[1 2]", 3);
    invalid("[1}", 2);
    invalid("{1:2}", 1);
    invalid(r#"{"a":1,}"#, 7);
    invalid(r#"{"a" 1}"#, 5);
    invalid(r#"{"a":}"#, 5);
    invalid(r#"{"nodes":[]"#, 11);
    invalid(r#"{"nodes":[]]"#, 11);
    invalid(r#"{"nodes":[]} x"#, 13);
    invalid(r#"{"nodes":[]},"#, 12);
    invalid("[] []", 3);
    invalid("[01]", 2);
    invalid("[-]", 2);
    invalid("[-01]", 3);
    invalid("[1.]", 3);
    invalid("[.5]", 1);
    invalid("[1e]", 3);
    invalid("[1e+]", 4);
    invalid("[+1]", 1);
    invalid("[tru]", 4);
    invalid("[truE]", 4);
    invalid("[nulll]", 5);
    invalid(r#"["a"#, 3);
    invalid("[\"a\nb\"]", 3);
    invalid("[\"\x00\"]", 2);
    invalid(r#"["\x"]"#, 3);
    invalid(r#"["\u12G4"]"#, 6);
    invalid(r#"["\u12"]"#, 6);
    invalid(r#"["\"#, 3);
    invalid("['a']", 1);
    invalid("[1/**/]", 2);
    invalid("\u{2028}[]", 0);
    invalid("[\u{a0}]", 1);
}

#[test]
fn bytes_that_are_no_utf8_are_refused_at_the_first_that_fits_no_character() {
    for (bytes, offset) in [
        (&b"\x80"[..], 0),
        (b"\xC0\x80", 0),
        (b"\xC1\xBF", 0),
        (b"\xC3\"", 1),
        (b"\xE0\x9F\xBF", 1),
        (b"\xE2\x82\"", 2),
        (b"\xED\xA0\x80", 1),
        (b"\xF0\x8F\xBF\xBF", 1),
        (b"\xF0\x9F\x98\"", 3),
        (b"\xF4\x90\x80\x80", 1),
        (b"\xF5\x80\x80\x80", 0),
        (b"\xFF", 0),
    ] {
        for before in ["", "x", "seven b", "more than eight bytes"] {
            let payload = [b"[{\"nodeId\":\"1\",\"other\":\"", before.as_bytes(), bytes, b"\"}]"].concat();
            invalid(payload, 24 + before.len() + offset);
        }
    }
    invalid(b"[\"\xE2\x82", 4);
    invalid("[]".encode_utf16().flat_map(u16::to_le_bytes).collect::<std::vec::Vec<_>>(), 1);
}

#[test]
fn one_byte_order_mark_is_skipped() {
    let mut checker = Checker::default();
    assert_eq!(checker.check("\u{feff}{\"nodes\":[{\"nodeId\":\"1\"}]}".as_bytes()), Ok(()));
    assert_eq!(checker.check("\u{feff} []".as_bytes()), Ok(()));
    invalid("\u{feff}\u{feff}[]", 3);
    invalid(" \u{feff}[]", 1);
    invalid("\u{feff}", 3);
    invalid(b"\xEF", 1);
    invalid(b"\xEF\xBB", 2);
    invalid(b"\xEF[]", 1);
    invalid(b"\xEF\xBB[]", 2);
}

#[test]
fn json_of_another_shape_is_no_payload() {
    let wrong = |payload: &str, offset| refused(payload, ErrorKind::NotAxPayload, offset);
    wrong("1", 0);
    wrong(" null ", 1);
    wrong("\u{feff}\"nodes\"", 3);
    wrong("{}", 0);
    wrong(r#" {"node":[]}"#, 1);
    wrong(r#"{"id":1,"result":{"nodes":[{"nodeId":"1"}]}}"#, 0);
    wrong(r#"{"nodes":{}}"#, 9);
    wrong(r#"{"nodes": null}"#, 10);
    wrong("[1]", 1);
    wrong(r#"[{"nodeId":"1"}, [] , 2]"#, 17);
    wrong(r#"{"nodes":[{"nodeId":"1"},"x"],"more":[]}"#, 25);
}

#[test]
fn a_node_without_an_id_that_is_text_is_refused_where_the_node_begins() {
    let wrong = |payload: &str, offset| refused(payload, ErrorKind::InvalidNodeId, offset);
    wrong("[{}]", 1);
    wrong(r#"[{"nodeId":""}]"#, 1);
    wrong(r#"[{"nodeId":7}]"#, 1);
    wrong(r#"[{"nodeId":null}]"#, 1);
    wrong(r#"[{"nodeId":"1"},  {"nodeid":"2"},{}]"#, 18);
    wrong(r#"[{"nodeId":"1","nodeId":2}]"#, 1);
    wrong(
        r#"{"nodes":[{"nodeId":"1","ignored":false,"role":{"type":"role","value":"x"},"parentId":"2"},{"nodeId":"","ignored":false}]}"#,
        91,
    );
}

#[test]
fn broken_json_counts_before_shape_and_shape_before_ids() {
    invalid("[1,{}", 5);
    invalid(r#"{"a":1"#, 6);
    refused("[{},1]", ErrorKind::NotAxPayload, 4);
    refused("[1,{}]", ErrorKind::NotAxPayload, 1);
    invalid("[{},1", 5);
}

#[test]
fn the_last_of_several_node_arrays_counts_and_its_faults_alone() {
    let mut checker = Checker::default();
    assert_eq!(checker.check(br#"{"nodes":[{}],"nodes":[{"nodeId":"1"}]}"#), Ok(()));
    assert_eq!(checker.expected.nodes.len(), 1);
    assert_eq!(checker.check(br#"{"nodes":7,"n\u006fdes":[{"nodeId":"a"},{"nodeId":"b"}]}"#), Ok(()));
    assert_eq!(checker.expected.nodes.len(), 2);
    refused(r#"{"nodes":[{"nodeId":"1"}],"nodes":7}"#, ErrorKind::NotAxPayload, 34);
    refused(r#"{"nodes":[{"nodeId":"1"}],"nodes":[{}]}"#, ErrorKind::InvalidNodeId, 35);
}

#[test]
fn limits_are_errors_and_a_payload_at_the_limit_passes() {
    let payload = br#"{"nodes":[{"nodeId":"1"},{"nodeId":"2"}]}"#;
    let mut table = Table::default();
    let mut scan = |limits: Limits| Scanner::default().scan(payload, &limits, &mut table);
    let limits = Limits { input_bytes: payload.len(), nodes: 2, ..Limits::DEFAULT };
    assert_eq!(scan(limits), Ok(()));
    let one = scan(Limits { nodes: 1, ..limits });
    assert_eq!(one, Err(Error { kind: ErrorKind::TooManyNodes, offset: 25 }));
    let short = scan(Limits { input_bytes: payload.len() - 1, ..limits });
    assert_eq!(short, Err(Error { kind: ErrorKind::PayloadTooLarge, offset: payload.len() - 1 }));
}

#[test]
fn an_error_leaves_nothing_behind_for_the_next_payload() {
    let mut checker = Checker::default();
    let nodes = r#"{"nodeId":"a","role":{"type":"role","value":"strange"},"childIds":["b"]}"#;
    for broken in [format!("[{nodes},"), format!("[{nodes},1]"), format!("[{nodes},{{}}]")] {
        assert!(checker.check(broken.as_bytes()).is_err());
        assert_eq!(checker.check(format!("[{nodes}]").as_bytes()), Ok(()));
        assert_eq!(checker.check(b"[]"), Ok(()));
        assert_eq!((checker.expected.roots.len(), checker.expected.children.len()), (0, 0));
    }
}
