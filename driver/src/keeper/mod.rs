//! The keeper: the process that holds the Chrome of the command line, so that tabs, dialogs and uids live on from one
//! command to the next.
//!
//! The first command starts it; each command sends it one call over a local socket of mode 0600, and gets one answer. It
//! ends by `close`, with its Chrome, or when nobody has asked it anything for a while, and its Chrome ends with it. One
//! keeper serves one state folder.

mod client;
mod server;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Code, Error};
use crate::home;
use crate::tools::{Answer, Content};

pub use client::{Connection, close, connect, find};
pub use server::{Options, serve};

/// Longest path of a socket: some systems take no more.
const SOCKET_PATH: usize = 100;

/// What a command asks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Request {
    /// The tool; none asks the keeper to end.
    pub tool: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// A view without the line that gets its original back, which is not kept.
    #[serde(default)]
    pub no_handles: bool,
}

/// What a keeper answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Reply {
    texts: Vec<String>,
    image: Option<String>,
    is_error: bool,
    meta: Map<String, Value>,
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Self {
        let mut reply = Self { texts: Vec::new(), image: None, is_error: answer.is_error, meta: answer.meta };
        for content in answer.content {
            match content {
                Content::Text(text) => reply.texts.push(text),
                Content::Image(image) => reply.image = Some(image),
            }
        }
        reply
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Self {
        let texts = reply.texts.into_iter().map(Content::Text);
        let content = texts.chain(reply.image.map(Content::Image)).collect();
        Self { content, is_error: reply.is_error, meta: reply.meta }
    }
}

/// A keeper that runs, or ran: what its state file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Its process id.
    pub pid: u32,
    /// Where it listens.
    pub socket: PathBuf,
    /// The version of the program.
    pub version: String,
}

/// What a keeper has in its state folder.
#[derive(Clone, Debug)]
struct Place {
    folder: PathBuf,
}

impl Place {
    /// The folder is made where there is none.
    fn new(folder: &Path) -> Result<Self, Error> {
        home::make(folder).map_err(|cause| unavailable(folder, &cause))?;
        let folder = folder.canonicalize().map_err(|cause| unavailable(folder, &cause))?;
        Ok(Self { folder })
    }

    /// Held by the keeper for as long as it lives.
    fn lock(&self) -> PathBuf {
        self.folder.join("keeper.lock")
    }

    /// Held by a command that starts one.
    fn starting(&self) -> PathBuf {
        self.folder.join("keeper.start")
    }

    fn log(&self) -> PathBuf {
        self.folder.join("keeper.log")
    }

    fn state_file(&self) -> PathBuf {
        self.folder.join("keeper.json")
    }

    /// What the state file says; none where there is none, or nothing that can be understood.
    fn state(&self) -> Option<State> {
        serde_json::from_slice(&fs::read(self.state_file()).ok()?).ok()
    }

    /// Where a keeper listens: in its folder, or, where that is too far down, in one of its own among the temporary ones.
    fn socket(&self) -> io::Result<PathBuf> {
        let socket = self.folder.join("keeper.sock");
        if socket.as_os_str().len() <= SOCKET_PATH {
            return Ok(socket);
        }
        // A folder that another made can't be taken for it: it is made here, or it is an error.
        for number in 0..1000 {
            let folder = std::env::temp_dir().join(format!("axpress-{}-{number}", std::process::id()));
            if !folder.exists() {
                home::make(&folder)?;
                return Ok(folder.join("keeper.sock"));
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

fn unavailable(folder: &Path, cause: &io::Error) -> Error {
    Error::new(Code::BrowserUnavailable, format!("the state folder {} can't be used: {cause}", folder.display()))
        .next("set AXPRESS_HOME to a folder that can be written")
}
