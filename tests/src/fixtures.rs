//! The fixtures: folders that each show one thing.
//!
//! `fixtures/README.md` says which files a folder has. Of each payload, those of frames and of the same page after a
//! change too, the outlines are the oracle's, made by `tools/goldens.py`; nothing else writes them.

use std::path::{Path, PathBuf};
use std::{fs, io};

use axpress_core::{Frame, Uid};
use serde_json::Value;

/// A payload of a fixture.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The folder's name, and for a frame `/frame-<n>`.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// What the names of files about this payload begin with: nothing, `frame-<n>.` or `after.`.
    pub prefix: String,
    /// The payload's bytes.
    pub payload: Vec<u8>,
}

impl Fixture {
    /// The path of a file about this payload.
    #[must_use]
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(format!("{}{file}", self.prefix))
    }

    /// What a file about this payload holds, or nothing where there is none.
    pub fn read(&self, file: &str) -> io::Result<Option<String>> {
        match fs::read_to_string(self.path(file)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// What belongs to the page of a fixture beside its payload.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The documents of its frames.
    pub documents: Vec<Document>,
    /// The nodes that a caller names as secret.
    pub secrets: Vec<Uid>,
}

/// The document of a frame.
#[derive(Clone, Debug)]
pub struct Document {
    /// The element that holds the frame.
    pub owner: Uid,
    /// The frame's number, 0 where the page's own process has it.
    pub number: u32,
    /// Its payload.
    pub payload: Vec<u8>,
}

impl Page {
    /// What stands in `frames.json` and `case.toml` of the fixture's folder.
    ///
    /// # Panics
    /// Where one of them can't be read or is of another shape.
    #[must_use]
    pub fn of(fixture: &Fixture) -> Self {
        let case = fixture.read("case.toml").expect("case.toml can be read").unwrap_or_default();
        let secrets = case.lines().find_map(|line| line.strip_prefix("secrets = ")).unwrap_or("[]");
        let secrets: Vec<u64> = serde_json::from_str(secrets).expect("secrets are a list of backend ids");
        let frames = fixture.read("frames.json").expect("frames.json can be read").unwrap_or("[]".to_owned());
        let frames: Vec<Value> = serde_json::from_str(&frames).expect("frames.json is a list");
        let number = |file: &str| {
            let frame = frames.iter().find(|frame| frame["file"] == file);
            frame.and_then(|frame| frame["number"].as_u64()).map_or(0, |number| number as u32)
        };
        let document = |frame: &Value| {
            let [file, parent] = ["file", "parent"].map(|key| frame[key].as_str().expect("a frame names its files"));
            let node = frame["owner"].as_u64().expect("a frame names its owner");
            let payload = fs::read(fixture.folder.join(file)).expect("a frame's payload can be read");
            Document { owner: Uid { frame: number(parent), node }, number: number(file), payload }
        };
        Self {
            documents: frames.iter().map(document).collect(),
            secrets: secrets.into_iter().map(|node| Uid { frame: 0, node }).collect(),
        }
    }

    /// The documents, as a view takes them.
    #[must_use]
    pub fn frames(&self) -> Vec<Frame<'_>> {
        let documents = self.documents.iter();
        documents.map(|of| Frame { owner: of.owner, number: of.number, payload: &of.payload }).collect()
    }
}

/// The folder of the fixtures.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// All payloads of all fixtures, by name.
///
/// # Panics
/// Where the fixtures can't be read, or there are none: a run without fixtures shows nothing.
#[must_use]
pub fn all() -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for path in payloads(&folder()).expect("the fixtures can be read") {
        let folder = path.parent().expect("a payload is in a folder").to_owned();
        let case = folder.file_name().expect("a folder has a name").to_string_lossy().into_owned();
        let file = path.file_name().expect("a payload has a name").to_string_lossy().into_owned();
        let prefix = file.strip_suffix("ax.json").unwrap_or_default().to_owned();
        let name = if prefix.is_empty() { case } else { format!("{case}/{}", prefix.trim_end_matches('.')) };
        let payload = fs::read(&path).expect("a payload can be read");
        fixtures.push(Fixture { name, folder, prefix, payload });
    }
    assert!(!fixtures.is_empty(), "no fixtures under {}", folder().display());
    fixtures
}

/// The payloads below a folder, sorted: files named `ax.json` or `….ax.json`.
pub fn payloads(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else if name == "ax.json" || name.ends_with(".ax.json") {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}
