//! Reads a message's JSON into a value, whatever a page wrote into its strings.
//!
//! A page may hold half of a surrogate pair, and Chrome sends it as an escape of its own. No string can hold that, so
//! that it is read as U+FFFD. Payloads do not come this way: their bytes stay as they are.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Reads a value.
pub(crate) fn from_slice<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|error| match mended(json) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(mended) => serde_json::from_slice(&mended),
    })
}

/// The JSON with every half of a surrogate pair replaced, at the same length; borrowed where there is none.
fn mended(json: &[u8]) -> Cow<'_, [u8]> {
    let mut mended = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        if byte != b'\\' {
            at += 1;
            continue;
        }
        match (unit(json, at), unit(json, at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => at += 12,
            (Some(0xd800..0xe000), _) => {
                mended.to_mut()[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            // Any other escape is two bytes, or begins with two that are looked at as one.
            _ => at += 2,
        }
    }
    mended
}

/// The code unit of a `\u` escape.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use super::from_slice;

    #[test]
    fn half_a_surrogate_pair_is_read_as_the_replacement_character() {
        for (json, expected) in [
            (r#""\ud83d""#, "\u{fffd}"),
            (r#""\udc00x""#, "\u{fffd}x"),
            (r#""\ud83c\ud83c""#, "\u{fffd}\u{fffd}"),
            (r#""\ud83d\ude00\ud83d""#, "😀\u{fffd}"),
            (r#""\\\ud83d""#, "\\\u{fffd}"),
            (r#""\\ud83d \ud83d""#, "\\ud83d \u{fffd}"),
        ] {
            assert_eq!(from_slice::<String>(json.as_bytes()).expect(json), expected);
        }
    }

    #[test]
    fn what_is_not_json_stays_an_error() {
        assert!(from_slice::<String>(br#""\ud83d"#).is_err());
        assert!(from_slice::<String>(br"x").is_err());
    }
}
