//! The payloads that are measured.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// A payload and where it came from.
#[derive(Clone, Debug)]
pub struct Payload {
    /// Its file's path below the folder.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The folder with the payloads: `AXPRESS_PAYLOADS`, or the repository's fixtures.
#[must_use]
pub fn folder() -> PathBuf {
    env::var_os("AXPRESS_PAYLOADS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures"), PathBuf::from)
}

/// All payloads below `folder` of at least that many bytes, by name. A file alone is a folder of one.
pub fn load(folder: &Path, least: usize) -> io::Result<Vec<Payload>> {
    let mut payloads = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                pending.push(entry?.path());
            }
        } else if path == folder || path.to_string_lossy().ends_with("ax.json") {
            let bytes = fs::read(&path)?;
            if bytes.len() >= least {
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                payloads.push(Payload { name, bytes });
            }
        }
    }
    payloads.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(payloads)
}
