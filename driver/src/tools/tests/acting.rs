//! `browser_act`: what is said of an act, and what is never said.

use axpress_core::Uid;
use serde_json::{Value, json};

use super::fake::{Fake, call, code, fixture, none, once, outcome, page, tools};
use crate::browser::{ActOutcome, Action, Document, OwnChanges, PageSnapshot, TabId, Verdict};
use crate::error::{Code, Error};
use crate::tokens;
use crate::tools::Session;

const DELTA_PAGES: [&str; 2] = ["delta-rows/ax.json", "delta-rows/after.ax.json"];

fn delta_pages() -> Vec<PageSnapshot> {
    DELTA_PAGES.map(|file| page(fixture(file))).to_vec()
}

fn click() -> Value {
    json!({ "action": "click", "uid": "@56" })
}

#[tokio::test]
async fn an_act_answers_with_its_verdict_and_what_changed_in_the_view() {
    let fake = Fake::of(delta_pages());
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let answer = call(&tools, &session, "browser_act", click()).await;
    let delta = String::from_utf8(fixture("delta-rows/delta.txt").to_vec()).unwrap();
    assert_eq!(answer.texts(), format!("changed\n{}", delta.trim_end()));
    assert_eq!((&answer.meta["ok"], &answer.meta["verdict"]), (&json!(true), &json!("changed")));
    assert_eq!(answer.meta["settled"], false);
    assert_eq!(answer.meta["tokens_after"], tokens::count(&answer.texts()));
    let again = call(&tools, &session, "browser_act", click()).await;
    assert_eq!(again.texts(), "changed", "what was said once is not said again");
    assert!(fake.set(|state| state.shown.contains(&Uid { frame: 0, node: 106 })), "a uid of a delta can be acted on");
}

#[tokio::test]
async fn a_change_that_only_the_views_show_is_a_change() {
    let fake = Fake::of(delta_pages()).will([Ok(outcome(Verdict::NoChangeSeen)), Ok(outcome(Verdict::NoChangeSeen))]);
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let answer = call(&tools, &session, "browser_act", click()).await;
    assert!(answer.texts().starts_with("changed\ntable "), "{}", answer.texts());
    let answer = call(&tools, &session, "browser_act", click()).await;
    assert_eq!((answer.texts().as_str(), answer.is_error), ("no change seen", false));
    assert_eq!(answer.meta["verdict"], "no_change_seen");
}

#[tokio::test]
async fn what_a_page_changes_by_itself_is_shown_and_not_called_the_acts_doing() {
    let restless = ActOutcome { restless: true, ..outcome(Verdict::NoChangeSeen) };
    let fake = Fake::of(delta_pages()).will([Ok(outcome(Verdict::NoChangeSeen)), Ok(restless)]);
    fake.set(|state| state.own_changes = Some(OwnChanges::Again));
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let answer = call(&tools, &session, "browser_act", click()).await;
    assert!(answer.texts().starts_with("no change seen; the page changes by itself\ntable "), "{}", answer.texts());
    assert_eq!(answer.meta["verdict"], "no_change_seen");
    let answer = call(&tools, &session, "browser_act", click()).await;
    assert_eq!(answer.texts(), "no change seen; the page changes by itself");
}

#[tokio::test]
async fn what_is_read_back_is_on_the_verdicts_line_and_forges_nothing() {
    let read_back = Some("ops@example.com\nrecover ccr_12345678 @12".to_owned());
    let typed = ActOutcome { read_back, ..outcome(Verdict::Changed) };
    let long = ActOutcome { read_back: Some("é".repeat(1000)), ..outcome(Verdict::Changed) };
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Ok(typed), Ok(long)]);
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let arguments = json!({ "action": "type", "uid": 3, "text": "ops@example.com" });
    let answer = call(&tools, &session, "browser_act", arguments.clone()).await;
    assert_eq!(answer.texts(), r"changed; now ops@example.com recover ccr_12345678 \@12");
    let answer = call(&tools, &session, "browser_act", arguments).await;
    assert_eq!(answer.texts(), format!("changed; now {}…", "é".repeat(150)));
}

#[tokio::test]
async fn blocked_is_an_error_that_names_the_cover_and_nothing_is_read() {
    let blocked = outcome(Verdict::Blocked { by: "<div> Cookies".to_owned(), uid: Some(Uid { frame: 0, node: 55 }) });
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Ok(blocked)]);
    let answer = once(&tools(&fake), "browser_act", click()).await;
    assert!(answer.is_error);
    assert_eq!(answer.texts(), "blocked by <div> Cookies @55");
    assert_eq!((&answer.meta["ok"], &answer.meta["verdict"]), (&json!(false), &json!("blocked")));
    assert_eq!(fake.set(|state| state.requests.len()), 0);
}

#[tokio::test]
async fn a_dialog_is_the_answer_and_the_page_behind_it_is_not_read() {
    let dialog = Verdict::Dialog { kind: "confirm".to_owned(), message: "Delete \"all\"?".to_owned() };
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Ok(outcome(dialog)), Ok(outcome(Verdict::Changed))]);
    fake.set(|state| state.dialog = Some(("confirm".to_owned(), "Delete \"all\"?".to_owned())));
    let tools = tools(&fake);
    let answer = once(&tools, "browser_act", click()).await;
    assert_eq!((answer.texts().as_str(), answer.is_error), (r#"dialog confirm "Delete \"all\"?""#, false));
    // One that opens just after the act.
    let answer = once(&tools, "browser_act", click()).await;
    assert_eq!(answer.texts(), "changed\ndialog confirm \"Delete \\\"all\\\"?\"");
    assert_eq!(fake.set(|state| state.requests.len()), 0);
}

#[tokio::test]
async fn another_document_is_given_as_its_view_in_at_most_400_tokens() {
    let next = PageSnapshot { document: Document(2), ..page(fixture("table/ax.json")) };
    let url = "http://127.0.0.1/next".to_owned();
    let fake = Fake::of([page(fixture("login/ax.json")), next]).will([Ok(outcome(Verdict::Navigated { url }))]);
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let answer = call(&tools, &session, "browser_act", click()).await;
    let (verdict, view) = answer.texts().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    assert_eq!(verdict, "navigated to http://127.0.0.1/next");
    assert!(view.contains("# Loans") && !view.contains("\n~ "), "{view}");
    assert!((200..=400).contains(&tokens::count(&view)), "{}", tokens::count(&view));
}

#[tokio::test]
async fn a_new_tab_is_named_and_the_tab_that_is_used_stays_what_the_browser_says() {
    let url = "http://127.0.0.1/new".to_owned();
    let opened = ActOutcome { tab: TabId(1), ..outcome(Verdict::NewTab { tab: TabId(2), url }) };
    let switched = Verdict::Switched { tab: TabId(2), url: "http://127.0.0.1/new".to_owned() };
    let switched = ActOutcome { tab: TabId(2), ..outcome(switched) };
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Ok(opened), Ok(switched)]);
    let tools = tools(&fake);
    let session = Session::default();
    let answer = call(&tools, &session, "browser_act", click()).await;
    assert!(answer.texts().starts_with("new tab 2 http://127.0.0.1/new\n"), "{}", answer.texts());
    call(&tools, &session, "browser_act", json!({ "action": "switch_tab", "tab": 2 })).await;
    call(&tools, &session, "browser_snapshot", none()).await;
    let acts = fake.set(|state| state.acts.clone());
    assert_eq!(acts[1], (TabId(1), Action::SwitchTab(TabId(2))), "a switch begins where one is");
    assert_eq!(fake.set(|state| state.requests.last().unwrap().0), TabId(2));
}

#[tokio::test]
async fn steps_run_in_order_and_stop_at_the_first_that_fails() {
    let stale = Error::new(Code::StaleUid, "@9 was removed");
    let fake = Fake::of(delta_pages()).will([Ok(outcome(Verdict::Changed)), Err(stale)]);
    let tools = tools(&fake);
    let session = Session::default();
    call(&tools, &session, "browser_snapshot", none()).await;
    let click = |uid: u64| json!({ "action": "click", "uid": uid });
    let steps = json!({ "steps": [click(56), click(9), click(57)] });
    let answer = call(&tools, &session, "browser_act", steps).await;
    assert!(answer.is_error);
    let expected = "1 changed\n2 cave_stale_uid: @9 was removed. Next: take a snapshot and use its uids.\ntable Parts";
    assert!(answer.texts().starts_with(expected), "{}", answer.texts());
    assert_eq!((&answer.meta["steps"], &answer.meta["steps_done"]), (&json!(3), &json!(1)));
    assert_eq!((&answer.meta["ok"], &answer.meta["code"]), (&json!(false), &json!("cave_stale_uid")));
    assert_eq!(fake.set(|state| state.acts.len()), 2);
}

#[tokio::test]
async fn a_call_that_can_not_be_understood_does_nothing() {
    let fake = Fake::of([page(fixture("login/ax.json"))]);
    let tools = tools(&fake);
    let wrong = [
        (json!({}), "cave_invalid_arguments"),
        (json!({ "action": "tap" }), "cave_unknown_action"),
        (json!({ "action": "click" }), "cave_invalid_arguments"),
        (json!({ "action": "click", "uid": 2.1 }), "cave_invalid_arguments"),
        (json!({ "action": "type", "uid": 3 }), "cave_invalid_arguments"),
        (json!({ "action": "type", "uid": 3, "text": "x".repeat((1 << 20) + 1) }), "cave_invalid_arguments"),
        (json!({ "action": "wait", "amount": 30_001 }), "cave_invalid_arguments"),
        (json!({ "action": "upload", "uid": 3, "path": 5 }), "cave_invalid_arguments"),
        (json!({ "steps": [] }), "cave_invalid_arguments"),
        (json!({ "steps": "click" }), "cave_invalid_arguments"),
        (json!({ "steps": [{ "action": "click", "uid": 3 }, { "action": "fly" }] }), "cave_unknown_action"),
        (json!({ "steps": [{ "action": "click", "uid": 3 }, 5] }), "cave_invalid_arguments"),
    ];
    for (arguments, expected) in wrong {
        let answer = once(&tools, "browser_act", arguments).await;
        assert_eq!(code(&answer), expected, "{}", answer.texts());
    }
    assert_eq!(fake.set(|state| state.acts.len()), 0);
}

#[tokio::test]
async fn a_failure_of_the_browser_is_an_error_and_not_a_success() {
    let unknown = Error::new(Code::UnknownUid, "no view of this tab showed @56");
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Err(unknown)]);
    assert_eq!(code(&once(&tools(&fake), "browser_act", click()).await), "cave_unknown_uid");
}

#[tokio::test(start_paused = true)]
async fn an_act_whose_page_never_answers_again_is_answered_in_time() {
    let fake = Fake::of([page(fixture("login/ax.json"))]).will([Ok(outcome(Verdict::Changed))]);
    fake.set(|state| state.hangs = true);
    let begin = tokio::time::Instant::now();
    let answer = once(&tools(&fake), "browser_act", click()).await;
    assert_eq!((answer.texts().as_str(), answer.is_error), ("changed", false));
    assert_eq!(begin.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn an_act_whose_page_can_not_be_read_after_it_is_done_all_the_same() {
    let fake = Fake::default().will([Ok(outcome(Verdict::Changed))]);
    let answer = once(&tools(&fake), "browser_act", click()).await;
    assert_eq!((answer.texts().as_str(), answer.is_error), ("changed", false));
}
