//! The blob: an original, smaller, with what it takes to know that it came back whole.
//!
//! | bytes | field |
//! | --- | --- |
//! | 4 | magic `AXPB` |
//! | 1 | format version, 1 |
//! | 1 | codec: 0 stored, 1 LZ4 block |
//! | 2 | zero |
//! | 8 | length of the original, little endian |
//! | 32 | SHA-256 of the original |
//! | rest | the codec's bytes |
//!
//! A blob is never larger than its original and the 48 bytes of its header. The same bytes give the same
//! blob on every machine.
//!
//! Reading trusts nothing: the length is checked against the caller's limit and against what the codec's bytes could
//! possibly hold before anything is reserved, and bytes that do not have the hash are never given out.

use lz4_flex::block::decompress_into;

use super::handle::sha256;
use super::lz4::{self, Table};
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

const MAGIC: [u8; 4] = *b"AXPB";
const VERSION: u8 = 1;
const STORED: u8 = 0;
const LZ4: u8 = 1;

/// Where the fields are.
pub(crate) const VERSION_AT: usize = 4;
pub(crate) const CODEC_AT: usize = 5;
const ZERO_AT: usize = 6;
pub(super) const LENGTH_AT: usize = 8;
const DIGEST_AT: usize = 16;
const HEADER: usize = 48;

/// No LZ4 block holds more than this many bytes for each of its own.
const LZ4_MOST_RATIO: usize = 255;

/// Most bytes of an original: the limit, and never more than LZ4's 32-bit positions reach.
pub(super) fn most_original_bytes(limits: &Limits) -> usize {
    limits.input_bytes.min(u32::MAX as usize)
}

/// Bytes that [`write()`] needs to work in.
pub(super) fn packing_room(original: usize) -> usize {
    HEADER.saturating_add(original)
}

/// Writes the blob of `original` to the start of `room` and gives its length.
pub(super) fn write(original: &[u8], digest: &[u8; 32], room: &mut [u8], table: &mut Table) -> usize {
    let Some((header, body)) = room.split_first_chunk_mut::<HEADER>() else { return 0 };
    // The table is cleared by each call, so what was packed before leaves no trace.
    let (codec, length) = match lz4::compress(original, body, table) {
        Some(length) if length < original.len() => (LZ4, length),
        _ => (STORED, original.len()),
    };
    if codec == STORED {
        body.iter_mut().zip(original).for_each(|(to, from)| *to = *from);
    }
    let [a, b, c, d] = MAGIC;
    let fields = [a, b, c, d, VERSION, codec, 0, 0].into_iter();
    let fields = fields.chain((original.len() as u64).to_le_bytes()).chain(*digest);
    header.iter_mut().zip(fields).for_each(|(to, from)| *to = from);
    HEADER + length
}

/// A blob whose header is sound.
pub(super) struct Packed<'a> {
    codec: u8,
    /// Bytes of the original.
    pub(super) length: usize,
    digest: &'a [u8],
    body: &'a [u8],
}

/// Reads a blob's header; `most` is how long its original may be.
pub(super) fn read_header(blob: &[u8], most: usize) -> Result<Packed<'_>, Error> {
    let corrupt = |offset: usize| Error::new(ErrorKind::CorruptBlob, offset);
    let byte = |offset: usize| blob.get(offset).copied().ok_or(corrupt(blob.len()));
    for (offset, expected) in MAGIC.into_iter().enumerate() {
        if byte(offset)? != expected {
            return Err(corrupt(offset));
        }
    }
    match byte(VERSION_AT)? {
        VERSION => {}
        0 => return Err(corrupt(VERSION_AT)),
        _ => return Err(Error::new(ErrorKind::UnsupportedBlob, VERSION_AT)),
    }
    let codec = byte(CODEC_AT)?;
    if !matches!(codec, STORED | LZ4) {
        return Err(Error::new(ErrorKind::UnsupportedBlob, CODEC_AT));
    }
    for offset in ZERO_AT..LENGTH_AT {
        if byte(offset)? != 0 {
            return Err(corrupt(offset));
        }
    }
    let (header, body) = blob.split_at_checked(HEADER).ok_or(corrupt(blob.len()))?;
    let length = header.get(LENGTH_AT..).and_then(|bytes| bytes.first_chunk()).ok_or(corrupt(LENGTH_AT))?;
    let digest = header.get(DIGEST_AT..).ok_or(corrupt(DIGEST_AT))?;
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    if length > most {
        return Err(Error::new(ErrorKind::BlobTooLarge, LENGTH_AT));
    }
    let possible = match codec {
        STORED => length == body.len(),
        // Where a word is 32 bits, the sum of a length's bytes must not wrap around.
        _ => {
            length / LZ4_MOST_RATIO <= body.len() && (usize::BITS >= 64 || longest_run(body) <= longest_length(length))
        }
    };
    if !possible {
        return Err(corrupt(LENGTH_AT));
    }
    Ok(Packed { codec, length, digest, body })
}

impl Packed<'_> {
    /// Writes the original to `room`, which has its length.
    pub(super) fn write_original(&self, room: &mut [u8]) -> Result<(), Error> {
        if self.codec == STORED {
            room.iter_mut().zip(self.body).for_each(|(to, from)| *to = *from);
        } else if !decompress_into(self.body, room).is_ok_and(|length| length == self.length) {
            return Err(Error::new(ErrorKind::CorruptBlob, HEADER));
        }
        if sha256(room) != self.digest {
            return Err(Error::new(ErrorKind::CorruptBlob, DIGEST_AT));
        }
        Ok(())
    }
}

/// The longest run of 255s in `bytes`: LZ4 writes a length as such a run and one byte more.
pub(super) fn longest_run(bytes: &[u8]) -> usize {
    let mut run = 0;
    let mut longest = 0;
    for &byte in bytes {
        run = if byte == u8::MAX { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Most 255s in a row in the block of an original of that length: those of one length, and a few that are its own.
pub(super) fn longest_length(original: usize) -> usize {
    original / LZ4_MOST_RATIO + 64
}
