//! CCR: compress, cache, retrieve. The handle of an original, and the blob that gives it back byte for byte.

use alloc::vec::Vec;

use crate::error::Error;
use crate::limits::Limits;

/// The handle of an original: `ccr_` and the first 16 bytes of its SHA-256 in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Handle {
    digest: [u8; 16],
}

/// What blobs are made with, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    out: Vec<u8>,
}

impl Scratch {
    pub(crate) fn pack(&mut self, original: &[u8]) -> Result<(Handle, &[u8]), Error> {
        let _ = original;
        Ok((Handle { digest: [0; 16] }, &self.out))
    }

    pub(crate) fn unpack(&mut self, blob: &[u8], limits: &Limits) -> Result<&[u8], Error> {
        let _ = (blob, limits);
        Ok(&self.out)
    }
}
