//! Targets come and go: each is set up before its page runs.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::{Child, Happening, State, Tab, Tabs};
use crate::browser::TabId;
use crate::browser::cdp::{CallFailure, Client, Session, from_slice};

/// How long a new tab's page has to answer the first requests.
const SET_UP: Duration = Duration::from_secs(5);

/// What Chrome says of a target.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TargetInfo {
    pub(super) target_id: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    pub(super) title: String,
    #[serde(default)]
    pub(super) url: String,
    #[serde(default)]
    subtype: String,
    opener_id: Option<String>,
    parent_frame_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: TargetInfo,
    /// It has just been made.
    #[serde(default)]
    waiting_for_debugger: bool,
}

/// Asks for all tabs, those that are there and those that will come.
///
/// Downloads are settled first thing: what nobody asked for is not saved.
pub(crate) async fn attach_to_tabs(tabs: &Tabs, client: &Client, deadline: Instant) -> Result<(), CallFailure> {
    let browser = client.browser();
    let downloads = match &tabs.downloads {
        Some(folder) => json!({"behavior": "allowAndName", "downloadPath": folder, "eventsEnabled": true}),
        None => json!({"behavior": "deny", "eventsEnabled": true}),
    };
    browser.call("Browser.setDownloadBehavior", downloads, deadline).await?;
    browser.call("Target.setDiscoverTargets", json!({"discover": true}), deadline).await?;
    let pages = json!({
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{"type": "page"}],
    });
    browser.call("Target.setAutoAttach", pages, deadline).await?;
    Ok(())
}

impl Tabs {
    pub(super) fn attached(&self, client: &Client, state: &mut State, parent: Option<&str>, params: &[u8]) {
        let Ok(Attached { session_id, target_info, waiting_for_debugger }) = from_slice::<Attached>(params) else {
            return;
        };
        let session = client.session(&session_id);
        match (target_info.kind.as_str(), parent) {
            // One that is only prepared for is no tab yet.
            ("page", None) if target_info.subtype.is_empty() => {
                let id = self.counters.tab();
                self.set_up(&session, Some(id));
                let mut tab = Tab::new(id, &target_info.target_id, &session_id);
                // One that was made later was made for someone.
                tab.taken = waiting_for_debugger;
                tab.url = target_info.url;
                tab.title = target_info.title;
                let opener = target_info.opener_id.and_then(|opener| state.targets.get(&opener).copied());
                tab.opener = opener;
                if let Some(opener) = opener.and_then(|opener| state.tabs.get_mut(&opener)) {
                    opener.happenings.push(Happening::Opened(id));
                    opener.opening = false;
                }
                state.sessions.insert(session_id, id);
                state.targets.insert(target_info.target_id, id);
                state.tabs.insert(id, tab);
            }
            ("iframe", Some(parent)) => {
                self.set_up(&session, None);
                let Some(tab) = state.tab_of_session(Some(parent)) else { return };
                let id = tab.id;
                let parent = parent.to_owned();
                tab.children.push(Child {
                    session: session_id.clone(),
                    frame: target_info.target_id,
                    parent_frame: target_info.parent_frame_id,
                    parent,
                    url: target_info.url,
                });
                state.sessions.insert(session_id, id);
            }
            _ => session.post("Runtime.runIfWaitingForDebugger", json!({})),
        }
    }

    /// Sets a target up, and lets it run. Chrome takes requests in their order.
    fn set_up(&self, session: &Session, tab: Option<TabId>) {
        session.post("Inspector.enable", json!({}));
        let frames = json!({
            "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{"type": "iframe"}],
        });
        session.post("Target.setAutoAttach", frames);
        if tab.is_some() {
            // A tab in the background draws no frames, and acts wait for frames.
            session.post("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        }
        if self.policy.looks_at_requests() {
            let patterns = json!({"patterns": [{"urlPattern": "*", "resourceType": "Document"}]});
            session.post("Fetch.enable", patterns);
        }
        let (tabs, session) = (self.weak(), session.clone());
        // A tab that is sent elsewhere before its page has answered these may crash: its answers are waited for, and
        // with them whoever wants the tab.
        let answered = |deadline| {
            let enabled = session.call_now("Page.enable", json!({}), deadline);
            let named = session.call_now("Accessibility.enable", json!({}), deadline);
            let running = session.call_now("Runtime.runIfWaitingForDebugger", json!({}), deadline);
            async move { (enabled.await, named.await, running.await) }
        };
        let answered = answered(Instant::now() + SET_UP);
        let Some(tab) = tab else { return };
        tokio::spawn(async move {
            let _ = answered.await;
            if let Some(tabs) = tabs.upgrade() {
                tabs.with(tab, |tab| tab.ready = true);
                tabs.touch();
            }
        });
    }

    pub(super) fn detached(client: &Client, state: &mut State, session: &str) {
        client.detached(session);
        let Some(id) = state.sessions.remove(session) else { return };
        let Some(tab) = state.tabs.get_mut(&id) else { return };
        if tab.session == session {
            let target = tab.target.clone();
            Self::destroyed(client, state, &target);
            return;
        }
        // With it go the frames below it: Chrome would say so in this session.
        let mut gone = vec![session.to_owned()];
        while let Some(session) = gone.pop() {
            tab.children.retain(|child| {
                if child.parent == session {
                    gone.push(child.session.clone());
                }
                child.session != session
            });
            state.sessions.remove(&session);
            client.detached(&session);
        }
    }

    pub(super) fn destroyed(client: &Client, state: &mut State, target: &str) {
        let Some(tab) = state.targets.remove(target).and_then(|id| state.tabs.remove(&id)) else { return };
        for session in tab.children.iter().map(|child| &child.session).chain([&tab.session]) {
            state.sessions.remove(session);
            client.detached(session);
        }
    }
}
