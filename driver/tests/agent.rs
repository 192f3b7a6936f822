//! The whole way with a real Chromium: what an agent gets over MCP, and a person from the commands.
//!
//! `make browser` runs these; they fail where there is no Chromium. Pages are the tests' own, on loopback.
#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use axpress_core::Handle;
use axpress_driver::tokens;
use serde_json::{Value, json};
use support::server::Server;
use support::time::limit;
use support::uid::uid;
use support::{Run, processes_of, with_even_handles};
use tempfile::TempDir;

/// A page by its path.
type Served = (&'static str, fn() -> String);

/// Serves pages by their path until the tests end.
fn serve(pages: &'static [Served]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answer = move |mut stream: TcpStream| {
        let mut request = String::new();
        let mut lines = BufReader::new(stream.try_clone().unwrap());
        lines.read_line(&mut request).unwrap();
        let mut line = String::new();
        while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
            line.clear();
        }
        let path = request.split(' ').nth(1).unwrap_or("/");
        let page = pages.iter().find(|(name, _)| *name == path).map(|(_, page)| page());
        let (status, body) = page.map_or(("404 Not Found", String::new()), |page| ("200 OK", page));
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n");
        let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len());
    };
    thread::spawn(move || listener.incoming().flatten().for_each(|stream| drop(thread::spawn(move || answer(stream)))));
    address
}

/// A table of 200 orders, each with a button that says below the table which order was reviewed.
fn orders() -> String {
    let row = |row: usize| {
        let state = ["new", "checked", "manual review"][row % 3];
        format!(
            "<tr><td>ORD-{row:04}</td><td>Customer {row}</td><td>{state}</td><td>EUR {}.50</td><td><button \
             onclick=\"said.textContent='Reviewed ORD-{row:04}'\">Review</button></td></tr>",
            row * 7 % 900
        )
    };
    let rows: String = (0..200).map(row).collect();
    format!(
        "<!doctype html><title>Orders</title><h1>Orders</h1><p role=status id=said>Nothing reviewed</p>\
         <table><caption>Orders to review</caption><tr><th>Order<th>Customer<th>State<th>Amount<th>Action</tr>{rows}</table>"
    )
}

fn form() -> String {
    "<!doctype html><title>Form</title><h1>Form</h1>
     <label>Name <input id=name></label> <label>Password <input type=password id=pass></label>
     <label>Code <input autocomplete=one-time-code value=SENTINEL-5150></label>
     <button onclick=\"alert('Saved as '+document.getElementById('name').value)\">Save</button>
     <button onclick=\"window.open('/orders')\">Orders</button>"
        .to_owned()
}

/// A page of this repository.
fn of_file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests").join(path)).unwrap()
}

/// A clock of seconds beside a button that does nothing, and one that does something after a while.
fn clock() -> String {
    "<!doctype html><title>Clock</title><h1>Clock</h1><p id=clock>0</p><button>Idle</button>
     <button onclick=\"setTimeout(() => said.textContent = 'Reviewed', 250)\">Review</button><p role=status id=said>Nothing</p>
     <script>setInterval(() => clock.textContent = `Now ${new Date().toISOString()}`, 1000)</script>"
        .to_owned()
}

fn upload() -> String {
    "<!doctype html><title>Upload</title><h1>Upload</h1><label>Report <input type=file></label><p>A file of yours</p>"
        .to_owned()
}

/// A thousand lines to the console at once, and more all the time.
fn noisy() -> String {
    "<!doctype html><title>Noisy</title><h1>Noisy</h1><p role=status id=said>None</p>
     <button onclick=\"said.textContent='Counted'; console.error('NOISE of the click')\">Count</button>
     <script>let written = 0; const write = lines => { while (lines--) console.log('NOISE', written++) };
     write(1000); setInterval(write, 10, 20)</script>"
        .to_owned()
}

/// Buttons that ask, some time after they were clicked.
fn asking() -> String {
    let button = |delay: u32| {
        format!(
            "<button onclick=\"setTimeout(() => said.textContent = confirm('Sure?'), {delay})\">Ask in {delay}</button>"
        )
    };
    let buttons: String = [0, 50, 500].map(button).concat();
    format!("<!doctype html><title>Asking</title><h1>Asking</h1>{buttons}<p role=status id=said>Nothing asked</p>")
}

const PAGES: &[Served] = &[
    ("/orders", orders),
    ("/form", form),
    ("/checkout", || of_file("fixtures/checkout/page.html")),
    ("/200-rows", || of_file("pages/orders.html")),
    ("/500-rows", || of_file("pages/parcels.html")),
    ("/clock", clock),
    ("/upload", upload),
    ("/noisy", noisy),
    ("/asking", asking),
];

fn program(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_axpress"));
    command.env("AXPRESS_HOME", home);
    command
}

/// Its server, with which a session has been opened.
fn serving(home: &Path) -> Server {
    Server::open(program(home), &[])
}

#[test]
fn an_agent_finds_a_row_by_query_clicks_its_button_sees_what_came_of_it_and_gets_the_original_back() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let (whole, figures) = server.call("browser_snapshot", &json!({ "url": format!("{site}/orders") }));
    assert!(tokens::count(&whole) <= 5000, "{}", tokens::count(&whole));
    assert_eq!(figures["_meta"]["tokens_after"], tokens::count(&whole));
    let (again, second) = server.call("browser_snapshot", &json!({}));
    assert_eq!(figures["_meta"]["recovery_handle"], second["_meta"]["recovery_handle"], "the page is still");
    assert_eq!(whole, again);

    let (found, _) = server.call("browser_snapshot", &json!({ "query": "ORD-0123" }));
    assert!(found.contains("Customer 123") && !found.contains("ORD-0122"), "{found}");
    let click = json!({ "action": "click", "uid": uid(&found, "ORD-0123") });
    let (done, figures) = server.call("browser_act", &click);
    assert!(done.starts_with("changed") && done.contains("Reviewed ORD-0123"), "{done}");
    assert_eq!((&figures["isError"], &figures["_meta"]["ok"]), (&json!(false), &json!(true)));
    assert!(tokens::count(&done) <= 90, "{}: {done}", tokens::count(&done));

    let handle = second["_meta"]["recovery_handle"].as_str().unwrap();
    let original = recovered(&mut server, &handle[..12]);
    assert_eq!(Handle::of(original.as_bytes()).to_string(), handle, "byte for byte");
    assert!(original.starts_with(r#"{"nodes":["#) && original.contains("ORD-0123"));
    let (since, _) = server.call("browser_snapshot", &json!({ "since": handle }));
    assert!(since.contains("Reviewed ORD-0123") && !since.contains("ORD-0100"), "{since}");
}

#[test]
fn catalog_snapshots_and_a_click_cost_no_more_tokens_than_they_may() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let catalog = server.ask("tools/list", &json!({}))["result"].to_string();
    assert!(tokens::count(&catalog) <= 600, "{}: {catalog}", tokens::count(&catalog));
    for (path, last, most) in [("/checkout", "Order ticket", 65), ("/200-rows", "ORD-0199", 4900)] {
        let (whole, figures) = server.call("browser_snapshot", &json!({ "url": format!("{site}{path}") }));
        let cost = tokens::count(&with_even_handles(&whole));
        assert!(cost <= most && whole.contains(last), "{path}: {cost}: {whole}");
        let (after, view) = (figures["_meta"]["tokens_after"].as_u64(), figures["_meta"]["view_tokens"].as_u64());
        assert_eq!(after, Some(tokens::count(&whole) as u64), "{path}");
        assert!(after <= view.map(|view| view + 30), "{path}: {figures}");
    }
    let (found, _) =
        server.call("browser_snapshot", &json!({ "url": format!("{site}/500-rows"), "query": "PCL-00250" }));
    let (done, _) = server.call("browser_act", &json!({ "action": "click", "uid": uid(&found, "PCL-00250") }));
    assert!(done.starts_with("changed") && done.contains("Opened PCL-00250"), "{done}");
    let cost = tokens::count(&with_even_handles(&done));
    assert!(cost <= 90, "{cost}: {done}");
}

/// The original of a handle, slice by slice.
fn recovered(server: &mut Server, handle: &str) -> String {
    let (mut original, mut offset) = (String::new(), json!(0));
    loop {
        let arguments = json!({ "recovery_handle": handle, "offset": offset });
        let (slice, figures) = server.call("browser_recover", &arguments);
        assert_eq!(figures["isError"], false, "{slice}");
        original += &slice;
        match &figures["_meta"]["next_offset"] {
            Value::Null => return original,
            next => offset = next.clone(),
        }
    }
}

#[test]
fn two_servers_at_once_store_in_one_home_and_each_recovers_what_the_other_gave() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let pages = ["/200-rows", "/checkout", "/500-rows", "/form"];
    let given: Vec<(Server, Vec<String>)> = thread::scope(|scope| {
        let (home, site) = (home.path(), &site);
        let work = move || {
            let mut server = serving(home);
            let snapshot = |path: &&str| {
                let (text, figures) = server.call("browser_snapshot", &json!({ "url": format!("{site}{path}") }));
                figures["_meta"]["recovery_handle"].as_str().unwrap_or_else(|| panic!("{text}")).to_owned()
            };
            let handles = pages.iter().map(snapshot).collect();
            (server, handles)
        };
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let [(one, of_one), (two, of_two)] = <[_; 2]>::try_from(given).ok().unwrap();
    for (mut server, handles) in [(one, of_two), (two, of_one)] {
        // The last page holds a code: what gives it back is another test's.
        for handle in &handles[..3] {
            assert_eq!(Handle::of(recovered(&mut server, handle).as_bytes()).to_string(), *handle);
        }
    }
}

#[test]
fn in_a_home_that_can_not_be_written_originals_come_back_for_as_long_as_the_server_runs() {
    let (file, site) = (tempfile::NamedTempFile::new().unwrap(), serve(PAGES));
    let mut server = serving(&file.path().join("below"));
    let mut handles = Vec::new();
    for path in ["/checkout", "/200-rows"] {
        let (text, figures) = server.call("browser_snapshot", &json!({ "url": format!("{site}{path}") }));
        handles.push(figures["_meta"]["recovery_handle"].as_str().unwrap_or_else(|| panic!("{text}")).to_owned());
    }
    for handle in handles {
        assert_eq!(Handle::of(recovered(&mut server, &handle).as_bytes()).to_string(), handle);
    }
}

#[test]
#[cfg(target_os = "linux")]
#[allow(clippy::print_stderr, reason = "a test that can't be run says so")]
fn on_a_full_disk_a_snapshot_says_so_and_what_was_given_before_still_counts() {
    // The disk is one of this process alone, which not every machine allows.
    let own_mounts = ["--user", "--map-root-user", "--mount"];
    if !Command::new("unshare").args(own_mounts).arg("true").status().is_ok_and(|status| status.success()) {
        return eprintln!("not run: this machine allows no mounts of one's own");
    }
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut program = Command::new("unshare");
    let script = r#"mount -t tmpfs -o size=2m none "$AXPRESS_HOME" && exec "$0" "$@""#;
    // In there all are root, to whom Chromium refuses its sandbox.
    let flags = format!("{} --no-sandbox", std::env::var("AXPRESS_CHROME_ARGS").unwrap_or_default());
    program.args(own_mounts).args(["sh", "-c", script, env!("CARGO_BIN_EXE_axpress")]);
    program.env("AXPRESS_HOME", home.path()).env("AXPRESS_CHROME_ARGS", flags);
    let mut server = Server::open(program, &[]);
    let url = json!({ "url": format!("{site}/500-rows"), "query": "PCL-00250" });
    let (found, figures) = server.call("browser_snapshot", &url);
    let handle = figures["_meta"]["recovery_handle"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned();
    let open = json!({ "action": "click", "uid": uid(&found, "PCL-00250") });
    let delete = json!({ "action": "click", "uid": uid(&found, "Delete") });
    let full = (0..100).find_map(|round| {
        // Each time another page.
        let (done, _) = server.call("browser_act", if round % 2 == 0 { &open } else { &delete });
        assert!(done.starts_with("changed"), "{done}");
        let title = json!({ "expression": format!("document.title = 'Parcels {round}'") });
        server.call("browser_eval", &title);
        let (text, figures) = server.call("browser_snapshot", &json!({}));
        (figures["isError"] == true).then_some(text)
    });
    let full = full.expect("two megabytes are full before a hundred pages are stored");
    assert!(full.starts_with("cave_store_full: ") && full.contains(" Next: "), "{full}");
    assert_eq!(Handle::of(recovered(&mut server, &handle).as_bytes()).to_string(), handle);
    // One of the two has been clicked last.
    server.call("browser_act", &open);
    for (click, done) in [(&delete, "Deleted PCL-00250"), (&open, "Opened PCL-00250")] {
        let (said, _) = server.call("browser_act", click);
        assert!(said.contains(done), "{said}");
    }
}

#[test]
fn a_form_is_filled_its_dialog_answered_its_tab_named_and_its_secrets_kept() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let (view, figures) = server.call("browser_snapshot", &json!({ "url": format!("{site}/form") }));
    let typed = json!({ "steps": [
        { "action": "type", "uid": uid(&view, "textbox Name"), "text": "Zoë" },
        { "action": "type", "uid": uid(&view, "textbox Password"), "text": "SENTINEL-4711" },
    ] });
    let (done, _) = server.call("browser_act", &typed);
    assert!(done.contains("Zoë"), "{done}");
    let begin = Instant::now();
    let (dialog, figures_of_dialog) =
        server.call("browser_act", &json!({ "action": "click", "uid": uid(&view, "Save") }));
    assert!(begin.elapsed() < limit(1), "{:?}", begin.elapsed());
    assert_eq!(dialog, r#"dialog alert "Saved as Zoë""#);
    assert_eq!(figures_of_dialog["_meta"]["verdict"], "dialog");
    let (accepted, figures_of_accept) = server.call("browser_act", &json!({ "action": "accept_dialog" }));
    assert_eq!(figures_of_accept["isError"], false, "{accepted}");
    let (opened, _) = server.call("browser_act", &json!({ "action": "click", "uid": uid(&view, "Orders") }));
    assert!(opened.starts_with(&format!("new tab 2 {site}/orders")), "{opened}");
    let recover = json!({ "recovery_handle": figures["_meta"]["recovery_handle"] });
    let (withheld, _) = server.call("browser_recover", &recover);
    assert!(withheld.starts_with("cave_recovery_withheld: "), "{withheld}");
    assert!(!server.said.contains("SENTINEL"), "no secret in anything that was said");
}

#[test]
fn an_act_is_not_credited_with_what_a_page_changes_by_itself() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let (view, _) = server.call("browser_snapshot", &json!({ "url": format!("{site}/clock") }));
    for round in 0..4 {
        // The clock ticks between what was seen and what is done.
        thread::sleep(Duration::from_millis(1300 * (round % 2)));
        let (done, figures) = server.call("browser_act", &json!({ "action": "click", "uid": uid(&view, "Idle") }));
        assert!(done.starts_with("no change seen"), "{done}");
        assert_eq!(figures["_meta"]["verdict"], "no_change_seen");
        // What has the focus is another one after the first click, and that is no change.
        let ticked = done.contains("Now 2");
        assert!(round % 2 == 0 || ticked, "{done}");
        assert!(!ticked || done.starts_with("no change seen; the page changes by itself\n"), "{done}");
    }
    let (done, _) = server.call("browser_act", &json!({ "action": "click", "uid": uid(&view, "Review") }));
    let waited = json!({ "action": "wait", "text": "Reviewed" });
    let shown = if done.contains("Reviewed") { done } else { server.call("browser_act", &waited).0 };
    assert!(shown.contains("Reviewed"), "{shown}");
}

#[test]
fn a_file_is_uploaded_only_from_where_files_may_be_uploaded() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let secret = fs::canonicalize("/etc/hostname").unwrap();
    let file = home.path().join("report.txt");
    fs::write(&file, "x").unwrap();
    std::os::unix::fs::symlink(&secret, home.path().join("link.txt")).unwrap();
    let mut server = serving(home.path());
    let (view, _) = server.call("browser_snapshot", &json!({ "url": format!("{site}/upload") }));
    let upload = |path: &Path| json!({ "action": "upload", "uid": uid(&view, "Report"), "path": path });
    for refused in [&secret, &home.path().join("link.txt"), &home.path().join("../../etc/hostname")] {
        let (said, figures) = server.call("browser_act", &upload(refused));
        assert!(said.starts_with("cave_invalid_arguments: ") && said.contains("AXPRESS_FILES"), "{said}");
        assert_eq!(figures["isError"], true);
    }
    let (said, _) = server.call("browser_act", &upload(&file));
    assert!(said.contains("report.txt"), "{said}");
    // A command decides by its own folder and its own environment.
    let view = run(home.path(), &["snapshot", &format!("{site}/upload")]).done();
    let refused = run(home.path(), &["act", "upload", &uid(view.text(), "Report"), "/etc/hostname"]);
    assert!(refused.code == 1 && refused.stderr.starts_with("cave_invalid_arguments: "), "{}", refused.stderr);
    let allowed = program(home.path())
        .env("AXPRESS_FILES", "/etc")
        .args(["act", "upload", &uid(view.text(), "Report"), "/etc/hostname"])
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&allowed.stdout).contains("hostname"), "{allowed:?}");
    run(home.path(), &["close"]).done();
}

#[test]
fn what_a_page_writes_to_its_console_is_in_no_answer() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let (view, _) = server.call("browser_snapshot", &json!({ "url": format!("{site}/noisy") }));
    let (written, _) = server.call("browser_eval", &json!({ "expression": "written" }));
    let (done, _) = server.call("browser_act", &json!({ "action": "click", "uid": uid(&view, "Count") }));
    assert!(done.starts_with("changed\n") && tokens::count(&done) <= 40, "{done}");
    let (later, _) = server.call("browser_eval", &json!({ "expression": "written" }));
    let (written, later): (u64, u64) = (written.parse().unwrap(), later.parse().unwrap());
    assert!(written >= 1000 && later > written, "{written} lines, then {later}");
    assert!(!server.said.contains("NOISE"), "{}", server.said);
}

#[test]
fn a_dialog_that_opens_at_any_time_after_a_click_is_told_and_answered() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    for delay in ["0", "50", "500"] {
        let (view, _) = server.call("browser_snapshot", &json!({ "url": format!("{site}/asking") }));
        let click = json!({ "action": "click", "uid": uid(&view, &format!("Ask in {delay}")) });
        let (mut said, _) = server.call("browser_act", &click);
        // The click's answer may have come before the dialog: then a snapshot is told of it, sooner or later.
        let begin = Instant::now();
        while !said.contains("Sure?") {
            assert!(begin.elapsed() < limit(10), "{delay}: {said}");
            said = server.call("browser_snapshot", &json!({})).0;
        }
        let (refused, figures) = server.call("browser_snapshot", &json!({}));
        assert!(refused.starts_with("cave_browser_snapshot_failed: the confirm \"Sure?\""), "{delay}: {refused}");
        assert!(refused.contains("accept_dialog") && figures["isError"] == true, "{delay}: {refused}");
        let (accepted, figures) = server.call("browser_act", &json!({ "action": "accept_dialog" }));
        assert_eq!(figures["isError"], false, "{delay}: {accepted}");
        let (after, _) = server.call("browser_snapshot", &json!({}));
        assert!(after.contains("true"), "{delay}: {after}");
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn memory_does_not_grow_with_the_pages_that_are_read() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let resident = |server: &Server| -> usize {
        let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_ascii_whitespace().nth(1).unwrap().parse::<usize>().unwrap() / 1024
    };
    let mut after = Vec::new();
    for _ in 0..40 {
        server.call("browser_snapshot", &json!({ "url": format!("{site}/orders") }));
        after.push(resident(&server));
    }
    assert!(after[39] <= after[9] + 12, "megabytes after each page: {after:?}");
}

#[test]
fn what_is_refused_leaves_the_uids_of_before_valid() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let mut server = serving(home.path());
    let (view, _) = server.call("browser_snapshot", &json!({ "url": format!("{site}/orders"), "query": "ORD-0007" }));
    let review = uid(&view, "ORD-0007");
    for (tool, arguments, code) in [
        ("browser_snapshot", json!({ "url": "file:///etc/passwd" }), "cave_browser_url_denied"),
        ("browser_snapshot", json!({ "url": "javascript:alert(1)" }), "cave_browser_url_denied"),
        ("browser_snapshot", json!({ "url": "view-source:http://127.0.0.1/" }), "cave_browser_url_denied"),
        ("browser_act", json!({ "action": "click", "uid": "999999" }), "cave_unknown_uid"),
        ("browser_act", json!({ "action": "fly" }), "cave_unknown_action"),
        ("browser_act", json!({ "action": "click", "uid": 1.5 }), "cave_invalid_arguments"),
        ("browser_recover", json!({ "recovery_handle": "00000000" }), "cave_unknown_handle"),
        ("browser_snapshot", json!({ "tab": 77 }), "cave_invalid_arguments"),
    ] {
        let (text, figures) = server.call(tool, &arguments);
        assert!(text.starts_with(&format!("{code}: ")), "{arguments}: {text}");
        assert_eq!(figures["isError"], true);
    }
    let (done, _) = server.call("browser_act", &json!({ "action": "click", "uid": review }));
    assert!(done.contains("Reviewed ORD-0007"), "{done}");
}

fn run(home: &Path, arguments: &[&str]) -> Run {
    program(home).args(arguments).stdin(Stdio::null()).output().unwrap().into()
}

fn until_nothing_runs(folder: &Path) {
    let begin = Instant::now();
    while !processes_of(folder).is_empty() {
        assert!(begin.elapsed() < limit(3), "Chrome outlives its keeper");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn commands_share_a_chrome_whose_tabs_dialogs_and_uids_live_on_until_it_is_closed() {
    let (home, site) = (TempDir::new().unwrap(), serve(PAGES));
    let temporary = TempDir::new().unwrap();
    let run = |arguments: &[&str]| -> Run {
        program(home.path()).env("TMPDIR", temporary.path()).args(arguments).output().unwrap().into()
    };
    let view = run(&["snapshot", &format!("{site}/orders"), "--query", "ORD-0042"]).done();
    let done = run(&["act", "click", &uid(view.text(), "ORD-0042")]).done();
    assert!(done.text().contains("Reviewed ORD-0042"), "{}", done.text());
    let here = run(&["snapshot", "--query", "status"]).done();
    assert!(here.text().contains("Reviewed ORD-0042"), "{}", here.text());
    let json = run(&["snapshot", "--json"]).done();
    let object: Value = serde_json::from_slice(&json.stdout).unwrap();
    let handle = object["recovery_handle"].as_str().unwrap();
    let original = run(&["recover", handle]).done();
    assert_eq!(Handle::of(&original.stdout).to_string(), handle);
    assert_eq!(run(&["eval", "1 + 1"]).done().text(), "2");
    assert!(run(&["screenshot"]).done().stdout.starts_with(b"\x89PNG"));
    let unknown = run(&["act", "click", "999999"]);
    assert_eq!((unknown.code, unknown.stdout.len()), (1, 0));
    assert!(unknown.stderr.starts_with("cave_unknown_uid: "), "{}", unknown.stderr);

    let view = run(&["snapshot", &format!("{site}/form")]).done();
    assert!(run(&["act", "click", &uid(view.text(), "Save")]).done().text().starts_with("dialog alert"));
    assert_eq!(run(&["act", "accept_dialog"]).done().code, 0, "the dialog lived on between two commands");
    assert!(!processes_of(temporary.path()).is_empty(), "Chrome runs");
    run(&["close"]).done();
    until_nothing_runs(temporary.path());
}

#[test]
fn a_keeper_that_is_killed_takes_its_chrome_with_it() {
    let home = TempDir::new().unwrap();
    let temporary = TempDir::new().unwrap();
    let output = program(home.path()).env("TMPDIR", temporary.path()).args(["eval", "1"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let state: Value = serde_json::from_slice(&fs::read(home.path().join("keeper.json")).unwrap()).unwrap();
    assert!(Command::new("kill").args(["-9", &state["pid"].to_string()]).status().unwrap().success());
    until_nothing_runs(temporary.path());
}

#[test]
fn the_doctor_finds_nothing_wrong() {
    let home = TempDir::new().unwrap();
    let found = run(home.path(), &["doctor"]);
    assert_eq!(found.code, 0, "{}", found.text());
    assert!(found.text().contains("a page is read"), "{}", found.text());
}
