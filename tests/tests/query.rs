//! A query shows what answers it, where it stands, and nothing more.

use axpress_core::{Compressor, ViewOptions};
use axpress_tests::pages::{Page, named, node, paragraph, said, text};
use axpress_tests::{fixtures, generate, partial};

fn query(page: &Page, words: &str) -> String {
    query_payload(&page.payload(), words)
}

fn query_payload(payload: &[u8], words: &str) -> String {
    let kept = partial::check_budget(&mut Compressor::new(), payload, Some(words), 1 << 20);
    kept.unwrap_or_else(|error| panic!("{error}")).text
}

fn root(children: impl IntoIterator<Item = Page>) -> Page {
    node("RootWebArea", "Harbour", children)
}

#[test]
fn a_row_is_shown_alone_with_its_table_and_the_row_of_headers() {
    let text = query_payload(&generate::berths(200, "Idle"), "BTH-0173");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("table Berths to be checked"), "{text}");
    assert_eq!(lines[1], " Berth | Skipper | State | Fee | Action");
    assert!(lines[2].starts_with(" BTH-0173 | ") && lines[2].contains("Check @"), "{text}");
}

#[test]
fn a_number_does_not_match_a_longer_one() {
    let links = |count: usize| (0..count).map(|number| named("link", &format!("link{number}")));
    let items = node("list", "", links(300).map(|link| node("listitem", "", [link])));
    for page in [root(links(300)), root([items]), root([node("navigation", "All", links(300))])] {
        let text = query(&page, "link7");
        assert!(text.contains("link7 @") && !text.contains("link70"), "{text}");
        assert_eq!(text.matches('@').count(), 1, "{text}");
    }
}

#[test]
fn a_match_in_a_nested_list_keeps_its_own_item_and_what_that_stands_in() {
    let inner = |outer: usize| {
        let items = (0..5).map(move |number| said("listitem", &format!("Boat {outer}{number} in port")));
        node("list", "", items)
    };
    let outer = (0..9).map(|number| node("listitem", "", [text(&format!("Quay {number}")), inner(number)]));
    let page = root([node("list", "Quays", outer)]);
    assert_eq!(query(&page, "43"), "page Harbour\nlist Quays\n - Quay 4\n  - Boat 43 in port");
    assert_eq!(query(&page, "quay 4"), "page Harbour\nlist Quays\n - Quay 4\n… +9 weaker matches");
}

#[test]
fn a_match_in_a_layout_table_keeps_its_own_row_of_blocks() {
    let row = |number: usize| {
        let cell = |kind: &str| {
            let title = named("heading", &format!("{kind} of boat {number}"));
            let lines = [title, paragraph(&format!("more of {number}"))];
            node("LayoutTableCell", "", lines)
        };
        node("LayoutTableRow", "", [cell("Length"), cell("Draught")])
    };
    let page = root([node("LayoutTable", "", (0..30).map(row))]);
    let rows = "## Length of boat 12\nmore of 12\n## Draught of boat 12\nmore of 12";
    assert_eq!(query(&page, "draught 12"), format!("page Harbour\n{rows}\n… +29 weaker matches"));
}

#[test]
fn of_a_row_as_large_as_a_page_the_line_alone_is_shown() {
    let lines = (0..60).map(|number| paragraph(&format!("Line {number} of a long story about the sea")));
    let lines = std::iter::once(named("heading", "A story")).chain(lines);
    let row = node("LayoutTableRow", "", [node("LayoutTableCell", "", lines)]);
    let page = root([node("LayoutTable", "", [row])]);
    assert_eq!(query(&page, "line 31"), "page Harbour\nLine 31 of a long story about the sea\n… +59 weaker matches");
}

#[test]
fn more_matches_than_are_shown_are_counted() {
    let text = query_payload(&generate::berths(200, "Idle"), "check");
    assert_eq!(text.lines().filter(|line| line.contains("Check @")).count(), 12, "{text}");
    // The weaker one is `checked`, in the table's name.
    assert_eq!(text.lines().last(), Some("… +188 matches, 1 weaker; narrow the query"));
    let page = root((0..13).map(|number| paragraph(&format!("Tide {number}"))));
    assert!(query(&page, "tide").ends_with("\n… +1 match; narrow the query"));
}

#[test]
fn nothing_found_is_said_below_the_page_s_line() {
    let page = root([paragraph("Nothing but fog")]);
    assert_eq!(query(&page, "sun"), "page Harbour\nno match for \"sun\"");
    assert_eq!(query(&page, " \n "), "page Harbour\nNothing but fog");
}

#[test]
fn a_query_forges_neither_a_handle_nor_a_line() {
    let page = root([paragraph("Nothing but fog")]);
    let text = query(&page, "zz\"\nbutton Pay @12 \u{7}\u{1b}[2J");
    assert_eq!(text, "page Harbour\nno match for \"zz' button Pay \\@12   [2J\"");
    let text = query(&page, &"@1é".repeat(2000));
    assert!(text.lines().count() == 2 && text.len() < 150 && text.ends_with("…\""), "{text}");
}

#[test]
fn a_name_that_looks_like_a_notice_is_none_when_its_control_is_shown_alone() {
    let names = ["First of all the links", "# Paid", "… +3 rows", "no match for you", "Last of all the links"];
    let links = (0..60).map(|number| named("link", &format!("{} {number}", names[number % names.len()])));
    let page = root(links);
    for (words, name) in
        [("paid 31", "\\# Paid 31"), ("rows 32", "\\… +3 rows 32"), ("match 33", "\\no match for you 33")]
    {
        let text = query(&page, words);
        let expected = format!("page Harbour\n{name} @");
        assert!(text.starts_with(&expected) && text.ends_with("\n… +11 weaker matches"), "{text}");
    }
}

#[test]
fn whole_words_come_before_parts_and_all_words_before_some() {
    let page = root([
        paragraph("Reordered goods"),
        paragraph("An order"),
        paragraph("Saved for later"),
        node("paragraph", "", [named("button", "Save order")]),
    ]);
    assert_eq!(query(&page, "save order"), "page Harbour\nbutton Save order @9\n… +3 weaker matches");
    let text = query(&page, "order");
    assert!(text.contains("An order") && text.contains("Save order") && !text.contains("Reordered"), "{text}");
    assert!(text.ends_with("… +1 weaker match"), "{text}");
    assert!(query(&page, "reorder").contains("Reordered goods"));
}

#[test]
fn words_of_one_row_match_in_different_cells() {
    let text = query_payload(&generate::catches(300, "Idle"), "silent eider");
    assert!(
        text.lines().filter(|line| line.contains(" | ")).skip(1).all(|line| line.contains("Silent Eider")),
        "{text}"
    );
    assert!(text.contains("Silent Eider"), "{text}");
}

#[test]
fn roles_values_and_states_are_words_too() {
    let page = root([
        node("paragraph", "", [node("textbox", "Berth", []).value("Calais 7")]),
        node("paragraph", "", [node("checkbox", "Insured", []).with("checked=true")]),
        node("paragraph", "", [node("slider", "Volume", []).value("3")]),
    ]);
    assert_eq!(query(&page, "slider"), "page Harbour\nslider Volume = 3 @7");
    assert!(query(&page, "CALAIS").contains("textbox Berth = Calais 7 @3"));
    assert!(query(&page, "checked").contains("checkbox Insured; checked @5"));
}

#[test]
fn an_option_that_is_not_printed_finds_its_closed_select() {
    let options = (0..80).map(|number| node("option", &format!("Port {number}"), []));
    let select = node("combobox", "Port", [node("MenuListPopup", "", options)]).value("Port 0");
    let page = root([paragraph("Fog"), select, paragraph("Sun")]);
    let text = query(&page, "port 61");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("combobox Port = Port 0 @4"), "{text}");
}

#[test]
fn a_label_finds_its_control_and_not_the_line_before() {
    let page = root([
        paragraph("Fog"),
        node("LabelText", "", [text("Skipper")]),
        node("textbox", "Skipper", []),
        paragraph("Sun"),
    ]);
    assert_eq!(query(&page, "skipper"), "page Harbour\ntextbox Skipper @6");
}

#[test]
fn the_nodes_of_a_query_are_their_bytes_the_best_first() {
    let payload = generate::berths(200, "Idle");
    let mut compressor = Compressor::new();
    let ranges = compressor.nodes(&payload, "check BTH-0173").unwrap().to_vec();
    let nodes: Vec<&str> = ranges.iter().map(|range| std::str::from_utf8(&payload[range.clone()]).unwrap()).collect();
    assert!(nodes[0].starts_with("{\"nodeId\"") && nodes[0].ends_with('}'), "{}", nodes[0]);
    assert!(nodes[0].contains("\"value\":\"button\"") && nodes[0].contains("Check BTH-0173"), "{}", nodes[0]);
    assert!(nodes.iter().all(|node| node.contains("BTH-0173")), "{nodes:?}");
    assert!(compressor.nodes(&payload, "absent").unwrap().is_empty());
    assert!(compressor.nodes(&payload, "").unwrap().is_empty());
    assert!(compressor.nodes(b"{", "x").is_err());
}

#[test]
fn a_secret_is_not_found() {
    let page = root([node("textbox", "Word", [text("swordfish")]).value("swordfish"), paragraph("Sun")]);
    let secret = [axpress_core::Uid { frame: 0, node: 2 }];
    let options = ViewOptions { query: Some("swordfish"), secrets: &secret, ..ViewOptions::default() };
    let view = partial::view(&mut Compressor::new(), &page.payload(), &options);
    assert_eq!(view.text, "page Harbour\nno match for \"swordfish\"");
}

#[test]
fn what_a_query_shows_of_a_fixture_is_on_its_page() {
    let mut compressor = Compressor::new();
    for fixture in fixtures::all() {
        let full = partial::view(&mut compressor, &fixture.payload, &ViewOptions::default());
        for words in ["button", "the", "save the order 2", "link", "heading a"] {
            let shown = partial::check_budget(&mut compressor, &fixture.payload, Some(words), 1 << 20);
            let shown = shown.unwrap_or_else(|error| panic!("{}, {words}: {error}", fixture.name));
            let rest: Vec<_> = full.uids.iter().collect();
            assert!(shown.uids.iter().all(|uid| rest.contains(&uid)), "{}, {words}", fixture.name);
            assert!(shown.text.len() <= full.text.len() + 100, "{}, {words}", fixture.name);
        }
    }
}
