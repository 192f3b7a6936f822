//! What a command writes: its result to stdout, exactly, and blobs to files.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::failure::Failure;

/// Writes a text to stdout. Only a terminal gets a newline after it, so that its prompt stands on its own line.
pub(crate) fn text(text: &str) -> Result<(), Failure> {
    let newline: &[u8] = if io::stdout().is_terminal() { b"\n" } else { b"" };
    write(&[text.as_bytes(), newline])
}

/// Writes bytes to stdout, and nothing else.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    write(&[bytes])
}

/// Writes one JSON object and a newline to stdout.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_vec(value).map_err(|error| failed(error.into()))?;
    write(&[&text, b"\n"])
}

/// Writes a blob to a file.
pub(crate) fn file(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes).map_err(|cause| Failure::Write { name: path.display().to_string(), cause })
}

fn write(parts: &[&[u8]]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    parts.iter().try_for_each(|part| stdout.write_all(part)).and_then(|()| stdout.flush()).map_err(failed)
}

fn failed(cause: io::Error) -> Failure {
    if cause.kind() == io::ErrorKind::BrokenPipe {
        return Failure::ClosedPipe;
    }
    Failure::Write { name: "standard output".to_owned(), cause }
}
