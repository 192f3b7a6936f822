//! What blobs promise, on any bytes.

use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{Handle, Scratch};
use crate::error::ErrorKind;
use crate::limits::Limits;

const HEADER: usize = 48;

fn pack(original: &[u8]) -> Vec<u8> {
    Scratch::default().pack(original, &Limits::DEFAULT).unwrap().1.to_vec()
}

/// What is wrong with a blob, and where.
fn fault(blob: &[u8]) -> (ErrorKind, usize) {
    let error = Scratch::default().unpack(blob, &Limits::DEFAULT).unwrap_err();
    (error.kind, error.offset)
}

/// Bytes without a pattern that LZ4 could find.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn originals() -> Vec<Vec<u8>> {
    vec![
        vec![],
        b"{".to_vec(),
        b"\xef\xbb\xbf{\"nodes\":[]}\r\n".to_vec(),
        b"\xff\xfe\x80 no UTF-8 \xc3".to_vec(),
        vec![0; 100_000],
        vec![255; 70_000],
        noise(5_000),
        br#"{"nodeId":"1","ignored":false,"role":{"type":"role","value":"button"}},"#.repeat(2_000),
    ]
}

#[test]
fn any_bytes_come_back_as_they_were() {
    let mut scratch = Scratch::default();
    for original in originals() {
        let (handle, blob) = scratch.pack(&original, &Limits::DEFAULT).unwrap();
        assert_eq!(handle, Handle::of(&original));
        let blob = blob.to_vec();
        assert!(blob.len() <= original.len() + HEADER, "{} of {}", blob.len(), original.len());
        assert_eq!(scratch.unpack(&blob, &Limits::DEFAULT).unwrap(), original);
    }
}

#[test]
fn a_blob_is_laid_out_as_its_format_says() {
    let original = b"hello\n";
    let mut expected = b"AXPB\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00".to_vec();
    // `printf 'hello\n' | sha256sum`
    expected.extend(0x5891_b5b5_22d5_df08_6d0f_f0b1_10fb_d9d2_u128.to_be_bytes());
    expected.extend(0x1bb4_fc71_63af_34d0_8286_a2e8_46f6_be03_u128.to_be_bytes());
    expected.extend(original);
    assert_eq!(pack(original), expected);
    assert_eq!(pack(&[0; 10_000])[..8], *b"AXPB\x01\x01\x00\x00");
}

#[test]
fn a_used_scratch_packs_the_same_bytes_as_a_fresh_one() {
    let mut used = Scratch::default();
    let originals = originals();
    for before in &originals {
        for original in &originals {
            used.pack(before, &Limits::DEFAULT).unwrap();
            assert_eq!(used.pack(original, &Limits::DEFAULT).unwrap().1, pack(original));
        }
    }
}

#[test]
fn every_change_of_one_byte_is_an_error_or_gives_back_the_same_bytes() {
    let mut scratch = Scratch::default();
    let repeated = b"button Save; button Save; button Save; button Save order".to_vec();
    for original in [vec![], b"hello\n".to_vec(), noise(40), repeated, vec![7; 300]] {
        let blob = pack(&original);
        for position in 0..blob.len() {
            let mut changed = blob.clone();
            for value in 0..=u8::MAX {
                changed[position] = value;
                if let Ok(back) = scratch.unpack(&changed, &Limits::DEFAULT) {
                    assert_eq!(back, original, "byte {position} as {value}");
                }
            }
        }
    }
}

#[test]
fn every_cut_of_a_blob_is_an_error() {
    let mut scratch = Scratch::default();
    for original in [b"hello\n".to_vec(), b"button Save; ".repeat(40)] {
        let blob = pack(&original);
        for length in 0..blob.len() {
            let error = scratch.unpack(&blob[..length], &Limits::DEFAULT).unwrap_err();
            assert_eq!(error.kind, ErrorKind::CorruptBlob, "{length} bytes");
            assert!(error.offset <= length || length >= HEADER);
        }
    }
}

#[test]
fn a_fault_is_told_at_the_byte_where_it_shows() {
    let blob = pack(b"hello\n");
    let with = |position: usize, value: u8| {
        let mut changed = blob.clone();
        changed[position] = value;
        fault(&changed)
    };
    assert_eq!(fault(b""), (ErrorKind::CorruptBlob, 0));
    assert_eq!(fault(b"AXPB"), (ErrorKind::CorruptBlob, 4));
    assert_eq!(fault(&blob[..20]), (ErrorKind::CorruptBlob, 20));
    assert_eq!(with(2, b'p'), (ErrorKind::CorruptBlob, 2));
    assert_eq!(with(4, 0), (ErrorKind::CorruptBlob, 4));
    assert_eq!(with(4, 2), (ErrorKind::UnsupportedBlob, 4));
    assert_eq!(with(5, 2), (ErrorKind::UnsupportedBlob, 5));
    assert_eq!(with(7, 1), (ErrorKind::CorruptBlob, 7));
    assert_eq!(with(8, 7), (ErrorKind::CorruptBlob, 8));
    assert_eq!(with(15, 1), (ErrorKind::BlobTooLarge, 8));
    assert_eq!(with(16, 0), (ErrorKind::CorruptBlob, 16), "the hash is not that of the bytes");
    assert_eq!(with(48, b'H'), (ErrorKind::CorruptBlob, 16));
    assert_eq!(with(5, 1), (ErrorKind::CorruptBlob, 48), "the codec's bytes are not LZ4's");
}

#[test]
fn a_later_version_is_named_before_anything_else_that_it_may_have_changed() {
    assert_eq!(fault(b"AXPB\x02"), (ErrorKind::UnsupportedBlob, 4));
    assert_eq!(fault(b"AXPB\x02\x07\x01\x01"), (ErrorKind::UnsupportedBlob, 4));
}

#[test]
fn a_length_that_its_bytes_cannot_hold_reserves_nothing() {
    let mut blob = pack(&[0; 10_000]);
    blob[8..16].copy_from_slice(&(1_u64 << 29).to_le_bytes());
    let mut scratch = Scratch::default();
    let error = scratch.unpack(&blob, &Limits::DEFAULT).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::CorruptBlob, 8));
    assert_eq!(scratch.out.capacity(), 0);
}

#[test]
fn the_limit_on_input_bytes_holds_both_ways() {
    let blob = pack(&[0; 1_001]);
    let mut scratch = Scratch::default();
    let limits = Limits { input_bytes: 1_000, ..Limits::DEFAULT };
    let error = scratch.pack(&[0; 1_001], &limits).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::PayloadTooLarge, 1_000));
    let error = scratch.unpack(&blob, &limits).unwrap_err();
    assert_eq!((error.kind, error.offset), (ErrorKind::BlobTooLarge, 8));
    assert_eq!(scratch.out.capacity(), 0);
    let blob = scratch.pack(&[0; 1_000], &limits).unwrap().1.to_vec();
    assert_eq!(scratch.unpack(&blob, &limits).unwrap(), [0; 1_000]);
}

#[test]
fn lengths_that_would_wrap_around_are_no_part_of_an_honest_blob() {
    for original in originals() {
        let blob = pack(&original);
        if blob[5] == 1 {
            assert!(super::blob::longest_run(&blob[HEADER..]) <= super::blob::longest_length(original.len()));
        }
    }
    assert!(super::blob::longest_run(&[255; 1_000]) > super::blob::longest_length(100_000));
}

proptest! {
    #[test]
    fn bytes_of_any_kind_come_back(original in prop::collection::vec(any::<u8>(), 0..600), times in 1_usize..40) {
        let original = original.repeat(times);
        let blob = pack(&original);
        prop_assert!(blob.len() <= original.len() + HEADER);
        let mut scratch = Scratch::default();
        prop_assert_eq!(scratch.unpack(&blob, &Limits::DEFAULT).unwrap(), &original);
    }

    #[test]
    fn what_is_no_blob_is_an_error(blob in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Scratch::default().unpack(&blob, &Limits::DEFAULT).is_err());
    }

    #[test]
    fn a_sound_header_before_strange_bytes_is_an_error(
        codec in 0_u8..2,
        length in 0_u64..5_000,
        rest in prop::collection::vec(any::<u8>(), 32..400),
    ) {
        let mut blob = b"AXPB\x01".to_vec();
        blob.extend([codec, 0, 0]);
        blob.extend(length.to_le_bytes());
        blob.extend(rest);
        prop_assert!(Scratch::default().unpack(&blob, &Limits::DEFAULT).is_err());
    }

    #[test]
    fn several_changes_give_an_error_or_the_same_bytes(
        word in prop::collection::vec(any::<u8>(), 1..30),
        times in 1_usize..50,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let original = word.repeat(times);
        let mut blob = pack(&original);
        for (position, value) in changes {
            let position = position.index(blob.len());
            blob[position] = value;
        }
        if let Ok(back) = Scratch::default().unpack(&blob, &Limits::DEFAULT) {
            prop_assert_eq!(back, &original);
        }
    }
}
