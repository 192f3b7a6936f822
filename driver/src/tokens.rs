//! How many tokens a text is for a model: `o200k_base`, exact, and estimated where exactness would cost too much time.
//!
//! The vocabulary takes a tenth of a second to load, longer than most payloads take to press, so it is loaded beside
//! the work.

use std::thread;

/// Begins to load the vocabulary.
pub fn prepare() {
    thread::spawn(bpe_openai::o200k_base);
}

/// Tokens of a text.
#[must_use]
pub fn count(text: &str) -> usize {
    bpe_openai::o200k_base().count(text)
}

/// Tokens of a payload, or none where it is not UTF-8.
#[must_use]
pub fn count_bytes(bytes: &[u8]) -> Option<usize> {
    std::str::from_utf8(bytes).ok().map(count)
}

/// Most bytes of a payload that is counted and not estimated: 5 ms of counting.
const COUNTED: usize = 160 << 10;
/// Slices that stand for a larger payload, and their bytes.
const SLICES: usize = 160;
const SLICE: usize = 1024;
/// Tokens that a slice has more than its share, since both its ends are cut.
const CUT: f64 = 0.5;

/// Tokens of a payload: exact where it is small, else an estimate made of slices from all over it.
///
/// Escapes cost many tokens a byte and come in long runs that the slices may hit too often or too seldom. How many there
/// are is known, so the estimate is set right by what each was seen to cost.
#[must_use]
pub fn estimate(bytes: &[u8]) -> (usize, bool) {
    if bytes.len() <= COUNTED {
        return count_bytes(bytes).map_or_else(|| (bytes.len() / 4, false), |tokens| (tokens, true));
    }
    #[allow(clippy::naive_bytecount, reason = "a thousandth of what counting tokens takes")]
    let backslashes = |bytes: &[u8]| to_float(bytes.iter().filter(|&&byte| byte == b'\\').count());
    let slice = |number: usize| {
        let start = (bytes.len() - SLICE) / (SLICES - 1) * number;
        // Half a character at an end is one that stands for it.
        let slice = bytes.get(start..start + SLICE).unwrap_or_default();
        (to_float(count(&String::from_utf8_lossy(slice))) - CUT, backslashes(slice))
    };
    let slices: Vec<(f64, f64)> = (0..SLICES).map(slice).collect();
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| slices.iter().map(value).sum::<f64>() / to_float(SLICES);
    let (tokens, escaped) = (mean(&|slice| slice.0), mean(&|slice| slice.1));
    let spread = mean(&|slice| (slice.1 - escaped).powi(2));
    let together = mean(&|slice| (slice.1 - escaped) * (slice.0 - tokens));
    let each = if spread > 0.0 { together / spread } else { 0.0 };
    let times = to_float(bytes.len()) / to_float(SLICE);
    let all = tokens * times + each * (backslashes(bytes) - escaped * times);
    #[allow(clippy::cast_sign_loss, reason = "a cast of a float holds to the bounds of what it becomes")]
    let all = all.round() as usize;
    (all, false)
}

#[allow(clippy::cast_precision_loss, reason = "payloads are far below 2^52 bytes")]
fn to_float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, Instant};

    use axpress_tests::{fixtures, generate};

    use super::{COUNTED, count, count_bytes, estimate};

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

    #[test]
    fn a_small_payload_is_counted_and_a_large_one_is_estimated_within_one_percent() {
        let fixtures: Vec<(String, Vec<u8>)> =
            fixtures::all().into_iter().map(|fixture| (fixture.name, fixture.payload)).collect();
        let together = fixtures.iter().flat_map(|(_, payload)| payload).copied().collect();
        let large = [
            ("all fixtures".to_owned(), together),
            ("200 rows with one button".to_owned(), generate::berths(200, "Nothing checked yet")),
            ("500 rows with two buttons".to_owned(), generate::catches(500, "Idle")),
            ("120 cards".to_owned(), generate::cards(120, "Idle")),
        ];
        let mut guesses = 0;
        for (name, payload) in fixtures.into_iter().chain(large) {
            let (estimated, exact) = estimate(&payload);
            let Some(counted) = count_bytes(&payload) else { continue };
            assert_eq!(exact, payload.len() <= COUNTED, "{name}");
            assert!(!exact || estimated == counted, "{name}: {estimated} for {counted}");
            assert!(estimated.abs_diff(counted) * 100 <= counted, "{name}: {estimated} for {counted}");
            guesses += usize::from(!exact);
        }
        assert!(guesses >= 5, "{guesses} were estimated");
    }

    #[test]
    fn what_is_not_text_is_estimated_too() {
        assert_eq!(estimate(&[0xff; 4000]), (1000, false));
        assert!(estimate(&vec![0xff; 1 << 20]).0 > 0);
    }

    /// `AXPRESS_CORPUS=folder cargo test -p axpress --lib corpus -- --ignored --nocapture`
    #[test]
    #[ignore = "needs a folder of payloads"]
    #[allow(clippy::print_stdout, reason = "what it measures is what it is run for")]
    fn estimates_of_a_corpus_are_within_one_percent() {
        let folder = std::env::var("AXPRESS_CORPUS").expect("AXPRESS_CORPUS names a folder of payloads");
        let (mut worst, mut estimates, mut wide) = (0.0_f64, 0, 0);
        let mut open = vec![std::path::PathBuf::from(folder)];
        while let Some(file) = open.pop() {
            if file.is_dir() {
                open.extend(fs::read_dir(file).unwrap().map(|file| file.unwrap().path()));
                continue;
            }
            if !file.to_string_lossy().ends_with(".ax.json") {
                continue;
            }
            let payload = fs::read(&file).unwrap();
            let (guess, exact) = estimate(&payload);
            let counted = count_bytes(&payload).unwrap();
            #[allow(clippy::cast_precision_loss)]
            let off = (guess as f64 / counted as f64 - 1.0) * 100.0;
            assert!(!exact || guess == counted);
            if !exact {
                estimates += 1;
                worst = worst.max(off.abs());
                if off.abs() > 1.0 {
                    wide += 1;
                    println!("{off:+.2} % {} {}", payload.len(), file.display());
                }
            }
        }
        println!("{estimates} estimates, the worst {worst:.2} % off, {wide} more than 1 % off");
        assert!(worst <= 1.0);
    }
}
