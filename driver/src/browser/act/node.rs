//! A node that was shown, found again: the same node of the same document under the same role and name, or an error.
//!
//! Backend ids are told apart within a process alone, and are given again by the next one. So the document is looked at
//! first, and everything that is done afterwards goes through an object of that document's own world: where the document
//! goes away meanwhile, the object does too.

use std::time::Duration;

use axpress_core::{Compressor, Uid};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::join3;
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::halt::{Halt, impossible};
use super::script;
use crate::browser::cdp::{CallFailure, Session, from_slice};
use crate::browser::lock;
use crate::browser::page::{FrameTree, Page, Trouble, world};
use crate::browser::tabs::Shown;
use crate::error::{Code, Error};

/// How long a frame is waited for that may have the node's document.
const FRAME_PATIENCE: Duration = Duration::from_secs(1);
/// A node that is acted on.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) page: &'a Page<'a>,
    pub(super) uid: Uid,
    pub(super) shown: Shown,
    /// The session that has its document.
    pub(super) session: Session,
    /// The world of that document.
    pub(super) context: i64,
    pub(super) object: String,
    /// Objects of a node are let go of together: one that is kept keeps its node alive.
    pub(super) group: String,
    pub(super) facts: Facts,
    pub(super) deadline: Instant,
}

/// What it is, by its own tag.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
#[allow(clippy::struct_excessive_bools, reason = "facts of an element, each of its own")]
pub(super) struct Facts {
    connected: bool,
    pub(super) tag: String,
    /// The type of an `input`.
    pub(super) kind: String,
    pub(super) disabled: bool,
    pub(super) read_only: bool,
    pub(super) editable: bool,
    pub(super) secret: bool,
    /// An option of a `select`.
    pub(super) in_menu: bool,
    /// The type of the `input` that it is a part of, as Chrome draws it.
    pub(super) part: String,
}

#[derive(Deserialize)]
struct Resolved {
    object: RemoteObject,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteObject {
    object_id: Option<String>,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called {
    result: RemoteObject,
    exception_details: Option<Value>,
}

/// Why a uid no longer stands for what was shown.
#[derive(Clone, Copy)]
enum Stale {
    Removed,
    Navigated,
    FrameGone,
}

impl<'a> Node<'a> {
    /// Finds a node again. Fails with `cave_unknown_uid` and `cave_stale_uid`.
    pub(super) async fn find(
        page: &'a Page<'a>,
        compressor: &std::sync::Mutex<Compressor>,
        uid: Uid,
        deadline: Instant,
    ) -> Result<Self, Halt> {
        let shown = page.tabs.with(page.tab, |tab| tab.shown.get(&uid).cloned()).flatten();
        let shown = shown.ok_or_else(|| {
            Error::new(Code::UnknownUid, format!("no view of tab {} showed {}", page.tab, printed(uid)))
        })?;
        let stale = |why: Stale| Halt::Failed(stale(uid, &shown, why));
        let session = session_of(page, &shown, deadline).await?.map_err(stale)?;
        let frame = &shown.document.frame;
        let context = match page.watch(deadline, world::enter(&session, frame, deadline)).await {
            Err(Trouble::Call(failure)) if failure.says("frame") => return Err(stale(Stale::FrameGone)),
            context => context?,
        };
        // The document is looked at again after its world was made: then the world is that document's.
        let group = format!("axpress-{}", printed(uid));
        let resolve = json!({"backendNodeId": uid.node, "executionContextId": context, "objectGroup": group});
        let partial = json!({"backendNodeId": uid.node, "fetchRelatives": false});
        let looked = join3(
            session.ask::<Resolved>("DOM.resolveNode", resolve, deadline),
            session.call("Accessibility.getPartialAXTree", partial, deadline),
            FrameTree::of(&session, deadline),
        );
        let (found, named, tree) = page.watch(deadline, async { Ok(looked.await) }).await?;
        match tree.map_err(Trouble::Call)?.loader(frame) {
            None => return Err(stale(Stale::FrameGone)),
            Some(loader) if loader != shown.document.loader => return Err(stale(Stale::Navigated)),
            Some(_) => {}
        }
        let object = match found {
            Ok(Resolved { object }) => object.object_id.ok_or_else(|| stale(Stale::Removed))?,
            Err(CallFailure::Refused { .. }) => return Err(stale(Stale::Removed)),
            Err(failure) => return Err(failure.into()),
        };
        let facts = Facts::default();
        let mut node = Self { page, uid, shown, session, context, object, group, facts, deadline };
        node.facts = node.ask(script::INSPECT, json!([])).await?;
        if !node.facts.connected {
            return Err(Halt::Failed(self::stale(uid, &node.shown, Stale::Removed)));
        }
        match named {
            Ok(payload) => node.check_name(compressor, &payload)?,
            Err(CallFailure::Refused { .. }) => {
                return Err(Halt::Failed(self::stale(uid, &node.shown, Stale::Removed)));
            }
            Err(failure) => return Err(failure.into()),
        }
        node.shown.secret |= node.facts.secret;
        Ok(node)
    }

    /// Fails where role or name are not as shown.
    fn check_name(&self, compressor: &std::sync::Mutex<Compressor>, payload: &Bytes) -> Result<(), Halt> {
        let mut compressor = lock(compressor);
        let identities = compressor.identities(payload).map_err(|_| CallFailure::NotUnderstood("getPartialAXTree"))?;
        let now = identities.iter().find(|identity| identity.node == self.uid.node);
        let Some(now) = now.filter(|now| !now.ignored || now.role == &*self.shown.role) else {
            return Err(impossible(format!("{} is not visible now", self.label())));
        };
        if now.role == &*self.shown.role && now.name == self.shown.name.as_bytes() {
            return Ok(());
        }
        let was = quoted(&self.shown.role, self.shown.name.as_bytes());
        let is = quoted(now.role, now.name);
        let what = format!("{} was shown as {was} and is {is} (changed)", printed(self.uid));
        Err(Halt::Failed(Error::new(Code::StaleUid, what)))
    }

    /// As an error says it: `button "Save" @12`.
    pub(super) fn label(&self) -> String {
        format!("{} {}", quoted(&self.shown.role, self.shown.name.as_bytes()), printed(self.uid))
    }

    /// Asks a script on the node, before anything is put in.
    pub(super) async fn ask<T: DeserializeOwned>(&self, script: &'static str, given: Value) -> Result<T, Halt> {
        Ok(self.run(&self.object, script, given).await?)
    }

    /// Runs a script on the node that the page takes for input.
    pub(super) async fn input<T: DeserializeOwned>(&self, script: &'static str, given: Value) -> Result<T, Halt> {
        self.run(&self.object, script, given).await.map_err(Halt::of_input)
    }

    /// Runs a script on an object of the node's world.
    pub(super) async fn run<T: DeserializeOwned>(
        &self,
        object: &str,
        script: &'static str,
        given: Value,
    ) -> Result<T, Trouble> {
        let call = self.call(object, script, given, true);
        let Called { result, .. } = self.page.watch(self.deadline, call).await?;
        serde_json::from_value(result.value).map_err(|_| Trouble::Call(CallFailure::NotUnderstood("a script")))
    }

    /// Runs a script that gives an object; none where it gives none.
    pub(super) async fn object(&self, script: &'static str, given: Value) -> Result<Option<String>, Halt> {
        let call = self.call(&self.object, script, given, false);
        let Called { result, .. } = self.page.watch(self.deadline, call).await?;
        Ok(result.object_id)
    }

    async fn call(
        &self,
        object: &str,
        script: &'static str,
        given: Value,
        by_value: bool,
    ) -> Result<Called, CallFailure> {
        // An argument that is an object of this world is given as such.
        let given: Vec<Value> = match given {
            Value::Array(given) => given,
            given => vec![given],
        };
        let given: Vec<Value> = given
            .into_iter()
            .map(|value| if value.get("objectId").is_some() { value } else { json!({"value": value}) })
            .collect();
        let params = json!({
            "functionDeclaration": script, "objectId": object, "arguments": given,
            "returnByValue": by_value, "awaitPromise": true, "objectGroup": self.group,
        });
        let result = self.session.call("Runtime.callFunctionOn", params, self.deadline).await?;
        let called: Called = from_slice(&result).map_err(|_| CallFailure::NotUnderstood("Runtime.callFunctionOn"))?;
        match &called.exception_details {
            None => Ok(called),
            Some(details) => {
                let message = details["exception"]["description"].as_str().unwrap_or("an exception").to_owned();
                Err(CallFailure::Refused { code: 0, message })
            }
        }
    }

    /// Lets go of what was held for the act.
    pub(super) fn release(&self) {
        self.session.post("Runtime.releaseObjectGroup", json!({"objectGroup": self.group}));
    }
}

/// The session that has the document in which the node was shown, or why there is none.
async fn session_of(page: &Page<'_>, shown: &Shown, deadline: Instant) -> Result<Result<Session, Stale>, Halt> {
    let children = page.tabs.with(page.tab, |tab| tab.children.clone()).unwrap_or_default();
    let sessions = children.iter().map(|child| page.client.session(&child.session));
    let patience = deadline.min(Instant::now() + FRAME_PATIENCE);
    let mut asked: FuturesUnordered<_> = std::iter::once(page.session.clone())
        .chain(sessions)
        .map(|session| async {
            let tree = FrameTree::of(&session, patience).await;
            (session, tree)
        })
        .collect();
    let mut why = Stale::FrameGone;
    let search = async {
        while let Some((session, tree)) = asked.next().await {
            let is_page = session.id() == page.session.id();
            let loader = match &tree {
                Ok(tree) => tree.loader(&shown.document.frame),
                Err(failure) if is_page => return Err(failure.clone()),
                Err(_) => None,
            };
            match loader {
                Some(loader) if loader == shown.document.loader => return Ok(Some(session)),
                Some(_) => why = Stale::Navigated,
                None => {}
            }
        }
        Ok(None)
    };
    let found = page.watch(deadline, search).await?;
    Ok(found.ok_or(why))
}

fn stale(uid: Uid, shown: &Shown, why: Stale) -> Error {
    let node = quoted(&shown.role, shown.name.as_bytes());
    let uid = printed(uid);
    Error::new(
        Code::StaleUid,
        match why {
            Stale::Removed => format!("{node} {uid} is no longer in the page (removed)"),
            Stale::Navigated => format!("the page or frame of {node} {uid} has another document now (navigated)"),
            Stale::FrameGone => format!("the frame of {node} {uid} is no longer in the page (frame_gone)"),
        },
    )
}

/// A uid as views print it.
pub(super) fn printed(uid: Uid) -> String {
    match uid.frame {
        0 => format!("@{}", uid.node),
        frame => format!("@{frame}.{}", uid.node),
    }
}

/// A role and a name as the payload has it.
fn quoted(role: &str, name: &[u8]) -> String {
    let json = [b"\"", name, b"\""].concat();
    let name: String = from_slice(&json).unwrap_or_default();
    let mut short: String = name.chars().take(60).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    if short.is_empty() { role.to_owned() } else { format!("{role} {short:?}") }
}
