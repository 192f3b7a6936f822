//! Options, check boxes, switches, files.

use axpress_driver::Code;
use axpress_driver::browser::{Action, Verdict};

use super::support::{page, run};

#[test]
fn an_option_is_chosen_by_its_text_or_value_and_the_page_is_told() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Size <select id=a><option value=s>Small<optgroup label=More><option value=m>Medium
             <option value=l disabled>Large</optgroup></select></label><p id=p></p>
             <script>a.onchange = () => { note(a.value); p.textContent = a.value }</script>",
        )
        .await;
        let size = seen.uid("Size");
        let outcome = tab.done(Action::Select(size, "Medium".to_owned())).await;
        assert_eq!((outcome.verdict, outcome.read_back.as_deref()), (Verdict::Changed, Some("\"Medium\"")));
        tab.done(Action::Select(size, "s".to_owned())).await;
        let again = tab.done(Action::Select(size, "small".to_owned())).await;
        assert_eq!(again.verdict, Verdict::NoChangeSeen);
        assert_eq!(tab.notes().await, ["m", "s"]);
        for (option, words) in [("Large", "disabled"), ("Huge", "Small | Medium | Large (disabled)")] {
            let error = tab.fails(Action::Select(size, option.to_owned()), Code::ActionFailed).await;
            assert!(error.what.contains(words), "{error}");
        }
    });
}

#[test]
fn a_list_is_what_its_tag_says_and_not_its_role() {
    run(async {
        let (_server, tab, seen) = page(
            "<div role=combobox tabindex=0 aria-label=Fake>Pick</div>
             <label>Many <select id=m multiple size=3><option>One<option>Two<option>Three</select></label>",
        )
        .await;
        let error = tab.fails(Action::Select(seen.uid("Fake"), "One".to_owned()), Code::ActionFailed).await;
        assert!(error.what.contains("<div>"), "{error}");
        tab.done(Action::Select(seen.uid("Many"), "Two".to_owned())).await;
        let outcome = tab.done(Action::Select(seen.uid("Many"), "Three".to_owned())).await;
        assert_eq!(outcome.read_back.as_deref(), Some("\"Two, Three\""));
    });
}

#[test]
fn ticking_is_the_same_once_or_twice() {
    run(async {
        let (_server, tab, seen) = page(
            "<label><input type=checkbox id=a> News</label><label><input type=radio name=r id=b> Card</label>
             <button role=switch aria-checked=false id=c aria-label=Dark></button>
             <div role=checkbox aria-checked=mixed tabindex=0 id=d aria-label=All>All</div><button id=e>Plain</button>
             <script>c.onclick = () => setTimeout(() => c.setAttribute('aria-checked', c.ariaChecked !== 'true'), 50);
             d.onclick = () => d.setAttribute('aria-checked', 'true'); watch('a', 'change')</script>",
        )
        .await;
        for (field, id, state) in [
            ("News", "a", "a.checked"),
            ("Card", "b", "b.checked"),
            ("Dark", "c", "c.ariaChecked"),
            ("All", "d", "d.ariaChecked"),
        ] {
            for round in ["checked", "already checked"] {
                let outcome = tab.done(Action::Check(seen.uid(field))).await;
                assert_eq!(outcome.read_back.as_deref(), Some(round), "{id}");
                assert!(tab.eval(state).await.contains("true"), "{id}");
            }
        }
        let outcome = tab.done(Action::Uncheck(seen.uid("News"))).await;
        assert_eq!((outcome.verdict, outcome.read_back.as_deref()), (Verdict::Changed, Some("unchecked")));
        tab.done(Action::Uncheck(seen.uid("Dark"))).await;
        assert_eq!(tab.notes().await, ["change a trusted", "change a trusted"]);
        tab.fails(Action::Uncheck(seen.uid("Card")), Code::ActionFailed).await;
        tab.fails(Action::Check(seen.uid("Plain")), Code::ActionFailed).await;
    });
}

#[test]
fn a_box_that_does_not_stay_ticked_is_a_failure() {
    run(async {
        let (_server, tab, seen) = page(
            "<label><input type=checkbox id=a> Agree</label><script>a.onclick = event => event.preventDefault()</script>",
        )
        .await;
        let error = tab.fails(Action::Check(seen.uid("Agree")), Code::ActionFailed).await;
        assert!(error.to_string().contains("did not keep it: it is unchecked"), "{error}");
    });
}

fn file(name: &str) -> std::path::PathBuf {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, "content").expect("a file");
    path
}

#[test]
fn a_file_reaches_its_field_directly_and_by_the_button_that_stands_for_it() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Plain <input type=file id=a></label>
             <label tabindex=0 role=button>Styled<input type=file id=b style='display:none'></label>
             <button id=drop>Browse</button><script>
             drop.onclick = () => { const field = document.createElement('input'); field.type = 'file';
                 field.onchange = event => note(`made ${field.files[0].name} ${event.isTrusted}`); field.click(); };
             for (const field of [a, b]) field.onchange = event => note(`${field.id} ${field.files[0].size} ${event.isTrusted}`)
             </script>",
        )
        .await;
        let path = file("report.txt");
        for button in ["Plain", "Styled", "Browse"] {
            let outcome = tab.done(Action::Upload(seen.uid(button), vec![path.clone()])).await;
            assert_eq!(outcome.read_back.as_deref(), Some("report.txt"), "{button}");
        }
        assert_eq!(tab.notes().await, ["a 7 true", "b 7 true", "made report.txt true"]);
    });
}

#[test]
fn a_file_that_is_none_is_refused_before_the_page_sees_it() {
    run(async {
        let (_server, tab, seen) = page(
            "<label>Plain <input type=file id=a></label><button>Push</button><script>a.onchange = () => note('changed')</script>",
        )
        .await;
        let field = seen.uid("Plain");
        let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        for path in [folder.join("nowhere"), folder.clone()] {
            tab.fails(Action::Upload(field, vec![path]), Code::ActionFailed).await;
        }
        for path in ["/nowhere/at/all", "relative.txt", "/etc/passwd"] {
            tab.fails(Action::Upload(field, vec![path.into()]), Code::InvalidArguments).await;
        }
        let two = vec![file("one.txt"), file("two.txt")];
        let error = tab.fails(Action::Upload(field, two), Code::ActionFailed).await;
        assert!(error.what.contains("one file"), "{error}");
        let error = tab.fails(Action::Upload(seen.uid("Push"), vec![file("one.txt")]), Code::ActionFailed).await;
        assert!(error.what.contains("file chooser"), "{error}");
        assert_eq!(tab.notes().await, [""; 0]);
    });
}
