//! The node table: what the scanner reads from a payload, as spans of its bytes.
//!
//! A row a node, in payload order, repeats included. Nothing is unescaped here: a name is the bytes between its
//! quotes, a value is raw JSON. Child ids are resolved to rows when the last node is read.

use alloc::vec::Vec;

use crate::roles::{RoleId, Roles};

/// No row, no node.
pub(crate) const NONE: u32 = u32::MAX;
/// The key of an id that is absent.
pub(crate) const NO_ID: i64 = i64::MIN;

/// A range of bytes of the payload. `0..0` is none: a payload never begins with a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) const NONE: Self = Self { start: 0, end: 0 };

    #[inline]
    pub(crate) const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    #[inline]
    pub(crate) const fn is_none(self) -> bool {
        self.end == 0
    }

    #[inline]
    pub(crate) fn of(self, payload: &[u8]) -> &[u8] {
        payload.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// One node, as the payload has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Key of `nodeId`: its number where it is a canonical decimal, else a number below all of those.
    pub(crate) id: i64,
    /// Key of `parentId`, or [`NO_ID`].
    pub(crate) parent_id: i64,
    /// `backendDOMNodeId`, 1 to 2⁵³, or 0.
    pub(crate) backend: u64,
    /// `name.value` where it is a string: what stands between its quotes, still escaped.
    pub(crate) name: Span,
    /// `value.value`: raw JSON of any type, quotes included; none where it is absent or null.
    pub(crate) value: Span,
    /// Where its children begin in [`Table::children`], and how many they are.
    pub(crate) children: u32,
    pub(crate) child_count: u32,
    /// Where its extras begin in [`Table::extras`], and how many they are.
    pub(crate) extras: u32,
    pub(crate) extra_count: u16,
    /// The property `level`, 0 where it has none; 255 for more than fits.
    pub(crate) level: u8,
    pub(crate) ignored: bool,
    pub(crate) role: RoleId,
    /// Bit `i` is set where `roles::STATES[i]` holds; then those of `roles::{FOCUSABLE, EDITABLE}`, and
    /// of `roles::{HIDDEN, HIDDEN_VALUE}`, which the scanner never sets.
    pub(crate) states: u32,
}

impl Node {
    pub(crate) const EMPTY: Self = Self {
        id: NO_ID,
        parent_id: NO_ID,
        backend: 0,
        name: Span::NONE,
        value: Span::NONE,
        children: 0,
        child_count: 0,
        extras: 0,
        extra_count: 0,
        level: 0,
        ignored: false,
        role: RoleId::UNKNOWN,
        states: 0,
    };
}

/// What else the view reads of a node, kept raw because few nodes have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extra {
    pub(crate) kind: ExtraKind,
    /// Raw JSON of the AX value's `value`; of the whole AX value for the kinds that relate to other nodes.
    pub(crate) span: Span,
}

/// The kinds of [`Extra`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtraKind {
    /// `description`, of the node itself.
    Description,
    /// Properties `valuetext`, `valuemin`, `valuemax`, `url`.
    ValueText,
    ValueMin,
    ValueMax,
    Url,
    /// Properties `labelledby`, `errormessage`: the whole AX value, with its `relatedNodes`.
    LabelledBy,
    ErrorMessage,
}

/// All nodes of one payload.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) nodes: Vec<Node>,
    /// Byte range of each node in the payload, beside `nodes`.
    pub(crate) places: Vec<Span>,
    /// Rows of children, [`NONE`] where the payload lacks the node.
    pub(crate) children: Vec<u32>,
    pub(crate) extras: Vec<Extra>,
    /// Rows of the nodes whose parent is absent or not in the payload, in payload order, without repeats; where there
    /// is none, the first node's.
    pub(crate) roots: Vec<u32>,
    /// Rows that repeat an earlier node's id: they are not there.
    pub(crate) repeats: usize,
    pub(crate) roles: Roles,
}
