//! Runs the program as a user does.
#![allow(dead_code, reason = "each test file uses a part of it")]

#[cfg(unix)]
pub(crate) mod server;
pub(crate) mod time;
pub(crate) mod uid;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Run {
    /// What it wrote to stdout, as text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("stdout is text")
    }

    /// What it wrote, where it must have gone well.
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self
    }
}

impl From<Output> for Run {
    fn from(Output { status, stdout, stderr }: Output) -> Self {
        let code = status.code().expect("axpress ends by itself");
        Self { code, stdout, stderr: String::from_utf8(stderr).expect("stderr is text") }
    }
}

/// Runs `axpress` with these arguments and this standard input.
pub(crate) fn axpress(arguments: &[&str], stdin: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_axpress"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("axpress starts");
    let mut pipe = child.stdin.take().expect("stdin is a pipe");
    let stdin = stdin.to_vec();
    // A program that does not read its input closes the pipe; that is for the test to judge by the result.
    let writer = thread::spawn(move || drop(pipe.write_all(&stdin)));
    let output = child.wait_with_output().expect("axpress ends");
    writer.join().expect("stdin was written");
    output.into()
}

/// The processes whose command line names this folder.
pub(crate) fn processes_of(folder: &Path) -> Vec<u32> {
    let folder = folder.to_str().expect("its name is text");
    let named = |entry: fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(folder).then_some(pid)
    };
    fs::read_dir("/proc").expect("a Linux").flatten().filter_map(named).collect()
}

/// A path in a fresh folder of this test's own.
pub(crate) fn scratch_file(test: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder for the test's files");
    folder.join(name)
}

/// An AX node of a payload.
pub(crate) fn node(id: u32, role: &str, name: &str, children: &[u32]) -> String {
    let children: Vec<String> = children.iter().map(|child| format!("\"{child}\"")).collect();
    format!(
        r#"{{"nodeId":"{id}","ignored":false,"role":{{"type":"role","value":"{role}"}},"name":{{"type":"computedString","value":"{name}"}},"properties":[],"childIds":[{}],"backendDOMNodeId":{id}}}"#,
        children.join(",")
    )
}

/// A payload of these nodes.
pub(crate) fn payload(nodes: &[String]) -> String {
    format!(r#"{{"nodes":[{}]}}"#, nodes.join(","))
}

/// A page with a heading and a button.
pub(crate) fn small_page() -> String {
    payload(&[
        node(1, "RootWebArea", "Orders", &[2, 3]),
        node(2, "heading", "Open orders", &[]),
        node(3, "button", "Save order", &[]),
    ])
}

/// The text with each handle as `@1234`: which ids a page's nodes get is the browser's affair.
pub(crate) fn with_even_handles(text: &str) -> String {
    let mut even = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('@') {
        let (before, after) = rest.split_at(at);
        let digits = after[1..].len() - after[1..].trim_start_matches(|c: char| c.is_ascii_digit()).len();
        even.push_str(before);
        let handle = digits > 0 && !before.ends_with('\\');
        even.push_str(if handle { "@1234" } else { &after[..=digits] });
        rest = &after[1 + digits..];
    }
    even + rest
}
