//! Who the nodes of a payload are: what tells whether a node is still the one that was shown.
//!
//! Names and values are as the payload has them, between their quotes, escapes and all: Chrome writes the same text
//! always alike, so that two of its payloads are compared byte for byte and nothing is unescaped for it.

use crate::table::Table;

/// The nodes of a payload that stand for an element or a text, lent until the compressor's next call.
#[derive(Clone, Copy, Debug)]
pub struct Identities<'a> {
    table: &'a Table,
    payload: &'a [u8],
}

/// What a node is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identity<'a> {
    /// `backendDOMNodeId`.
    pub node: u64,
    /// `role.value`; empty where it is none that the payload names.
    pub role: &'a str,
    /// `name.value`, still escaped.
    pub name: &'a [u8],
    /// `value.value`, raw JSON; empty where it has none.
    pub value: &'a [u8],
    /// Chrome leaves it out of the tree that assistive technology sees.
    pub ignored: bool,
}

impl<'a> Identities<'a> {
    pub(crate) fn new(table: &'a Table, payload: &'a [u8]) -> Self {
        Self { table, payload }
    }

    /// All of them, in the order of the payload; a node that it has twice comes twice.
    pub fn iter(&self) -> impl Iterator<Item = Identity<'a>> + use<'a> {
        let Self { table, payload } = *self;
        table.nodes.iter().filter(|node| node.backend != 0).map(move |node| Identity {
            node: node.backend,
            role: table.roles.name(node.role),
            name: node.name.of(payload),
            value: node.value.of(payload),
            ignored: node.ignored,
        })
    }
}
