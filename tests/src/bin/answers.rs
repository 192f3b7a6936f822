//! What the core answers: every call that hosts have, on every payload of the fixtures, whole and damaged.
//!
//!     cargo run -p axpress-tests --release --bin answers -- FOLDER
//!
//! Writes `answers.json`: an array of `{input, call, options, result}` or `{…, error}`, in the words of JavaScript. A host makes
//! the same calls and must answer the same. `input` is a file below `tests/fixtures`, perhaps `cut` at a byte, with a
//! byte `set`, with `frames`, or with the `before` of a delta; bytes in results are `{hex}`. Writes `table.ax.json`
//! and `large.ax.json` too, payloads of a table of 1.4 MB and of 50 MB, for what is measured.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use axpress_core::{Compressor, Delta, Error, Frame, OutlineOptions, Snapshot, Uid, View, ViewOptions};
use axpress_tests::{fixtures, generate};
use serde_json::{Value, json};

/// Rows of the table, and of the large one.
const ROWS: usize = 205;
const MANY_ROWS: usize = 7_400;
/// Bytes that no JSON has there, or that change what it says.
const DAMAGE: [u8; 6] = [0x00, b'"', b'\\', b'[', b'9', 0xFF];

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("usage: answers FOLDER"))?;
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("table.ax.json"), generate::berths(ROWS, "Nothing checked yet"))?;
    fs::write(folder.join("large.ax.json"), generate::berths(MANY_ROWS, "Nothing checked yet"))?;
    let mut answers = Answers::default();
    let root = fixtures::folder();
    for path in fixtures::payloads(&root)? {
        let payload = fs::read(&path)?;
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
        answers.whole(&name, &payload);
        if path.ends_with("ax.json") {
            answers.page(&path, &name, &payload)?;
            answers.changes(&path, &name, &payload);
        }
        answers.damaged(&name, &payload);
    }
    fs::write(folder.join("answers.json"), serde_json::to_vec(&answers.all)?)
}

/// The answers so far.
#[derive(Default)]
struct Answers {
    compressor: Compressor,
    all: Vec<Value>,
}

impl Answers {
    fn note(&mut self, input: &Value, call: &str, options: &Value, result: Result<Value, Error>) {
        self.all.push(match result {
            Ok(result) => json!({"input": input, "call": call, "options": options, "result": result}),
            Err(Error { kind, offset }) => {
                let error = json!({"code": kind.code(), "offset": offset});
                json!({"input": input, "call": call, "options": options, "error": error})
            }
        });
    }

    /// Every call on a payload alone.
    fn whole(&mut self, name: &str, payload: &[u8]) {
        let input = json!({"file": name});
        for (words, options) in [
            (json!({}), OutlineOptions::default()),
            (json!({"dedupText": true}), OutlineOptions { dedup_text: true, ..OutlineOptions::default() }),
            (json!({"maxChars": 100}), OutlineOptions { max_chars: 100, ..OutlineOptions::default() }),
        ] {
            let result = self.outline(payload, &options);
            self.note(&input, "outline", &words, result);
        }
        for (words, options) in [
            (json!({}), ViewOptions::default()),
            (json!({"urls": true}), ViewOptions { urls: true, ..ViewOptions::default() }),
            (json!({"maxBytes": 300}), ViewOptions { max_bytes: Some(300), ..ViewOptions::default() }),
            (json!({"maxBytes": 199}), ViewOptions { max_bytes: Some(199), ..ViewOptions::default() }),
            (json!({"query": "save button"}), ViewOptions { query: Some("save button"), ..ViewOptions::default() }),
            (json!({"query": "no such word"}), ViewOptions { query: Some("no such word"), ..ViewOptions::default() }),
            (json!({"root": "999999"}), ViewOptions { root: Some(uid(0, 999_999)), ..ViewOptions::default() }),
        ] {
            let result = self.compressor.view(payload, &options).map(|view| view_value(&view));
            self.note(&input, "view", &words, result);
        }
        let result = self.compressor.nodes(payload, "save button").map(|ranges| {
            ranges.iter().map(|range| json!({"start": range.start, "end": range.end})).collect::<Value>()
        });
        self.note(&input, "nodes", &json!("save button"), result);
        let result = self.scan(payload);
        self.note(&input, "scan", &json!({}), result);
        let result = self.compress(payload);
        self.note(&input, "compress", &json!({}), result);
        let result = self
            .compressor
            .pack(payload)
            .map(|(handle, blob)| json!({"handle": handle.to_string(), "blob": hex(blob)}));
        self.note(&input, "pack", &json!({}), result);
    }

    /// The view of a page with its frames, its secrets, nodes made clickable, and one node as root.
    fn page(&mut self, path: &Path, name: &str, payload: &[u8]) -> io::Result<()> {
        let input = json!({"file": name});
        let folder = path.parent().unwrap_or(path);
        let described = read_frames(folder)?;
        if !described.is_empty() {
            let frames: Vec<_> = described
                .iter()
                .map(|(_, owner, number, payload)| Frame { owner: *owner, number: *number, payload })
                .collect();
            let words: Vec<_> = described
                .iter()
                .map(|(file, owner, number, _)| {
                    let file = format!("{}/{file}", folder.file_name().unwrap_or_default().to_string_lossy());
                    json!({"owner": uid_text(*owner), "number": number, "payload": {"file": file}})
                })
                .collect();
            let page = Snapshot { payload, frames: &frames };
            let result = self.compressor.view(page, &ViewOptions::default()).map(|view| view_value(&view));
            self.note(&json!({"file": name, "frames": words}), "view", &json!({}), result);
        }
        let shown = self.compressor.view(payload, &ViewOptions::default()).map(|view| view.uids.to_vec());
        for &node in shown.unwrap_or_default().iter().take(2) {
            let nodes = [node];
            let word = uid_text(node);
            for (words, options) in [
                (json!({"root": word}), ViewOptions { root: Some(node), ..ViewOptions::default() }),
                (json!({"secrets": [word]}), ViewOptions { secrets: &nodes, ..ViewOptions::default() }),
                (json!({"clickable": [word]}), ViewOptions { clickable: &nodes, ..ViewOptions::default() }),
                (
                    json!({"viewport": [word], "maxBytes": 250}),
                    ViewOptions { viewport: &nodes, max_bytes: Some(250), ..ViewOptions::default() },
                ),
            ] {
                let result = self.compressor.view(payload, &options).map(|view| view_value(&view));
                self.note(&input, "view", &words, result);
            }
        }
        Ok(())
    }

    /// Payloads and blobs that were cut or changed.
    fn damaged(&mut self, name: &str, payload: &[u8]) {
        for part in 1..6 {
            let cut = payload.len() * part / 6;
            let input = json!({"file": name, "cut": cut});
            let result = self.scan(payload.get(..cut).unwrap_or_default());
            self.note(&input, "scan", &json!({}), result);
        }
        for (part, byte) in DAMAGE.into_iter().enumerate() {
            let at = payload.len() * (part + 1) / (DAMAGE.len() + 1);
            let mut changed = payload.to_vec();
            if let Some(place) = changed.get_mut(at) {
                *place = byte;
            }
            let input = json!({"file": name, "set": [at, byte]});
            let result = self.compressor.view(&changed, &ViewOptions::default()).map(|view| view_value(&view));
            self.note(&input, "view", &json!({}), result);
            let result = self.compressor.unpack(&changed).map(hex);
            self.note(&input, "unpack", &json!({}), result);
        }
    }

    /// What changed between a fixture's two payloads, in both directions, and with a budget.
    fn changes(&mut self, path: &Path, name: &str, payload: &[u8]) {
        let Ok(after) = fs::read(path.with_file_name("after.ax.json")) else { return };
        let later = name.replace("ax.json", "after.ax.json");
        for (words, max_bytes) in [(json!({}), None), (json!({"maxBytes": 200}), Some(200))] {
            let options = ViewOptions { max_bytes, ..ViewOptions::default() };
            let result = self.compressor.delta(payload, &after, &options).map(|delta| delta_value(&delta));
            self.note(&json!({"file": later, "before": name}), "delta", &words, result);
            let result = self.compressor.delta(&after, payload, &options).map(|delta| delta_value(&delta));
            self.note(&json!({"file": name, "before": later}), "delta", &words, result);
        }
    }

    fn outline(&mut self, payload: &[u8], options: &OutlineOptions<'_>) -> Result<Value, Error> {
        let outline = self.compressor.outline(payload, options)?;
        Ok(json!({
            "text": outline.text, "nodes": outline.nodes, "unreached": outline.unreached, "tooDeep": outline.too_deep,
        }))
    }

    fn scan(&mut self, payload: &[u8]) -> Result<Value, Error> {
        let counts = self.compressor.scan(payload)?;
        Ok(json!({"nodes": counts.nodes, "repeats": counts.repeats, "roots": counts.roots}))
    }

    fn compress(&mut self, payload: &[u8]) -> Result<Value, Error> {
        let pressed = self.compressor.compress(payload, &ViewOptions::default())?;
        Ok(json!({
            "view": view_value(&pressed.view), "handle": pressed.handle.to_string(), "blob": hex(pressed.blob),
            "originalBytes": pressed.original_bytes, "uncompressed": pressed.uncompressed,
        }))
    }
}

fn delta_value(delta: &Delta<'_>) -> Value {
    let uids: Vec<_> = delta.uids.iter().copied().map(uid_text).collect();
    let changes: Vec<_> = delta
        .changes
        .iter()
        .map(|change| {
            let kind = format!("{:?}", change.kind).to_lowercase();
            json!({"kind": kind, "before": change.before, "after": change.after, "line": delta.line(change)})
        })
        .collect();
    json!({
        "kind": format!("{:?}", delta.kind).to_lowercase(), "text": delta.text, "uids": uids, "changes": changes,
        "linesBefore": delta.lines_before, "linesAfter": delta.lines_after, "framesLeftOut": delta.frames_left_out,
    })
}

fn view_value(view: &View<'_>) -> Value {
    let uids: Vec<_> = view.uids.iter().copied().map(uid_text).collect();
    let left = view.left_out;
    json!({
        "text": view.text, "uids": uids, "nodes": view.nodes, "framesLeftOut": view.frames_left_out,
        "leftOut": {"controls": left.controls, "characters": left.characters, "lines": left.lines, "matches": left.matches},
    })
}

/// Of a frame: its file, its owner, its number, its payload.
type Described = (String, Uid, u32, Vec<u8>);

/// The frames of a fixture.
fn read_frames(folder: &Path) -> io::Result<Vec<Described>> {
    let Ok(text) = fs::read(folder.join("frames.json")) else { return Ok(Vec::new()) };
    let described: Vec<Value> = serde_json::from_slice(&text)?;
    let number_of = |file: &str| {
        let frame = described.iter().find(|frame| frame["file"] == file);
        frame.and_then(|frame| frame["number"].as_u64()).unwrap_or(0) as u32
    };
    described
        .iter()
        .map(|frame| {
            let file = frame["file"].as_str().unwrap_or_default().to_owned();
            let owner =
                uid(number_of(frame["parent"].as_str().unwrap_or_default()), frame["owner"].as_u64().unwrap_or(0));
            let payload = fs::read(folder.join(&file))?;
            Ok((file.clone(), owner, number_of(&file), payload))
        })
        .collect()
}

const fn uid(frame: u32, node: u64) -> Uid {
    Uid { frame, node }
}

/// As a view prints it.
fn uid_text(uid: Uid) -> String {
    if uid.frame == 0 { uid.node.to_string() } else { format!("{}.{}", uid.frame, uid.node) }
}

fn hex(bytes: &[u8]) -> Value {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    json!({"hex": text})
}
