//! Nothing but the web is gone to: not by an agent, and not by a page.

use axpress_driver::Code;
use axpress_driver::browser::{Action, Browser, SnapshotRequest, Verdict};

use super::support::{Answer, Server, Tab, options, run};

#[test]
fn what_is_not_the_web_is_refused_and_the_page_stays_as_it_is() {
    run(async {
        let server = Server::page("<button>Here</button>");
        let tab = Tab::new().await;
        let seen = tab.go(&server.url("/")).await;
        for url in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "view-source:http://127.0.0.1/",
            "chrome://version",
            "devtools://x",
        ] {
            let request = SnapshotRequest { url: Some(url.to_owned()), ..SnapshotRequest::default() };
            let error = tab.browser.snapshot(tab.tab, &request).await.expect_err(url);
            assert_eq!(error.code, Code::UrlDenied, "{url}");
            tab.done(Action::Click(seen.uid("Here"))).await;
        }
    });
}

#[test]
fn a_page_leads_neither_to_files_nor_to_chromes_own_pages() {
    run(async {
        let server = Server::new(&[
            ("/", Answer::Page("<button>Here</button>".into())),
            ("/file", Answer::Redirect("file:///etc/passwd".into())),
            ("/chrome", Answer::Redirect("chrome://version".into())),
        ]);
        let browser = Browser::new(options()).expect("a browser");
        let tab = Tab::of(&browser).await;
        for start in [server.url("/"), "data:text/html,<button>Here</button>".to_owned(), "about:blank".to_owned()] {
            for url in ["file:///etc/passwd", "chrome://version"] {
                for expression in [
                    format!("location = '{url}', 0"),
                    format!("window.open('{url}'), 0"),
                    format!("document.body.innerHTML = '<a id=l href=\"{url}\">x</a>', l.click(), 0"),
                    format!("document.body.innerHTML = '<a id=l target=_blank href=\"{url}\">x</a>', l.click(), 0"),
                ] {
                    tab.go(&start).await;
                    let _ = browser.eval(tab.tab, &expression).await;
                    nothing_is_told(&tab, &format!("{start} {expression}")).await;
                }
            }
        }
        for path in ["/file", "/chrome"] {
            let request = SnapshotRequest { url: Some(server.url(path)), ..SnapshotRequest::default() };
            let _ = browser.snapshot(tab.tab, &request).await;
            nothing_is_told(&tab, path).await;
        }
        browser.close().await;
    });
}

/// Reads all tabs, which must not say what the file or Chrome's own page does, and closes those that were opened.
async fn nothing_is_told(tab: &Tab, after: &str) {
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    for info in tab.browser.tabs() {
        let read = tab.browser.snapshot(info.tab, &SnapshotRequest::default()).await;
        let text = read.map(|read| String::from_utf8_lossy(&read.payload).into_owned()).unwrap_or_default();
        assert!(!text.contains("root:x:0") && !text.contains("Command Line"), "{after}");
        if info.tab != tab.tab {
            tab.browser.act(info.tab, &Action::CloseTab).await.expect("it closes");
        }
    }
}

#[test]
fn only_allowed_origins_are_gone_to_by_redirect_click_new_tab_and_script_too() {
    run(async {
        let server = Server::new(&[
            (
                "/",
                Answer::Page(
                    "<title>T</title><a href=OTHER/secret>Link</a><a href=OTHER/secret target=_blank>Tab</a>
                     <button onclick='location = \"OTHER/secret\"'>Script</button><a href=/hop>Hop</a><a href=/fine>Fine</a>
                     <form action=OTHER/secret method=post><button>Post</button></form><iframe src=OTHER/frame></iframe>"
                        .into(),
                ),
            ),
            ("/hop", Answer::Redirect("OTHER/secret".into())),
            ("/fine", Answer::Page("<h1>Fine</h1>".into())),
            ("/secret", Answer::Page("<h1>Secret</h1>".into())),
            ("/frame", Answer::Page("<button>Framed</button>".into())),
        ]);
        let mut narrow = options();
        narrow.allow_origins = vec![server.url("")];
        let browser = Browser::new(narrow).expect("origins");
        let tab = Tab::of(&browser).await;
        let seen = tab.go(&server.url("/")).await;
        seen.has("button Framed @");
        let refused = Verdict::UrlRefused { url: server.other("/secret") };
        for name in ["Link", "Script", "Hop", "Post"] {
            let outcome = tab.act(Action::Click(seen.uid(name))).await.expect("an outcome");
            assert_eq!(outcome.verdict, refused, "{name}");
        }
        let outcome = tab.act(Action::Click(seen.uid("Tab"))).await.expect("an outcome");
        let Verdict::NewTab { tab: opened, .. } = outcome.verdict else { panic!("{outcome:?}") };
        let read = browser.snapshot(opened, &SnapshotRequest::default()).await;
        assert!(read.map_or(true, |read| !String::from_utf8_lossy(&read.payload).contains("Secret")));
        for url in [server.other("/secret"), server.url("/hop")] {
            let request = SnapshotRequest { url: Some(url.clone()), ..SnapshotRequest::default() };
            let error = browser.snapshot(tab.tab, &request).await.expect_err("not allowed");
            assert_eq!(error.code, Code::UrlDenied, "{url}");
        }
        // The page is as it was, and goes on.
        let outcome = tab.done(Action::Click(seen.uid("Fine"))).await;
        assert_eq!(outcome.verdict, Verdict::Navigated { url: server.url("/fine") });
        browser.close().await;
    });
}

#[test]
fn private_addresses_are_blocked_where_that_is_asked() {
    run(async {
        let server = Server::page("<h1>Inside</h1>");
        let mut closed = options();
        closed.block_private = true;
        let browser = Browser::new(closed).expect("a browser");
        let tab = Tab::of(&browser).await;
        for url in [server.url("/"), server.other("/")] {
            let request = SnapshotRequest { url: Some(url), ..SnapshotRequest::default() };
            let error = browser.snapshot(tab.tab, &request).await.expect_err("it is private");
            assert_eq!(error.code, Code::UrlDenied);
        }
        let page = format!("data:text/html,<a href='{}'>In</a>", server.url("/"));
        let seen = tab.go(&page).await;
        let outcome = tab.act(Action::Click(seen.uid("In"))).await.expect("an outcome");
        assert_eq!(outcome.verdict, Verdict::UrlRefused { url: server.url("/") });
        browser.close().await;
    });
}
