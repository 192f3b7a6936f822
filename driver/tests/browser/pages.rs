//! Navigation, tabs, downloads, history, pictures, and pages that crash or hang.

use std::time::{Duration, Instant};

use axpress_driver::Code;
use axpress_driver::browser::{Action, Browser, Screenshot, SnapshotRequest, Verdict};

use super::support::{Answer, RECORDER, Seen, Server, Tab, limit, options, run, visit};

async fn page(body: &str) -> (Server, Tab, Seen) {
    let server = Server::new(&[
        ("/", Answer::Page(format!("<title>T</title>{RECORDER}{body}"))),
        ("/next", Answer::Page("<title>Next</title><h1>Next page</h1>".into())),
        ("/late", Answer::Page("<title>L</title><div id=d>wait</div><script>setTimeout(() => d.innerHTML = '<button>Here</button>', 40)</script>".into())),
        ("/hop", Answer::Redirect("OTHER/next".into())),
        ("/self", Answer::Page("<script>location = '/next'</script>".into())),
        ("/nothing", Answer::NoContent),
        ("/silent", Answer::Silence),
        ("/file", Answer::With("Content-Type: text/csv\r\nContent-Disposition: attachment; filename=orders.csv\r\n", "a,b".into())),
    ]);
    visit(server).await
}

#[test]
fn no_gap_is_needed_between_going_somewhere_and_reading_it() {
    run(async {
        let (server, tab, _) = page("<h1>First</h1>").await;
        for round in 0..100 {
            let (path, text) = if round % 2 == 0 { ("/late", "button Here @") } else { ("/", "# First") };
            tab.go(&server.url(path)).await.has(text);
        }
    });
}

#[test]
fn redirects_and_pages_that_send_themselves_on_end_where_they_lead() {
    run(async {
        let (server, tab, _) = page("x").await;
        assert_eq!(tab.go(&server.url("/hop")).await.has("# Next page").snapshot.url, server.other("/next"));
        assert_eq!(tab.go(&server.url("/self")).await.has("# Next page").snapshot.url, server.url("/next"));
    });
}

#[test]
fn a_click_on_a_link_says_where_it_went_and_history_leads_back() {
    run(async {
        let (server, tab, seen) =
            page("<a href=/next>On</a><a href=/nothing>Stay</a><a href='mailto:a@example.test'>Mail</a>").await;
        let begun = Instant::now();
        let outcome = tab.done(Action::Click(seen.uid("Stay"))).await;
        assert_eq!(outcome.verdict, Verdict::NoChangeSeen);
        tab.act(Action::Click(seen.uid("Mail"))).await.expect("an outcome");
        tab.look().await;
        assert!(begun.elapsed() < limit(8), "{:?}", begun.elapsed());
        let next = Verdict::Navigated { url: server.url("/next") };
        assert_eq!(tab.done(Action::Click(seen.uid("On"))).await.verdict, next);
        assert_eq!(tab.done(Action::Back).await.verdict, Verdict::Navigated { url: server.url("/") });
        tab.look().await.has("On @");
        assert_eq!(tab.done(Action::Forward).await.verdict, next);
        assert_eq!(tab.done(Action::Reload).await.verdict, next);
        tab.look().await.has("# Next page");
        tab.fails(Action::Forward, Code::ActionFailed).await;
    });
}

#[test]
fn a_click_that_opens_a_tab_names_it_and_where_it_goes() {
    run(async {
        let (server, tab, seen) = page(
            "<a href=/next target=_blank>Blank</a><a href=/next target=_blank rel=noopener>Apart</a>
             <button onclick='window.open(\"/next\")'>Open</button>",
        )
        .await;
        for name in ["Blank", "Apart", "Open"] {
            let outcome = tab.done(Action::Click(seen.uid(name))).await;
            let Verdict::NewTab { tab: opened, url } = &outcome.verdict else { panic!("{name}: {outcome:?}") };
            assert_eq!((url, outcome.tab), (&server.url("/next"), tab.tab), "{name}");
            let opened = Tab { browser: tab.browser.clone(), tab: *opened };
            opened.look().await.has("# Next page");
            let switched = tab.act(Action::SwitchTab(opened.tab)).await.expect("the tab is there");
            assert_eq!(switched.tab, opened.tab);
            // The tab behind it still draws, and can be acted on.
            let outcome = opened.done(Action::CloseTab).await;
            assert_eq!((outcome.verdict, outcome.tab), (Verdict::Closed { tab: opened.tab }, tab.tab));
        }
    });
}

#[test]
fn tabs_are_opened_used_side_by_side_and_closed_and_their_numbers_are_never_used_again() {
    run(async {
        let (server, tab, seen) = page("<button id=a>Here</button>").await;
        let outcome = tab.done(Action::OpenTab(Some(server.url("/next")))).await;
        let other = Tab { browser: tab.browser.clone(), tab: outcome.tab };
        assert_eq!(outcome.verdict, Verdict::Switched { tab: other.tab, url: server.url("/next") });
        let (one, two) = tokio::join!(tab.look(), other.look());
        one.has("button Here");
        two.has("# Next page");
        // A uid of one tab is none of another.
        other.fails(Action::Click(seen.uid("Here")), Code::UnknownUid).await;
        other.done(Action::CloseTab).await;
        let error = other.fails(Action::Reload, Code::InvalidArguments).await;
        assert!(error.next.contains(&tab.tab.to_string()), "{error}");
        let third = tab.done(Action::OpenTab(None)).await;
        assert!(third.tab > other.tab);
        tab.fails(Action::OpenTab(Some("file:///etc/passwd".to_owned())), Code::UrlDenied).await;
    });
}

#[test]
fn downloads_are_refused_and_named_where_no_folder_is() {
    run(async {
        let (server, tab, seen) = page(
            "<a href=/file>File</a><a download=note.txt href='data:text/plain,x'>Data</a><a href=/file target=_blank>Blank</a>",
        )
        .await;
        for (link, name) in [("File", "orders.csv"), ("Data", "note.txt"), ("Blank", "orders.csv")] {
            let outcome = tab.done(Action::Click(seen.uid(link))).await;
            assert_eq!(outcome.verdict, Verdict::DownloadRefused { name: name.to_owned() }, "{link}");
        }
        let request = SnapshotRequest { url: Some(server.url("/file")), ..SnapshotRequest::default() };
        let error = tab.browser.snapshot(tab.tab, &request).await.expect_err("a file is no page");
        assert!(error.what.contains("file to save"), "{error}");
        tab.look().await.has("File @");
    });
}

#[test]
fn downloads_are_saved_where_a_folder_is_named() {
    run(async {
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("saved");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut with_folder = options();
        with_folder.downloads = Some(folder.clone());
        let browser = Browser::new(with_folder).expect("a browser");
        let (server, _, _) = page("<a href=/file>File</a>").await;
        let tab = Tab::of(&browser).await;
        let seen = tab.go(&server.url("/")).await;
        for name in ["orders.csv", "orders (1).csv"] {
            let outcome = tab.done(Action::Click(seen.uid("File"))).await;
            let Verdict::Download { path: Some(path), .. } = outcome.verdict else { panic!("{outcome:?}") };
            assert_eq!(
                (path.clone(), std::fs::read_to_string(&path).expect("the file")),
                (folder.join(name), "a,b".to_owned())
            );
        }
        browser.close().await;
    });
}

#[test]
fn waiting_ends_when_the_text_is_there_or_the_time_is_over() {
    run(async {
        let (_server, tab, seen) =
            page("<button onclick='setTimeout(() => p.textContent = \"All  done\", 300)'>Start</button><p id=p></p>")
                .await;
        tab.done(Action::Click(seen.uid("Start"))).await;
        let outcome = tab.done(Action::WaitForText("All done".to_owned(), None)).await;
        assert!(outcome.settled);
        let begun = Instant::now();
        let error = tab
            .fails(Action::WaitForText("Never".to_owned(), Some(Duration::from_millis(300))), Code::ActionFailed)
            .await;
        assert!(error.what.contains("Never") && begun.elapsed() < limit(2), "{error}");
        let begun = Instant::now();
        assert!(tab.done(Action::WaitFor(Duration::from_millis(200))).await.settled);
        assert!(begun.elapsed() >= Duration::from_millis(200));
    });
}

#[test]
fn a_page_that_never_is_still_and_never_has_loaded_is_read_in_bounded_time() {
    run(async {
        let (server, tab, seen) = page(
            "<p id=p>0</p><button id=b>Slow</button><script>let changes = 0; setInterval(() => p.textContent = changes++, 20);
             b.onclick = () => { const image = document.createElement('img'); image.src = '/silent'; document.body.append(image);
                 location = '/silent' }</script>",
        )
        .await;
        // Who waited for the page to be still, or for the server to answer, would wait as long as the test lasts: that
        // there is an answer at all is what is shown.
        let before: u64 = tab.eval("changes").await.parse().expect("a count");
        tab.look().await.has("button Slow @");
        let after: u64 = tab.eval("changes").await.parse().expect("a count");
        assert!(after > before, "the page was not still meanwhile");
        // A server that does not answer leaves the page as it is, and that is said.
        let outcome = tab.done(Action::Click(seen.uid("Slow"))).await;
        assert_eq!(outcome.verdict, Verdict::Leaving);
        let error = tab.browser.snapshot(tab.tab, &SnapshotRequest::default()).await.expect_err("it is on its way");
        assert!(error.what.contains("not answered yet"), "{error}");
        tab.go(&server.url("/next")).await.has("# Next page");
    });
}

#[test]
fn values_come_as_json_and_what_has_none_as_the_page_prints_it() {
    run(async {
        let (_server, tab, _) = page("<p id=p class=c>x</p>").await;
        for (expression, text) in [
            ("1 + 1", "2"),
            ("'\\ud83d'", "\"\u{fffd}\""),
            ("[1, {a: 'b'}]", "[1,{\"a\":\"b\"}]"),
            ("({a: undefined})", "{}"),
            ("undefined", "undefined"),
            ("null", "null"),
            ("NaN", "NaN"),
            ("10n", "10n"),
            ("p", "p#p.c"),
            ("await new Promise(done => setTimeout(done, 20, 'late'))", "\"late\""),
            ("const here = 1; here", "1"),
            ("const here = 2; here", "2"),
        ] {
            assert_eq!(tab.eval(expression).await, text, "{expression}");
        }
        let error = tab.browser.eval(tab.tab, "nowhere.x").await.expect_err("it throws");
        assert!(error.code == Code::EvalFailed && error.what.contains("nowhere is not defined"), "{error}");
        let error = tab.browser.eval(tab.tab, "throw 'up'").await.expect_err("it throws");
        assert!(error.what.contains("up"), "{error}");
    });
}

#[test]
fn an_expression_that_never_ends_is_ended_and_the_tab_goes_on() {
    run(async {
        let mut short = options();
        short.limits.eval = Duration::from_secs(1);
        let browser = Browser::new(short).expect("a browser");
        let tab = Tab::of(&browser).await;
        let begun = Instant::now();
        let error = browser.eval(tab.tab, "while (true);").await.expect_err("it never ends");
        assert!(error.what.contains("longer than 1 s") && begun.elapsed() < limit(3), "{error}");
        assert_eq!(tab.eval("1").await, "1");
        browser.close().await;
    });
}

#[test]
fn a_page_that_hangs_is_said_to_and_other_tabs_go_on() {
    run(async {
        let mut short = options();
        short.limits.act = Duration::from_secs(1);
        short.limits.read = Duration::from_secs(1);
        let browser = Browser::new(short).expect("a browser");
        let server = Server::page("<button onclick='while (true);'>Hang</button>");
        let tab = Tab::of(&browser).await;
        let other = Tab::of(&browser).await;
        other.go(&server.other("/")).await;
        let seen = tab.go(&server.url("/")).await;
        let outcome = tab.act(Action::Click(seen.uid("Hang"))).await.expect("an outcome");
        assert_eq!((outcome.ok, outcome.verdict), (false, Verdict::NoAnswer));
        let begun = Instant::now();
        let error = browser.snapshot(tab.tab, &SnapshotRequest::default()).await.expect_err("it hangs");
        assert_eq!(error.code, Code::SnapshotFailed);
        assert!(begun.elapsed() < limit(6), "{:?}", begun.elapsed());
        other.look().await.has("Hang");
        // Going elsewhere ends it, also on the same site.
        tab.go(&server.url("/")).await.has("button Hang @");
        browser.close().await;
    });
}

#[test]
fn one_deadline_is_over_all_of_an_act_and_over_what_comes_of_it() {
    run(async {
        let mut short = options();
        short.limits.act = Duration::from_secs(1);
        let browser = Browser::new(short).expect("a browser");
        let server = Server::new(&[
            ("/", Answer::Page("<a href=/silent>Silent</a><button onclick='location = \"/silent\"; window.open(\"/silent\")'>Both</button>".into())),
            ("/silent", Answer::Silence),
        ]);
        for name in ["Silent", "Both"] {
            let tab = Tab::of(&browser).await;
            let seen = tab.go(&server.url("/")).await;
            let begun = Instant::now();
            let acted = tab.act(Action::Click(seen.uid(name))).await;
            // The next page, and the next tab, are waited for no longer than the act itself may take.
            assert!(begun.elapsed() < limit(3), "{name}: {:?} {acted:?}", begun.elapsed());
        }
        browser.close().await;
    });
}

#[test]
fn a_page_that_crashed_is_said_to_have_and_can_be_gone_to_again() {
    run(async {
        let (server, tab, _) = page("<button>Here</button>").await;
        let request = SnapshotRequest { url: Some("chrome://crash".to_owned()), ..SnapshotRequest::default() };
        assert!(tab.browser.snapshot(tab.tab, &request).await.is_err());
        let pid = tab.browser.process_id().expect("it runs");
        tab.eval("1").await;
        crash(&tab).await;
        let error = tab.browser.snapshot(tab.tab, &SnapshotRequest::default()).await.expect_err("it crashed");
        assert!(error.what.contains("crashed") && error.next.contains("url"), "{error}");
        let begun = Instant::now();
        assert!(tab.browser.eval(tab.tab, "1").await.is_err());
        assert!(begun.elapsed() < limit(1));
        tab.go(&server.url("/")).await.has("button Here @");
        assert_eq!(tab.browser.process_id(), Some(pid));
    });
}

/// Ends the process of the tab's page, as the kernel does when there is no memory left.
async fn crash(tab: &Tab) {
    let before = renderers();
    // A page busy with this is the one whose process uses the processor.
    let busy = tab.browser.eval(tab.tab, "const end = Date.now() + 1500; while (Date.now() < end); 1");
    let kill = async {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let busiest = renderers()
            .into_iter()
            .max_by_key(|(pid, ticks)| {
                ticks - before.iter().find(|(known, _)| known == pid).map_or(0, |(_, ticks)| *ticks)
            })
            .expect("a renderer");
        std::process::Command::new("kill").args(["-9", &busiest.0.to_string()]).status().expect("kill runs");
    };
    let (evaluated, ()) = tokio::join!(busy, kill);
    assert!(evaluated.is_err(), "{evaluated:?}");
}

/// The renderer processes of this test's browsers, and what they have used.
fn renderers() -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("a Linux").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let read = |file: &str| std::fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        if !read("cmdline").contains("--type=renderer") {
            continue;
        }
        let stat = read("stat");
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let ticks = fields.get(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
        found.push((pid, ticks));
    }
    found
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    run(async {
        let mut short = options();
        short.limits.load = Duration::from_secs(1);
        let browser = Browser::new(short).expect("a browser");
        let server = Server::new(&[("/silent", Answer::Silence), ("/", Answer::Page("<h1>Here</h1>".into()))]);
        let tab = Tab::of(&browser).await;
        tab.go(&server.url("/")).await;
        let begun = Instant::now();
        let request = SnapshotRequest { url: Some(server.url("/silent")), ..SnapshotRequest::default() };
        assert!(browser.snapshot(tab.tab, &request).await.is_err());
        assert!(begun.elapsed() < limit(3), "{:?}", begun.elapsed());
        tab.go(&server.url("/")).await.has("# Here");
        let request = SnapshotRequest { url: Some("http://127.0.0.1:9/".to_owned()), ..SnapshotRequest::default() };
        let error = browser.snapshot(tab.tab, &request).await.expect_err("nobody listens there");
        assert!(error.what.contains("net::ERR_"), "{error}");
        browser.close().await;
    });
}

#[test]
fn a_picture_is_a_png_of_the_page_or_of_the_node() {
    run(async {
        let (_server, tab, seen) = page(
            "<div style='height:2000px'></div><button style='width:120px;height:40px;border:0;margin-left:30px'>Far</button>",
        )
        .await;
        let size = |picture: &Screenshot| {
            let png = picture.png().expect("base64");
            assert!(png.starts_with(b"\x89PNG"));
            let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
            (number(16), number(20))
        };
        let whole = tab.browser.screenshot(tab.tab, None).await.expect("a picture");
        let (width, height) = size(&whole);
        assert!(width > 300 && height > 300);
        let node = tab.browser.screenshot(tab.tab, Some(seen.uid("Far"))).await.expect("a picture");
        assert_eq!(size(&node), (120, 40));
    });
}

#[test]
fn half_of_a_character_in_a_page_breaks_nothing() {
    run(async {
        let (_server, tab, seen) = page("<button id=a>Half</button>").await;
        tab.eval("document.title = '\\ud83d', document.body.append('\\udc00 end'), 0").await;
        let again = tab.look().await;
        again.has("end");
        assert_eq!(again.snapshot.title, "\u{fffd}");
        tab.done(Action::Click(seen.uid("Half"))).await;
    });
}
