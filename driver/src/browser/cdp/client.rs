//! The client: sends requests, pairs replies with them, hands on events.
//!
//! A request has a deadline. One whose future is dropped leaves nothing behind; its reply, if it still comes, is skipped.
//! Chrome never answers what was asked of a page whose process crashed, or of a session that is gone: such requests fail
//! at once, those that are waiting and those that come later.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::message::{self, Event, Message};
use super::transport::{Arrival, Incoming, Outgoing};
use super::{CallFailure, from_slice};

/// What is told of everything that happens.
pub(crate) trait Listener: Send + Sync + 'static {
    /// An event came. What is sent from here goes out before whatever is sent by who waits for a later reply.
    fn event(&self, client: &Client, event: &Event);
    /// The connection ended.
    fn closed(&self);
}

/// A connection to Chrome; cheap to clone.
#[derive(Clone)]
pub(crate) struct Client(Arc<Shared>);

/// A session of that connection, or the browser itself; cheap to clone.
#[derive(Clone)]
pub(crate) struct Session {
    client: Client,
    id: Option<Arc<str>>,
}

struct Shared {
    next: AtomicU64,
    state: Mutex<State>,
    ending: Notify,
}

struct State {
    outgoing: Option<mpsc::UnboundedSender<Vec<u8>>>,
    pending: HashMap<u64, Pending>,
    /// Why there is no connection.
    closed: Option<String>,
    /// Sessions whose page crashed.
    crashed: HashSet<Arc<str>>,
}

struct Pending {
    session: Option<Arc<str>>,
    reply: oneshot::Sender<Result<Bytes, CallFailure>>,
}

#[derive(Serialize)]
struct Request<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

/// Takes a request back when who waits for it goes away.
struct Waiting {
    shared: Arc<Shared>,
    id: u64,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.shared.state().pending.remove(&self.id);
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    /// Takes over a connection. Runs on the current runtime until either side ends it.
    pub(crate) fn new(incoming: impl Incoming, outgoing: impl Outgoing, listener: Arc<dyn Listener>) -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        let state = State { outgoing: Some(sender), pending: HashMap::new(), closed: None, crashed: HashSet::new() };
        let shared = Shared { next: AtomicU64::new(1), state: Mutex::new(state), ending: Notify::new() };
        let client = Self(Arc::new(shared));
        tokio::spawn(client.clone().write(outgoing, receiver));
        tokio::spawn(client.clone().read(incoming, listener));
        client
    }

    /// The browser's own session.
    pub(crate) fn browser(&self) -> Session {
        Session { client: self.clone(), id: None }
    }

    /// A session, by its id.
    pub(crate) fn session(&self, id: &str) -> Session {
        Session { client: self.clone(), id: Some(id.into()) }
    }

    /// Ends the connection; what waits fails.
    pub(crate) fn close(&self) {
        self.end("it was closed");
        self.0.ending.notify_one();
    }

    /// Whether the connection has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.state().closed.is_some()
    }

    /// How many requests wait for their reply.
    #[cfg(test)]
    pub(crate) fn pending(&self) -> usize {
        self.0.state().pending.len()
    }

    /// The page of this session crashed: what waits for it fails, and what is asked of it, until it is revived.
    pub(crate) fn crashed(&self, session: &str) {
        self.0.state().crashed.insert(session.into());
        self.fail_session(session, &CallFailure::Crashed);
    }

    /// The page of this session has a process again.
    pub(crate) fn revived(&self, session: &str) {
        self.0.state().crashed.remove(session);
    }

    /// The session is gone.
    pub(crate) fn detached(&self, session: &str) {
        self.0.state().crashed.remove(session);
        self.fail_session(session, &CallFailure::Detached);
    }

    fn fail_session(&self, session: &str, failure: &CallFailure) {
        let mut state = self.0.state();
        let of_session = |pending: &mut Pending| pending.session.as_deref() == Some(session);
        let failed: Vec<Pending> =
            state.pending.extract_if(|_, pending| of_session(pending)).map(|(_, pending)| pending).collect();
        drop(state);
        for pending in failed {
            // Who waited may be gone.
            let _ = pending.reply.send(Err(failure.clone()));
        }
    }

    fn end(&self, why: &str) {
        let mut state = self.0.state();
        state.outgoing = None;
        let why = state.closed.get_or_insert_with(|| why.to_owned()).clone();
        drop(state);
        self.fail_all(&CallFailure::Closed(why));
    }

    fn fail_all(&self, failure: &CallFailure) {
        let pending = std::mem::take(&mut self.0.state().pending);
        for pending in pending.into_values() {
            // Who waited may be gone.
            let _ = pending.reply.send(Err(failure.clone()));
        }
    }

    async fn write(self, mut outgoing: impl Outgoing, mut requests: mpsc::UnboundedReceiver<Vec<u8>>) {
        while let Some(request) = requests.recv().await {
            if let Err(error) = outgoing.send(request).await {
                return self.end(&error.to_string());
            }
        }
    }

    async fn read(self, mut incoming: impl Incoming, listener: Arc<dyn Listener>) {
        loop {
            // An end of this side's own making is not waited for: the other side may never answer it.
            let received = tokio::select! {
                biased;
                () = self.0.ending.notified() => break,
                received = incoming.receive() => received,
            };
            match received {
                Ok(Some(Arrival::Message(message))) => self.take(&message, &*listener),
                // An event of that size says nothing that is waited for.
                Ok(Some(Arrival::TooLarge(head))) => {
                    if let Some(id) = message::answered(&head) {
                        self.reply(id, Err(CallFailure::TooLarge(incoming.most())));
                    }
                }
                Ok(None) => break self.end("Chrome ended it"),
                // Which request it answers was not read; a new connection is made for those that come later.
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                    self.fail_all(&CallFailure::TooLarge(incoming.most()));
                    break self.end(&error.to_string());
                }
                Err(error) => break self.end(&error.to_string()),
            }
        }
        listener.closed();
    }

    fn take(&self, message: &Bytes, listener: &dyn Listener) {
        match message::read(message) {
            Message::Reply { id, result } => self.reply(id, result),
            Message::Event(event) => listener.event(self, &event),
            Message::Other => {}
        }
    }

    fn reply(&self, id: u64, result: Result<Bytes, CallFailure>) {
        let pending = self.0.state().pending.remove(&id);
        if let Some(pending) = pending {
            let _ = pending.reply.send(result);
        }
    }
}

impl Session {
    /// Its id; none for the browser's own.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Asks, and waits for the result's bytes.
    pub(crate) async fn call(
        &self,
        method: &'static str,
        params: impl Serialize,
        deadline: Instant,
    ) -> Result<Bytes, CallFailure> {
        self.call_now(method, params, deadline).await
    }

    /// As [`Session::call`], and asks before it is waited for.
    pub(crate) fn call_now<P: Serialize>(
        &self,
        method: &'static str,
        params: P,
        deadline: Instant,
    ) -> impl Future<Output = Result<Bytes, CallFailure>> + use<P> {
        let (sender, receiver) = oneshot::channel();
        let sent = self.send(method, params, Some(sender));
        let waiting = sent.map(|id| Waiting { shared: Arc::clone(&self.client.0), id });
        async move {
            let _waiting = waiting?;
            match timeout_at(deadline, receiver).await {
                Ok(Ok(reply)) => reply,
                Ok(Err(_)) => Err(CallFailure::Detached),
                Err(_) => Err(CallFailure::Late),
            }
        }
    }

    /// Asks, and reads the result.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: impl Serialize,
        deadline: Instant,
    ) -> Result<T, CallFailure> {
        let result = self.call(method, params, deadline).await?;
        from_slice(&result).map_err(|_| CallFailure::NotUnderstood(method))
    }

    /// Sends, and does not look at the reply.
    pub(crate) fn post(&self, method: &'static str, params: impl Serialize) {
        // Where it can't be sent, whoever waits for what it does is told by their own requests.
        let _ = self.send(method, params, None);
    }

    fn send(
        &self,
        method: &'static str,
        params: impl Serialize,
        reply: Option<oneshot::Sender<Result<Bytes, CallFailure>>>,
    ) -> Result<u64, CallFailure> {
        let shared = &self.client.0;
        let id = shared.next.fetch_add(1, Ordering::Relaxed);
        let request = Request { id, method, params, session: self.id() };
        let request = serde_json::to_vec(&request).map_err(|_| CallFailure::NotUnderstood(method))?;
        let mut state = shared.state();
        if let Some(why) = &state.closed {
            return Err(CallFailure::Closed(why.clone()));
        }
        // A crashed page is revived by navigating it.
        if method != "Page.navigate" && self.id.as_ref().is_some_and(|session| state.crashed.contains(session)) {
            return Err(CallFailure::Crashed);
        }
        if let Some(reply) = reply {
            state.pending.insert(id, Pending { session: self.id.clone(), reply });
        }
        let sent = state.outgoing.as_ref().is_some_and(|outgoing| outgoing.send(request).is_ok());
        if sent {
            return Ok(id);
        }
        state.pending.remove(&id);
        Err(CallFailure::Closed("it was closed".to_owned()))
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Client").field("closed", &self.0.state().closed).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Session").field(&self.id).finish()
    }
}

/// The failure of a connection that was never made.
impl From<io::Error> for CallFailure {
    fn from(error: io::Error) -> Self {
        Self::Closed(error.to_string())
    }
}

#[cfg(test)]
mod tests;
