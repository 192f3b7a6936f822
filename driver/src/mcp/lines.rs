//! The transport: one JSON-RPC message a line, on standard input and output.
//!
//! Takes whatever a client writes. What is no message is answered, so that nobody waits for it in vain: no JSON with
//! -32700, a request that is none of the protocol's with -32602 and its id. A lone half of a surrogate pair is read as
//! U+FFFD. Output is messages and nothing else, each whole.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc};

use crate::browser::cdp::mend;
use crate::error::Code;

/// Most bytes of a message: the largest arguments, escaped to six times their size, and room.
const MESSAGE_BYTES: usize = 16 << 20;
/// Messages that are read before the server takes them.
const READ_AHEAD: usize = 16;

/// The transport.
pub(super) struct Lines<W> {
    messages: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    write: Arc<Mutex<W>>,
}

impl<W: AsyncWrite + Send + Unpin + 'static> Lines<W> {
    /// A transport that begins to read.
    pub(super) fn new(read: impl AsyncRead + Send + Unpin + 'static, write: W) -> Self {
        let write = Arc::new(Mutex::new(write));
        let (sender, messages) = mpsc::channel(READ_AHEAD);
        // A task of its own, since reading a line is not to be given up half way.
        tokio::spawn(read_all(BufReader::new(read), Arc::clone(&write), sender));
        Self { messages, write }
    }
}

impl<W: AsyncWrite + Send + Unpin + 'static> Transport<RoleServer> for Lines<W> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let write = Arc::clone(&self.write);
        async move { write_line(&write, &message).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.messages.close();
        self.write.lock().await.flush().await
    }
}

async fn write_line<W: AsyncWrite + Unpin>(write: &Mutex<W>, message: &impl serde::Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut write = write.lock().await;
    write.write_all(&line).await?;
    write.flush().await
}

async fn read_all<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    mut read: BufReader<R>,
    write: Arc<Mutex<W>>,
    messages: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
) {
    let mut line = Vec::new();
    loop {
        match read_line(&mut read, &mut line).await {
            Ok(Some(true)) => {}
            Ok(Some(false)) => {
                let refusal = refusal(ErrorCode::INVALID_REQUEST, "the message is longer than 16 MiB", &Value::Null);
                if write_line(&write, &refusal).await.is_err() {
                    return;
                }
                continue;
            }
            Ok(None) | Err(_) => return,
        }
        let gone = match understand(&line) {
            Understood::Message(message) => messages.send(*message).await.is_err(),
            Understood::Refused(refusal) => write_line(&write, &refusal).await.is_err(),
            Understood::Nothing => false,
        };
        if gone {
            return;
        }
    }
}

/// Reads a line: false where it was too long and was passed over, none at the end.
async fn read_line<R: AsyncRead + Unpin>(read: &mut BufReader<R>, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut fits = true;
    loop {
        let part = read.fill_buf().await?;
        if part.is_empty() {
            return Ok(None);
        }
        let end = part.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(part.len(), |end| end + 1);
        fits &= line.len() + taken <= MESSAGE_BYTES;
        if fits {
            line.extend_from_slice(&part[..taken]);
        } else {
            line.clear();
        }
        read.consume(taken);
        if end.is_some() {
            return Ok(Some(fits));
        }
    }
}

enum Understood {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Refused(Value),
    Nothing,
}

fn understand(line: &[u8]) -> Understood {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.is_empty() {
        return Understood::Nothing;
    }
    let Ok(value) = mend::from_slice::<Value>(line) else {
        return Understood::Refused(refusal(ErrorCode::PARSE_ERROR, "this is no JSON", &Value::Null));
    };
    let (id, method) = (value.get("id").cloned(), value.get("method").and_then(Value::as_str).map(str::to_owned));
    match serde_json::from_value(value) {
        // A method of the protocol whose parameters are wrong is taken for one of somebody's own.
        Ok(RxJsonRpcMessage::<RoleServer>::Request(request)) if matches!(&request.request, ClientRequest::CustomRequest(custom) if is_own(&custom.method)) =>
            {}
        Ok(RxJsonRpcMessage::<RoleServer>::Notification(notification))
            if matches!(&notification.notification, ClientNotification::CustomNotification(_)) => {}
        Ok(message) => return Understood::Message(Box::new(message)),
        Err(_) => {}
    }
    match (id, method) {
        // Nobody waits for an answer to a notification, nor to an answer.
        (None, Some(_)) | (Some(_), None) => Understood::Nothing,
        (Some(id), Some(method)) if serde_json::from_value::<RequestId>(id.clone()).is_ok() => {
            let what = format!("the parameters of {method} are none that it has");
            Understood::Refused(refusal(ErrorCode::INVALID_PARAMS, &what, &id))
        }
        _ => Understood::Refused(refusal(ErrorCode::INVALID_REQUEST, "this is no request", &Value::Null)),
    }
}

/// Is this a method that the protocol has and a server answers?
fn is_own(method: &str) -> bool {
    matches!(method, "initialize" | "ping" | "server/discover" | "tools/call" | "tools/list" | "subscriptions/listen")
}

/// An answer to what can't be understood.
fn refusal(code: ErrorCode, what: &str, id: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": protocol_error(code, Code::InvalidArguments, what) })
}

/// A failure of the protocol, with our code in it.
pub(super) fn protocol_error(code: ErrorCode, ours: Code, what: &str) -> ErrorData {
    ErrorData::new(code, format!("{}: {what}", ours.code()), Some(json!({ "code": ours.code() })))
}

#[cfg(test)]
mod tests {
    use super::{Understood, understand};

    fn refused(line: &str) -> (i64, serde_json::Value) {
        match understand(line.as_bytes()) {
            Understood::Refused(refusal) => {
                assert_eq!(refusal["error"]["data"]["code"], "cave_invalid_arguments", "{line}");
                (refusal["error"]["code"].as_i64().unwrap(), refusal["id"].clone())
            }
            Understood::Message(message) => panic!("{line}: {message:?}"),
            Understood::Nothing => panic!("{line}: nothing"),
        }
    }

    #[test]
    fn what_is_no_message_is_answered() {
        assert_eq!(refused("{"), (-32700, serde_json::Value::Null));
        assert_eq!(refused("[1]"), (-32600, serde_json::Value::Null));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#), (-32600, serde_json::Value::Null));
        let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#);
        for params in ["5", "{}", r#"{"name":5}"#, r#"{"name":"browser_act","arguments":[1]}"#] {
            assert_eq!(refused(&call(params)), (-32602, 7.into()), "{params}");
        }
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}"#), (-32602, "a".into()));
    }

    #[test]
    fn what_nobody_waits_for_is_passed_over() {
        for line in ["", "  \r", r#"{"jsonrpc":"2.0","method":"tools/call"}"#, r#"{"jsonrpc":"2.0","id":5}"#] {
            assert!(matches!(understand(line.as_bytes()), Understood::Nothing), "{line}");
        }
    }

    #[test]
    fn half_a_surrogate_pair_in_an_argument_is_read() {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"browser_eval","arguments":{"expression":"\ud83d"}}}"#;
        assert!(matches!(understand(line.as_bytes()), Understood::Message(_)));
    }
}
