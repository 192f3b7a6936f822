//! Payloads that were changed as pages change: nodes come, go, move, read differently or are made anew.

use serde_json::{Value, json};

/// Numbers that look random and are the same for the same seed.
#[derive(Clone, Copy, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next one below `end`; 0 where that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) >> 1).unwrap_or(0).checked_rem(end).unwrap_or(0)
    }
}

/// The payload with a few changes, as the seed has it; as it is where it is no JSON or has no nodes.
#[must_use]
pub fn mutated(payload: &[u8], seed: u64) -> Vec<u8> {
    let Ok(mut page) = serde_json::from_slice::<Value>(payload) else { return payload.to_vec() };
    let nodes = if page.is_array() { Some(&mut page) } else { page.get_mut("nodes") };
    let Some(nodes) = nodes.and_then(Value::as_array_mut).filter(|nodes| !nodes.is_empty()) else {
        return payload.to_vec();
    };
    let mut random = Random::new(seed);
    for number in 0..=random.below(6) {
        mutate(nodes, &mut random, number);
    }
    serde_json::to_vec(&page).unwrap_or_default()
}

fn mutate(nodes: &mut [Value], random: &mut Random, number: usize) {
    let (one, other) = (random.below(nodes.len()), random.below(nodes.len()));
    match random.below(8) {
        0 | 1 => nodes[one]["name"] = json!({"type": "computedString", "value": format!("new name {number}")}),
        2 => nodes[one]["value"] = json!({"type": "string", "value": format!("{number}")}),
        3 => nodes[one]["ignored"] = json!(!nodes[one]["ignored"].as_bool().unwrap_or(false)),
        4 => nodes[one]["backendDOMNodeId"] = json!(900_000 + random.below(1000)),
        5 => drop(take_child(&mut nodes[one], random)),
        6 => {
            if let Some(children) = nodes[one]["childIds"].as_array_mut().filter(|children| !children.is_empty()) {
                let by = random.below(children.len());
                children.rotate_left(by);
            }
        }
        _ => {
            let Some(child) = take_child(&mut nodes[one], random) else { return };
            if let Some(children) = nodes[other]["childIds"].as_array_mut() {
                let at = random.below(children.len() + 1);
                children.insert(at, child);
            }
        }
    }
}

fn take_child(node: &mut Value, random: &mut Random) -> Option<Value> {
    let children = node.get_mut("childIds")?.as_array_mut().filter(|children| !children.is_empty())?;
    let at = random.below(children.len());
    Some(children.remove(at))
}

/// A page of up to `nodes` nodes, as the seed has it: containers, lists, tables, controls and texts, among them texts
/// that look like what only a view or a delta says.
#[must_use]
pub fn page(seed: u64, nodes: usize) -> Vec<u8> {
    const ROLES: &[&str] = &[
        "main",
        "navigation",
        "dialog",
        "status",
        "group",
        "list",
        "listitem",
        "listitem",
        "ListMarker",
        "table",
        "row",
        "row",
        "cell",
        "cell",
        "tree",
        "treeitem",
        "heading",
        "paragraph",
        "generic",
        "button",
        "button",
        "link",
        "textbox",
        "checkbox",
        "image",
        "StaticText",
        "StaticText",
        "StaticText",
        "Iframe",
    ];
    const TEXTS: &[&str] = &[
        "",
        "",
        "Orders",
        "Save",
        "Delete",
        "Total 12",
        "+ came",
        "~ reads so",
        "x went",
        "> moved",
        "x ",
        "no change",
        "… +3 changes",
        "… most of the page changed; its view now:",
        "- item",
        "## Title",
        "@12",
        "\\@12",
        "a\nb\nc",
        "table Orders",
        "1. one",
        "recover ccr_00",
    ];
    let mut random = Random::new(seed);
    let mut list =
        vec![json!({"nodeId": "0", "role": {"value": "RootWebArea"}, "childIds": [], "backendDOMNodeId": 1})];
    let mut open = vec![0];
    for id in 1..nodes {
        while open.len() > 1 && random.below(3) == 0 {
            open.pop();
        }
        let parent = open.last().copied().unwrap_or(0);
        if let Some(children) = list[parent]["childIds"].as_array_mut() {
            children.push(json!(id.to_string()));
        }
        let role = ROLES[random.below(ROLES.len())];
        let mut name = TEXTS[random.below(TEXTS.len())].to_owned();
        if random.below(3) == 0 {
            name = format!("{name} {}", random.below(50));
        }
        let mut node = json!({
            "nodeId": id.to_string(), "ignored": random.below(12) == 0, "role": {"value": role}, "name": {"value": name},
            "parentId": parent.to_string(), "childIds": [], "backendDOMNodeId": id + 1,
        });
        if role == "textbox" {
            node["value"] = json!({"value": TEXTS[random.below(TEXTS.len())]});
        }
        list.push(node);
        if !matches!(role, "StaticText" | "ListMarker" | "textbox" | "image") {
            open.push(id);
        }
    }
    serde_json::to_vec(&json!({"nodes": list})).unwrap_or_default()
}
