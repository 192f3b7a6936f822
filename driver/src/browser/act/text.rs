//! Typing: replace or append, by the path that a keyboard's text takes, and read back.
//!
//! Chrome takes text for any field and says that all went well: for one that is read-only, or that only a picker fills,
//! nothing happens. Only what the field then holds counts. What a secret field holds is compared here and said nowhere.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Done;
use super::halt::{Halt, impossible};
use super::kept::{Holding, Kept};
use super::node::Node;
use super::script;
use super::witness::Witness;
use crate::browser::page::Trouble;

/// Fields that are filled by a picker: text does not reach them.
const PICKED: &[&str] = &["color", "date", "datetime-local", "month", "range", "time", "week"];
/// Inputs that hold no text.
const NO_TEXT: &[(&str, &str)] = &[
    ("checkbox", "use check or uncheck"),
    ("radio", "use check"),
    ("file", "use upload"),
    ("button", "use click"),
    ("submit", "use click"),
    ("reset", "use click"),
    ("image", "use click"),
];
/// Longest text that is read back whole, in characters.
const READ_BACK: usize = 200;

#[derive(Deserialize)]
struct Assigned {
    taken: bool,
    value: String,
    /// As the field would write it by itself.
    wanted: String,
}

/// Types into the field: instead of what it holds, or after that.
pub(super) async fn type_text(node: &Node<'_>, text: &str, replace: bool) -> Result<Done, Halt> {
    check(node)?;
    if PICKED.contains(&node.facts.kind.as_str()) {
        return assign(node, text).await;
    }
    // Chrome drops what is no part of a number, and the number that was there with it.
    if node.facts.kind == "number" && !text.chars().all(|sign| sign.is_ascii_digit() || "+-.,eE ".contains(sign)) {
        return Err(impossible(format!("{} takes a number", node.label())));
    }
    node.bring_into_view().await?;
    let before: String = node.ask(script::CONTENTS, json!([])).await?;
    let witness = Witness::of(node, &["beforeinput", "input"]).await?;
    focus(node).await?;
    node.input::<Value>(script::CHOOSE, json!([replace])).await?;
    // Nothing would be inserted into nothing, and no event would say so.
    if !(text.is_empty() && (before.is_empty() || !replace)) {
        // The frame's own session: the focus was looked at there.
        let insert = node.session.ask::<Value>("Input.insertText", json!({"text": text}), node.deadline);
        node.page.watch(node.deadline, insert).await.map_err(Halt::of_input)?;
    }
    let wanted = if replace { text.to_owned() } else { format!("{before}{text}") };
    let after = match Holding::of(node).await {
        Ok(after) => after,
        Err(halt @ (Halt::Interrupted(_) | Halt::Unanswered)) => return Err(halt),
        // The page did something with it that took the field away.
        Err(_) => return Ok(Done { witness: Some(witness), reached: true, changed: true, ..Done::default() }),
    };
    if !same(after.text(), &wanted) && same(after.text(), &before) {
        return Err(not_taken(node, &after));
    }
    Ok(Done {
        witness: Some(witness),
        reached: true,
        changed: !same(&before, after.text()),
        read_back: after.said(node),
        kept: Some(Kept::Text(after.text().to_owned())),
        ..Done::default()
    })
}

/// Fails where the field takes no text.
fn check(node: &Node<'_>) -> Result<(), Halt> {
    let facts = &node.facts;
    let label = node.label();
    if facts.disabled {
        return Err(impossible(format!("{label} is disabled")));
    }
    if facts.read_only {
        return Err(impossible(format!("{label} is read-only")));
    }
    if facts.tag == "select" {
        return Err(impossible(format!("{label} is a list of options: use select")));
    }
    if facts.tag == "input" {
        let refused = NO_TEXT.iter().find(|(kind, _)| *kind == facts.kind);
        return refused.map_or(Ok(()), |(kind, next)| Err(impossible(format!("{label} is a {kind}: {next}"))));
    }
    if facts.tag == "textarea" || facts.editable {
        return Ok(());
    }
    if !facts.part.is_empty() {
        return Err(impossible(format!("{label} is a part of a {} field: type into the field itself", facts.part)));
    }
    Err(impossible(format!("{label} is no text field: it is a <{}>", facts.tag)))
}

/// Gives the node the focus, and sees that it has it.
pub(super) async fn focus(node: &Node<'_>) -> Result<(), Halt> {
    let focus = node.session.ask::<Value>("DOM.focus", json!({"objectId": node.object}), node.deadline);
    node.page.watch(node.deadline, focus).await.map_err(|trouble| match trouble {
        Trouble::Call(failure) if failure.says("focusable") => {
            impossible(format!("{} does not take the focus", node.label()))
        }
        trouble => Halt::of_input(trouble),
    })?;
    let focused: bool = node.input(script::FOCUSED, json!([])).await?;
    if focused { Ok(()) } else { Err(impossible(format!("{} gave the focus away", node.label()))) }
}

async fn assign(node: &Node<'_>, text: &str) -> Result<Done, Halt> {
    node.bring_into_view().await?;
    let before: String = node.ask(script::CONTENTS, json!([])).await?;
    let witness = Witness::of(node, &[]).await?;
    let Assigned { taken, value, wanted } = node.input(script::ASSIGN, json!([text])).await?;
    if !taken {
        let form = match node.facts.kind.as_str() {
            "color" => "#rrggbb",
            "date" => "2026-12-31",
            "datetime-local" => "2026-12-31T23:59",
            "month" => "2026-12",
            "time" => "23:59",
            "week" => "2026-W52",
            _ => "a number",
        };
        let what = if node.shown.secret { "that".to_owned() } else { format!("{text:?}") };
        return Err(impossible(format!("{} does not take {what}: write it as {form}", node.label())));
    }
    let after = Holding::of(node).await?;
    if value == before && value != wanted {
        return Err(not_taken(node, &after));
    }
    let (changed, read_back) = (before != value, after.said(node));
    Ok(Done {
        witness: Some(witness),
        reached: true,
        changed,
        read_back,
        kept: Some(Kept::Value(value)),
        ..Done::default()
    })
}

fn not_taken(node: &Node<'_>, after: &Holding) -> Halt {
    let holds = after.said(node).map_or(String::new(), |after| format!(": it still holds {after}"));
    impossible(format!("{} did not take the text{holds}", node.label()))
}

/// What a field holds, as an answer says it.
pub(super) fn quoted(holds: &str) -> String {
    let mut short: String = holds.chars().take(READ_BACK).collect();
    if short.len() < holds.len() {
        short.push('…');
    }
    format!("{short:?}")
}

/// Whether two texts are the same to a field: it has its own line ends, and may draw blanks as others.
pub(super) fn same(one: &str, other: &str) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n").replace('\u{a0}', " ").trim_end_matches('\n').to_owned();
    plain(one) == plain(other)
}

/// Presses a key, on the node or on what has the focus.
pub(super) async fn press(node: &Node<'_>, key: &super::keys::Key) -> Result<Done, Halt> {
    node.bring_into_view().await?;
    let before = Holding::of(node).await?;
    let witness = Witness::of(node, &["keydown"]).await?;
    focus(node).await?;
    key.press(node.page, node.deadline).await?;
    let after = Holding::of(node).await.unwrap_or_else(|_| before.clone());
    let is_field = node.facts.editable || ["input", "textarea", "select"].contains(&node.facts.tag.as_str());
    let read_back = is_field.then(|| after.said(node)).flatten();
    let kept = is_field.then_some(Kept::Anything);
    Ok(Done { witness: Some(witness), changed: before.text() != after.text(), read_back, kept, ..Done::default() })
}

/// Presses a key on what has the focus.
pub(super) async fn press_anywhere(
    page: &crate::browser::page::Page<'_>,
    key: &super::keys::Key,
    deadline: tokio::time::Instant,
) -> Result<Done, Halt> {
    key.press(page, deadline).await?;
    Ok(Done { reached: true, ..Done::default() })
}
