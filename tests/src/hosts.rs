//! The same cases through every host: what Rust gives, the others must give, byte for byte.
//!
//! A list of cases is a file: a line a case, fields with a tab between them, first the operation, then `key=value`:
//!
//! | key | |
//! | --- | --- |
//! | `payload` | a file: the payload, the original or the blob |
//! | `cut` | take that many of its first bytes |
//! | `before` | a file: the payload of the page before, for a delta; both pages have the frames |
//! | `frame` | `OWNER NUMBER FILE`, a frame of the page; any number of these |
//! | `max_chars`, `dedup_text`, `nodes` | of an outline; `nodes` are its secrets, with commas between them |
//! | `query`, `max_bytes`, `viewport`, `urls`, `root`, `secrets`, `clickable` | of a view; uids are `FRAME.NODE`, with commas between them |
//!
//! A host is a program that takes the file's name and prints a transcript: for each case a line `case N OPERATION` and
//! what came of it, in the form of `transcript`. It uses one compressor for all of them, in their order.

mod cases;
mod programs;
mod transcript;

pub use cases::{Case, Cases};
pub use programs::{Libraries, build, command, missing, root, run};
pub use transcript::transcript;

/// Where two transcripts part, in words: the case, and what each says there.
#[must_use]
pub fn difference(expected: &[u8], found: &[u8]) -> Option<String> {
    if expected == found {
        return None;
    }
    let same = expected.iter().zip(found).take_while(|(one, other)| one == other).count();
    let heads = expected[..same].windows(6).rposition(|window| window == b"\ncase ").map_or(0, |at| at + 1);
    let line = |from: usize, text: &[u8]| {
        let end = text.len().min(from + 200);
        String::from_utf8_lossy(text.get(from..end).unwrap_or_default()).into_owned()
    };
    let case = line(heads, expected).lines().next().unwrap_or_default().to_owned();
    let from = same.saturating_sub(40);
    Some(format!(
        "they part at byte {same}, in {case}\nexpected …{}\nfound    …{}",
        line(from, expected),
        line(from, found)
    ))
}

#[cfg(test)]
mod tests {
    #[test]
    fn transcripts_that_part_are_told_by_their_case() {
        let one = b"case 1 view\ntext 1\na\ncase 2 pack\nhandle 1\nx\n";
        let other = b"case 1 view\ntext 1\na\ncase 2 pack\nhandle 1\ny\n";
        assert_eq!(super::difference(one, one), None);
        assert!(super::difference(one, other).is_some_and(|text| text.contains("in case 2 pack")));
        assert!(super::difference(one, &one[..30]).is_some());
    }
}
