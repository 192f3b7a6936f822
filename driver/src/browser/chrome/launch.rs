//! Starts Chrome on a pipe, and sees to its end.
//!
//! Chrome ends when its reading end of the pipe does: when this side closes it, or when this process is gone, whatever
//! ended it. Both of our ends are closed on exec, so that no other child keeps them open. Chrome has a process group of its
//! own, so that a key pressed in a terminal does not reach it, and so that all of it can be ended. A thread waits for the
//! process, and removes its profile.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::sync::watch;

use super::complaint::complaint;
use super::find::find;
use super::profile::Profile;
use crate::browser::Options;
use crate::error::{Code, Error};

/// How much of stderr is kept.
const TAIL: usize = 8 << 10;
/// From the end of the pipe to SIGKILL.
const PATIENCE: Duration = Duration::from_secs(2);

/// What Chrome is told: to be still, to be the same everywhere, and not to ask.
const ARGUMENTS: &[&str] = &[
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disable-features=BackForwardCache,MediaRouter,OptimizationHints,Translate",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--use-mock-keychain",
];

/// A Chrome that was started, and our ends of its pipes.
pub(crate) struct Launched {
    pub(crate) process: Process,
    /// What it writes comes from here.
    pub(crate) from: OwnedFd,
    /// What it reads goes here.
    pub(crate) to: OwnedFd,
}

/// A Chrome process. Dropping it does not end it: closing its pipe does.
#[derive(Debug)]
pub(crate) struct Process {
    pid: u32,
    program: String,
    ended: watch::Receiver<Option<ExitStatus>>,
    stderr: Arc<Mutex<Vec<u8>>>,
}

/// Starts Chrome. Fails with `cave_browser_unavailable`.
pub(crate) fn launch(options: &Options) -> Result<Launched, Error> {
    let program = find(options)?;
    let unavailable =
        |doing: &str, error: &io::Error| Error::new(Code::BrowserUnavailable, format!("{doing} failed: {error}"));
    let profile = Profile::create().map_err(|error| {
        unavailable("making a temporary profile", &error)
            .next("see that there is room in the folder for temporary files")
    })?;
    let started = start(options, &program, profile.folder());
    let (child, from, to) = match started {
        Ok(started) => started,
        Err(error) => {
            profile.remove();
            return Err(unavailable(&format!("starting {}", program.display()), &error));
        }
    };
    let process = Process::watch(child, program.display().to_string(), profile)
        .map_err(|error| unavailable("watching Chrome", &error))?;
    Ok(Launched { process, from, to })
}

fn start(options: &Options, program: &Path, profile: &Path) -> io::Result<(Child, OwnedFd, OwnedFd)> {
    let (its_reader, to) = io::pipe()?;
    let (from, its_writer) = io::pipe()?;
    // Chrome reads and writes here, and starts its processes, while it answers: room for more than a page's worth.
    for pipe in [OwnedFd::from(its_writer.try_clone()?), OwnedFd::from(its_reader.try_clone()?)] {
        widen(&pipe);
    }
    let mut command = Command::new(program);
    command.args(ARGUMENTS).arg(format!("--user-data-dir={}", profile.display()));
    if !options.headful {
        command.args(["--headless=new", "--hide-scrollbars"]);
    }
    command.args(&options.arguments).arg("about:blank");
    // What our own allocator is told is nothing to Chrome.
    command.env_remove("MALLOC_MMAP_THRESHOLD_").env_remove("MALLOC_TRIM_THRESHOLD_");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
    let mappings = vec![
        FdMapping { parent_fd: its_reader.into(), child_fd: 3 },
        FdMapping { parent_fd: its_writer.into(), child_fd: 4 },
    ];
    command.fd_mappings(mappings).map_err(io::Error::other)?;
    Ok((command.spawn()?, from.into(), to.into()))
}

/// A payload of megabytes goes through in fewer turns.
#[cfg(target_os = "linux")]
fn widen(pipe: &OwnedFd) {
    // Refused where the user has too many; the pipe stays as it is.
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn widen(_pipe: &OwnedFd) {}

impl Process {
    fn watch(mut child: Child, program: String, profile: Profile) -> io::Result<Self> {
        let (sender, ended) = watch::channel(None);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let pipe = child.stderr.take().map(OwnedFd::from);
        let tail = Arc::clone(&stderr);
        let pid = child.id();
        let reader = thread::Builder::new().name("chrome-stderr".to_owned());
        let reader = reader.spawn(move || pipe.map(|pipe| keep_tail(File::from(pipe), &tail)))?;
        thread::Builder::new().name("chrome-end".to_owned()).spawn(move || {
            let status = child.wait();
            let _ = sender.send(Some(status.unwrap_or_default()));
            // Its children hold stderr too, and are the last to write to the profile.
            let _ = reader.join();
            profile.remove();
            // The sender goes last: then nothing is left.
        })?;
        Ok(Self { pid, program, ended, stderr })
    }

    /// Waits for its end, for some time; then ends it, with all its processes.
    ///
    /// Its pipe must be closed, or be about to be: that is what ends it in peace.
    pub(crate) async fn end(&self) {
        if self.wait(PATIENCE).await.is_none() {
            self.kill();
            self.wait(PATIENCE).await;
        }
        self.left(PATIENCE).await;
    }

    /// Waits, for some time, until nothing of it is left: none of its processes, and no profile.
    async fn left(&self, patience: Duration) {
        let mut ended = self.ended.clone();
        let _ = tokio::time::timeout(patience, async { while ended.changed().await.is_ok() {} }).await;
    }

    /// Ends all its processes.
    pub(crate) fn kill(&self) {
        // Once it has ended, its number may be another's.
        if self.ended.borrow().is_some() {
            return;
        }
        if let Some(group) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    /// How it ended, where it does so in time.
    async fn wait(&self, patience: Duration) -> Option<ExitStatus> {
        let mut ended = self.ended.clone();
        let ended = tokio::time::timeout(patience, ended.wait_for(Option::is_some)).await;
        ended.ok().and_then(Result::ok).and_then(|status| *status)
    }

    /// Why it does not answer: ends it, and reads what it wrote.
    pub(crate) async fn complaint(&self) -> Error {
        let status = self.wait(Duration::from_millis(500)).await;
        if status.is_none() {
            self.kill();
        }
        self.left(PATIENCE).await;
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        complaint(&self.program, status, &String::from_utf8_lossy(&stderr))
    }

    /// Its process id.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }
}

/// Reads to the end, and keeps what came last.
fn keep_tail(mut stderr: File, tail: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(length @ 1..) = stderr.read(&mut chunk) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&chunk[..length]);
        let excess = tail.len().saturating_sub(TAIL);
        tail.drain(..excess);
    }
}
