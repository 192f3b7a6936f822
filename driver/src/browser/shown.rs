//! What an agent was shown: which node of which document, under which role and name.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use axpress_core::{Compressor, Uid};

use super::PageSnapshot;
use super::tabs::{Shown, ShownDocument, Tabs};

/// Uids that a tab keeps before those of documents that are gone are let go of.
const KEPT: usize = 10_000;

/// Whether a payload says what a secret field holds: a value that is not empty and not drawn as bullets alone.
pub(crate) fn exposes_secrets(compressor: &mut Compressor, snapshot: &PageSnapshot) -> bool {
    if snapshot.secrets.is_empty() {
        return false;
    }
    let frames = snapshot.frames.iter().map(|frame| (frame.number, &frame.payload));
    [(0, &snapshot.payload)].into_iter().chain(frames).any(|(frame, payload)| {
        // What can't be read is for the view to say; its bytes may say anything.
        let Ok(identities) = compressor.identities(payload) else { return true };
        let is_secret = |node| snapshot.secrets.binary_search(&Uid { frame, node }).is_ok();
        identities.iter().any(|identity| is_secret(identity.node) && !is_masked(identity.value))
    })
}

/// Whether a value, raw JSON, is nothing or bullets alone.
fn is_masked(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    text.trim_matches('"').replace("\\u2022", "").replace('\u{2022}', "").is_empty()
}

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

#[cfg(test)]
mod tests {
    use super::is_masked;

    #[test]
    fn only_bullets_hide_a_value() {
        for masked in ["", "\"\"", r#""\u2022\u2022""#, "\"\u{2022}\""] {
            assert!(is_masked(masked.as_bytes()), "{masked}");
        }
        for said in ["\"x\"", r#""\u2022x""#, "12", r#""\u2021""#] {
            assert!(!is_masked(said.as_bytes()), "{said}");
        }
    }
}
