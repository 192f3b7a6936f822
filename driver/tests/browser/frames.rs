//! Frames: every control of every frame is read and can be acted on, and nothing is pressed through what covers a frame.

use std::time::{Duration, Instant};

use axpress_driver::Code;
use axpress_driver::browser::{Action, Verdict};

use super::support::{Answer, RECORDER, Seen, Server, Tab, impatient, limit, run};

/// A frame of the same site, one of another, and one nested in that: bordered, padded, scrolled.
fn framed() -> Server {
    let page = |body: &str| Answer::Page(format!("{RECORDER}{body}"));
    let inner = |name: &str| {
        format!(
            "<body style='margin:0;height:2000px'><div style='height:600px'></div>
             <button id=a style='margin-left:37px'>{name} first</button><button id=b>{name} second</button>
             <label>{name} field <input id=f></label><p id=said></p>
             <script>for (const it of [a, b]) it.onclick = event => {{ note(`${{it.id}} ${{event.isTrusted}} ${{event.target.id}}`);
                 said.textContent = '{name} pressed ' + it.id }}</script>"
        )
    };
    let frame = "border:7px solid;padding:11px 13px;width:400px;height:150px";
    Server::new(&[
        (
            "/",
            page(&format!(
                "<title>Top</title><div style='height:700px'></div><div style='margin-left:83px'>
                 <iframe title=Same style='{frame}' src=SAME/same></iframe>
                 <iframe id=cross title=Cross style='{frame};height:400px' src=OTHER/cross></iframe></div>
                 <div style='height:3000px'></div>"
            )),
        ),
        ("/same", page(&inner("Same"))),
        (
            "/cross",
            page(&format!(
                "{}<iframe id=nest title=Nested style='{frame}' src=SAME/nested></iframe><div style='height:900px'></div>",
                inner("Cross")
            )),
        ),
        ("/nested", page(&inner("Nested"))),
    ])
}

async fn opened() -> (Server, Tab, Seen) {
    let server = framed();
    let tab = Tab::new().await;
    let seen = tab.go(&server.url("/")).await;
    (server, tab, seen)
}

#[test]
fn a_click_in_a_frame_lands_on_the_node_however_deep_and_scrolled() {
    run(async {
        let (_server, tab, mut seen) = opened().await;
        assert_eq!(seen.snapshot.frames.len(), 3);
        for name in ["Same", "Cross", "Nested"] {
            for (button, id) in [("first", "a"), ("second", "b")] {
                let outcome = tab.done(Action::Click(seen.uid(&format!("{name} {button}")))).await;
                assert_eq!(outcome.verdict, Verdict::Changed, "{name} {button}");
                seen = tab.look().await;
                seen.has(&format!("{name} pressed {id}"));
            }
        }
    });
}

#[test]
fn text_and_keys_reach_the_field_of_a_frame_of_another_process() {
    run(async {
        let (_server, tab, seen) = opened().await;
        for name in ["Same", "Cross", "Nested"] {
            let field = seen.uid(&format!("{name} field"));
            let outcome = tab.done(Action::Type(field, format!("in {name}"))).await;
            assert_eq!(outcome.read_back, Some(format!("\"in {name}\"")));
            let outcome = tab.done(Action::Press(Some(field), "End".to_owned())).await;
            assert!(outcome.ok, "{outcome:?}");
            let outcome = tab.done(Action::Press(Some(field), "!".to_owned())).await;
            assert_eq!(outcome.read_back, Some(format!("\"in {name}!\"")));
        }
    });
}

#[test]
fn what_covers_a_frame_in_the_page_blocks_what_is_in_the_frame() {
    run(async {
        let (_server, tab, seen) = opened().await;
        tab.eval(
            "document.body.insertAdjacentHTML('beforeend',
             '<div id=veil style=\"position:fixed;inset:0;background:#fff8\">Sign in first</div>'), 0",
        )
        .await;
        for name in ["Same", "Cross", "Nested"] {
            let outcome = tab.act(Action::Click(seen.uid(&format!("{name} first")))).await.expect("an outcome");
            let Verdict::Blocked { by, .. } = &outcome.verdict else { panic!("{name}: {outcome:?}") };
            assert!(by.contains("#veil") && by.contains("Sign in first"), "{by}");
        }
        let seen = tab.look().await;
        assert!(!seen.text.contains("pressed"), "{}", seen.text);
    });
}

#[test]
fn clicks_land_in_frames_that_are_turned_and_zoomed() {
    run(async {
        let (_server, tab, seen) = opened().await;
        tab.eval("cross.style.transform = 'rotate(30deg) scale(.8)', document.body.style.zoom = 1.25, 0").await;
        for name in ["Cross", "Nested"] {
            tab.done(Action::Click(seen.uid(&format!("{name} second")))).await;
        }
        tab.look().await.has("Cross pressed b").has("Nested pressed b");
    });
}

#[test]
fn a_frame_that_went_elsewhere_or_away_is_said_to_have() {
    run(async {
        let (server, tab, seen) = opened().await;
        let (same, cross) = (seen.uid("Same first"), seen.uid("Cross first"));
        tab.eval(&format!("cross.src = '{}', 0", server.other("/same"))).await;
        tab.eval("document.querySelector('iframe').remove(), 0").await;
        tab.look().await;
        let error = tab.fails(Action::Click(cross), Code::StaleUid).await;
        assert!(error.what.contains("(navigated)"), "{error}");
        let error = tab.fails(Action::Click(same), Code::StaleUid).await;
        assert!(error.what.contains("(frame_gone)"), "{error}");
    });
}

#[test]
fn the_number_of_a_frame_document_is_never_used_again() {
    run(async {
        let (server, tab, seen) = opened().await;
        let numbers = |seen: &Seen| {
            seen.snapshot.frames.iter().map(|frame| frame.number).filter(|&it| it > 0).collect::<Vec<_>>()
        };
        let first = numbers(&seen);
        assert_eq!(numbers(&tab.look().await), first);
        let second = numbers(&tab.go(&server.url("/")).await);
        assert_eq!((first.len(), second.len()), (2, 2));
        assert!(second.iter().all(|number| !first.contains(number)), "{first:?} {second:?}");
    });
}

#[test]
fn nodes_of_the_same_id_in_two_processes_are_told_apart() {
    run(async {
        let page = |name: &str| {
            Answer::Page(format!("{RECORDER}<button id=b onclick='b.textContent += \" pressed\"'>{name}</button>"))
        };
        let server = Server::new(&[
            ("/", Answer::Page("<button>Top</button><iframe src=OTHER/one></iframe>".into())),
            ("/one", page("Cross")),
        ]);
        let tab = Tab::new().await;
        let seen = tab.go(&server.url("/")).await;
        tab.done(Action::Click(seen.uid("Cross"))).await;
        tab.look().await.has("button Cross pressed").has("button Top @");
    });
}

#[test]
fn a_frame_that_hangs_is_left_out_and_named_and_the_rest_is_read() {
    run(async {
        let server = Server::new(&[
            (
                "/",
                Answer::Page(
                    "<title>T</title><button>Works</button><iframe src=OTHER/busy title=Busy></iframe>".into(),
                ),
            ),
            (
                "/busy",
                Answer::Page("<button>Stuck</button><script>setTimeout(() => { while (true); }, 100)</script>".into()),
            ),
        ]);
        let browser = impatient();
        let tab = Tab::of(&browser).await;
        let begun = Instant::now();
        let seen = tab.go(&server.url("/")).await;
        let seen = if seen.snapshot.unread.is_empty() { tab.look().await } else { seen };
        assert!(begun.elapsed() < limit(8), "{:?}", begun.elapsed());
        seen.has("button Works @");
        assert_eq!(seen.snapshot.unread.len(), 1, "{:?}", seen.snapshot.unread);
        let outcome = tab.done(Action::Click(seen.uid("Works"))).await;
        assert!(outcome.ok);
        browser.close().await;
    });
}

#[test]
fn frames_that_are_not_drawn_and_framesets_do_not_hold_the_page_up() {
    run(async {
        let server = Server::new(&[
            ("/", Answer::Page("<button>Works</button><iframe style=display:none src=OTHER/silent></iframe>".into())),
            ("/silent", Answer::Silence),
            (
                "/set",
                Answer::Page("<frameset cols='50%,50%'><frame src=SAME/left><frame src=OTHER/right></frameset>".into()),
            ),
            ("/left", Answer::Page("<button>Left</button>".into())),
            ("/right", Answer::Page("<button>Right</button>".into())),
        ]);
        let mut options = super::support::options();
        options.limits.load = Duration::from_secs(2);
        let browser = axpress_driver::browser::Browser::new(options).expect("a browser");
        let tab = Tab::of(&browser).await;
        let begun = Instant::now();
        let seen = tab.go(&server.url("/")).await;
        seen.has("button Works @");
        assert!(seen.snapshot.loading && begun.elapsed() < limit(5), "{:?}", begun.elapsed());
        tab.go(&server.url("/set")).await.has("button Left @").has("button Right @");
        browser.close().await;
    });
}
