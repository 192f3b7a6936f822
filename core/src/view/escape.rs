//! Page text as it is printed: it can make neither a handle nor a notice of ours.

use alloc::string::String;

use crate::text::at_sign_or_control;

/// What only we begin a line with.
const NOTICES: [&str; 5] = ["- ", "…", "recover ccr_", "no change", "no match"];

/// Appends squeezed page text: `@` directly before a digit is `\@`, and control characters are spaces.
pub(super) fn push_safe(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((plain, tail)) = rest.split_at_checked(at_sign_or_control(rest.as_bytes())) {
        out.push_str(plain);
        if tail.is_empty() {
            return;
        }
        let mut chars = tail.chars();
        match chars.next() {
            Some('@') if chars.clone().next().is_some_and(char::is_numeric) => out.push_str("\\@"),
            Some(c) if c.is_control() => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
}

/// Would a line that begins so be taken for a heading, an item or a notice of ours?
pub(super) fn begins_like_ours(text: &str) -> bool {
    let after = text.trim_start_matches('#');
    let marks = text.len() - after.len();
    (1..=6).contains(&marks) && after.starts_with(' ') || NOTICES.iter().any(|notice| text.starts_with(notice))
}

/// Would a line that begins with this list marker and a space, whatever comes after it?
pub(super) fn mark_begins_like_ours(marker: &str) -> bool {
    let begins = |notice: &&str| notice.strip_prefix(marker).is_some_and(|rest| rest.starts_with(' '));
    begins_like_ours(marker) || NOTICES.iter().any(begins)
}
