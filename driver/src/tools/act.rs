//! `browser_act`: acts, and answers with what is seen to have come of it: a verdict, and what changed in the view.
//!
//! Nothing is reported that was not seen. The verdict is the browser's; comparing two views may find a change that it
//! did not see, and then says so.

use std::time::Duration;

use axpress_core::DeltaKind;
use serde_json::Value;
use tokio::time::timeout;

use super::answer::{Answer, beginning, on_a_line};
use super::given::Given;
use super::press::{Page, Pressed, Wanted};
use super::{Pages, Session, Tools};
use crate::browser::{ActOutcome, Action, OwnChanges, SnapshotRequest, TabId, Verdict};
use crate::error::{Code, Error};
use crate::tokens;

/// Most tokens of what changed.
const DELTA_TOKENS: usize = 400;
/// How long it is looked at what changed.
const LOOK: Duration = Duration::from_secs(10);
/// Most steps of one call.
const MOST_STEPS: usize = 50;
/// Most bytes of what a node says after the act.
const READ_BACK_BYTES: usize = 300;

/// What is said where something changed, and not by the act.
const RESTLESS: &str = "no change seen; the page changes by itself";

/// What was done of a call's actions.
struct Done {
    lines: Vec<String>,
    /// How many may have changed something.
    acted: usize,
    last: Option<ActOutcome>,
    error: Option<Error>,
    tab: TabId,
}

impl<P: Pages> Tools<P> {
    pub(super) async fn act(&self, session: &Session, given: Given<'_>) -> Result<Answer, Error> {
        let actions = actions(given)?;
        let several = actions.len() > 1;
        // What is refused is refused before a browser is started for it.
        if let Some(Action::OpenTab(Some(url))) = actions.first().filter(|_| !several) {
            self.pages.check_url(url)?;
        }
        let tab = match (given.tab()?, actions.first()) {
            // These name the tab that they are about.
            (Some(_), Some(Action::SwitchTab(_))) | (None, _) => self.tab(session, None).await?,
            (Some(tab), _) => tab,
        };
        // One that there is not is used by nobody.
        if self.pages.tabs().iter().any(|open| open.tab == tab) {
            session.uses(tab);
        }
        let mut done = Done { lines: Vec::new(), acted: 0, last: None, error: None, tab };
        for (number, action) in (1..).zip(&actions) {
            let before = if several { format!("{number} ") } else { String::new() };
            match self.pages.act(done.tab, action).await {
                Ok(outcome) => {
                    done.tab = outcome.tab;
                    session.uses(outcome.tab);
                    done.lines.push(before + &line(&outcome));
                    let stop = outcome.verdict.is_error() || !outcome.ok;
                    // What got the input instead may have done something with it.
                    done.acted += usize::from(!stop || matches!(outcome.verdict, Verdict::Missed { .. }));
                    done.last = Some(outcome);
                    if stop {
                        break;
                    }
                }
                Err(error) if several => {
                    done.lines.push(format!("{before}{error}"));
                    done.error = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        self.answer(session, done, actions.len()).await
    }

    /// What came of it, as far as it can be seen now.
    async fn answer(&self, session: &Session, mut done: Done, steps: usize) -> Result<Answer, Error> {
        let is_error = done.error.is_some() || done.last.as_ref().is_some_and(|last| last.verdict.is_error());
        let open = self.dialog(done.tab);
        let said = done.last.as_ref().is_some_and(|last| matches!(last.verdict, Verdict::Dialog { .. }));
        let is_open = open.is_some();
        done.lines.extend(open.filter(|_| !said));
        // A page behind a dialog can't be read, and one that got no input is as it was.
        let readable = !is_open && !said && done.acted > 0 && !is_gone(done.last.as_ref());
        // The act is done, and its page may be busy for ever now: what is not there in time is left out.
        let pressed = if readable { timeout(LOOK, self.changes(session, done.tab)).await.ok().flatten() } else { None };
        if readable && pressed.is_none() {
            // One that opened while the page was being read.
            done.lines.extend(self.dialog(done.tab));
        }
        let mut verdict = done.last.as_ref().map(|last| last.verdict.clone());
        if let (Some(last), Some(pressed)) = (&done.last, &pressed)
            && last.verdict == Verdict::NoChangeSeen
            && is_change(pressed)
        {
            // A page that changes by itself is another one after any act.
            let own = self.pages.own_changes(done.tab).await;
            let said = match own {
                Ok(OwnChanges::None | OwnChanges::Once) => {
                    verdict = Some(Verdict::Changed);
                    "changed"
                }
                _ => RESTLESS,
            };
            if let Some(line) = done.lines.last_mut() {
                *line = line.replacen(RESTLESS, "no change seen", 1).replacen("no change seen", said, 1);
            }
        }
        let mut text = done.lines.join("\n");
        let mut uids = 0;
        if let Some(pressed) = &pressed
            && !pressed.text.is_empty()
            && !is_unchanged(pressed)
        {
            text = format!("{text}\n{}", pressed.text);
            uids = pressed.uids.len();
        }
        let after = tokens::count(&text);
        let mut answer = Answer::text(text)
            .with("ok", !is_error && done.last.as_ref().is_some_and(|last| last.ok))
            .with("settled", done.last.as_ref().is_some_and(|last| last.settled))
            .with("tab", done.tab.0)
            .with("uids", uids)
            .with("tokens_after", after);
        if let Some(verdict) = verdict {
            answer = answer.with("verdict", kind(&verdict));
        }
        if steps > 1 {
            answer = answer.with("steps", steps).with("steps_done", done.acted);
        }
        if let Some(error) = &done.error {
            answer = answer.with("code", error.code.code());
        }
        answer.is_error = is_error;
        Ok(answer)
    }

    /// The dialog that is open in a tab, as a line.
    fn dialog(&self, tab: TabId) -> Option<String> {
        let (kind, message) = self.pages.tabs().into_iter().find(|it| it.tab == tab)?.dialog?;
        Some(on_a_line(&Verdict::Dialog { kind, message }.to_string()))
    }

    /// What changed in a tab since this connection last saw it, or its view; none where it can't be read now.
    async fn changes(&self, session: &Session, tab: TabId) -> Option<Pressed> {
        // The act is done; that it can't be looked at is no failure of it.
        let snapshot = self.pages.snapshot(tab, &SnapshotRequest::default()).await.ok()?;
        let page = Page::from(&snapshot);
        let seen = session.seen(tab).filter(|seen| seen.document == snapshot.document);
        let since = seen.map(|seen| seen.page);
        let wanted = Wanted { query: None, since, most: DELTA_TOKENS };
        let pressed = self.presses.press(page.clone(), wanted).await.ok()?;
        self.pages.shown(&snapshot, &pressed.uids);
        session.sees(&snapshot, page, &self.pages.tabs());
        Some(pressed)
    }
}

/// The actions of a call: one, or `steps`. All are read before any is done.
fn actions(given: Given<'_>) -> Result<Vec<Action>, Error> {
    let one = |given: Given<'_>| {
        let name = given.text("action")?;
        let name = name.ok_or_else(|| Error::new(Code::InvalidArguments, "`action` is missing"))?;
        Action::new(name, given.action()?)
    };
    let steps = match given.value("steps") {
        None => return Ok(vec![one(given)?]),
        Some(_) if given.value("action").is_some() => {
            return Err(Error::new(Code::InvalidArguments, "give `action` or `steps`, not both"));
        }
        Some(Value::Array(steps)) if (1..=MOST_STEPS).contains(&steps.len()) => steps,
        Some(_) => {
            let what = format!("`steps` is a list of 1 to {MOST_STEPS} actions with their arguments");
            return Err(Error::new(Code::InvalidArguments, what));
        }
    };
    let read = |(number, step): (usize, &Value)| {
        let step = step.as_object().ok_or_else(|| Error::new(Code::InvalidArguments, "it is no object"));
        step.and_then(|step| match step.get("steps") {
            Some(_) => Err(Error::new(Code::InvalidArguments, "a step has no steps of its own")),
            None => one(Given(step)),
        })
        .map_err(|error| Error { what: format!("step {number}: {}", error.what), ..error })
    };
    (1..).zip(steps).map(read).collect()
}

/// The line of an outcome: the verdict, and what the node says after the act.
fn line(outcome: &ActOutcome) -> String {
    let verdict = match &outcome.verdict {
        // What covers it is named with its handle, by who knows what a handle is.
        Verdict::NoChangeSeen if outcome.restless => RESTLESS.to_owned(),
        blocked @ Verdict::Blocked { .. } => blocked.to_string().replace(char::is_control, " "),
        verdict => on_a_line(&verdict.to_string()),
    };
    match &outcome.read_back {
        Some(now) if !now.is_empty() => {
            let cut = if now.len() > READ_BACK_BYTES { "…" } else { "" };
            format!("{verdict}; now {}{cut}", on_a_line(beginning(now, READ_BACK_BYTES)))
        }
        _ => verdict,
    }
}

fn is_gone(outcome: Option<&ActOutcome>) -> bool {
    matches!(
        outcome.map(|outcome| &outcome.verdict),
        // A page that is about to go would keep the answer waiting for its successor.
        Some(Verdict::Dialog { .. } | Verdict::Leaving | Verdict::Crashed | Verdict::NoAnswer)
    )
}

fn is_unchanged(pressed: &Pressed) -> bool {
    pressed.change.as_ref().is_some_and(|change| change.kind == DeltaKind::Unchanged)
}

/// Whether more changed than what has the focus: every click moves that.
fn is_change(pressed: &Pressed) -> bool {
    pressed.change.as_ref().is_some_and(|change| change.kind != DeltaKind::Unchanged && !change.is_focus)
}

/// A verdict in one word, for programs.
fn kind(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Changed => "changed",
        Verdict::NoChangeSeen => "no_change_seen",
        Verdict::Blocked { .. } => "blocked",
        Verdict::Missed { .. } => "missed",
        Verdict::Dialog { .. } => "dialog",
        Verdict::Navigated { .. } => "navigated",
        Verdict::Leaving => "navigating",
        Verdict::NewTab { .. } => "new_tab",
        Verdict::Switched { .. } => "switched",
        Verdict::Closed { .. } => "closed",
        Verdict::DownloadRefused { .. } => "download_refused",
        Verdict::Download { .. } => "download",
        Verdict::UrlRefused { .. } => "url_refused",
        Verdict::Crashed => "crashed",
        Verdict::NoAnswer => "no_answer",
    }
}
