//! A client of the Model Context Protocol: starts the program's server, and speaks with it line by line.
//!
//! Keeps true: every line on stdout is a message, and an answer is that of the request that was sent last.

use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// The server, until it is ended or dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    lines: Lines<BufReader<ChildStdout>>,
    next: u32,
    /// All that it said on stdout.
    pub(crate) said: String,
}

impl Server {
    /// Starts `mcp` of this program with these arguments, and says nothing to it.
    pub(crate) fn start(mut program: Command, arguments: &[&str]) -> Self {
        let program = program.arg("mcp").args(arguments);
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines, next: 0, said: String::new() }
    }

    /// Starts it, and opens the session as a client does.
    pub(crate) fn open(program: Command, arguments: &[&str]) -> Self {
        let mut server = Self::start(program, arguments);
        server.initialize();
        server.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        server
    }

    /// The answer to `initialize`. The notification that should follow is not sent.
    pub(crate) fn initialize(&mut self) -> Value {
        let client = json!({ "name": "test", "version": "1" });
        self.ask("initialize", &json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client }))
    }

    /// Sends a message.
    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request, and does not wait for its answer; gives its id.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> u32 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Sends a request; the next message must be its answer.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool, and does not wait for its result; gives the request's id.
    pub(crate) fn begin(&mut self, tool: &str, arguments: &Value) -> u32 {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    /// Calls a tool: its text, and its whole result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (String, Value) {
        let mut answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = answer["result"].take();
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{tool}: {answer}{result}"));
        (text.to_owned(), result)
    }

    /// Closes its input; what it said on stderr. It must end well, and nothing more may come on stdout.
    pub(crate) fn end(mut self) -> String {
        drop(self.child.stdin.take());
        assert!(self.lines.next().is_none(), "nothing but answers is on stdout");
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        said
    }

    fn receive(&mut self) -> Value {
        let line = self.lines.next().expect("an answer").unwrap();
        self.said += &line;
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        message
    }
}

impl Drop for Server {
    #[allow(clippy::print_stderr, reason = "why a test failed may be there")]
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let mut said = Vec::new();
        if thread::panicking()
            && self.child.stderr.take().is_some_and(|mut stderr| stderr.read_to_end(&mut said).is_ok())
        {
            eprintln!("the server's stderr: {}", String::from_utf8_lossy(&said));
        }
        let _ = self.child.wait();
    }
}
