//! What came of an act, in the order of what matters most to who reads it.

use std::time::Duration;

use tokio::time::Instant;

use super::Done;
use super::halt::Halt;
use super::witness::Evidence;
use crate::browser::page::{Page, Trouble};
use crate::browser::tabs::{Happening, Interruption};
use crate::browser::{ActOutcome, TabId, Verdict};
use crate::error::{Code, Error};

/// How long it is waited for where a new tab goes.
const NEW_TAB: Duration = Duration::from_secs(1);
/// How long a page that the act left for is waited for.
const LOAD: Duration = Duration::from_secs(5);

/// What came of it, as far as it is known by the act's deadline. Fails with what kept it from being done.
pub(super) async fn of(
    page: &Page<'_>,
    acted: Result<(Done, Evidence), Halt>,
    deadline: Instant,
) -> Result<ActOutcome, Error> {
    let (done, evidence) = match acted {
        Ok(acted) => acted,
        Err(Halt::Failed(error)) => return Err(error),
        Err(Halt::Blocked { by, uid }) => return Ok(outcome(page, false, Verdict::Blocked { by, uid }, None)),
        Err(Halt::Interrupted(interruption)) => return of_interruption(page, interruption, None),
        Err(Halt::Unanswered) => return Ok(outcome(page, false, Verdict::NoAnswer, None)),
    };
    let deadline = deadline.min(Instant::now() + LOAD);
    let went = page.tabs.with(page.tab, |tab| tab.is_leaving() || navigated(&tab.happenings).is_some()).unwrap_or(true);
    if went {
        // Whatever it is that keeps the new page from loading is what came of the act.
        if let Err(Trouble::Interruption(interruption)) = page.until_loaded(deadline).await {
            return of_interruption(page, interruption, done.read_back);
        }
    }
    let interruption = page.tabs.state().interruption(page.tab);
    if let Some(interruption) = interruption {
        return of_interruption(page, interruption, done.read_back);
    }
    let verdict = match happened(page, deadline).await {
        Some(verdict) => verdict,
        None if page.tabs.with(page.tab, |tab| tab.is_leaving()).unwrap_or(false) => Verdict::Leaving,
        None if evidence.elsewhere.is_some() && !evidence.reached && !done.reached => {
            let on = evidence.elsewhere.clone().unwrap_or_default();
            Verdict::Missed { on }
        }
        // The press did something, and it was not the click.
        None if evidence.unclicked && !went => {
            let on = evidence.released.as_deref().unwrap_or("another place");
            Verdict::Missed { on: format!("{on} when the button was let go: the page moved meanwhile") }
        }
        None if done.missed.is_some() && (done.surely || !(evidence.changed() || evidence.gone)) => {
            Verdict::Missed { on: done.missed.clone().unwrap_or_default() }
        }
        None if done.changed || evidence.changed() || evidence.gone => Verdict::Changed,
        // Neither seen to arrive nor to do anything.
        None if !(done.reached || evidence.reached || went) => Verdict::Missed { on: String::new() },
        None => Verdict::NoChangeSeen,
    };
    // A document that the input took away can't say that it reached it; nothing else did.
    let left = evidence.gone || went;
    let ok = !matches!(verdict, Verdict::Missed { .. }) && (done.reached || evidence.reached || left);
    let settled = done.settled;
    let restless = evidence.restless;
    Ok(ActOutcome { settled, restless, ..outcome(page, ok, verdict, done.read_back) })
}

/// An act's failure where it has no other outcome.
pub(super) fn error_of(halt: Halt) -> Error {
    match halt {
        Halt::Failed(error) => error,
        Halt::Blocked { by, .. } => Error::new(Code::ActionFailed, format!("the node is covered by {by}")),
        Halt::Interrupted(interruption) => Trouble::Interruption(interruption).error(Code::ActionFailed, "the act"),
        Halt::Unanswered => Error::new(Code::ActionFailed, "the page did not answer in time"),
    }
}

fn outcome(page: &Page<'_>, ok: bool, verdict: Verdict, read_back: Option<String>) -> ActOutcome {
    ActOutcome { ok, verdict, settled: false, restless: false, read_back, tab: page.tab }
}

fn of_interruption(
    page: &Page<'_>,
    interruption: Interruption,
    read_back: Option<String>,
) -> Result<ActOutcome, Error> {
    match interruption {
        Interruption::Dialog(tab, dialog) => {
            let verdict = Verdict::Dialog { kind: dialog.kind, message: dialog.message };
            Ok(ActOutcome { tab, ..outcome(page, true, verdict, read_back) })
        }
        Interruption::Crashed => Ok(outcome(page, true, Verdict::Crashed, read_back)),
        Interruption::Gone => {
            // The page closed its own tab.
            let next = page.tabs.state().tabs.keys().next_back().copied();
            let verdict = Verdict::Closed { tab: page.tab };
            Ok(ActOutcome { tab: next.unwrap_or(page.tab), ..outcome(page, true, verdict, read_back) })
        }
        Interruption::Closed => Err(Trouble::Interruption(interruption).error(Code::ActionFailed, "the act")),
    }
}

/// What the tab reported of itself.
async fn happened(page: &Page<'_>, deadline: Instant) -> Option<Verdict> {
    // A tab that was asked for comes a little later than that is told.
    let come = page.tabs.until(deadline.min(Instant::now() + NEW_TAB), |state| {
        state.tabs.get(&page.tab).is_none_or(|tab| !tab.opening).then_some(())
    });
    come.await;
    let happenings = page.tabs.with(page.tab, |tab| tab.happenings.clone()).unwrap_or_default();
    let refused = happenings.iter().find_map(|happening| match happening {
        Happening::Refused { url } => Some(Verdict::UrlRefused { url: url.clone() }),
        _ => None,
    });
    let download = happenings.iter().find_map(|happening| match happening {
        Happening::Download { id, name } => Some((id.clone(), name.clone())),
        _ => None,
    });
    let opened = happenings.iter().find_map(|happening| match happening {
        Happening::Opened(tab) => Some(*tab),
        _ => None,
    });
    if refused.is_some() {
        return refused;
    }
    if let Some((id, name)) = download {
        return Some(of_download(page, &id, name, deadline).await);
    }
    if let Some(tab) = opened {
        return Some(Verdict::NewTab { tab, url: where_to(page, tab, deadline).await });
    }
    navigated(&happenings).map(|url| Verdict::Navigated { url })
}

async fn of_download(page: &Page<'_>, id: &str, name: String, deadline: Instant) -> Verdict {
    if !page.tabs.saves_downloads() {
        return Verdict::DownloadRefused { name };
    }
    let saved = page.tabs.until(deadline, |state| {
        state.tabs.get(&page.tab)?.happenings.iter().find_map(|happening| match happening {
            Happening::Saved { id: saved, path } if saved == id => Some(path.clone()),
            _ => None,
        })
    });
    Verdict::Download { path: saved.await, name }
}

/// Where a new tab goes: it begins nowhere.
async fn where_to(page: &Page<'_>, tab: TabId, deadline: Instant) -> String {
    let address = |url: &str| (!matches!(url, "" | "about:blank" | ":")).then(|| url.to_owned());
    let known = page.tabs.until(deadline.min(Instant::now() + NEW_TAB), |state| match state.tabs.get(&tab) {
        Some(tab) => address(&tab.url),
        None => Some(String::new()),
    });
    known.await.unwrap_or_else(|| "about:blank".to_owned())
}

/// Where the tab went last.
fn navigated(happenings: &[Happening]) -> Option<String> {
    happenings.iter().rev().find_map(|happening| match happening {
        Happening::Navigated { url } => Some(url.clone()),
        _ => None,
    })
}
