//! Messages over a WebSocket: a Chrome that is already running, or a grid's.
//!
//! An `http:` or `https:` address is asked for the WebSocket that it stands for. A message over the limit ends the
//! connection, since its rest can't be passed over; the next call makes another one.

use std::io;

use futures_util::{Sink, Stream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::Uri;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::tls::{self, Trust};
use super::transport::{Arrival, Incoming, Outgoing};

/// Most bytes of the answer that names the WebSocket.
const ANSWER_BYTES: u64 = 1 << 16;

/// The half that messages come from, and the most bytes of one.
pub(crate) struct SocketReader<S>(S, usize);
/// The half that messages go to.
pub(crate) struct SocketWriter<S>(S);

/// What carries the bytes: TCP, with TLS or without.
trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}

impl<W: AsyncRead + AsyncWrite + Send + Unpin> Wire for W {}

/// Connects to an endpoint, with a limit on the size of a message.
pub(crate) async fn connect(endpoint: &str, most: usize) -> io::Result<(impl Incoming, impl Outgoing)> {
    connect_trusting(endpoint, most, Trust::System).await
}

async fn connect_trusting(endpoint: &str, most: usize, trust: Trust) -> io::Result<(impl Incoming, impl Outgoing)> {
    let uri: Uri = endpoint.parse().map_err(|_| invalid("it is no address"))?;
    let address = match uri.scheme_str() {
        Some("ws" | "wss") => endpoint.to_owned(),
        Some("http" | "https") => discover(&uri, &trust).await?,
        _ => return Err(invalid("it is neither a ws://, wss://, http:// nor https:// address")),
    };
    let request = address.as_str().into_client_request().map_err(of_socket)?;
    let wire = open(request.uri(), &trust).await?;
    let config = WebSocketConfig::default().max_message_size(Some(most)).max_frame_size(Some(most));
    let (socket, _) =
        tokio_tungstenite::client_async_with_config(request, wire, Some(config)).await.map_err(of_socket)?;
    let (to, from) = socket.split();
    Ok((SocketReader(from, most), SocketWriter(to)))
}

/// Whether the bytes of an address go through TLS.
fn is_private(uri: &Uri) -> bool {
    matches!(uri.scheme_str(), Some("wss" | "https"))
}

async fn open(uri: &Uri, trust: &Trust) -> io::Result<Box<dyn Wire>> {
    let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| invalid("it has no host"))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = uri.port_u16().unwrap_or(if is_private(uri) { 443 } else { 80 });
    let stream = TcpStream::connect((host, port)).await?;
    stream.set_nodelay(true)?;
    Ok(if is_private(uri) { Box::new(tls::wrap(stream, host, trust).await?) } else { Box::new(stream) })
}

impl<S: Stream<Item = Result<Message, Error>> + Send + Unpin + 'static> Incoming for SocketReader<S> {
    async fn receive(&mut self) -> io::Result<Option<Arrival>> {
        loop {
            match self.0.next().await {
                None | Some(Ok(Message::Close(_)) | Err(Error::ConnectionClosed | Error::AlreadyClosed)) => {
                    return Ok(None);
                }
                Some(Ok(Message::Text(text))) => return Ok(Some(Arrival::Message(text.into()))),
                Some(Ok(Message::Binary(bytes))) => return Ok(Some(Arrival::Message(bytes))),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(of_socket(error)),
            }
        }
    }

    fn most(&self) -> usize {
        self.1
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

/// Asks an address which WebSocket it stands for.
async fn discover(uri: &Uri, trust: &Trust) -> io::Result<String> {
    let authority = uri.authority().ok_or_else(|| invalid("it has no host"))?;
    let host = authority.as_str().rsplit('@').next().unwrap_or_default();
    let mut stream = open(uri, trust).await?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    // Chrome does not end the connection, so that what is read must be looked at each time.
    loop {
        if let Some(version) = version(&answer) {
            // Chrome names itself by the address that it was asked at; a forwarded port has its own.
            let socket: Uri =
                version.socket.parse().map_err(|_| invalid("what answers there names no ws:// address"))?;
            let path = socket.path_and_query().filter(|_| matches!(socket.scheme_str(), Some("ws" | "wss")));
            let path = path.ok_or_else(|| invalid("what answers there names no ws:// address"))?;
            let scheme = if is_private(uri) { "wss" } else { "ws" };
            return Ok(format!("{scheme}://{host}{path}"));
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
        Error::Capacity(_) => io::Error::new(io::ErrorKind::FileTooLarge, "a message was larger than the limit"),
        error => io::Error::other(error),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use bytes::Bytes;
    use futures_util::{SinkExt, StreamExt};
    use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use tokio_tungstenite::tungstenite::Message;

    use super::super::tls::{Refused, Trust};
    use super::super::transport::{Arrival, Incoming, Outgoing};
    use super::{connect, connect_trusting};

    /// A WebSocket server for one client: says texts of these lengths, then says back what it hears.
    async fn server(lengths: &'static [usize]) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("its address");
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.expect("a client");
            speak(stream, lengths).await;
        });
        format!("ws://{address}/devtools/browser/1")
    }

    async fn speak(stream: impl AsyncRead + AsyncWrite + Unpin, lengths: &[usize]) {
        let mut socket = tokio_tungstenite::accept_async(stream).await.expect("a handshake");
        for &length in lengths {
            socket.send(Message::text("x".repeat(length))).await.expect("the client reads");
        }
        while let Some(Ok(message)) = socket.next().await {
            if socket.send(message).await.is_err() {
                break;
            }
        }
    }

    async fn next(incoming: &mut impl Incoming) -> Bytes {
        match incoming.receive().await.expect("a message").expect("not the end") {
            Arrival::Message(message) => message,
            Arrival::TooLarge(_) => panic!("it is within the limit"),
        }
    }

    /// A grid behind TLS, with a certificate of its own making for `localhost`: answers the question for its address,
    /// then speaks as a WebSocket. Gives its port, and the certificate.
    async fn grid(clients: usize) -> (u16, CertificateDer<'static>) {
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
        let certificate = own.cert.der().clone();
        let key = PrivateKeyDer::try_from(own.signing_key.serialize_der()).expect("its key");
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.clone()], key)
            .expect("they belong together");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("its address").port();
        tokio::spawn(async move {
            for _ in 0..clients {
                let (stream, _) = listener.accept().await.expect("a client");
                // One that does not trust it hangs up.
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut first = [0; 9];
                stream.read_exact(&mut first).await.expect("a request");
                if &first == b"GET /json" {
                    let body = r#"{"webSocketDebuggerUrl":"ws://inside:9222/devtools/browser/1"}"#;
                    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
                    stream.write_all(answer.as_bytes()).await.expect("the client reads");
                    stream.shutdown().await.expect("the end");
                } else {
                    let (read, write) = tokio::io::split(stream);
                    speak(tokio::io::join(std::io::Cursor::new(first).chain(read), write), &[100_000]).await;
                }
            }
        });
        (port, certificate)
    }

    #[tokio::test]
    async fn a_grid_is_reached_through_tls_by_its_socket_and_by_its_address() {
        let (port, certificate) = grid(3).await;
        let trust = || Trust::These(vec![certificate.clone()]);
        for endpoint in [format!("wss://localhost:{port}/devtools/browser/1"), format!("https://localhost:{port}")] {
            let connected = connect_trusting(&endpoint, 1 << 20, trust()).await;
            let (mut incoming, mut outgoing) = connected.expect("a connection");
            assert_eq!(next(&mut incoming).await.len(), 100_000);
            outgoing.send(b"hello".to_vec()).await.expect("it is sent");
            assert_eq!(next(&mut incoming).await, "hello");
        }
    }

    #[tokio::test]
    async fn a_grid_whose_certificate_nobody_vouches_for_or_that_is_another_host_is_not_spoken_to() {
        let (port, certificate) = grid(2).await;
        let endpoint = format!("wss://localhost:{port}/devtools/browser/1");
        let other = format!("wss://127.0.0.1:{port}/devtools/browser/1");
        for (endpoint, trust) in [(endpoint, Trust::System), (other, Trust::These(vec![certificate]))] {
            let Err(error) = connect_trusting(&endpoint, 1 << 20, trust).await else { panic!("{endpoint}") };
            assert!(error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Refused>), "{error}");
        }
    }

    #[tokio::test]
    async fn messages_larger_than_what_libraries_allow_come_whole() {
        let endpoint = server(&[17 << 20, 100 << 20]).await;
        let (mut incoming, mut outgoing) = connect(&endpoint, 1 << 30).await.expect("a connection");
        for length in [17 << 20, 100 << 20] {
            assert_eq!(next(&mut incoming).await.len(), length);
        }
        outgoing.send(b"hello".to_vec()).await.expect("it is sent");
        assert_eq!(next(&mut incoming).await, "hello");
    }

    #[tokio::test]
    async fn a_message_over_the_limit_is_an_error() {
        let endpoint = server(&[1000]).await;
        let (mut incoming, _outgoing) = connect(&endpoint, 999).await.expect("a connection");
        let error = incoming.receive().await.expect_err("it is over the limit");
        assert_eq!(error.kind(), std::io::ErrorKind::FileTooLarge);
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
