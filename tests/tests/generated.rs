//! The generated payloads are what Chromium writes of the same pages.

use axpress_tests::{fixtures, generate};

/// Fails with the place of the first difference: the two texts are 150 KB each.
fn assert_like_capture(fixture: &str, generated: &[u8]) {
    let path = fixtures::folder().join(fixture);
    let captured = std::fs::read_to_string(&path).expect("the capture is there");
    let captured = generate::with_numbered_ids(&captured);
    let generated = generate::with_numbered_ids(std::str::from_utf8(generated).expect("payloads are ASCII"));
    if let Some(at) = captured.bytes().zip(generated.bytes()).position(|(one, other)| one != other) {
        let part = at.saturating_sub(300)..at + 100;
        let short = |text: &str| text.get(part.clone()).unwrap_or_default().to_owned();
        panic!("{fixture} differs at byte {at}:\ncaptured  {}\ngenerated {}", short(&captured), short(&generated));
    }
    assert_eq!(captured.len(), generated.len(), "{fixture}: one is the beginning of the other");
}

#[test]
fn twenty_berths_are_generated_as_chromium_writes_them() {
    assert_like_capture("rows-one-button/ax.json", &generate::berths(20, "Nothing checked yet"));
}

#[test]
fn berths_with_another_status_are_generated_as_chromium_writes_them_after_a_change() {
    assert_like_capture("rows-one-button/after.ax.json", &generate::berths(20, "Checked BTH-0007"));
}

#[test]
fn twenty_catches_are_generated_as_chromium_writes_them() {
    assert_like_capture("rows-two-buttons/ax.json", &generate::catches(20, "Idle"));
}

#[test]
fn twenty_cards_are_generated_as_chromium_writes_them() {
    assert_like_capture("cards/ax.json", &generate::cards(20, "Idle"));
}

#[test]
fn a_generated_payload_has_as_many_rows_as_asked_for() {
    for rows in [0, 1, 500] {
        let payload = generate::catches(rows, "Idle");
        let mut compressor = axpress_core::Compressor::new();
        let outline = compressor.outline(&payload, &axpress_core::OutlineOptions::default()).expect("a payload").text;
        assert_eq!(outline.matches("button \"Open\"").count(), rows);
        assert_eq!(outline.matches("button \"Delete CTC-").count(), rows);
    }
}

#[test]
fn numbering_ids_leaves_all_other_bytes_as_they_are() {
    let payload = r#"{"nodeId":"7","name":"\"nodeId\":\"x\"","childIds":["-5","9"],"backendDOMNodeId":7},{"nodeId":"9","parentId":"7","childIds":[]}"#;
    let numbered = r#"{"nodeId":"0","name":"\"nodeId\":\"x\"","childIds":[1,2],"backendDOMNodeId":0},{"nodeId":"2","parentId":"0","childIds":[]}"#;
    assert_eq!(generate::with_numbered_ids(payload), numbered);
}
