//! A budget is kept on any page, what matters most is in it, and what is not is counted exactly.

use axpress_core::{Compressor, ErrorKind, Uid, ViewOptions};
use axpress_tests::pages::{Page, named, node, paragraph, said, text};
use axpress_tests::{fixtures, generate, partial};
use proptest::prelude::*;

const BUDGETS: [usize; 5] = [200, 333, 1000, 5000, 20_000];

fn budget(page: &Page, most: usize) -> String {
    let kept = partial::check_budget(&mut Compressor::new(), &page.payload(), None, most);
    kept.unwrap_or_else(|error| panic!("{error}")).text
}

fn root(children: impl IntoIterator<Item = Page>) -> Page {
    node("RootWebArea", "Harbour", children)
}

/// Links that come before all else.
fn links(count: usize) -> Page {
    node(
        "navigation",
        "Everything",
        (0..count).map(|number| node("paragraph", "", [named("link", &format!("Link {number}"))])),
    )
}

#[test]
fn less_than_200_bytes_is_no_budget() {
    let page = root([paragraph("Fog")]).payload();
    let mut compressor = Compressor::new();
    let options = |most| ViewOptions { max_bytes: Some(most), ..ViewOptions::default() };
    assert_eq!(compressor.view(&page, &options(199)).unwrap_err().kind, ErrorKind::BudgetTooSmall);
    assert_eq!(compressor.view(&page, &options(200)).unwrap().text, "page Harbour\nFog");
}

#[test]
fn a_heading_that_begins_with_an_item_of_its_own_line_is_told_from_what_was_made_before() {
    let item = || node("listitem", "", [node("heading", "", [node("treeitem", "", [])])]);
    let rest = || (0..40).map(|number| paragraph(&format!("Line {number} of the log")));
    let dialog = node("dialog", "Sign off", [paragraph("Really?")]).with("modal");
    let page = root(std::iter::once(item()).chain(rest()).chain([item(), dialog]).chain(rest()));
    assert!(budget(&page, 300).contains("Really?"));
}

#[test]
fn fixtures_fit_and_their_remainder_is_exact() {
    let mut compressor = Compressor::new();
    for fixture in fixtures::all() {
        for most in BUDGETS {
            for query in [None, Some("button"), Some("the 2 of a")] {
                partial::check_budget(&mut compressor, &fixture.payload, query, most)
                    .unwrap_or_else(|error| panic!("{}, {query:?} in {most}: {error}", fixture.name));
            }
        }
    }
}

#[test]
fn long_tables_and_feeds_fit_and_their_remainder_is_exact() {
    let mut compressor = Compressor::new();
    for payload in [generate::berths(2000, "Idle"), generate::catches(500, "Idle"), generate::cards(400, "Idle")] {
        for most in BUDGETS {
            for query in [None, Some("delete like check"), Some("number 7")] {
                let kept = partial::check_budget(&mut compressor, &payload, query, most);
                kept.unwrap_or_else(|error| panic!("{query:?} in {most}: {error}"));
            }
        }
    }
}

#[test]
fn long_runs_are_folded_first_and_their_members_counted() {
    let page = generate::berths(200, "Idle");
    let text = partial::check_budget(&mut Compressor::new(), &page, None, 2000).unwrap().text;
    let rows = text.lines().filter(|line| line.contains("BTH-")).count();
    assert!(rows >= 3 && text.contains(&format!(" … +{} rows, ", 200 - rows)), "{text}");
    let cards = generate::cards(200, "Idle");
    let text = partial::check_budget(&mut Compressor::new(), &cards, None, 2000).unwrap().text;
    let shown = text.lines().filter(|line| line.starts_with("## ")).count();
    assert!(shown >= 3 && text.contains(&format!("… +{} items, ", 200 - shown)), "{text}");
    // What comes after the run is not pushed out by it.
    let items = (0..400).map(|number| said("listitem", &format!("Boat {number} is in port")));
    let page = root([node("list", "Boats", items), paragraph("Tide: high at noon"), links(3)]);
    let text = budget(&page, 600);
    for kept in ["- Boat 0 ", "- Boat 2 ", " items, ", "Tide: high at noon", "Link 2 @"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[test]
fn an_open_modal_survives_behind_300_links() {
    let fields = [named("heading", "Sign off"), paragraph("Really?"), named("button", "Yes"), named("button", "No")];
    let dialog = |role: &str| node(role, "Sign off", fields.clone());
    for dialog in [dialog("dialog").with("modal"), dialog("alertdialog").with("modal"), dialog("dialog")] {
        for most in [300, 1000] {
            let text = budget(&root([links(300), dialog.clone()]), most);
            for kept in ["Really?", "Yes @", "No @", "controls, "] {
                assert!(text.contains(kept), "{kept} in {most}: {text}");
            }
        }
    }
}

#[test]
fn the_focused_control_and_its_form_survive() {
    let fields = (0..6).map(|number| node("paragraph", "", [node("textbox", &format!("Field {number}"), [])]));
    let mut fields: Vec<Page> = fields.collect();
    fields.push(node("paragraph", "", [node("textbox", "Berth", []).with("focused")]));
    fields.push(node("paragraph", "", [named("button", "Moor")]));
    let page = root([links(300), node("form", "", fields), links(300)]);
    let text = budget(&page, 1000);
    for kept in ["textbox Field 0 @", "textbox Berth; focused @", "button Moor @"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(budget(&page, 200).contains("textbox Berth; focused @"));
}

#[test]
fn alerts_and_invalid_controls_survive() {
    let page = root([
        links(300),
        said("alert", "The harbour is closed"),
        links(100),
        said("status", "Saved at noon"),
        node("paragraph", "", [node("textbox", "Draught", []).with("invalid=true")]),
        links(100),
    ]);
    let text = budget(&page, 600);
    for kept in ["The harbour is closed", "Saved at noon", "textbox Draught; invalid @"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
}

#[test]
fn headings_and_landmarks_come_before_the_rest() {
    let parts = (0..12).flat_map(|number| {
        let lines = (0..9).map(move |line| paragraph(&format!("Line {line} of part {number}, of no great weight")));
        std::iter::once(named("heading", &format!("Part {number}"))).chain(lines).collect::<Vec<_>>()
    });
    let page = root([links(9), node("main", "", parts), node("contentinfo", "", [paragraph("(c) Harbour")])]);
    let text = budget(&page, 1000);
    for number in 0..12 {
        assert!(text.contains(&format!("## Part {number}\n")), "{number}: {text}");
    }
    assert!(text.contains("nav Everything") && text.contains("footer"), "{text}");
    assert!(text.contains("Line 0 of part 0"), "what is left of the budget is used: {text}");
}

#[test]
fn the_viewport_comes_before_the_rest_of_the_page() {
    let page = root((0..200).map(|number| paragraph(&format!("Line number {number} of a long story"))));
    let payload = page.payload();
    // A paragraph and its text are two nodes after the root.
    let viewport: Vec<Uid> = (150..155).map(|number| Uid { frame: 0, node: 3 + 2 * number }).collect();
    let options = ViewOptions { max_bytes: Some(500), viewport: &viewport, ..ViewOptions::default() };
    let text = partial::view(&mut Compressor::new(), &payload, &options).text;
    for number in 150..155 {
        assert!(text.contains(&format!("Line number {number} ")), "{text}");
    }
    assert!(text.contains("Line number 0 "), "{text}");
}

#[test]
fn a_line_longer_than_the_budget_is_cut_at_a_word() {
    let story = "All the boats went out at dawn. ".repeat(40_000);
    let page = root([paragraph(&story), named("button", "Next")]);
    for most in BUDGETS {
        let text = budget(&page, most);
        assert!(text.contains("All the boats") && text.contains("button Next @"), "{text}");
        assert!(text.contains("…\n… +") && text.len() > most * 8 / 10, "{most}: {text}");
    }
}

#[test]
fn a_line_of_300_controls_is_cut_between_them() {
    let page = root((0..300).map(|number| named("link", &format!("Link {number}"))));
    for most in [200, 501, 777] {
        let text = budget(&page, most);
        assert!(text.contains("Link 0 @2 ") && text.ends_with(" characters; query or raise the budget"), "{text}");
    }
}

#[test]
fn a_deep_page_fits() {
    for role in ["list", "listitem", "group", "treeitem"] {
        let mut page = named("button", "Deep");
        for number in 0..3000 {
            page = node(role, &format!("Level {number}"), [text("x"), page]);
        }
        for most in [200, 1000] {
            budget(&root([page.clone()]), most);
        }
        let found = partial::check_budget(&mut Compressor::new(), &root([page.clone()]).payload(), Some("deep"), 1000);
        assert!(found.unwrap().text.contains("button Deep @"), "{role}");
        // Dropped level by level: its own drop would recurse.
        let mut below = vec![page];
        while let Some(mut page) = below.pop() {
            below.append(&mut page.children);
        }
    }
}

const ROLES: [&str; 28] = [
    "generic",
    "paragraph",
    "link",
    "button",
    "textbox",
    "listitem",
    "list",
    "row",
    "cell",
    "table",
    "heading",
    "navigation",
    "main",
    "dialog",
    "alert",
    "status",
    "form",
    "article",
    "group",
    "StaticText",
    "treeitem",
    "option",
    "listbox",
    "image",
    "checkbox",
    "LineBreak",
    "LabelText",
    "columnheader",
];
const NAMES: [&str; 14] = [
    "",
    "Save",
    "Save order 7",
    "link7",
    "link70",
    "@12",
    "… +3 rows, 1 control, 5 characters",
    "# Title",
    "- item",
    "a\nb\nc",
    "Größe 登录 заказ",
    "no match for \"x\"",
    "x | y ; z = w @1.2",
    "\\",
];
const STATES: [&str; 6] = ["", "focused", "modal", "invalid=true", "focusable", "checked=true"];

fn trees() -> impl Strategy<Value = Page> {
    let name = prop_oneof![
        6 => proptest::sample::select(&NAMES[..]).prop_map(str::to_owned),
        1 => (1_usize..40, proptest::sample::select(&NAMES[..])).prop_map(|(times, name)| name.repeat(times)),
    ];
    let leaf = (proptest::sample::select(&ROLES[..]), name, proptest::sample::select(&STATES[..])).prop_map(
        |(role, name, state)| {
            let children = if role == "StaticText" { None } else { Some(text(&name)) };
            let page = node(role, &name, children);
            if state.is_empty() { page } else { page.with(state) }
        },
    );
    leaf.prop_recursive(5, 120, 14, |inner| {
        (proptest::sample::select(&ROLES[..]), proptest::collection::vec(inner, 0..14), 1_usize..4).prop_map(
            |(role, children, times)| {
                let children = std::iter::repeat_n(children, times).flatten();
                node(role, "", children)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_page_fits_any_budget_and_its_remainder_is_exact(
        page in trees(),
        most in prop_oneof![Just(200), 200_usize..400, 200_usize..3000],
        query in proptest::option::of(proptest::sample::select(&["save", "link7", "order button", "a", "登录 @12"][..])),
    ) {
        let payload = root([page]).payload();
        let kept = partial::check_budget(&mut Compressor::new(), &payload, query, most);
        prop_assert!(kept.is_ok(), "{}", kept.unwrap_err());
    }

    #[test]
    fn a_modal_the_focus_and_alerts_are_in_any_budget_that_they_fit(
        before in trees(),
        after in trees(),
        most in 500_usize..3000,
    ) {
        // Only those that are put there: others may take the room.
        let plain = |mut page: Page| {
            let mut open = vec![&mut page];
            while let Some(page) = open.pop() {
                page.properties.clear();
                if ["dialog", "alert", "status"].contains(&page.role.as_str()) {
                    "generic".clone_into(&mut page.role);
                }
                open.extend(&mut page.children);
            }
            page
        };
        let dialog = node("dialog", "Sign off", [paragraph("Really sign off?"), named("button", "Sign off now")]);
        let page = root([
            plain(before.clone()),
            said("alert", "The harbour is closed"),
            plain(after.clone()),
            node("paragraph", "", [node("textbox", "Berth", []).with("focused")]),
            plain(before),
            dialog.with("modal"),
            plain(after),
        ]);
        let kept = partial::check_budget(&mut Compressor::new(), &page.payload(), None, most);
        let text = kept.map_err(TestCaseError::fail)?.text;
        for kept in ["Really sign off?", "Sign off now @", "The harbour is closed", "textbox Berth; focused @"] {
            prop_assert!(text.contains(kept), "{}: {}", kept, text);
        }
    }
}
