//! Page text as it is printed: it can make neither a handle nor a notice of ours.

use alloc::string::String;

/// What only we begin a line with.
const NOTICES: [&str; 5] = ["- ", "…", "recover ccr_", "no change", "no match"];

/// Appends squeezed page text: `@` directly before a digit is `\@`, and control characters are spaces.
pub(super) fn push_safe(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| byte == b'@' || byte < b' ' || byte == 0x7f || byte == 0xc2) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('@') if chars.clone().next().is_some_and(char::is_numeric) => out.push_str("\\@"),
            Some(c) if c.is_control() => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// Would a line that begins so be taken for a heading, an item or a notice of ours?
pub(super) fn begins_like_ours(text: &str) -> bool {
    let after = text.trim_start_matches('#');
    let marks = text.len() - after.len();
    (1..=6).contains(&marks) && after.starts_with(' ') || NOTICES.iter().any(|notice| text.starts_with(notice))
}
