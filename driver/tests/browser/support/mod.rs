//! What the tests share: a Chromium, a server of their own, and views of what was read.

mod agent;
mod chrome;
mod processes;
mod server;
#[path = "../../support/time.rs"]
mod time;
#[path = "../../support/uid.rs"]
mod uid;

use std::future::Future;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axpress_core::{Compressor, Uid, ViewOptions};
use axpress_driver::browser::{ActOutcome, Action, Browser, Files, Options, PageSnapshot, SnapshotRequest, TabId};
use axpress_driver::{Code, Error};
use tokio::runtime::Runtime;

pub(crate) use agent::{Agent, JOURNAL, Shown, text};
pub(crate) use chrome::{Chrome, Running};
pub(crate) use processes::{busy_renderer, renderers};
pub(crate) use server::{Answer, Server};
pub(crate) use time::limit;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
});
static BROWSER: LazyLock<Browser> = LazyLock::new(|| Browser::new(options()).expect("a browser"));
static COMPRESSOR: LazyLock<Mutex<Compressor>> = LazyLock::new(Mutex::default);

/// The page's side of the tests: `note` takes down a text, `watch` the events of an element, trusted ones only.
pub(crate) const RECORDER: &str = "<script>
    const notes = [];
    const note = text => notes.push(String(text));
    const watch = (id, ...kinds) => kinds.forEach(kind => document.getElementById(id).addEventListener(kind, event =>
        note(`${kind} ${event.target.id} ${event.isTrusted ? 'trusted' : 'made'}` +
            (event.key ? ` ${event.key}` : '') + (event.data ? ` ${event.data}` : ''))));
</script>";

/// What a Chromium is started with here.
pub(crate) fn options() -> Options {
    let mut options = Options::from_environment().expect("the environment is in order");
    // These run beside others, on machines of any speed.
    options.limits.act = Duration::from_secs(20);
    options.files = Files::below(vec![env!("CARGO_TARGET_TMPDIR").into()]);
    options
}

/// A Chromium of its own, which waits for a frame no longer than a second.
pub(crate) fn impatient() -> Browser {
    let mut options = options();
    options.limits.frame = Duration::from_secs(1);
    Browser::new(options).expect("a browser")
}

/// Runs a test.
pub(crate) fn run(test: impl Future<Output = ()>) {
    RUNTIME.block_on(test);
}

/// A tab of the shared Chromium, for one test.
pub(crate) struct Tab {
    pub(crate) browser: Browser,
    pub(crate) tab: TabId,
}

/// What an agent would see.
pub(crate) struct Seen {
    pub(crate) snapshot: PageSnapshot,
    pub(crate) text: String,
}

impl Tab {
    /// A new tab.
    pub(crate) async fn new() -> Self {
        Self::of(&BROWSER).await
    }

    /// A new tab of this browser.
    pub(crate) async fn of(browser: &Browser) -> Self {
        let tab = browser.own_tab().await.expect("Chromium starts");
        Self { browser: browser.clone(), tab }
    }

    /// Goes to an address, and shows all of the page.
    pub(crate) async fn go(&self, url: &str) -> Seen {
        let request = SnapshotRequest { url: Some(url.to_owned()), ..SnapshotRequest::default() };
        let snapshot = self.browser.snapshot(self.tab, &request).await.expect("the page is read");
        self.show(snapshot)
    }

    /// Shows all of the page as it is.
    pub(crate) async fn look(&self) -> Seen {
        let snapshot = self.browser.snapshot(self.tab, &SnapshotRequest::default()).await.expect("the page is read");
        self.show(snapshot)
    }

    fn show(&self, snapshot: PageSnapshot) -> Seen {
        let frames = snapshot.core_frames();
        let options = ViewOptions { secrets: &snapshot.secrets, ..ViewOptions::default() };
        let mut compressor = COMPRESSOR.lock().unwrap_or_else(PoisonError::into_inner);
        let view = compressor.view(snapshot.core(&frames), &options).expect("the payload is read");
        let text = view.text.to_owned();
        self.browser.shown(&snapshot, view.uids);
        drop(compressor);
        drop(frames);
        Seen { snapshot, text }
    }

    /// What an expression of the page comes to, as JSON.
    pub(crate) async fn eval(&self, expression: &str) -> String {
        self.browser.eval(self.tab, expression).await.expect(expression).text
    }

    /// What the page took down with `note`, see [`RECORDER`].
    pub(crate) async fn notes(&self) -> Vec<String> {
        serde_json::from_str(&self.eval("notes").await).expect("notes are texts")
    }

    /// Acts.
    pub(crate) async fn act(&self, action: Action) -> Result<ActOutcome, Error> {
        self.browser.act(self.tab, &action).await
    }

    /// Acts, where that must reach the node.
    #[track_caller]
    pub(crate) fn done(&self, action: Action) -> impl Future<Output = ActOutcome> {
        let place = std::panic::Location::caller();
        async move {
            let outcome = self.act(action).await.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert!(outcome.ok, "{place}: {outcome:?}");
            outcome
        }
    }

    /// Acts, where that must fail; gives the failure.
    #[track_caller]
    pub(crate) fn fails(&self, action: Action, code: Code) -> impl Future<Output = Error> {
        let place = std::panic::Location::caller();
        async move {
            match self.act(action).await {
                Ok(outcome) => panic!("{place}: {outcome:?}"),
                Err(error) => {
                    assert_eq!(error.code, code, "{place}: {error}");
                    error
                }
            }
        }
    }
}

/// What this server has at `/`, in a new tab.
pub(crate) async fn visit(server: Server) -> (Server, Tab, Seen) {
    let tab = Tab::new().await;
    let seen = tab.go(&server.url("/")).await;
    (server, tab, seen)
}

/// A page that takes notes, see [`RECORDER`], in a new tab.
pub(crate) async fn page(body: &str) -> (Server, Tab, Seen) {
    visit(Server::page(&format!("<title>T</title>{RECORDER}{body}"))).await
}

impl Seen {
    /// The uid of the control whose line has this text before it.
    #[track_caller]
    pub(crate) fn uid(&self, before: &str) -> Uid {
        let digits = uid::uid(&self.text, before);
        match digits.split_once('.') {
            None => Uid { frame: 0, node: digits.parse().expect("a number") },
            Some((frame, node)) => {
                Uid { frame: frame.parse().expect("a number"), node: node.parse().expect("a number") }
            }
        }
    }

    /// Whether the view has this text.
    #[track_caller]
    pub(crate) fn has(&self, text: &str) -> &Self {
        assert!(self.text.contains(text), "{text:?} is not in\n{}", self.text);
        self
    }
}
