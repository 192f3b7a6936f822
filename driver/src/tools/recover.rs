//! `browser_recover`: originals, byte for byte, in slices; or their nodes that match a query, in their original bytes.
//!
//! A page of several frames is stored as a manifest, JSON lines that name each frame's payload by its handle, the page's
//! own first. What is given back is never made smaller again.

use std::str;

use axpress_core::{Handle, HandlePrefix};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Content};
use super::given::Given;
use super::press::{Page, PageFrame, from_core};
use super::{Pages, Tools};
use crate::browser::PageSnapshot;
use crate::error::{Code, Error};
use crate::store::Entry;
use crate::uid;

/// Most bytes of a slice.
const SLICE: usize = 64 << 10;
/// Most bytes of a query.
const QUERY_BYTES: usize = 4 << 10;
/// What a manifest begins with, and no payload of Chrome's.
const MANIFEST: &[u8] = br#"{"frame":"#;

/// A frame of a page, in its manifest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestLine {
    /// Chrome's id of the frame.
    frame: String,
    /// The element that holds it; null for the page itself.
    owner: Option<String>,
    number: u32,
    handle: String,
}

/// The manifest of a page, whose payloads are these entries in their order.
pub(super) fn manifest(snapshot: &PageSnapshot, entries: &[Entry]) -> Vec<u8> {
    let own = (snapshot.frame_id.clone(), None, 0);
    let frame =
        |frame: &crate::browser::FramePayload| (frame.frame_id.clone(), Some(uid::text(&frame.owner)), frame.number);
    let frames = std::iter::once(own).chain(snapshot.frames.iter().map(frame));
    let mut manifest = Vec::new();
    for ((frame, owner, number), entry) in frames.zip(entries) {
        let digest: [u8; 32] = entry.blob.get(16..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        let handle = Handle::from_sha256(&digest).to_string();
        let line = serde_json::to_vec(&ManifestLine { frame, owner, number, handle }).unwrap_or_default();
        manifest.extend(line);
        manifest.push(b'\n');
    }
    manifest
}

/// A page that was stored.
#[derive(Debug)]
pub(super) struct StoredPage {
    pub(super) page: Page,
    /// Chrome's ids of its frames.
    frame_ids: Vec<String>,
    withheld: Vec<bool>,
}

impl<P: Pages> Tools<P> {
    /// The page of a handle: of a manifest with all of its frames.
    pub(super) async fn stored_page(&self, handle: HandlePrefix) -> Result<StoredPage, Error> {
        let (bytes, entry) = self.original(handle).await?;
        let Some(lines) = read_manifest(&bytes) else {
            let page = Page { payload: bytes, secrets: entry.secrets, ..Page::default() };
            return Ok(StoredPage { page, frame_ids: Vec::new(), withheld: vec![entry.withheld] });
        };
        let mut page = Page { secrets: entry.secrets, ..Page::default() };
        let (mut frame_ids, mut withheld) = (Vec::new(), Vec::new());
        for line in lines {
            let broken = || Error::new(Code::HandleUnreadable, format!("the frames of {handle} can't be read"));
            let (payload, entry) = self.original(line.handle.parse().map_err(|_| broken())?).await?;
            withheld.push(entry.withheld);
            match line.owner {
                None => page.payload = payload,
                Some(owner) => {
                    let owner = uid::parse(&owner).map_err(|_| broken())?;
                    page.frames.push(PageFrame { owner, number: line.number, payload });
                    frame_ids.push(line.frame);
                }
            }
        }
        Ok(StoredPage { page, frame_ids, withheld })
    }

    /// The bytes of a handle, whatever they are.
    async fn original(&self, handle: HandlePrefix) -> Result<(Bytes, Entry), Error> {
        let mut entry = self.store.get(handle).await?;
        let blob = std::mem::take(&mut entry.blob);
        let unpack = move |compressor: &mut axpress_core::Compressor| {
            let original = compressor.unpack(&blob).map_err(|error| {
                Error::new(Code::HandleUnreadable, format!("{handle} can't be read: {}", error.message()))
            })?;
            Ok(Bytes::copy_from_slice(original))
        };
        Ok((self.presses.with(unpack).await?, entry))
    }

    /// All bytes of a handle, for the command line: of a page with frames the page's own payload, or that of a frame.
    pub async fn recover_all(&self, handle: HandlePrefix, frame: Option<&str>) -> Result<Bytes, Error> {
        let stored = self.stored_page(handle).await?;
        let at = frame.map_or(Ok(0), |frame| stored.position(frame))?;
        self.allowed(&stored, at)?;
        Ok(stored.payload(at))
    }

    /// The matching nodes of a handle, for the command line: each in its original bytes, one a line.
    pub async fn recover_nodes(
        &self,
        handle: HandlePrefix,
        frame: Option<&str>,
        query: &str,
    ) -> Result<(Bytes, usize), Error> {
        let stored = self.stored_page(handle).await?;
        let positions = match frame {
            Some(frame) => vec![stored.position(frame)?],
            None => (0..stored.withheld.len()).collect(),
        };
        let (mut all, mut count) = (Vec::new(), 0);
        for at in positions {
            self.allowed(&stored, at)?;
            let (payload, query) = (stored.payload(at), query.to_owned());
            let nodes = move |compressor: &mut axpress_core::Compressor| {
                let ranges = compressor.nodes(&payload, &query).map_err(|error| from_core(&error))?;
                let nodes = ranges.iter().filter_map(|range| payload.get(range.clone()));
                Ok((nodes.map(<[u8]>::to_vec).collect::<Vec<_>>(), ranges.len()))
            };
            let (nodes, found) = self.presses.with(nodes).await?;
            for node in nodes {
                if !all.is_empty() {
                    all.push(b'\n');
                }
                all.extend(node);
            }
            count += found;
        }
        Ok((all.into(), count))
    }

    fn allowed(&self, stored: &StoredPage, at: usize) -> Result<(), Error> {
        if stored.withheld.get(at) != Some(&true) || self.options.expose_secrets {
            return Ok(());
        }
        Err(Error::new(Code::RecoveryWithheld, "the original holds what a password-like field was given"))
    }

    pub(super) async fn recover(&self, given: Given<'_>) -> Result<Answer, Error> {
        let handle = given.handle("recovery_handle")?;
        let handle = handle.ok_or_else(|| Error::new(Code::InvalidArguments, "`recovery_handle` is missing"))?;
        let query = given.text("query")?.filter(|query| !query.trim().is_empty());
        if query.is_some_and(|query| query.len() > QUERY_BYTES) {
            return Err(Error::new(Code::InvalidArguments, "`query` is longer than 4 KiB"));
        }
        let offset = given.whole("offset", 0, u64::from(u32::MAX))?.unwrap_or(0);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let frame = match given.value("frame") {
            Some(serde_json::Value::Number(number)) => Some(number.to_string()),
            _ => given.text("frame")?.map(str::to_owned),
        };
        let (bytes, nodes) = match query {
            Some(query) => {
                let (bytes, count) = self.recover_nodes(handle, frame.as_deref(), query).await?;
                (bytes, Some(count))
            }
            None => (self.recover_all(handle, frame.as_deref()).await?, None),
        };
        let frames = self.frame_count(handle, frame.as_deref()).await?;
        let (slice, next) = slice(&bytes, offset)?;
        let mut answer = Answer::text(slice)
            .with("recovery_handle", handle.to_string())
            .with("offset", offset)
            .with("bytes", bytes.len());
        if let Some(next) = next {
            answer = answer.with("next_offset", next);
        }
        // Beside the bytes, and not among them: these are exact.
        let mut remarks = Vec::new();
        if let Some(count) = nodes {
            answer = answer.with("nodes", count);
            remarks.push(match count {
                0 => "no node matches".to_owned(),
                1 => "1 node matches".to_owned(),
                count => format!("{count} nodes match"),
            });
        }
        if let Some(next) = next {
            remarks.push(format!("bytes {offset} to {next} of {}; next offset {next}", bytes.len()));
        }
        if frames > 0 && frame.is_none() && nodes.is_none() {
            answer = answer.with("frames", frames);
            remarks.push(format!("the page itself; its frames are frame 1 to {frames}"));
        }
        if !remarks.is_empty() {
            answer.content.push(Content::Text(format!("… {}", remarks.join("; "))));
        }
        Ok(answer)
    }

    /// How many frames a handle has, where that is to be said.
    async fn frame_count(&self, handle: HandlePrefix, frame: Option<&str>) -> Result<usize, Error> {
        if frame.is_some() {
            return Ok(0);
        }
        let (bytes, _) = self.original(handle).await?;
        Ok(read_manifest(&bytes).map_or(0, |lines| lines.len().saturating_sub(1)))
    }
}

impl StoredPage {
    /// The position of a frame: 0 for the page itself, then by number in the manifest, or by Chrome's id.
    fn position(&self, frame: &str) -> Result<usize, Error> {
        let by_id = || self.frame_ids.iter().position(|id| id == frame).map(|at| at + 1);
        let by_number = frame.parse().ok().filter(|&at: &usize| at <= self.frame_ids.len());
        by_number.or_else(by_id).ok_or_else(|| {
            let what = format!("the page has no frame {frame:?}; its frames are 1 to {}", self.frame_ids.len());
            Error::new(Code::InvalidArguments, what).next("give a frame that there is, or 0 for the page itself")
        })
    }

    fn payload(&self, at: usize) -> Bytes {
        match at.checked_sub(1).and_then(|at| self.page.frames.get(at)) {
            Some(frame) => frame.payload.clone(),
            None => self.page.payload.clone(),
        }
    }
}

fn read_manifest(bytes: &[u8]) -> Option<Vec<ManifestLine>> {
    if !bytes.starts_with(MANIFEST) {
        return None;
    }
    let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).ok()).collect()
}

/// The slice at an offset, cut at a character, and where the next one begins.
fn slice(bytes: &[u8], offset: usize) -> Result<(String, Option<usize>), Error> {
    let invalid = |what: String| Error::new(Code::InvalidArguments, what);
    if offset > bytes.len() {
        return Err(invalid(format!("`offset` {offset} is past the end: there are {} bytes", bytes.len()))
            .next("give the next offset that the last slice named"));
    }
    let rest = bytes.get(offset..).unwrap_or_default();
    let part = rest.get(..SLICE).unwrap_or(rest);
    let text = match str::from_utf8(part) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => str::from_utf8(&part[..error.valid_up_to()]).unwrap_or_default(),
        Err(error) if error.error_len().is_some() && offset > 0 && !part.is_empty() => {
            return Err(invalid(format!("`offset` {offset} is in the middle of a character"))
                .next("give the next offset that the last slice named"));
        }
        Err(_) => return Err(Error::new(Code::HandleUnreadable, "the original is not text")),
    };
    let next = offset + text.len();
    Ok((text.to_owned(), (next < bytes.len()).then_some(next)))
}

#[cfg(test)]
mod tests {
    use super::{SLICE, slice};
    use crate::error::Code;

    #[test]
    fn slices_end_at_a_character_and_make_up_the_whole() {
        for unit in ["a", "é", "語", "🎉", "ab🎉"] {
            let text = unit.repeat(3 * SLICE / unit.len() + 7);
            let (mut offset, mut whole) = (0, String::new());
            loop {
                let (part, next) = slice(text.as_bytes(), offset).unwrap();
                assert!(part.len() <= SLICE && part.len() > SLICE - 4 || next.is_none());
                whole += &part;
                match next {
                    Some(next) => offset = next,
                    None => break,
                }
            }
            assert_eq!(whole, text);
        }
    }

    #[test]
    fn an_offset_that_is_no_beginning_is_said_to_be_none() {
        let code = |bytes: &[u8], offset| slice(bytes, offset).unwrap_err().code;
        assert_eq!(code("aé".as_bytes(), 4), Code::InvalidArguments);
        assert_eq!(code("aé".as_bytes(), 2), Code::InvalidArguments);
        assert_eq!(code(b"\xff", 0), Code::HandleUnreadable);
        assert_eq!(slice(b"abc", 3), Ok((String::new(), None)));
    }
}
