//! Page text as it is printed: it can make neither a handle nor a notice of ours.

use alloc::string::String;

use crate::text::{at_sign_or_control, leading};

/// What only we begin a line with.
const NOTICES: [&str; 5] = ["- ", "…", "recover ccr_", "no change", "no match"];

/// Appends squeezed page text: `@` before a digit is `\@`, and control characters are spaces.
pub(super) fn push_safe(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((plain, tail)) = rest.split_at_checked(at_sign_or_control(rest.as_bytes())) {
        out.push_str(plain);
        if tail.is_empty() {
            return;
        }
        let mut chars = tail.chars();
        match chars.next() {
            Some('@') if chars.clone().find(|c| !is_invisible(*c)).is_some_and(char::is_numeric) => out.push_str("\\@"),
            Some(c) if c.is_control() => out.push(' '),
            Some(c) => out.push(c),
            None => {}
        }
        rest = chars.as_str();
    }
}

/// Is nothing drawn for this character? Whoever reads the line does not know that it is there.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Would a line that begins so be taken for a heading, an item or a notice of ours?
pub(super) fn begins_like_ours(text: &str) -> bool {
    let text = text.trim_start_matches(is_invisible);
    let marks = leading(text, b'#');
    (1..=6).contains(&marks) && text.as_bytes().get(marks) == Some(&b' ')
        || NOTICES.iter().any(|notice| text.starts_with(notice))
}

/// Would a line that begins with this list marker and a space, whatever comes after it?
pub(super) fn mark_begins_like_ours(marker: &str) -> bool {
    let begins = |notice: &&str| notice.strip_prefix(marker).is_some_and(|rest| rest.starts_with(' '));
    begins_like_ours(marker) || NOTICES.iter().any(begins)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{begins_like_ours, push_safe};

    #[test]
    fn what_is_drawn_as_a_handle_or_a_notice_of_ours_is_none_whatever_invisible_stands_in_it() {
        for (text, printed) in [
            ("@\u{200b}12", "\\@\u{200b}12"),
            ("a@\u{2060}\u{feff}9", "a\\@\u{2060}\u{feff}9"),
            ("@\u{200d}a", "@\u{200d}a"),
        ] {
            let mut out = String::new();
            push_safe(text, &mut out);
            assert_eq!(out, printed);
        }
        for text in ["\u{200b}recover ccr_1a2b3c4d", "\u{feff}# Orders", "\u{202e}\u{2060}… +3 rows", "no match"] {
            assert!(begins_like_ours(text), "{text:?}");
        }
        for text in ["\u{200b}Orders", "\u{200b}", "#\u{200b} Orders"] {
            assert!(!begins_like_ours(text), "{text:?}");
        }
    }
}
