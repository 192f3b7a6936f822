//! Pages made to be slow end in time linear in their size. What a step more for each pair of nodes would cost on these
//! sizes takes minutes to hours, so that ending is the proof.

use std::fmt::Write;

use axpress_core::{Compressor, ViewOptions};
use serde_json::{Value, json};

const MANY: usize = 50_000;
const DEEP: usize = 10_000;

/// A payload: a document, and nodes with the place of their parent (0 is the document).
struct Nodes(Vec<Value>, Vec<Vec<String>>);

impl Nodes {
    fn new(title: &str) -> Self {
        let mut nodes = Self(Vec::new(), Vec::new());
        nodes.add(None, "RootWebArea", title);
        nodes
    }

    fn add(&mut self, parent: impl Into<Option<usize>>, role: &str, name: &str) -> usize {
        let id = self.0.len();
        let mut node = json!({"nodeId": id.to_string(), "role": {"value": role}});
        if !name.is_empty() {
            node["name"] = json!({"value": name});
        }
        if !matches!(role, "StaticText" | "RootWebArea") {
            node["backendDOMNodeId"] = json!(id);
        }
        if let Some(parent) = parent.into() {
            node["parentId"] = json!(parent.to_string());
            self.1[parent].push(id.to_string());
        }
        self.0.push(node);
        self.1.push(Vec::new());
        id
    }

    fn property(&mut self, place: usize, name: &str, value: &Value) {
        let property = json!({"name": name, "value": value});
        match self.0[place]["properties"].as_array_mut() {
            Some(properties) => properties.push(property),
            None => self.0[place]["properties"] = json!([property]),
        }
    }

    fn view(mut self) -> String {
        for (node, children) in self.0.iter_mut().zip(self.1) {
            node["childIds"] = json!(children);
        }
        let payload = Value::Array(self.0).to_string();
        let mut compressor = Compressor::new();
        compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view").text.to_owned()
    }
}

/// One node in the other, and a text in the last.
fn nested(role: &str, name: &str, with_ids: bool, text: &str) -> String {
    let mut payload = String::from("[");
    for id in 0..DEEP {
        let backend = if with_ids { format!(r#","backendDOMNodeId":{}"#, id + 1) } else { String::new() };
        let _ = write!(
            payload,
            r#"{{"nodeId":"{id}","parentId":"{}","role":{{"value":"{role}"}},"name":{{"value":"{name}"}}{backend},"childIds":["{}"]}},"#,
            id.wrapping_sub(1),
            id + 1
        );
    }
    let _ = write!(payload, r#"{{"nodeId":"{DEEP}","role":{{"value":"StaticText"}},"name":{{"value":"{text}"}}}}]"#);
    let mut compressor = Compressor::new();
    compressor.view(payload.as_bytes(), &ViewOptions::default()).expect("this payload has a view").text.to_owned()
}

#[test]
fn nodes_nested_10_000_deep_around_a_long_text_end() {
    let long = "x".repeat(1_000_000);
    for role in [
        "generic",
        "group",
        "navigation",
        "main",
        "row",
        "cell",
        "list",
        "listitem",
        "heading",
        "table",
        "link",
        "button",
        "combobox",
        "spinbutton",
        "progressbar",
        "treeitem",
        "LabelText",
        "image",
        "Iframe",
        "status",
    ] {
        for (name, with_ids, text) in [("", true, &*long), ("", false, &long), ("n", true, &long), (":", true, ":::")] {
            let view = nested(role, name, with_ids, text);
            assert!(view.len() < 1_000_100 + 60 * DEEP, "{role} {name}: {}", view.len());
        }
    }
}

#[test]
fn a_name_of_a_megabyte_over_50_000_texts_ends() {
    for (name, text) in [("w ".repeat(500_000), "w"), ("w ".repeat(500_000), "other"), ("ab ".repeat(1_365), "b a")] {
        let mut nodes = Nodes::new("");
        let button = nodes.add(0, "button", &name);
        for _ in 0..MANY {
            nodes.add(button, "StaticText", text);
        }
        assert!(nodes.view().starts_with("button "));
    }
}

#[test]
fn a_row_of_50_000_cells_with_buttons_ends() {
    let mut nodes = Nodes::new("");
    let table = nodes.add(0, "table", "");
    let row = nodes.add(table, "row", "");
    for number in 0..MANY {
        let cell = nodes.add(row, "cell", "");
        let button = nodes.add(cell, "button", &format!("Drop {number} now"));
        nodes.add(button, "StaticText", "Drop");
    }
    assert_eq!(nodes.view().matches(" | ").count(), MANY - 1);
}

#[test]
fn buttons_named_by_many_words_in_a_row_of_many_words_end() {
    let mut nodes = Nodes::new("");
    let table = nodes.add(0, "table", "");
    let row = nodes.add(table, "row", "");
    let cell = nodes.add(row, "cell", "");
    nodes.add(cell, "StaticText", &("x ".repeat(500_000) + "a"));
    let cell = nodes.add(row, "cell", "");
    for _ in 0..10_000 {
        let button = nodes.add(cell, "button", &("a ".repeat(500) + "Drop"));
        nodes.add(button, "StaticText", "Drop");
    }
    assert_eq!(nodes.view().matches('@').count(), 10_000);
}

#[test]
fn links_nested_in_a_cell_around_a_long_text_end() {
    let mut nodes = Nodes::new("");
    let table = nodes.add(0, "table", "");
    let row = nodes.add(table, "row", "");
    let mut place = nodes.add(row, "cell", "");
    for _ in 0..MANY {
        place = nodes.add(place, "link", "n");
    }
    nodes.add(place, "StaticText", &"x".repeat(1_000_000));
    assert!(nodes.view().len() > 1_000_000);
}

#[test]
fn a_select_of_50_000_options_ends() {
    let mut nodes = Nodes::new("");
    let select = nodes.add(0, "combobox", "Line");
    for number in 0..MANY {
        nodes.add(select, "option", &format!("Line {number}"));
    }
    assert!(nodes.view().ends_with(&format!("+{} more", MANY - 10)));
}

#[test]
fn labels_and_messages_of_50_000_fields_end() {
    let mut nodes = Nodes::new("");
    let message = nodes.add(0, "paragraph", "");
    nodes.add(message, "StaticText", &"e".repeat(1_000_000));
    for number in 0..MANY {
        let label = nodes.add(0, "LabelText", "");
        nodes.add(label, "StaticText", &format!("Field {number}"));
        let field = nodes.add(0, "textbox", &format!("Field {number}"));
        let related = |id: usize| json!({"type": "nodeList", "relatedNodes": [{"backendDOMNodeId": id, "text": "t"}]});
        nodes.property(field, "labelledby", &related(label));
        nodes.property(field, "invalid", &json!({"value": "true"}));
        nodes.property(field, "errormessage", &related(message));
    }
    let text = nodes.view();
    assert_eq!(text.matches("; invalid: eee").count(), MANY);
    assert_eq!(text.matches("Field 77 ").count(), 0, "a label is said by its field");
    assert_eq!(text.matches("Field 77;").count(), 1);
}

#[test]
fn names_that_are_compared_with_a_long_text_end() {
    for (text, role) in [(":".repeat(1_000_000), "image"), ("a".repeat(1_000_000), "group")] {
        let mut nodes = Nodes::new("");
        nodes.add(0, "StaticText", &text);
        for _ in 0..MANY {
            nodes.add(0, role, &text[..10]);
        }
        assert!(nodes.view().len() >= 1_000_000);
    }
}

#[test]
fn images_and_titles_that_nearly_say_what_stands_beside_them_end() {
    let mut nodes = Nodes::new(&("a".repeat(500_000) + "b"));
    for _ in 0..16 {
        let heading = nodes.add(0, "heading", "");
        nodes.property(heading, "level", &json!({"value": 1}));
        nodes.add(heading, "StaticText", &"a".repeat(500_000));
    }
    for _ in 0..2_000 {
        nodes.add(0, "image", &"a".repeat(4_000));
        nodes.add(0, "StaticText", &("a".repeat(3_999) + "b"));
    }
    assert!(nodes.view().starts_with("page a"));
}

#[test]
fn list_numbers_and_headings_that_begin_one_another_end() {
    for roles in [["listitem", "ListMarker"], ["listitem", "heading"], ["combobox", "option"]] {
        let mut nodes = Nodes::new("");
        let mut place = 0;
        for number in 0..MANY {
            let inner = nodes.add(place, roles[number % 2], "");
            place = if roles[number % 2] == "ListMarker" { place } else { inner };
        }
        assert!(nodes.view().len() < 20 * MANY);
    }
}
