//! The fixtures: folders that each show one thing.
//!
//! A folder has a payload `ax.json` and, where its page has frames, `frame-<n>.ax.json`; the texts that are expected
//! of a payload stand beside it. `outline.txt` and `outline.dedup.txt` (for a frame `frame-<n>.outline.txt` and so on)
//! are the oracle's, made by `tools/goldens.py`; nothing else writes them.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A payload of a fixture.
#[derive(Clone, Debug)]
pub struct Fixture {
    /// The folder's name, and for a frame `/frame-<n>`.
    pub name: String,
    /// The folder.
    pub folder: PathBuf,
    /// What the names of files about this payload begin with: nothing, or `frame-<n>.`.
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
