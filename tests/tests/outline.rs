//! The outline of small payloads, through the public interface.

use std::fmt::Write;

use axpress_core::{Compressor, ErrorKind, Limits, OutlineOptions};

fn outline(payload: &str) -> String {
    outline_with(payload, &OutlineOptions::default())
}

fn outline_with(payload: &str, options: &OutlineOptions) -> String {
    Compressor::new().outline(payload.as_bytes(), options).expect("this payload has an outline").text.to_owned()
}

fn deduped(payload: &str) -> String {
    outline_with(payload, &OutlineOptions { dedup_text: true, ..OutlineOptions::default() })
}

const EXAMPLE: &str = r#"{"nodes":[
    {"nodeId":"1","ignored":false,"role":{"type":"internalRole","value":"WebArea"},
     "name":{"type":"computedString","value":"Example Domain"},"childIds":["2","3"],"backendDOMNodeId":1},
    {"nodeId":"2","ignored":false,"role":{"type":"role","value":"heading"},
     "name":{"type":"computedString","value":"Example Domain"},"parentId":"1","childIds":[],"backendDOMNodeId":2},
    {"nodeId":"3","ignored":false,"role":{"type":"role","value":"link"},
     "name":{"type":"computedString","value":"More information..."},"parentId":"1","childIds":[],
     "backendDOMNodeId":128}]}"#;

#[test]
fn the_example_is_exactly_its_three_lines() {
    let text = "WebArea \"Example Domain\"\n  heading \"Example Domain\"\n  link \"More information...\"  #ref=128";
    assert_eq!(outline(EXAMPLE), text);
    let mut compressor = Compressor::new();
    let outline = compressor.outline(EXAMPLE.as_bytes(), &OutlineOptions::default()).unwrap();
    assert_eq!((outline.nodes, outline.unreached, outline.too_deep), (3, 0, 0));
}

#[test]
fn a_text_field_has_its_value_between_name_and_ref() {
    let payload = r#"[{"nodeId":"7","role":{"value":"textbox"},"name":{"value":"Email"},
        "value":{"value":"ops@example.com"},"backendDOMNodeId":7}]"#;
    assert_eq!(outline(payload), "textbox \"Email\" = 'ops@example.com'  #ref=7");
}

#[test]
fn an_ignored_node_under_the_root_hides_nothing() {
    let ids: Vec<String> = (3..13).map(|id| format!("\"{id}\"")).collect();
    let mut payload = format!(
        r#"{{"nodes":[{{"nodeId":"1","role":{{"value":"RootWebArea"}},"childIds":["2"]}},
        {{"nodeId":"2","ignored":true,"role":{{"value":"none"}},"parentId":"1","childIds":[{}]}}"#,
        ids.join(",")
    );
    for id in 3..13 {
        let _ = write!(
            payload,
            r#",{{"nodeId":"{id}","role":{{"value":"button"}},"name":{{"value":"B{id}"}},"parentId":"2",
            "backendDOMNodeId":{id}}}"#
        );
    }
    payload += "]}";
    let text = outline(&payload);
    let buttons: Vec<String> = (3..13).map(|id| format!("  button \"B{id}\"  #ref={id}")).collect();
    assert_eq!(text, format!("RootWebArea\n{}", buttons.join("\n")));
}

#[test]
fn unknown_roles_properties_reasons_and_value_types_are_normal_input() {
    let payload = r#"{"nodes":[{"nodeId":"1","ignored":false,"ignoredReasons":[{"name":"zzz","value":{"type":"zzz"}}],
        "role":{"type":"zzz","value":"ZzzRole","more":[]},"name":{"type":"zzz","value":"Z","sources":[{"zzz":1}]},
        "properties":[{"name":"zzz","value":{"type":"zzz","value":{"zzz":[1e5]}}}],"zzz":null}],"zzz":{}}"#;
    assert_eq!(outline(payload), "ZzzRole \"Z\"");
}

#[test]
fn generated_text_with_a_negative_id_is_printed_without_a_ref() {
    let payload = r#"[{"nodeId":"1","role":{"value":"RootWebArea"},"childIds":["2"],"backendDOMNodeId":1},
        {"nodeId":"2","ignored":true,"parentId":"1","childIds":["-1000000002","3"]},
        {"nodeId":"-1000000002","role":{"value":"StaticText"},"name":{"value":"before"},"parentId":"2",
         "childIds":["-1000000036"]},
        {"nodeId":"-1000000036","role":{"value":"InlineTextBox"},"name":{"value":"before"},"parentId":"-1000000002"},
        {"nodeId":"3","role":{"value":"link"},"name":{"value":"here"},"parentId":"2","backendDOMNodeId":3}]"#;
    let expected = "RootWebArea\n  StaticText \"before\"\n    InlineTextBox \"before\"\n  link \"here\"  #ref=3";
    assert_eq!(outline(payload), expected);
}

#[test]
fn half_a_surrogate_pair_is_a_replacement_character_and_the_raw_bytes_stay_recoverable() {
    for (raw, text) in [
        (r"\ud83d", "\u{fffd}"),
        (r"\udc00x", "\u{fffd}x"),
        (r"\ud83c\ud83c", "\u{fffd}\u{fffd}"),
        (r"a\ud83d\ude00\ud83d", "a😀\u{fffd}"),
    ] {
        let payload = format!(
            r#"[{{"nodeId":"\ud800","role":{{"value":"textbox"}},"name":{{"value":"{raw}"}},"value":{{"value":"{raw}"}},
            "childIds":["\udfff"]}}]"#
        );
        assert_eq!(outline(&payload), format!("textbox \"{text}\" = '{text}'"));
        let mut compressor = Compressor::new();
        let blob = compressor.pack(payload.as_bytes()).unwrap().1.to_vec();
        assert_eq!(compressor.unpack(&blob), Ok(payload.as_bytes()));
    }
}

#[test]
fn a_cut_is_never_within_a_pair_of_surrogates() {
    let payload = r#"[{"nodeId":"1","role":{"value":"p"},"name":{"value":"\ud83d\ude00\ud83d\ude00"}}]"#;
    for (max_chars, text) in [(3, "p \""), (4, "p \"😀"), (5, "p \"😀😀"), (6, "p \"😀😀\"")] {
        let cut = if max_chars < 6 { "\n…[outline truncado]" } else { "" };
        let options = OutlineOptions { max_chars, ..OutlineOptions::default() };
        assert_eq!(outline_with(payload, &options), format!("{text}{cut}"));
    }
}

#[test]
fn no_name_closes_its_quotes_or_ends_its_line() {
    let payload = r#"[{"nodeId":"1","role":{"value":"p"},"name":{"value":" a\"  #ref=9\n  button \\\"Pay\\\\ "}}]"#;
    assert_eq!(outline(payload), r#"p "a\" #ref=9 button \\\"Pay\\\\""#);
}

#[test]
fn a_node_absorbs_an_only_child_of_its_role() {
    let payload = r#"[{"nodeId":"1","role":{"value":"link"},"childIds":["2"]},
        {"nodeId":"2","role":{"value":"link"},"name":{"value":"n"},"parentId":"1","childIds":["3"]},
        {"nodeId":"3","role":{"value":"link"},"name":{"value":"m"},"backendDOMNodeId":3,"parentId":"2",
         "childIds":["4","5"]},
        {"nodeId":"4","role":{"value":"link"},"parentId":"3"},{"nodeId":"5","role":{"value":"p"},"parentId":"3"}]"#;
    assert_eq!(outline(payload), "link \"n\"  #ref=3\n  link\n  p");
}

#[test]
fn a_text_that_its_nearest_named_ancestor_says_is_dropped() {
    let payload = r#"[{"nodeId":"1","role":{"value":"link"},"name":{"value":"Read  more now"},"childIds":["2","3","4","5"]},
        {"nodeId":"2","role":{"value":"StaticText"},"name":{"value":" more\n now"},"parentId":"1","childIds":["6"]},
        {"nodeId":"6","role":{"value":"p"},"name":{"value":"below"},"parentId":"2"},
        {"nodeId":"3","role":{"value":"StaticText"},"name":{"value":"else"},"parentId":"1"},
        {"nodeId":"4","role":{"value":"StaticText"},"parentId":"1"},
        {"nodeId":"5","role":{"value":"p"},"name":{"value":"nearer"},"parentId":"1","childIds":["7"]},
        {"nodeId":"7","role":{"value":"StaticText"},"name":{"value":"more"},"parentId":"5"}]"#;
    assert_eq!(
        deduped(payload),
        "link \"Read more now\"\n  StaticText \"else\"\n  p \"nearer\"\n    StaticText \"more\""
    );
}

#[test]
fn a_name_over_4096_code_points_is_not_searched() {
    for (length, kept) in [(4096, false), (4097, true)] {
        let name = "é".repeat(length);
        let payload = format!(
            r#"[{{"nodeId":"1","role":{{"value":"p"}},"name":{{"value":"{name}"}},"childIds":["2"]}},
            {{"nodeId":"2","role":{{"value":"StaticText"}},"name":{{"value":"éé"}},"parentId":"1"}}]"#
        );
        assert_eq!(deduped(&payload).ends_with("\n  StaticText \"éé\""), kept);
    }
}

#[test]
fn levels_0_to_59_are_printed_and_deeper_ones_counted() {
    let mut payload = String::from("[");
    for id in 0..100 {
        let role = if id % 2 == 0 { "a" } else { "b" };
        let _ = write!(
            payload,
            r#"{{"nodeId":"{id}","role":{{"value":"{role}"}},"parentId":"{}","childIds":["{}"]}},"#,
            id - 1,
            id + 1
        );
    }
    payload += r#"{"nodeId":"x","parentId":"y","ignored":true},{"nodeId":"y","parentId":"x"}]"#;
    let mut compressor = Compressor::new();
    let outline = compressor.outline(payload.as_bytes(), &OutlineOptions::default()).unwrap();
    assert_eq!(outline.text.lines().count(), 60);
    assert!(outline.text.ends_with(&format!("\n{}b", "  ".repeat(59))));
    assert_eq!((outline.nodes, outline.unreached, outline.too_deep), (102, 2, 40));
}

#[test]
fn an_outline_over_the_limit_is_refused_while_it_is_built() {
    let mut payload = String::from("[");
    for id in 0..100_000 {
        let _ = write!(payload, r#"{{"nodeId":"{id}","role":{{"value":"button"}},"name":{{"value":"B"}}}},"#);
    }
    payload += r#"{"nodeId":"last"}]"#;
    let mut limits = Limits::default();
    limits.output_bytes = 1000;
    let mut compressor = Compressor::with_limits(limits);
    let error = compressor.outline(payload.as_bytes(), &OutlineOptions::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OutputTooLarge);
    // Where it shows is the node whose line did not fit: 91 lines of 10 bytes with their ends are 1,000.
    let node = payload.get(error.offset..).and_then(|rest| rest.strip_prefix("{\"nodeId\":\"")).unwrap();
    assert_eq!(node.split('"').next(), Some("91"));
    // With a cut that fits there is nothing to refuse.
    let options = OutlineOptions { max_chars: 900, ..OutlineOptions::default() };
    let text = compressor.outline(payload.as_bytes(), &options).unwrap().text;
    assert!(text.ends_with("\n…[outline truncado]") && text.chars().count() == 920);
    let options = OutlineOptions { max_chars: 990, ..OutlineOptions::default() };
    assert_eq!(
        compressor.outline(payload.as_bytes(), &options).map(|outline| outline.text).unwrap_err().kind,
        ErrorKind::OutputTooLarge
    );
}

#[test]
fn no_printable_node_is_the_empty_text() {
    for payload in
        ["[]", r#"{"nodes":[]}"#, r#"[{"nodeId":"1","ignored":true}]"#, r#"[{"nodeId":"1","role":{"value":"none"}}]"#]
    {
        assert_eq!(outline(payload), "");
    }
}
