//! What holds for views of a part of a page: a budget's remainder is exact, every handle that is printed is in the
//! table, and what a query shows is on the page.

use axpress_core::{Compressor, Uid, ViewOptions};

/// A view, kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its text.
    pub text: String,
    /// Its handles.
    pub uids: Vec<Uid>,
    /// Handles, characters and lines that it left out, and matches.
    pub left_out: [usize; 4],
}

/// Makes a view and keeps it.
///
/// # Panics
/// Where the payload has no view.
pub fn view(compressor: &mut Compressor, payload: &[u8], options: &ViewOptions<'_>) -> Kept {
    let view = compressor.view(payload, options).unwrap_or_else(|error| panic!("{error}"));
    let left = view.left_out;
    Kept {
        text: view.text.to_owned(),
        uids: view.uids.to_vec(),
        left_out: [left.controls, left.characters, left.lines, left.matches],
    }
}

/// The handles that a reader sees in a text, in order: `@` before a digit, not after a backslash.
#[must_use]
pub fn handles(text: &str) -> Vec<Uid> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let rest = &text[at + 1..];
        if text[..at].ends_with('\\') || !rest.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (first, after) = rest.split_at(digits(rest));
        let second = after.strip_prefix('.').map(|after| &after[..digits(after)]).filter(|digits| !digits.is_empty());
        let number = |digits: &str| digits.parse::<u64>().unwrap_or(u64::MAX);
        found.push(match second {
            Some(node) => Uid { frame: number(first) as u32, node: number(node) },
            None => Uid { frame: 0, node: number(first) },
        });
    }
    found
}

/// The characters of a text's lines, without indentation and line breaks.
#[must_use]
pub fn characters(text: &str) -> usize {
    text.lines().map(|line| line.trim_start_matches(' ').chars().count()).sum()
}

/// A notice of what is left out: controls and characters.
fn notice(line: &str) -> Option<(usize, usize)> {
    let counts = line.trim_start_matches(' ').strip_prefix("… +")?;
    let counts = counts.split(';').next().unwrap_or_default();
    let count = |noun: &str| {
        counts.split(", ").find_map(|part| {
            let (number, counted) = part.split_once(' ')?;
            (counted.trim_end_matches('s') == noun).then(|| number.parse::<usize>().ok())?
        })
    };
    Some((count("control").unwrap_or(0), count("character")?))
}

/// Is this a line about a query, that no budget cuts?
fn is_about_query(line: &str) -> bool {
    line.starts_with("no match for ") || line.starts_with("… +") && line.contains(" match") | line.contains(" weaker ")
}

/// Walks through `whole` and `part` side by side: each line of the part is the next one of the whole, or its beginning
/// and a notice, and each notice counts exactly what is missing there.
pub fn walk(whole: &str, part: &str) -> Result<(), String> {
    let mut left = whole.lines().filter(|line| !is_about_query(line));
    let lines = part.lines().filter(|line| !is_about_query(line));
    let mut rest = (0, 0);
    let mut notices = 0;
    let ways = part.matches("; query or raise the budget").count();
    for line in lines {
        if let Some((controls, size)) = notice(line) {
            notices += 1;
            while rest.1 < size {
                let missing = left.next().ok_or_else(|| format!("more is counted than is left: {line}"))?;
                rest.0 += handles(missing).len();
                rest.1 += characters(missing);
            }
            if rest != (controls, size) {
                return Err(format!("{line} but {rest:?} are missing"));
            }
            rest = (0, 0);
            continue;
        }
        if rest != (0, 0) {
            return Err(format!("not counted before: {line}"));
        }
        let next = left.next().ok_or_else(|| format!("not on the page: {line}"))?;
        if next == line {
            continue;
        }
        let shown = line.strip_suffix('…').filter(|shown| next.starts_with(shown));
        let shown = shown.ok_or_else(|| format!("{line} stands for {next}"))?;
        let hidden = &next[shown.len()..];
        if !handles(next).starts_with(&handles(shown)) {
            return Err(format!("a handle is cut: {line}"));
        }
        rest = (handles(next).len() - handles(shown).len(), hidden.chars().count());
    }
    if rest != (0, 0) || left.next().is_some() {
        return Err("the end is missing".to_owned());
    }
    if ways != usize::from(notices > 0) {
        return Err(format!("{notices} notices and {ways} times the way to get it all"));
    }
    Ok(())
}

/// Checks the views of a payload within a budget, with and without a query.
pub fn check_budget(
    compressor: &mut Compressor,
    payload: &[u8],
    query: Option<&str>,
    most: usize,
) -> Result<Kept, String> {
    let full = view(compressor, payload, &ViewOptions::default());
    let mut options = ViewOptions { query, ..ViewOptions::default() };
    let whole = view(compressor, payload, &options);
    options.max_bytes = Some(most);
    let part = view(compressor, payload, &options);
    if part.text != view(&mut Compressor::new(), payload, &options).text {
        return Err("what was made before changes what is kept".to_owned());
    }
    if part.text.len() > most {
        return Err(format!("{} bytes in a budget of {most}", part.text.len()));
    }
    if whole.text.len() <= most && part.text != whole.text {
        return Err("it fits and is cut".to_owned());
    }
    walk(&whole.text, &part.text).map_err(|error| format!("{error}\n{}\n--- of\n{}", part.text, whole.text))?;
    for kept in [&whole, &part] {
        let shown = handles(&kept.text);
        if shown != kept.uids {
            return Err(format!("the table has {:?}\n{}", kept.uids, kept.text));
        }
        if kept.uids.len() + kept.left_out[0] != full.uids.len() {
            return Err(format!(
                "{} handles and {} left out of {}",
                kept.uids.len(),
                kept.left_out[0],
                full.uids.len()
            ));
        }
    }
    let counted: usize = part.text.lines().filter_map(notice).map(|(_, characters)| characters).sum();
    if query.is_none() && (counted != part.left_out[1] || whole.left_out != [0; 4]) {
        return Err(format!("{counted} characters are counted, {} are left out", part.left_out[1]));
    }
    Ok(part)
}
