//! Every action, on pages that take down what they received: trusted or made, on what, with which key and value. It is what
//! the answer says.

use std::path::PathBuf;

use axpress_driver::browser::Action;
use serde_json::{Value, json};

use super::support::{Agent, Answer, JOURNAL, Server, Shown, run};

const CONTROLS: &str = "<title>Controls</title><p id=said role=status>nothing yet</p>
    <button id=save>Save</button><button id=twice>Open</button><button id=menu data-over>Menu</button>
    <form id=form><label>Name <input id=who value=Old></label></form>
    <label>Notes <textarea id=notes>first</textarea></label>
    <label>Size <select id=size><option value=s>Small<option value=m>Medium<option value=l disabled>Large</select></label>
    <label><input type=checkbox id=news> News</label> <label>File <input type=file id=file></label>
    <div id=list style='height:90px;overflow:auto'><button id=first>First</button><div style='height:3000px'></div></div>
    <button id=card style='user-select:none'>Card</button><div style='height:60px'></div><button id=slot>Slot</button>
    <button id=ask>Ask</button><button id=sure>Sure</button><button id=off disabled>Off</button><button id=idle>Idle</button>
    <script>
    save.onclick = () => said.textContent = 'saved ' + who.value;
    twice.ondblclick = () => said.textContent = 'opened';
    menu.onmouseenter = () => said.textContent = 'menu shown';
    form.onsubmit = event => { event.preventDefault(); said.textContent = 'submitted ' + who.value };
    slot.onmouseup = () => said.textContent = 'dropped';
    ask.onclick = () => hear('answer ' + prompt('Who?', 'you'));
    sure.onclick = () => hear('answer ' + confirm('Sure?'));
    </script>";

fn file() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("received.txt");
    std::fs::write(&path, "12345").expect("a file");
    path
}

async fn controls() -> (Server, Agent, Shown) {
    let server = Server::new(&[
        ("/", Answer::Page(format!("{JOURNAL}{CONTROLS}"))),
        ("/next", Answer::Page(format!("{JOURNAL}<title>Next</title><h1>Next page</h1>"))),
    ]);
    let agent = Agent::new();
    let shown = agent.go(&server.url("/")).await;
    (server, agent, shown)
}

/// How the document that is there now was come to, as it itself says.
const CAME_BY: &str = "[location.pathname, performance.getEntriesByType('navigation')[0].type]";

/// An action, how its answer begins and what else is in it, and what the page hears.
type Case = (Value, &'static str, &'static str, Vec<String>);

fn on(kinds: &[&str], id: &str) -> Vec<String> {
    kinds.iter().map(|kind| format!("{kind} {id} trusted")).collect()
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

fn given(action: &str, uid: &str) -> Value {
    json!({ "action": action, "uid": uid })
}

fn with(action: &str, uid: &str, argument: &str, value: &str) -> Value {
    json!({ "action": action, "uid": uid, argument: value })
}

/// Does each in turn, and compares what the page heard.
async fn compare(agent: &Agent, cases: Vec<Case>) {
    for (arguments, verdict, also, expected) in cases {
        agent.heard().await;
        let said = agent.act(arguments.clone()).await;
        assert!(said.starts_with(verdict) && said.contains(also), "{arguments}: {said}");
        let mut heard = agent.heard().await;
        // Chrome tells a page that it was scrolled when it draws it.
        for _ in 0..20 {
            if expected.is_empty() || !heard.is_empty() {
                break;
            }
            agent.act(json!({ "action": "wait", "amount": 50 })).await;
            heard = agent.heard().await;
        }
        assert_eq!(heard, expected, "{arguments}");
    }
}

const CLICK: &[&str] = &["mousedown", "mouseup", "click"];

#[test]
fn what_the_pointer_does_reaches_the_node_and_the_answer_says_what_came_of_it() {
    run(async {
        let (_server, agent, shown) = controls().await;
        let twice = [CLICK, CLICK, &["dblclick"]].concat();
        let ticked = |now: bool| {
            let told = [format!("input news trusted {now}"), format!("change news trusted {now}")];
            [on(CLICK, "news"), told.to_vec()].concat()
        };
        let news = shown.uid("checkbox News");
        let mut scroll = given("scroll", &shown.uid("First"));
        scroll["amount"] = json!(250);
        // Chrome makes a click of a drag, on what holds both ends.
        let dragged = ["mousedown card trusted", "mouseup slot trusted", "click body trusted"];
        let cases = vec![
            (given("click", &shown.uid("Save")), "changed", "saved Old", on(CLICK, "save")),
            (given("double_click", &shown.uid("Open")), "changed", "opened", on(&twice, "twice")),
            (given("hover", &shown.uid("Menu")), "changed", "menu shown", on(&["mouseover"], "menu")),
            (given("check", &news), "changed; now checked", "", ticked(true)),
            (given("check", &news), "no change seen; now already checked", "", vec![]),
            (given("uncheck", &news), "changed; now unchecked", "", ticked(false)),
            (scroll, "changed; now at 250 of ", "", lines(&["scroll list trusted"])),
            (with("drag", &shown.uid("Card"), "to", &shown.uid("Slot")), "changed", "dropped", lines(&dragged)),
            (given("click", &shown.uid("Idle")), "no change seen", "", on(CLICK, "idle")),
        ];
        compare(&agent, cases).await;
        assert_eq!(agent.eval("[news.checked, list.scrollTop]").await, json!([false, 250]));
    });
}

#[test]
fn what_is_put_into_a_field_reaches_it_and_the_answer_says_what_it_holds() {
    run(async {
        let (_server, agent, shown) = controls().await;
        let (name, notes) = (shown.uid("textbox Name"), shown.uid("textbox Notes"));
        let file = file();
        let upload = with("upload", &shown.uid("File"), "path", file.to_str().expect("its name"));
        let typed = ["beforeinput who trusted Zoë", "input who trusted Zoë"];
        let appended = ["beforeinput who trusted !", "input who trusted Zoë!"];
        // A field says that it changed when it is left or sent.
        let sent = [
            "keydown who trusted Enter",
            "beforeinput who trusted null",
            "change who trusted Zoë!",
            "submit form trusted",
            "keyup who trusted Enter",
        ];
        let uploaded = ["input file trusted received.txt:5", "change file trusted received.txt:5"];
        let cases = vec![
            (with("type", &name, "text", "Zoë"), "changed; now \"Zoë\"", "", lines(&typed)),
            (with("append", &name, "text", "!"), "changed; now \"Zoë!\"", "", lines(&appended)),
            (with("press", &name, "key", "Enter"), "changed; now \"Zoë!\"", "submitted Zoë!", lines(&sent)),
            (
                with("select", &shown.uid("Size"), "option", "Medium"),
                "changed; now \"Medium\"",
                "",
                lines(&["input size made m", "change size made m"]),
            ),
            (upload, "changed; now received.txt", "", lines(&uploaded)),
        ];
        compare(&agent, cases).await;
        // Lines come one by one, however Chrome cuts them.
        let said = agent.act(with("type", &notes, "text", "one\ntwo")).await;
        assert!(said.starts_with("changed; now \"one\\ntwo\""), "{said}");
        let heard = agent.heard().await;
        assert_eq!(heard.last().map(String::as_str), Some("input notes trusted one\ntwo"));
        assert!(heard.iter().all(|word| word.contains(" notes trusted")), "{heard:?}");
        assert_eq!(agent.eval("[who.value, notes.value, size.value]").await, json!(["Zoë!", "one\ntwo", "m"]));
    });
}

#[test]
fn keys_without_a_node_go_where_the_focus_is_and_the_page_itself_scrolls() {
    run(async {
        let (_server, agent, shown) = controls().await;
        agent.act(json!({ "action": "click", "uid": shown.uid("textbox Name") })).await;
        agent.heard().await;
        agent.act(json!({ "action": "press", "key": "End" })).await;
        agent.act(json!({ "action": "press", "key": "x" })).await;
        assert_eq!(
            agent.heard().await,
            [
                "keydown who trusted End",
                "keyup who trusted End",
                "keydown who trusted x",
                "beforeinput who trusted x",
                "input who trusted Oldx",
                "keyup who trusted x",
            ]
        );
        agent.eval("document.body.style.height = '5000px', 0").await;
        let said = agent.act(json!({ "action": "scroll", "amount": 300 })).await;
        assert!(said.starts_with("changed; now at 300 of "), "{said}");
        assert_eq!(agent.eval("scrollY").await, 300);
    });
}

#[test]
fn dialogs_get_the_answer_that_was_given() {
    run(async {
        let (_server, agent, shown) = controls().await;
        for (button, opens, answer, got) in [
            ("Ask", "dialog prompt \"Who?\"", json!({ "action": "accept_dialog", "text": "Ana" }), "answer Ana"),
            ("Ask", "dialog prompt \"Who?\"", json!({ "action": "dismiss_dialog" }), "answer null"),
            ("Sure", "dialog confirm \"Sure?\"", json!({ "action": "accept_dialog" }), "answer true"),
            ("Sure", "dialog confirm \"Sure?\"", json!({ "action": "dismiss_dialog" }), "answer false"),
        ] {
            let said = agent.act(json!({ "action": "click", "uid": shown.uid(button) })).await;
            assert_eq!(said, opens);
            agent.act(answer).await;
            let heard = agent.heard().await;
            let id = button.to_lowercase();
            for event in ["mousedown", "click"] {
                assert_eq!(
                    heard.iter().filter(|word| **word == format!("{event} {id} trusted")).count(),
                    1,
                    "{heard:?}"
                );
            }
            assert_eq!(heard.iter().filter(|word| word.starts_with("answer")).collect::<Vec<_>>(), [got]);
        }
    });
}

#[test]
fn history_tabs_and_waiting_do_what_their_answers_say() {
    run(async {
        let (server, agent, _) = controls().await;
        let next = server.url("/next");
        agent.go(&next).await;
        let said = agent.act(json!({ "action": "back" })).await;
        assert!(said.starts_with(&format!("navigated to {}", server.url("/"))), "{said}");
        assert_eq!(agent.eval(CAME_BY).await, json!(["/", "back_forward"]));
        let said = agent.act(json!({ "action": "forward" })).await;
        assert!(said.starts_with(&format!("navigated to {next}")), "{said}");
        assert_eq!(agent.eval(CAME_BY).await, json!(["/next", "back_forward"]));
        let said = agent.act(json!({ "action": "reload" })).await;
        assert!(said.starts_with(&format!("navigated to {next}")), "{said}");
        assert_eq!(agent.eval(CAME_BY).await, json!(["/next", "reload"]));

        let first = agent.call("browser_act", json!({ "action": "wait", "amount": 0 })).await.meta["tab"].clone();
        let said = agent.act(json!({ "action": "open_tab", "url": server.url("/") })).await;
        let second = agent.call("browser_act", json!({ "action": "wait", "amount": 0 })).await.meta["tab"].clone();
        assert!(said.starts_with(&format!("tab {second} {}", server.url("/"))), "{said}");
        assert_eq!(agent.eval(CAME_BY).await, json!(["/", "navigate"]));
        let said = agent.act(json!({ "action": "switch_tab", "tab": first })).await;
        assert!(said.starts_with(&format!("tab {first} {next}")), "{said}");
        assert_eq!(agent.eval("location.pathname").await, "/next");
        agent.act(json!({ "action": "switch_tab", "tab": second })).await;
        let said = agent.act(json!({ "action": "close_tab" })).await;
        assert!(said.starts_with(&format!("closed tab {second}")), "{said}");
        let gone = agent.fails(json!({ "action": "reload", "tab": second })).await;
        assert!(gone.starts_with(&format!("cave_invalid_arguments: there is no tab {second}")), "{gone}");

        agent.act(json!({ "action": "switch_tab", "tab": first })).await;
        agent.eval("setTimeout(() => document.body.append('All done'), 400), performance.now()").await;
        let waited = agent.call("browser_act", json!({ "action": "wait", "text": "All done", "amount": 10_000 })).await;
        assert_eq!((&waited.meta["settled"], waited.is_error), (&json!(true), false));
        assert!(agent.eval("document.body.innerText").await.as_str().expect("a text").contains("All done"));
        let begun = agent.eval("performance.now()").await.as_f64().expect("a time");
        let waited = agent.call("browser_act", json!({ "action": "wait", "amount": 300 })).await;
        assert_eq!(waited.meta["settled"], true);
        assert!(agent.eval("performance.now()").await.as_f64().expect("a time") - begun >= 300.0);
    });
}

#[test]
fn steps_reach_the_page_in_their_order_and_none_comes_after_one_that_failed() {
    run(async {
        let (_server, agent, shown) = controls().await;
        let name = shown.uid("textbox Name");
        let steps = json!([
            { "action": "type", "uid": name, "text": "Ana" },
            { "action": "check", "uid": shown.uid("checkbox News") },
            { "action": "select", "uid": shown.uid("Size"), "option": "m" },
            { "action": "press", "uid": name, "key": "Tab" },
            { "action": "click", "uid": shown.uid("Save") },
            { "action": "click", "uid": shown.uid("Off") },
            { "action": "click", "uid": shown.uid("Idle") },
        ]);
        let answer = agent.call("browser_act", json!({ "steps": steps })).await;
        let said = super::support::text(&answer);
        let lines: Vec<&str> = said.lines().collect();
        for (line, begins) in lines.iter().zip([
            "1 changed; now \"Ana\"",
            "2 changed; now checked",
            "3 changed; now \"Medium\"",
            "4 ",
            "5 changed",
            "6 cave_browser_action_failed: button \"Off\"",
        ]) {
            assert!(line.starts_with(begins), "{line}");
        }
        assert!(said.contains("saved Ana") && !said.contains("\n7 "), "{said}");
        assert_eq!((answer.is_error, &answer.meta["steps"], &answer.meta["steps_done"]), (true, &json!(7), &json!(5)));
        let heard = agent.heard().await;
        let order = [
            "input who trusted Ana",
            "change news trusted true",
            "change size made m",
            "keydown who trusted Tab",
            "click save trusted",
        ];
        let places: Vec<_> = order.iter().map(|word| heard.iter().position(|it| it == word)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {heard:?}");
        assert!(!heard.iter().any(|word| word.contains("off") || word.contains("idle")), "{heard:?}");
    });
}

#[test]
fn steps_go_on_through_a_dialog_that_the_next_step_answers() {
    run(async {
        let (_server, agent, shown) = controls().await;
        let steps = json!([
            { "action": "click", "uid": shown.uid("Sure") },
            { "action": "accept_dialog" },
            { "action": "click", "uid": shown.uid("Save") },
        ]);
        let said = agent.act(json!({ "steps": steps })).await;
        assert!(said.starts_with("1 dialog confirm \"Sure?\"\n2 ") && said.contains("saved Old"), "{said}");
        assert!(agent.heard().await.contains(&"answer true".to_owned()));
    });
}

#[test]
fn no_action_is_left_out_here() {
    let source = include_str!("received.rs");
    for name in Action::NAMES {
        let done = [format!("\"action\": \"{name}\""), format!("given(\"{name}\""), format!("with(\"{name}\"")];
        assert!(done.iter().any(|done| source.contains(done)), "{name}");
    }
}
