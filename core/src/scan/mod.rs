//! The scanner: a payload's bytes into the node table.

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::table::Table;

/// What the scanner keeps from one payload to the next.
#[derive(Debug, Default)]
pub(crate) struct Scanner {}

impl Scanner {
    /// Reads `payload` into `table`.
    pub(crate) fn scan(&mut self, payload: &[u8], limits: &Limits, table: &mut Table) -> Result<(), Error> {
        let _ = (payload, limits, table);
        Err(Error::new(ErrorKind::InvalidJson, 0))
    }
}
