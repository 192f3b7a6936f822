//! The store: where blobs are kept, so that every handle that was given out gives its original back.
//!
//! Takes and gives blobs as the core makes them, named by the full SHA-256 that stands in their header. Several
//! processes use one store at the same time. It keeps to a budget: what no live session was given goes first, the
//! oldest of it first, and leaves a mark, so that a miss says whether it was never here, was pruned or can't be read. A
//! blob is on its place before its handle is given out; who is killed a moment later has lost nothing.
//!
//! `database` is a database file in the state folder, or one in memory where there is no folder or it can't be
//! written.

mod database;
#[cfg(feature = "fleet")]
mod fleet;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axpress_core::{Handle, HandlePrefix, Uid};
use tokio::task;

use crate::error::{Code, Error};
use database::Database;

/// Most bytes of all blobs, where no other budget is set: 512 MiB.
pub const BUDGET: u64 = 512 << 20;

/// Where blobs are kept, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The state folder; in memory where there is none.
    pub folder: Option<PathBuf>,
    /// An object store for several machines, by its address: `s3://bucket/prefix`, `gs://`, `az://`, `file:///folder`.
    pub fleet: Option<String>,
    /// Most bytes of all blobs.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { folder: None, fleet: None, budget: BUDGET }
    }
}

/// A blob, and what must be known beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// As the core packed it.
    pub blob: Vec<u8>,
    /// Its original holds what a password-like field was given: it is given back to those alone who may see that.
    pub withheld: bool,
    /// The password-like fields of the page when it was read, for views that are made of it later.
    pub secrets: Vec<Uid>,
}

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Statistics {
    /// Blobs.
    pub blobs: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Most bytes that it may hold.
    pub budget: u64,
    /// Blobs that were pruned.
    pub pruned: u64,
    /// Blobs that a live session was given: those are not pruned.
    pub held: u64,
    /// Seconds since the oldest blob was last used; none where there is no blob.
    pub oldest: Option<u64>,
    /// The database; none where it is in memory.
    pub path: Option<PathBuf>,
}

/// What a pruning took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Pruned {
    /// Blobs.
    pub blobs: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A store. Cheap to clone; all clones are one session.
#[derive(Clone, Debug)]
pub struct Store {
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Database(Arc<Mutex<Database>>),
    #[cfg(feature = "fleet")]
    Fleet(Arc<fleet::Fleet>),
}

impl Store {
    /// Opens a store. A folder that can't be used gives one in memory, and a sentence that says so, for stderr.
    ///
    /// Fails with `cave_invalid_arguments` for an address that is no object store's.
    pub fn open(options: &Options) -> Result<(Self, Option<String>), Error> {
        if let Some(address) = &options.fleet {
            return Ok((Self { place: fleet_place(address)? }, None));
        }
        let (database, notice) = match options.folder.as_deref().map(|folder| Database::open(folder, options.budget)) {
            Some(Ok(database)) => (database, None),
            Some(Err(cause)) => {
                let folder = options.folder.as_deref().unwrap_or(Path::new("")).display();
                let notice =
                    format!("the store is in memory, and gone when this ends: {folder} can't be used: {cause}");
                (Database::in_memory(options.budget)?, Some(notice))
            }
            None => (Database::in_memory(options.budget)?, None),
        };
        Ok((Self { place: Place::Database(Arc::new(Mutex::new(database))) }, notice))
    }

    /// A store in memory.
    pub fn in_memory(budget: u64) -> Result<Self, Error> {
        Ok(Self { place: Place::Database(Arc::new(Mutex::new(Database::in_memory(budget)?))) })
    }

    /// Keeps blobs, all of them or none, and gives the handle of the last. When this returns they are on their place.
    ///
    /// Fails with `cave_store_full`, and with `cave_handle_unreadable` for a blob that is none.
    pub async fn put(&self, entries: Vec<Entry>) -> Result<Handle, Error> {
        match &self.place {
            Place::Database(database) => on(database, move |database| database.put(&entries)).await,
            #[cfg(feature = "fleet")]
            Place::Fleet(fleet) => fleet.put(entries).await,
        }
    }

    /// The blob that a handle, or the first digits of one, names.
    ///
    /// Fails with `cave_unknown_handle`, `cave_ambiguous_handle`, `cave_handle_pruned` or `cave_handle_unreadable`.
    pub async fn get(&self, handle: HandlePrefix) -> Result<Entry, Error> {
        match &self.place {
            Place::Database(database) => on(database, move |database| database.get(&handle)).await,
            #[cfg(feature = "fleet")]
            Place::Fleet(fleet) => fleet.get(handle).await,
        }
    }

    /// The fewest digits of a handle, 8 at least, that name it and no other in this store.
    pub async fn shortest(&self, handle: Handle) -> Result<HandlePrefix, Error> {
        match &self.place {
            Place::Database(database) => on(database, move |database| database.shortest(handle)).await,
            // Asking a store for it costs a round trip, and two of its handles share 12 digits once in 10^14 pairs.
            #[cfg(feature = "fleet")]
            Place::Fleet(_) => Ok(prefix(handle, 12)),
        }
    }

    /// What the store holds.
    pub async fn statistics(&self) -> Result<Statistics, Error> {
        match &self.place {
            Place::Database(database) => on(database, Database::statistics).await,
            #[cfg(feature = "fleet")]
            Place::Fleet(fleet) => fleet.statistics().await,
        }
    }

    /// Takes away what no live session was given, the oldest first, until no more than so many bytes are left.
    pub async fn prune(&self, most: u64) -> Result<Pruned, Error> {
        match &self.place {
            Place::Database(database) => on(database, move |database| database.prune(most)).await,
            #[cfg(feature = "fleet")]
            Place::Fleet(_) => Err(Error::new(Code::InvalidArguments, "an object store is pruned by its own rules")
                .next("set a lifecycle rule in the bucket")),
        }
    }
}

/// Works on the database beside the other tasks: a write may wait for another process.
async fn on<T: Send + 'static>(
    database: &Arc<Mutex<Database>>,
    work: impl FnOnce(&mut Database) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let database = Arc::clone(database);
    // A call that panicked left no transaction open: its connection rolled back.
    let work = move || work(&mut database.lock().unwrap_or_else(PoisonError::into_inner));
    task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Error::new(Code::ToolPanicked, "the store panicked")))
}

#[cfg(feature = "fleet")]
fn fleet_place(address: &str) -> Result<Place, Error> {
    Ok(Place::Fleet(Arc::new(fleet::Fleet::open(address)?)))
}

#[cfg(not(feature = "fleet"))]
fn fleet_place(_: &str) -> Result<Place, Error> {
    Err(Error::new(Code::InvalidArguments, "this program was built without object stores")
        .next("build it with `--features fleet`, or leave the address out"))
}

/// The first digits of a handle.
fn prefix(handle: Handle, digits: usize) -> HandlePrefix {
    let text = handle.to_string();
    let digits = text.get(.."ccr_".len() + digits).and_then(|text| text.parse().ok());
    digits.unwrap_or_else(|| handle.into())
}

/// The SHA-256 of a blob's original, as its header has it; none where it is too short for one.
fn digest(blob: &[u8]) -> Option<&[u8; 32]> {
    blob.get(16..)?.first_chunk()
}

fn unknown(handle: &HandlePrefix) -> Error {
    Error::new(Code::UnknownHandle, format!("{handle} was never stored here"))
}

fn ambiguous(handle: &HandlePrefix) -> Error {
    Error::new(Code::AmbiguousHandle, format!("{handle} begins more than one handle"))
}

fn no_blob() -> Error {
    Error::new(Code::HandleUnreadable, "what is to be stored is no blob")
}

/// How long a process waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
