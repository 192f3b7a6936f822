//! Pages that move under the pointer, links that are scripts, and tabs that are gone.

use axpress_driver::browser::{Action, TabId};
use serde_json::json;

use super::support::{Agent, Server, run, text};

#[test]
fn a_press_that_moves_its_button_away_is_no_click() {
    run(async {
        let server = Server::page(
            "<title>Moving</title><p role=status id=said>none</p>
             <input aria-label=Code onblur=\"gap.style.height='120px'\"><div id=gap></div>
             <button onclick=\"said.textContent='submitted'\">Submit</button>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        agent.act(json!({ "action": "type", "uid": shown.uid("Code"), "text": "abc" })).await;
        let said = agent.fails(json!({ "action": "click", "uid": shown.uid("Submit") })).await;
        assert!(said.starts_with("missed: ") && said.contains("the page moved meanwhile"), "{said}");
        assert_eq!(agent.eval("said.textContent").await, "none");
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Submit") })).await;
        assert!(said.starts_with("changed\n") && said.contains("submitted"), "{said}");
    });
}

#[test]
fn what_its_own_press_takes_away_was_used() {
    run(async {
        let server = Server::page(
            "<title>List</title><p role=status id=said>none</p><ul role=listbox id=list aria-label=Towns>
             <li role=option tabindex=0 onmousedown=\"said.textContent='Bergen'; list.style.display='none'\">Bergen</li></ul>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Bergen") })).await;
        assert!(said.starts_with("changed\n") && said.contains("status Bergen"), "{said}");
    });
}

#[test]
fn a_link_that_is_a_script_is_answered_as_soon_as_it_has_run() {
    run(async {
        let server = Server::page(
            "<title>Links</title><p role=status id=said>0</p>
             <a href=\"javascript:void(0)\" onclick=\"said.textContent=+said.textContent+1\">Add</a>
             <a href=\"javascript:more()\">More</a> <a href=\"file:///etc/hostname\">File</a>
             <a href=\"data:text/html,<h1>Elsewhere</h1>\">Data</a>
             <script>const more = () => { said.textContent = 'more' }</script>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        for (link, says) in [("Add", "status 1"), ("More", "status more")] {
            let said = agent.act(json!({ "action": "click", "uid": shown.uid(link) })).await;
            assert!(said.starts_with("changed\n") && said.contains(says), "{link}: {said}");
        }
        for link in ["File", "Data"] {
            let said = agent.fails(json!({ "action": "click", "uid": shown.uid(link) })).await;
            assert!(said.starts_with("refused to go to "), "{link}: {said}");
        }
        assert_eq!(agent.eval("document.title").await, "Links");
    });
}

#[test]
fn a_button_that_does_nothing_changes_nothing_wherever_the_focus_was() {
    run(async {
        let server = Server::page(
            "<title>Focus</title><button onclick=\"count.textContent=+count.textContent+1\">Count</button><p id=count>0</p>
             <button>Dead</button>",
        );
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Count") })).await;
        assert!(said.starts_with("changed\n"), "{said}");
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Dead") })).await;
        assert!(said.starts_with("no change seen"), "{said}");
    });
}

#[test]
fn who_closed_their_tab_gets_another_one() {
    run(async {
        let server = Server::page("<title>Here</title><h1>Here</h1>");
        let agent = Agent::new();
        agent.go(&server.url("/")).await;
        let first = agent.call("browser_act", json!({ "action": "wait", "amount": 0 })).await.meta["tab"].clone();
        let tab = TabId(serde_json::from_value(first.clone()).expect("a number"));
        agent.tools.pages().act(tab, &Action::CloseTab).await.expect("it closes");
        agent.go(&server.url("/")).await.has("# Here");
        let answer = agent.call("browser_snapshot", json!({ "tab": first })).await;
        assert!(answer.is_error && text(&answer).contains("there is no tab"), "{}", text(&answer));
    });
}
