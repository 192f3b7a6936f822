//! Frames: a press lands on the node that was shown and on no neighbour of it, in the middle of it, wherever the frame is;
//! and frames that change, crash or hang are told from those that are there.

use std::time::{Duration, Instant};

use axpress_driver::browser::Browser;
use serde_json::json;

use super::support::{Agent, Answer, JOURNAL, Server, busy_renderer, impatient, options, renderers, run, text};

/// Small buttons without a gap, as far down as one must scroll: who is off by a border hits a neighbour. The page at the top
/// hears what each heard, and how far from its middle.
fn targets(name: &str) -> String {
    let buttons: Vec<String> = (0..25)
        .map(|place| {
            let (left, top) = (40 + place % 5 * 9, 640 + place / 5 * 9);
            format!(
                "<button id={name}-{place} aria-label='{name} {place}.' style='left:{left}px;top:{top}px'></button>"
            )
        })
        .collect();
    let buttons = buttons.concat();
    format!(
        "<style>button{{position:absolute;width:9px;height:9px;padding:0;border:0;background:#8af}}
         body{{margin:0;height:1900px}}</style>{buttons}
         <script>for (const kind of ['mousedown', 'mouseup', 'click']) addEventListener(kind, event => {{
             const at = event.composedPath()[0], box = at.getBoundingClientRect?.() ?? {{left: 0, top: 0, width: 0, height: 0}};
             const off = Math.hypot(event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
             top.postMessage(`${{kind}} ${{at.id || 'nothing'}} ${{event.isTrusted}} ${{off <= 1.5 ? 'middle' : off}}`, '*');
         }}, {{capture: true}})</script>"
    )
}

/// Two servers, each two sites: frames of the same site, of another, nested in both ways, and texts in texts.
fn framed() -> (Server, Server) {
    let frame = "border:7px solid #333;padding:11px 13px 17px 5px;width:310px;height:140px;position:absolute;left:29px";
    let other = Server::new(&[
        ("/leaf", Answer::Page(targets("leaf"))),
        ("/inner", Answer::Page(targets("inner"))),
        (
            "/cross",
            Answer::Page(format!(
                "{}<iframe title=inner style='{frame};top:1200px' src=SAME/inner></iframe>",
                targets("cross")
            )),
        ),
    ]);
    let text = targets("text").replace('"', "&quot;");
    let outer_text =
        format!("{}<iframe title=text style='{frame};top:1200px' srcdoc=\"{text}\"></iframe>", targets("outer"))
            .replace('&', "&amp;")
            .replace('"', "&quot;");
    let main = Server::new(&[
        (
            "/same",
            Answer::Page(format!(
                "{}<iframe title=leaf style='{frame};top:1200px' src={}></iframe>",
                targets("same"),
                other.other("/leaf")
            )),
        ),
        (
            "/",
            Answer::Page(format!(
                "<title>Top</title>{}<script>const heard = [], take = () => heard.splice(0);
                 onmessage = event => heard.push(event.data)</script><div style='position:absolute;top:900px;left:100px;height:1500px'>
                 <iframe id=same title=same style='{frame};top:200px' src=SAME/same></iframe>
                 <iframe id=cross title=cross style='{frame};top:433px;height:211px' src={}></iframe>
                 <iframe id=outer title=outer style='{frame};top:811px' srcdoc=\"{outer_text}\"></iframe></div>",
                targets("main"),
                other.other("/cross")
            )),
        ),
    ]);
    (main, other)
}

const FRAMES: &[&str] = &["main", "same", "leaf", "cross", "inner", "outer", "text"];

#[test]
fn a_press_lands_in_the_middle_of_its_node_and_on_no_neighbour_in_every_frame() {
    run(async {
        let (main, _other) = framed();
        let agent = Agent::new();
        let shown = agent.go(&main.url("/")).await;
        for scrolled in [false, true] {
            if scrolled {
                agent.eval("scrollTo(0, 777), document.getElementById('same').contentWindow.scrollTo(0, 555), 0").await;
            }
            for frame in FRAMES {
                for place in [0, 4, 12, 20, 24] {
                    let uid = shown.uid(&format!("{frame} {place}."));
                    agent.eval("take()").await;
                    let answer = agent.call("browser_act", json!({ "action": "click", "uid": uid })).await;
                    let heard = agent.eval("take()").await;
                    assert!(
                        !answer.is_error && answer.meta["ok"] == true,
                        "{frame} {place}: {} {heard}",
                        text(&answer)
                    );
                    let expected: Vec<String> = ["mousedown", "mouseup", "click"]
                        .iter()
                        .map(|kind| format!("{kind} {frame}-{place} true middle"))
                        .collect();
                    assert_eq!(heard, json!(expected), "{frame} {place} {scrolled}");
                }
            }
        }
    });
}

#[test]
fn every_control_of_every_frame_has_a_uid_of_its_own() {
    run(async {
        let (main, _other) = framed();
        let agent = Agent::new();
        let shown = agent.go(&main.url("/")).await;
        let mut uids = shown.uids();
        assert_eq!(uids.len(), FRAMES.len() * 25, "{}", shown.0);
        uids.sort();
        uids.dedup();
        assert_eq!(uids.len(), FRAMES.len() * 25);
        shown.lacks("not read");
    });
}

#[test]
fn the_same_number_in_two_processes_is_two_nodes() {
    run(async {
        let buttons = |name: &str, count: usize| -> String {
            let button =
                |place| format!("<button onclick='top.postMessage(`{name} {place}`, `*`)'>{name} {place}.</button>");
            (0..count).map(button).collect()
        };
        let other = Server::page(&buttons("Cross", 40));
        let script = "<script>const heard = [], take = () => heard.splice(0); onmessage = event => heard.push(event.data)</script>";
        let main = Server::page(&format!(
            "<title>Top</title>{script}<iframe src={}></iframe>{}",
            other.other("/"),
            buttons("Main", 200)
        ));
        let agent = Agent::new();
        let shown = agent.go(&main.url("/")).await;
        let number = |uid: &str| uid.trim_start_matches('@').rsplit('.').next().map(str::to_owned);
        let main: Vec<(usize, String)> = (0..200).map(|place| (place, shown.uid(&format!("Main {place}.")))).collect();
        let mut pairs = 0;
        for place in 0..40 {
            let inside = shown.uid(&format!("Cross {place}."));
            let Some((twin, outside)) = main.iter().find(|(_, uid)| number(uid) == number(&inside)) else { continue };
            pairs += 1;
            if pairs > 3 {
                break;
            }
            assert_ne!(*outside, inside);
            for (uid, expected) in [(outside, format!("Main {twin}")), (&inside, format!("Cross {place}"))] {
                agent.act(json!({ "action": "click", "uid": uid })).await;
                assert_eq!(agent.eval("take()").await, json!([expected]));
            }
        }
        assert!(pairs > 0, "no number is in both: {}", shown.0);
    });
}

#[test]
fn a_frame_that_sends_itself_elsewhere_takes_its_uids_with_it() {
    run(async {
        let page = |name: &str| {
            Answer::Page(format!(
                "{JOURNAL}<button id=b onclick='top.postMessage(1, `*`)'>{name}</button>
                 <script>onmessage = () => location = '/again'</script>"
            ))
        };
        let other = Server::new(&[("/", page("Cross")), ("/again", page("Cross"))]);
        let frames = format!("<iframe src=/same></iframe><iframe src={}></iframe>", other.other("/"));
        let main = Server::new(&[
            (
                "/",
                Answer::Page(format!(
                    "{JOURNAL}<title>Top</title>{frames}<script>onmessage = () => hear('pressed')</script>"
                )),
            ),
            ("/same", page("Same")),
            ("/again", page("Same")),
        ]);
        let agent = Agent::new();
        let shown = agent.go(&main.url("/")).await;
        agent.eval("frames[0].postMessage(0, '*'), frames[1].postMessage(0, '*'), 0").await;
        agent.act(json!({ "action": "wait", "amount": 700 })).await;
        for name in ["Same", "Cross"] {
            let said = agent.fails(json!({ "action": "click", "uid": shown.uid(name) })).await;
            assert!(said.starts_with("cave_stale_uid: ") && said.contains("(navigated)"), "{name}: {said}");
        }
        assert_eq!(agent.heard().await, [""; 0]);
        let again = agent.see(json!({})).await;
        for name in ["Same", "Cross"] {
            agent.act(json!({ "action": "click", "uid": again.uid(name) })).await;
        }
        assert_eq!(agent.heard().await, ["pressed", "pressed"]);
    });
}

const SPIN: &str =
    "<script>onmessage = event => { const end = Date.now() + event.data; while (Date.now() < end); }</script>";

#[test]
fn a_frame_whose_process_is_gone_is_named_with_its_address_and_the_rest_can_be_used() {
    run(async {
        let browser = Browser::new(options()).expect("a browser");
        let agent = Agent::of(browser.clone());
        let other = Server::page(&format!("<button>Inside</button>{SPIN}"));
        let main = Server::page(&format!(
            "<title>Top</title><button id=b onclick='b.textContent += `!`'>Outside</button><iframe title=Pay src={}></iframe>",
            other.other("/")
        ));
        let shown = agent.go(&main.url("/")).await;
        let inside = shown.uid("Inside");
        let chrome = browser.process_id().expect("it runs");
        let before = renderers(chrome);
        agent.eval("frames[0].postMessage(10_000, '*'), 0").await;
        let killed = busy_renderer(chrome, &before);
        assert!(
            std::process::Command::new("kill").args(["-9", &killed.to_string()]).status().expect("kill runs").success()
        );
        tokio::time::sleep(Duration::from_millis(500)).await;
        let begun = Instant::now();
        let shown = agent.see(json!({})).await;
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
        shown.has("button Outside").lacks("Inside").has(&format!("… frame {} is not read: ", other.other("/")));
        agent.fails(json!({ "action": "click", "uid": inside })).await;
        agent.act(json!({ "action": "click", "uid": shown.uid("Outside") })).await;
        agent.see(json!({})).await.has("Outside!");
        browser.close().await;
    });
}

#[test]
fn many_frames_that_hang_cost_the_time_of_one_and_each_is_named() {
    run(async {
        let browser = impatient();
        let agent = Agent::of(browser.clone());
        let other = Server::page(&format!("<button>Inside</button>{SPIN}"));
        let frame = |place| format!("<iframe src={}></iframe>", other.other(&format!("/?{place}")));
        let frames = [0, 1, 2, 3].map(frame).concat();
        let main = Server::page(&format!("<title>Top</title><button>Outside</button>{frames}"));
        let whole = agent.go(&main.url("/")).await;
        assert_eq!(whole.0.matches("Inside").count(), 4, "{}", whole.0);
        whole.lacks("not read");
        agent.eval("frames[0].postMessage(60_000, '*'), 0").await;
        let begun = Instant::now();
        let answer = agent.call("browser_snapshot", json!({})).await;
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
        let said = text(&answer);
        assert!(!answer.is_error && said.contains("button Outside"), "{said}");
        for place in 0..4 {
            assert!(said.contains(&format!("… frame {} is not read: ", other.other(&format!("/?{place}")))), "{said}");
        }
        browser.close().await;
    });
}

#[test]
fn what_shows_under_the_pointer_shows_in_frames_too() {
    run(async {
        let page = |name: &str| {
            format!(
                "<style>#items{{display:none;position:absolute}} #menu:hover + #items{{display:block}}</style>
                 <button id=menu>{name} menu</button><p id=items>{name} items</p><button>{name} other</button>"
            )
        };
        let other = Server::page(&page("Cross"));
        let main = Server::new(&[
            (
                "/",
                Answer::Page(format!(
                    "<title>T</title>{}<iframe src=/same></iframe><iframe src={}></iframe>",
                    page("Main"),
                    other.other("/")
                )),
            ),
            ("/same", Answer::Page(page("Same"))),
        ]);
        let agent = Agent::new();
        let shown = agent.go(&main.url("/")).await;
        for name in ["Main", "Same", "Cross"] {
            shown.lacks(&format!("{name} items"));
            let said = agent.act(json!({ "action": "hover", "uid": shown.uid(&format!("{name} menu")) })).await;
            assert!(said.starts_with("changed\n") && said.contains(&format!("{name} items")), "{name}: {said}");
        }
    });
}

#[test]
fn beside_a_frame_that_hangs_the_others_are_read_and_afterwards_all_have_their_uids() {
    run(async {
        let browser = impatient();
        let agent = Agent::of(browser.clone());
        let other = Server::page(&format!("<button>Inside</button>{SPIN}"));
        let main = Server::page(&format!(
            "<title>Top</title><iframe src={}></iframe><iframe srcdoc='<button>Beside</button>'></iframe>",
            other.other("/")
        ));
        let whole = agent.go(&main.url("/")).await;
        whole.has("button Inside").has("button Beside");
        agent.eval("frames[0].postMessage(4_000, '*'), 0").await;
        agent.see(json!({})).await.has("is not read").has("button Beside");
        agent.call("browser_act", json!({ "action": "wait", "amount": 4_500 })).await;
        assert_eq!(agent.see(json!({})).await.uids(), whole.uids());
        browser.close().await;
    });
}

#[test]
fn frames_within_frames_are_gone_with_their_page() {
    run(async {
        let inner = Server::page("<button>Innermost</button>");
        let middle = Server::page(&format!("<button>Middle</button><iframe src={}></iframe>", inner.url("/")));
        let main = Server::page(&format!("<h1>Outer</h1><iframe src={}></iframe>", middle.other("/")));
        let next = Server::page("<h1>Next</h1>");
        let agent = Agent::new();
        agent.go(&main.url("/")).await.has("button Middle").has("button Innermost");
        agent.go(&next.url("/")).await.has("# Next").lacks("not read").lacks("frame");
    });
}
