//! Pages are read whole, with all their frames.

use super::support::{Answer, Server, Tab, run};

#[test]
fn a_page_is_read_as_it_is() {
    run(async {
        let server = Server::page("<title>Orders</title><h1>Open orders</h1><button>Save</button>");
        let tab = Tab::new().await;
        let seen = tab.go(&server.url("/")).await;
        seen.has("# Open orders").has("button Save @");
        assert_eq!((seen.snapshot.title.as_str(), seen.snapshot.url), ("Orders", server.url("/")));
        assert!(seen.snapshot.unread.is_empty() && !seen.snapshot.loading);
    });
}

#[test]
fn frames_of_the_same_site_of_another_and_nested_ones_are_read() {
    run(async {
        let server = Server::new(&[
            (
                "/",
                Answer::Page(
                    "<title>Top</title><button>Top</button><iframe title=A src=SAME/same></iframe>\
                     <iframe title=B src=OTHER/cross></iframe><iframe title=C srcdoc='<button>Inline</button>'></iframe>"
                        .into(),
                ),
            ),
            ("/same", Answer::Page("<button>Same</button>".into())),
            ("/cross", Answer::Page("<button>Cross</button><iframe title=N src=SAME/nested></iframe>".into())),
            ("/nested", Answer::Page("<button>Nested</button>".into())),
        ]);
        let tab = Tab::new().await;
        let seen = tab.go(&server.url("/")).await;
        for name in ["Top", "Same", "Cross", "Nested", "Inline"] {
            seen.has(&format!("button {name} @"));
        }
        assert_eq!(seen.snapshot.frames.len(), 4);
        assert!(seen.snapshot.unread.is_empty(), "{:?}", seen.snapshot.unread);
    });
}

#[test]
fn a_page_that_is_still_is_read_twice_as_the_same_bytes() {
    run(async {
        let server =
            Server::page(&format!("<title>T</title><ul>{}</ul>", "<li><a href=/>Zoë \u{1f600}</a>".repeat(500)));
        let tab = Tab::new().await;
        let first = tab.go(&server.url("/")).await;
        let second = tab.look().await;
        assert!(first.snapshot.payload.len() > 100_000);
        assert!(first.snapshot.payload == second.snapshot.payload);
        assert!(first.snapshot.payload.starts_with(b"{\"nodes\":[") && first.snapshot.payload.ends_with(b"]}"));
        assert_eq!(first.snapshot.document, second.snapshot.document);
    });
}
