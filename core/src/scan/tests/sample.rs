//! Payloads as Chrome writes them, made up: its order of keys, its kinds of nodes, and now and then a surprise.

use std::format;
use std::string::String;
use std::vec::Vec;

use super::Random;

/// A payload of about that many nodes.
pub(super) fn payload(random: &mut Random, nodes: usize) -> String {
    let mut texts = Vec::new();
    for number in 1..=nodes {
        let id = if random.below(3) == 0 { -1_000_000_000 - number as i64 } else { number as i64 };
        // A surprise: the same node once more.
        texts.push(node(random, id, number, nodes));
        if random.below(40) == 0 {
            texts.push(texts[random.below(texts.len())].clone());
        }
    }
    let array = format!("[{}]", texts.join(","));
    match random.below(4) {
        0 => array,
        1 => format!("{{\"other\":{{\"a\":[1,2]}},\"nodes\":{array},\"more\":null}}"),
        _ => format!("{{\"nodes\":{array}}}"),
    }
}

fn node(random: &mut Random, id: i64, number: usize, nodes: usize) -> String {
    let role = random.pick(&[
        "StaticText",
        "InlineTextBox",
        "link",
        "button",
        "heading",
        "generic",
        "listitem",
        "slider",
        "textbox",
        "MathMLOperator",
        "sectionheader",
        "DisclosureTriangleGrouped",
    ]);
    let parent = if number == 1 { String::new() } else { format!(",\"parentId\":\"{}\"", random.below(number) + 1) };
    let children: Vec<String> =
        (0..random.below(4)).map(|_| format!("\"{}\"", number as i64 + random.below(nodes) as i64)).collect();
    let backend = if id > 0 { format!(",\"backendDOMNodeId\":{id}") } else { String::new() };
    let end = format!("{parent},\"childIds\":[{}]{backend}", children.join(","));
    let chrome = random.below(200);
    if random.below(6) == 0 {
        return format!(
            r#"{{"nodeId":"{id}","ignored":true,"ignoredReasons":[{{"name":"uninteresting","value":{{"type":"boolean","value":true}}}}],"role":{{"type":"role","value":"none"}},"chromeRole":{{"type":"internalRole","value":{chrome}}}{end}}}"#
        );
    }
    let name = name(random);
    let other = random.pick(&["", "x", "Some other text", "\\u00e9\\\"q\\\"", "é漢字🙂"]);
    let sources = random.pick(&[
        "",
        r#","sources":[{"type":"contents","value":{"type":"computedString","value":"NAME"}}]"#,
        r#","sources":[{"type":"relatedElement","attribute":"aria-labelledby"},{"type":"attribute","value":{"type":"computedString","value":"NAME"},"attribute":"aria-label","attributeValue":{"type":"string","value":"NAME"}},{"type":"contents","value":{"type":"computedString","value":"OTHER"},"superseded":true}]"#,
        r#","sources":[{"type":"relatedElement","value":{"type":"computedString","value":"NAME"},"nativeSource":"labelfor","nativeSourceValue":{"type":"nodeList","relatedNodes":[{"backendDOMNodeId":NUMBER,"idref":"l","text":"OTHER"}]}}]"#,
    ]);
    let description = random.pick(&["", "", "", r#","description":{"type":"computedString","value":"OTHER"}"#]);
    let value = random.pick(&[
        "",
        "",
        r#","value":{"type":"string","value":"OTHER"}"#,
        r#","value":{"type":"number","value":NUMBER}"#,
        r#","value":{"type":"number","value":-0.5e3}"#,
    ]);
    let properties: Vec<&str> = (0..random.below(4)).map(|_| random.pick(PROPERTIES)).collect();
    format!(
        r#"{{"nodeId":"{id}","ignored":false,"role":{{"type":"role","value":"{role}"}},"chromeRole":{{"type":"internalRole","value":{chrome}}},"name":{{"type":"computedString","value":"NAME"{sources}}}{description}{value},"properties":[{}]{end}}}"#,
        properties.join(",")
    )
    .replace("NAME", name)
    .replace("OTHER", other)
    .replace("NUMBER", &format!("{number}"))
}

fn name(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "",
        "a",
        "Save",
        "ORD-0001",
        "A name of more than sixteen bytes, and then some",
        "tab\\there",
        "\\u4e2d\\u6587",
        "quote \\\" and \\\\ end",
        "Ünïcödé, raw, and long enough for several chunks",
        "x\\ud83d\\ude00y",
        "value",
    ])
}

const PROPERTIES: &[&str] = &[
    r#"{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}"#,
    r#"{"name":"focusable","value":{"type":"booleanOrUndefined","value":false}}"#,
    r#"{"name":"checked","value":{"type":"tristate","value":"true"}}"#,
    r#"{"name":"checked","value":{"type":"tristate","value":"mixed"}}"#,
    r#"{"name":"invalid","value":{"type":"token","value":"false"}}"#,
    r#"{"name":"invalid","value":{"type":"token","value":"spelling"}}"#,
    r#"{"name":"busy","value":{"type":"boolean","value":1}}"#,
    r#"{"name":"editable","value":{"type":"token","value":"plaintext"}}"#,
    r#"{"name":"level","value":{"type":"integer","value":2}}"#,
    r#"{"name":"level","value":{"type":"integer","value":NUMBER}}"#,
    r#"{"name":"level","value":{"type":"integer","value":"3"}}"#,
    r#"{"name":"level","value":{"type":"integer","value":1000}}"#,
    r#"{"name":"url","value":{"type":"string","value":"https://example.com/OTHER?q=NUMBER"}}"#,
    r#"{"name":"url","value":{"type":"string","value":null}}"#,
    r#"{"name":"valuetext","value":{"type":"string","value":"OTHER"}}"#,
    r#"{"name":"valuemin","value":{"type":"number","value":NUMBER}}"#,
    r#"{"name":"valuemax","value":{"type":"number","value":1e2}}"#,
    r#"{"name":"labelledby","value":{"type":"nodeList","relatedNodes":[{"backendDOMNodeId":NUMBER,"idref":"i","text":"OTHER"}]}}"#,
    r#"{"name":"describedby","value":{"type":"idrefList","value":"OTHER","relatedNodes":[]}}"#,
    r#"{"name":"checked","value":{"type":"tristate","value":"OTHER","more":[]}}"#,
    r#"{"name":"checked","value":{"type":"tristate","value":"true","relatedNodes":[{"value":"true"}]}}"#,
    r#"{"name":"level","value":{"type":"integer","value":NUMBER,"relatedNodes":[]}}"#,
    r#"{"name":"errormessage","value":{"type":"idref","relatedNodes":[{"backendDOMNodeId":NUMBER}],"value":"OTHER"}}"#,
];
