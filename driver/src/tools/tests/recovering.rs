//! `browser_recover`: the original, byte for byte.

use axpress_core::{Handle, Uid};
use serde_json::{Value, json};

use super::fake::{Fake, call, code, fixture, framed_page, none, once, page, tools, with};
use crate::browser::PageSnapshot;
use crate::store::BUDGET;
use crate::tools::{Answer, Content, Options, Session};

fn first(answer: &Answer) -> &str {
    match answer.content.first() {
        Some(Content::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_slices_of_an_original_make_up_its_bytes() {
    let payload = fixture("table/ax.json");
    let tools = tools(&Fake::of([page(payload.clone())]));
    let handle = once(&tools, "browser_snapshot", none()).await.meta["recovery_handle"].clone();
    for written in [handle.as_str().unwrap(), &handle.as_str().unwrap()[..12], &handle.as_str().unwrap()[4..14]] {
        let (mut whole, mut slices) = (String::new(), 0);
        let mut offset = json!(0);
        loop {
            let arguments = json!({ "recovery_handle": written, "offset": offset });
            let answer = once(&tools, "browser_recover", arguments).await;
            whole += first(&answer);
            slices += 1;
            match answer.meta.get("next_offset") {
                Some(next) => {
                    let Some(Content::Text(notice)) = answer.content.get(1) else { panic!("the next offset is said") };
                    assert!(notice.ends_with(&format!("next offset {next}")), "{notice}");
                    offset = next.clone();
                }
                None => break,
            }
        }
        assert_eq!((whole.as_bytes(), slices), (payload.as_ref(), payload.len().div_ceil(64 << 10)));
    }
}

#[tokio::test]
async fn a_query_gives_the_matching_nodes_in_their_original_bytes() {
    let payload = fixture("table/ax.json");
    let tools = tools(&Fake::of([page(payload.clone())]));
    let handle = once(&tools, "browser_snapshot", none()).await.meta["recovery_handle"].clone();
    let answer = once(&tools, "browser_recover", json!({ "recovery_handle": handle, "query": "LN-1043" })).await;
    let nodes: Vec<Value> = first(&answer).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!nodes.is_empty() && answer.meta["nodes"] == nodes.len());
    let original = String::from_utf8(payload.to_vec()).unwrap();
    for line in first(&answer).lines() {
        assert!(original.contains(line) && line.contains("LN-1043"), "{line}");
    }
    let answer = once(&tools, "browser_recover", json!({ "recovery_handle": handle, "query": "zebra" })).await;
    assert_eq!((first(&answer), answer.texts().as_str()), ("", "\n… no node matches"));
}

#[tokio::test]
async fn a_page_with_frames_gives_its_own_payload_and_each_frames() {
    let snapshot = framed_page();
    let (own, inner) = (snapshot.payload.clone(), snapshot.frames[0].payload.clone());
    let tools = tools(&Fake::of([snapshot]));
    let handle = once(&tools, "browser_snapshot", none()).await.meta["recovery_handle"].clone();
    assert_ne!(handle, Handle::of(&own).to_string(), "it is the manifest's");
    let answer = once(&tools, "browser_recover", json!({ "recovery_handle": handle })).await;
    assert_eq!(first(&answer).as_bytes(), own);
    assert!(answer.texts().ends_with("its frames are frame 1 to 1"), "{:?}", answer.content.last());
    for frame in [json!(1), json!("1"), json!("FRAME1")] {
        let arguments = json!({ "recovery_handle": handle, "frame": frame });
        let answer = once(&tools, "browser_recover", arguments).await;
        assert_eq!((first(&answer).as_bytes(), answer.content.len()), (inner.as_ref(), 1));
    }
    let arguments = json!({ "recovery_handle": handle, "frame": 2 });
    assert_eq!(code(&once(&tools, "browser_recover", arguments).await), "cave_invalid_arguments");
    let by_its_own = json!({ "recovery_handle": Handle::of(&inner).to_string() });
    assert_eq!(first(&once(&tools, "browser_recover", by_its_own).await).as_bytes(), inner);
    let everywhere = json!({ "recovery_handle": handle, "query": "Pay now" });
    assert!(first(&once(&tools, "browser_recover", everywhere).await).contains("Pay now"));
}

#[tokio::test]
async fn the_same_page_has_the_same_handle() {
    let tools = tools(&Fake::of([framed_page()]));
    let one = once(&tools, "browser_snapshot", none()).await;
    let two = once(&tools, "browser_snapshot", none()).await;
    assert_eq!(one.meta["recovery_handle"], two.meta["recovery_handle"]);
}

#[tokio::test]
async fn an_original_with_a_secret_in_the_clear_is_withheld() {
    let clear = PageSnapshot { secrets: vec![Uid { frame: 0, node: 2 }], ..page(fixture("secret/ax.json")) };
    let masked = fixture("password/ax.json");
    for expose_secrets in [false, true] {
        let fake = Fake::of([clear.clone(), page(masked.clone())]);
        let tools = with(&fake, Options { expose_secrets, ..Options::default() }, BUDGET);
        let session = Session::default();
        let handle = call(&tools, &session, "browser_snapshot", none()).await.meta["recovery_handle"].clone();
        for arguments in [json!({ "recovery_handle": handle }), json!({ "recovery_handle": handle, "query": "Code" })] {
            let answer = once(&tools, "browser_recover", arguments).await;
            if expose_secrets {
                assert!(!answer.is_error);
            } else {
                assert_eq!(code(&answer), "cave_recovery_withheld");
                assert!(!answer.texts().contains("hunter2"));
            }
        }
        let handle = call(&tools, &session, "browser_snapshot", none()).await.meta["recovery_handle"].clone();
        assert!(!once(&tools, "browser_recover", json!({ "recovery_handle": handle })).await.is_error, "bullets");
    }
}

#[tokio::test]
async fn a_handle_that_is_none_and_one_that_was_never_given_are_told_apart() {
    let tools = tools(&Fake::default());
    for handle in ["", "ccr_", "ccr_1234567", "zzzzzzzz", "ccr_ccr_12345678"] {
        let answer = once(&tools, "browser_recover", json!({ "recovery_handle": handle })).await;
        assert_eq!(code(&answer), "cave_invalid_arguments", "{handle}");
    }
    assert_eq!(code(&once(&tools, "browser_recover", none()).await), "cave_invalid_arguments");
    let answer = once(&tools, "browser_recover", json!({ "recovery_handle": "ccr_0123456789abcdef" })).await;
    assert_eq!(code(&answer), "cave_unknown_handle");
}
