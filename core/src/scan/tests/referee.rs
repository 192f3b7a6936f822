//! The table as a general JSON parser would make it: slow, plain, and none of the scanner's code.

use std::collections::{BTreeMap, HashMap};
use std::string::{String, ToString};
use std::vec::Vec;

use serde_json::Value;

use crate::roles::{EDITABLE, FOCUSABLE, STATES};
use crate::scan::Scanner;
use crate::table::{ExtraKind, NO_ID, NONE, Table};
use crate::{Error, ErrorKind, Limits, text};

/// A row, in terms of JSON.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) place: Value,
    pub(super) role: String,
    pub(super) name: Option<String>,
    pub(super) value: Option<Value>,
    pub(super) backend: u64,
    pub(super) ignored: bool,
    pub(super) level: u8,
    pub(super) states: u32,
    pub(super) children: Vec<Option<usize>>,
    pub(super) has_parent_id: bool,
    pub(super) extras: BTreeMap<&'static str, Value>,
    /// The first row with the same id.
    pub(super) first: usize,
}

/// All rows and what is known of them together.
#[derive(Debug, PartialEq)]
#[allow(clippy::struct_field_names, reason = "rows is what they are")]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) roots: Vec<usize>,
    pub(super) repeats: usize,
}

/// Whether `serde_json` takes `payload` for JSON: its syntax alone, to any depth, lone surrogates included.
pub(super) fn is_json(payload: &[u8]) -> bool {
    let payload = payload.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(payload);
    core::str::from_utf8(payload).is_ok_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
}

/// What the payload is, by `serde_json`; `None` where that can't hold it: lone surrogates, numbers too large, depth.
pub(super) fn read(payload: &[u8]) -> Option<Result<Rows, ErrorKind>> {
    if !is_json(payload) {
        return Some(Err(ErrorKind::InvalidJson));
    }
    let payload = payload.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(payload);
    let document: Value = serde_json::from_slice(payload).ok()?;
    let nodes = if document.is_object() { document.get("nodes").unwrap_or(&Value::Null) } else { &document };
    let shape = nodes.as_array().filter(|nodes| nodes.iter().all(Value::is_object));
    let Some(nodes) = shape else { return Some(Err(ErrorKind::NotAxPayload)) };
    let ids: Option<Vec<&str>> =
        nodes.iter().map(|node| node.get("nodeId")?.as_str().filter(|id| !id.is_empty())).collect();
    let Some(ids) = ids else { return Some(Err(ErrorKind::InvalidNodeId)) };

    let mut firsts = HashMap::new();
    for (row, id) in ids.iter().enumerate() {
        firsts.entry(*id).or_insert(row);
    }
    let rows: Vec<Row> = nodes.iter().zip(&ids).map(|(node, id)| row(node, firsts[id], &firsts)).collect();
    let is_root = |row: &usize| {
        let parent = nodes[*row].get("parentId").and_then(Value::as_str);
        rows[*row].first == *row && parent.is_none_or(|parent| !firsts.contains_key(parent))
    };
    let mut roots: Vec<usize> = (0..rows.len()).filter(is_root).collect();
    if roots.is_empty() && !rows.is_empty() {
        roots.push(0);
    }
    let repeats = rows.len() - firsts.len();
    Some(Ok(Rows { rows, roots, repeats }))
}

fn row(node: &Value, first: usize, firsts: &HashMap<&str, usize>) -> Row {
    let role = value_of(node.get("role")).and_then(|role| role.as_str().map(one_line)).unwrap_or_default();
    let mut row = Row {
        place: node.clone(),
        role: if role.is_empty() { "unknown".into() } else { role },
        name: value_of(node.get("name")).and_then(|name| name.as_str().map(str::to_string)),
        value: value_of(node.get("value")).cloned(),
        backend: node.get("backendDOMNodeId").and_then(Value::as_u64).filter(|&id| id <= 1 << 53).unwrap_or(0),
        ignored: node.get("ignored") == Some(&Value::Bool(true)),
        level: 0,
        states: 0,
        children: Vec::new(),
        has_parent_id: node.get("parentId").is_some_and(Value::is_string),
        extras: BTreeMap::new(),
        first,
    };
    let children = node.get("childIds").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    row.children = children.iter().filter_map(Value::as_str).map(|child| firsts.get(child).copied()).collect();
    if let Some(description) = value_of(node.get("description")) {
        row.extras.insert("Description", description.clone());
    }
    let mut properties = HashMap::new();
    for property in node.get("properties").and_then(Value::as_array).map_or(&[][..], Vec::as_slice) {
        if let Some(name) = property.get("name").and_then(Value::as_str) {
            properties.insert(name, property.get("value"));
        }
    }
    for (name, ax_value) in properties {
        let value = value_of(ax_value);
        let text = value.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_string));
        for (bit, state) in STATES.iter().enumerate() {
            if state.property == name && text.as_deref() == Some(state.value) {
                row.states |= 1 << bit;
            }
        }
        let kind = match name {
            "focusable" if text.as_deref() == Some("true") => {
                row.states |= FOCUSABLE;
                continue;
            }
            "editable" if text.as_deref().is_some_and(|text| text != "false") => {
                row.states |= EDITABLE;
                continue;
            }
            "level" => {
                row.level = value.and_then(Value::as_u64).map_or(0, |level| level.min(255) as u8);
                continue;
            }
            "valuetext" => "ValueText",
            "valuemin" => "ValueMin",
            "valuemax" => "ValueMax",
            "url" => "Url",
            "labelledby" => "LabelledBy",
            "errormessage" => "ErrorMessage",
            _ => continue,
        };
        let whole = matches!(kind, "LabelledBy" | "ErrorMessage");
        if let Some(kept) = if whole { ax_value.filter(|value| value.is_object()) } else { value } {
            row.extras.insert(kind, kept.clone());
        }
    }
    row
}

fn value_of(ax_value: Option<&Value>) -> Option<&Value> {
    ax_value?.as_object()?.get("value").filter(|value| !value.is_null())
}

fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text.split(text::is_space).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// What the scanner makes of the payload, in the referee's terms.
pub(super) fn scanned(scanner: &mut Scanner, payload: &[u8]) -> Result<Rows, Error> {
    let mut table = Table::default();
    scanner.scan(payload, &Limits::DEFAULT, &mut table)?;
    Ok(rows(payload, &table))
}

pub(super) fn rows(payload: &[u8], table: &Table) -> Rows {
    let json = |span: crate::table::Span| serde_json::from_slice::<Value>(span.of(payload)).unwrap();
    assert_eq!(table.nodes.len(), table.places.len());
    let mut firsts = HashMap::new();
    let mut rows = Vec::new();
    for (number, (node, place)) in table.nodes.iter().zip(&table.places).enumerate() {
        assert_ne!(node.id, NO_ID);
        let children = &table.children[node.children as usize..][..node.child_count as usize];
        let extras = &table.extras[node.extras as usize..][..usize::from(node.extra_count)];
        rows.push(Row {
            place: json(*place),
            role: table.roles.name(node.role).to_string(),
            name: (!node.name.is_none()).then(|| decoded(node.name.of(payload))),
            value: (!node.value.is_none()).then(|| json(node.value)),
            backend: node.backend,
            ignored: node.ignored,
            level: node.level,
            states: node.states,
            children: children.iter().map(|&child| (child != NONE).then_some(child as usize)).collect(),
            has_parent_id: node.parent_id != NO_ID,
            extras: extras.iter().map(|extra| (kind_name(extra.kind), json(extra.span))).collect(),
            first: *firsts.entry(node.id).or_insert(number),
        });
        assert_eq!(extras.len(), rows.last().unwrap().extras.len(), "no kind of extra is there twice");
    }
    let roots = table.roots.iter().map(|&row| row as usize).collect();
    Rows { rows, roots, repeats: table.repeats }
}

fn decoded(raw: &[u8]) -> String {
    let mut out = String::new();
    text::decode(raw, &mut out);
    out
}

fn kind_name(kind: ExtraKind) -> &'static str {
    match kind {
        ExtraKind::Description => "Description",
        ExtraKind::ValueText => "ValueText",
        ExtraKind::ValueMin => "ValueMin",
        ExtraKind::ValueMax => "ValueMax",
        ExtraKind::Url => "Url",
        ExtraKind::LabelledBy => "LabelledBy",
        ExtraKind::ErrorMessage => "ErrorMessage",
    }
}
