//! `view`, `outline` and `compress`: a payload in, the page's text and its counts out.

mod support;

use std::fs;

use axpress_core::{Handle, HandlePrefix};
use serde_json::Value;
use support::{axpress, node, payload, scratch_file, small_page};

fn json(run: &support::Run) -> Value {
    serde_json::from_slice(&run.stdout).expect("stdout is JSON")
}

fn tokens(text: &str) -> Value {
    let run = axpress(&["tokens", "-"], text.as_bytes()).done();
    run.text().trim().parse::<u64>().unwrap().into()
}

#[test]
fn a_view_is_on_stdout_alone_and_its_counts_are_on_stderr() {
    let page = small_page();
    let run = axpress(&["view", "-"], page.as_bytes()).done();
    assert!(run.text().contains("button Save order @3"), "{}", run.text());
    assert!(!run.text().ends_with('\n'));
    let (before, after) = (tokens(&page), tokens(run.text()));
    let counts =
        format!("{before} to {after} tokens, {} to {} bytes; 3 nodes to 1 uid\n", page.len(), run.text().len());
    assert_eq!(run.stderr, counts);
}

#[test]
fn a_view_as_json_has_its_text_uids_handle_and_counts() {
    let page = small_page();
    let text = axpress(&["view", "-"], page.as_bytes()).done();
    let run = axpress(&["view", "--json", "-"], page.as_bytes()).done();
    assert_eq!(run.stderr, "");
    let view = json(&run);
    assert_eq!(view["text"], text.text());
    assert_eq!(view["uids"], serde_json::json!(["3"]));
    assert_eq!(view["handle"], Handle::of(page.as_bytes()).to_string());
    assert_eq!(view["uncompressed"], false);
    assert_eq!(view["nodes"], 3);
    assert_eq!(view["bytes_before"], page.len());
    assert_eq!(view["bytes_after"], text.text().len());
    assert_eq!(view["tokens_before"], tokens(&page));
    assert_eq!(view["tokens_after"], tokens(text.text()));
}

#[test]
fn an_outline_is_cut_where_it_is_told_to_and_texts_are_said_once() {
    let page = payload(&[
        node(1, "RootWebArea", "", &[2]),
        node(2, "button", "Save order", &[3]),
        node(3, "StaticText", "Save order", &[]),
    ]);
    let whole = axpress(&["outline", "-"], page.as_bytes()).done();
    assert_eq!(whole.text().matches("Save order").count(), 2, "{}", whole.text());
    assert!(whole.stderr.ends_with("; 3 nodes; 0 not reached from a root; 0 too deep to print\n"), "{}", whole.stderr);
    let once = axpress(&["outline", "--dedup-text", "-"], page.as_bytes()).done();
    assert_eq!(once.text().matches("Save order").count(), 1, "{}", once.text());
    let cut = axpress(&["outline", "--max-chars", "10", "-"], page.as_bytes()).done();
    assert!(cut.text().starts_with(&whole.text()[..10]) && cut.text() != whole.text(), "{}", cut.text());
    let report = json(&axpress(&["outline", "--json", "-"], page.as_bytes()).done());
    assert_eq!((&report["text"], &report["nodes"]), (&whole.text().into(), &3.into()));
}

#[test]
fn compress_prints_the_view_and_writes_a_blob_that_gives_the_payload_back() {
    let page = small_page();
    let blob = scratch_file("compress_prints_the_view", "page.blob");
    let run = axpress(&["compress", "-", "-o", blob.to_str().unwrap()], page.as_bytes()).done();
    assert_eq!(run.text(), axpress(&["view", "-"], page.as_bytes()).done().text());
    let handle = Handle::of(page.as_bytes());
    assert!(run.stderr.starts_with(&format!("{handle}; ")), "{}", run.stderr);
    assert_eq!(axpress(&["unpack", blob.to_str().unwrap()], b"").done().stdout, page.as_bytes());
    let run = axpress(&["compress", "--json", "-o", blob.to_str().unwrap(), "-"], page.as_bytes()).done();
    assert_eq!(json(&run)["handle"], handle.to_string());
    assert_eq!(json(&run)["blob_bytes"], fs::metadata(&blob).unwrap().len());
}

#[test]
fn five_thousand_rows_fit_a_budget_say_what_was_cut_and_come_back_whole_by_their_blob() {
    let rows = 5_000;
    let mut nodes = vec![node(1, "RootWebArea", "Orders", &(0..rows).map(|row| 3 * row + 2).collect::<Vec<_>>())];
    for row in (0..rows).map(|row| 3 * row + 2) {
        nodes.push(node(row, "row", "", &[row + 1, row + 2]));
        nodes.push(node(row + 1, "link", &format!("Order {row}"), &[]));
        nodes.push(node(row + 2, "button", &format!("Open {row}"), &[]));
    }
    let page = payload(&nodes);
    let blob = scratch_file("five_thousand_rows", "page.blob");
    let arguments = ["compress", "--json", "--max-bytes", "4000", "-", "-o", blob.to_str().unwrap()];
    let report = json(&axpress(&arguments, page.as_bytes()).done());
    let text = report["text"].as_str().unwrap();
    assert!(text.len() <= 4_000 && report["tokens_after"].as_u64().unwrap() <= 2_000, "{text}");
    let shown = report["uids"].as_array().unwrap().len() as u64;
    let left_out = report["left_out"]["controls"].as_u64().unwrap();
    assert_eq!(shown + left_out, 2 * u64::from(rows));
    let last = text.lines().last().unwrap();
    assert!(last.contains("… +") && last.contains(&format!("{left_out} controls")), "{last}");
    assert_eq!(report["handle"], Handle::of(page.as_bytes()).to_string());
    assert_eq!(axpress(&["unpack", blob.to_str().unwrap()], b"").done().stdout, page.as_bytes());
}

#[test]
fn a_view_that_is_no_smaller_is_told_and_has_no_handle() {
    // Each `@1` of a page is printed `\@1`, so that it is no handle.
    let page = payload(&[node(1, "RootWebArea", "", &[2]), node(2, "StaticText", &"@1".repeat(1_000), &[])]);
    for command in ["view", "compress"] {
        let report = json(&axpress(&[command, "--json", "-"], page.as_bytes()).done());
        assert_eq!((&report["handle"], &report["uncompressed"]), (&Value::Null, &true.into()), "{command}");
    }
    let run = axpress(&["compress", "-"], page.as_bytes()).done();
    assert!(run.stderr.starts_with("uncompressed: ") && !run.stderr.contains("ccr_"), "{}", run.stderr);
    assert!(!axpress(&["view", "-"], page.as_bytes()).done().text().is_empty(), "view always prints");
}

#[test]
fn one_handle_is_said_by_every_command_and_read_by_one_parser() {
    let page = small_page();
    let view = json(&axpress(&["view", "--json", "-"], page.as_bytes()).done());
    let compressed = json(&axpress(&["compress", "--json", "-"], page.as_bytes()).done());
    let packed = axpress(&["pack", "-"], page.as_bytes()).done();
    let said = [view["handle"].as_str().unwrap(), compressed["handle"].as_str().unwrap(), &packed.stderr[..36]];
    let handle = Handle::of(page.as_bytes());
    for text in said {
        assert_eq!(text.parse(), Ok(handle));
        assert_eq!(text.strip_prefix("ccr_").unwrap().parse(), Ok(handle));
        assert!(text[..12].parse::<HandlePrefix>().unwrap().matches(&handle));
    }
}

#[test]
fn half_of_a_surrogate_pair_is_accepted_printed_as_u_fffd_and_kept_for_recovery() {
    for name in [r"\ud83d", r"\udc00x", r"\ud83c\ud83c"] {
        let page = payload(&[node(1, "RootWebArea", "", &[2]), node(2, "button", name, &[])]);
        let view = axpress(&["view", "-"], page.as_bytes()).done();
        assert!(view.text().contains('\u{fffd}'), "{name}: {}", view.text());
        let outline = axpress(&["outline", "-"], page.as_bytes()).done();
        assert!(outline.text().contains('\u{fffd}'), "{name}: {}", outline.text());
        let blob = axpress(&["pack", "-"], page.as_bytes()).done().stdout;
        assert_eq!(axpress(&["unpack", "-"], &blob).done().stdout, page.as_bytes());
    }
}

#[test]
fn what_is_no_payload_is_an_error_with_its_code_its_byte_and_the_next_step() {
    for (input, start) in [
        (&b"{\"nodes\":[}"[..], "invalid-json at byte 10: "),
        (b"{}", "not-ax-payload at byte 0: "),
        (b"{\"nodes\":[{\"ignored\":false}]}", "invalid-node-id at byte "),
    ] {
        for command in ["view", "outline", "compress"] {
            let run = axpress(&[command, "-"], input);
            assert_eq!((run.code, run.stdout.len()), (1, 0), "{command}: {}", run.stderr);
            assert!(run.stderr.starts_with(start), "{command}: {}", run.stderr);
            assert!(run.stderr.contains(". Next: "), "{}", run.stderr);
        }
    }
}

#[test]
fn what_changed_since_another_payload_is_printed_alone_and_as_json_with_its_positions() {
    let before = scratch_file("what_changed_since", "before.json");
    fs::write(&before, small_page()).unwrap();
    let before = before.to_str().unwrap();
    let after = small_page().replace("Save order", "Save it");
    let run = axpress(&["view", "--since", before, "-"], after.as_bytes()).done();
    assert_eq!(run.text(), "~ button Save it @3");
    assert!(run.stderr.ends_with("; 1 change; 1 uid\n"), "{}", run.stderr);
    let report = json(&axpress(&["view", "--json", "--since", before, "-"], after.as_bytes()).done());
    assert_eq!((&report["kind"], &report["text"]), (&"changed".into(), &run.text().into()));
    assert_eq!(report["handle"], Handle::of(after.as_bytes()).to_string());
    let old = axpress(&["view", before], b"").done();
    let new = axpress(&["view", "-"], after.as_bytes()).done();
    assert_eq!(applied(&report, old.text()), new.text().lines().collect::<Vec<_>>());
    let same = axpress(&["view", "--since", before, "-"], small_page().as_bytes()).done();
    assert_eq!(same.text(), "no change");
}

/// The new view's lines, made of a report's changes and the old view's text.
fn applied<'a>(report: &'a Value, old: &'a str) -> Vec<&'a str> {
    let old: Vec<&str> = old.lines().collect();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    assert_eq!(number(&report["lines_before"]), old.len());
    let mut kept: Vec<Option<&str>> = old.into_iter().map(Some).collect();
    let mut new = vec![None; number(&report["lines_after"])];
    for change in report["changes"].as_array().unwrap() {
        if !change["before"].is_null() {
            kept[number(&change["before"])] = None;
        }
        if !change["after"].is_null() {
            new[number(&change["after"])] = change["line"].as_str();
        }
    }
    let mut rest = kept.into_iter().flatten();
    new.into_iter().map(|line| line.or_else(|| rest.next()).unwrap()).collect()
}

#[test]
fn a_payload_to_compare_with_that_cannot_be_read_is_an_error() {
    let run = axpress(&["view", "--since", "/nowhere/before.json", "-"], small_page().as_bytes());
    assert_eq!((run.code, run.stdout.len()), (1, 0));
    assert!(run.stderr.starts_with("cannot-read: /nowhere/before.json"), "{}", run.stderr);
}

/// A fixture's file.
fn fixture(name: &str) -> String {
    format!("{}/../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn frames_stand_where_their_owners_are_and_what_has_no_place_is_told() {
    let page = fixture("frames-cross-site/ax.json");
    let first = format!("16:1={}", fixture("frames-cross-site/frame-1.ax.json"));
    let second = format!("1.29:2={}", fixture("frames-cross-site/frame-2.ax.json"));
    let lost = format!("999:3={}", fixture("frames-cross-site/frame-2.ax.json"));
    let alone = axpress(&["view", &page], b"").done();
    assert!(alone.text().contains("(frame Payment unread)"), "{}", alone.text());
    let whole = axpress(&["view", &page, "--frame", &first, "--frame", &second], b"").done();
    assert!(!whole.text().contains("unread"), "{}", whole.text());
    assert!(whole.text().contains("@1.") && whole.text().contains("@2."), "{}", whole.text());
    let left_out = axpress(&["view", "--json", &page, "--frame", &first, "--frame", &lost], b"").done();
    assert_eq!(json(&left_out)["frames_left_out"], 1);
    let told = axpress(&["view", &page, "--frame", &lost], b"").done();
    assert!(told.stderr.ends_with("; 1 frame left out: no node holds it\n"), "{}", told.stderr);
    let all = ["ax.json", "frame-1.ax.json", "frame-2.ax.json"];
    let size = |file| fs::metadata(fixture(&format!("frames-cross-site/{file}"))).unwrap().len();
    let report = json(&axpress(&["view", "--json", &page, "--frame", &first, "--frame", &second], b"").done());
    assert_eq!(report["bytes_before"], all.map(size).iter().sum::<u64>(), "what it stands for is all of it");
}

#[test]
fn a_delta_has_the_frames_of_both_pages() {
    let page = fixture("frames-cross-site/ax.json");
    let first = format!("16:1={}", fixture("frames-cross-site/frame-1.ax.json"));
    let both = ["view", &page, "--frame", &first, "--since", &page];
    let same = axpress(&[&both[..], &["--since-frame", &first]].concat(), b"").done();
    assert_eq!(same.text(), "no change");
    let came = axpress(&both, b"").done();
    assert!(came.text().contains("@1."), "{}", came.text());
    assert_eq!(axpress(&["view", &page, "--since-frame", &first], b"").code, 2, "it is a frame of --since");
}

#[test]
fn a_root_is_all_that_is_shown_and_one_that_is_not_there_is_an_error() {
    let page = small_page();
    for uid in ["3", "@3"] {
        assert_eq!(axpress(&["view", "-", "--root", uid], page.as_bytes()).done().text(), "button Save order @3");
    }
    let run = axpress(&["view", "-", "--root", "77"], page.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("unknown-root at byte 0: "), "{}", run.stderr);
    assert_eq!(axpress(&["view", "-", "--root", "seven"], page.as_bytes()).code, 2);
}

#[test]
fn a_secret_is_not_printed_and_a_clickable_node_has_a_uid() {
    let field = node(2, "textbox", "Card", &[])
        .replace(r#""properties""#, r#""value":{"type":"string","value":"4000 1234"},"properties""#);
    let page = payload(&[node(1, "RootWebArea", "", &[2, 3]), field, node(3, "generic", "Card face", &[])]);
    assert!(axpress(&["view", "-"], page.as_bytes()).done().text().contains("4000 1234"));
    for arguments in [&["view", "-", "--secret", "2"][..], &["compress", "--json", "-", "--secret", "2"]] {
        let run = axpress(arguments, page.as_bytes()).done();
        assert!(!run.text().contains("4000"), "{}", run.text());
    }
    assert!(!axpress(&["view", "-"], page.as_bytes()).done().text().contains("@3"));
    let clickable = axpress(&["view", "-", "--clickable", "3"], page.as_bytes()).done();
    assert!(clickable.text().contains("@3"), "{}", clickable.text());
}

#[test]
fn links_print_where_they_lead_when_asked() {
    let page = fixture("urls/ax.json");
    assert!(!axpress(&["view", &page], b"").done().text().contains("http"));
    assert!(axpress(&["view", "--urls", &page], b"").done().text().contains("http"));
}

#[test]
fn a_query_and_a_budget_show_a_part_of_the_page_and_count_the_rest() {
    let names: Vec<String> = (0..300).map(|number| format!("link{number}")).collect();
    let links = (2..).zip(&names).map(|(id, name)| node(id, "link", name, &[]));
    let children: Vec<u32> = (2..302).collect();
    let nodes: Vec<String> = std::iter::once(node(1, "RootWebArea", "Links", &children)).chain(links).collect();
    let page = payload(&nodes);
    let run = axpress(&["view", "--query", "link7", "-"], page.as_bytes()).done();
    assert_eq!(run.text(), "page Links\nlink7 @9");
    let view = json(&axpress(&["view", "--max-bytes", "500", "--json", "-"], page.as_bytes()).done());
    let (text, uids) = (view["text"].as_str().unwrap(), view["uids"].as_array().unwrap().len());
    assert!(text.len() <= 500 && text.ends_with("; query or raise the budget"), "{text}");
    assert_eq!(view["left_out"]["controls"], 300 - uids);
    let run = axpress(&["view", "--max-bytes", "199", "-"], page.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("budget-too-small at byte 0: "), "{}", run.stderr);
}

#[test]
fn a_query_for_a_row_costs_at_most_60_tokens() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/rows-one-button/ax.json");
    let view = json(&axpress(&["view", "--query", "BTH-0007", "--json", page], b"").done());
    assert!(view["tokens_after"].as_u64().unwrap() <= 60, "{view}");
    assert_eq!(view["uids"].as_array().unwrap().len(), 1, "{view}");
}
