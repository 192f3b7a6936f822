//! How many tokens a text is for a model: `o200k_base`, exact.
//!
//! The vocabulary takes a tenth of a second to load, longer than most payloads take to press, so it is loaded beside
//! the work.

use std::thread;

/// Begins to load the vocabulary.
pub(crate) fn prepare() {
    thread::spawn(bpe_openai::o200k_base);
}

/// Tokens of a text.
pub(crate) fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// Tokens of a payload, or none where it is not UTF-8.
pub(crate) fn count_bytes(bytes: &[u8]) -> Option<usize> {
    std::str::from_utf8(bytes).ok().map(count)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{count, count_bytes};

    #[test]
    fn counts_are_those_of_o200k_base() {
        assert_eq!(count(""), 0);
        assert_eq!(count("button Save order @2462"), 6);
        assert_eq!(count(r#"- button "Save order" [ref=e2462]"#), 12);
        assert_eq!(count("<|endoftext|>"), 7, "a special token's name is text like any other");
        assert_eq!(count_bytes(b"\xff"), None);
    }

    #[test]
    fn a_megabyte_without_a_break_is_counted_in_linear_time() {
        let begin = Instant::now();
        assert!(count(&"a".repeat(1 << 20)) > 0);
        assert!(count(&"🎉".repeat(1 << 18)) > 0);
        assert!(count(&" ".repeat(1 << 20)) > 0);
        assert!(begin.elapsed() < Duration::from_secs(60));
    }
}
