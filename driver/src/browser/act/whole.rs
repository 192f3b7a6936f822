//! Acts on the page as a whole: scrolling, waiting, history.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Done;
use super::halt::{Halt, impossible};
use super::node::Node;
use super::script;
use super::witness::Witness;
use crate::browser::cdp::{CallFailure, Session};
use crate::browser::page::world::{self, Returned};
use crate::browser::page::{FrameTree, Page, Policy, Trouble};
use crate::browser::tabs::Tab;
use crate::error::{Code, Error};

/// Documents are let go of as soon as they were asked.
const GROUP: &str = "axpress-page";
/// Between two looks for a text.
const LOOK: Duration = Duration::from_millis(100);
/// How long a frame is looked at for a text.
const FRAME: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
struct Scrolled {
    moved: f64,
    at: f64,
    most: f64,
}

impl Scrolled {
    fn done(&self, witness: Option<Witness>) -> Done {
        let read_back = format!("at {} of {}", self.at.round(), self.most.round());
        Done { witness, reached: true, changed: self.moved != 0.0, read_back: Some(read_back), ..Done::default() }
    }
}

/// Scrolls the nearest scroller of a node; without an amount, the node into view.
pub(super) async fn scroll_node(node: &Node<'_>, amount: Option<f64>) -> Result<Done, Halt> {
    let witness = Witness::of(node, &[]).await?;
    if let Some(amount) = amount {
        let scrolled: Scrolled = node.input(script::SCROLL, json!([amount])).await?;
        return Ok(scrolled.done(Some(witness)));
    }
    node.bring_into_view().await?;
    Ok(Done { witness: Some(witness), reached: true, ..Done::default() })
}

/// Scrolls the page, or what scrolls most of it.
pub(super) async fn scroll_page(page: &Page<'_>, amount: f64, deadline: Instant) -> Result<Done, Halt> {
    let scroll =
        run_in_frame::<Scrolled>(&page.session, &page.frame, script::SCROLL, json!([{"value": amount}]), deadline);
    let scrolled = page.watch(deadline, scroll).await.map_err(Halt::of_input)?;
    // What comes with the next frames belongs to it: a list that fills as it moves.
    page.pause(LOOK).await.map_err(Halt::of_input)?;
    Ok(scrolled.done(None))
}

/// Waits until any frame of the page shows a text.
pub(super) async fn wait_for_text(page: &Page<'_>, text: &str, deadline: Instant) -> Result<bool, Halt> {
    loop {
        let look = async {
            let children = page.tabs.with(page.tab, |tab| tab.children.clone()).unwrap_or_default();
            let sessions = children.iter().map(|child| page.client.session(&child.session));
            for session in std::iter::once(page.session.clone()).chain(sessions) {
                if session_shows(&session, text, deadline.min(Instant::now() + FRAME)).await {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if page.watch(deadline, look).await? {
            return Ok(true);
        }
        if Instant::now() + LOOK >= deadline {
            return Ok(false);
        }
        page.pause(LOOK).await?;
    }
}

/// Whether any frame of a session shows a text. What goes away or does not answer shows nothing.
async fn session_shows(session: &Session, text: &str, deadline: Instant) -> bool {
    let Ok(tree) = FrameTree::of(session, deadline).await else { return false };
    for frame in tree.frames() {
        let shows = run_in_frame::<bool>(session, &frame.id, script::SHOWS, json!([{"value": text}]), deadline);
        if shows.await.unwrap_or(false) {
            return true;
        }
    }
    false
}

/// Runs a script on the document of a frame.
async fn run_in_frame<T: serde::de::DeserializeOwned>(
    session: &Session,
    frame: &str,
    script: &'static str,
    arguments: Value,
    deadline: Instant,
) -> Result<T, CallFailure> {
    let context = world::enter(session, frame, deadline).await?;
    let expression = json!({"expression": "document", "contextId": context, "objectGroup": GROUP});
    let document: Value = session.ask("Runtime.evaluate", expression, deadline).await?;
    let params = json!({
        "functionDeclaration": script, "objectId": document["result"]["objectId"], "arguments": arguments,
        "returnByValue": true, "awaitPromise": true,
    });
    let returned: Result<Returned<T>, CallFailure> = session.ask("Runtime.callFunctionOn", params, deadline).await;
    session.post("Runtime.releaseObjectGroup", json!({"objectGroup": GROUP}));
    Ok(returned?.result.value)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: i64,
    url: String,
}

/// Goes so many pages on in the tab's history.
pub(super) async fn travel(page: &Page<'_>, by: i64, deadline: Instant) -> Result<Done, Halt> {
    let history: History = page.ask("Page.getNavigationHistory", json!({}), deadline).await?;
    let wanted = usize::try_from(history.current_index + by).ok();
    let Some(entry) = wanted.and_then(|wanted| history.entries.get(wanted)) else {
        let where_to = if by < 0 { "back" } else { "forward" };
        return Err(impossible(format!("there is no page to go {where_to} to")));
    };
    if !Policy::may_read(&entry.url) {
        let what = format!("the page to go to is {}, which is not a page of the web", entry.url);
        return Err(Error::new(Code::UrlDenied, what).into());
    }
    leave(page, "Page.navigateToHistoryEntry", json!({"entryId": entry.id}), deadline).await
}

/// Loads the page again.
pub(super) async fn reload(page: &Page<'_>, deadline: Instant) -> Result<Done, Halt> {
    leave(page, "Page.reload", json!({}), deadline).await
}

/// Asks for another document, and waits until it is there.
async fn leave(page: &Page<'_>, method: &'static str, params: Value, deadline: Instant) -> Result<Done, Halt> {
    let before = page.tabs.with(page.tab, |tab| {
        tab.leaving = Some(Instant::now());
        tab.commits
    });
    let asked = page.ask::<Value>(method, params, deadline).await.map_err(Halt::of_input);
    if asked.is_err() {
        page.tabs.with(page.tab, |tab| tab.leaving = None);
    }
    asked?;
    let went = page.tabs.until(deadline, |state| {
        if let Some(interruption) = state.interruption(page.tab) {
            return Some(Err(Trouble::Interruption(interruption)));
        }
        // Within a document, going elsewhere makes no other.
        let went = |tab: &Tab| Some(tab.commits) != before || !tab.happenings.is_empty();
        state.tabs.get(&page.tab).is_some_and(went).then_some(Ok(()))
    });
    match went.await {
        Some(went) => went.map_err(Halt::of_input)?,
        None => return Err(Halt::Unanswered),
    }
    Ok(Done { reached: true, ..Done::default() })
}

/// What is said of a text that did not come.
pub(super) fn did_not_come(text: &str) -> Error {
    Error::new(Code::ActionFailed, format!("the page did not show {text:?} in time"))
}
