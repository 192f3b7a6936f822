//! A Chrome of a test's own: it answers as the test says.

use std::io;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

use super::transport::{Arrival, Incoming, Outgoing};

/// Most bytes of a message.
pub(crate) const LIMIT: usize = 256 << 20;

/// The other side of a connection.
pub(crate) struct FakeChrome {
    requests: mpsc::UnboundedReceiver<Vec<u8>>,
    /// Messages to us; dropping it ends the connection.
    pub(crate) messages: mpsc::UnboundedSender<io::Result<Bytes>>,
}

pub(crate) struct FakeIncoming(mpsc::UnboundedReceiver<io::Result<Bytes>>);
pub(crate) struct FakeOutgoing(mpsc::UnboundedSender<Vec<u8>>);

/// A connection, and what is at its other side.
pub(crate) fn connection() -> (FakeIncoming, FakeOutgoing, FakeChrome) {
    let (to_us, from_chrome) = mpsc::unbounded_channel();
    let (to_chrome, requests) = mpsc::unbounded_channel();
    (FakeIncoming(from_chrome), FakeOutgoing(to_chrome), FakeChrome { requests, messages: to_us })
}

impl FakeChrome {
    /// The next request; none when the connection was ended.
    pub(crate) async fn request(&mut self) -> Option<Value> {
        let request = self.requests.recv().await?;
        Some(serde_json::from_slice(&request).expect("a request is JSON"))
    }

    /// Says something.
    pub(crate) fn say(&self, message: impl Into<Vec<u8>>) {
        self.messages.send(Ok(Bytes::from(message.into()))).expect("someone listens");
    }

    /// Answers a request.
    pub(crate) fn answer(&self, request: &Value, result: &Value) {
        let mut reply = serde_json::json!({"id": request["id"], "result": result});
        if let Some(session) = request.get("sessionId") {
            reply["sessionId"] = session.clone();
        }
        self.say(reply.to_string());
    }
}

impl Incoming for FakeIncoming {
    async fn receive(&mut self) -> io::Result<Option<Arrival>> {
        let message = self.0.recv().await.transpose()?;
        Ok(message.map(|message| match message.len() {
            ..=LIMIT => Arrival::Message(message),
            _ => Arrival::TooLarge(message.slice(..256)),
        }))
    }

    fn most(&self) -> usize {
        LIMIT
    }
}

impl Outgoing for FakeOutgoing {
    async fn send(&mut self, message: Vec<u8>) -> io::Result<()> {
        self.0.send(message).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
