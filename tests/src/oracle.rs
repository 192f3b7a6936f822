//! The oracle: `oracle/ax_outline.py`, asked over a pipe.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use axpress_core::OutlineOptions;

/// A Python process that answers with outlines. It ends when this is dropped.
#[derive(Debug)]
pub struct Oracle {
    process: Child,
    asks: Option<BufferedAsks>,
    answers: BufReader<ChildStdout>,
    unicode: String,
}

type BufferedAsks = io::BufWriter<ChildStdin>;

/// The oracle's outline, or the code of its error.
pub type Answer = Result<String, String>;

impl Oracle {
    /// Starts the process.
    pub fn start() -> io::Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracle/serve.py");
        let mut process = Command::new("python3")
            .arg("-B")
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("the oracle needs python3: {error}")))?;
        let asks = process.stdin.take().map(io::BufWriter::new);
        let stdout = process.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let mut oracle = Self { process, asks, answers: BufReader::new(stdout), unicode: String::new() };
        oracle.unicode = oracle.line()?;
        Ok(oracle)
    }

    /// The version of Unicode that its Python has.
    #[must_use]
    pub fn unicode(&self) -> &str {
        &self.unicode
    }

    /// The outlines of a payload, one for each of the options.
    pub fn outlines(&mut self, payload: &[u8], modes: &[OutlineOptions]) -> io::Result<Vec<Answer>> {
        let asks = self.asks.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        write!(asks, "{}", payload.len())?;
        for mode in modes {
            write!(asks, " {}:{}", u8::from(mode.dedup_text), mode.max_chars)?;
        }
        asks.write_all(b"\n")?;
        asks.write_all(payload)?;
        asks.flush()?;
        modes.iter().map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let line = self.line()?;
        let parts = line.split_once(' ').and_then(|(status, length)| Some((status, length.parse().ok()?)));
        let (status, length) = parts.ok_or_else(|| io::Error::other(format!("the oracle said {line:?}")))?;
        let mut text = vec![0; length];
        self.answers.read_exact(&mut text)?;
        let text = String::from_utf8(text).map_err(io::Error::other)?;
        Ok(if status == "ok" { Ok(text) } else { Err(status.to_owned()) })
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the oracle ended; its error is above"));
        }
        line.truncate(line.trim_end().len());
        Ok(line)
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // Without input it ends by itself.
        self.asks = None;
        let _ = self.process.wait();
    }
}
