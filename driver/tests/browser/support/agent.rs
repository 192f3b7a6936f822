//! What an agent gets: the tools on the shared Chromium, called with JSON as a client sends it.

use axpress_driver::browser::Browser;
use axpress_driver::store::{BUDGET, Store};
use axpress_driver::tools::{Answer, Content, Options, Session, Tools};
use serde_json::{Value, json};

use super::BROWSER;

/// An agent with a connection, and with that a tab, of its own.
pub(crate) struct Agent {
    pub(crate) tools: Tools<Browser>,
    pub(crate) session: Session,
}

/// The text of a view, as an agent has it.
#[derive(Debug)]
pub(crate) struct Shown(pub(crate) String);

/// What is told of itself by a page with this: each event that reached one of its elements, as `kind id trusted` and what
/// came with it. `take()` gives what came since the last time.
pub(crate) const JOURNAL: &str = "<script>
    const heard = [];
    const hear = text => heard.push(text);
    const take = () => heard.splice(0);
    const held = at => at.type === 'file' ? [...at.files].map(file => `${file.name}:${file.size}`).join()
        : ['checkbox', 'radio'].includes(at.type) ? String(at.checked) : at.isContentEditable ? at.innerText : at.value;
    for (const kind of ['mousedown', 'mouseup', 'click', 'dblclick', 'contextmenu', 'keydown', 'keyup', 'beforeinput', 'input',
        'change', 'submit', 'dragstart', 'drop', 'scroll', 'mouseover'])
        addEventListener(kind, event => {
            const at = event.composedPath()[0];
            const word = `${kind} ${at.id || at.localName || 'page'} ${event.isTrusted ? 'trusted' : 'made'}`;
            if (kind === 'mouseover') { if (at.dataset.over !== undefined) hear(word); return; }
            if (kind === 'scroll') { if (!heard.includes(word)) hear(word); return; }
            hear(word + (event.key ? ` ${event.key}` : '') + (kind === 'beforeinput' ? ` ${event.data}` : '') +
                (kind === 'input' || kind === 'change' ? ` ${held(at)}` : ''));
        }, {capture: true, passive: true});
</script>";

impl Agent {
    /// An agent on the shared Chromium.
    pub(crate) fn new() -> Self {
        Self::of(BROWSER.clone())
    }

    /// An agent on this browser.
    pub(crate) fn of(browser: Browser) -> Self {
        let store = Store::in_memory(BUDGET).expect("a store in memory");
        Self { tools: Tools::new(browser, store, Options::default()), session: Session::default() }
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let arguments = arguments.as_object().expect("arguments are an object");
        self.tools.call(&self.session, tool, arguments).await.expect("the tool is there")
    }

    /// Goes to an address, and gives what is shown of it.
    #[track_caller]
    pub(crate) fn go(&self, url: &str) -> impl Future<Output = Shown> {
        self.see(json!({ "url": url }))
    }

    /// Takes a snapshot, and gives what is shown of it.
    #[track_caller]
    pub(crate) fn see(&self, arguments: Value) -> impl Future<Output = Shown> {
        let place = std::panic::Location::caller();
        async move {
            let answer = self.call("browser_snapshot", arguments).await;
            assert!(!answer.is_error, "{place}: {}", text(&answer));
            Shown(text(&answer))
        }
    }

    /// Acts; the answer's text, where it must be no error.
    #[track_caller]
    pub(crate) fn act(&self, arguments: Value) -> impl Future<Output = String> {
        let place = std::panic::Location::caller();
        async move {
            let answer = self.call("browser_act", arguments).await;
            assert!(!answer.is_error && answer.meta["ok"] == true, "{place}: {}", text(&answer));
            text(&answer)
        }
    }

    /// Acts; the answer's text, where it must be an error.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: Value) -> impl Future<Output = String> {
        let place = std::panic::Location::caller();
        async move {
            let answer = self.call("browser_act", arguments).await;
            assert!(answer.is_error && answer.meta.get("ok") != Some(&json!(true)), "{place}: {}", text(&answer));
            text(&answer)
        }
    }

    /// What an expression of the page comes to.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        let answer = self.call("browser_eval", json!({ "expression": expression })).await;
        assert!(!answer.is_error, "{expression}: {}", text(&answer));
        serde_json::from_str(&text(&answer)).unwrap_or_else(|_| panic!("{expression}: {}", text(&answer)))
    }

    /// What the page has heard since it was asked last, see [`JOURNAL`].
    pub(crate) async fn heard(&self) -> Vec<String> {
        serde_json::from_value(self.eval("take()").await).expect("texts")
    }
}

/// The text of an answer.
pub(crate) fn text(answer: &Answer) -> String {
    let texts = answer.content.iter().filter_map(|content| match content {
        Content::Text(text) => Some(text.as_str()),
        Content::Image(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

impl Shown {
    /// The uid of the control whose line has this text before it, as it is printed there.
    #[track_caller]
    pub(crate) fn uid(&self, before: &str) -> String {
        format!("@{}", super::uid::uid(&self.0, before))
    }

    /// All uids, in their order.
    pub(crate) fn uids(&self) -> Vec<String> {
        let words = self.0.split_whitespace().filter_map(|word| word.strip_prefix('@'));
        let digits = |word: &&str| word.starts_with(|digit: char| digit.is_ascii_digit());
        words.filter(digits).map(str::to_owned).collect()
    }

    /// Whether the view has this text.
    #[track_caller]
    pub(crate) fn has(&self, text: &str) -> &Self {
        assert!(self.0.contains(text), "{text:?} is not in\n{}", self.0);
        self
    }

    /// Whether the view does not have this text.
    #[track_caller]
    pub(crate) fn lacks(&self, text: &str) -> &Self {
        assert!(!self.0.contains(text), "{text:?} is in\n{}", self.0);
        self
    }
}
