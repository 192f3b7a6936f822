//! What a view must keep true, checked the plain way: from the payload as JSON and the view as text.
//!
//! Written from the view's contract and not from its code: nothing here knows how a view is made. What a page repeats
//! can't be told apart by its text, so texts are looked for near their place in reading order; where all texts differ,
//! as in generated pages, that is exact.

use std::collections::{HashMap, HashSet};

use axpress_core::View;
use serde_json::Value;

/// Roles that are controls.
pub const CONTROLS: [&str; 23] = [
    "link",
    "button",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "option",
    "checkbox",
    "radio",
    "switch",
    "slider",
    "spinbutton",
    "tab",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "treeitem",
    "DisclosureTriangle",
    "DisclosureTriangleGrouped",
    "ColorWell",
    "Date",
    "DateTime",
    "InputTime",
];
/// Never have a handle.
const WITHOUT: [&str; 6] =
    ["RootWebArea", "Iframe", "IframePresentational", "StaticText", "LineBreak", "InlineTextBox"];
/// Never printed: what they hold stands in their place.
const PASSED: [&str; 4] = ["none", "presentation", "MenuListPopup", "rowgroup"];
/// How far from its place in reading order a text may stand, in characters that are not white space: a name comes before
/// what it holds, and names are repeated.
const BEHIND: usize = 400;
const AHEAD: usize = 4000;

/// A node that is reached from a root, in reading order.
#[derive(Debug)]
struct Reached<'a> {
    node: &'a Value,
    /// The nearest node above it that is not ignored: its place in reading order.
    above: Option<usize>,
}

/// What of the contract this view of this payload breaks, a sentence each.
///
/// # Panics
/// Where the payload is no JSON: lone halves of surrogate pairs are none to this reader.
#[must_use]
pub fn broken(payload: &[u8], view: &View<'_>) -> Vec<String> {
    let page: Value = serde_json::from_slice(payload).expect("the payload is JSON");
    let reached = reading_order(&page);
    let mut broken = Vec::new();
    let handles = handles(view.text);
    let told: Vec<String> = view.uids.iter().map(ToString::to_string).collect();
    let printed: Vec<&str> = handles.iter().map(|handle| handle.uid).collect();
    if told != printed {
        broken.push(format!("the text has the handles {printed:?}, its table {told:?}"));
    }
    check_handles(&reached, &handles, &mut broken);
    check_options(&reached, &handles, &mut broken);
    check_texts(&reached, view.text, &mut broken);
    broken
}

/// Not ignored, reached from a root, in reading order; nothing below an inline text box.
fn reading_order(page: &Value) -> Vec<Reached<'_>> {
    let nodes: &[Value] =
        page.as_array().or_else(|| page.get("nodes").and_then(Value::as_array)).map_or(&[], Vec::as_slice);
    let mut by_id: HashMap<&str, &Value> = HashMap::new();
    for node in nodes {
        by_id.entry(text_of(&node["nodeId"])).or_insert(node);
    }
    let is_root = |node: &&Value| {
        let parent = node["parentId"].as_str();
        parent.is_none_or(|parent| !by_id.contains_key(parent))
    };
    let mut stack: Vec<(&Value, Option<usize>)> = nodes.iter().filter(is_root).map(|node| (node, None)).collect();
    if stack.is_empty() {
        stack.extend(nodes.first().map(|node| (node, None)));
    }
    stack.reverse();
    let (mut seen, mut reached) = (HashSet::new(), Vec::new());
    while let Some((node, above)) = stack.pop() {
        let id = text_of(&node["nodeId"]);
        if role(node) == "InlineTextBox" || !std::ptr::eq(by_id[id], node) || !seen.insert(id) {
            continue;
        }
        let mut below = above;
        if node["ignored"] != Value::Bool(true) {
            below = Some(reached.len());
            reached.push(Reached { node, above });
        }
        let children = node["childIds"].as_array().map_or(&[] as &[Value], Vec::as_slice);
        stack.extend(children.iter().rev().filter_map(|id| by_id.get(text_of(id))).map(|&child| (child, below)));
    }
    reached
}

/// A handle of a view: its uid, and the line on which it stands.
#[derive(Debug)]
struct Handle<'a> {
    uid: &'a str,
    line: &'a str,
}

/// `@` and a number, where no `\` stands before it.
fn handles(text: &str) -> Vec<Handle<'_>> {
    let mut found = Vec::new();
    for line in text.split('\n') {
        for (at, _) in line.match_indices('@') {
            let rest = &line[at + 1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
            let uid = rest[..digits].trim_end_matches('.');
            if !uid.is_empty() && !line[..at].ends_with('\\') {
                found.push(Handle { uid, line });
            }
        }
    }
    found
}

/// Every control has its handle once, in reading order, with its name on its line; nothing else has one but what can
/// take the focus or is edited.
fn check_handles(reached: &[Reached<'_>], handles: &[Handle<'_>], broken: &mut Vec<String>) {
    let mut times: HashMap<&str, usize> = HashMap::new();
    for handle in handles {
        *times.entry(handle.uid).or_default() += 1;
    }
    let mut ids: HashMap<u64, usize> = HashMap::new();
    for backend in reached.iter().filter_map(|reached| backend(reached.node)) {
        *ids.entry(backend).or_default() += 1;
    }
    let mut expected = Vec::new();
    let mut allowed = HashSet::new();
    for (place, Reached { node, .. }) in reached.iter().enumerate() {
        let Some(id) = backend(node).filter(|_| !WITHOUT.contains(&role(node))) else { continue };
        let control = CONTROLS.contains(&role(node));
        let focusable = is_focusable(node);
        let editable = property(node, "editable").is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
        if control || focusable || editable {
            allowed.insert(id.to_string());
        }
        if !(control || focusable) || ids[&id] > 1 || select_above(reached, place).is_some() {
            continue;
        }
        let uid = id.to_string();
        match times.get(uid.as_str()) {
            Some(1) => expected.push(uid.clone()),
            count => broken.push(format!("{} @{uid} has its handle {} times", role(node), count.unwrap_or(&0))),
        }
        let Some(handle) = handles.iter().find(|handle| handle.uid == uid).filter(|_| control) else { continue };
        for word in words(text_of(&node["name"]["value"])) {
            if !handle.line.contains(word.as_str()) {
                broken.push(format!("{} @{uid}: its line lacks {word:?} of its name: {:?}", role(node), handle.line));
            }
        }
    }
    let wasted = handles.iter().map(|handle| handle.uid).filter(|&uid| !allowed.contains(uid));
    broken.extend(wasted.map(|uid| format!("@{uid} can't be acted on")));
    let order: Vec<&str> = handles.iter().map(|handle| handle.uid).collect();
    let order: Vec<&str> = order.into_iter().filter(|&uid| expected.iter().any(|known| known == uid)).collect();
    if let Some(at) = (0..order.len().min(expected.len())).find(|&at| order[at] != expected[at]) {
        broken.push(format!("@{} stands where @{} should", order[at], expected[at]));
    }
}

/// The closed select in which this node stands: a combo box that is not open and has options alone below it.
fn select_above(reached: &[Reached<'_>], place: usize) -> Option<usize> {
    let mut at = reached[place].above?;
    while role(reached[at].node) != "combobox" {
        at = reached[at].above?;
    }
    is_select(reached, at).then_some(at)
}

fn is_select(reached: &[Reached<'_>], place: usize) -> bool {
    let below = |mut at: usize| {
        while let Some(above) = reached[at].above {
            if above == place {
                return true;
            }
            at = above;
        }
        false
    };
    let acts = |node: &Value| {
        role(node) != "option"
            && (CONTROLS.contains(&role(node))
                || is_focusable(node) && backend(node).is_some() && !WITHOUT.contains(&role(node)))
    };
    let acting = (place + 1..reached.len()).take_while(|&at| below(at)).any(|at| acts(reached[at].node));
    // What only groups stands for what it holds.
    let passed = |mut at: usize| {
        while let Some(above) = reached[at].above.filter(|&above| PASSED.contains(&role(reached[above].node))) {
            at = above;
        }
        reached[at].above
    };
    let direct = (place + 1..reached.len())
        .any(|at| matches!(role(reached[at].node), "option" | "group") && passed(at) == Some(place));
    property(reached[place].node, "expanded") != Some(&Value::Bool(true)) && direct && !acting
}

/// The options of a closed select stand after it, or are counted.
fn check_options(reached: &[Reached<'_>], handles: &[Handle<'_>], broken: &mut Vec<String>) {
    for (place, Reached { node, .. }) in reached.iter().enumerate() {
        if role(node) != "option" {
            continue;
        }
        let Some(select) = select_above(reached, place) else { continue };
        let Some(id) = backend(reached[select].node).map(|id| id.to_string()) else { continue };
        let Some(handle) = handles.iter().find(|handle| handle.uid == id) else { continue };
        let end = handle.line.find(&format!("@{id}: ")).map_or(handle.line.len(), |at| at + id.len() + 3);
        let options = &handle.line[end..];
        for word in words(text_of(&node["name"]["value"])) {
            if !options.contains(word.as_str()) && !options.contains(" more") {
                broken.push(format!("option {word:?} is not after its select: {:?}", handle.line));
            }
        }
    }
}

/// Every text with a letter or a digit stands near its place in reading order.
fn check_texts(reached: &[Reached<'_>], text: &str, broken: &mut Vec<String>) {
    let mut without = String::new();
    let mut end = 0;
    for handle in handles(text) {
        let start = handle.uid.as_ptr() as usize - text.as_ptr() as usize - 1;
        without.push_str(&text[end..start]);
        end = start + 1 + handle.uid.len();
    }
    without.push_str(&text[end..]);
    let view = bare(&without);
    let is_text = |node: &Value| matches!(role(node), "StaticText" | "ListMarker");
    let texts = reached.iter().filter(|reached| is_text(reached.node));
    // What is said twice, by a name and by its text, may be long.
    let longest = texts.map(|reached| bare(text_of(&reached.node["name"]["value"])).len()).max().unwrap_or(0);
    let (behind, ahead) = (BEHIND + longest, AHEAD + 2 * longest);
    let mut place: usize = 0;
    for (at, Reached { node, .. }) in reached.iter().enumerate() {
        let said = bare(text_of(&node["name"]["value"]));
        if !is_text(node) || !said.chars().any(is_word) || select_above(reached, at).is_some() {
            continue;
        }
        let in_marker = reached[at].above.is_some_and(|above| role(reached[above].node) == "ListMarker");
        if in_marker {
            continue;
        }
        let from = floor(&view, place.saturating_sub(behind));
        let to = floor(&view, (place + ahead).min(view.len()));
        match view[from..to].find(&said) {
            Some(found) => place = place.max(from + found + said.len()),
            None => broken.push(format!("{said:?} is not at its place")),
        }
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Without white space, control characters and backslashes.
fn bare(text: &str) -> String {
    text.chars().filter(|&c| !c.is_whitespace() && !c.is_control() && c != '\\').collect()
}

/// The words of a name as a view prints them: what has a letter or a digit.
fn words(name: &str) -> Vec<String> {
    let parts = name.split(|c: char| c.is_whitespace() || c.is_control());
    // A link that has brackets of its own lends them: its handle stands inside.
    let inner = parts.map(|part| part.trim_start_matches('[').trim_end_matches(']'));
    inner.filter(|part| part.chars().any(is_word)).map(safe).collect()
}

/// `\@` for the `@` directly before a digit.
fn safe(word: &str) -> String {
    let mut out = String::new();
    let mut chars = word.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '@' && chars.peek().is_some_and(|next| next.is_numeric()) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn role(node: &Value) -> &str {
    text_of(&node["role"]["value"])
}

fn backend(node: &Value) -> Option<u64> {
    node["backendDOMNodeId"].as_u64().filter(|&id| id > 0 && id <= 1 << 53)
}

fn is_focusable(node: &Value) -> bool {
    property(node, "focusable") == Some(&Value::Bool(true))
}

fn property<'a>(node: &'a Value, name: &str) -> Option<&'a Value> {
    let properties = node["properties"].as_array()?;
    properties.iter().rev().find(|property| property["name"] == name).map(|property| &property["value"]["value"])
}
