//! A dialog ends what waits for its page, as a result, and its answer is never kept waiting.

use std::time::{Duration, Instant};

use axpress_driver::Code;
use axpress_driver::browser::{Action, SnapshotRequest, Verdict};

use super::support::{Server, Tab, limit, page, run};

fn dialog(kind: &str, message: &str) -> Verdict {
    Verdict::Dialog { kind: kind.to_owned(), message: message.to_owned() }
}

#[test]
fn a_click_that_alerts_answers_within_a_second_with_the_dialogs_text() {
    run(async {
        let (_server, tab, seen) = page("<button onclick='alert(\"Saved!\"); note(\"on\")'>Save</button>").await;
        let begun = Instant::now();
        let outcome = tab.done(Action::Click(seen.uid("Save"))).await;
        assert!(begun.elapsed() < limit(1), "{:?}", begun.elapsed());
        assert_eq!(outcome.verdict, dialog("alert", "Saved!"));
        // What needs the page is told why it can't have it, and what to do.
        let error = tab.browser.snapshot(tab.tab, &SnapshotRequest::default()).await.expect_err("a dialog is open");
        assert!(error.code == Code::SnapshotFailed && error.next.contains("accept_dialog"), "{error}");
        tab.fails(Action::Click(seen.uid("Save")), Code::ActionFailed).await;
        tab.done(Action::AcceptDialog(None)).await;
        assert_eq!(tab.notes().await, ["on"]);
        tab.fails(Action::AcceptDialog(None), Code::ActionFailed).await;
    });
}

#[test]
fn confirm_and_prompt_get_the_agents_answer() {
    run(async {
        let (_server, tab, seen) = page(
            "<button onclick='note(confirm(\"Sure?\"))'>Ask</button><button onclick='note(prompt(\"Who?\", \"x\"))'>Who</button>",
        )
        .await;
        for (action, noted) in [(Action::AcceptDialog(None), "true"), (Action::DismissDialog, "false")] {
            assert_eq!(tab.done(Action::Click(seen.uid("Ask"))).await.verdict, dialog("confirm", "Sure?"));
            tab.done(action).await;
            assert_eq!(tab.notes().await.last().map(String::as_str), Some(noted));
        }
        assert_eq!(tab.done(Action::Click(seen.uid("Who"))).await.verdict, dialog("prompt", "Who?"));
        tab.done(Action::AcceptDialog(Some("Zoë 😀".to_owned()))).await;
        assert_eq!(tab.notes().await.last().map(String::as_str), Some("Zoë 😀"));
    });
}

#[test]
fn a_dialog_after_the_answer_to_one_is_seen() {
    run(async {
        let (_server, tab, seen) = page("<button onclick='alert(1); alert(2)'>Twice</button>").await;
        assert_eq!(tab.done(Action::Click(seen.uid("Twice"))).await.verdict, dialog("alert", "1"));
        assert_eq!(tab.done(Action::AcceptDialog(None)).await.verdict, dialog("alert", "2"));
        assert!(!matches!(tab.done(Action::DismissDialog).await.verdict, Verdict::Dialog { .. }));
    });
}

#[test]
fn a_dialog_that_opens_later_holds_nothing_up() {
    run(async {
        for delay in [0, 50, 500] {
            let (_server, tab, seen) =
                page(&format!("<button onclick='setTimeout(() => note(confirm(1)), {delay})'>Soon</button>")).await;
            tab.done(Action::Click(seen.uid("Soon"))).await;
            let begun = Instant::now();
            while tab.browser.tabs().iter().all(|info| info.tab != tab.tab || info.dialog.is_none()) {
                tokio::time::sleep(Duration::from_millis(20)).await;
                assert!(begun.elapsed() < limit(10));
            }
            let begun = Instant::now();
            assert!(tab.browser.snapshot(tab.tab, &SnapshotRequest::default()).await.is_err());
            assert!(tab.browser.eval(tab.tab, "1").await.is_err());
            tab.done(Action::AcceptDialog(None)).await;
            assert_eq!(tab.notes().await, ["true"]);
            assert!(begun.elapsed() < limit(3), "{:?}", begun.elapsed());
        }
    });
}

#[test]
fn a_dialog_in_the_tab_that_a_page_opened_is_told_at_the_page() {
    run(async {
        let (_server, tab, seen) =
            page("<button onclick='const w = window.open(\"\"); w.alert(\"from the popup\")'>Pop</button>").await;
        let outcome = tab.done(Action::Click(seen.uid("Pop"))).await;
        assert_eq!(outcome.verdict, dialog("alert", "from the popup"));
        assert_ne!(outcome.tab, tab.tab);
        let popup = Tab { browser: tab.browser.clone(), tab: outcome.tab };
        popup.done(Action::AcceptDialog(None)).await;
        tab.look().await.has("Pop");
    });
}

#[test]
fn a_page_that_asks_before_it_is_left_is_left_only_when_the_agent_says_so() {
    run(async {
        let (server, tab, seen) = page(
            "<label>Draft <input id=a></label><script>addEventListener('beforeunload', event => event.preventDefault())</script>",
        )
        .await;
        tab.done(Action::Type(seen.uid("Draft"), "x".to_owned())).await;
        tab.done(Action::Click(seen.uid("Draft"))).await;
        let request = SnapshotRequest { url: Some(server.url("/next")), ..SnapshotRequest::default() };
        let error = tab.browser.snapshot(tab.tab, &request).await.expect_err("the page asks");
        assert!(error.what.contains("beforeunload"), "{error}");
        tab.done(Action::DismissDialog).await;
        assert_eq!(tab.eval("a.value").await, "\"x\"");
        assert!(tab.browser.snapshot(tab.tab, &request).await.is_err());
        let outcome = tab.done(Action::AcceptDialog(None)).await;
        assert_eq!(outcome.verdict, Verdict::Navigated { url: server.url("/next") });
    });
}

#[test]
fn an_evaluation_that_alerts_and_a_page_that_alerts_as_it_loads_are_told() {
    run(async {
        let (_server, tab, _) = page("<p>x</p>").await;
        let evaluation = tab.browser.eval(tab.tab, "alert('hi'), 1").await.expect("a result");
        assert_eq!(evaluation.verdict, Some(dialog("alert", "hi")));
        tab.done(Action::DismissDialog).await;
        let server = Server::page("<h1>Head</h1><script>alert('loading')</script><button>Rest</button>");
        let request = SnapshotRequest { url: Some(server.url("/")), ..SnapshotRequest::default() };
        let error = tab.browser.snapshot(tab.tab, &request).await.expect_err("a dialog is open");
        assert!(error.what.contains("loading"), "{error}");
        tab.done(Action::AcceptDialog(None)).await;
        tab.look().await.has("button Rest");
    });
}
