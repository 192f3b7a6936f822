//! Choosing: an option of a list, a check box, radio button or switch.

use serde::Deserialize;
use serde_json::json;

use super::Done;
use super::halt::{Halt, impossible};
use super::kept::Kept;
use super::node::Node;
use super::pointer::click;
use super::script;
use super::witness::Witness;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[allow(clippy::struct_excessive_bools, reason = "answers of a script, each of its own")]
struct Selected {
    is_select: bool,
    options: Vec<String>,
    disabled: bool,
    found: bool,
    off: bool,
    already: bool,
    chosen: bool,
    value: String,
}

#[derive(Deserialize)]
pub(super) struct Ticked {
    pub(super) state: Option<String>,
    radio: bool,
}

/// Chooses an option, by its text or value. What the list is is said by its tag, never by its role.
pub(super) async fn select(node: &Node<'_>, option: &str) -> Result<Done, Halt> {
    if node.facts.tag != "select" && !node.facts.in_menu {
        return Err(impossible(format!(
            "{} is no list of options: it is a <{}>; click it, and then what opens",
            node.label(),
            node.facts.tag
        )));
    }
    let witness = Witness::of(node, &[]).await?;
    let selected: Selected = node.input(script::SELECT, json!([option])).await?;
    let there_are = || format!("; there are {}", selected.options.join(" | "));
    if !selected.is_select {
        return Err(impossible(format!("{} is no list of options", node.label())));
    }
    if selected.disabled {
        return Err(impossible(format!("{} is disabled", node.label())));
    }
    if !selected.found {
        return Err(impossible(format!("{} has no option {option:?}, or not just one{}", node.label(), there_are())));
    }
    if selected.off {
        return Err(impossible(format!("the option {option:?} of {} is disabled{}", node.label(), there_are())));
    }
    if !selected.chosen && !selected.already {
        return Err(impossible(format!("{} did not keep the option: it is {:?}", node.label(), selected.value)));
    }
    let read_back = (!node.shown.secret).then(|| format!("{:?}", selected.value));
    let kept = Some(Kept::Value(selected.value));
    Ok(Done { witness: Some(witness), reached: true, changed: !selected.already, read_back, kept, ..Done::default() })
}

/// Ticks or unticks, by a click where it is not yet so.
pub(super) async fn tick(node: &Node<'_>, on: bool) -> Result<Done, Halt> {
    let Ticked { state, radio } = node.ask(script::TICKED, json!([])).await?;
    let label = node.label();
    let Some(state) = state else {
        return Err(impossible(format!("{label} is neither a check box nor a radio button nor a switch: use click")));
    };
    let wanted = if on { "true" } else { "false" };
    if state == wanted {
        let read_back = Some(format!("already {}", said(&state)));
        return Ok(Done { reached: true, read_back, ..Done::default() });
    }
    if radio && !on {
        return Err(impossible(format!("{label} is a radio button: check another one of its group")));
    }
    let mut done = click(node, 1).await?;
    // The page may set it only after it has done something of its own.
    let mut now = state.clone();
    for _ in 0..5 {
        match node.run::<Ticked>(&node.object, script::TICKED, json!([])).await {
            Ok(Ticked { state: Some(state), .. }) => now = state,
            Ok(Ticked { state: None, .. }) => break,
            Err(trouble) => match Halt::of_input(trouble) {
                halt @ (Halt::Interrupted(_) | Halt::Unanswered) => return Err(halt),
                // Its document went away: what became of the page is told by the page.
                _ => return Ok(done),
            },
        }
        if now == wanted {
            break;
        }
        node.page.pause(std::time::Duration::from_millis(60)).await.map_err(Halt::of_input)?;
    }
    done.changed = now != state;
    done.read_back = Some(if now == wanted { said(&now).to_owned() } else { format!("still {}", said(&now)) });
    done.kept = Some(Kept::Tick(wanted));
    Ok(done)
}

/// Whether it is on now.
pub(super) async fn ticked(node: &Node<'_>) -> Result<Ticked, Halt> {
    node.input(script::TICKED, json!([])).await
}

/// A state as an answer says it.
pub(super) fn said(state: &str) -> &'static str {
    match state {
        "true" => "checked",
        "false" => "unchecked",
        _ => "mixed",
    }
}
