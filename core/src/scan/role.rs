//! Roles as the payload spells them: white space collapsed, found in the table of roles.
//!
//! What was found for a short spelling is remembered. Roles that the table of roles does not know have numbers of one
//! payload only: those are forgotten with it.

use alloc::string::String;
use alloc::vec::Vec;

use crate::roles::{RoleId, Roles};
use crate::text;

const SLOTS: usize = 256;
const LONGEST: usize = 16;

/// What finding roles takes, kept for the next one.
#[derive(Debug, Default)]
pub(super) struct RoleReader {
    /// Spellings of up to 16 bytes, filled up with zeros, and their roles. A slot has one spelling at a time.
    remembered: Vec<([u8; LONGEST], RoleId)>,
    /// One of them has a role that the table does not know.
    temporary: bool,
    decoded: String,
    collapsed: String,
}

impl RoleReader {
    /// Forgets the roles of one payload.
    pub(super) fn clear(&mut self) {
        if self.temporary {
            self.temporary = false;
            self.remembered.clear();
        }
    }

    /// The role whose name is the content of this JSON string.
    pub(super) fn role(&mut self, raw: &[u8], roles: &mut Roles) -> RoleId {
        let mut spelling = [0; LONGEST];
        // No string has a zero byte, so the spelling with its zeros is told from all others; the empty one is not kept.
        let Some(place) = spelling.get_mut(..raw.len()).filter(|place| !place.is_empty()) else {
            return self.find(raw, roles);
        };
        place.copy_from_slice(raw);
        let both = u128::from_le_bytes(spelling);
        let mixed = both as u64 ^ ((both >> 64) as u64).rotate_left(27);
        let hash = mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56;
        if let Some((known, role)) = self.remembered.get(hash as usize)
            && *known == spelling
        {
            return *role;
        }
        let role = self.find(raw, roles);
        self.temporary |= !role.is_known();
        self.remembered.resize(SLOTS, ([0; LONGEST], RoleId::UNKNOWN));
        if let Some(slot) = self.remembered.get_mut(hash as usize) {
            *slot = (spelling, role);
        }
        role
    }

    fn find(&mut self, raw: &[u8], roles: &mut Roles) -> RoleId {
        self.decoded.clear();
        text::decode(raw, &mut self.decoded);
        self.collapsed.clear();
        for word in text::words(&self.decoded) {
            if !self.collapsed.is_empty() {
                self.collapsed.push(' ');
            }
            self.collapsed.push_str(word);
        }
        if self.collapsed.is_empty() { RoleId::UNKNOWN } else { roles.intern(&self.collapsed) }
    }
}
