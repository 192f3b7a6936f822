//! What a page changes by itself, told from what an act made it change.
//!
//! A watch is set up in each document before it is read, in a world of our own, and stays with the document. It is asked
//! where something changed after an input and is not certain to be the input's doing: a clock, a feed and a carousel
//! change without anyone's doing, and then no act is to be credited with it.

use std::time::Duration;

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{FrameTree, Page, Trouble, world};
use crate::browser::OwnChanges;
use crate::browser::cdp::Session;

/// The watch of a document, as an expression of its world.
pub(super) const WATCH: &str = include_str!("watch.js");
/// How long it is waited for whether what changed changes again: a little more than a clock's second.
const AGAIN: Duration = Duration::from_millis(1200);
/// How many acts and readings of a tab are remembered.
const KEPT: usize = 8;

/// When a tab was read and acted in, by the clock of its pages: milliseconds since 1970.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    reads: Vec<f64>,
    acts: Vec<f64>,
}

impl Times {
    /// The tab is about to be read.
    pub(crate) fn read(&mut self, at: f64) {
        keep(&mut self.reads, at);
    }

    /// An input is about to be put in.
    pub(crate) fn acted(&mut self, at: f64) {
        keep(&mut self.acts, at);
    }

    /// What a watch is asked with: the last act, the last reading before it, all acts, and how long it may wait.
    pub(crate) fn question(&self) -> Option<[Value; 4]> {
        let from = *self.acts.last()?;
        let seen = self.reads.iter().rfind(|read| **read <= from).copied().unwrap_or(0.0);
        Some([json!(from), json!(seen), json!(self.acts), json!(AGAIN.as_millis() as u64)])
    }
}

fn keep(times: &mut Vec<f64>, at: f64) {
    times.push(at);
    let excess = times.len().saturating_sub(KEPT);
    times.drain(..excess);
}

/// What a document's watch says of the changes since an act.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Judgement {
    /// Nothing changed that a watch sees.
    Nothing,
    /// Something changed before the act, nothing since.
    Earlier,
    /// All that changed does so by itself.
    Again,
    /// Something changed that does not.
    Once,
}

impl Page<'_> {
    /// The time by the page's clock, where it answers.
    pub(crate) async fn clock(&self, deadline: Instant) -> Option<f64> {
        let expression = format!("{WATCH}.now()");
        world::evaluate(&self.session, &self.frame, &expression, deadline).await.ok()
    }

    /// What the page changed since the last act: asks the watches of all its documents.
    pub(crate) async fn own_changes(&self, deadline: Instant) -> Result<OwnChanges, Trouble> {
        let Some(question) = self.tabs.with(self.tab, |tab| tab.times.question()).flatten() else {
            return Ok(OwnChanges::None);
        };
        let question = question.map(|value| value.to_string()).join(", ");
        // A document that is busy has nothing to say.
        let deadline = deadline.min(Instant::now() + 2 * AGAIN);
        // A document that came later has changed with all that is in it, and that is told otherwise.
        let expression = format!("globalThis.axpressWatch?.judge({question}) ?? null");
        let children = self.tabs.with(self.tab, |tab| tab.children.clone()).unwrap_or_default();
        let sessions = children.iter().map(|child| self.client.session(&child.session));
        let asked =
            std::iter::once(self.session.clone()).chain(sessions).map(|session| {
                let expression = &expression;
                async move {
                    let Ok(tree) = FrameTree::of(&session, deadline).await else { return Vec::new() };
                    let frames = tree.frames().into_iter().map(|frame| frame.id.clone()).collect::<Vec<_>>();
                    let judge = |frame: String| {
                        let session = &session;
                        async move {
                            world::evaluate::<Option<Judgement>>(session, &frame, expression, deadline).await.ok()?
                        }
                    };
                    join_all(frames.into_iter().map(judge)).await
                }
            });
        let judgements = self.watch(deadline, async { Ok(join_all(asked).await) }).await?;
        let judgements: Vec<Judgement> = judgements.into_iter().flatten().flatten().collect();
        Ok(if judgements.contains(&Judgement::Once) {
            OwnChanges::Once
        } else if judgements.iter().any(|it| matches!(it, Judgement::Again | Judgement::Earlier)) {
            OwnChanges::Again
        } else {
            OwnChanges::None
        })
    }
}

/// Sets up the watch of a frame's document. One that can't be watched is one that can't be acted in.
pub(super) async fn set_up(session: &Session, frame: &str, deadline: Instant) {
    let expression = format!("{WATCH}, 0");
    let _ = world::evaluate::<Value>(session, frame, &expression, deadline).await;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Times;

    #[test]
    fn a_watch_is_asked_of_the_last_act_and_of_the_reading_before_it() {
        let mut times = Times::default();
        times.read(10.0);
        assert_eq!(times.question(), None);
        for act in [20.0, 30.0] {
            times.acted(act);
        }
        times.read(40.0);
        let [from, seen, acts, _] = times.question().expect("there was an act");
        assert_eq!((from, seen, acts), (json!(30.0), json!(10.0), json!([20.0, 30.0])));
    }

    #[test]
    fn few_times_are_kept() {
        let mut times = Times::default();
        (0..100).for_each(|at| times.acted(f64::from(at)));
        let [from, _, acts, _] = times.question().expect("there was an act");
        assert_eq!((from, acts.as_array().map(Vec::len)), (json!(99.0), Some(8)));
    }
}
