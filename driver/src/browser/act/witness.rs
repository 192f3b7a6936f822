//! What is seen of an act: whether its input reached the node, and whether anything changed.
//!
//! The witness listens in the node's own document. What listeners of the input change is certain to be its doing; of what
//! changes later it is asked whether the page changes that by itself. What changes in other documents it does not see:
//! who compares two views does.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::halt::Halt;
use super::node::Node;
use super::script;
use crate::browser::cdp::CallFailure;
use crate::browser::page::{Judgement, Trouble};
use crate::browser::tabs::Tab;

/// Between two looks at what changed, and for how long it is looked at.
const LOOK: Duration = Duration::from_millis(50);
const MOST: Duration = Duration::from_millis(600);
/// How long it is waited for that another page answers.
const JOURNEY: Duration = Duration::from_secs(5);

/// A witness in the page.
#[derive(Debug)]
pub(super) struct Witness {
    record: Option<String>,
}

/// What it saw.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is seen by itself")]
pub(super) struct Evidence {
    /// A trusted event reached the node.
    pub(super) reached: bool,
    /// What it reached instead, where it reached another node first.
    pub(super) elsewhere: Option<String>,
    /// What the button was let go on, where that was another node.
    #[serde(default)]
    pub(super) released: Option<String>,
    /// The node was pressed, and is still there, and no click came of it: something moved meanwhile.
    #[serde(default)]
    pub(super) unclicked: bool,
    /// What listeners of the input changed: certain to be its doing.
    caused: u64,
    /// What changed otherwise: later than the input, or by itself.
    own: u64,
    /// The state of the node, or of a field, is another.
    altered: bool,
    /// When the witness began, by the page's clock.
    begun: f64,
    /// All that changed otherwise does so by itself.
    #[serde(skip)]
    pub(super) restless: bool,
    /// The document is gone.
    #[serde(skip)]
    pub(super) gone: bool,
}

impl Evidence {
    pub(super) fn changed(&self) -> bool {
        self.caused > 0 || self.altered || (self.own > 0 && !self.restless)
    }
}

impl Witness {
    /// Listens for these kinds of events.
    pub(super) async fn of(node: &Node<'_>, kinds: &[&str]) -> Result<Self, Halt> {
        Ok(Self { record: node.object(script::WITNESS, json!([kinds])).await? })
    }

    /// Whether a trusted event has reached the node by now.
    pub(super) async fn is_reached(&self, node: &Node<'_>) -> Result<bool, Halt> {
        let Some(record) = &self.record else { return Ok(false) };
        Ok(node.run::<Evidence>(record, script::EVIDENCE, json!([])).await.map_err(Halt::of_input)?.reached)
    }

    /// Listens no more.
    pub(super) async fn end(&self, node: &Node<'_>) {
        if let Some(record) = &self.record {
            // Who does not listen any more costs the page nothing.
            let _ = node.run::<Value>(record, script::END, json!([])).await;
        }
    }

    /// Looks until nothing has changed between two looks, for a bounded time.
    pub(super) async fn see(&self, node: &Node<'_>) -> Result<Evidence, Trouble> {
        let Some(record) = &self.record else { return Ok(Evidence::default()) };
        let end = node.deadline.min(Instant::now() + MOST);
        let mut seen: Option<Evidence> = None;
        loop {
            node.page.pause(LOOK).await?;
            // A page on its way to another one does not answer until it is there.
            if !arrived(node).await {
                return Ok(Evidence { gone: true, ..seen.unwrap_or_default() });
            }
            let now = match node.run::<Evidence>(record, script::EVIDENCE, json!([])).await {
                Ok(now) => now,
                Err(Trouble::Call(failure)) if failure.lost_its_document() => {
                    return Ok(Evidence { gone: true, ..seen.unwrap_or_default() });
                }
                Err(trouble) => return Err(trouble),
            };
            if seen.as_ref() == Some(&now) || Instant::now() >= end {
                self.end(node).await;
                return judged(node, now).await;
            }
            seen = Some(now);
        }
    }
}

/// Where it is not certain that what changed is the input's doing, asks whether the page does it by itself.
async fn judged(node: &Node<'_>, seen: Evidence) -> Result<Evidence, Trouble> {
    let question = node.page.tabs.with(node.page.tab, |tab| {
        tab.times.acted(seen.begun);
        tab.times.question()
    });
    let Some(question) = question.flatten().filter(|_| seen.own > 0) else { return Ok(seen) };
    let is_certain = seen.caused > 0 || seen.altered;
    if is_certain {
        return Ok(seen);
    }
    match node.run::<Judgement>(&node.object, script::JUDGE, json!(question)).await {
        Ok(judgement) => Ok(Evidence { restless: judgement != Judgement::Once, ..seen }),
        Err(Trouble::Call(failure)) if failure.lost_its_document() => Ok(Evidence { gone: true, ..seen }),
        // Nobody knows whose doing it was.
        Err(Trouble::Call(CallFailure::Late)) => Ok(Evidence { restless: true, ..seen }),
        Err(trouble) => Err(trouble),
    }
}

/// Waits while the page is on its way to another one; false where it has not come there in time.
async fn arrived(node: &Node<'_>) -> bool {
    let tab = node.page.tab;
    let arrived = node.page.tabs.until(node.deadline.min(Instant::now() + JOURNEY), |state| {
        let waiting = state.interruption(tab).is_none() && state.tabs.get(&tab).is_some_and(Tab::is_leaving);
        (!waiting).then_some(())
    });
    arrived.await.is_some()
}
