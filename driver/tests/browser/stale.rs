//! A uid is the node that was shown, or an error that says what became of it.

use axpress_core::Uid;
use axpress_driver::Code;
use axpress_driver::browser::{Action, Verdict};

use super::support::{Answer, RECORDER, Seen, Server, Tab, run, visit};

async fn page(body: &str) -> (Server, Tab, Seen) {
    let server = Server::new(&[
        ("/", Answer::Page(format!("<title>T</title>{RECORDER}{body}"))),
        ("/next", Answer::Page("<title>Next</title><button>Elsewhere</button><p>one</p><p>two</p>".into())),
    ]);
    visit(server).await
}

#[test]
fn a_node_keeps_its_uid_and_a_new_one_never_gets_an_old_ones() {
    run(async {
        let (_server, tab, seen) = page(
            "<ul id=l>1 2 3 4 5</ul><script>const row = n => `<li><label><input type=checkbox value=${n}> Row ${n}</label>`;
             l.innerHTML = [1, 2, 3, 4, 5].map(row).join('')</script>",
        )
        .await;
        let third = seen.uid("Row 3");
        tab.eval("l.insertAdjacentHTML('afterbegin', row(8) + row(9)), l.children[2].remove(), 0").await;
        let again = tab.look().await;
        assert_eq!(again.uid("Row 3"), third);
        tab.done(Action::Check(third)).await;
        assert_eq!(tab.eval("[...l.querySelectorAll(':checked')].map(it => it.value)").await, "[\"3\"]");
        let error = tab.fails(Action::Check(seen.uid("Row 1")), Code::StaleUid).await;
        assert!(error.what.contains("(removed)"), "{error}");
    });
}

#[test]
fn a_node_that_was_rendered_anew_at_the_same_place_is_not_taken_for_the_old_one() {
    run(async {
        let (_server, tab, seen) = page(
            "<div id=d><button>Edit</button></div><script>document.addEventListener('click', event => note(event.target.id))</script>",
        )
        .await;
        let edit = seen.uid("Edit");
        tab.eval("d.innerHTML = '<button id=x>Edit</button>', 0").await;
        let error = tab.fails(Action::Click(edit), Code::StaleUid).await;
        assert!(error.what.contains("(removed)"), "{error}");
        assert_eq!(tab.notes().await, [""; 0]);
    });
}

#[test]
fn a_node_that_is_called_otherwise_now_is_refused_and_both_names_are_said() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Archive</button><script>document.addEventListener('click', event => note(event.target.id))</script>",
        )
        .await;
        let button = seen.uid("Archive");
        tab.eval("a.textContent = 'Delete all', 0").await;
        let error = tab.fails(Action::Click(button), Code::StaleUid).await;
        assert!(error.what.contains("Archive") && error.what.contains("Delete all"), "{error}");
        assert!(error.what.contains("(changed)"), "{error}");
        // Shown again, it is the same node under its new name.
        let seen = tab.look().await;
        assert_eq!(seen.uid("Delete all"), button);
        tab.done(Action::Click(button)).await;
        assert_eq!(tab.notes().await, ["a"]);
    });
}

#[test]
fn a_uid_of_the_page_before_does_nothing_on_the_next_one() {
    run(async {
        let (server, tab, seen) = page("<a href=/next id=a>On</a><button id=b>Press</button>").await;
        let old = seen.uid("Press");
        let outcome = tab.done(Action::Click(seen.uid("On"))).await;
        assert_eq!(outcome.verdict, Verdict::Navigated { url: server.url("/next") });
        let error = tab.fails(Action::Click(old), Code::StaleUid).await;
        assert!(error.what.contains("(navigated)"), "{error}");
        // Even where the other site's process has given the same ids again.
        tab.go(&server.other("/next")).await;
        let error = tab.fails(Action::Click(old), Code::StaleUid).await;
        assert!(error.what.contains("(navigated)"), "{error}");
    });
}

#[test]
fn going_within_the_document_leaves_uids_as_they_are() {
    run(async {
        let (_server, tab, seen) = page("<button id=a>Tab</button><script>watch('a', 'click')</script>").await;
        let url = tab.eval("history.pushState({}, '', '/else'), location.hash = 'x', location.href").await;
        assert!(url.contains("/else#x"), "{url}");
        tab.done(Action::Click(seen.uid("Tab"))).await;
        assert_eq!(tab.notes().await, ["click a trusted"]);
    });
}

#[test]
fn what_is_hidden_now_is_not_said_to_be_removed() {
    run(async {
        let (_server, tab, seen) = page("<button id=a>Now</button>").await;
        tab.eval("a.style.display = 'none', 0").await;
        let error = tab.fails(Action::Click(seen.uid("Now")), Code::ActionFailed).await;
        assert!(error.what.contains("not visible"), "{error}");
    });
}

#[test]
fn a_uid_that_no_view_showed_is_unknown() {
    run(async {
        let (_server, tab, seen) = page("<button>Now</button>").await;
        let snapshot = &seen.snapshot;
        tab.browser.shown(snapshot, &[Uid { frame: 0, node: 999_999 }]);
        tab.fails(Action::Click(Uid { frame: 0, node: 999_999 }), Code::UnknownUid).await;
        tab.fails(Action::Click(Uid { frame: 9, node: 1 }), Code::UnknownUid).await;
        tab.done(Action::Click(seen.uid("Now"))).await;
    });
}
