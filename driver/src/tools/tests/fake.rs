//! A browser that is none: pages from fixtures, outcomes as a test sets them, and a record of what was asked.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axpress_core::Uid;
use bytes::Bytes;
use serde_json::{Value, json};

use crate::browser::{
    ActOutcome, Action, Browser, Document, Evaluation, FramePayload, Options as BrowserOptions, OwnChanges,
    PageSnapshot, Screenshot, SnapshotRequest, TabId, TabInfo, Verdict,
};
use crate::error::{Code, Error};
use crate::store::{BUDGET, Store};
use crate::tools::{Answer, Options, Pages, Session, Tools};

#[derive(Clone, Debug, Default)]
pub(crate) struct Fake(Arc<Mutex<State>>);

#[derive(Debug, Default)]
pub(crate) struct State {
    /// What is read next; the last one again and again.
    pub(crate) pages: VecDeque<PageSnapshot>,
    pub(crate) outcomes: VecDeque<Result<ActOutcome, Error>>,
    pub(crate) dialog: Option<(String, String)>,
    /// Whose doing it is that pages change; the act's where nothing is set.
    pub(crate) own_changes: Option<OwnChanges>,
    pub(crate) evaluation: String,
    pub(crate) acts: Vec<(TabId, Action)>,
    pub(crate) requests: Vec<(TabId, SnapshotRequest)>,
    pub(crate) shown: Vec<Uid>,
    pub(crate) tabs: u32,
    /// Pages never answer.
    pub(crate) hangs: bool,
}

impl Fake {
    pub(crate) fn set<T>(&self, set: impl FnOnce(&mut State) -> T) -> T {
        set(&mut self.0.lock().unwrap())
    }

    pub(crate) fn of(pages: impl IntoIterator<Item = PageSnapshot>) -> Self {
        let fake = Self::default();
        fake.set(|state| state.pages.extend(pages));
        fake
    }

    pub(crate) fn will(self, outcomes: impl IntoIterator<Item = Result<ActOutcome, Error>>) -> Self {
        self.set(|state| state.outcomes.extend(outcomes));
        self
    }
}

impl Pages for Fake {
    fn check_url(&self, url: &str) -> Result<(), Error> {
        Browser::new(BrowserOptions::default())?.check_url(url)
    }

    async fn own_tab(&self) -> Result<TabId, Error> {
        self.set(|state| {
            state.tabs += 1;
            Ok(TabId(state.tabs))
        })
    }

    fn tabs(&self) -> Vec<TabInfo> {
        self.set(|state| {
            let dialog = state.dialog.clone();
            let tab = |tab| TabInfo {
                tab: TabId(tab),
                url: String::new(),
                title: String::new(),
                opener: None,
                dialog: dialog.clone(),
            };
            (1..=9).map(tab).collect()
        })
    }

    async fn snapshot(&self, tab: TabId, request: &SnapshotRequest) -> Result<PageSnapshot, Error> {
        if self.set(|state| state.hangs) {
            std::future::pending::<()>().await;
        }
        self.set(|state| {
            state.requests.push((tab, request.clone()));
            let page = if state.pages.len() > 1 { state.pages.pop_front() } else { state.pages.front().cloned() };
            let page = page.ok_or_else(|| Error::new(Code::SnapshotFailed, "there is no page"))?;
            Ok(PageSnapshot { tab, ..page })
        })
    }

    fn shown(&self, _: &PageSnapshot, uids: &[Uid]) {
        self.set(|state| state.shown.extend(uids));
    }

    async fn act(&self, tab: TabId, action: &Action) -> Result<ActOutcome, Error> {
        self.set(|state| {
            state.acts.push((tab, action.clone()));
            state.outcomes.pop_front().unwrap_or_else(|| Ok(outcome(Verdict::Changed)))
        })
    }

    async fn own_changes(&self, _: TabId) -> Result<OwnChanges, Error> {
        Ok(self.set(|state| state.own_changes.unwrap_or(OwnChanges::Once)))
    }

    async fn eval(&self, _: TabId, expression: &str) -> Result<Evaluation, Error> {
        assert_ne!(expression, "panic", "as the test asked");
        if expression == "forever" {
            std::future::pending::<()>().await;
        }
        Ok(Evaluation { text: self.set(|state| state.evaluation.clone()), verdict: None })
    }

    async fn screenshot(&self, _: TabId, uid: Option<Uid>) -> Result<Screenshot, Error> {
        Ok(Screenshot { base64: if uid.is_some() { "bm9kZQ==" } else { "cGFnZQ==" }.to_owned() })
    }
}

pub(crate) fn outcome(verdict: Verdict) -> ActOutcome {
    let ok = !matches!(verdict, Verdict::Blocked { .. });
    ActOutcome { ok, verdict, settled: false, restless: false, read_back: None, tab: TabId(1) }
}

/// A file of a fixture.
pub(crate) fn fixture(path: &str) -> Bytes {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures").join(path);
    fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).into()
}

/// A page without frames.
pub(crate) fn page(payload: impl Into<Bytes>) -> PageSnapshot {
    PageSnapshot {
        tab: TabId(1),
        url: "http://127.0.0.1/".to_owned(),
        title: "A page".to_owned(),
        frame_id: "FRAME0".to_owned(),
        loader: "LOADER0".to_owned(),
        document: Document(1),
        payload: payload.into(),
        frames: Vec::new(),
        secrets: Vec::new(),
        clickable: Vec::new(),
        exposes_secrets: false,
        unread: Vec::new(),
        loading: false,
    }
}

/// The page of two frames, of other processes, one in the other.
pub(crate) fn framed_page() -> PageSnapshot {
    let frame = |owner, number, file: &str| FramePayload {
        owner,
        number,
        frame_id: format!("FRAME{number}"),
        url: "http://localhost/".to_owned(),
        loader: format!("LOADER{number}"),
        document: Document(1 + number),
        payload: fixture(file),
    };
    PageSnapshot {
        frames: vec![frame(Uid { frame: 0, node: 16 }, 1, "frames-cross-site/frame-1.ax.json")],
        ..page(fixture("frames-cross-site/ax.json"))
    }
}

/// Tools on a fake, with a store in memory.
pub(crate) fn tools(fake: &Fake) -> Tools<Fake> {
    with(fake, Options::default(), BUDGET)
}

pub(crate) fn with(fake: &Fake, options: Options, budget: u64) -> Tools<Fake> {
    Tools::new(fake.clone(), Store::in_memory(budget).unwrap(), options)
}

/// Calls a tool in a connection.
pub(crate) async fn call(tools: &Tools<Fake>, session: &Session, tool: &str, arguments: Value) -> Answer {
    tools.call(session, tool, arguments.as_object().unwrap()).await.unwrap()
}

/// Calls a tool in a connection of its own.
pub(crate) async fn once(tools: &Tools<Fake>, tool: &str, arguments: Value) -> Answer {
    call(tools, &Session::default(), tool, arguments).await
}

/// The code of an answer that must be a failure.
pub(crate) fn code(answer: &Answer) -> &str {
    assert!(answer.is_error, "{}", answer.texts());
    let code = answer.meta["code"].as_str().unwrap();
    assert!(answer.texts().contains(code) && answer.texts().contains(" Next: "), "{}", answer.texts());
    code
}

pub(crate) fn none() -> Value {
    json!({})
}
