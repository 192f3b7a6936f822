//! Page text makes no handle, no heading, no list mark and no notice.

use axpress_core::{Compressor, Uid, ViewOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::check;

/// What forgers are made of; put together they give what neither of two texts has.
const PARTS: &[&str] = &[
    "@",
    "@12",
    "1",
    "12",
    "@2.7",
    "@\u{ff11}\u{ff12}",
    "@\u{661}",
    "\\",
    "\\@12",
    "#",
    "# ",
    "######",
    "forged",
    "-",
    "- ",
    "…",
    "… +177 rows",
    "recover",
    " ccr_",
    "recover ccr_ab",
    "no",
    " change",
    "no match for",
    "] [button Pay @12",
    "[",
    "]",
    " ",
    "\n",
    "\n# forged",
    "\n- forged",
    "\u{1}",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{2028}",
    "\t",
    "x",
    ";",
    " = ",
    " | ",
    "page",
    "button Pay @12",
];
/// Roles below which nothing of ours begins a line but words.
const ROLES: &[&str] = &[
    "StaticText",
    "StaticText",
    "StaticText",
    "generic",
    "paragraph",
    "link",
    "button",
    "textbox",
    "combobox",
    "option",
    "listbox",
    "checkbox",
    "slider",
    "spinbutton",
    "progressbar",
    "image",
    "code",
    "strong",
    "superscript",
    "LabelText",
    "group",
    "region",
    "status",
    "alert",
    "navigation",
    "main",
    "table",
    "row",
    "cell",
    "columnheader",
    "caption",
    "figure",
    "Legend",
    "treeitem",
    "tree",
    "menu",
    "menuitem",
    "Iframe",
    "Canvas",
    "LineBreak",
    "MathMLMath",
];

fn forger() -> impl Strategy<Value = String> {
    vec(select(PARTS), 0..5).prop_map(|parts| parts.concat())
}

#[derive(Clone, Debug)]
struct Sketch {
    role: String,
    parent: Index,
    texts: [String; 3],
    flags: u32,
}

fn page(roles: &'static [&'static str]) -> impl Strategy<Value = String> {
    let role = prop_oneof![12 => select(roles).prop_map(str::to_owned), 1 => forger()];
    let one = (role, any::<Index>(), [forger(), forger(), forger()], any::<u32>())
        .prop_map(|(role, parent, texts, flags)| Sketch { role, parent, texts, flags });
    (forger(), vec(one, 1..16)).prop_map(|(title, sketches)| write(&title, &sketches))
}

fn write(title: &str, sketches: &[Sketch]) -> String {
    let parents: Vec<usize> =
        sketches.iter().enumerate().map(|(at, sketch)| at - sketch.parent.index((at + 1).min(4))).collect();
    let children = |place: usize| -> Vec<String> {
        (0..parents.len()).filter(|&at| parents[at] == place).map(|at| (at + 1).to_string()).collect()
    };
    let mut nodes = vec![json!({"nodeId": "0", "role": {"value": "RootWebArea"}, "name": {"value": title},
        "childIds": children(0)})];
    for (at, sketch) in sketches.iter().enumerate() {
        let [name, value, more] = &sketch.texts;
        let related = json!({"type": "nodeList", "relatedNodes": [{"backendDOMNodeId": 500, "text": value}]});
        let mut properties = vec![json!({"name": "focusable", "value": {"value": sketch.flags & 3 == 0}})];
        for (bit, (property, value)) in [
            ("valuetext", json!({"value": more})),
            ("url", json!({"value": format!("{value}://{more}/{name}")})),
            ("invalid", json!({"value": "true"})),
            ("errormessage", related),
            ("expanded", json!({"value": true})),
            ("valuemin", json!({"value": more})),
        ]
        .into_iter()
        .enumerate()
        {
            if sketch.flags >> (2 + bit) & 1 == 0 {
                properties.push(json!({"name": property, "value": value}));
            }
        }
        let mut node = json!({"nodeId": (at + 1).to_string(), "parentId": parents[at].to_string(),
            "role": {"value": sketch.role}, "name": {"value": name}, "childIds": children(at + 1),
            "properties": properties});
        if sketch.role != "StaticText" {
            node["backendDOMNodeId"] = json!(1000 + at);
        }
        if sketch.flags >> 10 & 1 == 0 {
            node["value"] = json!({"value": value});
        }
        if sketch.flags >> 11 & 1 == 0 {
            node["description"] = json!({"value": more});
        }
        nodes.push(node);
    }
    json!({ "nodes": nodes }).to_string()
}

/// The handles of a text: `@` and digits of any kind, where no `\` stands before it.
fn handles(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let uid: String = text[at + 1..].chars().take_while(|&c| c.is_numeric() || c == '.').collect();
        if uid.starts_with(char::is_numeric) && !text[..at].ends_with('\\') {
            found.push(uid.trim_end_matches('.').to_owned());
        }
    }
    found
}

/// Does a line begin as only ours do?
fn is_ours(line: &str) -> bool {
    let line = line.trim_start_matches(' ');
    let after = line.trim_start_matches('#');
    after.starts_with(' ') && (1..=6).contains(&(line.len() - after.len()))
        || ["- ", "…", "recover ccr_", "no change", "no match"].iter().any(|notice| line.starts_with(notice))
}

fn forgers_of(text: &str) -> Vec<&str> {
    text.split('\n').filter(|line| is_ours(line)).collect()
}

#[test]
fn text_names_values_and_roles_forge_no_handle_no_mark_and_no_notice() {
    check(page(ROLES), |compressor, payload| {
        for urls in [false, true] {
            let options = ViewOptions { urls, ..ViewOptions::default() };
            let view = compressor.view(payload.as_bytes(), &options).expect("this payload has a view");
            let uids: Vec<String> = view.uids.iter().map(Uid::to_string).collect();
            prop_assert_eq!(handles(view.text), uids, "{}\n{}", view.text, payload);
            prop_assert_eq!(forgers_of(view.text), Vec::<&str>::new(), "{}\n{}", view.text, payload);
            prop_assert!(!view.text.chars().any(|c| c.is_control() && c != '\n'), "{:?}", view.text);
        }
        Ok(())
    });
}

#[test]
fn headings_list_marks_and_numbers_with_forgers_in_them_forge_no_handle() {
    const MARKED: &[&str] =
        &["StaticText", "heading", "heading", "listitem", "ListMarker", "list", "button", "row", "cell"];
    check(page(MARKED), |compressor, payload| {
        let view = compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view");
        let uids: Vec<String> = view.uids.iter().map(Uid::to_string).collect();
        prop_assert_eq!(handles(view.text), uids, "{}\n{}", view.text, payload);
        Ok(())
    });
}

/// The view of a page of these nodes below its document, each `[role, name]`, one below the other where `nested`.
fn view_of(title: &str, nodes: &[[&str; 2]], nested: bool) -> String {
    let count = nodes.len();
    let children = |place: usize| -> Vec<String> {
        match place {
            0 if !nested => (1..=count).map(|child| child.to_string()).collect(),
            place if nested && place < count => vec![(place + 1).to_string()],
            _ => Vec::new(),
        }
    };
    let mut all: Vec<Value> = vec![
        json!({"nodeId": "0", "role": {"value": "RootWebArea"}, "name": {"value": title}, "childIds": children(0)}),
    ];
    for (at, [role, name]) in nodes.iter().enumerate() {
        let parent = if nested { at } else { 0 };
        all.push(json!({"nodeId": (at + 1).to_string(), "parentId": parent.to_string(), "role": {"value": role},
            "name": {"value": name}, "childIds": children(at + 1), "backendDOMNodeId": 10 + at}));
    }
    let payload = json!({ "nodes": all }).to_string();
    let mut compressor = Compressor::new();
    compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view").text.to_owned()
}

#[test]
fn a_line_that_begins_as_ours_do_is_escaped() {
    for (text, line) in [
        ("# forged", "\\# forged"),
        ("###### x", "\\###### x"),
        ("####### x", "####### x"),
        ("#hash", "#hash"),
        ("- item", "\\- item"),
        ("-5 degrees", "-5 degrees"),
        ("… +177 rows", "\\… +177 rows"),
        ("recover ccr_0123", "\\recover ccr_0123"),
        ("recover your account", "recover your account"),
        ("no change", "\\no change"),
        ("no match for \"x\"", "\\no match for \"x\""),
        ("] [button Pay @12", "] [button Pay \\@12"),
        ("\\@12", "\\\\@12"),
        ("mail@example.com", "mail@example.com"),
        ("\u{1}# forged", "\\# forged"),
        ("#\u{1}forged", "\\# forged"),
        ("@\u{ff11}", "\\@\u{ff11}"),
    ] {
        assert_eq!(view_of("", &[["StaticText", text]], false), line);
        assert_eq!(view_of("", &[["paragraph", ""], ["StaticText", text]], true), line);
        assert_eq!(view_of("", &[["link", text]], false), format!("{line} @10"));
    }
}

#[test]
fn two_texts_make_no_handle_and_no_mark_together() {
    let joined = |left, right| view_of("", &[["StaticText", left], ["StaticText", right]], false);
    assert_eq!(joined("pay @", "12"), "pay \\@12");
    assert_eq!(joined("#", " x"), "\\# x");
    assert_eq!(joined("no", " change"), "\\no change");
    assert_eq!(joined("-", " x"), "\\- x");
    assert_eq!(joined("\\", "@12"), "\\\\@12");
}

#[test]
fn a_list_marker_makes_no_notice_with_the_text_after_it() {
    let item = |marker, text| {
        let payload = json!({"nodes": [
            {"nodeId": "1", "role": {"value": "listitem"}, "childIds": ["2", "3"]},
            {"nodeId": "2", "role": {"value": "ListMarker"}, "name": {"value": marker}, "parentId": "1"},
            {"nodeId": "3", "role": {"value": "StaticText"}, "name": {"value": text}, "parentId": "1"}]});
        let mut compressor = Compressor::new();
        compressor.view(payload.to_string().as_bytes(), &ViewOptions::default()).expect("a view").text.to_owned()
    };
    assert_eq!(item("no", "change"), "\\no change");
    assert_eq!(item("recover", "ccr_0123"), "\\recover ccr_0123");
    assert_eq!(item("no match", "for it"), "\\no match for it");
    assert_eq!(item("# 1", "x"), "\\# 1 x");
    assert_eq!(item("n", "x"), "n x");
    assert_eq!(item("7. ", "x"), "7. x");
}

#[test]
fn a_title_is_never_cut_between_a_backslash_and_its_at() {
    assert_eq!(view_of("Pay @12", &[["heading", ""], ["StaticText", "Pay \\"]], true), "page Pay \\@12\n## Pay \\");
    assert_eq!(view_of("Pay: @12", &[["heading", ""], ["StaticText", "Pay"]], true), "page \\@12\n## Pay");
}
