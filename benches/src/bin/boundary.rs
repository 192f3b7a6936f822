//! What crossing into C, Go and Python costs, beside the Rust call, on the table of 1.4 MB.
//!
//! `boundary time` and `boundary instructions` are for a checkout in which `make hosts` has run; `boundary child FILE` is
//! what the Rust side runs. Each host is a process that makes as many views as a line of its input says, and answers
//! with nanoseconds and the view's length. Rounds are interleaved, so that what else the machine does meets all alike;
//! the best round of each is what counts. Instructions are callgrind's, the difference of two runs, and don't depend on
//! the machine's load.
//!
//! Fails where C takes over 2 % more instructions than Rust, or Go or Python over 10 % more time than C.
#![allow(clippy::cast_precision_loss, reason = "nanoseconds of a round are far below 2 to the 52nd")]
#![allow(clippy::print_stdout, reason = "a table on standard output is what this is for")]

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use axpress_core::{Compressor, ViewOptions};
use axpress_tests::generate;
use axpress_tests::hosts::{self, command, root, run};

/// Rows of the table: 1.4 MB.
const ROWS: usize = 200;
/// Calls of a round.
const CALLS: usize = 20;
const ROUNDS: usize = 60;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["child", file] => child(Path::new(file)),
        ["time"] => time(),
        ["instructions"] => instructions(),
        _ => Err(io::Error::other("usage: boundary time|instructions")),
    }
}

/// The Rust side.
fn child(file: &Path) -> io::Result<()> {
    let payload = fs::read(file)?;
    let mut compressor = Compressor::new();
    for line in io::stdin().lines() {
        let calls: usize = line?.trim().parse().map_err(io::Error::other)?;
        let start = Instant::now();
        let mut length = 0;
        for _ in 0..calls {
            let view = compressor.view(std::hint::black_box(&payload), &ViewOptions::default());
            length = view.map_err(io::Error::other)?.text.len();
        }
        println!("{} {length}", start.elapsed().as_nanos());
    }
    Ok(())
}

fn payload(folder: &Path) -> io::Result<PathBuf> {
    let file = folder.join("berths.ax.json");
    fs::write(&file, generate::berths(ROWS, "Nothing checked yet"))?;
    Ok(file)
}

fn folder() -> io::Result<PathBuf> {
    let folder = root().join("target/hosts");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn rust(payload: &Path) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("child").arg(payload);
    Ok(command)
}

fn c(folder: &Path) -> PathBuf {
    let library = hosts::build(&root().join("target"), &["--release"]);
    let program = folder.join("boundary");
    let mut compiler = command("gcc", "gcc");
    compiler.args(["-std=c99", "-O2", "-I"]).arg(root().join("include")).arg("-o").arg(&program);
    compiler.arg(root().join("benches/hosts/boundary.c")).arg(&library.archive).args(&library.native);
    run(&mut compiler);
    program
}

/// A host that is running.
struct Host {
    name: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    best: u128,
    length: usize,
}

impl Host {
    fn start(name: &'static str, command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        Ok(Self { name, child, input, output, best: u128::MAX, length: 0 })
    }

    fn round(&mut self) -> io::Result<()> {
        writeln!(self.input, "{CALLS}")?;
        self.input.flush()?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let (time, length) = line.trim().split_once(' ').ok_or_else(|| io::Error::other("the host has ended"))?;
        self.best = self.best.min(time.parse().map_err(io::Error::other)?);
        self.length = length.parse().map_err(io::Error::other)?;
        Ok(())
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.input);
        self.child.wait().map(drop)
    }
}

fn time() -> io::Result<()> {
    let folder = folder()?;
    let payload = payload(&folder)?;
    let go = folder.join("boundary-go");
    run(command("go", "golang-go")
        .current_dir(root().join("ffi/go"))
        .args(["build", "-o"])
        .arg(&go)
        .arg("./internal/boundary"));
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        return Err(io::Error::other("the Python package is not installed: run make hosts first"));
    }
    let mut python = Command::new(python);
    python.arg(root().join("ffi/python/tests/boundary.py"));
    let mut hosts = [
        Host::start("Rust", &mut rust(&payload)?)?,
        Host::start("C", Command::new(c(&folder)).arg(&payload))?,
        Host::start("Go", Command::new(go).arg(&payload))?,
        Host::start("Python", python.arg(&payload))?,
    ];
    for _ in 0..ROUNDS {
        for host in &mut hosts {
            host.round()?;
        }
    }
    let c = hosts[1].best as f64;
    let bytes = fs::metadata(&payload)?.len();
    println!("view of {bytes} bytes, best of {ROUNDS} rounds of {CALLS} calls");
    let mut slow = false;
    let length = hosts[0].length;
    for host in hosts {
        let (best, ratio) = (host.best as f64, host.best as f64 / c);
        let per_call = best / CALLS as f64 / 1000.0;
        println!("{:<8} {per_call:>9.1} microseconds a call  {ratio:>6.3} of C", host.name);
        slow |= ratio > 1.10 && host.name != "Rust";
        if host.length != length || length == 0 {
            return Err(io::Error::other(format!("{} gives another view", host.name)));
        }
        host.end()?;
    }
    if slow { Err(io::Error::other("a host takes over 10 % more time than C")) } else { Ok(()) }
}

/// Instructions of one call: the difference of a run of 5 and one of 2, so that start-up and the first call's memory
/// don't count.
fn counted(program: &Command, folder: &Path) -> io::Result<f64> {
    let mut counts = [0.0; 2];
    for (count, calls) in counts.iter_mut().zip(["2", "5"]) {
        let input = folder.join("calls");
        fs::write(&input, calls)?;
        let mut valgrind = command("valgrind", "valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program.get_program());
        let output = valgrind.args(program.get_args()).stdin(fs::File::open(&input)?).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let collected = said.lines().find_map(|line| line.split("Collected : ").nth(1));
        let collected = collected.ok_or_else(|| io::Error::other(said.to_string()))?;
        *count = collected.trim().parse().map_err(io::Error::other)?;
    }
    Ok((counts[1] - counts[0]) / 3.0)
}

fn instructions() -> io::Result<()> {
    let folder = folder()?;
    let payload = payload(&folder)?;
    let rust = counted(&rust(&payload)?, &folder)?;
    let mut program = Command::new(c(&folder));
    program.arg(&payload);
    let c = counted(&program, &folder)?;
    let more = (c / rust - 1.0) * 100.0;
    println!(
        "view of {} bytes, instructions a call: Rust {rust:.0}, C {c:.0}: {more:+.2} %",
        fs::metadata(&payload)?.len()
    );
    if more > 2.0 { Err(io::Error::other("a call from C takes over 2 % more instructions")) } else { Ok(()) }
}
