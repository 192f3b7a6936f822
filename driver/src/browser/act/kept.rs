//! Whether what was put in is kept: looked at once more when the page has had time to take it back.
//!
//! Pages put back what their fields hold a little after the input: by a timer, or when a server has answered. So what an
//! answer says that a field holds is what it held last, and a value that did not stay is a failure. A page that went
//! elsewhere, or opened something, is told by that instead.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::Done;
use super::choice::{said, ticked};
use super::halt::{Halt, impossible};
use super::node::Node;
use super::script;
use super::text::{quoted, same};

/// How long a page has to take back what was put in, before it is looked at what came of it.
const PATIENCE: Duration = Duration::from_millis(200);

/// What a field must still hold for the act to be done.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kept {
    /// Whatever it is.
    Anything,
    /// This text; a page may write it in its own way.
    Text(String),
    /// Just this.
    Value(String),
    /// This state of a check box.
    Tick(&'static str),
}

/// What a field holds.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Holding {
    connected: bool,
    secret: bool,
    text: Option<String>,
}

impl Holding {
    /// What it holds now.
    pub(super) async fn of(node: &Node<'_>) -> Result<Self, Halt> {
        node.input(script::HOLDS, json!([])).await
    }

    pub(super) fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// As an answer says it; nothing of a secret field, not even the length.
    pub(super) fn said(&self, node: &Node<'_>) -> Option<String> {
        (!self.secret && !node.shown.secret).then(|| quoted(self.text()))
    }
}

/// Gives the page time to take back what was put in.
pub(super) async fn wait(node: &Node<'_>, done: &Done) -> Result<(), Halt> {
    if !matches!(done.kept, None | Some(Kept::Anything)) {
        node.page.pause(PATIENCE).await.map_err(Halt::of_input)?;
    }
    Ok(())
}

/// Reads the field once more: what it holds now is what is said. Fails where it did not keep what was put in.
pub(super) async fn look(node: &Node<'_>, done: &mut Done) -> Result<(), Halt> {
    let Some(kept) = &done.kept else { return Ok(()) };
    let holding = match Holding::of(node).await {
        Ok(holding) => holding,
        Err(halt @ (Halt::Interrupted(_) | Halt::Unanswered)) => return Err(halt),
        // Its document went away: what became of the page is told by the page.
        Err(_) => return Ok(()),
    };
    let went = node.page.tabs.with(node.page.tab, |tab| tab.is_leaving() || tab.opening || !tab.happenings.is_empty());
    let may_fail = went == Some(false);
    if !holding.connected {
        done.changed = true;
        done.read_back = Some("no longer in the page".to_owned());
        return Ok(());
    }
    if let Kept::Tick(wanted) = kept {
        let Some(now) = ticked(node).await?.state else { return Ok(()) };
        if now != *wanted && may_fail {
            return Err(impossible(format!("{} did not keep it: it is {}", node.label(), said(&now))));
        }
        done.read_back = Some(said(&now).to_owned());
        return Ok(());
    }
    let is_kept = match kept {
        Kept::Text(first) => holds_all(holding.text(), first),
        Kept::Value(first) => holding.text() == first,
        Kept::Anything | Kept::Tick(_) => true,
    };
    let is_told = done.read_back.is_some();
    let now = holding.said(node);
    if !is_kept && may_fail {
        let holds = now.map_or(String::new(), |now| format!(": it holds {now} now"));
        return Err(impossible(format!("{} did not keep what was put in{holds}", node.label())));
    }
    done.read_back = now.filter(|_| is_told);
    Ok(())
}

/// Whether all letters and digits of a text are still there, in their order: pages put signs between them, or go on.
fn holds_all(now: &str, first: &str) -> bool {
    if same(now, first) {
        return true;
    }
    let plain = |text: &str| text.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let (now, first): (Vec<char>, Vec<char>) = (plain(now), plain(first));
    let mut left = now.iter();
    !first.is_empty() && first.iter().all(|wanted| left.any(|sign| sign == wanted))
}

#[cfg(test)]
mod tests {
    use super::holds_all;

    #[test]
    fn a_text_that_a_page_writes_in_its_own_way_is_kept() {
        for (now, first) in [
            ("(555) 123-4567", "5551234567"),
            ("1,000.00", "1000"),
            ("Berlin", "berl"),
            ("HELLO", "hello"),
            ("", ""),
            ("trimmed", "trimmed "),
        ] {
            assert!(holds_all(now, first), "{now} of {first}");
        }
    }

    #[test]
    fn a_text_of_which_something_is_gone_is_not() {
        for (now, first) in [("RESET", "abc"), ("abc", "abcdef"), ("", "abc"), ("cba", "abc"), ("", "!?")] {
            assert!(!holds_all(now, first), "{now} of {first}");
        }
    }
}
