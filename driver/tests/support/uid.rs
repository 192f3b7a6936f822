//! Handles in the text of a view.

/// The uid of the control that follows these words in a view, as digits, with a frame's before a point.
#[track_caller]
pub(crate) fn uid(text: &str, words: &str) -> String {
    let rest = text.split_once(words).unwrap_or_else(|| panic!("{words:?} is not in\n{text}")).1;
    let rest = rest.split_once('@').unwrap_or_else(|| panic!("no uid after {words:?} in\n{text}")).1;
    let digits = rest.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(rest.len());
    rest[..digits].trim_end_matches('.').to_owned()
}
