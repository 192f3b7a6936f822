//! The store of several machines: an object store, by its address.
//!
//! A blob is an object, named by the SHA-256 of its original below the first 8 digits of it, so that a handle's prefix is
//! a listing of one short folder. What must be known beside it stands in an object of its own, and most have none. Names
//! are made of contents: writing twice, from two machines at once, writes the same. Nothing is pruned from here: that is
//! for the bucket's own rules, and what they took away was, as far as can be told, never here.

use std::fmt::Write;
use std::sync::Arc;

use axpress_core::{Handle, HandlePrefix};
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{DynObjectStore, ObjectStoreExt, PutPayload};
use serde::{Deserialize, Serialize};

use super::{Entry, Statistics, ambiguous, digest, no_blob, unknown};
use crate::error::{Code, Error};
use crate::uid;

/// Digits of a folder's name: the fewest that a handle's prefix has.
const FOLDER_DIGITS: usize = 8;
/// What the object beside a blob ends in.
const BESIDE: &str = ".json";

/// An object store.
#[derive(Debug)]
pub(super) struct Fleet {
    objects: Arc<DynObjectStore>,
    folder: Path,
}

/// What must be known beside a blob.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Beside {
    withheld: bool,
    secrets: Vec<String>,
}

impl Fleet {
    /// The store at an address; what opens it, keys and regions, is in the environment, as that store's own tools have it.
    pub(super) fn open(address: &str) -> Result<Self, Error> {
        let refused = |cause: &dyn std::fmt::Display| {
            Error::new(Code::InvalidArguments, format!("{address:?} is no address of an object store: {cause}")).next(
                "give one such as s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or file:///folder",
            )
        };
        let address = url::Url::parse(address).map_err(|cause| refused(&cause))?;
        let environment = std::env::vars().map(|(name, value)| (name.to_ascii_lowercase(), value));
        let (objects, folder) = object_store::parse_url_opts(&address, environment).map_err(|cause| refused(&cause))?;
        Ok(Self { objects: objects.into(), folder })
    }

    pub(super) async fn put(&self, entries: Vec<Entry>) -> Result<Handle, Error> {
        let mut last = None;
        for entry in entries {
            let digest = digest(&entry.blob).ok_or_else(no_blob)?;
            last = Some(Handle::from_sha256(digest));
            let blob = self.place(digest);
            if entry.withheld || !entry.secrets.is_empty() {
                let secrets = entry.secrets.iter().map(uid::text).collect();
                let beside = serde_json::to_vec(&Beside { withheld: entry.withheld, secrets }).unwrap_or_default();
                // First, so that a blob is never there without what keeps it back.
                self.write(&beside_of(&blob), beside).await?;
            }
            self.write(&blob, entry.blob).await?;
        }
        last.ok_or_else(no_blob)
    }

    pub(super) async fn get(&self, handle: HandlePrefix) -> Result<Entry, Error> {
        let mut found = None;
        let text = handle.to_string();
        let folder = text.strip_prefix("ccr_").and_then(|digits| digits.get(..FOLDER_DIGITS)).unwrap_or_default();
        let folder = self.folder.clone().join(folder);
        let mut objects = self.objects.list(Some(&folder));
        while let Some(object) = objects.try_next().await.map_err(|cause| unreadable(&cause))? {
            let name = object.location.filename().unwrap_or_default();
            let Some(Ok(named)) = name.get(..32).map(str::parse::<Handle>) else { continue };
            if name.ends_with(BESIDE) || !handle.matches(&named) {
                continue;
            }
            if found.replace(object.location).is_some() {
                return Err(ambiguous(&handle));
            }
        }
        drop(objects);
        let blob = found.ok_or_else(|| unknown(&handle))?;
        let beside: Beside = match self.read(&beside_of(&blob)).await? {
            Some(beside) => serde_json::from_slice(&beside).map_err(|cause| unreadable(&cause))?,
            None => Beside::default(),
        };
        let bytes = self.read(&blob).await?.ok_or_else(|| unknown(&handle))?;
        let secrets = beside.secrets.iter().filter_map(|secret| uid::parse(secret).ok()).collect();
        Ok(Entry { blob: bytes, withheld: beside.withheld, secrets })
    }

    pub(super) async fn statistics(&self) -> Result<Statistics, Error> {
        let mut statistics = Statistics::default();
        let mut objects = self.objects.list(Some(&self.folder));
        while let Some(object) = objects.try_next().await.map_err(|cause| unreadable(&cause))? {
            if !object.location.as_ref().ends_with(BESIDE) {
                statistics.blobs += 1;
                statistics.bytes += object.size;
            }
        }
        Ok(statistics)
    }

    fn place(&self, digest: &[u8; 32]) -> Path {
        let name = digest.iter().fold(String::new(), |mut name, byte| {
            // Writing to a string does not fail.
            let _ = write!(name, "{byte:02x}");
            name
        });
        self.folder.clone().join(&name[..FOLDER_DIGITS]).join(name.as_str())
    }

    async fn write(&self, place: &Path, bytes: Vec<u8>) -> Result<(), Error> {
        let written = self.objects.put(place, PutPayload::from(bytes)).await;
        written.map(drop).map_err(|cause| Error::new(Code::StoreFull, format!("the store can't be written: {cause}")))
    }

    async fn read(&self, place: &Path) -> Result<Option<Vec<u8>>, Error> {
        let object = match self.objects.get(place).await {
            Ok(object) => object,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(cause) => return Err(unreadable(&cause)),
        };
        object.bytes().await.map(|bytes| Some(bytes.to_vec())).map_err(|cause| unreadable(&cause))
    }
}

fn beside_of(blob: &Path) -> Path {
    Path::from(format!("{blob}{BESIDE}"))
}

fn unreadable(cause: &dyn std::fmt::Display) -> Error {
    Error::new(Code::HandleUnreadable, format!("the store can't be read: {cause}"))
}

#[cfg(test)]
mod tests {
    use axpress_core::{Compressor, Handle, Uid};
    use tempfile::TempDir;

    use crate::error::Code;
    use crate::store::{Entry, Options, Store};

    fn entry(original: &[u8]) -> Entry {
        Entry { blob: Compressor::new().pack(original).unwrap().1.to_vec(), ..Entry::default() }
    }

    fn open(address: &str) -> Result<Store, Code> {
        let options = Options { fleet: Some(address.to_owned()), ..Options::default() };
        Store::open(&options).map(|(store, _)| store).map_err(|error| error.code)
    }

    #[tokio::test]
    async fn two_machines_share_what_one_of_them_stored() {
        let folder = TempDir::new().unwrap();
        let address = format!("file://{}/deep", folder.path().display());
        std::fs::create_dir(folder.path().join("deep")).unwrap();
        let (one, other) = (open(&address).unwrap(), open(&address).unwrap());
        let secret = Entry { withheld: true, secrets: vec![Uid { frame: 2, node: 10 }], ..entry(b"secret") };
        let handle = one.put(vec![entry(b"page"), secret.clone()]).await.unwrap();
        other.put(vec![entry(b"page")]).await.unwrap();
        assert_eq!(other.get(handle.into()).await.unwrap(), secret);
        let page = Handle::of(b"page").to_string();
        assert_eq!(other.get(page[..12].parse().unwrap()).await.unwrap(), entry(b"page"));
        assert_eq!(other.shortest(handle).await.unwrap().to_string(), handle.to_string()[..16]);
        let miss = other.get("ccr_00000000".parse().unwrap()).await.unwrap_err();
        assert_eq!(miss.code, Code::UnknownHandle);
        assert_eq!(one.statistics().await.unwrap().blobs, 2);
        assert!(one.prune(0).await.is_err());
    }

    #[tokio::test]
    async fn an_address_that_is_none_is_refused() {
        for address in ["", "bucket", "ftp://host/folder"] {
            assert_eq!(open(address).err(), Some(Code::InvalidArguments), "{address}");
        }
    }
}
