//! Uids as people and agents write them: `12`, `@12`, `2.12`.

use axpress_core::Uid;

/// Reads a uid, with or without its `@`.
pub(crate) fn parse(text: &str) -> Result<Uid, String> {
    let digits = text.strip_prefix('@').unwrap_or(text);
    let (frame, node) = digits.split_once('.').unwrap_or(("0", digits));
    let number = |digits: &str| -> Option<u64> {
        // `parse` alone would take a sign.
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    match (number(frame).and_then(|frame| frame.try_into().ok()), number(node)) {
        (Some(frame), Some(node)) if node > 0 => Ok(Uid { frame, node }),
        _ => Err(format!("{text:?} is no uid: take one from a view, such as 12, or 2.12 in frame 2")),
    }
}

/// A uid as a view prints it, without its `@`.
pub(crate) fn text(uid: &Uid) -> String {
    match uid.frame {
        0 => uid.node.to_string(),
        frame => format!("{frame}.{}", uid.node),
    }
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;

    use super::{parse, text};

    #[test]
    fn a_uid_is_a_string_since_as_a_number_2_10_would_be_2_1() {
        for (written, frame, node) in [("12", 0, 12), ("2.10", 2, 10), ("2.1", 2, 1)] {
            let uid = Uid { frame, node };
            assert_eq!((parse(written), parse(&format!("@{written}"))), (Ok(uid), Ok(uid)));
            assert_eq!(text(&uid), written);
        }
    }

    #[test]
    fn what_is_no_uid_is_refused() {
        for written in ["", "@", "0", "2.0", "-1", "+1", "1.", ".1", "1.2.3", "1e3", " 1", "@@1", "4294967296.1"] {
            assert!(parse(written).is_err(), "{written}");
        }
    }
}
