//! Answers dialogs. What a dialog holds is freed by that, and may open the next one.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::Done;
use super::outcome;
use super::witness::Evidence;
use crate::browser::ActOutcome;
use crate::browser::page::{Page, Trouble};
use crate::error::{Code, Error};

/// How long what the dialog held has for what it does next.
const NEXT: Duration = Duration::from_millis(150);

/// Accepts or dismisses the dialog that holds the tab.
pub(super) async fn answer(page: &Page<'_>, accept: bool, text: Option<&str>) -> Result<ActOutcome, Error> {
    let deadline = Instant::now() + page.limits.act;
    let holder = page.tabs.state().dialog_over(page.tab).map(|(tab, _)| tab);
    let holder = holder.ok_or_else(|| {
        Error::new(Code::ActionFailed, format!("no dialog is open in tab {}", page.tab)).next("go on without")
    })?;
    let session = page.tabs.with(holder, |tab| {
        // What it holds back belongs to this act.
        tab.happenings.clear();
        page.client.session(&tab.session)
    });
    let session = session.ok_or_else(|| Error::new(Code::ActionFailed, "the dialog's tab is gone"))?;
    page.tabs.with(page.tab, |tab| tab.happenings.clear());
    let mut params = json!({"accept": accept});
    if let Some(text) = text {
        params["promptText"] = json!(text);
    }
    let answered = session.ask::<Value>("Page.handleJavaScriptDialog", params, deadline).await;
    answered.map_err(|failure| Trouble::Call(failure).error(Code::ActionFailed, "answering the dialog"))?;
    page.tabs.with(holder, |tab| tab.dialog = None);
    let next = page.tabs.until(Instant::now() + NEXT, |state| {
        let tab = state.tabs.get(&page.tab)?;
        (tab.dialog.is_some() || tab.is_leaving() || !tab.happenings.is_empty()).then_some(())
    });
    next.await;
    let done = Done { reached: true, changed: true, ..Done::default() };
    outcome::of(page, Ok((done, Evidence::default())), deadline).await
}
