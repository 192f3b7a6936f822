//! How the program is called, and what it says when it is called wrongly.

mod support;

use std::io::Read;
use std::process::{Command, Stdio};

use support::axpress;

#[test]
fn an_unknown_command_is_exit_2_with_the_usage_on_stderr() {
    let wrong: [&[&str]; 5] = [&["nosuch"], &["snap", "nosuch"], &["view"], &["view", "--nosuch", "-"], &[]];
    for arguments in wrong {
        let run = axpress(arguments, b"");
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stdout.is_empty(), "{arguments:?}");
        assert!(run.stderr.contains("Usage: axpress"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn a_blob_does_not_go_where_the_view_goes() {
    let run = axpress(&["compress", "-", "-o", "-"], support::small_page().as_bytes());
    assert_eq!((run.code, run.stdout.len()), (2, 0));
    assert!(run.stderr.contains("the blob needs a file"), "{}", run.stderr);
}

#[test]
fn standard_input_is_not_both_of_two_payloads() {
    let run = axpress(&["view", "-", "--since", "-"], support::small_page().as_bytes());
    assert_eq!((run.code, run.stdout.len()), (2, 0));
    assert!(run.stderr.contains("pass the other one as a file"), "{}", run.stderr);
}

#[test]
fn help_and_version_are_results() {
    let help = axpress(&["--help"], b"").done();
    for command in ["view", "outline", "compress", "pack", "unpack", "tokens"] {
        assert!(help.text().contains(&format!("\n  {command} ")), "{command}");
    }
    assert_eq!(axpress(&["--version"], b"").done().text(), concat!("axpress ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn a_file_that_is_not_there_is_exit_1_with_the_next_step() {
    for command in ["view", "outline", "compress", "pack", "unpack", "tokens"] {
        let run = axpress(&[command, "no/such/file.json"], b"");
        assert_eq!((run.code, run.stdout.len()), (1, 0), "{command}");
        assert!(run.stderr.starts_with("cannot-read: no/such/file.json: "), "{}", run.stderr);
        assert!(run.stderr.contains(". Next: "), "{}", run.stderr);
    }
}

#[test]
fn tokens_prints_one_number() {
    let run = axpress(&["tokens", "-"], b"button Save order @2462").done();
    assert_eq!((run.text(), run.stderr.as_str()), ("6\n", ""));
    let run = axpress(&["tokens", "-"], b"ab\xff");
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with("not-text at byte 2: "), "{}", run.stderr);
}

#[test]
fn a_reader_that_closes_its_pipe_is_met_with_silence() {
    let blob = axpress(&["pack", "-"], &vec![b'x'; 8_000_000]).done().stdout;
    let file = support::scratch_file("a_reader_that_closes_its_pipe", "blob");
    std::fs::write(&file, blob).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_axpress"))
        .arg("unpack")
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!((first, run.status.code(), run.stderr.as_slice()), ([b'x'; 10], Some(0), b"".as_slice()));
}
