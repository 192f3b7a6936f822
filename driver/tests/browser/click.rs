//! The pointer: a press reaches the node that was shown, or is not made.

use axpress_driver::Code;
use axpress_driver::browser::{Action, Verdict};

use super::support::{page, run};

#[test]
fn a_click_is_one_trusted_click_on_the_node() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Save</button><button id=b>Other</button><p id=p>no</p>
             <script>watch('a', 'mousedown', 'mouseup', 'click', 'dblclick'); watch('b', 'click');
             a.onclick = () => p.textContent = 'Saved'</script>",
        )
        .await;
        let outcome = tab.done(Action::Click(seen.uid("Save"))).await;
        assert_eq!(outcome.verdict, Verdict::Changed);
        assert_eq!(tab.notes().await, ["mousedown a trusted", "mouseup a trusted", "click a trusted"]);
        tab.look().await.has("Saved");
    });
}

#[test]
fn a_click_that_does_nothing_is_no_change_seen() {
    run(async {
        let (_server, tab, seen) = page("<button id=a>Idle</button>").await;
        let outcome = tab.done(Action::Click(seen.uid("Idle"))).await;
        assert_eq!((outcome.verdict, outcome.settled), (Verdict::NoChangeSeen, false));
    });
}

#[test]
fn a_double_click_is_one() {
    run(async {
        let (_server, tab, seen) =
            page("<button id=a>Open</button><script>watch('a', 'click', 'dblclick')</script>").await;
        tab.done(Action::DoubleClick(seen.uid("Open"))).await;
        assert_eq!(tab.notes().await, ["click a trusted", "click a trusted", "dblclick a trusted"]);
    });
}

#[test]
fn what_is_below_the_fold_in_a_scroller_is_clicked_too() {
    run(async {
        let (_server, tab, seen) = page(
            "<div style='height:3000px'></div><div style='height:100px;overflow:auto'><div style='height:900px'></div>
             <button id=a>Deep</button></div><div style='height:3000px'></div><script>watch('a', 'click')</script>",
        )
        .await;
        tab.done(Action::Click(seen.uid("Deep"))).await;
        assert_eq!(tab.notes().await, ["click a trusted"]);
    });
}

#[test]
fn a_covered_node_is_not_clicked_and_the_cover_is_named() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Pay</button>
             <div id=banner style='position:fixed;inset:0;background:#fff8'>We use cookies</div>
             <script>watch('a', 'click'); watch('banner', 'click')</script>",
        )
        .await;
        let outcome = tab.act(Action::Click(seen.uid("Pay"))).await.expect("an outcome");
        let Verdict::Blocked { by, .. } = &outcome.verdict else { panic!("{outcome:?}") };
        assert!(by.contains("#banner") && by.contains("We use cookies"), "{by}");
        assert!(!outcome.ok && outcome.verdict.is_error());
        assert_eq!(tab.notes().await, [""; 0]);
    });
}

#[test]
fn a_transparent_layer_blocks_as_any_other() {
    run(async {
        let (_server, tab, seen) = page(
            "<div style='position:relative'><button id=a>Go</button><div id=layer style='position:absolute;inset:0'></div></div>",
        )
        .await;
        let outcome = tab.act(Action::Click(seen.uid("Go"))).await.expect("an outcome");
        assert!(matches!(&outcome.verdict, Verdict::Blocked { by, .. } if by.contains("#layer")), "{outcome:?}");
    });
}

#[test]
fn a_node_below_a_bar_that_stays_is_brought_where_it_is_free() {
    run(async {
        let (_server, tab, seen) = page(
            "<div id=bar style='position:fixed;top:0;left:0;right:0;height:200px;background:#ccc'>Bar</div>
             <div style='height:400px'></div><button id=a>Below</button><div style='height:3000px'></div>
             <script>watch('a', 'click'); watch('bar', 'click'); scrollTo(0, 350)</script>",
        )
        .await;
        tab.done(Action::Click(seen.uid("Below"))).await;
        assert_eq!(tab.notes().await, ["click a trusted"]);
    });
}

#[test]
fn a_cover_that_goes_away_is_waited_for() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Later</button><div id=veil style='position:fixed;inset:0'></div>
             <script>watch('a', 'click', 'mouseover'); const lift = () => setTimeout(() => veil.remove(), 400)</script>",
        )
        .await;
        tab.eval("lift()").await;
        tab.done(Action::Click(seen.uid("Later"))).await;
        assert!(tab.notes().await.contains(&"click a trusted".to_owned()));
    });
}

#[test]
fn a_label_over_its_hidden_check_box_is_no_cover() {
    run(async {
        let (_server, tab, seen) = page(
            "<style>input{position:absolute;opacity:0}label{position:absolute;inset:50px auto auto 0;background:#eee}</style>
             <div style='position:absolute;top:50px'><input type=checkbox id=a></div><label for=a>Gift wrap</label>
             <script>watch('a', 'change')</script>",
        )
        .await;
        let outcome = tab.done(Action::Check(seen.uid("checkbox Gift wrap"))).await;
        assert_eq!((outcome.read_back.as_deref(), tab.eval("a.checked").await.as_str()), (Some("checked"), "true"));
        assert_eq!(tab.notes().await, ["change a trusted"]);
    });
}

#[test]
fn a_disabled_button_is_said_to_be_disabled() {
    run(async {
        let (_server, tab, seen) = page("<button disabled>Submit</button>").await;
        let error = tab.fails(Action::Click(seen.uid("Submit")), Code::ActionFailed).await;
        assert!(error.what.contains("disabled"), "{error}");
    });
}

#[test]
fn what_moves_is_clicked_where_it_comes_to_rest() {
    run(async {
        let (_server, tab, seen) = page(
            "<style>button{position:absolute;left:0;transition:left .4s linear}</style><button id=a>Run</button>
             <div id=old style='position:absolute;left:0;top:0;width:120px;height:40px;z-index:-1'></div>
             <script>watch('a', 'click')</script>",
        )
        .await;
        tab.eval("a.style.left = '500px'").await;
        tab.done(Action::Click(seen.uid("Run"))).await;
        assert_eq!(tab.notes().await, ["click a trusted"]);
    });
}

#[test]
fn a_click_in_open_and_closed_shadow_trees_reaches_the_node() {
    run(async {
        let (_server, tab, seen) = page(
            "<x-open></x-open><x-closed><b slot=s>slotted</b></x-closed><script>
             for (const mode of ['open', 'closed']) customElements.define('x-' + mode, class extends HTMLElement {
                 constructor() { super(); const root = this.attachShadow({mode});
                     root.innerHTML = `<button>In ${mode}</button><slot name=s></slot>`;
                     root.querySelector('button').onclick = event => note(`${mode} ${event.isTrusted}`); } })</script>",
        )
        .await;
        assert_eq!(seen.text.matches("slotted").count(), 1);
        for mode in ["open", "closed"] {
            tab.done(Action::Click(seen.uid(&format!("In {mode}")))).await;
        }
        assert_eq!(tab.notes().await, ["open true", "closed true"]);
    });
}

#[test]
fn a_hover_is_seen_by_the_page() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Menu</button><p id=p hidden>Items</p>
             <script>a.onmouseenter = event => { note(event.isTrusted); p.hidden = false }</script>",
        )
        .await;
        let outcome = tab.done(Action::Hover(seen.uid("Menu"))).await;
        assert_eq!((outcome.verdict, tab.notes().await), (Verdict::Changed, vec!["true".to_owned()]));
    });
}

#[test]
fn a_drag_moves_what_listens_to_the_pointer() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a>Card</button><div style='height:100px'></div><button id=b>Done</button><script>
             let held = false; a.onmousedown = () => held = true;
             b.onmouseup = event => note(`dropped ${held} ${event.isTrusted}`)</script>",
        )
        .await;
        tab.done(Action::Drag(seen.uid("Card"), seen.uid("Done"))).await;
        assert_eq!(tab.notes().await, ["dropped true true"]);
    });
}

#[test]
fn a_drag_moves_what_is_draggable() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a draggable=true>Card</button><div style='height:100px'></div>
             <button id=b style='padding:30px'>Done</button><script>
             a.ondragstart = event => event.dataTransfer.setData('text/plain', 'card 7');
             b.ondragover = event => event.preventDefault();
             b.ondrop = event => note(`${event.dataTransfer.getData('text/plain')} ${event.isTrusted}`)</script>",
        )
        .await;
        tab.done(Action::Drag(seen.uid("Card"), seen.uid("Done"))).await;
        assert_eq!(tab.notes().await, ["card 7 true"]);
    });
}

#[test]
fn a_drag_that_the_other_node_does_not_see_says_so() {
    run(async {
        let (_server, tab, seen) = page(
            "<button id=a draggable=true>Card</button><div style='height:100px'></div><button id=b>No place</button>",
        )
        .await;
        let outcome = tab.act(Action::Drag(seen.uid("Card"), seen.uid("No place"))).await.expect("an outcome");
        assert_eq!(outcome.verdict, Verdict::NoChangeSeen, "{outcome:?}");
    });
}

#[test]
fn scrolling_a_node_moves_its_own_list_and_not_the_page() {
    run(async {
        let (_server, tab, seen) = page(
            "<div id=list style='height:100px;overflow:auto'><button>First</button><div style='height:5000px'></div></div>
             <div style='height:3000px'></div>",
        )
        .await;
        let outcome = tab.done(Action::Scroll(Some(seen.uid("First")), Some(250.0))).await;
        assert_eq!(
            (outcome.verdict, tab.eval("[list.scrollTop, scrollY]").await.as_str()),
            (Verdict::Changed, "[250,0]")
        );
        assert!(outcome.read_back.is_some_and(|at| at.starts_with("at 250 of ")));
        let outcome = tab.done(Action::Scroll(None, Some(400.0))).await;
        assert_eq!((outcome.verdict, tab.eval("scrollY").await.as_str()), (Verdict::Changed, "400"));
        tab.done(Action::Scroll(None, Some(1e6))).await;
        let end = tab.done(Action::Scroll(None, Some(100.0))).await;
        assert_eq!(end.verdict, Verdict::NoChangeSeen);
    });
}
