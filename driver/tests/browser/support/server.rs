//! A server on loopback, reached as 127.0.0.1 and as localhost: two sites to a browser.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What is answered to a request.
#[derive(Clone)]
pub(crate) enum Answer {
    Page(String),
    /// Further header lines, and a body.
    With(&'static str, String),
    Redirect(String),
    NoContent,
    /// The connection stays open, and nothing comes.
    Silence,
}

/// A server, until it is dropped and its last connection ends.
pub(crate) struct Server {
    port: u16,
}

impl Server {
    /// Serves these paths. In a page, `SAME` and `OTHER` are this server's own two sites.
    pub(crate) fn new(answers: &[(&str, Answer)]) -> Self {
        let listener = TcpListener::bind("0.0.0.0:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let answers: HashMap<String, Answer> =
            answers.iter().map(|(path, answer)| ((*path).to_owned(), answer.clone())).collect();
        let answers = Arc::new(answers);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answers = Arc::clone(&answers);
                thread::spawn(move || serve(&stream, &answers, port));
            }
        });
        Self { port }
    }

    /// One page, at `/`.
    pub(crate) fn page(body: &str) -> Self {
        Self::new(&[("/", Answer::Page(body.to_owned()))])
    }

    /// An address on the first site.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// An address on the other site.
    pub(crate) fn other(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }
}

fn serve(mut stream: &TcpStream, answers: &HashMap<String, Answer>, port: u16) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(request) = lines.next() else { return };
    for line in lines.by_ref() {
        if line.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let fill = |text: &str| {
        text.replace("SAME", &format!("http://127.0.0.1:{port}")).replace("OTHER", &format!("http://localhost:{port}"))
    };
    let html = "Content-Type: text/html; charset=utf-8\r\n";
    let (status, headers, body) = match answers.get(path) {
        Some(Answer::Page(body)) => ("200 OK", html.to_owned(), fill(body)),
        Some(Answer::With(headers, body)) => ("200 OK", (*headers).to_owned(), fill(body)),
        Some(Answer::Redirect(to)) => ("302 Found", format!("Location: {}\r\n", fill(to)), String::new()),
        Some(Answer::NoContent) => ("204 No Content", String::new(), String::new()),
        Some(Answer::Silence) => return thread::sleep(Duration::from_secs(3600)),
        None => ("404 Not Found", html.to_owned(), "<h1>Not found</h1>".to_owned()),
    };
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n");
    // A browser that has gone on does not read it.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}
