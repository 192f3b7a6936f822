//! A node's properties: name and value into states, level and extras.
//!
//! A name that a node has twice counts as the last one says; so does one whose last value is absent.

use crate::roles::{EDITABLE, FOCUSABLE, STATES};
use crate::table::{Extra, ExtraKind, Node, Span};
use alloc::vec::Vec;

/// The value of a property.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    /// Its name, decoded.
    pub(super) name: &'a [u8],
    /// Its value as text: a string's content, decoded, or the JSON of anything else; `None` where it is absent or null.
    pub(super) text: Option<&'a [u8]>,
    /// Whether that value is a string.
    pub(super) quoted: bool,
    /// The raw JSON of the value.
    pub(super) value: Span,
    /// The raw JSON of the AX value that it stands in.
    pub(super) ax_value: Span,
}

impl Property<'_> {
    /// Notes the property in `node`, whose extras are the last ones of `extras`.
    pub(super) fn apply(self, node: &mut Node, extras: &mut Vec<Extra>) {
        match self.name {
            b"level" => node.level = if self.quoted { 0 } else { level_of(self.text.unwrap_or_default()) },
            b"focusable" => set(&mut node.states, FOCUSABLE, self.text == Some(b"true")),
            b"editable" => set(&mut node.states, EDITABLE, self.text.is_some_and(|text| text != b"false")),
            b"valuetext" => keep(node, extras, ExtraKind::ValueText, self.value),
            b"valuemin" => keep(node, extras, ExtraKind::ValueMin, self.value),
            b"valuemax" => keep(node, extras, ExtraKind::ValueMax, self.value),
            b"url" => keep(node, extras, ExtraKind::Url, self.value),
            b"labelledby" => keep(node, extras, ExtraKind::LabelledBy, self.ax_value),
            b"errormessage" => keep(node, extras, ExtraKind::ErrorMessage, self.ax_value),
            name => {
                for (bit, state) in STATES.iter().enumerate() {
                    if state.property.as_bytes() == name {
                        set(&mut node.states, 1 << bit, self.text == Some(state.value.as_bytes()));
                    }
                }
            }
        }
    }
}

/// The level that JSON says: an integer, 255 for more than fits, 0 for anything else.
pub(super) fn level_of(json: &[u8]) -> u8 {
    if json.is_empty() || !json.iter().all(u8::is_ascii_digit) {
        return 0;
    }
    json.iter().fold(0_u8, |level, digit| level.saturating_mul(10).saturating_add(digit - b'0'))
}

/// Whether a property relates to other nodes: nothing but its whole AX value is ever kept of it.
pub(super) fn is_relation(name: &[u8]) -> bool {
    matches!(
        name,
        b"activedescendant"
            | b"controls"
            | b"describedby"
            | b"details"
            | b"errormessage"
            | b"flowto"
            | b"labelledby"
            | b"owns"
    )
}

#[inline]
fn set(states: &mut u32, bit: u32, holds: bool) {
    *states = if holds { *states | bit } else { *states & !bit };
}

/// Keeps `span` as the node's extra of that kind, in the place of an earlier one; none for no span.
pub(super) fn keep(node: &mut Node, extras: &mut Vec<Extra>, kind: ExtraKind, span: Span) {
    let first = node.extras as usize;
    let earlier = extras.get(first..).unwrap_or_default().iter().position(|extra| extra.kind == kind);
    if let Some(earlier) = earlier {
        extras.remove(first + earlier);
    }
    if !span.is_none() {
        // The description stands before all properties, whichever came first in the payload.
        let place = if kind == ExtraKind::Description { first } else { extras.len() };
        extras.insert(place, Extra { kind, span });
    }
    node.extra_count = (extras.len() - first) as u16;
}
