//! Chrome as a program: it starts or says why not, and nothing of it is left.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use axpress_driver::Code;
use axpress_driver::browser::{Browser, Options, SnapshotRequest};

use super::support::{Chrome, Running, Server, Tab, limit, options, run};

fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

fn profiles_of(pid: u32) -> Vec<PathBuf> {
    let prefix = format!("axpress-profile-{pid}-");
    let entries = fs::read_dir(std::env::temp_dir()).expect("the folder for temporary files");
    entries.flatten().map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains(&prefix)).collect()
}

/// A program that does what a script says.
fn stub(name: &str, script: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its mode");
    path
}

/// A Chromium of its own that shows a page, and its process.
async fn started() -> (Server, Browser, Tab, u32) {
    let browser = Browser::new(options()).expect("a browser");
    let server = Server::page("<h1>Here</h1>");
    let tab = Tab::of(&browser).await;
    tab.go(&server.url("/")).await;
    let pid = browser.process_id().expect("it runs");
    (server, browser, tab, pid)
}

#[test]
fn when_it_is_closed_no_process_and_no_profile_is_left_and_it_starts_again() {
    run(async {
        let (server, browser, tab, pid) = started().await;
        browser.close().await;
        assert!(!runs(pid) && browser.process_id().is_none() && browser.tabs().is_empty());
        // A tab of before is none of the next one's.
        let error = browser.snapshot(tab.tab, &SnapshotRequest::default()).await.expect_err("it is gone");
        assert_eq!(error.code, Code::InvalidArguments);
        let next = Tab::of(&browser).await;
        assert!(next.tab > tab.tab);
        next.go(&server.url("/")).await.has("# Here");
        browser.close().await;
    });
}

#[test]
fn when_it_crashed_the_call_says_so_and_the_next_one_starts_it_again() {
    run(async {
        let (server, browser, tab, pid) = started().await;
        let waiting = browser.eval(tab.tab, "new Promise(() => 0)");
        let kill = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().expect("kill runs");
        };
        let begun = Instant::now();
        let (error, ()) = tokio::join!(waiting, kill);
        let error = error.expect_err("it was killed");
        assert!(error.code == Code::BrowserUnavailable && begun.elapsed() < limit(3), "{error}");
        let next = Tab::of(&browser).await;
        next.go(&server.url("/")).await.has("# Here");
        assert_ne!(browser.process_id(), Some(pid));
        browser.close().await;
    });
}

#[test]
fn two_at_once_have_profiles_of_their_own() {
    run(async {
        let (one, two) = (Browser::new(options()).expect("a browser"), Browser::new(options()).expect("a browser"));
        let (first, second) = tokio::join!(one.start(), two.start());
        first.and(second).expect("both start");
        assert_ne!(one.process_id(), two.process_id());
        let profiles: Vec<PathBuf> = profiles_of(std::process::id()).into_iter().filter(|path| path.is_dir()).collect();
        assert!(profiles.len() >= 2);
        for profile in profiles {
            assert_eq!(profile.metadata().expect("it is there").permissions().mode() & 0o777, 0o700);
        }
        one.close().await;
        two.close().await;
    });
}

/// Set in a process that starts a Chromium and is then killed.
const OWNER: &str = "AXPRESS_TEST_OWNER";

#[test]
fn when_its_owner_is_killed_it_is_gone_and_the_next_start_sweeps_what_it_left() {
    if std::env::var_os(OWNER).is_some() {
        return run(async {
            let browser = Browser::new(options()).expect("a browser");
            let tab = Tab::of(&browser).await;
            let server = Server::page("<button onclick='alert(1)'>Here</button>");
            tab.go(&server.url("/")).await;
            eprintln!("owned {}.", browser.process_id().expect("it runs"));
            std::future::pending::<()>().await;
        });
    }
    run(async {
        let name = "program::when_its_owner_is_killed_it_is_gone_and_the_next_start_sweeps_what_it_left";
        let owner = std::process::Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(OWNER, "1")
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut owner = Running(owner);
        let mut said = String::new();
        let mut stderr = owner.0.stderr.take().expect("its output");
        let chrome: u32 = loop {
            let mut byte = [0];
            std::io::Read::read_exact(&mut stderr, &mut byte).expect("it says more");
            said.push(char::from(byte[0]));
            let number = said.split_once("owned ").and_then(|(_, rest)| rest.strip_suffix('.'));
            if let Some(number) = number {
                break number.parse().expect("a process id");
            }
        };
        let owner_id = owner.0.id();
        assert!(runs(chrome) && !profiles_of(owner_id).is_empty());
        drop(owner);
        let killed = Instant::now();
        while runs(chrome) {
            assert!(killed.elapsed() < limit(3), "it outlived its owner");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        // Its last processes may still write; a later start finds what the first one could not remove.
        for _ in 0..10 {
            let next = Browser::new(options()).expect("a browser");
            next.start().await.expect("Chromium starts");
            next.close().await;
            if profiles_of(owner_id).is_empty() {
                return;
            }
        }
        panic!("left: {:?}", profiles_of(owner_id));
    });
}

async fn start_failure(chrome: PathBuf) -> axpress_driver::Error {
    let mut options = Options { chrome: Some(chrome), ..Options::default() };
    options.limits.start = Duration::from_secs(2);
    let browser = Browser::new(options).expect("a browser");
    let error = browser.start().await.expect_err("it does not start");
    assert_eq!(error.code, Code::BrowserUnavailable);
    error
}

#[test]
fn when_it_does_not_start_the_error_has_its_last_words_and_names_what_is_missing() {
    run(async {
        let rooted = stub("rooted", "echo 'Running as root without --no-sandbox is not supported.' >&2; exit 1");
        let error = start_failure(rooted).await;
        assert!(error.what.contains("Running as root") && error.next.contains("--no-sandbox"), "{error}");
        let library = "error while loading shared libraries: libnss3.so: cannot open shared object file";
        let error = start_failure(stub("bare", &format!("echo \"chrome: {library}\" >&2; exit 127"))).await;
        assert!(error.next.contains("libnss3.so"), "{error}");
        let begun = Instant::now();
        let error = start_failure(stub("mute", "exec sleep 60")).await;
        assert!(error.what.contains("did not answer") && begun.elapsed() < limit(6), "{error}");
        let error = start_failure("/nowhere/chrome".into()).await;
        assert!(error.what.contains("/nowhere/chrome"), "{error}");
    });
}

#[test]
fn a_browser_that_runs_already_is_attached_to_and_left_running() {
    run(async {
        let mut chrome = Chrome::start("attached").await;
        let (port, path) = (chrome.port.clone(), chrome.path.clone());
        let server = Server::page(&format!("<h1>Attached</h1>{}", "<p>filler of the page</p>".repeat(3000)));
        for endpoint in [format!("http://127.0.0.1:{port}"), format!("ws://127.0.0.1:{port}{path}")] {
            let browser = Browser::new(Options { endpoint: Some(endpoint), ..Options::default() }).expect("a browser");
            let tab = Tab::of(&browser).await;
            let seen = tab.go(&server.url("/")).await;
            seen.has("# Attached");
            // Beside ours, a client that knows nothing of us: the bytes are those that Chrome sends.
            let raw = chrome.raw_payload(&seen.snapshot.frame_id).await;
            assert_eq!(raw.as_bytes(), seen.snapshot.payload);
            browser.close().await;
            assert!(chrome.runs());
        }
        drop(chrome);
        let gone = Browser::new(Options { endpoint: Some(format!("http://127.0.0.1:{port}")), ..Options::default() });
        let error = gone.expect("a browser").start().await.expect_err("nobody listens there");
        assert!(error.next.contains("AXPRESS_CDP"), "{error}");
    });
}
