//! The libraries and the programs of other languages that tests build and run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder of the workspace.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// The libraries of one build.
#[derive(Clone, Debug)]
pub struct Libraries {
    /// `libaxpress.a`
    pub archive: PathBuf,
    /// `libaxpress.so`
    pub shared: PathBuf,
    /// What rustc says that a program must be linked with besides.
    pub native: Vec<String>,
}

/// Builds the libraries as they ship, or with further arguments to cargo, into a folder of their own.
///
/// # Panics
/// Where cargo fails; what it said is in the message.
#[must_use]
pub fn build(folder: &Path, arguments: &[&str]) -> Libraries {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(["rustc", "--locked", "--package", "axpress-ffi", "--lib"]);
    cargo.args(["--crate-type", "staticlib,cdylib"]).args(arguments).arg("--target-dir").arg(folder);
    cargo.args(["--", "--print", "native-static-libs"]);
    let output = run(&mut cargo);
    let said = String::from_utf8_lossy(&output.stderr);
    let native = said.lines().find_map(|line| line.split("native-static-libs: ").nth(1)).unwrap_or_default();
    let native = native.split_whitespace().map(str::to_owned).collect();
    let profile = if arguments.contains(&"--release") { "release" } else { "debug" };
    let file = |name: &str| folder.join(profile).join(name);
    Libraries { archive: file("libaxpress.a"), shared: file("libaxpress.so"), native }
}

/// Whether a program is missing: it can't be started.
#[must_use]
pub fn missing(program: &str) -> bool {
    let mut command = Command::new(program);
    let version = if program == "go" { "version" } else { "--version" };
    command.arg(version).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_err()
}

/// A program of another language; fails by its name where it is missing.
///
/// # Panics
/// Where it is missing.
#[must_use]
pub fn command(program: &str, package: &str) -> Command {
    assert!(!missing(program), "{program} is missing: apt-get install {package}");
    Command::new(program)
}

/// Runs a program that must succeed.
///
/// # Panics
/// Where it does not; what it said is in the message.
pub fn run(command: &mut Command) -> Output {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}
