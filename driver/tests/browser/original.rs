//! The original that a handle gives back is what Chromium sent, byte for byte.

use axpress_core::Handle;
use axpress_driver::browser::{Browser, Options};
use axpress_driver::store::{BUDGET, Store};
use axpress_driver::tools::{self, Content, Session, Tools};
use serde_json::{Value, json};

use super::support::{Answer, Chrome, Server, run};

async fn call(tools: &Tools, session: &Session, tool: &str, arguments: &Value) -> tools::Answer {
    let answer = tools.call(session, tool, arguments.as_object().expect("an object")).await.expect("a tool");
    assert!(!answer.is_error, "{}", answer.texts());
    answer
}

/// All slices of an original.
async fn recovered(tools: &Tools, session: &Session, handle: &str) -> String {
    let (mut original, mut offset) = (String::new(), json!(0));
    loop {
        let slice =
            call(tools, session, "browser_recover", &json!({ "recovery_handle": handle, "offset": offset })).await;
        match slice.content.first() {
            Some(Content::Text(text)) => original.push_str(text),
            other => panic!("{other:?}"),
        }
        match slice.meta.get("next_offset") {
            Some(next) => offset = next.clone(),
            None => return original,
        }
    }
}

#[test]
fn what_is_recovered_has_the_hash_of_the_handle_and_of_a_capture_by_another_client() {
    run(async {
        let page = |file: &str| {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/");
            Answer::Page(std::fs::read_to_string(format!("{folder}{file}")).expect("the page is there"))
        };
        let server = Server::new(&[
            ("/orders", page("pages/orders.html")),
            ("/parcels", page("pages/parcels.html")),
            ("/emoji", page("fixtures/scripts-and-emoji/page.html")),
            (
                "/surrogate",
                Answer::Page("<p>half <script>document.write('\\ud83d')</script></p><button>B</button>".into()),
            ),
        ]);
        let chrome = Chrome::start("original").await;
        let endpoint = Some(format!("http://127.0.0.1:{}", chrome.port));
        let browser = Browser::new(Options { endpoint, ..Options::default() }).expect("a browser");
        let tools = Tools::new(browser.clone(), Store::in_memory(BUDGET).expect("a store"), tools::Options::default());
        let session = Session::default();
        for path in ["/orders", "/parcels", "/emoji", "/surrogate"] {
            let answer = call(&tools, &session, "browser_snapshot", &json!({ "url": server.url(path) })).await;
            let handle = answer.meta["recovery_handle"].as_str().expect("a handle").to_owned();
            let original = recovered(&tools, &session, &handle).await;
            assert_eq!(Handle::of(original.as_bytes()).to_string(), handle, "{path}");
            let raw = chrome.raw_payload(&target(&browser, &answer).await).await;
            assert_eq!(Handle::of(raw.as_bytes()).to_string(), handle, "{path}: the page is still");
            assert!(raw == original, "{path}");
        }
        browser.close().await;
    });
}

/// The target of the tab that an answer is about: its main frame has the same id.
async fn target(browser: &Browser, answer: &tools::Answer) -> String {
    let tab = answer.meta["tab"].as_u64().expect("a tab");
    let tab = browser.tabs().into_iter().find(|it| u64::from(it.tab.0) == tab).expect("it is open").tab;
    browser.snapshot(tab, &axpress_driver::browser::SnapshotRequest::default()).await.expect("it is read").frame_id
}
