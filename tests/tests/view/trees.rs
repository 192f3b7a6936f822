//! Generated pages: any role below any other, with names and texts that are all different, so that each can be told in
//! the view.

use std::fmt::Write;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

/// Roles of every kind, those of real pages more often.
const ROLES: &[&str] = &[
    "StaticText",
    "StaticText",
    "StaticText",
    "StaticText",
    "StaticText",
    "StaticText",
    "generic",
    "generic",
    "generic",
    "paragraph",
    "link",
    "link",
    "button",
    "button",
    "list",
    "listitem",
    "listitem",
    "ListMarker",
    "heading",
    "heading",
    "table",
    "row",
    "row",
    "cell",
    "cell",
    "gridcell",
    "columnheader",
    "group",
    "region",
    "navigation",
    "main",
    "contentinfo",
    "dialog",
    "alert",
    "status",
    "textbox",
    "combobox",
    "option",
    "option",
    "listbox",
    "MenuListPopup",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "tab",
    "tablist",
    "tabpanel",
    "menu",
    "menuitem",
    "menuitemradio",
    "tree",
    "treeitem",
    "DisclosureTriangle",
    "Date",
    "ColorWell",
    "image",
    "LineBreak",
    "strong",
    "emphasis",
    "code",
    "superscript",
    "LabelText",
    "caption",
    "Legend",
    "figure",
    "Figcaption",
    "progressbar",
    "meter",
    "Canvas",
    "Iframe",
    "none",
    "ZzzRole",
    "rowgroup",
    "article",
    "form",
    "MathMLMath",
    "InlineTextBox",
    "log",
];

/// What a node is named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// Nothing.
    Nothing,
    /// Words of its own.
    Own,
    /// The texts below it.
    Content,
    /// The texts below it, and words of its own before or after.
    Before,
    After,
    /// The first text below it.
    First,
}

#[derive(Clone, Debug)]
struct Sketch {
    role: &'static str,
    named: Named,
    parent: Index,
    flags: u32,
    spaced: u8,
    level: u8,
}

fn sketch(roles: &'static [&'static str]) -> impl Strategy<Value = Sketch> {
    use Named::{After, Before, Content, First, Nothing, Own};
    let named = select(&[Nothing, Nothing, Nothing, Own, Own, Content, Content, Before, After, First][..]);
    (select(roles), named, any::<Index>(), any::<u32>(), 0..8_u8, 1..8_u8)
        .prop_map(|(role, named, parent, flags, spaced, level)| Sketch { role, named, parent, flags, spaced, level })
}

/// A page: the payload of a proper tree below a document.
pub(crate) fn page() -> impl Strategy<Value = String> {
    vec(sketch(ROLES), 1..40).prop_map(|sketches| write(&sketches, true))
}

/// A page of text alone: no controls, no names, nothing that could say a text in its place.
pub(crate) fn prose() -> impl Strategy<Value = String> {
    const PROSE: &[&str] = &[
        "StaticText",
        "StaticText",
        "StaticText",
        "generic",
        "paragraph",
        "list",
        "listitem",
        "listitem",
        "heading",
        "table",
        "row",
        "cell",
        "cell",
        "group",
        "region",
        "LineBreak",
        "strong",
        "code",
        "superscript",
        "rowgroup",
        "article",
        "ZzzRole",
        "none",
        "InlineTextBox",
        "LabelText",
        "Figcaption",
        "ListMarker",
    ];
    vec(sketch(PROSE), 1..40).prop_map(|sketches| write(&sketches, false))
}

/// The role of each node, the document's first: numbers stand in list items alone, and no option in another.
fn roles(sketches: &[Sketch], parents: &[Option<usize>]) -> Vec<&'static str> {
    let mut roles = vec!["RootWebArea"];
    for (at, sketch) in sketches.iter().enumerate() {
        let above = |place: usize| parents[place];
        let mut ancestors = std::iter::successors(above(at + 1), |&place| above(place));
        let role = match sketch.role {
            "ListMarker" if above(at + 1).is_none_or(|parent| roles[parent] != "listitem") => "StaticText",
            "option" if ancestors.any(|place| roles[place] == "option") => "generic",
            role => role,
        };
        roles.push(role);
    }
    roles
}

/// The nodes as Chrome writes them; where `named`, with names, values and states.
fn write(sketches: &[Sketch], named: bool) -> String {
    let count = sketches.len() + 1;
    let mut parents = vec![None];
    for (at, sketch) in sketches.iter().enumerate() {
        // Mostly among the last nodes, so that trees are deep as well as wide.
        let back = sketch.parent.index((at + 1).min(6));
        parents.push(Some(at - back));
    }
    let roles = roles(sketches, &parents);
    let text = |place: usize| {
        let sketch = &sketches[place - 1];
        let words = ["t{}", "t{} t{}b", "T{} t{}b t{}c", "t{}, t{}b"][usize::from(sketch.level % 4)];
        let words = words.replace("{}", &place.to_string());
        match sketch.spaced {
            0 => format!(" {words}"),
            1 => format!("{words} "),
            2 => words.replace(' ', "\n"),
            _ => words,
        }
    };
    let children_of = |place: usize| (0..count).filter(|&child| parents[child] == Some(place)).collect::<Vec<_>>();
    let below = |place: usize| {
        let (mut order, mut stack) = (Vec::new(), children_of(place));
        stack.reverse();
        while let Some(next) = stack.pop() {
            order.push(next);
            stack.extend(children_of(next).into_iter().rev());
        }
        order
    };
    let mut nodes = Vec::new();
    for place in 0..count {
        let children: Vec<String> = children_of(place).iter().map(ToString::to_string).collect();
        let mut node = json!({"nodeId": place.to_string(), "ignored": false, "childIds": children});
        if let Some(parent) = parents[place] {
            node["parentId"] = json!(parent.to_string());
        }
        let Some(sketch) = place.checked_sub(1).and_then(|place| sketches.get(place)) else {
            node["role"] = json!({"type": "internalRole", "value": "RootWebArea"});
            node["backendDOMNodeId"] = json!(1000);
            nodes.push(node);
            continue;
        };
        let role = roles[place];
        node["role"] = json!({"type": "role", "value": role});
        if sketch.flags & 0xf != 0 && role != "StaticText" && role != "InlineTextBox" {
            node["backendDOMNodeId"] = json!(1000 + place);
        }
        let name = match (role, sketch.named) {
            ("StaticText", _) => text(place),
            ("ListMarker", _) => format!("m{place}."),
            (_, Named::Nothing) => String::new(),
            _ if !named => String::new(),
            (_, how) => {
                let texts = below(place).into_iter().filter(|&at| roles[at] == "StaticText").map(&text);
                let content: Vec<String> = match how {
                    Named::Own => Vec::new(),
                    Named::First => texts.take(1).collect(),
                    _ => texts.collect(),
                };
                let content = content.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
                match how {
                    Named::Own => format!("n{place}"),
                    Named::Before => format!("n{place} {content}"),
                    Named::After => format!("{content} n{place}"),
                    _ => content,
                }
            }
        };
        node["name"] = json!({"type": "computedString", "value": name});
        node["ignored"] = json!(sketch.flags >> 4 & 0xf == 0 && role != "StaticText");
        node["properties"] =
            if named { states(sketch) } else { json!([{"name": "level", "value": {"value": sketch.level}}]) };
        if named && sketch.flags >> 8 & 3 == 0 && role != "StaticText" {
            let mut value = format!("v{place}");
            if sketch.flags >> 10 & 3 == 0 {
                let _ = write!(value, "\nv{place}b");
            }
            node["value"] = json!({"type": "string", "value": value});
        }
        nodes.push(node);
    }
    json!({ "nodes": nodes }).to_string()
}

fn states(sketch: &Sketch) -> Value {
    const STATES: [(&str, &str); 8] = [
        ("focusable", "true"),
        ("disabled", "true"),
        ("checked", "mixed"),
        ("expanded", "true"),
        ("expanded", "false"),
        ("selected", "true"),
        ("invalid", "true"),
        ("focused", "true"),
    ];
    let mut properties = vec![json!({"name": "level", "value": {"type": "integer", "value": sketch.level}})];
    for (bit, (name, value)) in STATES.iter().enumerate() {
        if sketch.flags >> (12 + 2 * bit) & 3 == 0 {
            let value = if *value == "mixed" { json!("mixed") } else { json!(*value == "true") };
            properties.push(json!({"name": name, "value": {"type": "booleanOrUndefined", "value": value}}));
        }
    }
    Value::Array(properties)
}

/// The texts and numbers of a payload that `prose` made, in reading order.
pub(crate) fn texts(payload: &str) -> Vec<String> {
    let page: Value = serde_json::from_str(payload).expect("the payload is JSON");
    let (mut stack, mut texts) = (vec![0], Vec::new());
    while let Some(place) = stack.pop() {
        let node = &page["nodes"][place];
        let role = node["role"]["value"].as_str();
        if role == Some("InlineTextBox") {
            continue;
        }
        let said = role == Some("StaticText") || role == Some("ListMarker") && node["ignored"] == false;
        texts.extend(node["name"]["value"].as_str().filter(|_| said).map(str::to_owned));
        let children = node["childIds"].as_array().map_or(&[] as &[Value], Vec::as_slice);
        stack.extend(children.iter().rev().filter_map(|child| child.as_str()?.parse::<usize>().ok()));
    }
    texts
}
