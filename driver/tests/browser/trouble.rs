//! Pages as they are met: lists that hold a part of themselves, fields that keep their own mind, files behind labels, pages
//! that never are at rest, tabs that close their openers.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use axpress_driver::browser::Browser;
use serde_json::json;

use super::support::{Agent, Answer, JOURNAL, Server, options, run, text};

#[test]
fn a_list_that_holds_eight_of_its_rows_is_read_on_by_scrolling_it() {
    run(async {
        let server = Server::page(
            "<title>T</title><div id=box role=list aria-label=People style='height:100px;overflow:auto'></div><div style='height:3000px'></div><script>
             const draw = () => { const from = Math.floor(box.scrollTop / 20);
                 box.innerHTML = `<div style='height:${from * 20}px'></div>` + Array.from({length: 8}, (_, n) => from + n).filter(n => n < 500).map(n =>
                     `<div role=listitem aria-setsize=500 aria-posinset=${n + 1} style='height:20px'><button>Person ${n + 1}.</button></div>`).join('') +
                     `<div style='height:${Math.max(0, 492 - from) * 20}px'></div>`; };
             box.onscroll = draw; draw()</script>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        shown.has("Person 1.").has("Person 8.").lacks("Person 9.");
        let scroll = json!({ "action": "scroll", "uid": shown.uid("Person 3."), "amount": 5000 });
        let said = agent.act(scroll).await;
        // How much there is, and how far one is.
        assert!(said.starts_with("changed; now at 5000 of 9900"), "{said}");
        let shown = agent.see(json!({})).await;
        shown.has("Person 251.").lacks("Person 8.");
        assert_eq!(agent.eval("scrollY").await, 0);
        let seen = agent.act(json!({ "action": "scroll", "uid": shown.uid("Person 251."), "amount": 1e9 })).await;
        assert!(seen.contains("now at 9900 of 9900") || seen.contains("now at 99"), "{seen}");
        agent.see(json!({})).await.has("Person 500.");
    });
}

fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, "seven..").expect("a file");
    path
}

#[test]
fn a_file_field_that_is_not_drawn_is_given_its_file_by_what_is_drawn_for_it() {
    run(async {
        let server = Server::page(&format!(
            "{JOURNAL}<title>T</title><h1>Send</h1><label>Pick a photo<input type=file id=a style='display:none'></label>
             <p>or</p><input type=file id=b hidden><label for=b>Choose a letter</label>
             <label for=c>Seen</label><input type=file id=c><label>Text <input></label>"
        ));
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let path = file("trigger.txt");
        // Of one that is drawn the field is enough.
        assert_eq!(shown.uids().len(), 4, "{}", shown.0);
        for (drawn, id) in [("Pick a photo", "a"), ("Choose a letter", "b")] {
            let upload = json!({ "action": "upload", "uid": shown.uid(drawn), "path": path.to_str() });
            let said = agent.act(upload).await;
            assert!(said.starts_with("changed; now trigger.txt"), "{said}");
            let expected: Vec<String> =
                ["input", "change"].iter().map(|kind| format!("{kind} {id} trusted trigger.txt:7")).collect();
            assert_eq!(agent.heard().await, expected);
        }
    });
}

#[test]
fn an_option_stands_for_its_list_or_says_how_to_choose_it() {
    run(async {
        let server = Server::page(&format!(
            "{JOURNAL}<title>T</title><label>Size <select id=s><option value=1>Small<optgroup label=Large ones>
             <option value=2>Big<option value=3 disabled>Huge</optgroup></select></label>"
        ));
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let begun = Instant::now();
        // A list that is closed has no place of its own for its options: what to do is said at once.
        let select = |option: &str| json!({ "action": "select", "uid": shown.uid("Size"), "option": option });
        let said = agent.act(select("Big")).await;
        assert!(said.starts_with("changed; now \"Big\""), "{said}");
        assert_eq!(agent.heard().await, ["input s made 2", "change s made 2"]);
        for option in ["Huge", "3"] {
            let said = agent.fails(select(option)).await;
            assert!(said.contains("disabled") && said.contains("Small | Big | Huge (disabled)"), "{said}");
        }
        assert_eq!((agent.eval("s.value").await, agent.heard().await.len()), (json!("2"), 0));
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    });
}

#[test]
fn what_a_page_takes_back_is_never_said_to_be_done() {
    run(async {
        // A page that keeps what its fields hold in a state of its own, and puts that back.
        let server = Server::page(&format!(
            "{JOURNAL}<title>T</title><label>Mail <input id=a value=old.mail></label>
             <label>Plan <select id=b><option>Free<option>Team</select></label>
             <label><input type=checkbox id=c> Agree</label><label>Day <input type=date id=d value=2026-01-02></label>
             <div id=e contenteditable role=textbox aria-label=Body>old</div><script>
             a.oninput = () => a.value = 'old.mail'; b.onchange = () => b.value = 'Free';
             c.onchange = () => c.checked = false; d.onchange = () => d.value = '2026-01-02';
             e.oninput = () => e.textContent = 'old';</script>"
        ));
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        for (arguments, holds) in [
            (json!({ "action": "type", "uid": shown.uid("Mail"), "text": "new.mail" }), "old.mail"),
            (json!({ "action": "append", "uid": shown.uid("Mail"), "text": "x" }), "old.mail"),
            (json!({ "action": "select", "uid": shown.uid("Plan"), "option": "Team" }), "Free"),
            (json!({ "action": "type", "uid": shown.uid("Body"), "text": "new" }), "old"),
            (json!({ "action": "check", "uid": shown.uid("Agree") }), "unchecked"),
            (json!({ "action": "type", "uid": shown.uid("Day"), "text": "2026-03-04" }), "2026-01-02"),
        ] {
            let said = agent.fails(arguments.clone()).await;
            assert!(said.starts_with("cave_browser_action_failed: ") && said.contains(holds), "{arguments}: {said}");
        }
    });
}

#[test]
fn an_editor_keeps_the_first_character_and_the_lines_of_what_is_typed() {
    run(async {
        let server = Server::page(
            "<title>T</title><div id=a contenteditable role=textbox aria-multiline=true aria-label=Body></div>
             <label>Notes <textarea id=b></textarea></label><label>One <input id=c></label>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        for (field, now) in [("Body", "a\\nb"), ("Notes", "a\\nb"), ("One", "a b")] {
            let said = agent.act(json!({ "action": "type", "uid": shown.uid(field), "text": "a\nb" })).await;
            assert!(said.starts_with(&format!("changed; now \"{now}\"")), "{field}: {said}");
        }
        assert_eq!(agent.eval("[a.innerText, b.value, c.value]").await, json!(["a\nb", "a\nb", "a b"]));
        let said = agent.act(json!({ "action": "type", "uid": shown.uid("Body"), "text": "xyz" })).await;
        assert!(said.starts_with("changed; now \"xyz\""), "{said}");
    });
}

#[test]
fn a_page_at_work_is_read_at_once_and_again_when_its_text_has_come() {
    run(async {
        let server = Server::new(&[
            (
                "/",
                Answer::Page(
                    "<title>T</title><style>@keyframes turn{to{transform:rotate(1turn)}} #s{animation:turn 1s infinite linear;width:20px}</style>
                     <div id=s role=progressbar aria-label=Loading></div><main id=m></main><script>fetch('/silent');
                     setTimeout(() => { s.remove(); m.innerHTML = '<button>Ready now</button>' }, 2000)</script>"
                        .into(),
                ),
            ),
            ("/endless", Answer::Page("<title>T</title><div role=progressbar aria-label=Loading></div><script>fetch('/silent');
                setInterval(() => document.body.toggleAttribute('x'), 30)</script>".into())),
            ("/image", Answer::Page("<title>T</title><button>There</button><img src=/silent alt=Slow>".into())),
            ("/silent", Answer::Silence),
        ]);
        let agent = Agent::new();
        let begun = Instant::now();
        agent.go(&server.url("/")).await.has("Loading").lacks("Ready now").lacks("still loading");
        assert!(begun.elapsed() < Duration::from_millis(1900), "{:?}", begun.elapsed());
        agent.act(json!({ "action": "wait", "text": "Ready now", "amount": 10_000 })).await;
        agent.see(json!({})).await.has("button Ready now @");
        agent.see(json!({ "url": server.url("/"), "wait": 2500 })).await.has("button Ready now @");
        let begun = Instant::now();
        agent.go(&server.url("/endless")).await.has("Loading");
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
        let begun = Instant::now();
        agent.go(&server.url("/image")).await.has("button There @").has("… the page is still loading");
        assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    });
}

#[test]
fn a_tab_that_opens_another_and_closes_itself_hands_the_agent_on() {
    run(async {
        let server = Server::new(&[
            ("/", Answer::Page("<title>T</title><button onclick='window.open(`/middle`)'>Begin</button>".into())),
            (
                "/middle",
                Answer::Page(
                    "<title>M</title><button onclick='window.open(`/end`); window.close()'>Go on</button>".into(),
                ),
            ),
            ("/end", Answer::Page("<title>E</title><h1>The end</h1>".into())),
        ]);
        let agent = Agent::of(Browser::new(options()).expect("a browser"));
        let shown = agent.go(&server.url("/")).await;
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Begin") })).await;
        assert!(said.starts_with(&format!("new tab 2 {}", server.url("/middle"))), "{said}");
        agent.act(json!({ "action": "switch_tab", "tab": 2 })).await;
        let shown = agent.see(json!({})).await;
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Go on") })).await;
        assert!(said.contains("tab 3") || said.starts_with("closed tab 2"), "{said}");
        agent.see(json!({ "tab": 3 })).await.has("# The end");
        let gone = agent.fails(json!({ "action": "reload", "tab": 2 })).await;
        assert!(gone.contains("there is no tab 2"), "{gone}");
        // Who says nothing of a tab is never left with one that is gone.
        agent.see(json!({})).await;
        agent.tools.pages().close().await;
    });
}

#[test]
fn a_file_for_a_viewer_is_neither_saved_nor_taken_for_a_page() {
    run(async {
        const PDF: &str = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>";
        let server = Server::new(&[
            ("/", Answer::Page("<title>T</title><a href=/paper>Paper</a> <a href=/paper target=_blank>Apart</a> <button>Here</button>".into())),
            ("/paper", Answer::With("Content-Type: application/pdf\r\n", PDF.into())),
        ]);
        let agent = Agent::of(Browser::new(options()).expect("a browser"));
        let mut shown = agent.go(&server.url("/")).await;
        for link in ["Paper", "Apart"] {
            let begun = Instant::now();
            let answer = agent.call("browser_act", json!({ "action": "click", "uid": shown.uid(link) })).await;
            let said = text(&answer);
            assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
            assert!(said.starts_with("download refused \"paper") || said.contains("/paper"), "{said}");
            shown = agent.see(json!({ "url": server.url("/"), "tab": 1 })).await;
            shown.has("button Here");
        }
        agent.tools.pages().close().await;
    });
}

#[test]
fn what_a_page_takes_back_a_little_later_is_not_said_to_be_done() {
    run(async {
        let server = Server::page(
            "<title>T</title><input aria-label=Async id=a><input aria-label=Short id=b>
             <label><input type=checkbox id=c> Agree</label><label>Plan <select id=d><option>Free<option>Team</select></label>
             <label>Day <input type=date id=e value=2026-01-02></label><input aria-label=Phone id=f><script>
             a.oninput = () => setTimeout(() => a.value = 'RESET', 150);
             b.oninput = () => setTimeout(() => b.value = b.value.slice(0, 3), 30);
             c.onchange = () => setTimeout(() => c.checked = false, 50);
             d.onchange = () => setTimeout(() => d.value = 'Free', 150);
             e.onchange = () => setTimeout(() => e.value = '2026-01-02', 150);
             f.oninput = () => setTimeout(() => f.value = f.value.replace(/^(...)(...)/, '($1) $2-'), 150);</script>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        for (arguments, holds) in [
            (json!({ "action": "type", "uid": shown.uid("Async"), "text": "abc" }), "\"RESET\""),
            (json!({ "action": "type", "uid": shown.uid("Short"), "text": "abcdef" }), "\"abc\""),
            (json!({ "action": "check", "uid": shown.uid("Agree") }), "it is unchecked"),
            (json!({ "action": "select", "uid": shown.uid("Plan"), "option": "Team" }), "\"Free\""),
            (json!({ "action": "type", "uid": shown.uid("Day"), "text": "2026-03-04" }), "\"2026-01-02\""),
        ] {
            let said = agent.fails(arguments.clone()).await;
            assert!(said.contains("did not keep") && said.contains(holds), "{arguments}: {said}");
        }
        // One that the page only writes in its own way is kept, and said as it is in the end.
        let said = agent.act(json!({ "action": "type", "uid": shown.uid("Phone"), "text": "5551234567" })).await;
        assert!(said.starts_with("changed; now \"(555) 123-4567\""), "{said}");
    });
}

#[test]
fn of_a_field_that_was_replaced_it_is_not_said_what_it_holds() {
    run(async {
        let server = Server::page(
            "<title>T</title><div id=box><input aria-label=Name></div><script>
             box.oninput = () => box.innerHTML = '<input aria-label=Name value=fresh>'</script>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let said = agent.act(json!({ "action": "type", "uid": shown.uid("Name"), "text": "hello" })).await;
        assert!(said.starts_with("changed; now no longer in the page"), "{said}");
        assert!(!said.contains("\"hello\""), "{said}");
    });
}

#[test]
fn a_field_that_turns_secret_when_it_is_used_is_never_repeated() {
    run(async {
        let server = Server::page(
            "<title>T</title><input aria-label=Pin onfocus=\"this.type='password'\">
             <input aria-label=Code oninput=\"this.autocomplete='one-time-code'\">
             <input aria-label=Late oninput=\"setTimeout(() => this.type='password', 100)\">
             <input aria-label=Key onfocus=\"this.type='password'\"><input type=password aria-label=Password>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        for field in ["Pin", "Code", "Late"] {
            let arguments = json!({ "action": "type", "uid": shown.uid(field), "text": "hunter2hunter" });
            let said = text(&agent.call("browser_act", arguments).await);
            assert!(said.starts_with("changed") && !said.contains("hunter2"), "{field}: {said}");
        }
        let said = agent.act(json!({ "action": "press", "uid": shown.uid("Key"), "key": "7" })).await;
        assert!(said.starts_with("changed") && !said.contains("now \""), "{said}");
        for arguments in [
            json!({ "action": "press", "uid": shown.uid("Password"), "key": "hunter2hunter" }),
            json!({ "action": "press", "key": "hunter2hunter" }),
        ] {
            let said = agent.fails(arguments).await;
            assert!(said.contains("no such key") && !said.contains("hunter2"), "{said}");
        }
    });
}

#[test]
fn a_drag_of_which_its_target_saw_nothing_is_missed() {
    run(async {
        let server = Server::page(
            "<title>T</title><style>button{width:150px;height:60px}</style>
             <button id=a onpointerdown='this.setPointerCapture(event.pointerId)'>Handle</button>
             <button id=b draggable=true>Card</button><button id=c>Target</button><div id=d hidden></div>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let answer = agent
            .call("browser_act", json!({ "action": "drag", "uid": shown.uid("Handle"), "to": shown.uid("Target") }))
            .await;
        let said = text(&answer);
        assert!(answer.is_error && said.starts_with("missed: the input "), "{said}");
        assert_eq!((&answer.meta["ok"], &answer.meta["verdict"]), (&json!(false), &json!("missed")), "{said}");
        // What the target sees is a drag that arrived.
        let said = agent.act(json!({ "action": "drag", "uid": shown.uid("Card"), "to": shown.uid("Target") })).await;
        assert!(!said.contains("missed"), "{said}");
    });
}
