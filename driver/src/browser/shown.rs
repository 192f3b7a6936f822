//! What an agent was shown: which node of which document, under which role and name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axpress_core::{Compressor, Uid};

use super::PageSnapshot;
use super::tabs::{Shown, ShownDocument, Tabs};

/// Uids that a tab keeps before those of documents that are gone are let go of.
const KEPT: usize = 50_000;

/// Takes down what was shown of a snapshot.
pub(crate) fn record(tabs: &Tabs, compressor: &mut Compressor, snapshot: &PageSnapshot, uids: &[Uid]) {
    let own = [(0, &snapshot.frame_id, &snapshot.loader, &snapshot.payload)];
    let frames = snapshot.frames.iter().map(|frame| (frame.number, &frame.frame_id, &frame.loader, &frame.payload));
    let mut wanted: HashSet<Uid> = uids.iter().copied().collect();
    let mut shown = HashMap::with_capacity(uids.len());
    for (number, frame, loader, payload) in own.into_iter().chain(frames) {
        if !wanted.iter().any(|uid| uid.frame == number) {
            continue;
        }
        let Ok(identities) = compressor.identities(payload) else { continue };
        let document = Arc::new(ShownDocument { frame: frame.clone(), loader: loader.clone() });
        for identity in identities.iter() {
            let uid = Uid { frame: number, node: identity.node };
            if !wanted.remove(&uid) {
                continue;
            }
            let shown_node = Shown {
                document: Arc::clone(&document),
                role: identity.role.into(),
                name: String::from_utf8_lossy(identity.name).into(),
                secret: snapshot.secrets.binary_search(&uid).is_ok(),
            };
            shown.insert(uid, shown_node);
        }
    }
    tabs.with(snapshot.tab, |tab| {
        if tab.shown.len() > KEPT {
            let living: HashSet<&str> = tab.documents.keys().map(|(_, loader)| loader.as_str()).collect();
            tab.shown.retain(|_, shown| living.contains(shown.document.loader.as_str()));
        }
        tab.shown.extend(shown);
    });
}
