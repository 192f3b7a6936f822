//! Pages: gone to, waited for and read.
//!
//! [`mod@policy`] says which addresses are gone to, [`mod@navigate`] goes there and waits until the page has loaded, [`mod@still`] waits
//! until it has not changed for a moment, [`mod@documents`] finds out which documents a page is made of, [`mod@read`] fetches their
//! payloads side by side, [`mod@secrets`] finds the fields whose values are never said, [`mod@watch`] tells what a page changes by
//! itself, [`mod@world`] is where our own scripts run.

mod documents;
mod navigate;
mod policy;
mod read;
mod secrets;
mod still;
mod watch;
pub(crate) mod world;

use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

pub(crate) use documents::FrameTree;
pub(crate) use policy::{Policy, Way};
pub(crate) use watch::{Judgement, Times};

use super::cdp::{CallFailure, Client, Session};
use super::tabs::{Interruption, Tabs};
use super::{Limits, TabId};
use crate::error::{Code, Error};

/// How long a tab is waited for that has just come.
const READY: Duration = Duration::from_secs(5);

/// A tab that is worked with.
#[derive(Clone, Debug)]
pub(crate) struct Page<'a> {
    pub(crate) client: &'a Client,
    pub(crate) tabs: &'a Tabs,
    pub(crate) limits: &'a Limits,
    pub(crate) tab: TabId,
    /// The session of the page itself.
    pub(crate) session: Session,
    /// The page's main frame.
    pub(crate) frame: String,
}

impl<'a> Page<'a> {
    /// A tab's page. Fails with `cave_invalid_arguments` where there is no such tab.
    pub(crate) fn new(client: &'a Client, tabs: &'a Tabs, limits: &'a Limits, tab: TabId) -> Result<Self, Error> {
        let (session, frame) =
            tabs.with(tab, |tab| (tab.session.clone(), tab.target.clone())).ok_or_else(|| no_tab(tabs, tab))?;
        Ok(Self { client, tabs, limits, tab, session: client.session(&session), frame })
    }

    /// Waits for the turn to read the tab or to act in it.
    ///
    /// Who has it holds it for a bounded time, and lets go at once where a dialog opens.
    pub(crate) async fn turn(&self) -> Result<OwnedMutexGuard<()>, Error> {
        let turn = self.tabs.with(self.tab, |tab| Arc::clone(&tab.turn)).ok_or_else(|| no_tab(self.tabs, self.tab))?;
        let turn = turn.lock_owned().await;
        // What was not asked for in time is told no more; the page can be asked all the same.
        let ready = self.tabs.until(Instant::now() + READY, |state| {
            state.tabs.get(&self.tab).is_none_or(|tab| tab.ready || tab.dialog.is_some()).then_some(())
        });
        ready.await;
        Ok(turn)
    }

    /// Lets time pass, unless something comes to hold the page.
    pub(crate) async fn pause(&self, time: Duration) -> Result<(), Trouble> {
        let deadline = Instant::now() + time;
        match self.tabs.until(deadline, |state| state.interruption(self.tab)).await {
            Some(interruption) => Err(Trouble::Interruption(interruption)),
            None => Ok(()),
        }
    }

    /// Asks the page, unless something holds it.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
        deadline: Instant,
    ) -> Result<T, Trouble> {
        self.watch(deadline, self.session.ask(method, params, deadline)).await
    }

    /// Runs what asks the page, unless something holds it.
    pub(crate) async fn watch<T>(
        &self,
        deadline: Instant,
        work: impl Future<Output = Result<T, CallFailure>>,
    ) -> Result<T, Trouble> {
        match self.tabs.watched(self.tab, deadline, work).await {
            Ok(done) => done.map_err(|failure| {
                if failure == CallFailure::Late {
                    self.tabs.with(self.tab, |tab| tab.hung = true);
                }
                Trouble::Call(failure)
            }),
            Err(interruption) => Err(Trouble::Interruption(interruption)),
        }
    }
}

/// There is no such tab.
pub(crate) fn no_tab(tabs: &Tabs, tab: TabId) -> Error {
    let there: Vec<String> = tabs.list().iter().map(|info| info.tab.to_string()).collect();
    let what = format!("there is no tab {tab}");
    let next = match there.as_slice() {
        [] => "open a tab with open_tab".to_owned(),
        _ => format!("use one of the tabs {}", there.join(", ")),
    };
    Error::new(Code::InvalidArguments, what).next(next)
}

/// Why a page did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Interruption(Interruption),
    Call(CallFailure),
}

impl Trouble {
    /// As an error of this code, beginning with what was done.
    pub(crate) fn error(&self, code: Code, doing: &str) -> Error {
        match self {
            Self::Interruption(Interruption::Closed) | Self::Call(CallFailure::Closed(_)) => {
                Error::new(Code::BrowserUnavailable, format!("{doing} failed: Chrome has ended"))
                    .next("call again: Chrome is started again, with new tabs")
            }
            Self::Interruption(Interruption::Dialog(tab, dialog)) => {
                let what = format!("the {} {:?} is open in tab {tab} and holds the page", dialog.kind, dialog.message);
                Error::new(code, what).next("answer it with accept_dialog or dismiss_dialog")
            }
            Self::Interruption(Interruption::Crashed) | Self::Call(CallFailure::Crashed) => {
                Error::new(code, format!("{doing} failed: the page's process crashed"))
                    .next("go to the page again, with its url")
            }
            Self::Interruption(Interruption::Gone) | Self::Call(CallFailure::Detached) => {
                Error::new(code, format!("{doing} failed: the tab or frame is gone"))
                    .next("take a snapshot, of another tab where this one was closed")
            }
            Self::Call(CallFailure::Late) => {
                Error::new(code, format!("{doing} failed: the page did not answer in time"))
                    .next("go to the page again, with its url, or use another tab")
            }
            Self::Call(failure @ CallFailure::TooLarge(_)) => {
                Error::new(Code::PayloadTooLarge, format!("{doing} failed: {failure}"))
                    .next("go to a smaller page, or get a part of this one with browser_eval")
            }
            Self::Call(failure) => Error::new(code, format!("{doing} failed: {failure}")),
        }
    }
}

impl From<CallFailure> for Trouble {
    fn from(failure: CallFailure) -> Self {
        Self::Call(failure)
    }
}

#[cfg(test)]
mod tests {
    use super::Trouble;
    use crate::browser::cdp::CallFailure;
    use crate::error::Code;

    #[test]
    fn a_page_that_is_too_large_is_said_to_be_and_what_to_do() {
        let error = Trouble::Call(CallFailure::TooLarge(1 << 30)).error(Code::SnapshotFailed, "reading the page");
        assert_eq!(error.code, Code::PayloadTooLarge);
        assert!(error.what.contains("larger than the limit of 1073741824 bytes"), "{error}");
        assert!(error.next.contains("smaller page"), "{error}");
    }
}
