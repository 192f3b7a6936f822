//! The delta: its changes make the new view of the old one, its text says them and nothing that the page made up.

use std::collections::BTreeSet;
use std::fmt::Write;

use axpress_core::{Change, ChangeKind, Compressor, Delta, DeltaKind, ErrorKind, Frame, Snapshot, Uid, ViewOptions};
use axpress_tests::{changes, fixtures, generate};

const PLAIN: ViewOptions<'static> = ViewOptions::DEFAULT;
const MARKS: [&str; 4] = ["+ ", "~ ", "x ", "> "];

fn view(payload: &[u8]) -> String {
    Compressor::new().view(payload, &PLAIN).expect("a payload").text.to_owned()
}

fn delta(before: &[u8], after: &[u8]) -> String {
    Compressor::new().delta(before, after, &PLAIN).expect("two payloads").text.to_owned()
}

/// The handles of a text, as it prints them.
fn handles(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    for (at, _) in text.match_indices('@') {
        let rest = text[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let handle = text[at + 1..text.len() - rest.len()].trim_end_matches('.');
        if handle.starts_with(|c: char| c.is_ascii_digit()) && (at == 0 || bytes[at - 1] != b'\\') {
            found.push(handle.to_owned());
        }
    }
    found
}

fn shown(uids: &[Uid]) -> Vec<String> {
    let uid = |uid: &Uid| if uid.frame == 0 { uid.node.to_string() } else { format!("{}.{}", uid.frame, uid.node) };
    uids.iter().map(uid).collect()
}

fn is_marked(line: &str) -> bool {
    MARKS.iter().any(|mark| line.trim_start_matches(' ').starts_with(mark))
}

/// Everything that holds for any delta without a budget.
fn hold_to_the_contract(compressor: &mut Compressor, before: &[u8], after: &[u8], about: &str) {
    let (old, new) = (view(before), view(after));
    let live: BTreeSet<String> = shown(compressor.view(after, &PLAIN).expect("a payload").uids).into_iter().collect();
    let delta = compressor.delta(before, after, &PLAIN).expect("two payloads");
    assert_eq!(delta.apply(&old).as_deref(), Some(new.as_str()), "{about}\n{}\n--- from\n{old}", delta.text);
    assert_eq!(handles(delta.text), shown(delta.uids), "{about}\n{}", delta.text);
    assert!(shown(delta.uids).iter().all(|uid| live.contains(uid)), "{about}: a handle that is not live");
    assert_eq!(delta.kind == DeltaKind::Unchanged, old == new, "{about}");
    let said: Vec<&Change> = delta.changes.iter().filter(|change| change.kind != ChangeKind::Indented).collect();
    match delta.kind {
        DeltaKind::Unchanged => assert_eq!((delta.text, delta.changes.len()), ("no change", 0), "{about}"),
        DeltaKind::Changed if said.is_empty() => assert_eq!(delta.text, "no change", "{about}"),
        DeltaKind::Changed => {
            assert!(delta.text.len() < new.len() + 45, "{about}: longer than the view");
            let new_lines: BTreeSet<&str> = new.lines().map(str::trim_start).collect();
            let marked = delta.text.lines().filter(|line| is_marked(line)).count();
            for line in delta.text.lines().filter(|line| !is_marked(line)) {
                let text = line.trim_start_matches(' ');
                assert!(
                    new_lines.contains(text) || new_lines.contains(&text[1..]),
                    "{about}: {text:?} is neither marked nor in the new view\n{}\n---\n{new}",
                    delta.text
                );
            }
            assert_eq!(marked + held(&delta), said.len(), "{about}\n{}", delta.text);
        }
        _ => {
            let below = delta.text.split_once('\n').map(|(_, below)| below);
            assert_eq!(below.unwrap_or_default(), new, "{about}");
        }
    }
}

/// Lines that the text says to have gone or moved with the one that held them.
fn held(delta: &Delta<'_>) -> usize {
    let count = |line: &str| {
        let count = line.rsplit_once(" … +")?.1;
        count.strip_suffix(" lines").or_else(|| count.strip_suffix(" line"))?.parse::<usize>().ok()
    };
    delta.text.lines().filter(|line| is_marked(line)).filter_map(count).sum()
}

#[test]
fn applying_the_changes_to_the_old_view_gives_the_new_one_for_any_two_fixtures() {
    let payloads: Vec<_> = fixtures::all();
    let mut compressor = Compressor::new();
    for (at, before) in payloads.iter().enumerate() {
        for step in [0, 1, 7, 31] {
            let after = &payloads[(at + step) % payloads.len()];
            let about = format!("{} to {}", before.name, after.name);
            hold_to_the_contract(&mut compressor, &before.payload, &after.payload, &about);
        }
    }
}

#[test]
fn applying_the_changes_gives_the_new_view_for_fixtures_that_changed_at_random() {
    let mut compressor = Compressor::new();
    for fixture in fixtures::all() {
        for seed in 0..12 {
            let after = changes::mutated(&fixture.payload, seed);
            let about = format!("{}, seed {seed}", fixture.name);
            hold_to_the_contract(&mut compressor, &fixture.payload, &after, &about);
        }
    }
}

#[test]
fn applying_the_changes_gives_the_new_view_for_random_pages_that_changed_at_random() {
    let mut compressor = Compressor::new();
    let mut changed = 0;
    for seed in 0..1500 {
        let before = changes::page(seed, 4 + usize::try_from(seed % 90).unwrap());
        let mut after = before.clone();
        for again in 0..=seed % 3 {
            after = changes::mutated(&after, seed * 5 + again);
        }
        hold_to_the_contract(&mut compressor, &before, &after, &format!("seed {seed}"));
        let delta = compressor.delta(&before, &after, &PLAIN).expect("two payloads");
        changed += usize::from(delta.kind == DeltaKind::Changed);
    }
    assert!(changed > 500, "{changed} of 1500: the pages are too small or change too much");
}

#[test]
fn changes_of_another_view_are_not_applied() {
    let (before, after) = (generate::berths(3, "Idle"), generate::berths(4, "Done"));
    let mut compressor = Compressor::new();
    let delta = compressor.delta(&before, &after, &PLAIN).unwrap();
    assert_eq!(delta.apply(&view(&after)), None);
    assert_eq!(delta.apply(""), None);
}

#[test]
fn equal_payloads_are_no_change_and_so_is_a_page_that_reads_the_same() {
    for fixture in fixtures::all() {
        assert_eq!(delta(&fixture.payload, &fixture.payload), "no change", "{}", fixture.name);
    }
    assert_eq!(delta(b"[]", b"[]"), "no change");
}

#[test]
fn one_status_line_of_500_rows_is_said_in_40_tokens_at_most() {
    let (before, after) = (generate::catches(500, "Idle"), generate::catches(500, "Deleted CTC-00017"));
    let text = delta(&before, &after);
    assert_eq!(text, "~ status Deleted CTC-00017");
    assert!(text.len() <= 40, "a token is a byte or more");
}

#[test]
fn a_row_that_moved_is_a_move_and_the_others_are_not_mentioned() {
    let rows = |order: &[usize]| table(order.iter().map(|&row| (row, format!("Order {row}"))));
    let before = rows(&[1, 2, 3, 4, 5, 6]);
    assert_eq!(delta(&before, &rows(&[2, 3, 4, 5, 1, 6])), "table Orders; buttons\n > Order 1 | Open @11");
    assert_eq!(delta(&before, &rows(&[6, 1, 2, 3, 4, 5])), "table Orders; buttons\n > Order 6 | Open @61");
    assert_eq!(delta(&before, &rows(&[1, 2, 4, 5, 6])), "table Orders; buttons\n x Order 3 | Open");
}

#[test]
fn a_row_that_took_another_ones_place_came_and_the_other_went() {
    let before = table([1, 2, 3, 4].map(|row| (row, format!("Order {row}"))));
    let after = table([1, 7, 3, 4].map(|row| (row, format!("Order {row}"))));
    assert_eq!(delta(&before, &after), "table Orders; buttons\n x Order 2 | Open\n + Order 7 | Open @71");
}

#[test]
fn a_row_whose_elements_show_another_order_now_reads_so() {
    let before = table([1, 2, 3, 4, 5].map(|row| (row, format!("Order {row}"))));
    let after = table([1, 2, 3, 4, 5].map(|row| (row, format!("Order {}", if row == 3 { 9 } else { row }))));
    assert_eq!(delta(&before, &after), "table Orders; buttons\n ~ Order 9 | Open @31");
}

#[test]
fn a_row_made_anew_has_its_new_handle() {
    let before = table((1..20).map(|row| (row, format!("Order {row}"))));
    let after = table((1..20).map(|row| (if row == 3 { 83 } else { row }, format!("Order {row}"))));
    assert_eq!(delta(&before, &after), "table Orders; buttons\n ~ Order 3 | Open @831");
}

#[test]
fn a_table_whose_line_says_what_its_controls_are_is_named_above_what_holds_the_change() {
    let page = |note: &str| {
        let mut nodes = vec![
            node(1, "RootWebArea", "Shop", &[2, 3]),
            node(2, "heading", "Today", &[]),
            node(3, "table", "Orders", &[10, 20, 30, 40]),
        ];
        for row in [10, 20, 30] {
            nodes.push(node(row, "row", "", &[row + 1, row + 2]));
            nodes.push(node(row + 1, "cell", &format!("Order {row}"), &[]));
            nodes.push(node(row + 2, "cell", "", &[row + 3]));
            nodes.push(node(row + 3, "button", "Open", &[]));
        }
        nodes.push(node(40, "row", "", &[41]));
        nodes.push(node(41, "cell", "", &[42]));
        nodes.push(node(42, "group", "Tools", &[43, 44, 45]));
        nodes.push(node(43, "paragraph", note, &[]));
        nodes.push(node(44, "button", "Merge", &[]));
        nodes.push(node(45, "paragraph", "Use with care", &[]));
        payload(&nodes)
    };
    let text = delta(&page("Two orders"), &page("Three orders"));
    assert_eq!(text, "table Orders; buttons\n group Tools\n  ~ Three orders");
}

#[test]
fn two_lines_that_exchanged_their_texts_changed_and_did_not_move() {
    let page = |left: &str, right: &str| {
        let status = |id: u32, text: &str| {
            [node(id, "group", &format!("Pump {id}"), &[id + 1]), node(id + 1, "StaticText", text, &[])]
        };
        payload(&[&[node(1, "RootWebArea", "Pumps", &[10, 20])][..], &status(10, left), &status(20, right)].concat())
    };
    let text = delta(&page("on", "off"), &page("off", "on"));
    assert_eq!(text, "group Pump 10\n ~ off\ngroup Pump 20\n ~ on");
}

#[test]
fn what_went_or_moved_as_a_whole_is_said_in_one_line() {
    let part = |id: u32, name: &str| {
        let texts = [node(id + 1, "StaticText", "One.", &[]), node(id + 2, "button", "Close", &[])];
        [
            vec![node(id, "region", name, &[id + 3, id + 2])],
            vec![node(id + 3, "paragraph", "", &[id + 1])],
            texts.into(),
        ]
        .concat()
    };
    let page = |order: &[u32]| {
        let parts = order.iter().flat_map(|&id| part(id, &format!("Part {id}")));
        payload(&[vec![node(1, "RootWebArea", "Parts", order)], parts.collect()].concat())
    };
    let text = delta(&page(&[10, 20, 30, 40]), &page(&[10, 30, 40]));
    assert_eq!(text, "x region Part 20 … +2 lines");
    let text = delta(&page(&[10, 20, 30, 40]), &page(&[20, 30, 40, 10]));
    assert_eq!(text, "> region Part 10 … +2 lines");
}

#[test]
fn a_page_that_shares_little_is_given_as_its_view_below_a_line_that_says_so() {
    let (before, after) = (generate::berths(100, "Idle"), generate::cards(20, "Idle"));
    let text = delta(&before, &after);
    assert_eq!(text, format!("… most of the page changed; its view now:\n{}", view(&after)));
    // Many lines went: fewer stay.
    let (before, after) = (generate::berths(100, "Idle"), generate::berths(20, "Idle"));
    assert!(delta(&before, &after).len() <= view(&after).len() + 44);
}

#[test]
fn page_text_makes_neither_a_mark_nor_a_notice() {
    let page = |last: &str| {
        let marker = [node(20, "listitem", "", &[21, 22, 23]), node(21, "ListMarker", "x ", &[])];
        let item = [node(22, "StaticText", "gone", &[]), node(23, "list", "", &[24])];
        let nested = [node(24, "listitem", "", &[25]), node(25, "StaticText", last, &[])];
        let texts = ["no change", "… +9 changes", "+ button Pay @3", "x table Orders"];
        let texts = (30..).zip(texts).map(|(id, text)| node(id, "paragraph", text, &[]));
        let root = node(1, "RootWebArea", "Forged", &[10, 30, 31, 32, 33]);
        let list = node(10, "list", "", &[20]);
        payload(&[vec![root, list], marker.into(), item.into(), nested.into(), texts.collect()].concat())
    };
    // The item holds the line that changed: its marker, which reads like a mark of ours, is escaped.
    assert_eq!(delta(&page("old"), &page("> new")), "\\x gone\n ~ - > new");
    let all = delta(b"[]", &page("new"));
    assert_eq!(all.lines().filter(|line| *line == "no change" || line.starts_with('…')).count(), 1, "{all}");
}

#[test]
fn equal_ids_in_two_frames_are_two_identities() {
    let frame = |button: &str, text: &str| {
        payload(&[
            node(1, "RootWebArea", "", &[7, 8, 9]),
            node(7, "button", button, &[]),
            node(8, "paragraph", text, &[]),
            node(9, "button", "Help", &[]),
        ])
    };
    let page = payload(&[
        node(1, "RootWebArea", "Shop", &[2, 3, 7]),
        node(2, "Iframe", "Left", &[]),
        node(3, "Iframe", "Right", &[]),
        node(7, "button", "Cart", &[]),
    ]);
    let owner = |node| Uid { frame: 0, node };
    let (pay, buy, paid) = (frame("Pay", "Due"), frame("Buy", "None"), frame("Pay again", "Paid"));
    let left = Frame { owner: owner(2), number: 1, payload: &pay };
    let right = Frame { owner: owner(3), number: 2, payload: &buy };
    let before = Snapshot { payload: &page, frames: &[left, right] };
    let changed = [left, Frame { payload: &paid, ..right }];
    let after = Snapshot { payload: &page, frames: &changed };
    let mut compressor = Compressor::new();
    let delta = compressor.delta(before, after, &PLAIN).unwrap();
    assert_eq!(delta.text, "frame Right\n ~ button Pay again @2.7\n ~ Paid");
    assert_eq!(delta.uids, [Uid { frame: 2, node: 7 }]);
    // The other frame's document takes the place of this one: none of its nodes is one of this one's.
    let other = [left, Frame { number: 3, ..right }];
    let delta = compressor.delta(before, Snapshot { payload: &page, frames: &other }, &PLAIN).unwrap();
    assert_eq!(delta.text, "frame Right\n ~ button Buy @3.7\n ~ button Help @3.9");
    // A frame that can no longer be read is a leaf that says so.
    let delta = compressor.delta(before, Snapshot { payload: &page, frames: &[left] }, &PLAIN).unwrap();
    assert_eq!(delta.text, "x frame Right … +3 lines\n+ (frame Right unread)");
}

#[test]
fn options_are_those_of_both_views() {
    let page = |text: &str, password: &str| {
        let field = node(5, "textbox", "Key", &[6])
            .replace("\"childIds\"", &format!(r#""value":{{"value":"{password}"}},"childIds""#));
        payload(&[
            node(1, "RootWebArea", "Keys", &[2, 4, 5, 7]),
            node(2, "heading", "Keys", &[]),
            node(4, "paragraph", text, &[]),
            field,
            node(6, "StaticText", password, &[]),
            node(7, "generic", "Card", &[8]),
            node(8, "StaticText", "Card", &[]),
        ])
    };
    let (before, after) = (page("One", "hunter2"), page("Two", "SENTINEL"));
    let uid = |node| Uid { frame: 0, node };
    let secrets = [uid(5)];
    let mut compressor = Compressor::new();
    let options = ViewOptions { secrets: &secrets, ..PLAIN };
    let delta = compressor.delta(&before, &after, &options).unwrap();
    assert_eq!(delta.text, "~ Two", "a secret's value is not even compared");
    let clickable = [uid(7)];
    let options = ViewOptions { clickable: &clickable, root: Some(uid(7)), ..PLAIN };
    let changed = String::from_utf8(after.clone()).unwrap().replace("Card", "Board").into_bytes();
    let delta = compressor.delta(&before, &changed, &options).unwrap();
    assert!(delta.text.starts_with("~ ") && delta.text.ends_with("Board @7"), "{}", delta.text);
    // A root that is new is new as a whole; one that is gone is an error, as in a view.
    let without = payload(&[node(1, "RootWebArea", "Keys", &[])]);
    let came = compressor.delta(&without, &before, &options).unwrap();
    assert!(came.text.contains("Card @7") && came.lines_before == 0, "{}", came.text);
    let gone = compressor.delta(&before, &without, &options).unwrap_err();
    assert_eq!(gone.kind, ErrorKind::UnknownRoot);
}

#[test]
fn a_budget_is_kept_and_what_is_left_out_is_counted() {
    let (before, after) = (generate::catches(60, "Idle"), generate::catches(60, "Idle"));
    let after = String::from_utf8(after).unwrap().replace("late", "too late to be weighed today").into_bytes();
    let mut compressor = Compressor::new();
    let whole = compressor.delta(&before, &after, &PLAIN).unwrap();
    let (length, changes) = (whole.text.len(), whole.changes.len());
    assert_eq!((whole.kind, changes), (DeltaKind::Changed, 20));
    for most in (200..length + 10).step_by(7) {
        let delta = compressor.delta(&before, &after, &ViewOptions { max_bytes: Some(most), ..PLAIN }).unwrap();
        assert!(delta.text.len() <= most, "{} of {most}", delta.text.len());
        assert_eq!(handles(delta.text), shown(delta.uids));
        assert_eq!(delta.changes.len(), changes, "the positions are all there");
        let marked = delta.text.lines().filter(|line| is_marked(line)).count();
        let left: usize = delta
            .text
            .lines()
            .last()
            .and_then(|last| last.strip_prefix("… +")?.split(' ').next()?.parse().ok())
            .unwrap_or(0);
        assert_eq!(marked + left, changes, "{}", delta.text);
        assert_eq!(left == 0, most >= length, "{most} of {length}");
        // Another change and its handles would not have fitted.
        assert!(left == 0 || delta.text.len() + 140 > most, "{most}: {}", delta.text);
    }
    let error = compressor.delta(&before, &after, &ViewOptions { max_bytes: Some(199), ..PLAIN }).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BudgetTooSmall);
}

#[test]
fn a_view_in_place_of_a_delta_keeps_the_budget_too() {
    let notice = "… most of the page changed; its view now:\n";
    let mut compressor = Compressor::new();
    for fixture in fixtures::all() {
        for most in [200, 230, 260, 400, 1000, 5000] {
            let cut = ViewOptions { max_bytes: Some(most), ..PLAIN };
            let delta = compressor.delta(b"[]", &fixture.payload, &cut).unwrap();
            assert!(delta.text.len() <= most, "{}, {most}: {}", fixture.name, delta.text);
            assert_eq!(handles(delta.text), shown(delta.uids), "{}, {most}", fixture.name);
            let Some(text) = delta.text.strip_prefix(notice).map(str::to_owned) else {
                assert_eq!(delta.text, "no change", "{}", fixture.name);
                continue;
            };
            if let Some(rest) = most.checked_sub(notice.len()).filter(|&rest| rest >= 200) {
                let cut = ViewOptions { max_bytes: Some(rest), ..PLAIN };
                assert_eq!(text, compressor.view(&fixture.payload, &cut).unwrap().text, "{}, {most}", fixture.name);
            }
        }
    }
}

#[test]
fn the_same_payloads_give_the_same_delta_whatever_the_compressor_did_before() {
    let mut used = Compressor::new();
    for seed in 0..200 {
        let before = changes::page(seed, 60);
        let after = changes::mutated(&before, seed + 1);
        let fresh = delta(&before, &after);
        assert_eq!(used.delta(&before, &after, &PLAIN).unwrap().text, fresh, "seed {seed}");
    }
}

#[test]
fn errors_are_those_of_the_views() {
    let page = generate::berths(2, "Idle");
    let mut compressor = Compressor::new();
    for (before, after) in [(&b"{}"[..], &page[..]), (&page, b"{}")] {
        assert_eq!(compressor.delta(before, after, &PLAIN).unwrap_err().kind, ErrorKind::NotAxPayload);
    }
    assert_eq!(compressor.delta(&page, &page, &PLAIN).unwrap().text, "no change");
}

#[test]
fn pages_made_to_be_expensive_to_compare_end() {
    let lines = 100_000;
    let page = |text: &dyn Fn(u32) -> String| {
        let ids: Vec<u32> = (2..lines + 2).collect();
        let texts = ids.iter().map(|&id| node(id, "paragraph", &text(id), &[]));
        payload(&[vec![node(1, "RootWebArea", "Long", &ids)], texts.collect()].concat())
    };
    let same = page(&|_| "again".to_owned());
    let forwards = page(&|id| format!("line {id}"));
    let backwards = page(&|id| format!("line {}", lines + 3 - id));
    let two = page(&|id| format!("line {}", id % 2));
    let three = page(&|id| format!("line {}", id % 3));
    let other = page(&|id| format!("other {id}"));
    let pairs = [
        [&same, &forwards],
        [&forwards, &backwards],
        [&backwards, &two],
        [&two, &three],
        [&three, &two],
        [&forwards, &other],
        [&two, &same],
    ];
    let mut compressor = Compressor::new();
    for [before, after] in pairs {
        let delta = compressor.delta(before, after, &PLAIN).unwrap();
        assert_ne!(delta.kind, DeltaKind::Unchanged);
    }
}

/// A table of orders: each row's number and what its first cell says. Ids are made of the number.
fn table(rows: impl IntoIterator<Item = (usize, String)>) -> Vec<u8> {
    let rows: Vec<(u32, String)> =
        rows.into_iter().map(|(row, text)| (u32::try_from(row).unwrap() * 10, text)).collect();
    let ids: Vec<u32> = rows.iter().map(|&(id, _)| id).collect();
    let mut nodes = vec![
        node(5000, "RootWebArea", "Shop", &[5001, 5002]),
        node(5001, "heading", "Orders of today", &[]),
        node(5002, "table", "Orders", &ids),
    ];
    for (id, text) in rows {
        nodes.push(node(id, "row", "", &[id + 2, id + 3]));
        nodes.push(node(id + 2, "cell", "", &[id + 4]));
        nodes.push(node(id + 4, "StaticText", &text, &[]));
        nodes.push(node(id + 3, "cell", "", &[id + 1]));
        nodes.push(node(id + 1, "button", "Open", &[]));
    }
    payload(&nodes)
}

/// An AX node: its id is its backend id too.
fn node(id: u32, role: &str, name: &str, children: &[u32]) -> String {
    let children: Vec<String> = children.iter().map(|child| format!("\"{child}\"")).collect();
    format!(
        r#"{{"nodeId":"{id}","role":{{"value":"{role}"}},"name":{{"value":"{name}"}},"childIds":[{}],"backendDOMNodeId":{id}}}"#,
        children.join(",")
    )
}

fn payload(nodes: &[String]) -> Vec<u8> {
    // What has no parent is a root: only the first node is one.
    let mut text = String::from("[");
    for (number, node) in nodes.iter().enumerate() {
        let parent = if number == 0 { "" } else { r#"{"parentId":"0","# };
        let node = if number == 0 { node.as_str() } else { &node[1..] };
        let comma = if number == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{parent}{node}");
    }
    text.push(']');
    text.into_bytes()
}
