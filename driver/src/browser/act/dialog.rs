//! Answers dialogs. What a dialog holds is freed by that, and may open the next one.

use std::pin::pin;
use std::time::Duration;

use futures_util::future::select;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Done;
use super::outcome;
use super::witness::Evidence;
use crate::browser::ActOutcome;
use crate::browser::page::{Page, Trouble};
use crate::error::{Code, Error};

/// How long what the dialog held may take.
const BUSY: Duration = Duration::from_secs(2);
/// How long the page has for what it does next.
const NEXT: Duration = Duration::from_millis(150);

/// Accepts or dismisses the dialog that holds the tab.
pub(super) async fn answer(page: &Page<'_>, accept: bool, text: Option<&str>) -> Result<ActOutcome, Error> {
    let deadline = Instant::now() + page.limits.act;
    let holder = page.tabs.state().dialog_over(page.tab).map(|(tab, _)| tab);
    let holder = holder.ok_or_else(|| {
        Error::new(Code::ActionFailed, format!("no dialog is open in tab {}", page.tab)).next("go on without")
    })?;
    let taken = page.tabs.with(holder, |tab| {
        // What it holds back belongs to this act.
        tab.happenings.clear();
        // No longer there from now on: when the answer is heard of, the next one may be open.
        (page.client.session(&tab.session), tab.dialog.take())
    });
    let (session, open) = taken.ok_or_else(|| Error::new(Code::ActionFailed, "the dialog's tab is gone"))?;
    page.tabs.with(page.tab, |tab| tab.happenings.clear());
    let mut params = json!({"accept": accept});
    if let Some(text) = text {
        params["promptText"] = json!(text);
    }
    let answered = session.ask::<Value>("Page.handleJavaScriptDialog", params, deadline).await;
    if let Err(failure) = answered {
        page.tabs.with(holder, |tab| tab.dialog = tab.dialog.take().or(open));
        return Err(Trouble::Call(failure).error(Code::ActionFailed, "answering the dialog"));
    }
    // The page answers once what the dialog held is done, and not while the next dialog is open.
    let done = session.call("Runtime.evaluate", json!({"expression": "0"}), deadline.min(Instant::now() + BUSY));
    let stopped = page.tabs.until(deadline, |state| {
        let tab = state.tabs.get(&page.tab)?;
        (tab.dialog.is_some() || tab.is_leaving()).then_some(())
    });
    select(pin!(done), pin!(stopped)).await;
    let next = page.tabs.until(Instant::now() + NEXT, |state| {
        let tab = state.tabs.get(&page.tab)?;
        (tab.dialog.is_some() || tab.is_leaving() || !tab.happenings.is_empty()).then_some(())
    });
    next.await;
    let done = Done { reached: true, changed: true, ..Done::default() };
    outcome::of(page, Ok((done, Evidence::default())), deadline).await
}
