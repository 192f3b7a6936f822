//! What the command line takes.

mod browser;
mod view;

use std::ffi::OsString;
use std::path::PathBuf;

use axpress_core::{Limits, OutlineOptions};
use clap::{Args, Parser, Subcommand};

pub(crate) use browser::{
    Act, Completions, Eval, Keeper, Manual, Mcp, Plain, Recover, Screenshot, Snapshot, Store, StoreArguments,
};
pub(crate) use view::{FrameArgument, ViewArguments};

/// Accessibility trees, pressed: Chrome's AX payloads as a text that agents can afford, the original one handle away.
#[derive(Debug, Parser)]
#[command(name = "axpress", version, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the five browser tools to an agent, over the Model Context Protocol on standard input and output
    Mcp(Mcp),
    /// Read a page: its view, and the handle of the original
    Snapshot(Snapshot),
    /// Act on a control, and print what is seen to have changed
    Act(Act),
    /// Evaluate an expression in the page
    Eval(Eval),
    /// Take a picture of the page, or of a control
    Screenshot(Screenshot),
    /// Write an original to stdout, byte for byte
    Recover(Recover),
    /// End the Chrome that commands share
    Close(Plain),
    /// Find out what is wrong, and how to mend it
    Doctor(Plain),
    /// Show how full the store of originals is, and make room in it
    Store(Store),
    /// Hold the Chrome that commands share; the first of them starts it
    #[command(hide = true)]
    Keeper(Keeper),
    /// Print the completions of a shell
    Completions(Completions),
    /// Print the manual page
    Man(Manual),
    /// Print the view of a payload: the page as an agent reads it, every control with its uid
    View(View),
    /// Print the outline of a payload: one line a node, nothing left out but what says nothing
    Outline(Outline),
    /// Print the view, and keep the original as a blob
    Compress(Compress),
    /// Write the blob of any bytes to stdout
    Pack(Bytes),
    /// Write the original of a blob to stdout, byte for byte
    Unpack(Bytes),
    /// Print how many tokens a text is, counted with `o200k_base`
    Tokens(Tokens),
}

#[derive(Debug, Args)]
pub(crate) struct View {
    #[command(flatten)]
    pub(crate) payload: Payload,
    #[command(flatten)]
    pub(crate) options: ViewArguments,
    /// Print only what changed since this payload of the same page
    #[arg(long, value_name = "FILE")]
    pub(crate) since: Option<Source>,
    /// Put a frame's payload under the node that held it in the payload of --since; as --frame
    #[arg(long = "since-frame", value_name = "OWNER[:N]=FILE", requires = "since", value_parser = view::frame)]
    pub(crate) since_frames: Vec<FrameArgument>,
    /// Print one JSON object: text, uids, handle, counts; with --since also the changes
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Outline {
    #[command(flatten)]
    pub(crate) payload: Payload,
    /// Cut the text at this many characters, and say so; 0 for no end
    #[arg(long, value_name = "N", default_value_t = 0)]
    max_chars: usize,
    /// Leave out texts that the node they stand in says already
    #[arg(long)]
    dedup_text: bool,
    /// Never print the value of the node with this backend id, nor the text in it
    #[arg(long = "secret", value_name = "ID")]
    secrets: Vec<u64>,
    /// Print one JSON object: text and counts
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Compress {
    #[command(flatten)]
    pub(crate) payload: Payload,
    #[command(flatten)]
    pub(crate) options: ViewArguments,
    /// Write the blob of the original to this file
    #[arg(short, long, value_name = "BLOB", value_parser = blob_file)]
    pub(crate) output: Option<PathBuf>,
    /// Print one JSON object: text, uids, handle, counts
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the core packs or unpacks.
#[derive(Debug, Args)]
pub(crate) struct Bytes {
    #[command(flatten)]
    pub(crate) payload: Payload,
}

#[derive(Debug, Args)]
pub(crate) struct Tokens {
    /// The text, in UTF-8; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) source: Source,
}

/// The bytes that the core is given, and how much of them it may take.
#[derive(Debug, Args)]
pub(crate) struct Payload {
    /// The file to read; - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) source: Source,
    #[command(flatten)]
    limits: LimitArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// Most bytes of an original
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.input_bytes)]
    input_bytes: usize,
    /// Most nodes of a payload
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.nodes)]
    nodes: usize,
    /// Most bytes of a result
    #[arg(long, value_name = "N", default_value_t = Limits::DEFAULT.output_bytes)]
    output_bytes: usize,
}

impl Payload {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::DEFAULT;
        limits.input_bytes = self.limits.input_bytes;
        limits.nodes = self.limits.nodes;
        limits.output_bytes = self.limits.output_bytes;
        limits
    }
}

impl Outline {
    pub(crate) fn options(&self) -> OutlineOptions<'_> {
        OutlineOptions { max_chars: self.max_chars, dedup_text: self.dedup_text, secrets: &self.secrets }
    }
}

/// A file for a blob. Standard output is the view's.
fn blob_file(name: &str) -> Result<PathBuf, &'static str> {
    if name == "-" { Err("the view goes to standard output, so the blob needs a file") } else { Ok(name.into()) }
}

/// Where bytes come from.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// `-`
    Stdin,
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(name: OsString) -> Self {
        if name == "-" { Self::Stdin } else { Self::File(name.into()) }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Arguments;

    #[test]
    fn the_arguments_fit_together() {
        Arguments::command().debug_assert();
    }
}
