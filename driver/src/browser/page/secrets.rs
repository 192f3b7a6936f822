//! Finds the fields whose values are never said: passwords, one-time codes, card numbers.
//!
//! Chrome's search finds them in every shadow tree, open or closed, and in every frame of the session. It also finds text
//! that looks like the search, so that what it finds is checked. A field that once was one stays one, since a page may
//! show a password.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use crate::browser::cdp::{CallFailure, Session};

const SEARCH: &str = "input[type=\"password\" i], [autocomplete*=\"password\" i], [autocomplete*=\"one-time-code\" i], \
                      [autocomplete*=\"cc-\" i]";
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
}

impl Node {
    fn is_secret(&self) -> bool {
        if !["INPUT", "TEXTAREA", "SELECT"].contains(&self.name.to_ascii_uppercase().as_str()) {
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

/// The backend ids of the fields of all frames of a session.
pub(crate) async fn find(session: &Session, deadline: Instant) -> Result<HashSet<u64>, CallFailure> {
    // The search needs a document to begin with, and the document needs the domain. Both are let go of at the end, since
    // Chrome reports every change of what it has told of.
    session.post("DOM.enable", json!({}));
    session.post("DOM.getDocument", json!({"depth": 0}));
    let search = json!({"query": SEARCH, "includeUserAgentShadowDOM": false});
    let found: Found = session.ask("DOM.performSearch", search, deadline).await?;
    let secrets = describe(session, &found, deadline).await;
    session.post("DOM.discardSearchResults", json!({"searchId": found.search_id}));
    session.post("DOM.disable", json!({}));
    secrets
}

async fn describe(session: &Session, found: &Found, deadline: Instant) -> Result<HashSet<u64>, CallFailure> {
    if found.result_count == 0 {
        return Ok(HashSet::new());
    }
    let all = json!({"searchId": found.search_id, "fromIndex": 0, "toIndex": found.result_count});
    let results: Results = session.ask("DOM.getSearchResults", all, deadline).await?;
    let mut secrets = HashSet::new();
    for some in results.node_ids.chunks(AT_ONCE) {
        let described = some.iter().map(|node| session.ask("DOM.describeNode", json!({"nodeId": node}), deadline));
        for described in join_all(described).await {
            match described {
                Ok(Described { node }) if node.is_secret() => drop(secrets.insert(node.backend_node_id)),
                // One that went meanwhile has no value to keep.
                Ok(_) | Err(CallFailure::Refused { .. }) => {}
                Err(failure) => return Err(failure),
            }
        }
    }
    Ok(secrets)
}

#[cfg(test)]
mod tests {
    use super::{Node, is_secret_autocomplete};

    fn node(name: &str, attributes: &[&str]) -> Node {
        let attributes = attributes.iter().map(|&text| text.to_owned()).collect();
        Node { backend_node_id: 1, name: name.to_owned(), attributes }
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
