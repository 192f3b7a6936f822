//! LZ4 blocks, written.
//!
//! Takes any bytes and gives a block that every reader of LZ4 reads. The same bytes give the same block on every machine:
//! what is hashed are always five bytes, whatever a word is there. A block is a row of sequences: a token, literals, and
//! a match, which is so many bytes again from so far back. Matches are found by a table of where a hash was seen last;
//! where nothing is found for long, more and more places are passed over.

use alloc::vec::Vec;

/// Bits of a hash.
const HASH_BITS: u32 = 12;
/// A prime, of which the upper bits of a product say something of all five bytes.
const PRIME: u64 = 889_523_592_379;
/// Fewest bytes of a match.
const LEAST_MATCH: usize = 4;
/// A match begins so many bytes before the end at least, and the last bytes are literals: readers may rely on it.
const LAST_START: usize = 12;
const LAST_LITERALS: usize = 5;
/// Farthest that a match reaches back.
const FARTHEST: usize = 0xFFFF;
/// After two to the power of this many places without a match, one more is passed over at each.
const PATIENCE: usize = 6;
/// A length that does not fit into the four bits of a token.
const LONG: usize = 15;

/// Where each hash was seen last, and one more; kept for the next block.
#[derive(Debug, Default)]
pub(super) struct Table {
    places: Vec<u32>,
}

/// Writes the block of `input`, which is less than 4 GiB, to the start of `room`; gives its length, or `None` where it does
/// not fit.
pub(super) fn compress(input: &[u8], room: &mut [u8], table: &mut Table) -> Option<usize> {
    table.places.clear();
    table.places.resize(1 << HASH_BITS, 0);
    let places: &mut [u32; 1 << HASH_BITS] = table.places.as_mut_slice().try_into().ok()?;
    let mut out = Out { room, at: 0 };
    let mut anchor = 0;
    let last_start = input.len().saturating_sub(LAST_START);
    let last_end = input.len().saturating_sub(LAST_LITERALS);
    let mut at = 0;
    let mut misses = 1 << PATIENCE;
    while at < last_start {
        let word = word(input, at)?;
        let slot = places.get_mut(((word << 24).wrapping_mul(PRIME) >> (64 - HASH_BITS)) as usize)?;
        let before = core::mem::replace(slot, at as u32 + 1) as usize;
        let back = at + 1 - before;
        if before == 0 || back > FARTHEST || self::word(input, before - 1)? as u32 != word as u32 {
            at += misses >> PATIENCE;
            misses += 1;
            continue;
        }
        let (start, from) = extend_back(input, anchor, at, before - 1);
        let length =
            same(input, at + LEAST_MATCH, from + (at - start) + LEAST_MATCH, last_end) + LEAST_MATCH + (at - start);
        out.sequence(input.get(anchor..start)?, length, back)?;
        anchor = start + length;
        at = anchor;
        misses = 1 << PATIENCE;
        if at < last_start {
            let behind = at - 2;
            let slot = places
                .get_mut(((self::word(input, behind)? << 24).wrapping_mul(PRIME) >> (64 - HASH_BITS)) as usize)?;
            *slot = behind as u32 + 1;
        }
    }
    out.last(input.get(anchor..)?)?;
    Some(out.at)
}

#[inline]
fn word(input: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*input.get(at..)?.first_chunk()?))
}

/// Moves a match to where it begins: the bytes before both places may be equal too.
fn extend_back(input: &[u8], anchor: usize, mut at: usize, mut from: usize) -> (usize, usize) {
    while at > anchor && from > 0 && input.get(at - 1) == input.get(from - 1) {
        at -= 1;
        from -= 1;
    }
    (at, from)
}

/// How many bytes are the same from both places on, before `end`.
#[inline]
fn same(input: &[u8], at: usize, from: usize, end: usize) -> usize {
    let (Some(here), Some(there)) = (input.get(at..end), input.get(from..)) else { return 0 };
    let (mut here, mut there) = (here, there);
    let whole = here.len();
    while let (Some((a, next)), Some((b, after))) = (here.split_first_chunk(), there.split_first_chunk()) {
        let differs = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differs != 0 {
            return whole - here.len() + differs.trailing_zeros() as usize / 8;
        }
        (here, there) = (next, after);
    }
    whole - here.len() + here.iter().zip(there).take_while(|(a, b)| a == b).count()
}

/// What was written.
struct Out<'a> {
    room: &'a mut [u8],
    at: usize,
}

impl Out<'_> {
    fn sequence(&mut self, literals: &[u8], length: usize, back: usize) -> Option<()> {
        let more = length - LEAST_MATCH;
        self.begin(literals, more.min(LONG))?;
        self.bytes(&(back as u16).to_le_bytes())?;
        self.rest_of(more)
    }

    /// The literals at the end, which no match follows.
    fn last(&mut self, literals: &[u8]) -> Option<()> {
        self.begin(literals, 0)
    }

    fn begin(&mut self, literals: &[u8], low: usize) -> Option<()> {
        self.bytes(&[(literals.len().min(LONG) << 4 | low) as u8])?;
        self.rest_of(literals.len())?;
        self.bytes(literals)
    }

    /// What of a length is not in the token.
    fn rest_of(&mut self, length: usize) -> Option<()> {
        let Some(mut rest) = length.checked_sub(LONG) else { return Some(()) };
        while rest >= 255 {
            self.bytes(&[255])?;
            rest -= 255;
        }
        self.bytes(&[rest as u8])
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) -> Option<()> {
        self.room.get_mut(self.at..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use lz4_flex::block::decompress;
    use proptest::prelude::*;

    use super::{Table, compress};

    fn block(input: &[u8]) -> Vec<u8> {
        let mut room = vec![0; 2 * input.len() + 16];
        let length = compress(input, &mut room, &mut Table::default()).unwrap();
        room.truncate(length);
        room
    }

    #[test]
    fn lengths_around_every_edge_come_back() {
        for length in (0..80).chain([255, 256, 269, 270, 271, 524, 525, 526, 70_000, 200_000]) {
            for input in [vec![b'a'; length], (0..length).map(|at| ((at * at) >> 3) as u8).collect()] {
                assert_eq!(decompress(&block(&input), length).unwrap(), input, "{length}");
            }
        }
    }

    #[test]
    fn a_match_reaches_as_far_back_as_it_may_and_no_farther() {
        let part = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let far = |gap: usize| {
            let input = [part.as_slice(), &vec![0; gap - part.len()], part, b"the end of all of it"].concat();
            let block = block(&input);
            assert_eq!(decompress(&block, input.len()).unwrap(), input);
            block.len()
        };
        assert!(far(0xFFFF) + 20 < far(0x1_0000));
    }

    #[test]
    fn a_block_is_the_same_on_every_machine() {
        let input = br#"{"nodeId":"1","ignored":false},{"nodeId":"2","ignored":false},{"nodeId":"3"}"#;
        let block = block(input);
        // 31 literals and 11 bytes from 31 back, `2` and 28 from there, and five literals, since a block ends so.
        let expected = [b"\xf7\x10".as_slice(), &input[..31], b"\x1f\0\x1f2\x1f\0\x09", b"\x50:\"3\"}"].concat();
        assert_eq!(block, expected, "{block:?}");
        assert_eq!(decompress(&block, input.len()).unwrap(), input);
    }

    #[test]
    fn what_does_not_fit_is_none_and_nothing_else() {
        let input: Vec<u8> = (0..2_000_u32).flat_map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()).collect();
        for room in 0..200 {
            assert_eq!(compress(&input, &mut vec![0; room], &mut Table::default()), None);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(input in prop::collection::vec(0_u8..4, 0..3000)) {
            prop_assert_eq!(decompress(&block(&input), input.len()).unwrap(), input);
        }

        #[test]
        fn repeated_bytes_come_back(part in prop::collection::vec(any::<u8>(), 1..40), times in 1_usize..400) {
            let input = part.repeat(times);
            prop_assert_eq!(decompress(&block(&input), input.len()).unwrap(), input);
        }
    }
}
