//! Pressing: from what was read of a page to a text of at most so many tokens.
//!
//! The core makes the texts; here they are counted. A budget in tokens becomes one in bytes by trying: what a text costs
//! is known once it is there. Runs beside the other tasks, on compressors that are kept.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use axpress_core::{ChangeKind, Compressor, Delta, DeltaKind, ErrorKind, Frame, Snapshot, Uid, View, ViewOptions};
use bytes::Bytes;
use tokio::task;

use crate::browser::PageSnapshot;
use crate::error::{Code, Error};
use crate::store::Entry;
use crate::tokens;

/// Fewest bytes of a view.
const LEAST_BYTES: usize = 200;
/// How often a budget is tried.
const TRIES: usize = 8;

/// A page as it is pressed: of a browser, or of a store.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    pub(super) payload: Bytes,
    pub(super) frames: Vec<PageFrame>,
    pub(super) secrets: Vec<Uid>,
    pub(super) clickable: Vec<Uid>,
}

#[derive(Clone, Debug)]
pub(super) struct PageFrame {
    pub(super) owner: Uid,
    pub(super) number: u32,
    pub(super) payload: Bytes,
}

impl From<&PageSnapshot> for Page {
    fn from(snapshot: &PageSnapshot) -> Self {
        let frame = |frame: &crate::browser::FramePayload| PageFrame {
            owner: frame.owner,
            number: frame.number,
            payload: frame.payload.clone(),
        };
        Self {
            payload: snapshot.payload.clone(),
            frames: snapshot.frames.iter().map(frame).collect(),
            secrets: snapshot.secrets.clone(),
            clickable: snapshot.clickable.clone(),
        }
    }
}

impl Page {
    /// All payloads, its own first.
    pub(super) fn payloads(&self) -> impl Iterator<Item = &Bytes> {
        std::iter::once(&self.payload).chain(self.frames.iter().map(|frame| &frame.payload))
    }

    fn core_frames(&self) -> Vec<Frame<'_>> {
        let frame = |frame: &PageFrame| (frame.owner, frame.number);
        let frames = self.frames.iter().map(|it| (frame(it), &it.payload));
        frames.map(|((owner, number), payload)| Frame { owner, number, payload }).collect()
    }

    fn core<'a>(&'a self, frames: &'a [Frame<'a>]) -> Snapshot<'a> {
        Snapshot { payload: &self.payload, frames }
    }
}

/// What a text is made of a page for.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    pub(super) query: Option<String>,
    /// What changed since this page, instead of all of it.
    pub(super) since: Option<Page>,
    /// Most tokens.
    pub(super) most: usize,
}

/// A text made of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pressed {
    pub(super) text: String,
    pub(super) tokens: usize,
    pub(super) uids: Vec<Uid>,
    pub(super) nodes: usize,
    /// The text is no smaller than the payloads that it was made of.
    pub(super) uncompressed: bool,
    pub(super) change: Option<Change>,
}

/// What a delta found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) kind: DeltaKind,
    /// Nothing but which control has the focus.
    pub(super) is_focus: bool,
}

/// Compressors, as many as were ever at work at once, one of them kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Presses {
    idle: Arc<Mutex<Vec<Compressor>>>,
}

impl Presses {
    /// Works with a compressor, beside the other tasks. One that panics is not used again.
    pub(super) async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Compressor) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let idle = Arc::clone(&self.idle);
        let locked = move || {
            let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut compressor = taken.unwrap_or_default();
            let done = work(&mut compressor);
            let mut idle = idle.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.is_empty() {
                idle.push(compressor);
            }
            done
        };
        task::spawn_blocking(locked)
            .await
            .unwrap_or_else(|_| Err(Error::new(Code::ToolPanicked, "making the text of the page panicked")))
    }

    /// The text of a page.
    pub(super) async fn press(&self, page: Page, wanted: Wanted) -> Result<Pressed, Error> {
        self.with(move |compressor| press(compressor, &page, &wanted)).await
    }

    /// The blobs of a page's payloads, its own first.
    pub(super) async fn pack(&self, page: Page) -> Result<Vec<Entry>, Error> {
        self.with(move |compressor| pack(compressor, &page)).await
    }
}

fn press(compressor: &mut Compressor, page: &Page, wanted: &Wanted) -> Result<Pressed, Error> {
    let before: usize = page.payloads().map(Bytes::len).sum();
    fit(wanted.most, |most| {
        let mut pressed = make(compressor, page, wanted, most)?;
        pressed.uncompressed = pressed.text.len() >= before;
        Ok(pressed)
    })
}

/// A text of at most `most` tokens, from a maker of texts of at most so many bytes.
fn fit(most: usize, mut make: impl FnMut(Option<usize>) -> Result<Pressed, Error>) -> Result<Pressed, Error> {
    let mut pressed = make(None)?;
    if pressed.tokens <= most {
        return Ok(pressed);
    }
    let (mut bytes, mut best, mut too_many) = (pressed.text.len(), None::<Pressed>, usize::MAX);
    for _ in 0..TRIES {
        // What the last text cost a byte is what the next one is taken to cost, and a little more.
        let next = bytes.min(pressed.text.len().max(1)) * most / pressed.tokens.max(1);
        bytes = (next - next / 40).clamp(LEAST_BYTES, too_many.saturating_sub(1).max(LEAST_BYTES));
        pressed = make(Some(bytes))?;
        if pressed.tokens > most {
            too_many = too_many.min(bytes);
            if bytes == LEAST_BYTES {
                break;
            }
            continue;
        }
        let enough = pressed.tokens * 20 >= most * 19;
        if best.as_ref().is_none_or(|best| best.tokens < pressed.tokens) {
            best = Some(pressed.clone());
        } else {
            break;
        }
        if enough {
            break;
        }
    }
    match best {
        Some(best) => Ok(best),
        // 200 bytes are at most 200 tokens, which is less than the fewest that can be asked for.
        None => make(Some(LEAST_BYTES)),
    }
}

fn make(compressor: &mut Compressor, page: &Page, wanted: &Wanted, max_bytes: Option<usize>) -> Result<Pressed, Error> {
    let frames = page.core_frames();
    let mut secrets = page.secrets.clone();
    secrets.extend(wanted.since.iter().flat_map(|since| &since.secrets));
    let options = ViewOptions {
        query: wanted.query.as_deref(),
        max_bytes,
        secrets: &secrets,
        clickable: &page.clickable,
        ..ViewOptions::default()
    };
    let Some(since) = &wanted.since else {
        let view = compressor.view(page.core(&frames), &options).map_err(|error| from_core(&error))?;
        return Ok(of_view(&view));
    };
    let frames_before = since.core_frames();
    let delta = compressor.delta(since.core(&frames_before), page.core(&frames), &options);
    let delta = delta.map_err(|error| from_core(&error))?;
    let changed: Option<Vec<(usize, String)>> = delta
        .changes
        .iter()
        .map(|change| {
            let before = change.before.filter(|_| change.kind == ChangeKind::Changed);
            Some((before? as usize, without_focus(delta.line(change))))
        })
        .collect();
    let mut pressed = of_delta(&delta);
    if let (Some(changed), Some(change)) = (changed, &mut pressed.change)
        && change.kind == DeltaKind::Changed
    {
        let options = ViewOptions { max_bytes: None, query: None, ..options };
        let before = compressor.view(since.core(&frames_before), &options).map_err(|error| from_core(&error))?;
        let lines: Vec<&str> = before.text.lines().collect();
        let is_same = |(at, line): &(usize, String)| lines.get(*at).is_some_and(|old| without_focus(old) == *line);
        change.is_focus = changed.iter().all(is_same);
    }
    Ok(pressed)
}

/// A line as it would be if nothing in it had the focus.
fn without_focus(line: &str) -> String {
    line.trim_start().replace("; focused, ", "; ").replace(", focused", "").replace("; focused", "")
}

fn of_view(view: &View<'_>) -> Pressed {
    Pressed {
        text: view.text.to_owned(),
        tokens: tokens::count(view.text),
        uids: view.uids.to_vec(),
        nodes: view.nodes,
        uncompressed: false,
        change: None,
    }
}

fn of_delta(delta: &Delta<'_>) -> Pressed {
    Pressed {
        text: delta.text.to_owned(),
        tokens: tokens::count(delta.text),
        uids: delta.uids.to_vec(),
        nodes: 0,
        uncompressed: false,
        change: Some(Change { kind: delta.kind, is_focus: false }),
    }
}

fn pack(compressor: &mut Compressor, page: &Page) -> Result<Vec<Entry>, Error> {
    // Uids of one frame are those of one process; which document of it a node is in makes no difference here.
    let mut secrets = BTreeMap::<u32, Vec<u64>>::new();
    for secret in &page.secrets {
        secrets.entry(secret.frame).or_default().push(secret.node);
    }
    let numbers = std::iter::once(0).chain(page.frames.iter().map(|frame| frame.number));
    let mut entries = Vec::new();
    for (payload, number) in page.payloads().zip(numbers) {
        let withheld = match secrets.get(&number) {
            Some(secrets) => compressor.holds_secrets(payload, secrets).map_err(|error| from_core(&error))?,
            None => false,
        };
        let blob = compressor.pack(payload).map_err(|error| from_core(&error))?.1.to_vec();
        entries.push(Entry { blob, withheld, secrets: page.secrets.clone() });
    }
    Ok(entries)
}

/// A failure of the core, as the tools say it.
pub(super) fn from_core(error: &axpress_core::Error) -> Error {
    let code = match error.kind {
        ErrorKind::PayloadTooLarge | ErrorKind::TooManyNodes | ErrorKind::OutputTooLarge => Code::PayloadTooLarge,
        ErrorKind::CorruptBlob | ErrorKind::UnsupportedBlob | ErrorKind::BlobTooLarge => Code::HandleUnreadable,
        ErrorKind::InvalidHandle => Code::InvalidArguments,
        // The payload can't be read, so there is no view of it.
        _ => Code::SnapshotUncompressed,
    };
    Error::new(code, error.message())
}

#[cfg(test)]
mod tests {
    use super::{Pressed, fit};
    use crate::tokens;

    /// A maker of texts of words, cut at a budget as a view is.
    fn words(word: &str, count: usize) -> impl FnMut(Option<usize>) -> Result<Pressed, crate::error::Error> {
        let all = word.repeat(count);
        move |most| {
            let most = most.unwrap_or(all.len()).min(all.len());
            let text = all[..most / word.len() * word.len()].to_owned();
            let tokens = tokens::count(&text);
            Ok(Pressed { text, tokens, uids: Vec::new(), nodes: 0, uncompressed: false, change: None })
        }
    }

    #[test]
    fn a_text_that_fits_is_made_once() {
        let mut made = 0;
        let mut maker = words("button Save @12\n", 10);
        let text = fit(1000, |most| {
            made += 1;
            maker(most)
        });
        assert_eq!((text.unwrap().text.len(), made), (160, 1));
    }

    #[test]
    fn a_budget_in_tokens_is_kept_and_used() {
        for word in ["button Save @12\n", "語", "- Zwölf Boxkämpfer | EUR 20.00 | open @77\n", "🎉 "] {
            for most in [256, 1000, 5000] {
                let made = fit(most, words(word, 40_000)).unwrap();
                assert!(made.tokens <= most, "{} of {most} {word:?}", made.tokens);
                assert!(made.tokens * 10 >= most * 8, "{} of {most} {word:?}", made.tokens);
            }
        }
    }
}
