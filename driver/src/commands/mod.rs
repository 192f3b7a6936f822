//! The commands. Those of files read, call the core once, write, and say their counts; those of the browser ask the
//! keeper, or are a server themselves.

mod compress;
mod doctor;
mod outline;
mod pack;
mod page;
mod recover;
mod serve;
mod shell;
mod store;
mod tokens;
mod unpack;
mod view;

use crate::arguments::Command;
use crate::failure::Failure;

/// Runs a command to its end.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Mcp(arguments) => serve::mcp(arguments),
        Command::Snapshot(arguments) => page::snapshot(arguments),
        Command::Act(arguments) => page::act(arguments),
        Command::Eval(arguments) => page::eval(arguments),
        Command::Screenshot(arguments) => page::screenshot(arguments),
        Command::Recover(arguments) => recover::run(arguments),
        Command::Close(arguments) => page::close(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Store(arguments) => store::run(arguments),
        Command::Keeper(arguments) => serve::keeper(arguments),
        Command::Completions(arguments) => shell::completions(arguments),
        Command::Man(arguments) => shell::manual(arguments),
        Command::View(arguments) => view::run(arguments),
        Command::Outline(arguments) => outline::run(arguments),
        Command::Compress(arguments) => compress::run(arguments),
        Command::Pack(arguments) => pack::run(arguments),
        Command::Unpack(arguments) => unpack::run(arguments),
        Command::Tokens(arguments) => tokens::run(arguments),
    }
}

/// Runs what waits, on this thread.
fn blocking<F: Future>(work: F) -> Result<F::Output, Failure> {
    let built = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = built.map_err(|cause| Failure::Read { name: "the system's events".to_owned(), cause })?;
    Ok(runtime.block_on(work))
}
