//! Messages over a WebSocket: a Chrome that is already running, or a grid's.
//!
//! An `http:` address is asked for the WebSocket that it stands for. TLS is not spoken: a grid behind it is reached
//! through a tunnel.

use std::io;

use bytes::Bytes;
use futures_util::{Sink, Stream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::transport::{Incoming, Outgoing};

/// Most bytes of the answer that names the WebSocket.
const ANSWER_BYTES: u64 = 1 << 16;

/// The half that messages come from.
pub(crate) struct SocketReader<S>(S);
/// The half that messages go to.
pub(crate) struct SocketWriter<S>(S);

/// Connects to an endpoint, with a limit on the size of a message.
pub(crate) async fn connect(endpoint: &str, most: usize) -> io::Result<(impl Incoming, impl Outgoing)> {
    let address = match endpoint.strip_prefix("http://") {
        Some(rest) => discover(rest).await?,
        None if endpoint.starts_with("ws://") => endpoint.to_owned(),
        None => return Err(invalid("it is neither a ws:// nor an http:// address")),
    };
    let config = WebSocketConfig::default().max_message_size(Some(most)).max_frame_size(Some(most));
    let (socket, _) =
        tokio_tungstenite::connect_async_with_config(&address, Some(config), true).await.map_err(of_socket)?;
    let (to, from) = socket.split();
    Ok((SocketReader(from), SocketWriter(to)))
}

impl<S: Stream<Item = Result<Message, Error>> + Send + Unpin + 'static> Incoming for SocketReader<S> {
    async fn receive(&mut self) -> io::Result<Option<Bytes>> {
        loop {
            match self.0.next().await {
                None | Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::AlreadyClosed)) => {
                    return Ok(None);
                }
                Some(Ok(Message::Text(text))) => return Ok(Some(text.into())),
                Some(Ok(Message::Binary(bytes))) => return Ok(Some(bytes)),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(of_socket(error)),
            }
        }
    }
}

impl<S: Sink<Message, Error = Error> + Send + Unpin + 'static> Outgoing for SocketWriter<S> {
    async fn send(&mut self, message: Vec<u8>) -> io::Result<()> {
        let text = String::from_utf8(message).map_err(|_| invalid("a request is not text"))?;
        self.0.send(Message::text(text)).await.map_err(of_socket)
    }
}

#[derive(Deserialize)]
struct Version {
    #[serde(rename = "webSocketDebuggerUrl")]
    socket: String,
}

/// Asks `host:port` which WebSocket it stands for.
async fn discover(rest: &str) -> io::Result<String> {
    let host = rest.split('/').next().unwrap_or_default();
    let with_port = if host.rsplit(']').next().is_some_and(|end| end.contains(':')) {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    let mut stream = TcpStream::connect(&with_port).await?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    // Chrome does not end the connection, so that what is read must be looked at each time.
    loop {
        if let Some(version) = version(&answer) {
            // Chrome names itself by the address that it was asked at; a forwarded port has its own.
            let path = version.socket.strip_prefix("ws://").and_then(|rest| rest.split_once('/'));
            let (_, path) = path.ok_or_else(|| invalid("what answers there names no ws:// address"))?;
            return Ok(format!("ws://{with_port}/{path}"));
        }
        if answer.len() as u64 > ANSWER_BYTES || stream.read_buf(&mut answer).await? == 0 {
            return Err(invalid("what answers there is no Chrome"));
        }
    }
}

/// The body of an answer that is complete.
fn version(answer: &[u8]) -> Option<Version> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let is_ok = head.split(' ').nth(1) == Some("200");
    if is_ok { serde_json::from_str(body).ok() } else { None }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

fn of_socket(error: Error) -> io::Error {
    match error {
        Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::{SinkExt, StreamExt};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_tungstenite::tungstenite::Message;

    use super::super::transport::{Incoming, Outgoing};
    use super::connect;

    /// A WebSocket server for one client: says texts of these lengths, then says back what it hears.
    async fn server(lengths: &'static [usize]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("a client");
            let mut socket = tokio_tungstenite::accept_async(stream).await.expect("a handshake");
            for &length in lengths {
                socket.send(Message::text("x".repeat(length))).await.expect("the client reads");
            }
            while let Some(Ok(message)) = socket.next().await {
                if socket.send(message).await.is_err() {
                    break;
                }
            }
        });
        format!("ws://{address}/devtools/browser/1")
    }

    #[tokio::test]
    async fn messages_larger_than_what_libraries_allow_come_whole() {
        let endpoint = server(&[17 << 20, 100 << 20]).await;
        let (mut incoming, mut outgoing) = connect(&endpoint, 1 << 30).await.expect("a connection");
        for length in [17 << 20, 100 << 20] {
            let message = incoming.receive().await.expect("a message").expect("not the end");
            assert_eq!(message.len(), length);
        }
        outgoing.send(b"hello".to_vec()).await.expect("it is sent");
        assert_eq!(incoming.receive().await.expect("a message").expect("not the end"), "hello");
    }

    #[tokio::test]
    async fn a_message_over_the_limit_is_an_error() {
        let endpoint = server(&[1000]).await;
        let (mut incoming, _outgoing) = connect(&endpoint, 999).await.expect("a connection");
        assert!(incoming.receive().await.is_err());
    }

    #[tokio::test]
    async fn an_http_address_is_asked_for_its_socket_and_what_is_no_chrome_is_said_to_be_none() {
        for (body, words) in
            [(r#"{"webSocketDebuggerUrl":"http://x"}"#, "names no ws:// address"), ("<h1>Not this</h1>", "no Chrome")]
        {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("its address");
            tokio::spawn(async move {
                let (mut stream, _) = listener.accept().await.expect("a client");
                let mut request = [0; 1024];
                let length = stream.read(&mut request).await.expect("a request");
                assert!(request[..length].starts_with(b"GET /json/version HTTP/1.1\r\n"));
                let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                stream.write_all(answer.as_bytes()).await.expect("the client reads");
            });
            let endpoint = format!("http://{address}");
            let connected = tokio::time::timeout(Duration::from_secs(5), connect(&endpoint, 1 << 20));
            let Err(error) = connected.await.expect("in time") else { panic!("{body}") };
            assert!(error.to_string().contains(words), "{error}");
        }
        assert!(connect("ftp://127.0.0.1", 1 << 20).await.is_err());
    }
}
