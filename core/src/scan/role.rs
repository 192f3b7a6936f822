//! Roles as the payload spells them: white space collapsed, found in the table of roles.

use alloc::string::String;

use crate::roles::{RoleId, Roles};
use crate::text;

/// What finding roles takes, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct RoleReader {
    decoded: String,
    collapsed: String,
}

impl RoleReader {
    /// The role whose name is the content of this JSON string.
    pub(super) fn role(&mut self, raw: &[u8], roles: &mut Roles) -> RoleId {
        self.decoded.clear();
        text::decode(raw, &mut self.decoded);
        self.collapsed.clear();
        for word in self.decoded.split(text::is_space).filter(|word| !word.is_empty()) {
            if !self.collapsed.is_empty() {
                self.collapsed.push(' ');
            }
            self.collapsed.push_str(word);
        }
        if self.collapsed.is_empty() { RoleId::UNKNOWN } else { roles.intern(&self.collapsed) }
    }
}
