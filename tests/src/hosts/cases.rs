//! The cases: every operation on every payload of every fixture, with the options that there are, and what is wrong.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use axpress_core::{Compressor, Uid};

use crate::fixtures::{self, Fixture};

/// A case.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// What is done.
    pub operation: &'static str,
    /// What it is done to.
    pub payload: PathBuf,
    /// That many of its first bytes alone.
    pub cut: Option<usize>,
    /// The payload before, for a delta. Both pages have the frames.
    pub before: Option<PathBuf>,
    /// Frames: the owner, the number, the payload.
    pub frames: Vec<(Uid, u32, PathBuf)>,
    /// Options of an outline.
    pub max_chars: usize,
    /// Options of an outline.
    pub dedup_text: bool,
    /// Options of an outline: its secrets.
    pub nodes: Vec<u64>,
    /// Options of a view.
    pub viewport: Vec<Uid>,
    /// Options of a view.
    pub query: Option<String>,
    /// Options of a view.
    pub max_bytes: Option<usize>,
    /// Options of a view.
    pub urls: bool,
    /// Options of a view.
    pub root: Option<Uid>,
    /// Options of a view.
    pub secrets: Vec<Uid>,
    /// Options of a view.
    pub clickable: Vec<Uid>,
}

/// All cases, and the file that lists them.
#[derive(Debug)]
pub struct Cases {
    /// In their order.
    pub cases: Vec<Case>,
    /// The list.
    pub file: PathBuf,
}

impl Case {
    fn of(operation: &'static str, payload: impl Into<PathBuf>) -> Self {
        Self { operation, payload: payload.into(), ..Self::default() }
    }

    /// Its line.
    fn line(&self) -> String {
        let mut line = format!("{}\tpayload={}", self.operation, self.payload.display());
        let mut add = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                // Writing into a string can't fail.
                let _ = write!(line, "\t{key}={value}");
            }
        };
        let uids = |uids: &[Uid]| (!uids.is_empty()).then(|| uids.iter().map(uid).collect::<Vec<_>>().join(","));
        add("cut", self.cut.map(|length| length.to_string()));
        add("before", self.before.as_ref().map(|path| path.display().to_string()));
        for (owner, number, payload) in &self.frames {
            add("frame", Some(format!("{} {number} {}", uid(owner), payload.display())));
        }
        add("max_chars", (self.max_chars > 0).then(|| self.max_chars.to_string()));
        add("dedup_text", self.dedup_text.then(|| "1".to_owned()));
        let nodes = self.nodes.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        add("nodes", (!nodes.is_empty()).then_some(nodes));
        add("query", self.query.clone());
        add("max_bytes", self.max_bytes.map(|most| most.to_string()));
        add("urls", self.urls.then(|| "1".to_owned()));
        add("root", self.root.as_ref().map(uid));
        add("viewport", uids(&self.viewport));
        add("secrets", uids(&self.secrets));
        add("clickable", uids(&self.clickable));
        line
    }
}

fn uid(uid: &Uid) -> String {
    format!("{}.{}", uid.frame, uid.node)
}

impl Cases {
    /// Makes the cases; what they need besides the fixtures, and their list, is written into `folder`.
    ///
    /// # Panics
    /// Where the fixtures can't be read or the folder can't be written.
    #[must_use]
    pub fn write(folder: &Path) -> Self {
        fs::create_dir_all(folder).expect("the folder can be made");
        let mut cases = Vec::new();
        for (number, fixture) in fixtures::all().iter().enumerate() {
            of_payload(fixture, number, folder, &mut cases);
            if fixture.prefix.is_empty() {
                of_page(fixture, &mut cases);
            }
        }
        of_wrong_bytes(folder, &mut cases);
        let list: String = cases.iter().map(|case| case.line() + "\n").collect();
        let file = folder.join("cases");
        fs::write(&file, list).expect("the list can be written");
        Self { cases, file }
    }
}

/// What is done with each payload by itself.
fn of_payload(fixture: &Fixture, number: usize, folder: &Path, cases: &mut Vec<Case>) {
    let path = fs::canonicalize(fixture.path("ax.json")).expect("a payload has a path");
    let case = |operation| Case::of(operation, &path);
    let mut compressor = Compressor::new();
    let outline = |max_chars, dedup_text| Case { max_chars, dedup_text, ..case("outline") };
    cases.extend([case("scan"), case("view"), case("compress"), case("pack")]);
    cases.extend([outline(0, false), outline(0, true), outline(40, true)]);
    for cut in [0, 1, fixture.payload.len() / 2, fixture.payload.len() - 1] {
        cases.push(Case { cut: Some(cut), ..outline(0, false) });
        cases.push(Case { cut: Some(cut), ..case("compress") });
    }
    let uids = compressor.view(&fixture.payload, &axpress_core::ViewOptions::default()).map(|view| view.uids.to_vec());
    let uids = uids.unwrap_or_default();
    let root = uids.get(uids.len() / 2).copied();
    let viewport = uids.iter().rev().take(20).copied().collect();
    let secrets: Vec<_> = uids.iter().step_by(3).take(40).copied().collect();
    cases.push(Case { nodes: secrets.iter().map(|uid| uid.node).collect(), ..outline(0, false) });
    cases.push(Case { max_bytes: Some(600), viewport, ..case("compress") });
    cases.push(Case { query: Some("button search Überblick".to_owned()), ..case("nodes") });
    let clickable = uids.iter().map(|uid| Uid { node: uid.node + 1, ..*uid }).take(40).collect();
    cases.push(Case { urls: true, root, ..case("view") });
    cases.push(Case { urls: true, secrets, clickable, ..case("compress") });
    cases.push(Case { root: Some(Uid { frame: 9, node: 1 << 40 }), ..case("view") });
    cases.push(Case { query: Some("button search Überblick".to_owned()), ..case("view") });
    cases.push(Case { max_bytes: Some(400), ..case("view") });
    cases.push(Case { max_bytes: Some(199), ..case("view") });

    let blob = compressor.pack(&fixture.payload).expect("a fixture can be packed").1.to_vec();
    let file = folder.join(format!("{number}.blob"));
    fs::write(&file, &blob).expect("a blob can be written");
    cases.extend([0, 1, 47, 48, blob.len() - 1].map(|cut| Case { cut: Some(cut), ..Case::of("unpack", &file) }));
    cases.push(Case::of("unpack", &file));
    let mut changed = blob;
    *changed.last_mut().expect("a blob has a header") ^= 1;
    let file = folder.join(format!("{number}.changed.blob"));
    fs::write(&file, changed).expect("a blob can be written");
    cases.push(Case::of("unpack", &file));
    cases.push(Case::of("unpack", &path));
}

/// What is done with a page: its frames with it, and what its case names as secret.
fn of_page(fixture: &Fixture, cases: &mut Vec<Case>) {
    let folder = fs::canonicalize(&fixture.folder).expect("a fixture has a path");
    let path = folder.join("ax.json");
    let frames = frames_of(fixture, &folder);
    if !frames.is_empty() {
        cases.push(Case { frames: frames.clone(), ..Case::of("view", &path) });
        cases.push(Case { frames: frames.clone(), ..Case::of("compress", &path) });
        let lost = frames
            .iter()
            .map(|(owner, number, file)| (Uid { node: owner.node + 1000, ..*owner }, *number, file.clone()));
        cases.push(Case { frames: lost.collect(), ..Case::of("view", &path) });
        let wrong = frames.iter().map(|(owner, number, _)| (*owner, *number, folder.join("case.toml")));
        cases.push(Case { frames: wrong.collect(), ..Case::of("compress", &path) });
    }
    let before = Some(path.clone());
    if folder.join("after.ax.json").exists() {
        let after = Case { before: before.clone(), ..Case::of("delta", folder.join("after.ax.json")) };
        cases.push(Case { urls: true, ..after.clone() });
        cases.push(Case { max_bytes: Some(300), ..after.clone() });
        cases.push(Case { cut: Some(100), ..after.clone() });
        cases.push(after);
    }
    let frames_of_both = frames_of(fixture, &folder);
    cases.push(Case { before, frames: frames_of_both, ..Case::of("delta", &path) });
    let case = fixture.read("case.toml").expect("the case can be read").unwrap_or_default();
    let secrets = case.lines().find_map(|line| line.strip_prefix("secrets = [")?.strip_suffix(']'));
    if let Some(secrets) = secrets {
        let node = |id: &str| Uid { frame: 0, node: id.trim().parse().expect("a secret is a number") };
        cases.push(Case { secrets: secrets.split(',').map(node).collect(), ..Case::of("compress", &path) });
    }
}

/// The frames of a fixture, as its `frames.json` has them; none where there is none.
fn frames_of(fixture: &Fixture, folder: &Path) -> Vec<(Uid, u32, PathBuf)> {
    let Some(json) = fixture.read("frames.json").expect("the frames can be read") else { return Vec::new() };
    let list: serde_json::Value = serde_json::from_str(&json).expect("frames.json is JSON");
    let list = list.as_array().expect("frames.json is a list");
    let number = |frame: &serde_json::Value| frame["number"].as_u64().map_or(0, |number| number as u32);
    let of_parent = |parent: &serde_json::Value| list.iter().find(|frame| frame["file"] == *parent).map_or(0, number);
    let frame = |frame: &serde_json::Value| {
        let owner = frame["owner"].as_u64().expect("a frame has an owner");
        let owner = Uid { frame: of_parent(&frame["parent"]), node: owner };
        (owner, number(frame), folder.join(frame["file"].as_str().expect("a frame has a file")))
    };
    list.iter().map(frame).collect()
}

/// Bytes that are no payload at all.
fn of_wrong_bytes(folder: &Path, cases: &mut Vec<Case>) {
    let wrong: [&[u8]; 10] = [
        b"\0",
        b"{\"nodes\":[]}\0",
        b"[{\"nodeId\":\"\xff\"}]",
        b"\xff\xfe[\0]\0",
        b"{\"id\":1,\"result\":{\"nodes\":[]}}",
        b"[{\"nodeId\":1}]",
        b"nodes",
        b"\xef\xbb\xbf[]",
        b"[{\"nodeId\":\"1\",\"name\":{\"value\":\"\\ud83d\"},\"role\":{\"value\":\"button\"},\"backendDOMNodeId\":3}]",
        b"AXPB\x02\0\0\0",
    ];
    for (number, bytes) in wrong.iter().enumerate() {
        let file = folder.join(format!("{number}.wrong"));
        fs::write(&file, bytes).expect("a file can be written");
        cases.extend(["scan", "outline", "view", "compress", "pack", "unpack"].map(|what| Case::of(what, &file)));
    }
}
