//! What the tools need of a browser. The browser has it; tests have pages of their own.

use std::future::Future;

use axpress_core::Uid;

use crate::browser::{
    ActOutcome, Action, Browser, Evaluation, OwnChanges, PageSnapshot, Screenshot, SnapshotRequest, TabId, TabInfo,
};
use crate::error::Error;

/// Pages in tabs: see [`Browser`] for what each call does and fails with.
pub trait Pages: Send + Sync + 'static {
    /// Fails for an address that is not gone to, before anything is asked or started.
    fn check_url(&self, url: &str) -> Result<(), Error>;
    /// A tab for someone who has none.
    fn own_tab(&self) -> impl Future<Output = Result<TabId, Error>> + Send;
    /// All tabs.
    fn tabs(&self) -> Vec<TabInfo>;
    /// Reads a page.
    fn snapshot(
        &self,
        tab: TabId,
        request: &SnapshotRequest,
    ) -> impl Future<Output = Result<PageSnapshot, Error>> + Send;
    /// Takes down which uids were shown.
    fn shown(&self, snapshot: &PageSnapshot, uids: &[Uid]);
    /// Acts.
    fn act(&self, tab: TabId, action: &Action) -> impl Future<Output = Result<ActOutcome, Error>> + Send;
    /// Whose doing it is that a page is another one than before the last act, where the act was not seen to do it.
    fn own_changes(&self, tab: TabId) -> impl Future<Output = Result<OwnChanges, Error>> + Send;
    /// Evaluates an expression.
    fn eval(&self, tab: TabId, expression: &str) -> impl Future<Output = Result<Evaluation, Error>> + Send;
    /// Takes a picture.
    fn screenshot(&self, tab: TabId, uid: Option<Uid>) -> impl Future<Output = Result<Screenshot, Error>> + Send;
}

impl Pages for Browser {
    fn check_url(&self, url: &str) -> Result<(), Error> {
        Self::check_url(self, url)
    }

    fn own_tab(&self) -> impl Future<Output = Result<TabId, Error>> + Send {
        Self::own_tab(self)
    }

    fn tabs(&self) -> Vec<TabInfo> {
        Self::tabs(self)
    }

    fn snapshot(
        &self,
        tab: TabId,
        request: &SnapshotRequest,
    ) -> impl Future<Output = Result<PageSnapshot, Error>> + Send {
        Self::snapshot(self, tab, request)
    }

    fn shown(&self, snapshot: &PageSnapshot, uids: &[Uid]) {
        Self::shown(self, snapshot, uids);
    }

    fn act(&self, tab: TabId, action: &Action) -> impl Future<Output = Result<ActOutcome, Error>> + Send {
        Self::act(self, tab, action)
    }

    fn own_changes(&self, tab: TabId) -> impl Future<Output = Result<OwnChanges, Error>> + Send {
        Self::own_changes(self, tab)
    }

    fn eval(&self, tab: TabId, expression: &str) -> impl Future<Output = Result<Evaluation, Error>> + Send {
        Self::eval(self, tab, expression)
    }

    fn screenshot(&self, tab: TabId, uid: Option<Uid>) -> impl Future<Output = Result<Screenshot, Error>> + Send {
        Self::screenshot(self, tab, uid)
    }
}
