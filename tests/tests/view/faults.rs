//! What readers of such texts have met elsewhere, and must not meet here: one small page each.

use axpress_core::{Compressor, Frame, Snapshot, Uid, ViewOptions};
use axpress_tests::fixtures;
use axpress_tests::pages::{Page, named, node, paragraph, said, text};
use serde_json::json;

fn view_with(payload: &[u8], options: &ViewOptions<'_>) -> String {
    Compressor::new().view(payload, options).expect("this page has a view").text.to_owned()
}

fn view(page: &Page) -> String {
    view_with(&page.payload(), &ViewOptions::default())
}

fn root(children: impl IntoIterator<Item = Page>) -> Page {
    node("RootWebArea", "", children)
}

fn uid(node: u64) -> Uid {
    Uid { frame: 0, node }
}

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures::folder().join(name).join("ax.json")).expect("the fixture is there")
}

#[test]
fn fifty_unnamed_wrappers_cost_no_line() {
    let wrapped = |inner: Page| (0..50).fold(inner, |inner, _| node("generic", "", [inner]));
    assert_eq!(view(&root([wrapped(named("heading", "Deep"))])), "## Deep");
    assert_eq!(view(&root([wrapped(named("button", "Deep"))])), "button Deep @52");
}

#[test]
fn a_text_in_pieces_and_boxes_is_said_once_and_joined() {
    let piece = |said: &str| node("StaticText", said, [node("InlineTextBox", said, [])]);
    assert_eq!(view(&root([node("paragraph", "", [piece("Hello "), piece("world")])])), "Hello world");
    let control = node("button", "Hello world", [piece("Hello "), piece("world")]);
    assert_eq!(view(&root([control])), "button Hello world @2");
}

#[test]
fn addresses_are_printed_on_request_alone_and_shortened() {
    let tracked = format!("url=https://mill.test/{}?{}", "path/".repeat(30), "track=1&".repeat(400));
    let links = (0..100).map(|number| named("link", &format!("Link {number}")).with(&tracked));
    let data = named("link", "Data").with(&format!("url=data:text/plain,{}", "x".repeat(3000)));
    let page = root(links.chain([data])).payload();
    let plain = view_with(&page, &ViewOptions::default());
    assert!(!plain.contains("mill.test") && plain.len() < 101 * 16, "{plain}");
    let with = view_with(&page, &ViewOptions { urls: true, ..ViewOptions::default() });
    assert_eq!(with.matches(" (https://mill.test/path/").count(), 100, "{with}");
    assert!(!with.contains('?') && !with.contains("xxxx") && with.len() < 101 * 110, "{with}");
    assert!(with.contains("Data (data:text/plain)"), "{with}");
}

#[test]
fn user_and_password_of_an_address_are_not_printed() {
    let link = named("link", "In").with("url=https://ana:secret@mill.test/door?key=1#part");
    let text = view_with(&root([link]).payload(), &ViewOptions { urls: true, ..ViewOptions::default() });
    assert_eq!(text, "In (https://mill.test/door) @2");
}

#[test]
fn an_ignored_node_under_the_root_hides_nothing() {
    let mut nodes = vec![
        json!({"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2"]}),
        json!({"nodeId": "2", "ignored": true, "role": {"value": "none"}, "parentId": "1",
            "childIds": (3..13).map(|id| id.to_string()).collect::<Vec<_>>()}),
    ];
    for id in 3..13 {
        nodes.push(json!({"nodeId": id.to_string(), "role": {"value": "button"}, "parentId": "2",
            "name": {"value": format!("B{id}")}, "backendDOMNodeId": id}));
    }
    let text = view_with(json!({ "nodes": nodes }).to_string().as_bytes(), &ViewOptions::default());
    let buttons: Vec<String> = (3..13).map(|id| format!("B{id} @{id}")).collect();
    assert_eq!(text, format!("buttons {}", buttons.join(" ")));
}

#[test]
fn a_button_named_by_nested_spans_beside_a_hidden_sign_keeps_its_name() {
    let spans = node("generic", "", [node("generic", "", [text("Add row")])]);
    assert_eq!(view(&root([node("button", "Add row", [spans])])), "button Add row @2");
    // The sign is visible to the tree, and no part of the name.
    let sign = node("button", "Add row", [text("+"), node("generic", "", [text("Add row")])]);
    assert_eq!(view(&root([sign])), "button Add row @2");
}

#[test]
fn text_between_buttons_is_never_left_out() {
    let page = root([
        named("button", "Buy"),
        paragraph("EUR 20.00"),
        named("button", "Sell"),
        paragraph("EUR 19.00"),
        paragraph("EUR 20.00"),
    ]);
    assert_eq!(view(&page), "button Buy @2\nEUR 20.00\nbutton Sell @6\nEUR 19.00\nEUR 20.00");
}

#[test]
fn what_a_budget_hides_is_counted() {
    let page = root((0..300).map(|number| paragraph(&format!("Price {number}: EUR {number}.00")))).payload();
    let text = view_with(&page, &ViewOptions { max_bytes: Some(400), ..ViewOptions::default() });
    assert!(text.len() <= 400 && text.contains("… +"), "{text}");
    assert!(text.contains(" characters"), "{text}");
}

#[test]
fn a_budget_is_a_setting_of_each_call() {
    let page = root(
        (0..2000)
            .flat_map(|number| [named("link", &format!("Row {number}")), named("button", &format!("Open {number}"))]),
    );
    let payload = page.payload();
    let mut compressor = Compressor::new();
    for most in [200, 4_000, 20_000] {
        let options = ViewOptions { max_bytes: Some(most), ..ViewOptions::default() };
        let view = compressor.view(&payload, &options).expect("a view");
        assert!(view.text.len() <= most && view.text.len() * 2 > most, "{} of {most}", view.text.len());
        assert_eq!(view.uids.len() + view.left_out.controls, 4_000);
    }
    assert!(compressor.view(&payload, &ViewOptions::default()).expect("a view").text.len() > 20_000);
}

#[test]
fn an_invalid_field_says_what_to_mend() {
    let mut page = json!({"nodes": [
        {"nodeId": "1", "role": {"value": "textbox"}, "name": {"value": "Boat"}, "value": {"value": "Albatross"},
         "description": {"value": "Max 8"}, "backendDOMNodeId": 1,
         "properties": [{"name": "invalid", "value": {"value": "true"}}]},
        {"nodeId": "2", "role": {"value": "alert"}, "childIds": ["3"]},
        {"nodeId": "3", "role": {"value": "StaticText"}, "name": {"value": "Boat"}, "parentId": "2"}]});
    let text = view_with(page.to_string().as_bytes(), &ViewOptions::default());
    assert_eq!(text, "textbox Boat = Albatross; invalid: Max 8 @1\nalert Boat");
    page["nodes"][0]["properties"][0]["value"]["value"] = json!("false");
    let text = view_with(page.to_string().as_bytes(), &ViewOptions::default());
    assert_eq!(text, "textbox Boat = Albatross @1\nalert Boat", "a hint is no message");
}

#[test]
fn alert_and_status_text_is_kept_beside_a_button_that_says_the_same() {
    for role in ["alert", "status", "log", "region"] {
        let page = root([node(role, "", [text("Save")]), named("button", "Save changes")]);
        let line = if matches!(role, "alert" | "status") { format!("{role} Save\n") } else { String::new() };
        assert_eq!(view(&page), format!("{line}button Save changes @4"));
    }
}

#[test]
fn a_disabled_control_is_shown_and_says_so() {
    assert_eq!(view(&root([named("button", "Save").with("disabled")])), "button Save; disabled @2");
}

#[test]
fn a_root_that_is_asked_for_is_shown_whatever_it_is() {
    let inner = node("generic", "", [paragraph("Plain words"), named("button", "Go")]);
    let page = root([paragraph("Before"), node("generic", "", [inner]), paragraph("After")]).payload();
    let of = |root: u64| view_with(&page, &ViewOptions { root: Some(uid(root)), ..ViewOptions::default() });
    assert_eq!(of(5), "Plain words\nbutton Go @8");
    assert_eq!(of(6), "Plain words");
    assert_eq!(of(7), "Plain words");
}

#[test]
fn a_control_keeps_its_own_text_beside_its_children_s() {
    assert_eq!(view(&root([node("button", "9 All", [text("9"), text(" All")])])), "button 9 All @2");
    let mixed = node("link", "Pier", [text("Pier"), named("button", "Save"), text("4.2 km")]);
    assert_eq!(view(&root([mixed])), "Pier @2 button Save @4 4.2 km");
}

#[test]
fn a_canvas_and_a_frame_that_could_not_be_read_are_named() {
    let page = root([
        node("Canvas", "", []),
        node("Canvas", "Tides", []),
        node("Canvas", "", [paragraph("No drawing")]),
        node("Iframe", "Pay", []),
        node("PluginObject", "Game", []),
    ]);
    assert_eq!(view(&page), "(canvas)\n(canvas Tides)\n(canvas)\nNo drawing\n(frame Pay unread)\n(plugin Game)");
}

#[test]
fn words_that_no_one_knows_yet_are_normal_input() {
    let payload = json!({"nodes": [
        {"nodeId": "1", "ignored": false, "role": {"type": "zzz", "value": "ZzzRole"}, "zzz": [{}], "childIds": ["2", "3"],
         "properties": [{"name": "zzz", "value": {"type": "zzz", "value": {"zzz": [1]}}}], "backendDOMNodeId": 1},
        {"nodeId": "2", "ignored": true, "ignoredReasons": [{"name": "zzz", "value": {"type": "zzz"}}], "parentId": "1",
         "childIds": []},
        {"nodeId": "3", "role": {"value": "ZzzRole"}, "name": {"value": "Z"}, "parentId": "1", "backendDOMNodeId": 3,
         "properties": [{"name": "focusable", "value": {"value": true}}]}]});
    assert_eq!(view_with(payload.to_string().as_bytes(), &ViewOptions::default()), "ZzzRole Z @3");
}

#[test]
fn generated_text_with_a_negative_id_is_printed_without_a_handle() {
    let payload = json!({"nodes": [
        {"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2"], "backendDOMNodeId": 1},
        {"nodeId": "2", "ignored": true, "parentId": "1", "childIds": ["-1000000002", "3"]},
        {"nodeId": "-1000000002", "role": {"value": "StaticText"}, "name": {"value": "before "}, "parentId": "2",
         "backendDOMNodeId": -7, "childIds": ["-1000000036"]},
        {"nodeId": "-1000000036", "role": {"value": "InlineTextBox"}, "name": {"value": "before "},
         "parentId": "-1000000002"},
        {"nodeId": "3", "role": {"value": "button"}, "name": {"value": "here"}, "parentId": "2", "backendDOMNodeId": -3}]});
    assert_eq!(view_with(payload.to_string().as_bytes(), &ViewOptions::default()), "before [button here]");
}

#[test]
fn an_inert_form_is_gone_and_comes_back() {
    let inert = view_with(&fixture("inert"), &ViewOptions::default());
    assert!(inert.contains("button Unlock @") && !inert.contains("Save"), "{inert}");
    let folder = fixtures::folder().join("delta-inert");
    let read = |file: &str| std::fs::read(folder.join(file)).expect("the fixture is there");
    let before = view_with(&read("ax.json"), &ViewOptions::default());
    let after = view_with(&read("after.ax.json"), &ViewOptions::default());
    assert!(before.matches('@').count() < after.matches('@').count(), "{before}\n{after}");
}

#[test]
fn an_open_modal_is_marked_and_kept_before_the_page_behind_it() {
    let dialog = node("dialog", "Cookies", [paragraph("We keep two."), named("button", "Fine")]).with("modal");
    let links = (0..100).map(|number| named("link", &format!("Behind {number}")));
    let page = root(links.chain([dialog])).payload();
    let text = view_with(&page, &ViewOptions { max_bytes: Some(300), ..ViewOptions::default() });
    assert!(text.contains("dialog Cookies; modal\n We keep two.\n button Fine @"), "{text}");
    assert!(text.contains("… +") && text.contains(" controls"), "{text}");
}

#[test]
fn handles_last_while_their_nodes_do() {
    let mut compressor = Compressor::new();
    let mut uids = |folder: &str, file: &str| {
        let payload = std::fs::read(fixtures::folder().join(folder).join(file)).expect("the fixture is there");
        compressor.view(&payload, &ViewOptions::default()).expect("a view").uids.to_vec()
    };
    // Values, states and texts changed: the handles are the same.
    assert_eq!(uids("delta-controls", "ax.json"), uids("delta-controls", "after.ax.json"));
    assert_eq!(uids("rows-one-button", "ax.json"), uids("rows-one-button", "after.ax.json"));
    // A row went, one came, one moved: all that is left has its handle.
    let (before, after) = (uids("delta-rows", "ax.json"), uids("delta-rows", "after.ax.json"));
    let lost = before.iter().filter(|uid| !after.contains(uid)).count();
    let new = after.iter().filter(|uid| !before.contains(uid)).count();
    assert_eq!((lost, new), (1, 1));
}

#[test]
fn equal_ids_in_two_frames_are_two_handles() {
    let frame = |name: &str| {
        json!({"nodes": [{"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2"]},
            {"nodeId": "2", "role": {"value": "button"}, "name": {"value": name}, "parentId": "1", "backendDOMNodeId": 7}]})
        .to_string()
    };
    let (left, right) = (frame("Left"), frame("Right"));
    let page = root([node("Iframe", "One", []), node("Iframe", "Two", [])]).payload();
    let frames = [
        Frame { owner: uid(2), number: 1, payload: left.as_bytes() },
        Frame { owner: uid(3), number: 2, payload: right.as_bytes() },
    ];
    let mut compressor = Compressor::new();
    let view = compressor.view(Snapshot { payload: &page, frames: &frames }, &ViewOptions::default()).expect("a view");
    assert_eq!(view.text, "frame One\n button Left @1.7\nframe Two\n button Right @2.7");
    assert_eq!(view.uids, [Uid { frame: 1, node: 7 }, Uid { frame: 2, node: 7 }]);
}

#[test]
fn frames_are_set_under_their_owners_to_any_depth() {
    let inner = root([named("button", "In")]).payload();
    let outer = root([paragraph("Outer"), node("Iframe", "Inner", [])]).payload();
    let page = root([node("Iframe", "Outer", []), paragraph("After")]).payload();
    let frames = [
        Frame { owner: Uid { frame: 1, node: 4 }, number: 2, payload: &inner },
        Frame { owner: uid(2), number: 1, payload: &outer },
    ];
    let mut compressor = Compressor::new();
    let view = compressor.view(Snapshot { payload: &page, frames: &frames }, &ViewOptions::default()).expect("a view");
    assert_eq!(view.text, "frame Outer\n Outer\n frame Inner\n  button In @2.2\nAfter");
    assert_eq!(view.frames_left_out, 0);
}

#[test]
fn a_thing_that_is_clicked_without_being_a_control_is_listed_once_where_the_caller_names_it() {
    let card = node("generic", "", [named("heading", "Card"), paragraph("Body")]);
    let page = root([card]).payload();
    assert_eq!(view_with(&page, &ViewOptions::default()), "## Card\nBody");
    let clickable = [uid(2)];
    let options = ViewOptions { clickable: &clickable, ..ViewOptions::default() };
    assert_eq!(view_with(&page, &options), "generic @2\n ## Card\n Body");
    let said = root([said("generic", "Card")]).payload();
    assert_eq!(view_with(&said, &options), "generic Card @2");
}

#[test]
fn a_node_that_is_ignored_has_its_handle_too_where_the_caller_names_it() {
    let payload = json!({"nodes": [
        {"nodeId": "1", "role": {"value": "RootWebArea"}, "childIds": ["2"]},
        {"nodeId": "2", "ignored": true, "role": {"value": "none"}, "parentId": "1", "childIds": ["3"], "backendDOMNodeId": 2},
        {"nodeId": "3", "role": {"value": "StaticText"}, "name": {"value": "Card"}, "parentId": "2"}]});
    let clickable = [uid(2)];
    let options = ViewOptions { clickable: &clickable, ..ViewOptions::default() };
    assert_eq!(view_with(payload.to_string().as_bytes(), &options), "generic Card @2");
    assert_eq!(view_with(payload.to_string().as_bytes(), &ViewOptions::default()), "Card");
}

#[test]
fn a_secret_is_in_no_view_whichever_way_it_came() {
    const SENTINEL: &str = "ZZ-SENTINEL";
    let field = node("textbox", "Key", [node("generic", "", [text(SENTINEL)])])
        .value(SENTINEL)
        .with(&format!("valuetext={SENTINEL}"))
        .with("focusable");
    let field =
        Page { properties: [field.properties.clone(), vec!["editable=plaintext".to_owned()]].concat(), ..field };
    let cell = node("cell", &format!("Key {SENTINEL}"), [field]).with("focusable");
    let row = node("row", &format!("Key {SENTINEL}"), [cell]).with("focusable");
    let page = root([node("table", "", [row]), named("button", "Send")]).payload();
    let shown = view_with(&page, &ViewOptions::default());
    assert!(shown.contains(SENTINEL), "{shown}");
    let secrets = [uid(5)];
    for urls in [false, true] {
        for query in [None, Some("key")] {
            let options = ViewOptions { secrets: &secrets, urls, query, ..ViewOptions::default() };
            let text = view_with(&page, &options);
            assert!(!text.contains("SENTINEL") && text.contains("textbox Key"), "{text}");
        }
    }
}

#[test]
fn half_of_a_surrogate_pair_is_a_replacement_character() {
    for (raw, shown) in [
        (r"\ud83d", "\u{fffd}"),
        (r"\udc00x", "\u{fffd}x"),
        (r"\ud83c\ud83c", "\u{fffd}\u{fffd}"),
        (r"a\ud83d\ude00", "a😀"),
    ] {
        let payload = format!(
            r#"[{{"nodeId":"1","role":{{"value":"textbox"}},"name":{{"value":"{raw}"}},"value":{{"value":"v{raw}"}},"backendDOMNodeId":1}},
            {{"nodeId":"2","role":{{"value":"paragraph"}},"childIds":["3"]}},
            {{"nodeId":"3","role":{{"value":"StaticText"}},"name":{{"value":"{raw}"}},"parentId":"2"}}]"#
        );
        let expected = format!("textbox {shown} = v{shown} @1\n{shown}");
        assert_eq!(view_with(payload.as_bytes(), &ViewOptions::default()), expected);
    }
}

#[test]
fn items_whose_list_is_printed_have_no_role_word_and_others_have_one() {
    let items = || [named("menuitem", "Copy"), named("menuitem", "Paste")];
    let after_its_button = root([named("button", "Edit"), node("menu", "Edit", items())]);
    assert_eq!(view(&after_its_button), "button Edit @2\nmenu\n Copy @5 Paste @7");
    assert_eq!(view(&root([node("menu", "Edit", items())])), "menu Edit\n Copy @3 Paste @5");
    assert_eq!(view(&root([node("menu", "", items())])), "menuitem Copy @3 menuitem Paste @5");
}

#[test]
fn a_value_of_several_lines_keeps_all_of_them_and_ends_its_control_s_line() {
    let note = node("textbox", "Note", []).value("Hello\n# Send");
    let page = root([note, named("button", "Send")]);
    assert_eq!(view(&page), "textbox Note = @2\n Hello\n \\# Send\nbutton Send @3");
    let same = root([node("textbox", "Note", []).value("Hello\nSend"), named("button", "Send")]);
    assert_eq!(view(&same), "textbox Note = @2\n Hello\n Send\nbutton Send @3");
}

#[test]
fn a_name_after_a_select_does_not_read_as_its_option() {
    let select = || node("combobox", "Plan", ["Free", "Pro"].map(|name| node("option", name, []))).value("Free");
    let beside = root([select(), named("link", "Help")]);
    assert_eq!(view(&beside), "[combobox Plan = Free @2: Free | Pro] Help @5");
    let items = [select(), named("link", "Help")].map(|control| node("listitem", "", [control]));
    assert_eq!(view(&root([node("list", "", items)])), "combobox Plan = Free @4: Free | Pro\nHelp @8");
}

#[test]
fn a_combo_box_that_holds_other_controls_hides_none_of_them() {
    let group = node("group", "", [node("textbox", "Find", []), named("button", "Clear")]);
    assert_eq!(view(&root([node("combobox", "City", [group])])), "combobox City @2\n textbox Find @4 button Clear @5");
}

#[test]
fn a_heading_of_several_blocks_is_one_line() {
    let parts = [said("generic", "Rates"), node("LineBreak", "\n", []), said("generic", "Paid partner")];
    assert_eq!(view(&root([node("heading", "Rates Paid partner", parts)])), "## Rates Paid partner");
}

#[test]
fn a_heading_with_nothing_in_it_leaves_its_list_items_mark_as_it_was() {
    let item = node("listitem", "", [node("heading", "", []), text("Oak")]);
    assert_eq!(view(&root([node("list", "", [item])])), "- Oak");
    assert_eq!(view(&root([node("heading", "", []), text("Oak")])), "Oak");
    let numbered = [node("ListMarker", "1. ", []), node("heading", "", [node("generic", "", [])]), text("Oak")];
    assert_eq!(view(&root([node("list", "", [node("listitem", "", numbered)])])), "1. Oak");
}

#[test]
fn a_list_item_that_takes_the_focus_is_its_text_and_its_handle() {
    let items = [
        said("listitem", "Oak").with("focusable"),
        node("listitem", "", [named("button", "Take"), text("more")]).with("focusable"),
    ];
    assert_eq!(view(&root([node("list", "", items)])), "Oak @3\n- listitem @5 button Take @6 more");
}

#[test]
fn separators_between_controls_go_and_full_stops_and_brackets_stay() {
    let line = |between: &str| view(&root([named("link", "A"), text(between), named("link", "B")]));
    assert_eq!(line(" | "), "A @2 B @5");
    assert_eq!(line(" • "), "A @2 B @5");
    assert_eq!(line(". "), "A @2. [B @5]");
    assert_eq!(line(" ("), "A @2 ([B @5]");
}
