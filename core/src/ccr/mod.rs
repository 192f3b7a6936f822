//! CCR: compress, cache, retrieve. The handle of an original, and the blob that gives it back byte for byte.
//!
//! Takes any bytes at all; nothing here asks whether they are JSON. [`handle`] has the handle, its prefixes and the
//! one parser of both; `blob` has the format. Where blobs are kept is the caller's business.

mod blob;
mod handle;
mod lz4;

use alloc::vec::Vec;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

pub(crate) use blob::{CODEC_AT, VERSION_AT};
pub use handle::{Handle, HandlePrefix};

/// What blobs are made with, kept for the next one.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The last blob or original is at its start. It never shrinks, so that its memory is written once more only by
    /// what is put there.
    out: Vec<u8>,
    table: lz4::Table,
}

impl Scratch {
    /// The blob of `original`, and its handle. The same bytes give the same blob, whatever was packed before.
    pub(crate) fn pack(&mut self, original: &[u8], limits: &Limits) -> Result<(Handle, &[u8]), Error> {
        let most = blob::most_original_bytes(limits);
        if original.len() > most {
            return Err(Error::new(ErrorKind::PayloadTooLarge, most));
        }
        let room = grown(&mut self.out, blob::packing_room(original.len()))
            .ok_or(Error::new(ErrorKind::PayloadTooLarge, original.len()))?;
        let digest = handle::sha256(original);
        let length = blob::write(original, &digest, room, &mut self.table);
        Ok((Handle::from_sha256(&digest), self.out.get(..length).unwrap_or_default()))
    }

    /// The original of `blob`, checked against the hash that the blob carries.
    pub(crate) fn unpack(&mut self, blob: &[u8], limits: &Limits) -> Result<&[u8], Error> {
        let packed = blob::read_header(blob, blob::most_original_bytes(limits))?;
        let room = grown(&mut self.out, packed.length).ok_or(Error::new(ErrorKind::BlobTooLarge, blob::LENGTH_AT))?;
        packed.write_original(room)?;
        Ok(self.out.get(..packed.length).unwrap_or_default())
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Scratch").field("bytes", &self.out.len()).finish_non_exhaustive()
    }
}

/// The first `length` bytes of `out`, which grows where it must; `None` where there is no memory for it.
fn grown(out: &mut Vec<u8>, length: usize) -> Option<&mut [u8]> {
    if out.len() < length {
        out.try_reserve_exact(length - out.len()).ok()?;
        out.resize(length, 0);
    }
    out.get_mut(..length)
}

#[cfg(test)]
mod tests;
