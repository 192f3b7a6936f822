//! What Chromium writes of each kind of node, between the node's id and its parent's.
//!
//! The texts here are copied from its payloads, sources of names included: they are most of the bytes.

use super::payload::RELATED;

/// No attribute names the node.
const NO_LABEL: &str =
    r#"{"type":"relatedElement","attribute":"aria-labelledby"},{"type":"attribute","attribute":"aria-label"}"#;
const TITLE: &str = r#"{"type":"attribute","attribute":"title"}"#;
const TITLE_SUPERSEDED: &str = r#"{"type":"attribute","attribute":"title","superseded":true}"#;
const FOCUSABLE: &str = r#"{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}"#;
const VALID: &str = r#"{"name":"invalid","value":{"type":"token","value":"false"}}"#;
const PLAIN_TEXT: &str = r#"{"name":"editable","value":{"type":"token","value":"plaintext"}}"#;

/// `role_type` is `role`, or `internalRole` for what ARIA has no word for; `code` is Chromium's own number of the role.
fn node(role_type: &str, role: &str, code: u16, name: &str, properties: &str) -> String {
    format!(
        r#""ignored":false,"role":{{"type":"{role_type}","value":"{role}"}},"chromeRole":{{"type":"internalRole","value":{code}}},"name":{name},"properties":[{properties}]"#
    )
}

/// A name and where it was looked for.
fn name(text: &str, sources: &str) -> String {
    format!(r#"{{"type":"computedString","value":"{}","sources":[{sources}]}}"#, checked(text))
}

fn computed(text: &str) -> String {
    format!(r#"{{"type":"computedString","value":"{}"}}"#, checked(text))
}

/// The texts of the generated pages need no escape in JSON; others would have to be written as Chromium escapes them.
fn checked(text: &str) -> &str {
    assert!(
        text.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')),
        "{text:?} needs escapes"
    );
    text
}

fn related_text(text: &str) -> String {
    format!(r#"{{"type":"nodeList","relatedNodes":[{{"backendDOMNodeId":{RELATED},"text":"{}"}}]}}"#, checked(text))
}

/// A node without a name that may have one by its `title`.
fn nameless(role_type: &str, role: &str, code: u16, properties: &str) -> String {
    node(role_type, role, code, &name("", &format!("{NO_LABEL},{TITLE}")), properties)
}

/// A node without a name whose `title` does not count.
fn untitled(role: &str, code: u16, properties: &str) -> String {
    node("role", role, code, &name("", NO_LABEL), properties)
}

/// A node named by its content.
fn named_by_content(role: &str, code: u16, text: &str, properties: &str) -> String {
    let content = format!(r#"{{"type":"contents","value":{}}}"#, computed(text));
    node("role", role, code, &name(text, &format!("{NO_LABEL},{content},{TITLE_SUPERSEDED}")), properties)
}

pub(super) fn document(title: &str, address: &str) -> String {
    let label_superseded = r#"{"type":"attribute","attribute":"aria-label","superseded":true}"#;
    let by_title = format!(r#"{{"type":"relatedElement","value":{},"nativeSource":"title"}}"#, computed(title));
    let focused = r#"{"name":"focused","value":{"type":"booleanOrUndefined","value":true}}"#;
    let url = format!(r#"{{"name":"url","value":{{"type":"string","value":"{}"}}}}"#, checked(address));
    let name = name(title, &format!("{NO_LABEL},{label_superseded},{by_title}"));
    node("internalRole", "RootWebArea", 144, &name, &format!("{FOCUSABLE},{focused},{url}"))
}

/// `html`, `body` and other wrappers.
pub(super) fn ignored() -> String {
    ignored_because(r#"{"name":"uninteresting","value":{"type":"boolean","value":true}}"#)
}

pub(super) fn ignored_without_reason() -> String {
    ignored_because("")
}

fn ignored_because(reasons: &str) -> String {
    format!(
        r#""ignored":true,"ignoredReasons":[{reasons}],"role":{{"type":"role","value":"none"}},"chromeRole":{{"type":"internalRole","value":0}}"#
    )
}

pub(super) fn main() -> String {
    nameless("role", "main", 118, "")
}

pub(super) fn heading(text: &str, level: u8) -> String {
    let level = format!(r#"{{"name":"level","value":{{"type":"integer","value":{level}}}}}"#);
    named_by_content("heading", 96, text, &level)
}

pub(super) fn status() -> String {
    let live = concat!(
        r#"{"name":"live","value":{"type":"token","value":"polite"}},"#,
        r#"{"name":"atomic","value":{"type":"boolean","value":true}},"#,
        r#"{"name":"relevant","value":{"type":"tokenList","value":"additions text"}}"#
    );
    nameless("role", "status", 159, live)
}

pub(super) fn paragraph() -> String {
    untitled("paragraph", 133, "")
}

pub(super) fn article() -> String {
    nameless("role", "article", 5, "")
}

pub(super) fn feed() -> String {
    nameless("role", "feed", 82, "")
}

pub(super) fn label() -> String {
    nameless("internalRole", "LabelText", 104, "")
}

/// A search field named by the label round it, which is the related node.
pub(super) fn filter(text: &str, label_text: &str) -> String {
    let by_label = format!(
        r#"{{"type":"relatedElement","value":{},"nativeSource":"labelwrapped","nativeSourceValue":{}}}"#,
        computed(text),
        related_text(label_text)
    );
    let placeholders = concat!(
        r#"{"type":"placeholder","attribute":"placeholder","superseded":true},"#,
        r#"{"type":"placeholder","attribute":"aria-placeholder","superseded":true}"#
    );
    let name = name(text, &format!("{NO_LABEL},{by_label},{TITLE_SUPERSEDED},{placeholders},{TITLE_SUPERSEDED}"));
    let settable = r#"{"name":"settable","value":{"type":"booleanOrUndefined","value":true}}"#;
    let labelled_by = format!(r#"{{"name":"labelledby","value":{}}}"#, related_text(label_text));
    node("role", "searchbox", 153, &name, &format!("{VALID},{FOCUSABLE},{PLAIN_TEXT},{settable},{labelled_by}"))
}

/// The part of a text field that holds its text.
pub(super) fn editor() -> String {
    untitled("generic", 88, PLAIN_TEXT)
}

/// A table named by its caption, which is the related node.
pub(super) fn table(caption_text: &str) -> String {
    let by_caption = format!(
        r#"{{"type":"relatedElement","value":{},"nativeSource":"tablecaption","nativeSourceValue":{}}}"#,
        computed(caption_text),
        related_text(caption_text)
    );
    let summary = r#"{"type":"attribute","attribute":"summary","superseded":true}"#;
    let name = name(caption_text, &format!("{NO_LABEL},{by_caption},{summary},{TITLE_SUPERSEDED}"));
    let labelled_by = format!(r#"{{"name":"labelledby","value":{}}}"#, related_text(caption_text));
    node("role", "table", 167, &name, &labelled_by)
}

pub(super) fn caption() -> String {
    untitled("caption", 11, "")
}

pub(super) fn row_group() -> String {
    nameless("role", "rowgroup", 146, "")
}

pub(super) fn row() -> String {
    nameless("role", "row", 145, "")
}

pub(super) fn column_header(text: &str) -> String {
    let properties = concat!(
        r#"{"name":"readonly","value":{"type":"boolean","value":false}},"#,
        r#"{"name":"required","value":{"type":"boolean","value":false}}"#
    );
    named_by_content("columnheader", 19, text, properties)
}

pub(super) fn cell(text: &str) -> String {
    named_by_content("cell", 13, text, "")
}

pub(super) fn link(text: &str, address: &str) -> String {
    let url = format!(r#"{{"name":"url","value":{{"type":"string","value":"{}"}}}}"#, checked(address));
    named_by_content("link", 110, text, &format!("{FOCUSABLE},{url}"))
}

pub(super) fn button(text: &str) -> String {
    let sources = format!(
        r#"{NO_LABEL},{{"type":"relatedElement","nativeSource":"label"}},{{"type":"contents","value":{}}},{TITLE_SUPERSEDED}"#,
        computed(text)
    );
    node("role", "button", 9, &name(text, &sources), &format!("{VALID},{FOCUSABLE}"))
}

/// A button named by its `aria-label`, which shows another text.
pub(super) fn labelled_button(label: &str, shown: &str) -> String {
    let sources = format!(
        concat!(
            r#"{{"type":"relatedElement","attribute":"aria-labelledby"}},"#,
            r#"{{"type":"attribute","value":{},"attribute":"aria-label","attributeValue":{{"type":"string","value":"{}"}}}},"#,
            r#"{{"type":"relatedElement","superseded":true,"nativeSource":"label"}},"#,
            r#"{{"type":"contents","value":{},"superseded":true}},{}"#
        ),
        computed(label),
        checked(label),
        computed(shown),
        TITLE_SUPERSEDED
    );
    node("role", "button", 9, &name(label, &sources), &format!("{VALID},{FOCUSABLE}"))
}

pub(super) fn static_text(text: &str) -> String {
    let sources = format!(r#"{{"type":"contents","value":{}}}"#, computed(text));
    node("internalRole", "StaticText", 158, &name(text, &sources), "")
}

pub(super) fn inline_text_box(text: &str) -> String {
    node("internalRole", "InlineTextBox", 101, &computed(text), "")
}
