//! `pack` and `unpack`: any bytes come back as they were, through files and pipes.

mod support;

use std::fs;

use support::{axpress, scratch_file};

#[test]
fn what_is_packed_is_unpacked_byte_for_byte_through_pipes() {
    for original in [b"".as_slice(), b"\xff\xfe\r\n\x00 no UTF-8", &b"{\"nodes\":[]} ".repeat(100_000)] {
        let blob = axpress(&["pack", "-"], original).done();
        assert!(blob.stdout.len() <= original.len() + 48);
        assert_eq!(axpress(&["unpack", "-"], &blob.stdout).done().stdout, original);
    }
}

#[test]
fn pack_and_unpack_say_the_handle_and_the_sizes_on_stderr() {
    let blob = axpress(&["pack", "-"], b"hello\n").done();
    assert_eq!(blob.stderr, "ccr_5891b5b522d5df086d0ff0b110fbd9d2; 6 to 54 bytes\n");
    let original = axpress(&["unpack", "-"], &blob.stdout).done();
    assert_eq!(original.stderr, "ccr_5891b5b522d5df086d0ff0b110fbd9d2; 54 to 6 bytes\n");
}

#[test]
fn a_file_gives_the_same_blob_as_a_pipe() {
    let file = scratch_file("a_file_gives_the_same_blob", "page.json");
    fs::write(&file, b"[1,2,3]").unwrap();
    let of_file = axpress(&["pack", file.to_str().unwrap()], b"").done();
    assert_eq!(of_file.stdout, axpress(&["pack", "-"], b"[1,2,3]").done().stdout);
}

#[test]
fn a_changed_blob_gives_no_bytes_but_its_code_its_byte_and_the_next_step() {
    let mut blob = axpress(&["pack", "-"], b"hello\n").done().stdout;
    blob[50] ^= 1;
    let run = axpress(&["unpack", "-"], &blob);
    assert_eq!((run.code, run.stdout.len()), (1, 0));
    assert!(run.stderr.starts_with("corrupt-blob at byte 16: "), "{}", run.stderr);
    assert!(run.stderr.contains(". Next: "), "{}", run.stderr);
}

#[test]
fn a_blob_of_a_later_version_or_codec_says_which() {
    let mut blob = axpress(&["pack", "-"], b"hello\n").done().stdout;
    blob[5] = 9;
    let codec = axpress(&["unpack", "-"], &blob);
    assert!(codec.stderr.starts_with("unsupported-blob at byte 5: the blob's codec is 9"), "{}", codec.stderr);
    blob[4] = 3;
    let version = axpress(&["unpack", "-"], &blob);
    assert!(version.stderr.starts_with("unsupported-blob at byte 4: the blob's format version is 3"));
    assert_eq!((codec.code, version.code), (1, 1));
}

#[test]
fn a_limit_that_is_reached_is_an_error_that_says_which() {
    let blob = axpress(&["pack", "-"], &[7; 1_000]).done().stdout;
    let run = axpress(&["unpack", "--input-bytes", "999", "-"], &blob);
    assert!(run.stderr.starts_with("blob-too-large at byte 8: "), "{}", run.stderr);
    let run = axpress(&["pack", "--input-bytes", "999", "-"], &[7; 1_000]);
    assert!(run.stderr.starts_with("payload-too-large at byte 999: "), "{}", run.stderr);
    let run = axpress(&["pack", "--input-bytes", "999", "-"], &vec![7; 10_000_000]);
    assert_eq!(run.code, 1, "an endless input is not read to its end");
}
