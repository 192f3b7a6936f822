//! Reads a page: the payloads of all its documents, side by side.
//!
//! Each session lists its own frames; the element that holds a frame is asked of the session that holds the element. A
//! document that goes away while it is read is read again; what does not answer within its share of the time is left out
//! and named. The bytes of a payload are those that Chrome sent.

use std::collections::HashMap;
use std::time::Duration;

use axpress_core::Uid;
use bytes::Bytes;
use futures_util::future::{join, join_all, join3};
use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::documents::{FrameInfo, FrameTree};
use super::secrets::{self, Fields};
use super::{Page, Trouble, watch};
use crate::browser::cdp::{CallFailure, Session};
use crate::browser::tabs::{Child, Tab};
use crate::browser::{Document, FramePayload, PageSnapshot, UnreadFrame};
use crate::error::{Code, Error};

/// How often a page is read again whose documents go away meanwhile.
const TRIES: u32 = 3;

/// A document to be read.
struct Part {
    session: Session,
    /// Which of the sessions that is; 0 is the page's own.
    group: usize,
    frame: FrameInfo,
    /// The first of its session.
    is_first: bool,
    document: Document,
    number: u32,
    /// The session of the element that holds it.
    holder: Option<Session>,
    /// The frame that the element is in.
    parent: Option<String>,
}

/// What came of it.
struct Answer {
    payload: Result<Bytes, CallFailure>,
    owner: Option<u64>,
}

/// The sessions of a page, its own first, and what they said of their frames.
struct Group {
    session: Session,
    holder: Option<Session>,
    parent_frame: Option<String>,
    tree: Result<FrameTree, CallFailure>,
    /// Where it is, as Chrome says where it does not itself.
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameOwner {
    backend_node_id: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfTarget {
    target_info: TargetInfo,
}

#[derive(Deserialize)]
struct TargetInfo {
    title: String,
    url: String,
}

impl Page<'_> {
    /// Reads the page as it is now. Fails with `cave_browser_snapshot_failed`.
    pub(crate) async fn read(&self) -> Result<PageSnapshot, Error> {
        let deadline = Instant::now() + self.limits.read;
        let mut tries = 0;
        loop {
            tries += 1;
            let read = self.watch(deadline, async { Ok(self.read_once(deadline).await) }).await;
            match read.and_then(|read| read) {
                Ok((snapshot, true)) => return Ok(snapshot),
                // What is left is whole documents, each with its own frame.
                Ok((snapshot, false)) if tries == TRIES => return Ok(snapshot),
                Ok((_, false)) => {}
                Err(Trouble::Call(CallFailure::Refused { .. } | CallFailure::Detached)) if tries < TRIES => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                Err(trouble) => return Err(trouble.error(Code::SnapshotFailed, "reading the page")),
            }
        }
    }

    /// Reads it, and says whether all its documents were there all the time.
    async fn read_once(&self, deadline: Instant) -> Result<(PageSnapshot, bool), Trouble> {
        let share = deadline.min(Instant::now() + self.limits.frame);
        let groups = self.groups(deadline, share).await;
        // Those that answered have a share of their own, whatever the others took of the first one.
        let share = deadline.min(Instant::now() + self.limits.frame);
        let parts = self.parts(&groups)?;
        let by_group = join_all(groups.iter().enumerate().map(|(number, group)| {
            let until = if number == 0 { deadline } else { share };
            let parts: Vec<&Part> = parts.iter().filter(|part| part.group == number).collect();
            async move { read_group(group, &parts, until, share).await }
        }));
        let info = self.client.browser();
        let info = info.ask::<OfTarget>("Target.getTargetInfo", json!({"targetId": self.frame}), deadline);
        let (answers, info) = join(by_group, info).await;
        let OfTarget { target_info } = info?;
        let mut whole = true;
        let mut fields: HashMap<usize, Fields> = HashMap::new();
        let mut payloads: HashMap<String, Answer> = HashMap::new();
        for (number, answer) in answers.into_iter().enumerate() {
            let (mut answers, found, same) = answer;
            whole &= same;
            match found {
                Ok(found) => drop(fields.insert(number, found)),
                Err(failure) if number == 0 => return Err(failure.into()),
                // Without them it is not known what must not be printed.
                Err(failure) => answers.iter_mut().for_each(|(_, answer)| answer.payload = Err(failure.clone())),
            }
            payloads.extend(answers);
        }
        let snapshot = self.snapshot(&groups, &parts, payloads, &fields, target_info)?;
        Ok((snapshot, whole))
    }

    /// The page's sessions, asked for their frames.
    async fn groups(&self, deadline: Instant, share: Instant) -> Vec<Group> {
        let children = self.tabs.with(self.tab, |tab| tab.children.clone()).unwrap_or_default();
        let own = async {
            let tree = FrameTree::of(&self.session, deadline).await;
            Group { session: self.session.clone(), holder: None, parent_frame: None, tree, url: String::new() }
        };
        let others = children.into_iter().map(|child| async move {
            let session = self.client.session(&child.session);
            let tree = FrameTree::of(&session, share).await;
            let url = if tree.is_err() { self.address_of(&child, deadline).await } else { String::new() };
            let holder = Some(self.client.session(&child.parent));
            Group { session, holder, parent_frame: child.parent_frame, tree, url }
        });
        let (own, mut others) = join(own, join_all(others)).await;
        others.insert(0, own);
        others
    }

    /// Where a frame of another process is, though it does not answer itself.
    async fn address_of(&self, child: &Child, deadline: Instant) -> String {
        let info = json!({"targetId": child.frame});
        let info = self.client.browser().ask::<OfTarget>("Target.getTargetInfo", info, deadline).await;
        // Of one whose process is gone Chrome says nothing.
        let url = info.map(|OfTarget { target_info }| target_info.url).unwrap_or_default();
        if url.is_empty() { child.url.clone() } else { url }
    }

    /// The documents, outer ones first.
    fn parts(&self, groups: &[Group]) -> Result<Vec<Part>, Trouble> {
        let mut parts = Vec::new();
        let numbered = self.tabs.with(self.tab, |tab| {
            let mut documents = HashMap::new();
            for (number, group) in groups.iter().enumerate() {
                let Ok(tree) = &group.tree else { continue };
                if let Some(child) =
                    tab.children.iter_mut().find(|child| Some(child.session.as_str()) == group.session.id())
                    && let Some(frame) = tree.frames().first()
                {
                    child.url.clone_from(&frame.url);
                }
                for (position, frame) in tree.frames().into_iter().enumerate() {
                    let is_first = position == 0;
                    let key = (frame.id.clone(), frame.loader_id.clone());
                    let known = tab.documents.get(&key).copied();
                    let (document, frame_number) = known.unwrap_or_else(|| (self.tabs.counters.document(), None));
                    let frame_number = (number > 0).then(|| frame_number.unwrap_or_else(|| self.tabs.counters.frame()));
                    documents.insert(key, (document, frame_number));
                    let outside = is_first.then(|| group.parent_frame.clone()).flatten();
                    parts.push(Part {
                        session: group.session.clone(),
                        group: number,
                        is_first,
                        document,
                        number: frame_number.unwrap_or(0),
                        holder: if is_first { group.holder.clone() } else { Some(group.session.clone()) },
                        parent: frame.parent_id.clone().or(outside),
                        frame: frame.clone(),
                    });
                }
            }
            // Documents that are gone never come back under their number. Those of a session that did not answer are there.
            if groups.iter().any(|group| group.tree.is_err()) {
                for (key, known) in tab.documents.drain() {
                    documents.entry(key).or_insert(known);
                }
            }
            tab.documents = documents;
        });
        numbered.ok_or(Trouble::Call(CallFailure::Detached))?;
        match &groups[0].tree {
            Ok(_) => Ok(parts),
            Err(failure) => Err(Trouble::Call(failure.clone())),
        }
    }

    /// Puts together what was read.
    fn snapshot(
        &self,
        groups: &[Group],
        parts: &[Part],
        mut payloads: HashMap<String, Answer>,
        fields: &HashMap<usize, Fields>,
        info: TargetInfo,
    ) -> Result<PageSnapshot, Trouble> {
        let numbers: HashMap<&str, u32> = parts.iter().map(|part| (part.frame.id.as_str(), part.number)).collect();
        let mut unread = unread_sessions(groups);
        let mut frames = Vec::new();
        let mut own = None;
        for part in parts {
            let Some(Answer { payload, owner }) = payloads.remove(&part.frame.id) else { continue };
            let frame = part.parent.as_deref().and_then(|parent| numbers.get(parent).copied()).unwrap_or(0);
            let owner = owner.map(|node| Uid { frame, node });
            match (payload, owner) {
                (Ok(payload), _) if part.group == 0 && part.is_first => own = Some((part, payload)),
                (Err(failure), _) if part.group == 0 && part.is_first => return Err(failure.into()),
                (Ok(payload), Some(owner)) => frames.push(FramePayload {
                    owner,
                    number: part.number,
                    frame_id: part.frame.id.clone(),
                    url: part.frame.url.clone(),
                    document: part.document,
                    loader: part.frame.loader_id.clone(),
                    payload,
                }),
                (Ok(_), None) => {
                    let why = "the element that holds it is gone".to_owned();
                    unread.push(UnreadFrame { owner, url: part.frame.url.clone(), why });
                }
                (Err(failure), owner) => {
                    unread.push(UnreadFrame { owner, url: part.frame.url.clone(), why: failure.to_string() });
                }
            }
        }
        let (part, payload) = own.ok_or(Trouble::Call(CallFailure::Detached))?;
        let (loading, remembered) =
            self.tabs.with(self.tab, |tab| (tab.loading, remember(tab, parts, fields))).unwrap_or_default();
        Ok(PageSnapshot {
            tab: self.tab,
            url: info.url,
            title: info.title,
            document: part.document,
            loader: part.frame.loader_id.clone(),
            frame_id: self.frame.clone(),
            payload,
            frames,
            secrets: remembered,
            clickable: stand_ins(parts, fields),
            exposes_secrets: false,
            unread,
            loading,
        })
    }
}

/// Reads the documents of one session, then its secret fields, then asks whether its documents are still there.
async fn read_group(
    group: &Group,
    parts: &[&Part],
    until: Instant,
    share: Instant,
) -> (Vec<(String, Answer)>, Result<Fields, CallFailure>, bool) {
    let Ok(before) = &group.tree else { return (Vec::new(), Ok(Fields::default()), true) };
    let answers = join_all(parts.iter().map(|part| read_part(part, if part.is_first { until } else { share }))).await;
    // A session of which nothing was read has no values to keep.
    if answers.iter().all(|(_, answer)| answer.payload.is_err()) {
        return (answers, Ok(Fields::default()), true);
    }
    let (fields, after) = join(secrets::find(&group.session, until), FrameTree::of(&group.session, until)).await;
    let same = after.is_ok_and(|after| {
        before.frames().iter().all(|frame| after.loader(&frame.id) == Some(frame.loader_id.as_str()))
    });
    (answers, fields, same)
}

async fn read_part(part: &Part, until: Instant) -> (String, Answer) {
    let params = if part.is_first { json!({}) } else { json!({"frameId": part.frame.id}) };
    let payload = part.session.call("Accessibility.getFullAXTree", params, until);
    let owner = async {
        let holder = part.holder.as_ref()?;
        let asked = holder.ask("DOM.getFrameOwner", json!({"frameId": part.frame.id}), until).await;
        asked.ok().map(|FrameOwner { backend_node_id }| backend_node_id)
    };
    // The page's own document has its watch since it was waited for.
    let watched = async {
        if part.number > 0 || !part.is_first {
            watch::set_up(&part.session, &part.frame.id, until).await;
        }
    };
    let (payload, owner, ()) = join3(payload, owner, watched).await;
    (part.frame.id.clone(), Answer { payload, owner })
}

/// Frames of other processes that did not even say which frames they have.
fn unread_sessions(groups: &[Group]) -> Vec<UnreadFrame> {
    groups
        .iter()
        .filter_map(|group| group.tree.as_ref().err().map(|failure| (group, failure)))
        .map(|(group, failure)| UnreadFrame { owner: None, url: group.url.clone(), why: failure.to_string() })
        .collect()
}

/// The secret fields, those that once were ones too.
fn remember(tab: &mut Tab, parts: &[Part], found: &HashMap<usize, Fields>) -> Vec<Uid> {
    let firsts: HashMap<usize, Document> =
        parts.iter().filter(|part| part.is_first).map(|part| (part.group, part.document)).collect();
    tab.secrets.retain(|document, _| firsts.values().any(|first| first == document));
    for (group, fields) in found {
        if let Some(&document) = firsts.get(group) {
            tab.secrets.entry(document).or_default().extend(&fields.secrets);
        }
    }
    // Which document of its session a field is in is not known: ids of one process differ, so that all can be named.
    let mut uids: Vec<Uid> = parts
        .iter()
        .flat_map(|part| {
            let nodes = firsts.get(&part.group).and_then(|document| tab.secrets.get(document));
            nodes.into_iter().flatten().map(|&node| Uid { frame: part.number, node })
        })
        .collect();
    uids.sort_unstable();
    uids.dedup();
    uids
}

/// The labels that stand for file fields that are not drawn. As with secrets, all documents of a session are named.
fn stand_ins(parts: &[Part], fields: &HashMap<usize, Fields>) -> Vec<Uid> {
    let of_part = |part: &Part| {
        let nodes = fields.get(&part.group).map(|fields| &fields.stand_ins).into_iter().flatten();
        nodes.map(|&node| Uid { frame: part.number, node }).collect::<Vec<_>>()
    };
    let mut uids: Vec<Uid> = parts.iter().flat_map(of_part).collect();
    uids.sort_unstable();
    uids.dedup();
    uids
}
