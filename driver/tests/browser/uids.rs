//! What an agent was shown stays what it was: the same node under the same uid, and a reason of its own for each way in which
//! that is no longer so.

use std::collections::BTreeSet;

use serde_json::json;

use super::support::{Agent, Answer, JOURNAL, Server, run};

#[test]
fn acting_leaves_the_uids_of_everything_else_as_they_are() {
    run(async {
        let row = |row: usize| format!("<li>Row {row} <button>Open {row}.</button>");
        let rows = (0..30).map(row).collect::<Vec<_>>().concat();
        let server = Server::page(&format!(
            "{JOURNAL}<title>T</title><label>Find <input id=find></label><p id=said>none</p><ul id=rows>{rows}</ul>
             <button id=more>More</button><script>more.onclick = () => {{
                 document.getElementById('rows').insertAdjacentHTML('afterbegin', '<li>New <button>Open new.</button>'); said.textContent = 'more' }}
             </script>"
        ));
        let agent = Agent::new();
        let before = agent.go(&server.url("/")).await;
        assert_eq!(agent.see(json!({})).await.uids(), before.uids());
        agent.act(json!({ "action": "type", "uid": before.uid("Find"), "text": "abc" })).await;
        assert_eq!(agent.see(json!({})).await.uids(), before.uids());
        agent.act(json!({ "action": "click", "uid": before.uid("button More") })).await;
        let after = agent.see(json!({})).await;
        for row in 0..30 {
            let control = format!("Open {row}.");
            assert_eq!(after.uid(&control), before.uid(&control));
        }
        let known: BTreeSet<String> = before.uids().into_iter().collect();
        let fresh = after.uid("Open new.");
        assert!(!known.contains(fresh.trim_start_matches('@')), "a new node has a new uid");
        assert_eq!(after.uids().len(), before.uids().len() + 1);
    });
}

#[test]
fn each_way_to_lose_a_node_is_said_by_its_own_name() {
    run(async {
        let server = Server::new(&[
            (
                "/",
                Answer::Page(
                    "<title>T</title><div id=d><button>Rendered</button></div><button id=c>Covered</button>
                     <iframe id=f srcdoc='<button>Framed</button>'></iframe><iframe id=g src=SAME/frame></iframe>
                     <a href=/next>On</a>"
                        .into(),
                ),
            ),
            ("/frame", Answer::Page("<button>Replaced</button>".into())),
            ("/other", Answer::Page("<button>Replaced</button>".into())),
            ("/next", Answer::Page("<title>Next</title><button>Rendered</button>".into())),
        ]);
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        agent
            .eval(
                "d.innerHTML = '<button>Rendered</button>', f.remove(), g.src = '/other',
                 document.body.insertAdjacentHTML('beforeend', `<div id=veil style='position:fixed;inset:0'>Wait</div>`), 0",
            )
            .await;
        agent.act(json!({ "action": "wait", "amount": 500 })).await;
        for (control, expected) in [
            ("Rendered", "(removed)"),
            ("Covered", "blocked by <div#veil> \"Wait\""),
            ("Framed", "(frame_gone)"),
            ("Replaced", "(navigated)"),
        ] {
            let said = agent.fails(json!({ "action": "click", "uid": shown.uid(control) })).await;
            assert!(said.contains(expected), "{control}: {said}");
            let reasons = ["(removed)", "(navigated)", "(frame_gone)", "(changed)", "blocked by"];
            assert_eq!(reasons.iter().filter(|reason| said.contains(**reason)).count(), 1, "{control}: {said}");
        }
        // A cover that is gone covers nothing, and a node that came with the same look is another one.
        agent.eval("veil.remove(), 0").await;
        agent.act(json!({ "action": "click", "uid": shown.uid("Covered") })).await;
        agent.act(json!({ "action": "click", "uid": shown.uid("On") })).await;
        let said = agent.fails(json!({ "action": "click", "uid": shown.uid("Covered") })).await;
        assert!(said.contains("(navigated)"), "{said}");
    });
}

#[test]
fn a_dialog_of_the_page_that_was_closed_covers_nothing() {
    run(async {
        let server = Server::page(&format!(
            "{JOURNAL}<title>T</title><button id=a>Behind</button><dialog id=d>Sure? <button id=c onclick='d.close()'>Close</button></dialog>
             <script>d.showModal()</script>"
        ));
        let agent = Agent::new();
        let shown = agent.go(&server.url("/")).await;
        let close = shown.uid("button Close");
        let before = agent.eval("d.open").await;
        assert_eq!(before, true);
        agent.act(json!({ "action": "click", "uid": close })).await;
        let shown = agent.see(json!({})).await;
        shown.lacks("Close @");
        agent.heard().await;
        agent.act(json!({ "action": "click", "uid": shown.uid("Behind") })).await;
        assert_eq!(agent.heard().await, ["mousedown a trusted", "mouseup a trusted", "click a trusted"]);
    });
}

#[test]
fn what_changed_is_said_with_uids_and_nothing_is_said_where_nothing_changed() {
    run(async {
        let rows: Vec<String> = (0..40)
            .map(|row| {
                let state = format!(
                    "<td id=s{row}>new<td><button onclick='s{row}.textContent=`done {row}`'>Do {row}.</button>"
                );
                format!("<tr><td>Order {row}{state}</tr>")
            })
            .collect();
        let server = Server::page(&format!("<title>T</title><h1>Orders</h1><table>{}</table>", rows.concat()));
        let agent = Agent::new();
        let first = agent.call("browser_snapshot", json!({ "url": server.url("/") })).await;
        let handle = first.meta["recovery_handle"].clone();
        let same = agent.see(json!({ "since": handle })).await;
        assert!(same.0.starts_with("no change\nrecover ccr_"), "{}", same.0);
        let shown = agent.see(json!({})).await;
        agent.eval("s7.textContent = 'late', s7.parentNode.insertAdjacentHTML('beforeend', '<td><button id=n>Undo</button>'), 0").await;
        let delta = agent.see(json!({ "since": handle })).await;
        delta.has("late").has("Undo").lacks("Order 8");
        assert_eq!(delta.uid("Order 7"), shown.uid("Do 7."), "the row's own button is named as before");
        // A uid that only a change showed can be used, and so can all those of before.
        agent.act(json!({ "action": "click", "uid": delta.uid("Undo") })).await;
        let said = agent.act(json!({ "action": "click", "uid": shown.uid("Do 30.") })).await;
        assert!(said.contains("done 30"), "{said}");
    });
}

#[test]
fn two_agents_of_one_browser_read_and_write_their_own_pages() {
    run(async {
        let server = Server::page(
            "<title>T</title><label>Mine <input id=a></label><p id=p></p><script>a.oninput = () => p.textContent = `is ${a.value}.`</script>",
        );
        let agents = [Agent::new(), Agent::new()];
        let pages = [agents[0].go(&server.url("/?one")).await, agents[1].go(&server.url("/?two")).await];
        for round in 0..6 {
            let work = |number: usize| {
                let (agent, page) = (&agents[number], &pages[number]);
                async move {
                    let text = format!("agent{number} round{round}");
                    agent.act(json!({ "action": "type", "uid": page.uid("Mine"), "text": text })).await;
                    agent.see(json!({})).await.has(&format!("is {text}."));
                }
            };
            tokio::join!(work(0), work(1));
        }
        assert_eq!(agents[0].eval("location.search").await, "?one");
        assert_eq!(agents[1].eval("location.search").await, "?two");
    });
}
