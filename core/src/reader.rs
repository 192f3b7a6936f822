//! The reader: from a payload's bytes to its tree, in memory that is kept.

use crate::error::Error;
use crate::limits::Limits;
use crate::scan::Scanner;
use crate::secrets::Secrets;
use crate::table::Table;
use crate::tree::Tree;

/// What reads a payload: everything that comes before a text is made.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) limits: Limits,
    scanner: Scanner,
    /// The nodes of the payload read last.
    pub(crate) table: Table,
    pub(crate) tree: Tree,
    secrets: Secrets,
}

impl Reader {
    pub(crate) fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Reads a payload into the table.
    pub(crate) fn scan(&mut self, payload: &[u8]) -> Result<(), Error> {
        self.scanner.scan(payload, &self.limits, &mut self.table)
    }

    /// Takes out of the table what the nodes hold of which `secret` says so, by backend id.
    pub(crate) fn hide(&mut self, payload: &[u8], secret: impl Fn(u64) -> bool) {
        self.secrets.hide(payload, &mut self.table, secret);
    }
}
