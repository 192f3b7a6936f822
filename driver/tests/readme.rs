//! The README tells the truth: each `console` block is run, and what it shows is what comes.
//!
//! A block is commands, each after `$ `, and what they print, stdout before stderr. `AXP_UPDATE=1` writes what came.
//! Blocks of other kinds (`sh`) are not run.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's root, where a reader stands.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What a shell prints for a command, `axpress` being the one that was built.
fn run(command: &str) -> String {
    let built = Path::new(env!("CARGO_BIN_EXE_axpress")).parent().unwrap();
    let mut path = vec![built.to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root())
        .env("PATH", env::join_paths(path).unwrap())
        .output()
        .expect("sh starts");
    [output.stdout, output.stderr]
        .into_iter()
        .map(|bytes| String::from_utf8(bytes).expect("commands print text"))
        .filter(|text| !text.is_empty())
        // Where stdout is a terminal, axpress ends it with a newline.
        .map(|text| if text.ends_with('\n') { text } else { text + "\n" })
        .collect()
}

/// The README with what its commands print now, and how many those are.
fn as_it_is_now(readme: &str) -> (String, usize) {
    let (mut now, mut commands, mut in_console) = (String::new(), 0, false);
    for line in readme.lines() {
        if line.starts_with("```") {
            in_console = line == "```console";
        }
        let command = line.strip_prefix("$ ").filter(|_| in_console);
        if !in_console || command.is_some() || line.starts_with("```") {
            now.extend([line, "\n"]);
        }
        if let Some(command) = command {
            now += &run(command);
            commands += 1;
        }
    }
    (now, commands)
}

#[test]
fn what_the_readme_shows_is_what_the_commands_print() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (now, commands) = as_it_is_now(&readme);
    assert!(commands > 0, "the README has no command to check");
    if env::var_os("AXP_UPDATE").is_some() {
        fs::write(&path, &now).unwrap();
        return;
    }
    for (number, (shown, printed)) in (1..).zip(readme.lines().zip(now.lines())) {
        assert_eq!(shown, printed, "README.md, line {number}: run with AXP_UPDATE=1 to write what is printed");
    }
    assert_eq!(readme.lines().count(), now.lines().count(), "README.md shows more or less than is printed");
}
