//! What a client does with what comes, whole or broken, early or late.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use super::{Client, Event, Listener};
use crate::browser::cdp::CallFailure;
use crate::browser::cdp::fake::{FakeChrome, LIMIT, connection};

/// Takes down what happened.
#[derive(Default)]
struct Heard {
    events: Mutex<Vec<String>>,
    closed: tokio::sync::Notify,
}

impl Listener for Heard {
    fn event(&self, client: &Client, event: &Event) {
        self.events.lock().expect("nobody failed").push(event.method.clone());
        if event.method == "Inspector.targetCrashed" {
            client.crashed(event.session.as_deref().expect("a page crashed"));
        }
    }

    fn closed(&self) {
        self.closed.notify_one();
    }
}

fn connected() -> (Client, FakeChrome, Arc<Heard>) {
    let (incoming, outgoing, chrome) = connection();
    let heard = Arc::new(Heard::default());
    (Client::new(incoming, outgoing, Arc::clone(&heard) as _), chrome, heard)
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

#[tokio::test]
async fn replies_reach_who_asked_in_whatever_order_they_come() {
    let (client, mut chrome, _) = connected();
    let page = client.session("PAGE");
    let first = page.ask::<Value>("A.first", json!({"x": 1}), soon());
    let browser = client.browser();
    let second = browser.ask::<Value>("A.second", json!({}), soon());
    let answers = async {
        let one = chrome.request().await.expect("a request");
        let two = chrome.request().await.expect("a request");
        assert_eq!(
            (&one["method"], &one["sessionId"], &one["params"]["x"]),
            (&json!("A.first"), &json!("PAGE"), &json!(1))
        );
        assert!(two.get("sessionId").is_none());
        chrome.answer(&two, &json!({"said": 2}));
        chrome.answer(&one, &json!({"said": 1}));
    };
    let (first, second, ()) = tokio::join!(first, second, answers);
    assert_eq!((first, second), (Ok(json!({"said": 1})), Ok(json!({"said": 2}))));
    assert_eq!(client.pending(), 0);
}

#[tokio::test]
async fn a_call_that_is_dropped_or_late_leaves_nothing_pending_and_its_reply_is_skipped() {
    let (client, mut chrome, _) = connected();
    let page = client.session("PAGE");
    let late = page.call("A.late", json!({}), Instant::now() + Duration::from_millis(20)).await;
    assert_eq!(late, Err(CallFailure::Late));
    let dropped = tokio::time::timeout(Duration::from_millis(20), page.call("A.dropped", json!({}), soon())).await;
    assert!(dropped.is_err());
    assert_eq!(client.pending(), 0);
    for _ in 0..2 {
        let request = chrome.request().await.expect("a request");
        chrome.answer(&request, &json!({"too": "late"}));
    }
    let answered = async {
        let request = chrome.request().await.expect("a request");
        chrome.answer(&request, &json!({}));
    };
    let (answer, ()) = tokio::join!(page.call("A.next", json!({}), soon()), answered);
    assert_eq!(answer.as_deref(), Ok(&b"{}"[..]));
}

#[tokio::test]
async fn what_is_unknown_broken_or_not_text_is_skipped_and_the_link_holds() {
    let (client, mut chrome, heard) = connected();
    let page = client.session("PAGE");
    let answered = async {
        let request = chrome.request().await.expect("a request");
        for noise in ["", "{", "null", r#"{"method":5}"#, r#"{"id":"x","result":{}}"#, r#"{"id":99999,"result":{}}"#] {
            chrome.say(noise);
        }
        chrome.say(&b"\xff\x00\xfe"[..]);
        chrome.say(r#"{"method":"New.event","params":[1],"sessionId":"PAGE","more":{"a":[]}}"#);
        chrome.say(format!(r#"{{"new":true,"id":{},"result":{{"a":"\ud800"}},"sessionId":"PAGE"}}"#, request["id"]));
    };
    let (answer, ()) = tokio::join!(page.call("A.b", json!({}), soon()), answered);
    assert_eq!(answer.as_deref(), Ok(&br#"{"a":"\ud800"}"#[..]));
    assert_eq!(*heard.events.lock().expect("nobody failed"), ["New.event"]);
}

#[tokio::test]
async fn an_event_is_known_before_a_reply_that_came_after_it() {
    let (client, mut chrome, heard) = connected();
    let answered = async {
        let request = chrome.request().await.expect("a request");
        chrome.say(r#"{"method":"Page.javascriptDialogOpening","params":{},"sessionId":"PAGE"}"#);
        chrome.answer(&request, &json!({}));
    };
    let asked = async {
        client.session("PAGE").call("Input.dispatchMouseEvent", json!({}), soon()).await.expect("an answer");
        heard.events.lock().expect("nobody failed").len()
    };
    assert_eq!(tokio::join!(asked, answered).0, 1);
}

#[tokio::test]
async fn what_is_asked_of_a_crashed_page_fails_at_once_and_only_that() {
    let (client, mut chrome, _) = connected();
    let (page, other) = (client.session("PAGE"), client.session("OTHER"));
    let answered = async {
        let (one, two) = (chrome.request().await, chrome.request().await);
        assert!(one.is_some());
        chrome.say(r#"{"method":"Inspector.targetCrashed","params":{},"sessionId":"PAGE"}"#);
        chrome.answer(&two.expect("a request"), &json!({}));
    };
    let asked = page.call("A.b", json!({}), soon());
    let spared = other.call("A.b", json!({}), soon());
    let (asked, spared, ()) = tokio::join!(asked, spared, answered);
    assert_eq!((asked, spared.is_ok()), (Err(CallFailure::Crashed), true));
    assert_eq!(page.call("A.c", json!({}), soon()).await, Err(CallFailure::Crashed));
    client.revived("PAGE");
    let late = page.call("A.d", json!({}), Instant::now() + Duration::from_millis(20)).await;
    assert_eq!(late, Err(CallFailure::Late));
    client.detached("PAGE");
}

#[tokio::test]
async fn when_the_connection_ends_all_that_waits_is_told_why() {
    let (client, mut chrome, heard) = connected();
    let page = client.session("PAGE");
    let ended = async {
        chrome.request().await.expect("a request");
        chrome.messages.send(Err(io::Error::other("the wire was cut"))).expect("someone listens");
    };
    let (failed, ()) = tokio::join!(page.call("A.b", json!({}), soon()), ended);
    assert_eq!(failed, Err(CallFailure::Closed("the wire was cut".to_owned())));
    heard.closed.notified().await;
    assert!(client.is_closed() && page.call("A.c", json!({}), soon()).await.is_err());
}

#[tokio::test]
async fn closing_ends_the_connection_at_both_sides() {
    let (client, mut chrome, heard) = connected();
    client.close();
    heard.closed.notified().await;
    assert!(chrome.request().await.is_none());
}

/// A reply whose result is a list with one text of so many bytes.
fn large(request: &Value, bytes: usize) -> String {
    format!(r#"{{"id":{},"result":{{"nodes":["{}"]}},"sessionId":"PAGE"}}"#, request["id"], "x".repeat(bytes))
}

#[tokio::test]
async fn results_of_17_and_100_megabytes_come_whole_and_one_of_300_fails_alone() {
    let (client, mut chrome, _) = connected();
    let answered = async {
        for bytes in [17 << 20, 100 << 20, 300 << 20, 4] {
            let request = chrome.request().await.expect("a request");
            chrome.say(large(&request, bytes));
        }
        // An event of that size is passed over, too.
        chrome.say(format!(r#"{{"method":"A.large","params":["{}"],"sessionId":"PAGE"}}"#, "x".repeat(300 << 20)));
        let request = chrome.request().await.expect("a request");
        chrome.answer(&request, &json!({}));
    };
    let page = client.session("PAGE");
    let late = || Instant::now() + Duration::from_secs(120);
    let asked = async {
        for bytes in [17 << 20, 100 << 20] {
            let answer = page.call("A.b", json!({}), late()).await.expect("an answer");
            assert_eq!(answer.len(), bytes + r#"{"nodes":[""]}"#.len());
        }
        let failure = page.call("A.b", json!({}), late()).await.expect_err("it is over the limit");
        assert_eq!(failure, CallFailure::TooLarge(LIMIT));
        for _ in 0..2 {
            page.call("A.b", json!({}), late()).await.expect("the connection lives on");
        }
    };
    tokio::join!(asked, answered);
    assert_eq!(client.pending(), 0);
}

#[tokio::test]
async fn where_a_large_message_can_not_be_passed_over_all_that_waits_is_told_of_it() {
    let (client, mut chrome, heard) = connected();
    let page = client.session("PAGE");
    let ended = async {
        chrome.request().await.expect("a request");
        chrome.messages.send(Err(io::ErrorKind::FileTooLarge.into())).expect("someone listens");
    };
    let (failed, ()) = tokio::join!(page.call("A.b", json!({}), soon()), ended);
    assert_eq!(failed, Err(CallFailure::TooLarge(LIMIT)));
    heard.closed.notified().await;
    assert!(client.is_closed());
}

#[tokio::test]
async fn a_result_of_many_megabytes_is_the_bytes_that_were_sent() {
    let (client, mut chrome, _) = connected();
    let result = format!(r#"{{"nodes":["{}"]}}"#, "x\\ud83d".repeat(4 << 20));
    let answered = async {
        let request = chrome.request().await.expect("a request");
        chrome.say(format!(r#"{{"id":{},"result":{result},"sessionId":"PAGE"}}"#, request["id"]));
    };
    let page = client.session("PAGE");
    let (answer, ()) = tokio::join!(page.call("A.b", json!({}), soon()), answered);
    assert!(answer.expect("an answer") == result.as_bytes());
}
