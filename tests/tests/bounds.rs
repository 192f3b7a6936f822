//! Input made to be expensive ends in time linear in its size, with text or a typed error. A quadratic step on these
//! sizes would take hours, so that ending is the proof.

use std::fmt::Write;

use axpress_core::{Compressor, ErrorKind, Limits, OutlineOptions, ViewOptions};
use axpress_tests::fixtures;

/// Outlines, with their lines, nodes too deep and nodes unreached; and the view, which ends.
fn lines_too_deep_unreached(payload: &str) -> (usize, usize, usize) {
    let mut compressor = Compressor::new();
    let mut result = (0, 0, 0);
    for dedup_text in [true, false] {
        let options = OutlineOptions { dedup_text, ..OutlineOptions::default() };
        let outline = compressor.outline(payload.as_bytes(), &options).expect("this payload has an outline");
        result = (outline.text.lines().count(), outline.too_deep, outline.unreached);
    }
    let view = compressor.view(payload.as_bytes(), &ViewOptions::default());
    assert!(view.is_ok(), "{view:?}");
    result
}

/// A payload of nodes: each with an id, a role, a parent and children.
fn payload(
    nodes: usize,
    role: impl Fn(usize) -> &'static str,
    parent: impl Fn(usize) -> Option<usize>,
    children: impl Fn(usize, &mut String),
) -> String {
    let mut text = String::with_capacity(nodes * 90);
    text.push('[');
    for id in 0..nodes {
        let comma = if id == 0 { "" } else { "," };
        let _ = write!(text, r#"{comma}{{"nodeId":"{id}","role":{{"value":"{}"}}"#, role(id));
        if let Some(parent) = parent(id) {
            let _ = write!(text, r#","parentId":"{parent}""#);
        }
        text.push_str(",\"childIds\":[");
        children(id, &mut text);
        text.push_str("]}");
    }
    text.push(']');
    text
}

fn next_id(nodes: usize) -> impl Fn(usize, &mut String) {
    move |id, text| {
        if id + 1 < nodes {
            let _ = write!(text, "\"{}\"", id + 1);
        }
    }
}

fn alternate(id: usize) -> &'static str {
    if id.is_multiple_of(2) { "group" } else { "list" }
}

#[test]
fn a_million_chained_nodes_end_in_text() {
    let nodes = 1_000_000;
    let chain = payload(nodes, alternate, |id| id.checked_sub(1), next_id(nodes));
    assert_eq!(lines_too_deep_unreached(&chain), (60, nodes - 60, 0));
}

#[test]
fn a_million_chained_nodes_of_one_role_are_one_line() {
    let nodes = 1_000_000;
    let chain = payload(nodes, |_| "link", |id| id.checked_sub(1), next_id(nodes));
    assert_eq!(lines_too_deep_unreached(&chain), (1, 0, 0));
}

#[test]
fn a_chain_100_000_deep_written_backwards_ends_in_text() {
    let nodes = 100_000;
    let chain = payload(
        nodes,
        alternate,
        |id| (id + 1 < nodes).then_some(id + 1),
        |id, text| {
            if id > 0 {
                let _ = write!(text, "\"{}\"", id - 1);
            }
        },
    );
    assert_eq!(lines_too_deep_unreached(&chain), (60, nodes - 60, 0));
}

#[test]
fn two_million_nodes_end_in_text() {
    let nodes = 2_000_000;
    let flat = payload(
        nodes,
        |id| if id == 0 { "RootWebArea" } else { "button" },
        |id| (id > 0).then_some(0),
        |id, text| {
            for child in (1..nodes).take_while(|_| id == 0) {
                let _ = write!(text, "{}\"{child}\"", if child == 1 { "" } else { "," });
            }
        },
    );
    assert_eq!(lines_too_deep_unreached(&flat), (nodes, 0, 0));
}

#[test]
fn a_cycle_ends_where_it_begins() {
    let nodes = 100_000;
    let ring = |id: usize, text: &mut String| {
        let _ = write!(text, "\"{}\"", (id + 1) % nodes);
    };
    let cycle = payload(nodes, alternate, |id| Some((id + nodes - 1) % nodes), ring);
    assert_eq!(lines_too_deep_unreached(&cycle), (60, nodes - 60, 0));
    let own_child = r#"[{"nodeId":"1","role":{"value":"p"},"parentId":"1","childIds":["1","1"]}]"#;
    assert_eq!(lines_too_deep_unreached(own_child), (1, 0, 0));
}

#[test]
fn a_node_listed_as_a_child_2_to_the_n_ways_is_printed_once() {
    let nodes = 50_000;
    let twice = |id: usize, text: &mut String| {
        if id + 1 < nodes {
            let _ = write!(text, "\"{0}\",\"{0}\",\"{0}\"", id + 1);
        }
    };
    let graph = payload(nodes, alternate, |id| id.checked_sub(1), twice);
    assert_eq!(lines_too_deep_unreached(&graph), (60, nodes - 60, 0));
    // Every node lists all that come after it.
    let nodes = 1_500;
    let all_after = |id: usize, text: &mut String| {
        for child in id + 1..nodes {
            let _ = write!(text, "{}\"{child}\"", if child == id + 1 { "" } else { "," });
        }
    };
    let graph = payload(nodes, alternate, |id| id.checked_sub(1), all_after);
    assert_eq!(lines_too_deep_unreached(&graph), (60, nodes - 60, 0));
}

#[test]
fn long_names_above_many_texts_are_read_once() {
    // A name of white space alone but for one letter: short, but long to read. Every second text has another nearest
    // name, so that it would be read again and again.
    let texts = 40_000;
    let mut text = format!(
        r#"[{{"nodeId":"r","role":{{"value":"p"}},"name":{{"value":"{}x"}},"childIds":["#,
        " ".repeat(1_000_000)
    );
    for id in 0..texts {
        let _ = write!(text, r#"{}"a{id}","b{id}""#, if id == 0 { "" } else { "," });
    }
    text.push_str("]}");
    for id in 0..texts {
        let _ = write!(
            text,
            r#",{{"nodeId":"a{id}","role":{{"value":"p"}},"name":{{"value":"n"}},"parentId":"r","childIds":["c{id}"]}},
            {{"nodeId":"c{id}","role":{{"value":"StaticText"}},"name":{{"value":"n"}},"parentId":"a{id}"}},
            {{"nodeId":"b{id}","role":{{"value":"StaticText"}},"name":{{"value":"x"}},"parentId":"r"}}"#
        );
    }
    text.push(']');
    let options = OutlineOptions { dedup_text: true, ..OutlineOptions::default() };
    let mut compressor = Compressor::new();
    let outline = compressor.outline(text.as_bytes(), &options).unwrap();
    assert_eq!(outline.text.lines().count(), 1 + texts);
}

#[test]
fn values_nested_a_million_deep_are_printed() {
    let depth = 1_000_000;
    let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let payload = format!(r#"[{{"nodeId":"1","role":{{"value":"textbox"}},"value":{{"value":{value}}}}}]"#);
    let mut compressor = Compressor::new();
    let outline = compressor.outline(payload.as_bytes(), &OutlineOptions::default()).unwrap();
    assert_eq!(outline.text, format!("textbox = {value}"));
}

#[test]
fn nested_arrays_in_place_of_nodes_are_a_typed_error() {
    let depth = 20_000_000;
    let open = "[".repeat(depth);
    let mut compressor = Compressor::new();
    let error = compressor.outline(open.as_bytes(), &OutlineOptions::default()).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::InvalidJson, depth));
    let closed = open + &"]".repeat(depth);
    let error = compressor.outline(closed.as_bytes(), &OutlineOptions::default()).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::NotAxPayload, 1));
}

#[test]
fn every_truncation_of_a_fixture_is_invalid_json_at_its_end() {
    let real = fixtures::all().into_iter().filter(|fixture| fixture.payload.len() > 10_000);
    let smallest = real.min_by_key(|fixture| fixture.payload.len()).expect("there are fixtures of real pages");
    let payload = smallest.payload.trim_ascii();
    let mut compressor = Compressor::new();
    assert!(compressor.outline(payload, &OutlineOptions::default()).is_ok());
    for end in 0..payload.len() {
        let truncated = payload.get(..end).unwrap_or_default();
        let error = compressor.outline(truncated, &OutlineOptions::default()).unwrap_err();
        assert_eq!((error.kind, error.offset), (ErrorKind::InvalidJson, end), "{}", smallest.name);
        assert!(compressor.view(truncated, &ViewOptions::default()).is_err());
    }
}

#[test]
fn more_nodes_or_bytes_than_the_limits_are_a_typed_error() {
    let nodes = payload(11, alternate, |id| id.checked_sub(1), next_id(11));
    let mut limits = Limits::default();
    limits.nodes = 10;
    let error = Compressor::with_limits(limits).outline(nodes.as_bytes(), &OutlineOptions::default()).unwrap_err();
    assert_eq!((error.kind, Some(error.offset)), (ErrorKind::TooManyNodes, nodes.rfind("{\"nodeId")));
    let mut limits = Limits::default();
    limits.input_bytes = nodes.len() - 1;
    let error = Compressor::with_limits(limits).outline(nodes.as_bytes(), &OutlineOptions::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::PayloadTooLarge);
}
