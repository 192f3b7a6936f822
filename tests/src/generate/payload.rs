//! Nodes in document order, written as Chromium orders and writes them: level by level.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;

/// Where a node stands in the payload that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

/// Stands in a body for the backend id of the node that the body is about (a label, a caption). No JSON text can hold
/// it raw.
pub(super) const RELATED: char = '\u{1}';

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Has the next of the ids that come after those of the texts.
    Element,
    /// A text node: Chromium numbers these first.
    Text,
    /// A line of a text: no node of the DOM, a negative id, no backend id.
    TextBox,
}

struct Node {
    kind: Kind,
    /// All between the node's id and its parent's, without the commas.
    body: String,
    parent: Option<Place>,
    children: Vec<Place>,
    about: Option<Place>,
}

/// A payload in the making. Nodes are added in document order, parents before their children.
pub(super) struct Payload {
    nodes: Vec<Node>,
}

impl Payload {
    /// The document's node.
    pub(super) const ROOT: Place = Place(0);

    pub(super) fn new(document: String) -> Self {
        Self {
            nodes: vec![Node { kind: Kind::Element, body: document, parent: None, children: Vec::new(), about: None }],
        }
    }

    pub(super) fn element(&mut self, parent: Place, body: String) -> Place {
        self.add(Kind::Element, parent, body)
    }

    /// An element whose body names another node.
    pub(super) fn element_about(&mut self, parent: Place, body: String, about: Place) -> Place {
        let place = self.element(parent, body);
        self.set_about(place, about);
        place
    }

    pub(super) fn set_about(&mut self, place: Place, about: Place) {
        self.nodes[place.0].about = Some(about);
    }

    pub(super) fn text(&mut self, parent: Place, body: String) -> Place {
        self.add(Kind::Text, parent, body)
    }

    pub(super) fn text_box(&mut self, parent: Place, body: String) -> Place {
        self.add(Kind::TextBox, parent, body)
    }

    fn add(&mut self, kind: Kind, parent: Place, body: String) -> Place {
        let place = Place(self.nodes.len());
        self.nodes.push(Node { kind, body, parent: Some(parent), children: Vec::new(), about: None });
        self.nodes[parent.0].children.push(place);
        place
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let ids = self.ids();
        let (mut order, mut waiting) = (Vec::new(), VecDeque::from([Self::ROOT]));
        while let Some(place) = waiting.pop_front() {
            order.push(place);
            let node = &self.nodes[place.0];
            if node.body.starts_with("\"ignored\":true") {
                // What an ignored node holds comes directly after it, as if it stood on its level.
                node.children.iter().rev().for_each(|child| waiting.push_front(*child));
            } else {
                waiting.extend(&node.children);
            }
        }
        let mut payload = String::from("{\"nodes\":[");
        for (count, place) in order.iter().enumerate() {
            if count > 0 {
                payload.push(',');
            }
            self.write_node(&mut payload, *place, &ids);
        }
        payload.push_str("]}");
        payload.into_bytes()
    }

    fn write_node(&self, payload: &mut String, place: Place, ids: &[i64]) {
        let node = &self.nodes[place.0];
        let about = node.about.map_or(0, |about| ids[about.0]).to_string();
        let body = node.body.replace(RELATED, &about);
        let written = (|| {
            write!(payload, "{{\"nodeId\":\"{}\",{body}", ids[place.0])?;
            if let Some(parent) = node.parent {
                write!(payload, ",\"parentId\":\"{}\"", ids[parent.0])?;
            }
            payload.push_str(",\"childIds\":[");
            for (count, child) in node.children.iter().enumerate() {
                write!(payload, "{}\"{}\"", if count > 0 { "," } else { "" }, ids[child.0])?;
            }
            payload.push(']');
            if node.kind != Kind::TextBox {
                write!(payload, ",\"backendDOMNodeId\":{}", ids[place.0])?;
            }
            if node.parent.is_none() {
                payload.push_str(",\"frameId\":\"00000000000000000000000000000000\"");
            }
            payload.push('}');
            std::fmt::Result::Ok(())
        })();
        written.expect("a String takes all that is written");
    }

    fn ids(&self) -> Vec<i64> {
        let texts = self.nodes.iter().filter(|node| node.kind == Kind::Text).count();
        let (mut text, mut element, mut text_box) = (2, 2 + i64::try_from(texts).unwrap_or(i64::MAX), -1_000_000_001);
        let take = |counter: &mut i64, step: i64| {
            let id = *counter;
            *counter += step;
            id
        };
        let id_of = |node: &Node| match node.kind {
            Kind::Text => take(&mut text, 1),
            Kind::Element => take(&mut element, 1),
            Kind::TextBox => take(&mut text_box, -1),
        };
        self.nodes.iter().map(id_of).collect()
    }
}

/// The payload with each id (of nodes, backend nodes and frames) replaced by the order in which it first appears, and
/// every other byte as it is. A node id and the backend id of the same digits count as the same id.
#[must_use]
pub fn with_numbered_ids(payload: &str) -> String {
    // Split at the part that all of them have, so that one search finds them all.
    const KEYS: [(&str, &str); 5] = [
        ("\"node", "Id\":\""),
        ("\"parent", "Id\":\""),
        ("\"frame", "Id\":\""),
        ("\"backendDOMNode", "Id\":"),
        ("\"child", "Ids\":["),
    ];
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut result = String::with_capacity(payload.len());
    let mut rest = payload;
    while let Some(at) = rest.find("Id") {
        // The quotes of a key can't be part of a text: there they are escaped.
        let key = KEYS.iter().find(|(start, end)| rest[..at].ends_with(start) && rest[at..].starts_with(end));
        let (before, after) = rest.split_at(at + key.map_or("Id".len(), |(_, end)| end.len()));
        result.push_str(before);
        rest = after;
        if key.is_none() {
            continue;
        }
        let list = before.ends_with('[');
        let end = after.find(if list { &[']'][..] } else { &['"', ',', '}'][..] }).unwrap_or(after.len());
        let (ids, remaining) = after.split_at(end);
        for (count, id) in ids.split(',').enumerate() {
            if count > 0 {
                result.push(',');
            }
            let id = id.trim_matches('"');
            if !id.is_empty() {
                let next = numbers.len();
                result.push_str(&numbers.entry(id).or_insert(next).to_string());
            }
        }
        rest = remaining;
    }
    result.push_str(rest);
    result
}
