//! What one connection has: the tab that it used last, and what it was shown of each tab. Two connections never share it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::press::Page;
use crate::browser::{Document, PageSnapshot, TabId, TabInfo};

/// A connection's state.
#[derive(Debug, Default)]
pub struct Session {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    tab: Option<TabId>,
    seen: HashMap<TabId, Seen>,
}

/// A page as it was when this connection last saw something of it.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) document: Document,
    pub(super) page: Page,
}

impl Session {
    /// The tab that a call without one means.
    pub(super) fn tab(&self) -> Option<TabId> {
        self.state().tab
    }

    pub(super) fn uses(&self, tab: TabId) {
        self.state().tab = Some(tab);
    }

    /// What was last seen of a tab.
    pub(super) fn seen(&self, tab: TabId) -> Option<Seen> {
        self.state().seen.get(&tab).cloned()
    }

    /// Remembers a page until the next one of its tab, and forgets tabs that are gone.
    pub(super) fn sees(&self, snapshot: &PageSnapshot, page: Page, tabs: &[TabInfo]) {
        let mut state = self.state();
        state.seen.retain(|tab, _| tabs.iter().any(|open| open.tab == *tab));
        state.seen.insert(snapshot.tab, Seen { document: snapshot.document, page });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
