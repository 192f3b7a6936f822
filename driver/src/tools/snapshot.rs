//! `browser_snapshot`: reads a page, and answers with its view and the line that says how to get the original back.

use std::fmt::Write;
use std::time::Duration;

use axpress_core::Handle;
use serde_json::json;

use super::answer::{Answer, on_a_line};
use super::given::Given;
use super::press::{Page, Pressed, Wanted, from_core};
use super::recover::manifest;
use super::{MAX_TOKENS, Pages, Session, Tools};
use crate::browser::{PageSnapshot, SnapshotRequest};
use crate::error::{Code, Error};
use crate::store::Entry;
use crate::tokens;

/// Most tokens of an answer where the call says nothing of it.
const USUAL_TOKENS: u64 = 5000;
/// Fewest tokens that can be asked for: a view of 200 bytes and the line below it always fit.
const LEAST_TOKENS: u64 = 256;
/// Most bytes of a query.
const QUERY_BYTES: usize = 4 << 10;
/// Longest wait after the load, in milliseconds.
const LONGEST_WAIT: u64 = 30_000;
/// How many frames that could not be read are named.
const FRAMES_NAMED: usize = 5;
/// Rounds after which a number in the text that it counts must have settled.
const ROUNDS: usize = 2000;

impl<P: Pages> Tools<P> {
    pub(super) async fn snapshot(&self, session: &Session, given: Given<'_>) -> Result<Answer, Error> {
        let query = given.text("query")?.map(str::to_owned);
        if query.as_ref().is_some_and(|query| query.len() > QUERY_BYTES) {
            return Err(Error::new(Code::InvalidArguments, "`query` is longer than 4 KiB"));
        }
        let most = given.whole("max_tokens", LEAST_TOKENS, MAX_TOKENS)?.unwrap_or(USUAL_TOKENS);
        let wait = Duration::from_millis(given.whole("wait", 0, LONGEST_WAIT)?.unwrap_or(0));
        let since = given.handle("since")?;
        let request = SnapshotRequest { url: given.text("url")?.map(str::to_owned), wait };
        let tab = given.tab()?;
        // What is refused is refused before a browser is started for it.
        if let Some(url) = &request.url {
            self.pages.check_url(url)?;
        }
        let since = match since {
            Some(handle) => Some(self.stored_page(handle).await?.page),
            None => None,
        };
        let tab = self.tab(session, tab).await?;
        let snapshot = self.pages.snapshot(tab, &request).await?;
        session.uses(snapshot.tab);
        let page = Page::from(&snapshot);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let wanted = Wanted { query, since, most: usize::MAX };
        let mut pressed = self.presses.press(page.clone(), wanted.clone()).await?;
        let kept = if self.options.handles {
            if pressed.uncompressed {
                return Err(uncompressed());
            }
            Some(self.keep(&snapshot, &page).await?)
        } else {
            None
        };
        let notices = notices(&snapshot);
        let (mut text, mut after) = whole(&pressed.text, &notices, kept.as_ref());
        // What stands below the view costs what it costs, and a token more or less where it meets the view.
        let mut below = after.saturating_sub(pressed.tokens);
        while after > most {
            let wanted = Wanted { most: most.saturating_sub(below), ..wanted.clone() };
            pressed = self.presses.press(page.clone(), wanted).await?;
            (text, after) = whole(&pressed.text, &notices, kept.as_ref());
            below += 1;
        }
        let mut answer = Answer::text(text).with("tokens_after", after);
        if let Some(kept) = &kept {
            answer = answer
                .with("recovery_handle", kept.handle.to_string())
                .with("tokens_before", kept.tokens)
                .with("tokens_before_exact", kept.exact)
                .with("ratio", ratio(kept.tokens, after));
        }
        self.pages.shown(&snapshot, &pressed.uids);
        session.sees(&snapshot, page, &self.pages.tabs());
        Ok(of_page(answer, &snapshot, &pressed))
    }

    /// Stores a page; the handle is that of its payload, or of the manifest of its frames.
    async fn keep(&self, snapshot: &PageSnapshot, page: &Page) -> Result<Kept, Error> {
        let mut entries = self.presses.pack(page.clone()).await?;
        // The browser's word counts where no payload is found to hold one.
        if snapshot.exposes_secrets && !entries.iter().any(|entry| entry.withheld) {
            for entry in &mut entries {
                entry.withheld = true;
            }
        }
        if !snapshot.frames.is_empty() {
            let manifest = manifest(snapshot, &entries);
            let withheld = entries.iter().any(|entry| entry.withheld);
            let blob = self
                .presses
                .with(move |compressor| Ok(compressor.pack(&manifest).map_err(|error| from_core(&error))?.1.to_vec()));
            entries.push(Entry { blob: blob.await?, withheld, secrets: snapshot.secrets.clone() });
        }
        let handle = match self.store.put(entries).await {
            // Without a store there is no handle, and without a handle no view.
            Err(error) if error.code != Code::StoreFull => return Err(uncompressed()),
            done => done?,
        };
        let page = page.clone();
        let count = move |_: &mut _| {
            let counts = page.payloads().map(|payload| tokens::estimate(payload));
            Ok(counts.fold((0, true), |(all, exact), (tokens, is_exact)| (all + tokens, exact && is_exact)))
        };
        let (tokens, exact) = self.presses.with(count).await?;
        Ok(Kept { handle, short: self.store.shortest(handle).await?.to_string(), tokens, exact })
    }
}

/// A page that is in the store.
struct Kept {
    handle: Handle,
    /// The fewest digits that name it.
    short: String,
    /// Tokens of all payloads, and whether that is exact.
    tokens: usize,
    exact: bool,
}

/// What must be said of the page beside its view, each on a line that begins as no line of a page does.
fn notices(snapshot: &PageSnapshot) -> String {
    let mut notices = String::new();
    if snapshot.loading {
        notices.push_str("\n… the page is still loading");
    }
    for frame in snapshot.unread.iter().take(FRAMES_NAMED) {
        let url = if frame.url.is_empty() { "of an unknown address" } else { &frame.url };
        let (url, why) = (on_a_line(super::answer::beginning(url, 120)), on_a_line(&frame.why));
        let _ = write!(notices, "\n… frame {url} is not read: {why}");
    }
    if let Some(more @ 1..) = snapshot.unread.len().checked_sub(FRAMES_NAMED) {
        let _ = write!(notices, "\n… and {more} frames more are not read");
    }
    notices
}

/// The whole text, and its tokens, which it says itself.
fn whole(view: &str, notices: &str, kept: Option<&Kept>) -> (String, usize) {
    let text = |after: usize| {
        let line = kept.map(|Kept { short, tokens, exact, .. }| {
            let about = if *exact { "" } else { "~" };
            format!("\nrecover {short}; {about}{tokens} to {after} tokens, inferred")
        });
        let text = format!("{view}{notices}{}", line.unwrap_or_default());
        text.strip_prefix('\n').map_or(text.clone(), str::to_owned)
    };
    // Where a text says its length, a longer number may make it longer: it settles in a round or two. Tokens of three
    // digits each can't go on for ever, but two numbers could each make the text count as the other; a larger one ends
    // that.
    let mut after = tokens::count(&text(0));
    let mut round = 0;
    loop {
        let candidate = text(after);
        let counted = tokens::count(&candidate);
        if counted == after || round == ROUNDS {
            return (candidate, counted);
        }
        after = if round < 4 { counted } else { after + 1 };
        round += 1;
    }
}

/// What is known of the page, for programs.
fn of_page(answer: Answer, snapshot: &PageSnapshot, pressed: &Pressed) -> Answer {
    let answer = answer
        .with("uids", pressed.uids.len())
        .with("view_tokens", pressed.tokens)
        .with("basis", "inferred")
        .with("tab", snapshot.tab.0)
        .with("url", snapshot.url.as_str())
        .with("title", snapshot.title.as_str());
    if snapshot.unread.is_empty() {
        return answer;
    }
    let unread = snapshot.unread.iter().map(|frame| json!({ "url": frame.url, "why": frame.why }));
    answer.with("unread_frames", unread.collect::<Vec<_>>())
}

fn uncompressed() -> Error {
    Error::new(Code::SnapshotUncompressed, "the view of this page is no smaller than its tree, or can't be kept")
}

/// How many times smaller, with one decimal.
fn ratio(before: usize, after: usize) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "counts of tokens are far below 2^52")]
    let ratio = before as f64 / after.max(1) as f64;
    (ratio * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use axpress_core::Handle;

    use super::{Kept, whole};
    use crate::tokens;

    fn kept(short: &str, tokens: usize, exact: bool) -> Kept {
        Kept { handle: Handle::of(b""), short: short.to_owned(), tokens, exact }
    }

    #[test]
    fn the_count_in_the_text_is_that_of_the_text_1000_times() {
        let mut view = String::new();
        for round in 0..1000_usize {
            let handle = format!("ccr_{:08x}", round.wrapping_mul(0x9e37_79b9) & 0xffff_ffff);
            let kept = kept(&handle, round * 7919 % 1_000_000, round % 3 == 0);
            let notices = if round % 10 == 0 { "\n… the page is still loading" } else { "" };
            let (text, after) = whole(&view, notices, Some(&kept));
            assert_eq!(tokens::count(&text), after, "{text}");
            assert!(text.ends_with(&format!(" to {after} tokens, inferred")));
            view.push_str(["button Save @12\n", "Zoë 🎉", " a\n", "1", "語"][round % 5]);
        }
    }

    #[test]
    fn the_line_costs_at_most_30_tokens() {
        for handle in ["ccr_ffffffff", "ccr_1a2b3c4d", "ccr_08e91f0c3d5b"] {
            let (text, after) = whole("button Save @12", "", Some(&kept(handle, 398_494, false)));
            assert!(after - tokens::count("button Save @12") <= 30, "{after}: {text}");
        }
    }

    #[test]
    fn an_empty_view_leaves_the_line_alone() {
        let (text, _) = whole("", "", Some(&kept("ccr_1a2b3c4d", 100, true)));
        assert!(text.starts_with("recover ccr_1a2b3c4d; 100 to "), "{text}");
    }
}
