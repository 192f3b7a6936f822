//! What the commands of the browser take.

use std::path::{Path, PathBuf};

use axpress_core::HandlePrefix;
use axpress_driver::browser::{Action, Browser, Files, Options};
use axpress_driver::{Error, home, store, tools};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

/// The server of the Model Context Protocol.
#[derive(Debug, Args)]
pub(crate) struct Mcp {
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) tools: ToolArguments,
}

/// The process that holds the command line's Chrome.
#[derive(Debug, Args)]
pub(crate) struct Keeper {
    #[command(flatten)]
    pub(crate) browser: BrowserArguments,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) tools: ToolArguments,
    /// End after so many seconds in which nobody asked anything
    #[arg(long, value_name = "SECONDS", env = "AXPRESS_KEEPER_IDLE", default_value_t = 1800)]
    pub(crate) idle: u64,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Browser")]
pub(crate) struct BrowserArguments {
    /// Go to this origin only, such as <https://example.com>; may be given again
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Refuse addresses of this machine and of private networks
    #[arg(long)]
    block_private: bool,
    /// Save downloads here; they are refused where no folder is given
    #[arg(long, value_name = "FOLDER", env = "AXPRESS_DOWNLOADS")]
    downloads: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArguments {
    /// Keep originals in memory, for as long as this runs
    #[arg(long)]
    no_store: bool,
    /// Keep originals in an object store: `s3://bucket/prefix`, `gs://…`, `az://…`, `file:///folder`
    #[arg(long = "store", value_name = "URL", env = "AXPRESS_STORE", conflicts_with = "no_store")]
    address: Option<String>,
    /// Most bytes of all originals, packed
    #[arg(long, value_name = "BYTES", env = "AXPRESS_STORE_BYTES", default_value_t = store::BUDGET)]
    store_bytes: u64,
}

#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Originals")]
pub(crate) struct ToolArguments {
    /// Views without the line that gets the original back; nothing is kept
    #[arg(long, env = "AXPRESS_NO_HANDLES", value_parser = clap::builder::FalseyValueParser::new())]
    no_handles: bool,
    /// Give back originals that hold what a password-like field was given
    #[arg(long)]
    expose_secrets: bool,
}

impl BrowserArguments {
    /// The browser, not yet started.
    pub(crate) fn browser(&self) -> Result<Browser, Error> {
        Browser::new(self.options()?)
    }

    /// The keeper's browser: which files may be uploaded is decided by the commands, each in its own folder.
    pub(crate) fn keepers_browser(&self) -> Result<Browser, Error> {
        Browser::new(Options { files: Files::anywhere(), ..self.options()? })
    }

    fn options(&self) -> Result<Options, Error> {
        let options = Options::from_environment()?;
        Ok(Options {
            allow_origins: self.allow_origin.clone(),
            block_private: self.block_private,
            downloads: self.downloads.clone(),
            ..options
        })
    }
}

impl StoreArguments {
    pub(crate) fn options(&self) -> store::Options {
        store::Options {
            folder: home::folder().filter(|_| !self.no_store),
            fleet: self.address.clone(),
            budget: self.store_bytes,
        }
    }
}

impl ToolArguments {
    pub(crate) fn options(self) -> tools::Options {
        tools::Options { handles: !self.no_handles, expose_secrets: self.expose_secrets }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Snapshot {
    /// Go there first; without it the page that is there is read
    pub(crate) url: Option<String>,
    /// Show only what matches these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) query: Option<String>,
    /// Show what changed since the page of this handle
    #[arg(long, value_name = "HANDLE")]
    pub(crate) since: Option<String>,
    /// Most tokens of the answer, 256 at least
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Wait so many milliseconds after the page has loaded
    #[arg(long, value_name = "N")]
    pub(crate) wait: Option<u64>,
    /// Read this tab
    #[arg(long, value_name = "N")]
    pub(crate) tab: Option<u32>,
    /// Without the line that gets the original back, which is not kept
    #[arg(long)]
    pub(crate) no_handles: bool,
    /// Print one JSON object: text and figures
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Act {
    /// What to do
    #[arg(value_name = "ACTION", value_parser = PossibleValuesParser::new(Action::NAMES))]
    pub(crate) action: String,
    /// The control, by its uid. For an action without one, what it needs: the text to wait for, the key, the address,
    /// the tab
    #[arg(value_name = "UID")]
    pub(crate) uid: Option<String>,
    /// What to type; the option, the key, the file or the pixels of an action that needs them
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) text: Option<String>,
    /// Where to drag
    #[arg(long, value_name = "UID")]
    pub(crate) to: Option<String>,
    /// The option to choose, by its text or value
    #[arg(long, value_name = "OPTION")]
    pub(crate) option: Option<String>,
    /// The key to press, such as Enter or Control+a
    #[arg(long, value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// The file to upload; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) path: Vec<PathBuf>,
    /// Where a new tab goes
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Pixels to scroll, milliseconds to wait
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) amount: Option<f64>,
    /// Act in this tab; with `switch_tab` the tab to switch to
    #[arg(long, value_name = "N")]
    pub(crate) tab: Option<u32>,
    /// Print one JSON object: text and figures
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// The expression; a promise is awaited
    #[arg(value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Evaluate in this tab
    #[arg(long, value_name = "N")]
    pub(crate) tab: Option<u32>,
    /// Print one JSON object: text and figures
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Screenshot {
    /// The control to show; without it what the tab shows
    #[arg(value_name = "UID")]
    pub(crate) uid: Option<String>,
    /// Write the PNG to this file, not to stdout
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Show this tab
    #[arg(long, value_name = "N")]
    pub(crate) tab: Option<u32>,
    /// Print one JSON object, the PNG in base64
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Recover {
    /// The handle, or its first 8 digits or more
    #[arg(value_name = "HANDLE", value_parser = handle)]
    pub(crate) handle: HandlePrefix,
    /// Only the nodes that match these words, each in its original bytes, one a line
    #[arg(long, value_name = "WORDS")]
    pub(crate) query: Option<String>,
    /// Of this frame: its number in the page, from 1, or Chrome's id of it
    #[arg(long, value_name = "FRAME")]
    pub(crate) frame: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArguments,
    #[command(flatten)]
    pub(crate) tools: ToolArguments,
    /// Print one JSON object: the bytes as text, their number
    #[arg(long)]
    pub(crate) json: bool,
}

/// Commands that take nothing else.
#[derive(Debug, Args)]
pub(crate) struct Plain {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Store {
    #[command(flatten)]
    pub(crate) place: StoreArguments,
    /// Take away what no live session was given, the oldest first, until at most BYTES are left
    #[arg(long, value_name = "BYTES", num_args = 0..=1, default_missing_value = "0")]
    pub(crate) prune: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// For this shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Manual {
    /// Write the pages of all commands into this folder, not that of the program to stdout
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

fn handle(text: &str) -> Result<HandlePrefix, String> {
    text.parse().map_err(|error: axpress_core::Error| error.message().to_owned())
}

impl Act {
    /// The arguments of `browser_act`. What stands at the places of UID and TEXT is what the action needs.
    pub(crate) fn arguments(&self, here: &Path) -> serde_json::Map<String, serde_json::Value> {
        let mut arguments = serde_json::Map::new();
        let mut set = |name: &str, value: Option<serde_json::Value>| {
            if let Some(value) = value {
                arguments.insert(name.to_owned(), value);
            }
        };
        let (first, second) = (self.uid.clone(), self.text.clone());
        // What an action without a node has first, and what one with a node has second.
        let (alone, beside) = match self.action.as_str() {
            "wait" | "accept_dialog" => (Some("text"), "text"),
            "open_tab" => (Some("url"), "url"),
            "switch_tab" | "close_tab" => (Some("tab"), "tab"),
            "press" if second.is_none() && self.key.is_none() => (Some("key"), "key"),
            "press" => (None, "key"),
            "select" => (None, "option"),
            "drag" => (None, "to"),
            "scroll" => (None, "amount"),
            "upload" => (None, "path"),
            _ => (None, "text"),
        };
        let file = |path: &Path| here.join(path).to_string_lossy().into_owned();
        let second = second.map(|text| if beside == "path" { file(Path::new(&text)) } else { text });
        set("action", Some(self.action.clone().into()));
        set(alone.unwrap_or("uid"), first.map(Into::into));
        set(beside, second.map(Into::into));
        set("to", self.to.clone().map(Into::into));
        set("option", self.option.clone().map(Into::into));
        set("key", self.key.clone().map(Into::into));
        set("url", self.url.clone().map(Into::into));
        set("amount", self.amount.map(Into::into));
        set("tab", self.tab.map(Into::into));
        let paths: Vec<String> = self.path.iter().map(|path| file(path)).collect();
        set("path", (!paths.is_empty()).then(|| paths.into()));
        arguments
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;
    use serde_json::json;

    use crate::arguments::{Arguments, Command};

    fn arguments(words: &[&str]) -> serde_json::Value {
        let words = ["axpress", "act"].iter().chain(words);
        match Arguments::try_parse_from(words).unwrap().command {
            Command::Act(act) => act.arguments(Path::new("/here")).into(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_an_action_needs_stands_where_one_would_write_it() {
        for (words, expected) in [
            (&["click", "@12"][..], json!({ "action": "click", "uid": "@12" })),
            (&["type", "12", "-5 apples"], json!({ "action": "type", "uid": "12", "text": "-5 apples" })),
            (&["press", "Enter"], json!({ "action": "press", "key": "Enter" })),
            (&["press", "12", "Enter"], json!({ "action": "press", "uid": "12", "key": "Enter" })),
            (&["press", "12", "--key", "Enter"], json!({ "action": "press", "uid": "12", "key": "Enter" })),
            (&["select", "12", "Season"], json!({ "action": "select", "uid": "12", "option": "Season" })),
            (&["drag", "12", "13"], json!({ "action": "drag", "uid": "12", "to": "13" })),
            (&["scroll", "12", "-300"], json!({ "action": "scroll", "uid": "12", "amount": "-300" })),
            (&["scroll", "--amount", "-300"], json!({ "action": "scroll", "amount": -300.0 })),
            (&["upload", "12", "a.txt"], json!({ "action": "upload", "uid": "12", "path": "/here/a.txt" })),
            (
                &["upload", "12", "--path", "/a", "--path", "b"],
                json!({ "action": "upload", "uid": "12", "path": ["/a", "/here/b"] }),
            ),
            (&["wait", "Reviewed"], json!({ "action": "wait", "text": "Reviewed" })),
            (&["accept_dialog"], json!({ "action": "accept_dialog" })),
            (&["open_tab", "about:blank"], json!({ "action": "open_tab", "url": "about:blank" })),
            (&["switch_tab", "2"], json!({ "action": "switch_tab", "tab": "2" })),
        ] {
            assert_eq!(arguments(words), expected, "{words:?}");
        }
    }
}
