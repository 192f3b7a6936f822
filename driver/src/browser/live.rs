//! A Chrome that runs: the connection to it, its tabs, and the process where it is ours.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::time::Instant;

#[cfg(unix)]
use super::cdp::pipe;
use super::cdp::{CallFailure, Client, Refused, socket};
#[cfg(unix)]
use super::chrome::{self, Launched, Process};
use super::page::{Page, Policy};
use super::tabs::{Counters, Tabs, attach_to_tabs};
use super::{Options, TabId};
use crate::error::{Code, Error};

/// A running Chrome. Dropping it ends the connection, and with it a Chrome that was started here.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) client: Client,
    pub(crate) tabs: Arc<Tabs>,
    #[cfg(unix)]
    process: Option<Process>,
}

impl Live {
    /// Starts Chrome, or attaches to the one that the options name. Fails with `cave_browser_unavailable`.
    pub(crate) async fn start(options: &Options, policy: Arc<Policy>, counters: Arc<Counters>) -> Result<Self, Error> {
        let tabs = Tabs::new(counters, policy, options.downloads.clone());
        match &options.endpoint {
            Some(endpoint) => Self::attach(options, tabs, endpoint).await,
            None => Self::launch(options, tabs).await,
        }
    }

    #[cfg(unix)]
    async fn launch(options: &Options, tabs: Arc<Tabs>) -> Result<Self, Error> {
        let Launched { process, from, to } = chrome::launch(options)?;
        let connected = pipe::connect(from, to, options.limits.message_bytes);
        let (incoming, outgoing) = connected.map_err(|error| {
            Error::new(Code::BrowserUnavailable, format!("the pipe to Chrome could not be read: {error}"))
        })?;
        let client = Client::new(incoming, outgoing, Arc::clone(&tabs) as _);
        let live = Self { client, tabs, process: Some(process) };
        match live.greet(options).await {
            Ok(()) => Ok(live),
            Err(failure) => {
                live.client.close();
                let process = live.process.as_ref().map(Process::complaint);
                Err(match process {
                    Some(complaint) if !matches!(failure, CallFailure::Refused { .. }) => complaint.await,
                    _ => unavailable("the first request to Chrome", &failure),
                })
            }
        }
    }

    #[cfg(not(unix))]
    async fn launch(_options: &Options, _tabs: Arc<Tabs>) -> Result<Self, Error> {
        let what = "on this system Chrome can't be started with a pipe, and is never started with an open port";
        Err(Error::new(Code::BrowserUnavailable, what)
            .next("start Chrome with --remote-debugging-port=9222, and set AXPRESS_CDP=http://127.0.0.1:9222"))
    }

    async fn attach(options: &Options, tabs: Arc<Tabs>, endpoint: &str) -> Result<Self, Error> {
        let connected =
            tokio::time::timeout(options.limits.start, socket::connect(endpoint, options.limits.message_bytes));
        let next = "see that AXPRESS_CDP is the address of a running Chrome, such as http://127.0.0.1:9222";
        let failed = |why: String| {
            Error::new(Code::BrowserUnavailable, format!("no Chrome was reached at {endpoint}: {why}")).next(next)
        };
        let refused =
            |error: &std::io::Error| error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Refused>);
        let (incoming, outgoing) = match connected.await {
            Ok(Err(error)) if refused(&error) => {
                let next =
                    "name a file with the certificate of its authority in SSL_CERT_FILE, where that is to be trusted";
                return Err(failed(error.to_string()).next(next));
            }
            Ok(connected) => connected.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed("no answer in time".to_owned())),
        };
        let client = Client::new(incoming, outgoing, Arc::clone(&tabs) as _);
        let live = Self {
            client,
            tabs,
            #[cfg(unix)]
            process: None,
        };
        live.greet(options).await.map_err(|failure| failed(failure.to_string()))?;
        Ok(live)
    }

    /// The first words: whether it answers, and which tabs it has.
    async fn greet(&self, options: &Options) -> Result<(), CallFailure> {
        let deadline = Instant::now() + options.limits.start;
        let _: Value = self.client.browser().ask("Browser.getVersion", json!({}), deadline).await?;
        attach_to_tabs(&self.tabs, &self.client, deadline).await
    }

    /// Whether it is gone.
    pub(crate) fn is_over(&self) -> bool {
        self.client.is_closed()
    }

    /// The process id of a Chrome that was started here.
    pub(crate) fn pid(&self) -> Option<u32> {
        #[cfg(unix)]
        return self.process.as_ref().map(Process::pid);
        #[cfg(not(unix))]
        None
    }

    /// Opens a tab. The address must have been checked.
    pub(crate) async fn open(&self, url: &str, deadline: Instant) -> Result<TabId, Error> {
        let failed = |failure: &CallFailure| unavailable("opening a tab", failure);
        let params = json!({"url": url});
        let created: Value =
            self.client.browser().ask("Target.createTarget", params, deadline).await.map_err(|it| failed(&it))?;
        let target = created["targetId"].as_str().unwrap_or_default().to_owned();
        let attached = self.tabs.until(deadline, |state| {
            let tab = state.tabs.values().find(|tab| tab.target == target)?;
            Some(tab.id)
        });
        attached.await.ok_or_else(|| failed(&CallFailure::Late))
    }

    /// A tab's page.
    pub(crate) fn page<'a>(&'a self, options: &'a Options, tab: TabId) -> Result<Page<'a>, Error> {
        Page::new(&self.client, &self.tabs, &options.limits, tab)
    }

    /// Ends the connection, and a Chrome that was started here with all that is left of it.
    pub(crate) async fn close(&self) {
        self.client.close();
        #[cfg(unix)]
        if let Some(process) = &self.process {
            process.end().await;
        }
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.client.close();
    }
}

fn unavailable(doing: &str, failure: &CallFailure) -> Error {
    Error::new(Code::BrowserUnavailable, format!("{doing} failed: {failure}"))
}
