//! Small pages written as trees: their payloads, with a backend id for every node.

use serde_json::{Value, json};

/// A node of a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its role, as Chrome spells it.
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its value; none where it is empty.
    pub value: String,
    /// Properties of type boolean that are true, and others as `name=value`.
    pub properties: Vec<String>,
    /// What stands below it.
    pub children: Vec<Page>,
}

/// A node of this role and name, with these below it.
#[must_use]
pub fn node(role: &str, name: &str, children: impl IntoIterator<Item = Page>) -> Page {
    let children = children.into_iter().collect();
    Page { role: role.to_owned(), name: name.to_owned(), value: String::new(), properties: Vec::new(), children }
}

/// A text of the page.
#[must_use]
pub fn text(text: &str) -> Page {
    node("StaticText", text, [])
}

/// A paragraph of text.
#[must_use]
pub fn paragraph(said: &str) -> Page {
    node("paragraph", "", [text(said)])
}

/// A node that is named by the text in it: a button, a link, a heading.
#[must_use]
pub fn named(role: &str, name: &str) -> Page {
    node(role, name, [text(name)])
}

/// A list item, a cell or another node that has no name and this text.
#[must_use]
pub fn said(role: &str, said: &str) -> Page {
    node(role, "", [text(said)])
}

impl Page {
    /// With this property: `modal`, or `invalid=true`.
    #[must_use]
    pub fn with(mut self, property: &str) -> Self {
        self.properties.push(property.to_owned());
        self
    }

    /// With this value.
    #[must_use]
    pub fn value(mut self, value: &str) -> Self {
        value.clone_into(&mut self.value);
        self
    }

    /// Its payload: nodes in the order of the page, numbered from 1.
    #[must_use]
    pub fn payload(&self) -> Vec<u8> {
        let mut nodes: Vec<Value> = Vec::new();
        // Depth first without recursion: a page may be deep.
        let mut open = vec![(self, None::<usize>)];
        while let Some((page, parent)) = open.pop() {
            let id = nodes.len() + 1;
            let properties: Vec<Value> = page.properties.iter().map(|property| property_of(property)).collect();
            let mut node = json!({
                "nodeId": id.to_string(), "ignored": false, "backendDOMNodeId": id, "childIds": [],
                "role": {"type": "role", "value": page.role},
                "name": {"type": "computedString", "value": page.name},
                "properties": properties,
            });
            if !page.value.is_empty() {
                node["value"] = json!({"type": "string", "value": page.value});
            }
            if let Some(parent) = parent {
                node["parentId"] = json!((parent + 1).to_string());
                if let Some(children) = nodes[parent]["childIds"].as_array_mut() {
                    children.push(json!(id.to_string()));
                }
            }
            nodes.push(node);
            open.extend(page.children.iter().rev().map(|child| (child, Some(id - 1))));
        }
        json!({ "nodes": nodes }).to_string().into_bytes()
    }
}

fn property_of(property: &str) -> Value {
    match property.split_once('=') {
        Some((name, value)) => json!({"name": name, "value": {"type": "token", "value": value}}),
        None => json!({"name": property, "value": {"type": "boolean", "value": true}}),
    }
}
