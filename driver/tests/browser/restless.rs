//! Pages that change by themselves: no act is credited with that, and what an act does is still seen.

use axpress_driver::browser::{Action, OwnChanges, Verdict};

use super::support::{Seen, Server, Tab, run, visit};

/// Ways in which pages change without anyone's doing.
const RESTLESS: &[(&str, &str)] = &[
    ("a clock of seconds", "setInterval(() => clock.textContent = new Date().toISOString(), 1000)"),
    ("a clock that ticks fast", "setInterval(() => clock.textContent = Date.now(), 20)"),
    ("a text set in place", "clock.append('0'); setInterval(() => clock.firstChild.data = Date.now(), 150)"),
    (
        "a feed",
        "let n = 0; setInterval(() => { const entry = document.createElement('p'); entry.innerHTML = `<b>Entry</b> ${n++}`;
         clock.prepend(entry); if (n > 5) clock.lastChild.remove(); setTimeout(() => entry.className = 'old', 30) }, 90)",
    ),
    ("a style that moves", "let x = 0; setInterval(() => clock.style.marginLeft = `${x++ % 9}px`, 30)"),
];

async fn page(restless: &str) -> (Server, Tab, Seen) {
    let server = Server::page(&format!(
        "<title>T</title><div id=clock style='height:120px;overflow:hidden'></div><button>Idle</button><button onclick='p.textContent = \"at once\"'>At once</button>
         <button onclick='Promise.resolve().then(() => p.append(\" soon\"))'>Soon</button>
         <button onclick='setTimeout(() => p.append(\" later\"), 20)'>Later</button>
         <button onclick='field.value = \"set\"'>Set</button>
         <label>Field <input id=field></label><p id=p>no</p><x-shadow></x-shadow><script>
         customElements.define('x-shadow', class extends HTMLElement {{ constructor() {{ super();
             const root = this.attachShadow({{mode: 'open'}}); root.innerHTML = '<button>Within</button><i>0</i>';
             root.querySelector('button').onclick = () => root.querySelector('i').textContent = '1'; }} }});
         {restless}</script>"
    ));
    visit(server).await
}

#[test]
fn a_click_that_does_nothing_is_not_credited_with_what_the_page_changes_by_itself() {
    run(async {
        for (what, script) in RESTLESS {
            let (_server, tab, seen) = page(script).await;
            // Soon after the page was read, and at any moment between two of its changes.
            for round in 0..8 {
                let outcome = tab.done(Action::Click(seen.uid("Idle"))).await;
                assert_eq!(outcome.verdict, Verdict::NoChangeSeen, "{what}, {round}: {outcome:?}");
            }
        }
    });
}

#[test]
fn what_a_click_does_is_seen_on_a_page_that_changes_by_itself_too() {
    run(async {
        for (what, script) in RESTLESS.iter().chain([&("nothing", "")]) {
            let (_server, tab, seen) = page(script).await;
            for button in ["At once", "Soon", "Later", "Set", "Within"] {
                let outcome = tab.done(Action::Click(seen.uid(button))).await;
                assert_eq!(outcome.verdict, Verdict::Changed, "{button} beside {what}");
            }
        }
    });
}

#[test]
fn what_comes_after_the_act_was_answered_is_told_from_what_the_page_does_by_itself() {
    run(async {
        let clock = "setInterval(() => clock.textContent = Date.now(), 300)";
        for (script, after) in [("", OwnChanges::None), (clock, OwnChanges::Again)] {
            let (_server, tab, seen) = page(script).await;
            tab.done(Action::Click(seen.uid("Idle"))).await;
            tab.look().await;
            let own = || async { tab.browser.own_changes(tab.tab).await.expect("an answer") };
            // Whether a clock ticked since is a matter of time.
            let mut said = own().await;
            for _ in 0..20 {
                if said == after {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                said = own().await;
            }
            assert_eq!(said, after, "{script}");
            tab.done(Action::Click(seen.uid("Idle"))).await;
            tab.eval("p.append(' by itself, once')").await;
            assert_eq!(own().await, OwnChanges::Once, "{script}");
        }
    });
}

#[test]
fn a_frame_that_changes_by_itself_is_watched_as_well() {
    run(async {
        let frame =
            "<p id=p></p><button>Inside</button><script>setInterval(() => p.textContent = Date.now(), 200)</script>";
        let server = Server::new(&[
            (
                "/",
                super::support::Answer::Page(
                    "<button>Idle</button><iframe src=/frame></iframe><iframe src=OTHER/frame></iframe>".into(),
                ),
            ),
            ("/frame", super::support::Answer::Page(frame.into())),
        ]);
        let tab = Tab::new().await;
        let seen = tab.go(&server.url("/")).await;
        for button in ["Idle", "Inside"] {
            let outcome = tab.done(Action::Click(seen.uid(button))).await;
            assert_eq!(outcome.verdict, Verdict::NoChangeSeen, "{button}");
            tokio::time::sleep(std::time::Duration::from_millis(400)).await;
            let own = tab.browser.own_changes(tab.tab).await.expect("an answer");
            assert_eq!(own, OwnChanges::Again, "{button}");
        }
    });
}
