//! Text reaches fields as a keyboard's does, and what they then hold is read back.

use axpress_driver::Code;
use axpress_driver::browser::{Action, Verdict};

use super::support::{page, run};

#[test]
fn text_replaces_what_the_field_holds_and_is_appended_where_that_is_asked() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Name <input id=a value=Old></label><label>City <input id=b value=Kept></label>
             <script>watch('a', 'input', 'change'); watch('b', 'input')</script>",
        )
        .await;
        let name = seen.uid("Name");
        let outcome = tab.done(Action::Type(name, "Zoë 😀".to_owned())).await;
        assert_eq!((outcome.verdict, outcome.read_back.as_deref()), (Verdict::Changed, Some("\"Zoë 😀\"")));
        tab.done(Action::Append(name, "!".to_owned())).await;
        assert_eq!(tab.eval("[a.value, b.value]").await, "[\"Zoë 😀!\",\"Kept\"]");
        assert_eq!(tab.notes().await, ["input a trusted Zoë 😀", "input a trusted !"]);
        tab.done(Action::Type(name, String::new())).await;
        assert_eq!(tab.eval("a.value").await, "\"\"");
    });
}

#[test]
fn two_fields_one_after_the_other_get_their_own_text() {
    run(async {
        let (_server, tab, seen) =
            page("<label>One <input id=a value=1></label><label>Two <input id=b value=2></label>").await;
        for round in ["x", "y"] {
            tab.done(Action::Type(seen.uid("One"), format!("one {round}"))).await;
            tab.done(Action::Type(seen.uid("Two"), format!("two {round}"))).await;
            assert_eq!(tab.eval("a.value + ', ' + b.value").await, format!("\"one {round}, two {round}\""));
        }
    });
}

#[test]
fn lines_reach_a_text_area_and_an_editor() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Notes <textarea id=a>old</textarea></label>
             <div id=b contenteditable role=textbox aria-multiline=true aria-label=Body><p>old</p></div>",
        )
        .await;
        tab.done(Action::Type(seen.uid("Notes"), "a\nb".to_owned())).await;
        tab.done(Action::Type(seen.uid("Body"), "first\nsecond".to_owned())).await;
        assert_eq!(tab.eval("a.value").await, "\"a\\nb\"");
        let lines = tab.eval("b.innerText.split(/\\n+/).filter(Boolean)").await;
        assert_eq!(lines, "[\"first\",\"second\"]");
        tab.done(Action::Append(seen.uid("Body"), "!".to_owned())).await;
        assert!(tab.eval("b.innerText").await.contains("second!"));
    });
}

#[test]
fn a_field_that_swallows_what_scripts_set_takes_text() {
    run(async {
        // What frameworks do: the element's own setter takes note of values, and an input event counts only where the
        // value is not the noted one.
        let (_server, tab, seen) = page(
            "<label>Mail <input id=a></label><label>Day <input id=d type=date></label><button id=s disabled>Go</button><script>
             const inherited = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
             for (const field of [a, d]) {
                 let noted = '';
                 Object.defineProperty(field, 'value', {configurable: true,
                     get() { return inherited.get.call(this) }, set(value) { noted = value; inherited.set.call(this, value) }});
                 field.addEventListener('input', () => { const now = inherited.get.call(field);
                     if (now !== noted) { noted = now; note(`${field.id} ${now}`); s.disabled = false } });
             }</script>",
        )
        .await;
        tab.done(Action::Type(seen.uid("Mail"), "x@example.test".to_owned())).await;
        tab.done(Action::Type(seen.uid("Day"), "2026-12-31".to_owned())).await;
        assert_eq!(tab.notes().await, ["a x@example.test", "d 2026-12-31"]);
        assert_eq!(tab.eval("s.disabled").await, "false");
    });
}

#[test]
fn fields_that_a_picker_fills_take_their_value_and_say_what_they_do_not_take() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Birthday <input id=date type=date value=2026-01-01></label><label>Alarm <input id=time type=time></label>
             <label>Period <input id=month type=month></label><label>Sprint <input id=week type=week></label>
             <label>Meeting <input id=local type=datetime-local></label><label>Paint <input id=color type=color></label>
             <label>Volume <input id=range type=range min=0 max=100 step=5></label>
             <script>watch('date', 'input', 'change')</script>",
        )
        .await;
        let ids = ["date", "time", "month", "week", "local", "color", "range"];
        let values = ["2026-12-31", "23:59", "2026-12", "2026-W52", "2026-12-31T23:59", "#ffa500", "35"];
        let fields = ["Birthday", "Alarm", "Period", "Sprint", "Meeting", "Paint", "Volume"];
        for ((id, value), field) in ids.iter().zip(values).zip(fields) {
            let outcome = tab.done(Action::Type(seen.uid(field), value.to_owned())).await;
            assert_eq!(outcome.read_back, Some(format!("{value:?}")), "{id}");
            assert_eq!(tab.eval(&format!("{id}.value")).await, format!("{value:?}"));
        }
        assert_eq!(tab.notes().await, ["input date made", "change date made"]);
        // A date that is none would empty the field.
        let error = tab.fails(Action::Type(seen.uid("Birthday"), "31.12.2026".to_owned()), Code::ActionFailed).await;
        assert!(error.what.contains("2026-12-31"), "{error}");
        assert_eq!(tab.eval("date.value").await, "\"2026-12-31\"");
        let error = tab.fails(Action::Type(seen.uid("spinbutton Year"), "2027".to_owned()), Code::ActionFailed).await;
        assert!(error.what.contains("type into the field itself"), "{error}");
    });
}

#[test]
fn what_takes_no_text_is_never_said_to_have_taken_it() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Fixed <input readonly value=x></label><label>Count <input id=n type=number value=7></label>
             <label>Tick <input type=checkbox></label><label>Off <input disabled></label>
             <label>Plan <select><option>Free</select></label><button>Push</button>
             <label>Prior <input id=prior value=kept></label>",
        )
        .await;
        for (field, words) in [
            ("Fixed", "read-only"),
            ("Count", "takes a number"),
            ("Tick", "use check"),
            ("Off", "disabled"),
            ("Plan", "use select"),
            ("Push", "no text field"),
        ] {
            let error = tab.fails(Action::Type(seen.uid(field), "abc".to_owned()), Code::ActionFailed).await;
            assert!(error.what.contains(words), "{field}: {error}");
        }
        assert_eq!(tab.eval("[n.value, prior.value]").await, "[\"7\",\"kept\"]");
    });
}

#[test]
fn what_the_page_makes_of_a_text_is_what_is_read_back() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Card <input id=a></label><label>Zip <input id=b maxlength=5></label>
             <script>a.oninput = () => a.value = a.value.replace(/ /g, '').replace(/(.{4})(?=.)/g, '$1 ')</script>",
        )
        .await;
        let card = tab.done(Action::Type(seen.uid("Card"), "12345678".to_owned())).await;
        assert_eq!(card.read_back.as_deref(), Some("\"1234 5678\""));
        let zip = tab.done(Action::Type(seen.uid("Zip"), "123456789".to_owned())).await;
        assert_eq!(zip.read_back.as_deref(), Some("\"12345\""));
    });
}

#[test]
fn a_secret_is_typed_and_neither_echoed_nor_measured() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Password <input id=p type=password></label>
             <label>Code <input id=c autocomplete=one-time-code value=SENTINEL-1></label>
             <x-card></x-card><script>customElements.define('x-card', class extends HTMLElement { constructor() { super();
             this.attachShadow({mode: 'closed'}).innerHTML = '<label>Number <input autocomplete=cc-number value=SENTINEL-2>'; } })
             </script>",
        )
        .await;
        assert!(!seen.text.contains("SENTINEL"), "{}", seen.text);
        assert_eq!(seen.snapshot.secrets.len(), 3);
        assert!(seen.snapshot.exposes_secrets);
        for field in ["Password", "Code", "Number"] {
            let outcome = tab.done(Action::Type(seen.uid(field), "SENTINEL-3".to_owned())).await;
            assert_eq!((&outcome.verdict, &outcome.read_back), (&Verdict::Changed, &None), "{field}");
            let outcome = tab.done(Action::Press(Some(seen.uid(field)), "x".to_owned())).await;
            assert_eq!(outcome.read_back, None, "{field}");
        }
        assert_eq!(tab.eval("p.value").await, "\"SENTINEL-3x\"");
        // A password that the page shows stays a secret.
        tab.eval("p.type = 'text'").await;
        let seen = tab.look().await;
        assert!(!seen.text.contains("SENTINEL"), "{}", seen.text);
        let outcome = tab.done(Action::Type(seen.uid("Password"), "SENTINEL-4".to_owned())).await;
        assert_eq!(outcome.read_back, None);
    });
}

#[test]
fn keys_reach_the_node_and_do_what_keys_do() {
    run(async {
        let (_server, tab, seen) = page(
            "<form onsubmit='event.preventDefault(); note(`submit ${event.isTrusted}`)'>
             <label>Find <input id=a value=abc></label></form><script>watch('a', 'keydown')</script>",
        )
        .await;
        let field = seen.uid("Find");
        tab.done(Action::Press(Some(field), "Enter".to_owned())).await;
        assert_eq!(tab.notes().await, ["keydown a trusted Enter", "submit true"]);
        tab.done(Action::Press(Some(field), "Control+a".to_owned())).await;
        let outcome = tab.done(Action::Press(None, "x".to_owned())).await;
        assert!(outcome.ok);
        assert_eq!(tab.eval("a.value").await, "\"x\"");
        let error = tab.fails(Action::Press(Some(field), "Entr".to_owned()), Code::ActionFailed).await;
        assert!(error.next.contains("ArrowDown"), "{error}");
    });
}

#[test]
fn a_long_text_is_typed_whole() {
    run(async {
        let (_server, tab, seen) = page("<label>Long <textarea id=a></textarea></label>").await;
        let text = "0123456789 äöü ".repeat(5000);
        let outcome = tab.done(Action::Type(seen.uid("Long"), text.clone())).await;
        assert!(outcome.read_back.is_some_and(|read| read.len() < 400));
        assert_eq!(tab.eval("a.value.length").await, text.chars().count().to_string());
    });
}
