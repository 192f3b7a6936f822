//! `browser_snapshot`, `browser_eval`, `browser_screenshot`.

use std::time::Duration;

use axpress_core::{Compressor, Handle, Uid, ViewOptions};
use serde_json::{Value, json};

use super::fake::{Fake, call, code, fixture, framed_page, none, once, page, tools, with};
use crate::browser::{PageSnapshot, SnapshotRequest, TabId, UnreadFrame};
use crate::store::BUDGET;
use crate::tokens;
use crate::tools::{Content, Options, Session};

fn number(answer: &crate::tools::Answer, name: &str) -> usize {
    usize::try_from(answer.meta[name].as_u64().unwrap()).unwrap()
}

#[tokio::test]
async fn a_snapshot_is_the_view_and_the_line_that_gets_the_original_back() {
    let payload = fixture("table/ax.json");
    let fake = Fake::of([page(payload.clone())]);
    let answer = once(&tools(&fake), "browser_snapshot", none()).await;
    let view = Compressor::new().view(payload.as_ref(), &ViewOptions::default()).unwrap().text.to_owned();
    let handle = Handle::of(&payload).to_string();
    let (before, after) = (number(&answer, "tokens_before"), number(&answer, "tokens_after"));
    let about = if answer.meta["tokens_before_exact"] == true { "" } else { "~" };
    let line = format!("recover {}; {about}{before} to {after} tokens, inferred", &handle[..12]);
    assert_eq!(answer.texts(), format!("{view}\n{line}"));
    assert_eq!(after, tokens::count(&answer.texts()));
    assert_eq!(number(&answer, "view_tokens"), tokens::count(&view));
    assert!(after - tokens::count(&view) <= 30);
    assert_eq!((&answer.meta["recovery_handle"], &answer.meta["basis"]), (&json!(handle), &json!("inferred")));
    assert_eq!(number(&answer, "uids"), view.matches(" @").count());
    assert_eq!(fake.set(|state| state.shown.len()), number(&answer, "uids"));
}

#[tokio::test]
async fn an_address_that_is_refused_is_refused_before_a_browser_is_asked_for_anything() {
    let fake = Fake::of([page(fixture("login/ax.json"))]);
    let tools = tools(&fake);
    for url in ["file:///etc/passwd", "javascript:alert(1)", "view-source:http://127.0.0.1/", "chrome://version"] {
        assert_eq!(code(&once(&tools, "browser_snapshot", json!({ "url": url })).await), "cave_browser_url_denied");
        let open = json!({ "action": "open_tab", "url": url });
        assert_eq!(code(&once(&tools, "browser_act", open).await), "cave_browser_url_denied");
    }
    assert_eq!(fake.set(|state| (state.tabs, state.requests.len(), state.acts.len())), (0, 0, 0));
}

#[tokio::test]
async fn the_whole_answer_for_the_checkout_form_is_at_most_65_tokens() {
    let fake = Fake::of([page(fixture("checkout/ax.json"))]);
    let answer = once(&tools(&fake), "browser_snapshot", none()).await;
    assert!(tokens::count(&answer.texts()) <= 65, "{}", answer.texts());
}

#[tokio::test]
async fn max_tokens_bounds_the_whole_text_and_what_is_cut_is_said() {
    let fake = Fake::of([page(fixture("table/ax.json"))]);
    let tools = tools(&fake);
    let full = tokens::count(&once(&tools, "browser_snapshot", none()).await.texts());
    for most in [256, 300, 400, 500, full - 1] {
        fake.set(|state| state.shown.clear());
        let answer = once(&tools, "browser_snapshot", json!({ "max_tokens": most })).await;
        let counted = tokens::count(&answer.texts());
        assert!(counted <= most, "{counted} of {most}");
        assert!(counted * 10 >= most * 7, "{counted} of {most}: {}", answer.texts());
        assert!(answer.texts().contains("… +"), "{}", answer.texts());
        assert_eq!(number(&answer, "tokens_after"), counted);
        assert_eq!(fake.set(|state| state.shown.len()), number(&answer, "uids"), "only what is shown can be acted on");
    }
    let enough = once(&tools, "browser_snapshot", json!({ "max_tokens": full })).await;
    assert_eq!(tokens::count(&enough.texts()), full);
}

#[tokio::test]
async fn a_query_shows_what_answers_it() {
    let fake = Fake::of([page(fixture("table/ax.json"))]);
    let answer = once(&tools(&fake), "browser_snapshot", json!({ "query": "LN-1043" })).await;
    assert!(answer.texts().contains("LN-1043") && !answer.texts().contains("LN-1040"), "{}", answer.texts());
    let answer = once(&tools(&fake), "browser_snapshot", json!({ "query": "q".repeat(4097) })).await;
    assert_eq!(code(&answer), "cave_invalid_arguments");
}

#[tokio::test]
async fn since_gives_what_changed_since_the_page_of_a_handle() {
    let pages = [page(fixture("delta-rows/ax.json")), page(fixture("delta-rows/after.ax.json"))];
    let tools = tools(&Fake::of(pages));
    let session = Session::default();
    let first = call(&tools, &session, "browser_snapshot", none()).await;
    let since = first.meta["recovery_handle"].clone();
    let second = call(&tools, &session, "browser_snapshot", json!({ "since": since })).await;
    let expected = String::from_utf8(fixture("delta-rows/delta.txt").to_vec()).unwrap();
    assert!(second.texts().starts_with(&format!("{}\nrecover ccr_", expected.trim_end())), "{}", second.texts());
    let again = json!({ "since": second.meta["recovery_handle"] });
    let third = call(&tools, &session, "browser_snapshot", again).await;
    assert!(third.texts().starts_with("no change\nrecover ccr_"), "{}", third.texts());
}

#[tokio::test]
async fn since_reads_the_frames_of_its_page_too() {
    let tools = tools(&Fake::of([framed_page()]));
    let session = Session::default();
    let first = call(&tools, &session, "browser_snapshot", none()).await;
    assert!(first.texts().contains("Pay now @1.27"), "{}", first.texts());
    let since = json!({ "since": first.meta["recovery_handle"] });
    let second = call(&tools, &session, "browser_snapshot", since).await;
    assert!(second.texts().starts_with("no change\n"), "{}", second.texts());
}

#[tokio::test]
async fn a_field_that_was_secret_before_is_in_no_delta() {
    let before = fixture("secret/ax.json");
    let gone = String::from_utf8(before.to_vec()).unwrap().replace("\"2\"", "\"99\"");
    let secret = PageSnapshot { secrets: vec![Uid { frame: 0, node: 2 }], ..page(before) };
    let tools = tools(&Fake::of([secret, page(gone.into_bytes())]));
    let session = Session::default();
    let first = call(&tools, &session, "browser_snapshot", none()).await;
    let since = json!({ "since": first.meta["recovery_handle"] });
    let second = call(&tools, &session, "browser_snapshot", since).await;
    let value = "hunter2";
    assert!(!first.texts().contains(value) && !second.texts().contains(value), "{}", second.texts());
}

#[tokio::test]
async fn a_tree_that_does_not_get_smaller_is_never_given() {
    let tiny = r#"{"nodes":[{"nodeId":"1","role":{"value":"button"},"name":{"value":"B"},"backendDOMNodeId":1}]}"#;
    let text =
        format!(r#"[{{"nodeId":"1","role":{{"value":"StaticText"}},"name":{{"value":"{}"}}}}]"#, "@1 ".repeat(600));
    let fake = Fake::of([page(tiny), page(text.clone()), page("no JSON")]);
    let tools = tools(&fake);
    let session = Session::default();
    let first = call(&tools, &session, "browser_snapshot", none()).await;
    assert!(!first.is_error, "{}", first.texts());
    for _ in 0..2 {
        let answer = call(&tools, &session, "browser_snapshot", none()).await;
        assert_eq!(code(&answer), "cave_browser_snapshot_uncompressed");
        assert!(!answer.texts().contains("@1"), "{}", answer.texts());
        assert_eq!(fake.set(|state| state.shown.len()), 1, "the uids known before stay as they were");
    }
}

#[tokio::test]
async fn without_handles_there_is_no_recover_line_and_no_error() {
    let fake = Fake::of([page(fixture("login/ax.json"))]);
    let tools = with(&fake, Options { handles: false, ..Options::default() }, 0);
    let answer = once(&tools, "browser_snapshot", none()).await;
    assert!(!answer.is_error && !answer.texts().contains("ccr_") && !answer.texts().contains("recover"));
    assert_eq!(number(&answer, "tokens_after"), tokens::count(&answer.texts()));
    assert!(!answer.meta.contains_key("recovery_handle"));
}

#[tokio::test]
async fn a_store_that_is_full_says_so_and_what_was_shown_before_stays() {
    let fake = Fake::of([page(fixture("login/ax.json")), page(fixture("table/ax.json"))]);
    let tools = with(&fake, Options::default(), 5000);
    let session = Session::default();
    let first = call(&tools, &session, "browser_snapshot", none()).await;
    let second = call(&tools, &session, "browser_snapshot", none()).await;
    assert_eq!(code(&second), "cave_store_full");
    let shown = number(&first, "uids");
    assert_eq!(fake.set(|state| state.shown.len()), shown);
    let handle = json!({ "recovery_handle": first.meta["recovery_handle"] });
    assert!(!call(&tools, &session, "browser_recover", handle).await.is_error);
}

#[tokio::test]
async fn frames_that_could_not_be_read_are_named_and_nothing_is_said_where_all_could() {
    let unread = |url: &str| UnreadFrame { owner: None, url: url.to_owned(), why: "no answer\nin time".to_owned() };
    let partial = PageSnapshot { unread: vec![unread("https://pay.example/@5")], ..page(fixture("login/ax.json")) };
    let many = PageSnapshot { unread: (0..9).map(|n| unread(&format!("https://{n}/"))).collect(), ..partial.clone() };
    let loading = PageSnapshot { loading: true, unread: Vec::new(), ..partial.clone() };
    let fake = Fake::of([partial, many, loading, page(fixture("login/ax.json"))]);
    let tools = tools(&fake);
    let text = once(&tools, "browser_snapshot", none()).await.texts();
    assert!(text.contains("\n… frame https://pay.example/\\@5 is not read: no answer in time\nrecover "), "{text}");
    let text = once(&tools, "browser_snapshot", none()).await.texts();
    assert!(text.contains("\n… and 4 frames more are not read\n"), "{text}");
    let text = once(&tools, "browser_snapshot", none()).await.texts();
    assert!(text.contains("\n… the page is still loading\n") && !text.contains("not read"), "{text}");
    assert!(!once(&tools, "browser_snapshot", none()).await.texts().contains('…'));
}

#[tokio::test]
async fn arguments_are_read_before_the_browser_is_asked() {
    let fake = Fake::of([page(fixture("login/ax.json"))]);
    let tools = tools(&fake);
    let wrong: [Value; 12] = [
        json!({ "url": 5 }),
        json!({ "query": [] }),
        json!({ "max_tokens": 255 }),
        json!({ "max_tokens": 1e12 }),
        json!({ "max_tokens": 500.5 }),
        json!({ "wait": 30_001 }),
        json!({ "wait": -1 }),
        json!({ "wait": "soon" }),
        json!({ "tab": 0 }),
        json!({ "tab": {} }),
        json!({ "since": "ccr_12" }),
        json!({ "since": "not hex at all" }),
    ];
    for arguments in wrong {
        let answer = once(&tools, "browser_snapshot", arguments.clone()).await;
        assert_eq!(code(&answer), "cave_invalid_arguments", "{arguments}");
    }
    let answer = once(&tools, "browser_snapshot", json!({ "since": "ccr_0123456789" })).await;
    assert_eq!(code(&answer), "cave_unknown_handle");
    assert_eq!(fake.set(|state| state.requests.len()), 0);
    let all = json!({ "url": "http://a/", "wait": "250", "tab": 3, "nosuch": true, "query": null });
    assert!(!once(&tools, "browser_snapshot", all).await.is_error, "unknown arguments are ignored");
    let request = SnapshotRequest { url: Some("http://a/".to_owned()), wait: Duration::from_millis(250) };
    assert_eq!(fake.set(|state| state.requests.clone()), [(TabId(3), request)]);
}

#[tokio::test]
async fn a_call_without_a_tab_means_the_one_that_this_connection_used_last() {
    let fake = Fake::of([page(fixture("login/ax.json"))]);
    let tools = tools(&fake);
    let (one, other) = (Session::default(), Session::default());
    for (session, arguments) in
        [(&one, none()), (&other, none()), (&one, json!({ "tab": 7 })), (&other, none()), (&one, none())]
    {
        call(&tools, session, "browser_snapshot", arguments).await;
    }
    let tabs: Vec<u32> = fake.set(|state| state.requests.iter().map(|(tab, _)| tab.0).collect());
    assert_eq!(tabs, [1, 2, 7, 2, 7]);
}

#[tokio::test]
async fn a_large_value_is_cut_at_a_character_and_says_so() {
    let fake = Fake::default();
    fake.set(|state| state.evaluation = "é".repeat(10_000));
    let answer = once(&tools(&fake), "browser_eval", json!({ "expression": "1" })).await;
    let (value, notice) = answer.texts().rsplit_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(value, "é".repeat(8192));
    assert_eq!(notice, "… cut: 16384 of 20000 bytes; evaluate a part of it to see more");
    assert_eq!(code(&once(&tools(&fake), "browser_eval", none()).await), "cave_invalid_arguments");
}

#[tokio::test]
async fn a_screenshot_is_a_picture() {
    let fake = Fake::default();
    let answer = once(&tools(&fake), "browser_screenshot", json!({ "uid": "@12" })).await;
    assert_eq!(answer.content, [Content::Image("bm9kZQ==".to_owned())]);
    let answer = once(&tools(&fake), "browser_screenshot", none()).await;
    assert_eq!(answer.content, [Content::Image("cGFnZQ==".to_owned())]);
}

#[tokio::test]
async fn a_tool_that_there_is_not_is_none() {
    let fake = Fake::default();
    let tools = with(&fake, Options::default(), BUDGET);
    assert!(tools.call(&Session::default(), "browser_fly", &serde_json::Map::new()).await.is_none());
}
