//! What each event says. Those that are not listed here are skipped.

use serde::Deserialize;
use serde_json::{json, value::RawValue};
use tokio::time::Instant;

use super::attach::TargetInfo;
use super::{Dialog, Happening, State, Tabs};
use crate::browser::cdp::{Client, Event, from_slice};
use crate::browser::page::{Policy, Way};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfSession {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfTarget {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfTargetInfo {
    target_info: TargetInfo,
}

#[derive(Deserialize)]
struct DialogOpening {
    message: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct FrameNavigated {
    frame: Frame,
    #[serde(rename = "type", default)]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    parent_id: Option<String>,
    #[serde(default)]
    loader_id: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    url_fragment: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfFrame {
    frame_id: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    disposition: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChooserOpened {
    backend_node_id: Option<u64>,
}

#[derive(Deserialize)]
struct DragIntercepted<'a> {
    #[serde(borrow)]
    data: &'a RawValue,
}

impl Tabs {
    /// Takes an event in.
    pub(super) fn take(&self, client: &Client, event: &Event) {
        let state = &mut *self.state();
        let session = event.session.as_deref();
        let params = &event.params;
        match event.method.as_str() {
            "Target.attachedToTarget" => self.attached(client, state, session, params),
            "Target.detachedFromTarget" => {
                if let Ok(OfSession { session_id }) = from_slice(params) {
                    Self::detached(client, state, &session_id);
                }
            }
            "Target.targetDestroyed" => {
                if let Ok(OfTarget { target_id }) = from_slice(params) {
                    Self::destroyed(client, state, &target_id);
                }
            }
            "Target.targetInfoChanged" => {
                let Ok(OfTargetInfo { target_info }) = from_slice(params) else { return };
                if let Some(tab) = state.tab_of_target(&target_info.target_id) {
                    tab.url = target_info.url;
                    tab.title = target_info.title;
                }
            }
            "Inspector.targetCrashed" => {
                if let Some(session) = session {
                    Self::crashed(client, state, session);
                }
            }
            "Page.javascriptDialogOpening" => {
                let Ok(DialogOpening { message, kind }) = from_slice(params) else { return };
                if let Some(tab) = state.tab_of_session(session) {
                    tab.dialog = Some(Dialog { kind, message });
                }
            }
            "Page.javascriptDialogClosed" => {
                if let Some(tab) = state.tab_of_session(session) {
                    tab.dialog = None;
                }
            }
            "Page.fileChooserOpened" => {
                let Ok(ChooserOpened { backend_node_id }) = from_slice(params) else { return };
                if let Some(tab) = state.tab_of_session(session) {
                    tab.chooser = backend_node_id;
                }
            }
            "Input.dragIntercepted" => {
                let Ok(DragIntercepted { data }) = serde_json::from_slice(params) else { return };
                if let Some(tab) = state.tab_of_session(session) {
                    tab.dragged = Some(data.get().to_owned());
                }
            }
            "Page.downloadWillBegin" => Self::download_will_begin(state, session, params),
            "Page.downloadProgress" => self.download_progress(state, session, params),
            "Fetch.requestPaused" => self.request_paused(client, state, session, params),
            method if method.starts_with("Page.") => Self::page_event(client, state, session, method, params),
            _ => {}
        }
    }

    fn crashed(client: &Client, state: &mut State, session: &str) {
        client.crashed(session);
        if let Some(tab) = state.tab_of_session(Some(session)).filter(|tab| tab.session == session) {
            tab.crashed = true;
            tab.loading = false;
            tab.dialog = None;
            // Its pages' own frames went with it; those of other processes are taken away by Chrome.
        }
    }

    /// Where a page goes.
    fn page_event(client: &Client, state: &mut State, session: Option<&str>, method: &str, params: &[u8]) {
        let Some(tab) = state.tab_of_session(session) else { return };
        let is_page = session == Some(&tab.session);
        match method {
            "Page.frameNavigated" => {
                let Ok(FrameNavigated { frame, kind }) = from_slice(params) else { return };
                tab.frame_commits += 1;
                if !is_page || frame.parent_id.is_some() {
                    return;
                }
                tab.commits += 1;
                tab.content = None;
                tab.loader = frame.loader_id;
                tab.leaving = None;
                tab.loading = true;
                if tab.crashed {
                    tab.crashed = false;
                    client.revived(&tab.session);
                }
                // A page that comes back as it was has loaded before, and says so no more.
                if kind == "BackForwardCacheRestore" {
                    tab.loads = tab.commits;
                    tab.loading = false;
                }
                tab.url = frame.url + &frame.url_fragment;
                tab.happenings.push(Happening::Navigated { url: tab.url.clone() });
            }
            "Page.domContentEventFired" if is_page => tab.content = Some(Instant::now()),
            "Page.windowOpen" => tab.opening = true,
            "Page.loadEventFired" if is_page => {
                tab.loads = tab.commits;
                tab.loading = false;
            }
            "Page.navigatedWithinDocument" => {
                let Ok(OfFrame { frame_id, url, .. }) = from_slice(params) else { return };
                if frame_id == tab.target {
                    tab.leaving = None;
                    tab.url.clone_from(&url);
                    tab.happenings.push(Happening::Navigated { url });
                }
            }
            "Page.frameRequestedNavigation" | "Page.frameScheduledNavigation" => {
                let Ok(OfFrame { frame_id, disposition, url }) = from_slice(params) else { return };
                if frame_id != tab.target || !matches!(disposition.as_str(), "" | "currentTab") {
                    return;
                }
                match Policy::way(&url) {
                    Way::Leaves => tab.leaving = Some(Instant::now()),
                    Way::Refused => tab.happenings.push(Happening::Refused { url }),
                    Way::Stays => {}
                }
            }
            "Page.frameStoppedLoading" => {
                let Ok(OfFrame { frame_id, .. }) = from_slice(params) else { return };
                if frame_id == tab.target {
                    tab.leaving = None;
                    tab.loading = false;
                }
            }
            "Page.frameStartedLoading" => {
                let Ok(OfFrame { frame_id, .. }) = from_slice(params) else { return };
                if frame_id == tab.target {
                    tab.loading = true;
                }
            }
            _ => {}
        }
    }

    /// A document that a page wants to go to: let go on, or stopped so that the old page stays.
    fn request_paused(&self, client: &Client, state: &mut State, session: Option<&str>, params: &[u8]) {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Paused {
            request_id: String,
            frame_id: String,
            request: Request,
        }
        #[derive(Deserialize)]
        struct Request {
            url: String,
        }
        let (Ok(Paused { request_id, frame_id, request }), Some(session)) = (from_slice(params), session) else {
            return;
        };
        let session = client.session(session);
        let tab = state.tab_of_session(session.id()).map(|tab| (tab.id, tab.target == frame_id));
        let is_page = tab.is_none_or(|(_, is_page)| is_page);
        let (policy, tabs) = (std::sync::Arc::clone(&self.policy), self.weak());
        // A name may have to be looked up.
        tokio::spawn(async move {
            if policy.admits(&request.url, is_page).await {
                return session.post("Fetch.continueRequest", json!({"requestId": request_id}));
            }
            if let Some((tabs, (tab, _))) = tabs.upgrade().zip(tab) {
                tabs.with(tab, |tab| tab.happenings.push(Happening::Refused { url: request.url }));
                tabs.touch();
            }
            session.post("Fetch.failRequest", json!({"requestId": request_id, "errorReason": "Aborted"}));
        });
    }
}
