//! Finds the fields whose values are never said: passwords, one-time codes, card numbers.
//!
//! Chrome's search finds them in every shadow tree, open or closed, and in every frame of the session. It also finds text
//! that looks like the search, so that what it finds is checked. A field that once was one stays one, since a page may
//! show a password.
//!
//! The same search finds the labels that are drawn for file fields that are not: a tree has neither the field, nor anything
//! of such a label that could be acted on.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::browser::cdp::{CallFailure, Session};

const SEARCH: &str = "input[type=\"password\" i], [autocomplete*=\"password\" i], [autocomplete*=\"one-time-code\" i], \
                      [autocomplete*=\"cc-\" i], label:has(input[type=\"file\" i]), input[type=\"file\" i][id]";
/// File fields and labels of a session that are looked at.
const MOST_FILES: usize = 50;
/// Nodes that are described at once.
const AT_ONCE: usize = 500;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Found {
    search_id: String,
    result_count: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Results {
    node_ids: Vec<u64>,
}

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    backend_node_id: u64,
    #[serde(rename = "nodeName", default)]
    name: String,
    #[serde(default)]
    attributes: Vec<String>,
    #[serde(default)]
    children: Vec<Node>,
}

/// What must be known of a session's fields beside their tree, by backend ids.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    /// Those whose values are never said.
    pub(crate) secrets: HashSet<u64>,
    /// Labels that stand for file fields that are not drawn.
    pub(crate) stand_ins: HashSet<u64>,
}

impl Node {
    fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let mut pairs = self.attributes.chunks_exact(2);
        pairs.find(|pair| pair[0] == name).map(|pair| pair[1].as_str())
    }

    fn is_file_field(&self) -> bool {
        self.is("input") && self.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("file"))
    }

    /// The first file field below it.
    fn file_field(&self) -> Option<u64> {
        let mut open: Vec<&Self> = self.children.iter().rev().collect();
        while let Some(node) = open.pop() {
            if node.is_file_field() {
                return Some(node.backend_node_id);
            }
            open.extend(node.children.iter().rev());
        }
        None
    }

    fn is_secret(&self) -> bool {
        if !["input", "textarea", "select"].iter().any(|name| self.is(name)) {
            return false;
        }
        self.attributes.chunks_exact(2).any(|attribute| match (attribute[0].as_str(), &attribute[1]) {
            ("type", value) => value.eq_ignore_ascii_case("password"),
            ("autocomplete", value) => is_secret_autocomplete(value),
            _ => false,
        })
    }
}

/// Whether an `autocomplete` attribute says that the field holds a secret.
pub(crate) fn is_secret_autocomplete(value: &str) -> bool {
    value
        .to_ascii_lowercase()
        .split_ascii_whitespace()
        .any(|token| matches!(token, "current-password" | "new-password" | "one-time-code") || token.starts_with("cc-"))
}

/// The fields of all frames of a session.
pub(crate) async fn find(session: &Session, deadline: Instant) -> Result<Fields, CallFailure> {
    // The search needs a document to begin with, and the document needs the domain. Both are let go of at the end, since
    // Chrome reports every change of what it has told of.
    session.post("DOM.enable", json!({}));
    session.post("DOM.getDocument", json!({"depth": 0}));
    let fields = async {
        let mut fields = Fields::default();
        let mut files = Vec::new();
        for node in search(session, SEARCH, deadline).await? {
            if node.is_secret() {
                fields.secrets.insert(node.backend_node_id);
            }
            if node.is("label") || node.is_file_field() {
                files.push(node);
            }
        }
        for node in files.into_iter().take(MOST_FILES) {
            stand_ins(session, &node, &mut fields.stand_ins, deadline).await?;
        }
        Ok(fields)
    };
    let fields = fields.await;
    session.post("DOM.disable", json!({}));
    fields
}

/// The nodes that a selector finds, without what is in them; also text that looks like the selector.
async fn search(session: &Session, selector: &str, deadline: Instant) -> Result<Vec<Node>, CallFailure> {
    let search = json!({"query": selector, "includeUserAgentShadowDOM": false});
    let found: Found = session.ask("DOM.performSearch", search, deadline).await?;
    let nodes = describe(session, &found, deadline).await;
    session.post("DOM.discardSearchResults", json!({"searchId": found.search_id}));
    nodes
}

async fn describe(session: &Session, found: &Found, deadline: Instant) -> Result<Vec<Node>, CallFailure> {
    if found.result_count == 0 {
        return Ok(Vec::new());
    }
    let all = json!({"searchId": found.search_id, "fromIndex": 0, "toIndex": found.result_count});
    let results: Results = session.ask("DOM.getSearchResults", all, deadline).await?;
    let mut nodes = Vec::new();
    for some in results.node_ids.chunks(AT_ONCE) {
        let described = some.iter().map(|node| session.ask("DOM.describeNode", json!({"nodeId": node}), deadline));
        for described in join_all(described).await {
            match described {
                Ok(Described { node }) => nodes.push(node),
                // One that went meanwhile has no value to keep.
                Err(CallFailure::Refused { .. }) => {}
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(nodes)
}

/// Adds the labels that stand for a file field that is not drawn: the label that holds it, or those that are for it.
async fn stand_ins(
    session: &Session,
    node: &Node,
    found: &mut HashSet<u64>,
    deadline: Instant,
) -> Result<(), CallFailure> {
    if node.is("label") {
        let whole = json!({"backendNodeId": node.backend_node_id, "depth": -1});
        let field = match session.ask("DOM.describeNode", whole, deadline).await {
            Ok(Described { node }) => node.file_field(),
            Err(CallFailure::Refused { .. }) => None,
            Err(failure) => return Err(failure),
        };
        if let Some(field) = field
            && !is_drawn(session, field, deadline).await?
        {
            found.insert(node.backend_node_id);
        }
        return Ok(());
    }
    let Some(id) = node.attribute("id").filter(|id| !id.is_empty() && !id.contains(char::is_control)) else {
        return Ok(());
    };
    if !is_drawn(session, node.backend_node_id, deadline).await? {
        let labels = format!("label[for=\"{}\"]", id.replace('\\', "\\\\").replace('"', "\\\""));
        let labels = search(session, &labels, deadline).await?;
        let of_it = |label: &Node| label.is("label") && label.attribute("for") == Some(id);
        found.extend(labels.iter().filter(|label| of_it(label)).map(|label| label.backend_node_id));
    }
    Ok(())
}

/// Whether a node has a box.
async fn is_drawn(session: &Session, node: u64, deadline: Instant) -> Result<bool, CallFailure> {
    match session.call("DOM.getBoxModel", json!({"backendNodeId": node}), deadline).await {
        Ok(_) => Ok(true),
        Err(CallFailure::Refused { .. }) => Ok(false),
        Err(failure) => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, is_secret_autocomplete};

    fn node(name: &str, attributes: &[&str]) -> Node {
        let attributes = attributes.iter().map(|&text| text.to_owned()).collect();
        Node { backend_node_id: 1, name: name.to_owned(), attributes, children: Vec::new() }
    }

    #[test]
    fn only_fields_are_secret_and_only_by_their_type_or_autocomplete() {
        assert!(node("INPUT", &["id", "x", "type", "PassWord"]).is_secret());
        assert!(node("input", &["autocomplete", "section-a cc-number"]).is_secret());
        assert!(node("TEXTAREA", &["autocomplete", "One-Time-Code"]).is_secret());
        assert!(!node("INPUT", &["type", "text", "name", "password"]).is_secret());
        assert!(!node("A", &["type", "password"]).is_secret());
        assert!(!node("INPUT", &["placeholder", "type", "password", "text"]).is_secret());
    }

    #[test]
    fn the_tokens_of_autocomplete_are_read_one_by_one() {
        for value in ["current-password", "new-password webauthn", "billing cc-csc"] {
            assert!(is_secret_autocomplete(value), "{value}");
        }
        for value in ["", "off", "username", "current-passwords", "acc-number"] {
            assert!(!is_secret_autocomplete(value), "{value}");
        }
    }
}
