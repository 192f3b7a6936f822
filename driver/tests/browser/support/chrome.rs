//! A Chromium that someone else started and that many may talk to.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use super::{limit, options};

/// A program that ends with its test.
pub(crate) struct Running(pub(crate) Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("it ends");
    }
}

/// A Chromium with an open port.
pub(crate) struct Chrome {
    running: Running,
    pub(crate) port: String,
    pub(crate) path: String,
}

/// What is looked at of a message.
#[derive(Deserialize)]
struct Answer<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
}

impl Chrome {
    /// Starts one with a profile of this name.
    pub(crate) async fn start(name: &str) -> Self {
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&profile);
        let ours = options();
        let running = Command::new(ours.chrome.clone().unwrap_or_else(|| "chromium".into()))
            .args(&ours.arguments)
            .args(["--headless=new", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("Chromium starts");
        let running = Running(running);
        let port_file = profile.join("DevToolsActivePort");
        let begun = Instant::now();
        loop {
            let text = fs::read_to_string(&port_file).unwrap_or_default();
            if let Some((port, path)) = text.split_once('\n') {
                return Self { running, port: port.to_owned(), path: path.to_owned() };
            }
            assert!(begun.elapsed() < limit(20));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Whether it has not ended.
    pub(crate) fn runs(&mut self) -> bool {
        self.running.0.try_wait().expect("its state").is_none()
    }

    /// The payload of a page in the bytes that Chromium sends, as a client gets it that knows nothing of ours.
    pub(crate) async fn raw_payload(&self, target: &str) -> String {
        let address = format!("ws://127.0.0.1:{}{}", self.port, self.path);
        let (mut socket, _) = connect_async(address).await.expect("a connection");
        let attach =
            format!(r#"{{"id":1,"method":"Target.attachToTarget","params":{{"targetId":"{target}","flatten":true}}}}"#);
        socket.send(Message::text(attach)).await.expect("it is sent");
        loop {
            let text = socket.next().await.expect("not the end").expect("a message").into_text().expect("it is text");
            let answer: Answer<'_> = serde_json::from_str(&text).expect("it is JSON");
            let result = answer.result.map(RawValue::get);
            match (answer.id, result) {
                (Some(1), Some(result)) => {
                    let result: serde_json::Value = serde_json::from_str(result).expect("it is JSON");
                    let session = &result["sessionId"];
                    let ask = format!(r#"{{"id":2,"method":"Accessibility.getFullAXTree","sessionId":{session}}}"#);
                    socket.send(Message::text(ask)).await.expect("it is sent");
                }
                (Some(2), Some(result)) => return result.to_owned(),
                (Some(_), None) => panic!("refused: {text}"),
                _ => {}
            }
        }
    }
}
