//! The five tools, as functions of a browser, a store and what one connection has seen: for the MCP server and the
//! command line alike.
//!
//! Takes arguments as JSON, as clients send them, and gives what an agent reads, with its figures beside it. A failure
//! leaves the uids and handles of before valid. Payloads go to the core and to the store as they came.

mod act;
mod answer;
mod given;
mod page;
mod pages;
mod press;
mod recover;
mod session;
mod snapshot;
#[cfg(test)]
pub(crate) mod tests;

use serde_json::{Map, Value};

pub use answer::{Answer, Content};
pub use pages::Pages;
pub use session::Session;

use crate::browser::{Browser, TabId};
use crate::error::Error;
use crate::store::Store;
use given::Given;
use press::Presses;

/// Most tokens that can be asked for.
const MAX_TOKENS: u64 = 10_000_000;

/// The names of the tools.
pub const NAMES: [&str; 5] =
    ["browser_snapshot", "browser_act", "browser_eval", "browser_recover", "browser_screenshot"];

/// What who runs the tools has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Originals are kept, and views say how to get them back.
    pub handles: bool,
    /// Originals that hold what a password-like field was given are given back, too.
    pub expose_secrets: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { handles: true, expose_secrets: false }
    }
}

/// The tools. One of them serves any number of connections, each with a [`Session`] of its own.
#[derive(Debug)]
pub struct Tools<P = Browser> {
    pages: P,
    store: Store,
    options: Options,
    presses: Presses,
}

impl<P: Pages> Tools<P> {
    /// The tools of a browser and a store.
    pub fn new(pages: P, store: Store, options: Options) -> Self {
        Self { pages, store, options, presses: Presses::default() }
    }

    /// The browser.
    pub fn pages(&self) -> &P {
        &self.pages
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Calls a tool. A failure is an answer, too: one that says so. None where there is no such tool.
    pub async fn call(&self, session: &Session, tool: &str, arguments: &Map<String, Value>) -> Option<Answer> {
        let given = Given(arguments);
        let done = match tool {
            "browser_snapshot" => self.snapshot(session, given).await,
            "browser_act" => self.act(session, given).await,
            "browser_eval" => self.eval(session, given).await,
            "browser_recover" => self.recover(given).await,
            "browser_screenshot" => self.screenshot(session, given).await,
            _ => return None,
        };
        Some(done.unwrap_or_else(|error| Answer::error(&error)))
    }

    /// The tab that a call means.
    async fn tab(&self, session: &Session, given: Option<TabId>) -> Result<TabId, Error> {
        if let Some(tab) = given {
            return Ok(tab);
        }
        // One that is gone, with a Chrome that crashed for example, is nobody's any more.
        let is_there = |tab: &TabId| self.pages.tabs().iter().any(|open| open.tab == *tab);
        match session.tab().filter(is_there) {
            Some(tab) => Ok(tab),
            None => self.pages.own_tab().await,
        }
    }
}
