//! The commands of the browser that is shared: `snapshot`, `act`, `eval`, `screenshot`, `close`. Each asks the keeper.

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

use axpress_driver::browser::Options;
#[cfg(unix)]
use axpress_driver::keeper::{self, Request};
use axpress_driver::tools::{Answer, Content};
use axpress_driver::{Code, Error, home};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

#[cfg(unix)]
use super::blocking;
use crate::arguments::{Act, Eval, Plain, Screenshot, Snapshot};
use crate::failure::Failure;
use crate::{output, report};

/// After how long a command says what it waits for.
#[cfg(unix)]
const A_WHILE: Duration = Duration::from_secs(1);

pub(crate) fn snapshot(arguments: &Snapshot) -> Result<(), Failure> {
    let Snapshot { url, query, since, max_tokens, wait, tab, no_handles, json } = arguments;
    let given = json!({
        "url": url, "query": query, "since": since, "max_tokens": max_tokens, "wait": wait, "tab": tab,
    });
    print(&ask("browser_snapshot", given, *no_handles)?, *json)
}

pub(crate) fn act(arguments: &Act) -> Result<(), Failure> {
    let here = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let given = arguments.arguments(&here);
    // The keeper knows neither this folder nor this environment: what may be uploaded is decided here.
    let files = Options::from_environment()?.files;
    for path in given.get("path").into_iter().flat_map(paths) {
        if let Err(error) = files.check(Path::new(path)) {
            return print(&Answer::error(&error), arguments.json);
        }
    }
    print(&ask("browser_act", given.into(), false)?, arguments.json)
}

pub(crate) fn eval(arguments: &Eval) -> Result<(), Failure> {
    let given = json!({ "expression": arguments.expression, "tab": arguments.tab });
    print(&ask("browser_eval", given, false)?, arguments.json)
}

pub(crate) fn screenshot(arguments: &Screenshot) -> Result<(), Failure> {
    if arguments.output.is_none() && !arguments.json && io::stdout().is_terminal() {
        let what = "a picture is nothing for a terminal";
        return Err(Error::new(Code::InvalidArguments, what).next("name a file with -o FILE").into());
    }
    let answer = ask("browser_screenshot", json!({ "uid": arguments.uid, "tab": arguments.tab }), false)?;
    let Some(base64) = image(&answer).filter(|_| !arguments.json) else { return print(&answer, arguments.json) };
    let damaged = |_| Failure::Driver(Error::new(Code::ActionFailed, "the picture came damaged"));
    let png = STANDARD.decode(base64).map_err(damaged)?;
    match &arguments.output {
        Some(file) => output::file(file, &png),
        None => output::bytes(&png),
    }
}

pub(crate) fn close(arguments: &Plain) -> Result<(), Failure> {
    let closed = end()?;
    if arguments.json {
        return output::json(&json!({ "closed": closed }));
    }
    report::note(if closed { "closed" } else { "nothing to close: no command has started a Chrome" });
    Ok(())
}

/// The state folder, which the commands must have to find each other.
pub(super) fn folder() -> Result<PathBuf, Error> {
    home::folder().ok_or_else(|| {
        Error::new(Code::BrowserUnavailable, "there is no state folder").next("set AXPRESS_HOME to a folder")
    })
}

/// Asks the keeper for a tool's answer, and says what takes long.
#[cfg(unix)]
fn ask(tool: &str, arguments: Value, no_handles: bool) -> Result<Answer, Failure> {
    let arguments: Map<String, Value> = match arguments {
        Value::Object(arguments) => arguments.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    };
    let folder = folder()?;
    let request = Request { tool: Some(tool.to_owned()), arguments, no_handles };
    let asked = async {
        let connection = keeper::connect(&folder).await?;
        let doing = if connection.started { "starting Chrome" } else { "waiting for the page" };
        let call = connection.call(&request);
        tokio::pin!(call);
        tokio::select! {
            answer = &mut call => answer,
            () = tokio::time::sleep(A_WHILE) => {
                report::note(&format!("{doing} …"));
                call.await
            }
        }
    };
    Ok(blocking(asked)??)
}

#[cfg(unix)]
fn end() -> Result<bool, Failure> {
    let folder = folder()?;
    Ok(blocking(keeper::close(&folder))??)
}

/// Without local sockets there is no keeper.
#[cfg(not(unix))]
fn ask(_: &str, _: Value, _: bool) -> Result<Answer, Failure> {
    let what = "on this system the commands can't share a Chrome";
    Err(Error::new(Code::BrowserUnavailable, what).next("use `axpress mcp`").into())
}

#[cfg(not(unix))]
fn end() -> Result<bool, Failure> {
    Ok(false)
}

/// Prints an answer: what was done to stdout, what was not to stderr.
fn print(answer: &Answer, json: bool) -> Result<(), Failure> {
    if json {
        let mut object = Map::new();
        object.insert("text".to_owned(), answer.texts().into());
        if let Some(base64) = image(answer) {
            object.insert("image".to_owned(), base64.into());
        }
        object.insert("is_error".to_owned(), answer.is_error.into());
        object.extend(answer.meta.clone());
        output::json(&object)?;
        return if answer.is_error { Err(Failure::Said) } else { Ok(()) };
    }
    if answer.is_error {
        return Err(Failure::Tool(answer.texts()));
    }
    output::text(&answer.texts())
}

/// One path, or a list of them.
fn paths(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(paths) => paths.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect(),
    }
}

fn image(answer: &Answer) -> Option<&str> {
    answer.content.iter().find_map(|content| match content {
        Content::Image(base64) => Some(base64.as_str()),
        Content::Text(_) => None,
    })
}
