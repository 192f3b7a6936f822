//! Generated payloads, as JSON text: escapes, numbers and repeated keys are written in every way that JSON has.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::printable::is_printable;

/// One of some texts.
fn one_of(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    select(texts).prop_map(str::to_owned)
}

/// A character that can stand in a JSON string as it is and is assigned: this one, or another in its place.
fn assigned(c: char) -> char {
    if is_printable(c) && c != '"' && c != '\\' { c } else { 'ß' }
}

/// A part of a JSON string's body. Halves of surrogate pairs are few, so that any two of them make a character that
/// is assigned.
fn piece() -> impl Strategy<Value = String> {
    const WORDS: &[&str] =
        &["a", "b", "ab", "Pay", "total", "more words", "'", "it's", "]} ,:", "@12", "#ref=1", "€", "é"];
    const ESCAPES: &[&str] = &[
        r#"\""#,
        r"\\",
        r"\/",
        r"\b",
        r"\f",
        r"\n",
        r"\r",
        r"\t",
        r"\u0000",
        r"\u001f",
        r"\u0027",
        r"\u0022",
        r"\u005c",
        r"\u005C",
        r"\u0041",
        r"\u00e9",
        r"\u20AC",
        "\u{7f}",
        r"\u007f",
        r"\u00ad",
        r"\u200b",
        r"\u202e",
        r"\ufeff",
        r"\ue000",
        r"\uffff",
        "\u{e0001}",
        r"\udb40\udc01",
        r"\ud83d\ude00",
        r"\udbff\udfff",
        "\u{10ffff}",
    ];
    const SPACES: &[&str] = &[
        " ", "  ", "   ", r"\n ", r"\t", r"\r\n", r"\u000b", r"\u001c", r"\u0085", r"\u00a0", "\u{a0}", r"\u1680",
        r"\u2003", r"\u2028", r"\u2029", r"\u202f", r"\u205f", r"\u3000", "\u{3000}",
    ];
    const HALVES: &[&str] = &[r"\ud83d", r"\ud800", r"\uDBFF", r"\udc00", r"\uDC02"];
    prop_oneof![
        6 => one_of(WORDS),
        3 => one_of(SPACES),
        3 => one_of(ESCAPES),
        1 => one_of(HALVES),
        2 => any::<char>().prop_map(assigned).prop_map(String::from),
        1 => (0xA0..0x3000_u16).prop_map(|code| {
            format!("\\u{:04x}", u32::from(assigned(char::from_u32(code.into()).unwrap_or_default())))
        }),
        1 => "[ -!#-\\[\\]-~]{0,40}",
    ]
}

/// A JSON string with its quotes.
fn string() -> impl Strategy<Value = String> {
    vec(piece(), 0..8).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// A short text of few words, so that texts contain each other.
fn words() -> impl Strategy<Value = String> {
    let word = select(&["Pay", "now", "a", "\u{e9}", r"\u00e9", "  ", r"\n", "", r#"\""#, "'"][..]);
    prop_oneof![
        9 => vec(word, 0..5).prop_map(|words| format!("\"{}\"", words.concat())),
        1 => string(),
        // Around the length over which a text is not searched.
        1 => (4090..4100_usize, one_of(&["a", "\u{e9}", r"\u00e9", " a", r"a\ud83d\ude00"][..]))
            .prop_map(|(count, text)| format!("\"{}\"", text.repeat(count))),
    ]
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => (-10..100_i64).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => "-?[1-9][0-9]{0,60}",
        1 => Just("-0".to_owned()),
        3 => any::<f64>().prop_filter("JSON has it", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
        3 => "-?(0|[1-9][0-9]{0,25})(\\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?",
        1 => "-?[1-9]\\.[0-9]{0,17}5e-?1[4-8]",
        // Halfway between two texts of the fewest digits, and where the floats below are nearer than those above.
        2 => (1_u64 << 49..1 << 53, 1..128_u64).prop_map(|(whole, part)| format!("{whole}.{:07}", part * 78_125)),
        1 => (-1074..1024_i32).prop_map(|power| format!("{:e}", 2_f64.powi(power))),
        1 => "-?0\\.0{0,6}[0-9]{1,18}",
        1 => "-?[1-9]e[+-]?[0-9]{3,22}",
    ]
}

fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => one_of(&["null", "true", "false", "\"\"", "[]", "{}", "[ ]", "{\n}"]),
        2 => number(),
        3 => string(),
    ]
}

/// A key of an object: few of them, so that they repeat, and each written in several ways. No two are equal once
/// halves of surrogate pairs are replaced.
fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => one_of(&[r#""a""#, r#""\u0061""#, r#""b""#, r#""""#, r#""é""#, r#""\u00e9""#, r#""\ud83d""#, r#""ab""#, r#""'""#]),
        1 => "\"[c-z]{1,20}\"",
    ]
}

fn gap() -> impl Strategy<Value = String> {
    one_of(&["", "", "", "", " ", "\n", "\t\r "])
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    vec((key(), gap(), value), 0..6).prop_map(|members| {
        let members: Vec<String> =
            members.iter().map(|(key, gap, value)| format!("{gap}{key}{gap}:{gap}{value}{gap}")).collect();
        format!("{{{}}}", members.join(","))
    })
}

/// Any JSON value.
fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            (gap(), vec(inner.clone(), 0..6))
                .prop_map(|(gap, items)| format!("[{gap}{}{gap}]", items.join(&format!("{gap},{gap}")))),
            object(inner),
        ]
    })
}

/// An AX value: usually an object with a `value`, sometimes something else.
fn ax_value(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    (value, prop_oneof![20 => 0..6_u8, 1 => 6..13_u8], gap()).prop_map(|(value, shape, gap)| match shape {
        0..=2 => format!(r#"{{"type":"computedString","value":{value}}}"#),
        3 => format!(r#"{{{gap}"value"{gap}:{gap}{value}{gap}}}"#),
        4 => {
            format!(r#"{{"type":"x","value":{value},"sources":[{{"type":"attribute","value":{{"value":{value}}}}}]}}"#)
        }
        5 => format!(r#"{{"\u0076alue":"x","value":{value}}}"#),
        6 => format!(r#"{{"value":"first","type":"x","value":{value}}}"#),
        7 => "{}".to_owned(),
        8 => "null".to_owned(),
        9 => value,
        10 => format!("[{value}]"),
        11 => r#"{"value":null}"#.to_owned(),
        _ => r#"{"Value":"no","value ":"no"}"#.to_owned(),
    })
}

fn role() -> impl Strategy<Value = String> {
    const COMMON: &[&str] = &[
        "link",
        "button",
        "textbox",
        "StaticText",
        "InlineTextBox",
        "generic",
        "none",
        "presentation",
        "ignored",
        "RootWebArea",
        "heading",
        "unknown",
        "slider",
        "DateTime",
        "combobox",
    ];
    const ODD: &[&str] = &[
        r#""""#,
        r#"" ""#,
        r#"" my  role\n""#,
        r#""\u006cink""#,
        r#""StaticText ""#,
        r#""r\u00f4le \"x\"""#,
        "5",
        "null",
        r#"["link"]"#,
        r#""DisclosureTriangleGrouped""#,
        r#""a role with a very long name of its own""#,
        r#""\ud800""#,
    ];
    prop_oneof![
        8 => select(COMMON).prop_map(|role| format!("\"{role}\"")),
        1 => one_of(ODD),
    ]
}

fn backend() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (1..10_000_u64).prop_map(|id| id.to_string()),
        1 => one_of(&[
            "0", "-1", "-0", "1.0", "1e2", "9007199254740992", "9007199254740993", "18446744073709551617", "\"5\"", "true", "null",
            "[5]",
        ]),
    ]
}

fn ignored() -> impl Strategy<Value = String> {
    one_of(&["false", "false", "false", "false", "true", "true", "null", "1", "\"true\"", "[true]"])
}

/// An id, written in several ways; some are no numbers.
fn id(number: usize) -> impl Strategy<Value = String> {
    let texts = match number % 5 {
        0 => [number.to_string(), format!("\\u003{}", number % 10), format!("{number}")],
        1 => [format!("-{number}"), format!("-{number}"), format!("\\u002d{number}")],
        2 => [format!("0{number}"), format!("0{number}"), format!("\\u0030{number}")],
        3 => [format!("é{number}"), format!("\\u00e9{number}"), format!("\\u00E9{number}")],
        _ => [format!("\\ud800{number}"), format!("\u{fffd}{number}"), format!("\\ufffd{number}")],
    };
    // Written in an escape only where that is the whole id.
    let texts = if number.is_multiple_of(5) && number > 9 {
        [texts[0].clone(), texts[0].clone(), texts[0].clone()]
    } else {
        texts
    };
    prop_oneof![3 => Just(texts[0].clone()), 1 => Just(texts[1].clone()), 1 => Just(texts[2].clone())]
        .prop_map(|text| format!("\"{text}\""))
}

/// The members of a node but for those that place it in the tree.
fn members(text: fn() -> BoxedStrategy<String>) -> impl Strategy<Value = Vec<String>> {
    let optional = |name: &'static str, often: f64, value: BoxedStrategy<String>| {
        proptest::option::weighted(often, value).prop_map(move |value| value.map(|value| format!("\"{name}\":{value}")))
    };
    let extra = one_of(&[
        r#""properties":[{"name":"focusable","value":{"type":"booleanOrUndefined","value":true}}]"#,
        r#""properties":[]"#,
        r#""frameId":"F""#,
        r#""chromRole":{"type":"internalRole","value":110}"#,
        r#""nodes":[{"nodeId":"1"}]"#,
        r#""x":{"y":[1,2,{"z":null}]}"#,
    ]);
    (
        optional("ignored", 0.9, ignored().boxed()),
        optional("role", 0.95, ax_value(role()).boxed()),
        optional("name", 0.8, ax_value(text()).boxed()),
        optional("value", 0.4, ax_value(prop_oneof![text(), value()]).boxed()),
        optional("backendDOMNodeId", 0.7, backend().boxed()),
        proptest::option::weighted(0.3, extra),
        // A key that stands twice: the last one counts.
        proptest::option::weighted(0.1, ax_value(words()).prop_map(|value| format!("\"name\":{value}"))),
    )
        .prop_map(|(a, b, c, d, e, f, g)| [a, b, c, d, e, f, g].into_iter().flatten().collect())
}

fn node(members: &[String], first: &[String]) -> String {
    format!("{{{}}}", [first, members].concat().join(","))
}

fn payload(nodes: &[String], shape: u8) -> String {
    let nodes = format!("[{}]", nodes.join(","));
    match shape {
        0 => nodes,
        1 => format!("\u{feff} {nodes}\n"),
        2 => format!(r#"{{"nodes":5,"x":[{{}}],"nodes": {nodes} ,"y":null}}"#),
        3 => format!(r#" {{"n\u006fdes":{nodes}}} "#),
        _ => format!(r#"{{"nodes":{nodes}}}"#),
    }
}

/// Proper trees of nodes with texts that contain each other: each node's parent comes before it.
pub(crate) fn tree() -> impl Strategy<Value = String> {
    vec((members(|| words().boxed()), any::<prop::sample::Index>()), 1..25).prop_flat_map(|nodes| {
        let parents: Vec<Option<usize>> = nodes
            .iter()
            .enumerate()
            .map(|(at, (_, parent))| (at > 0).then(|| at - 1 - parent.index(at.min(3))))
            .collect();
        let written: Vec<String> = nodes
            .iter()
            .enumerate()
            .map(|(at, (members, _))| {
                let children: Vec<String> = (0..nodes.len())
                    .filter(|&child| parents[child] == Some(at))
                    .map(|child| format!("\"{child}\""))
                    .collect();
                let mut places = vec![format!("\"nodeId\":\"{at}\""), format!("\"childIds\":[{}]", children.join(","))];
                places.extend(parents[at].map(|parent| format!("\"parentId\":\"{parent}\"")));
                node(members, &places)
            })
            .collect();
        (0..6_u8).prop_map(move |shape| payload(&written, shape))
    })
}

/// Any graph: cycles, shared children, repeated ids, ids that are not there, wrong types everywhere.
pub(crate) fn graph() -> impl Strategy<Value = String> {
    let any_id = || (0..20_usize).prop_flat_map(id);
    let wrong = || one_of(&["5", "null", "true", "[]", "{}", r#""""#, r#"["1"]"#]);
    let child = prop_oneof![12 => any_id(), 1 => wrong()];
    let children = prop_oneof![
        12 => vec(child, 0..5).prop_map(|children| format!("[{}]", children.join(" ,"))),
        1 => wrong(),
    ];
    let places = (
        prop_oneof![400 => any_id(), 1 => wrong()],
        proptest::option::weighted(0.8, prop_oneof![12 => any_id(), 1 => wrong()]),
        proptest::option::weighted(0.9, children),
    );
    let one =
        (places, members(|| string().boxed()), any::<u64>()).prop_map(|((id, parent, children), members, order)| {
            let places =
                [Some(("nodeId", id)), parent.map(|id| ("parentId", id)), children.map(|ids| ("childIds", ids))];
            let mut all: Vec<String> =
                places.into_iter().flatten().map(|(key, value)| format!("\"{key}\":{value}")).chain(members).collect();
            // Any order of keys; equal ones keep theirs.
            let mut rest = order;
            for at in (1..all.len()).rev() {
                let other = (rest % (at as u64 + 1)) as usize;
                rest /= at as u64 + 1;
                if !all[other].starts_with("\"name\"") && !all[at].starts_with("\"name\"") {
                    all.swap(at, other);
                }
            }
            node(&all, &[])
        });
    (vec(one, 0..20), 0..6_u8).prop_map(|(nodes, shape)| payload(&nodes, shape))
}

/// Text fields with values of every type and depth.
pub(crate) fn values() -> impl Strategy<Value = String> {
    vec(value(), 1..8).prop_map(|values| {
        let nodes: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(at, value)| {
                format!(r#"{{"nodeId":"{at}","role":{{"value":"slider"}},"value":{{"value":{value}}}}}"#)
            })
            .collect();
        payload(&nodes, 9)
    })
}

/// A payload with a few bytes taken out, put in or changed.
pub(crate) fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let bytes = select(&b"\"\\{}[],:0123456789-+.eEtfnu \n\t\x00\x1f\x7f\x80\xC3\xED\xF4\xFFNaI/*"[..]);
    let edits = vec((any::<prop::sample::Index>(), 0..4_u8, bytes), 1..4);
    (prop_oneof![graph(), values()], edits).prop_map(|(payload, edits)| {
        let mut payload = payload.into_bytes();
        for (at, kind, byte) in edits {
            let at = at.index(payload.len());
            match kind {
                0 => drop(payload.remove(at)),
                1 => payload.insert(at, byte),
                2 => payload[at] = byte,
                _ => payload.truncate(at + 1),
            }
            if payload.is_empty() {
                break;
            }
        }
        payload
    })
}

/// A chain of nodes, each of which lists the next one several times; a cycle where the last lists the first.
pub(crate) fn chain(nodes: usize, times: usize, roles: &[&str], cycle: bool) -> String {
    let mut written = Vec::new();
    for at in 0..nodes {
        let next = if cycle { (at + 1) % nodes } else { at + 1 };
        let children = vec![format!("\"{next}\""); times].join(",");
        let parent = if at == 0 && !cycle { "none".to_owned() } else { ((at + nodes - 1) % nodes).to_string() };
        let name = if at % 7 == 0 { format!(r#","name":{{"value":"n{at}"}}"#) } else { String::new() };
        let role = roles[at % roles.len()];
        written.push(format!(
            r#"{{"nodeId":"{at}","parentId":"{parent}","role":{{"value":"{role}"}}{name},"childIds":[{children}]}}"#
        ));
    }
    payload(&written, 0)
}
