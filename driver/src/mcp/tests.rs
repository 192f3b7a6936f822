//! The server as a client sees it, over a pipe, on a browser that is none.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::time::timeout;

use crate::mcp::serve;
use crate::tools::tests::fake::{Fake, fixture, page, tools};

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const STATELESS: &str = "2026-07-28";

struct Client {
    read: BufReader<ReadHalf<DuplexStream>>,
    write: WriteHalf<DuplexStream>,
    id: u64,
    /// Carried in each request of the stateless era.
    meta: Option<Value>,
}

impl Client {
    fn new(fake: &Fake) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(serve(Arc::new(tools(fake)), read, write));
        let (read, write) = tokio::io::split(ours);
        Self { read: BufReader::new(read), write, id: 0, meta: None }
    }

    async fn legacy(fake: &Fake, version: &str) -> (Self, Value) {
        let mut client = Self::new(fake);
        let hello = client.initialize(version).await;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        (client, hello)
    }

    fn stateless(fake: &Fake) -> Self {
        let mut client = Self::new(fake);
        client.meta = Some(json!({
            "io.modelcontextprotocol/protocolVersion": STATELESS,
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        }));
        client
    }

    async fn initialize(&mut self, version: &str) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        self.ask("initialize", params).await
    }

    async fn send(&mut self, message: &Value) {
        self.line(&message.to_string()).await;
    }

    async fn line(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let mut line = String::new();
        timeout(Duration::from_secs(60), self.read.read_line(&mut line)).await.expect("an answer").unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    async fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.id += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let id = self.id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    /// Asks, and gives the result or the error.
    async fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        let answer = self.receive().await;
        assert_eq!(answer["id"], id);
        answer
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn login() -> Fake {
    Fake::of([page(fixture("login/ax.json"))])
}

#[tokio::test]
async fn every_version_that_is_known_is_answered_in_kind_and_others_by_the_newest() {
    for version in LEGACY {
        let (_, hello) = Client::legacy(&login(), version).await;
        assert_eq!(hello["result"]["protocolVersion"], version);
        assert_eq!(hello["result"]["serverInfo"]["name"], "axpress");
        assert!(hello["result"]["instructions"].as_str().unwrap().contains("@uid"));
    }
    for version in ["9999-01-01", STATELESS, "nonsense"] {
        let (_, hello) = Client::legacy(&login(), version).await;
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
}

#[tokio::test]
async fn an_initialize_without_a_version_is_refused_and_the_next_one_is_answered() {
    let mut client = Client::new(&login());
    let answer = client.ask("initialize", json!({ "capabilities": {} })).await;
    assert_eq!(
        (&answer["error"]["code"], &answer["error"]["data"]["code"]),
        (&json!(-32602), &json!("cave_invalid_arguments"))
    );
    assert_eq!(client.initialize("2025-06-18").await["result"]["protocolVersion"], "2025-06-18");
}

#[tokio::test]
async fn the_stateless_era_is_served_without_an_initialize() {
    let mut client = Client::stateless(&login());
    let found = client.ask("server/discover", json!({})).await;
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(STATELESS)), "{found}");
    let listed = client.ask("tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 5);
    assert!(listed["result"]["ttlMs"].is_number() && listed["result"]["cacheScope"].is_string(), "{listed}");
    let answer = client.call("browser_snapshot", json!({})).await;
    assert!(text(&answer).contains("button Sign in @24"), "{answer}");
    assert_eq!(answer["result"]["resultType"], "complete");
}

#[tokio::test]
async fn an_answer_is_text_with_its_figures_in_meta_and_nothing_structured() {
    let (mut client, _) = Client::legacy(&login(), "2025-11-25").await;
    let answer = client.call("browser_snapshot", json!({})).await;
    let result = &answer["result"];
    assert_eq!((result["content"].as_array().unwrap().len(), &result["isError"]), (1, &json!(false)));
    assert!(result.get("structuredContent").is_none());
    for figure in ["uids", "recovery_handle", "tokens_before", "view_tokens", "tokens_after", "ratio", "basis"] {
        assert!(!result["_meta"][figure].is_null(), "{figure}: {result}");
    }
    let picture = client.call("browser_screenshot", json!({})).await;
    assert_eq!(
        picture["result"]["content"][0],
        json!({ "type": "image", "data": "cGFnZQ==", "mimeType": "image/png" })
    );
}

#[tokio::test]
async fn what_is_asked_wrongly_and_what_failed_are_two_things() {
    let fake = login();
    let (mut client, _) = Client::legacy(&fake, "2025-11-25").await;
    let before = client.call("browser_snapshot", json!({})).await;
    let unknown = client.call("browser_fly", json!({})).await;
    assert_eq!(
        (&unknown["error"]["code"], &unknown["error"]["data"]["code"]),
        (&json!(-32602), &json!("cave_unknown_tool"))
    );
    assert!(unknown["error"]["message"].as_str().unwrap().starts_with("cave_unknown_tool: "));
    let malformed = client.ask("tools/call", json!({ "name": "browser_act", "arguments": "click" })).await;
    assert_eq!(malformed["error"]["code"], -32602);
    client.line("{ this is no JSON").await;
    let refused = client.receive().await;
    assert_eq!((&refused["error"]["code"], &refused["id"]), (&json!(-32700), &Value::Null));
    for (tool, arguments, code) in [
        ("browser_act", json!({ "action": "fly" }), "cave_unknown_action"),
        ("browser_act", json!({ "action": "click", "uid": 2.1 }), "cave_invalid_arguments"),
        ("browser_snapshot", json!({ "max_tokens": "many" }), "cave_invalid_arguments"),
        ("browser_recover", json!({ "recovery_handle": "ccr_00000000" }), "cave_unknown_handle"),
    ] {
        let answer = client.call(tool, arguments).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(text(&answer).starts_with(&format!("{code}: ")) && text(&answer).contains(". Next: "), "{answer}");
    }
    assert_eq!(text(&client.call("browser_snapshot", json!({})).await), text(&before));
}

#[tokio::test]
async fn a_tool_that_panics_ends_its_call_and_nothing_else() {
    let (mut client, _) = Client::legacy(&login(), "2025-11-25").await;
    let answer = client.call("browser_eval", json!({ "expression": "panic" })).await;
    assert!(text(&answer).starts_with("cave_tool_panicked: "), "{answer}");
    assert!(!text(&client.call("browser_snapshot", json!({})).await).is_empty());
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_without_an_answer_and_the_next_is_served() {
    let (mut client, _) = Client::legacy(&login(), "2025-06-18").await;
    let id =
        client.begin("tools/call", json!({ "name": "browser_eval", "arguments": { "expression": "forever" } })).await;
    for request in [json!(id), json!(id), json!(4711)] {
        let params = json!({ "requestId": request, "reason": "no longer wanted" });
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })).await;
    }
    let answer = client.call("browser_snapshot", json!({})).await;
    assert!(text(&answer).contains("recover ccr_"));
}

#[tokio::test]
async fn calls_side_by_side_do_not_wait_for_each_other() {
    let (mut client, _) = Client::legacy(&login(), "2025-11-25").await;
    client.begin("tools/call", json!({ "name": "browser_eval", "arguments": { "expression": "forever" } })).await;
    let answer = client.call("browser_snapshot", json!({})).await;
    assert!(text(&answer).contains("recover ccr_"));
}

#[tokio::test]
async fn two_connections_do_not_share_a_tab() {
    let fake = login();
    for _ in 0..2 {
        let (mut client, _) = Client::legacy(&fake, "2025-11-25").await;
        for _ in 0..2 {
            client.call("browser_snapshot", json!({})).await;
        }
    }
    let tabs: Vec<u32> = fake.set(|state| state.requests.iter().map(|(tab, _)| tab.0).collect());
    assert_eq!(tabs, [1, 1, 2, 2]);
}

#[tokio::test]
async fn text_of_any_kind_goes_out_as_one_line_of_json() {
    let fake = login();
    fake.set(|state| state.evaluation = "one\ntwo\r\u{2028}\u{0}\u{fffd}🎉".to_owned());
    let (mut client, _) = Client::legacy(&fake, "2025-11-25").await;
    let answer = client.call("browser_eval", json!({ "expression": "x" })).await;
    assert_eq!(text(&answer), "one\ntwo\r\u{2028}\u{0}\u{fffd}🎉");
}
