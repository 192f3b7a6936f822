//! Acts: done on the node that was shown or not at all, and reported no better than they were seen.
//!
//! [`mod@node`] finds the node again, [`mod@point`] where a press reaches it; [`mod@pointer`], [`mod@text`], [`mod@keys`], [`mod@choice`], [`mod@files`]
//! and [`mod@whole`] put something in; [`mod@witness`] sees what reaches the node and whether anything changes; [`mod@outcome`] says
//! what came of it. One deadline is over all of an act. A dialog ends it at once, as a result, so that the act that answers
//! the dialog has nothing to wait for.

mod choice;
mod dialog;
mod files;
mod halt;
mod kept;
mod keys;
mod node;
mod outcome;
mod picture;
mod point;
mod pointer;
mod script;
mod text;
mod whole;
mod witness;

use std::sync::Mutex;
use std::time::Duration;

use axpress_core::{Compressor, Uid};
use serde_json::json;
use tokio::time::Instant;

use self::halt::Halt;
use self::kept::Kept;
use self::node::Node;
use self::witness::{Evidence, Witness};
use super::live::Live;
use super::page::{Page, Trouble, no_tab};
use super::{ActOutcome, Action, Options, Screenshot, TabId, Verdict};
use crate::error::{Code, Error};

/// How long a page is asked what time it has.
const CLOCK: Duration = Duration::from_secs(1);

/// What an act did, before it is known what came of it.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is known by itself")]
struct Done {
    witness: Option<Witness>,
    /// That the input reached the node is known without a witness.
    reached: bool,
    /// So is that something changed.
    changed: bool,
    read_back: Option<String>,
    /// What got it instead of the node that it was for, as far as that is known.
    missed: Option<String>,
    /// That is so whatever changed.
    surely: bool,
    /// What the field must still hold when the page has had time to take it back; what it holds is read then.
    kept: Option<Kept>,
    /// What was waited for is so.
    settled: bool,
}

/// What acts are done with.
pub(crate) struct Actor<'a> {
    pub(crate) live: &'a Live,
    pub(crate) options: &'a Options,
    pub(crate) compressor: &'a Mutex<Compressor>,
}

impl Actor<'_> {
    /// Acts in a tab.
    pub(crate) async fn act(&self, tab: TabId, action: &Action) -> Result<ActOutcome, Error> {
        let tabs = &self.live.tabs;
        match action {
            Action::AcceptDialog(text) => dialog::answer(&self.page(tab)?, true, text.as_deref()).await,
            Action::DismissDialog => dialog::answer(&self.page(tab)?, false, None).await,
            Action::OpenTab(url) => self.open(url.as_deref().unwrap_or("about:blank")).await,
            Action::SwitchTab(to) => self.switch(*to),
            Action::CloseTab => self.close(tab).await,
            _ => {
                let page = self.page(tab)?;
                let _turn = page.turn().await?;
                let deadline = Instant::now() + self.patience(action);
                if let Some(interruption) = tabs.state().interruption(tab) {
                    return Err(Trouble::Interruption(interruption).error(Code::ActionFailed, "the act"));
                }
                tabs.with(tab, |tab| {
                    tab.happenings.clear();
                    tab.opening = false;
                });
                outcome::of(&page, self.in_page(&page, action, deadline).await, deadline).await
            }
        }
    }

    fn page(&self, tab: TabId) -> Result<Page<'_>, Error> {
        self.live.page(self.options, tab)
    }

    /// How long an act may take, from the check of its uid to its verdict. A wait has the time that it waits, too.
    fn patience(&self, action: &Action) -> Duration {
        let act = self.options.limits.act;
        match action {
            Action::WaitFor(time) | Action::WaitForText(_, Some(time)) => act + *time,
            _ => act,
        }
    }

    /// Does what is done in a page, and looks at what it did.
    async fn in_page(&self, page: &Page<'_>, action: &Action, deadline: Instant) -> Result<(Done, Evidence), Halt> {
        if let Some(uid) = uid_of(action) {
            let node = self.find(page, uid, deadline).await?;
            let done = self.on_node(&node, action).await;
            let seen = match done {
                Ok(done) => see(&node, done).await,
                Err(halt) => Err(halt),
            };
            node.release();
            return seen;
        }
        // What has no node has no witness: from now on the page's own watch counts.
        if !matches!(action, Action::Back | Action::Forward | Action::Reload)
            && let Some(now) = page.clock(deadline.min(Instant::now() + CLOCK)).await
        {
            page.tabs.with(page.tab, |tab| tab.times.acted(now));
        }
        let done = match action {
            Action::Press(None, key) => text::press_anywhere(page, &keys::read(key)?, deadline).await?,
            Action::Scroll(None, amount) => {
                let amount = amount.ok_or_else(|| halt::impossible("scroll needs `uid` or `amount`"))?;
                whole::scroll_page(page, amount, deadline).await?
            }
            Action::WaitFor(time) => {
                page.pause(*time).await.map_err(Halt::of_input)?;
                Done { reached: true, settled: true, ..Done::default() }
            }
            Action::WaitForText(text, most) => {
                let most = most.unwrap_or(self.options.limits.act);
                if !whole::wait_for_text(page, text, Instant::now() + most).await? {
                    return Err(whole::did_not_come(text).into());
                }
                Done { reached: true, settled: true, ..Done::default() }
            }
            Action::Back => whole::travel(page, -1, deadline).await?,
            Action::Forward => whole::travel(page, 1, deadline).await?,
            Action::Reload => whole::reload(page, deadline).await?,
            // All others have a node, or are done before.
            _ => Done::default(),
        };
        Ok((done, Evidence::default()))
    }

    async fn find<'p>(&self, page: &'p Page<'p>, uid: Uid, deadline: Instant) -> Result<Node<'p>, Halt> {
        Node::find(page, self.compressor, uid, deadline).await
    }

    async fn on_node(&self, node: &Node<'_>, action: &Action) -> Result<Done, Halt> {
        match action {
            Action::DoubleClick(_) => pointer::click(node, 2).await,
            Action::Type(_, text) => text::type_text(node, text, true).await,
            Action::Append(_, text) => text::type_text(node, text, false).await,
            Action::Press(_, key) => text::press(node, &keys::read(key)?).await,
            Action::Hover(_) => pointer::hover(node).await,
            Action::Select(_, option) => choice::select(node, option).await,
            Action::Check(_) => choice::tick(node, true).await,
            Action::Uncheck(_) => choice::tick(node, false).await,
            Action::Scroll(_, amount) => whole::scroll_node(node, *amount).await,
            Action::Drag(_, to) => {
                let onto = self.find(node.page, *to, node.deadline).await?;
                let done = pointer::drag(node, &onto).await;
                onto.release();
                done
            }
            Action::Upload(_, paths) => files::upload(node, paths).await,
            _ => pointer::click(node, 1).await,
        }
    }

    async fn open(&self, url: &str) -> Result<ActOutcome, Error> {
        let url = self.live.tabs.policy.check(url)?;
        let tab = self.live.open("about:blank", Instant::now() + self.options.limits.act).await?;
        let page = self.page(tab)?;
        if url != "about:blank" {
            let _turn = page.turn().await?;
            page.navigate(&url).await.map_err(|error| Error { code: code_of_open(error.code), ..error })?;
        }
        self.switched(tab)
    }

    fn switch(&self, tab: TabId) -> Result<ActOutcome, Error> {
        let page = self.page(tab)?;
        self.live.tabs.with(tab, |tab| tab.taken = true);
        // Whoever watches the window sees it too; a tab that can't come to the front can still be used.
        self.live.client.browser().post("Target.activateTarget", json!({"targetId": page.frame}));
        self.switched(tab)
    }

    fn switched(&self, tab: TabId) -> Result<ActOutcome, Error> {
        let url = self.live.tabs.with(tab, |tab| tab.url.clone()).ok_or_else(|| no_tab(&self.live.tabs, tab))?;
        Ok(ActOutcome {
            ok: true,
            verdict: Verdict::Switched { tab, url },
            settled: false,
            restless: false,
            read_back: None,
            tab,
        })
    }

    async fn close(&self, tab: TabId) -> Result<ActOutcome, Error> {
        let page = self.page(tab)?;
        let deadline = Instant::now() + self.options.limits.act;
        let opener = self.live.tabs.with(tab, |tab| tab.opener).flatten();
        // Chrome may end with its last tab.
        if self.live.tabs.state().tabs.len() == 1 {
            let next = self.live.open("about:blank", deadline).await?;
            self.live.tabs.with(next, |tab| tab.taken = false);
        }
        let closed = self.live.client.browser();
        let closed = closed.ask::<serde_json::Value>("Target.closeTarget", json!({"targetId": page.frame}), deadline);
        closed.await.map_err(|failure| Trouble::Call(failure).error(Code::ActionFailed, "closing the tab"))?;
        let gone = self.live.tabs.until(deadline, |state| (!state.tabs.contains_key(&tab)).then_some(()));
        if gone.await.is_none() {
            return Err(Error::new(Code::ActionFailed, format!("tab {tab} did not close")));
        }
        let state = self.live.tabs.state();
        let next = opener.filter(|opener| state.tabs.contains_key(opener));
        let next = next.or_else(|| state.tabs.keys().next_back().copied()).unwrap_or(tab);
        Ok(ActOutcome {
            ok: true,
            verdict: Verdict::Closed { tab },
            settled: false,
            restless: false,
            read_back: None,
            tab: next,
        })
    }

    /// A picture of what a tab shows, or of a node in it.
    pub(crate) async fn screenshot(&self, tab: TabId, uid: Option<Uid>) -> Result<Screenshot, Error> {
        let page = self.page(tab)?;
        let _turn = page.turn().await?;
        page.check_place()?;
        let deadline = Instant::now() + self.options.limits.act;
        let clip = match uid {
            None => None,
            Some(uid) => {
                let node = self.find(&page, uid, deadline).await.map_err(outcome::error_of)?;
                let clip = node.clip().await.map_err(outcome::error_of);
                node.release();
                Some(clip?)
            }
        };
        picture::take(&page, clip, deadline).await
    }
}

/// Looks at what an act did to its node.
async fn see(node: &Node<'_>, mut done: Done) -> Result<(Done, Evidence), Halt> {
    kept::wait(node, &done).await?;
    let evidence = match &done.witness {
        Some(witness) => witness.see(node).await.map_err(Halt::of_input)?,
        None => Evidence::default(),
    };
    // What went elsewhere was kept by nobody.
    if !evidence.gone && (done.reached || evidence.reached) {
        kept::look(node, &mut done).await?;
    }
    Ok((done, evidence))
}

/// What opening a tab fails with, where going to a page failed.
fn code_of_open(code: Code) -> Code {
    if code == Code::SnapshotFailed { Code::ActionFailed } else { code }
}

/// The node that is acted on.
fn uid_of(action: &Action) -> Option<Uid> {
    match action {
        Action::Click(uid)
        | Action::DoubleClick(uid)
        | Action::Type(uid, _)
        | Action::Append(uid, _)
        | Action::Press(Some(uid), _)
        | Action::Hover(uid)
        | Action::Select(uid, _)
        | Action::Check(uid)
        | Action::Uncheck(uid)
        | Action::Scroll(Some(uid), _)
        | Action::Drag(uid, _)
        | Action::Upload(uid, _) => Some(*uid),
        _ => None,
    }
}
