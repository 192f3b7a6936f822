//! The commands. Each reads, calls the core once, writes, and says its counts.

mod compress;
mod outline;
mod pack;
mod tokens;
mod unpack;
mod view;

use crate::arguments::Command;
use crate::failure::Failure;

/// Runs a command to its end.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::View(arguments) => view::run(arguments),
        Command::Outline(arguments) => outline::run(arguments),
        Command::Compress(arguments) => compress::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::Unpack(arguments) => unpack::run(arguments),
        Command::Tokens(arguments) => tokens::run(arguments),
    }
}
