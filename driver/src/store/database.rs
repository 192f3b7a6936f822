//! The database of blobs: `SQLite` with a write-ahead log, a session for each process that has it open.
//!
//! Every change is one transaction, so that a killed process leaves it done or not begun. With `synchronous = NORMAL` a
//! commit is safe from the process's end, not from the machine's: that ends the agents, too, whose handles they were.
//!
//! A session is live as long as its process holds the lock of its file. Which blobs it was given is a table beside the
//! blobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use axpress_core::{Handle, HandlePrefix, Uid};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior, params};

use super::{Entry, PATIENCE, Pruned, Statistics, ambiguous, digest, no_blob, prefix, unknown};
use crate::error::{Code, Error};
use crate::home;
use crate::lock::Lock;
use crate::uid;

/// A pruned blob keeps its row, with 0 bytes. `totals` has what counting all rows would give.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS blobs (
        id INTEGER PRIMARY KEY,
        digest BLOB NOT NULL UNIQUE,
        used INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        withheld INTEGER NOT NULL,
        secrets TEXT NOT NULL,
        blob BLOB
    );
    CREATE INDEX IF NOT EXISTS ages ON blobs (used, id) WHERE bytes > 0;
    CREATE TABLE IF NOT EXISTS sessions (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE TABLE IF NOT EXISTS given (
        blob INTEGER NOT NULL,
        session INTEGER NOT NULL,
        PRIMARY KEY (blob, session)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS givings ON given (session);
    CREATE TABLE IF NOT EXISTS totals (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        blobs INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        pruned INTEGER NOT NULL
    );
    INSERT OR IGNORE INTO totals VALUES (1, 0, 0, 0);
";

/// The tables' version. A later one is not touched.
const VERSION: i64 = 1;

/// An open database.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    budget: u64,
    session: i64,
    /// Where it is; none where it is in memory.
    place: Option<Folder>,
}

#[derive(Debug)]
struct Folder {
    path: PathBuf,
    sessions: PathBuf,
    /// Held for as long as the session lives.
    _session: Lock,
}

impl Database {
    /// Opens the database of a state folder, and makes what is not there. The error is for people: the cause alone.
    pub(super) fn open(folder: &Path, budget: u64) -> Result<Self, String> {
        let path = folder.join("store.sqlite3");
        let sessions = folder.join("sessions");
        home::make(&sessions).map_err(|error| error.to_string())?;
        // One at a time: two that change a new file to a write-ahead log at once would not wait for each other.
        let _opening = Lock::take(&folder.join("store.lock"), PATIENCE).map_err(|error| error.to_string())?;
        // The log and its index get the mode of the file.
        home::open(&path).map_err(|error| error.to_string())?;
        let cause = |error: rusqlite::Error| error.to_string();
        let mut connection = Connection::open(&path).map_err(cause)?;
        connection.busy_timeout(PATIENCE).map_err(cause)?;
        let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(cause)?;
        if version > VERSION {
            return Err(format!("it is of a later version, {version}"));
        }
        connection
            .execute_batch(
                "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
                 PRAGMA temp_store = MEMORY;",
            )
            .map_err(cause)?;
        let work = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(cause)?;
        work.execute_batch(TABLES).map_err(cause)?;
        work.pragma_update(None, "user_version", VERSION).map_err(cause)?;
        work.execute("INSERT INTO sessions DEFAULT VALUES", []).map_err(cause)?;
        let session = work.last_insert_rowid();
        let lock = Lock::try_take(&session_file(&sessions, session)).map_err(|error| error.to_string())?;
        let lock = lock.ok_or("a session's lock is held by another")?;
        work.commit().map_err(cause)?;
        Ok(Self { connection, budget, session, place: Some(Folder { path, sessions, _session: lock }) })
    }

    /// A database that is gone when it is dropped.
    pub(super) fn in_memory(budget: u64) -> Result<Self, Error> {
        let connection = Connection::open_in_memory().map_err(|error| unreadable(&error))?;
        connection.execute_batch(TABLES).map_err(|error| unreadable(&error))?;
        connection.execute("INSERT INTO sessions DEFAULT VALUES", []).map_err(|error| unreadable(&error))?;
        let session = connection.last_insert_rowid();
        Ok(Self { connection, budget, session, place: None })
    }

    /// Keeps blobs, all or none; the handle of the last.
    pub(super) fn put(&mut self, entries: &[Entry]) -> Result<Handle, Error> {
        let Self { connection, budget, session, place } = self;
        let digests = entries.iter().map(|entry| digest(&entry.blob).ok_or_else(no_blob));
        let digests: Vec<&[u8; 32]> = digests.collect::<Result<_, _>>()?;
        let last = Handle::from_sha256(digests.last().ok_or_else(no_blob)?);
        let write = |error: rusqlite::Error| not_written(&error);
        let work = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(write)?;
        for (entry, digest) in entries.iter().zip(digests) {
            put_one(&work, entry, digest, *session).map_err(write)?;
        }
        // What was just given is held by this session, so making room can't take it.
        let total = total_bytes(&work).map_err(write)?;
        if total > *budget {
            let ended = forget_ended(&work, *session, place.as_ref()).map_err(write)?;
            make_room(&work, total - *budget).map_err(write)?.ok_or_else(|| full(*budget))?;
            work.commit().map_err(write)?;
            ended.into_iter().for_each(remove);
        } else {
            work.commit().map_err(write)?;
        }
        Ok(last)
    }

    /// The blob of a handle, which counts as given.
    pub(super) fn get(&mut self, handle: &HandlePrefix) -> Result<Entry, Error> {
        let (first, last) = bounds(handle);
        let read = |error: rusqlite::Error| unreadable(&error);
        let found = {
            let sql = "SELECT id, bytes, withheld, secrets FROM blobs WHERE digest BETWEEN ?1 AND ?2 LIMIT 2";
            let mut query = self.connection.prepare_cached(sql).map_err(read)?;
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            let rows = query.query_map(params![first, last], row).map_err(read)?;
            rows.collect::<Result<Vec<(i64, i64, bool, String)>, _>>().map_err(read)?
        };
        let (id, bytes, withheld, secrets) = match found.as_slice() {
            [] => return Err(unknown(handle)),
            [found] => found,
            _ => return Err(ambiguous(handle)),
        };
        if *bytes == 0 {
            return Err(Error::new(Code::HandlePruned, format!("{handle} was pruned to make room")));
        }
        let sql = "SELECT blob FROM blobs WHERE id = ?1 AND blob IS NOT NULL";
        let blob = self.connection.query_row(sql, [id], |row| row.get(0)).optional().map_err(read)?;
        let blob = blob.ok_or_else(|| unreadable(&"the blob is missing"))?;
        // Reading works where the disk is full; then the blob is not held.
        let _ = self.hold(*id);
        Ok(Entry { blob, withheld: *withheld, secrets: uids(secrets) })
    }

    fn hold(&mut self, id: i64) -> rusqlite::Result<()> {
        let work = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        give(&work, id, self.session)?;
        work.commit()
    }

    /// The fewest digits that name a handle.
    pub(super) fn shortest(&mut self, handle: Handle) -> Result<HandlePrefix, Error> {
        let read = |error: rusqlite::Error| unreadable(&error);
        let sql = "SELECT count(*) FROM (SELECT 1 FROM blobs WHERE digest BETWEEN ?1 AND ?2 LIMIT 2)";
        let mut query = self.connection.prepare_cached(sql).map_err(read)?;
        for digits in [8, 10, 12, 16, 24] {
            let prefix = prefix(handle, digits);
            let (first, last) = bounds(&prefix);
            if query.query_row(params![first, last], |row| row.get::<_, i64>(0)).map_err(read)? < 2 {
                return Ok(prefix);
            }
        }
        Ok(handle.into())
    }

    pub(super) fn statistics(&mut self) -> Result<Statistics, Error> {
        let Self { connection, budget, session, place } = self;
        let read = |error: rusqlite::Error| unreadable(&error);
        let work = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(read)?;
        let ended = forget_ended(&work, *session, place.as_ref()).map_err(read)?;
        let number = |sql: &str| work.query_row(sql, [], |row| row.get::<_, Option<i64>>(0)).map_err(read);
        let count = |sql: &str| Ok(number(sql)?.and_then(|count| count.try_into().ok()).unwrap_or(0));
        let oldest = number("SELECT min(used) FROM blobs WHERE bytes > 0")?;
        let statistics = Statistics {
            blobs: count("SELECT blobs FROM totals")?,
            bytes: count("SELECT bytes FROM totals")?,
            budget: *budget,
            pruned: count("SELECT pruned FROM totals")?,
            held: count("SELECT count(DISTINCT blob) FROM given")?,
            oldest: oldest.map(|used| u64::try_from((now() - used) / 1000).unwrap_or(0)),
            path: place.as_ref().map(|place| place.path.clone()),
        };
        work.commit().map_err(read)?;
        ended.into_iter().for_each(remove);
        Ok(statistics)
    }

    /// Takes away what nobody holds, until no more than `most` bytes are left.
    pub(super) fn prune(&mut self, most: u64) -> Result<Pruned, Error> {
        let Self { connection, session, place, .. } = self;
        let write = |error: rusqlite::Error| not_written(&error);
        let work = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(write)?;
        let ended = forget_ended(&work, *session, place.as_ref()).map_err(write)?;
        let over = total_bytes(&work).map_err(write)?.saturating_sub(most);
        let victims = victims(&work, over).map_err(write)?;
        let pruned = take_away(&work, &victims).map_err(write)?;
        work.commit().map_err(write)?;
        ended.into_iter().for_each(remove);
        // The pages go back to the disk. One that is busy does that the next time.
        let _ = connection.execute_batch("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);");
        Ok(pruned)
    }

    #[cfg(test)]
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }
}

/// A session that ends by itself says so; one that is killed is found to be gone by its lock.
impl Drop for Database {
    fn drop(&mut self) {
        let Some(place) = &self.place else { return };
        let ended = self
            .connection
            .execute("DELETE FROM given WHERE session = ?1", [self.session])
            .and_then(|_| self.connection.execute("DELETE FROM sessions WHERE id = ?1", [self.session]));
        if ended.is_ok() {
            remove(session_file(&place.sessions, self.session));
        }
    }
}

fn put_one(work: &Transaction<'_>, entry: &Entry, digest: &[u8; 32], session: i64) -> rusqlite::Result<()> {
    let found = work
        .prepare_cached("SELECT id, bytes, secrets FROM blobs WHERE digest = ?1")?
        .query_row([digest.as_slice()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
        })
        .optional()?;
    let bytes = i64::try_from(entry.blob.len()).unwrap_or(i64::MAX);
    let mut secrets = entry.secrets.clone();
    let id = if let Some((id, before, known)) = &found {
        // A field that was ever secret in these bytes stays so.
        secrets.extend(uids(known));
        work.prepare_cached("UPDATE blobs SET used = ?2, withheld = withheld | ?3, secrets = ?4 WHERE id = ?1")?
            .execute(params![id, now(), entry.withheld, listed(secrets)])?;
        if *before == 0 {
            work.prepare_cached("UPDATE blobs SET bytes = ?2, blob = ?3 WHERE id = ?1")?
                .execute(params![id, bytes, entry.blob])?;
            change_totals(work, 1, bytes, -1)?;
        }
        *id
    } else {
        work.prepare_cached(
            "INSERT INTO blobs (digest, used, bytes, withheld, secrets, blob) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![digest.as_slice(), now(), bytes, entry.withheld, listed(secrets), entry.blob])?;
        change_totals(work, 1, bytes, 0)?;
        work.last_insert_rowid()
    };
    give(work, id, session)
}

fn give(work: &Transaction<'_>, id: i64, session: i64) -> rusqlite::Result<()> {
    work.prepare_cached("INSERT OR IGNORE INTO given VALUES (?1, ?2)")?.execute(params![id, session]).map(|_| ())
}

fn change_totals(work: &Transaction<'_>, blobs: i64, bytes: i64, pruned: i64) -> rusqlite::Result<()> {
    work.prepare_cached("UPDATE totals SET blobs = blobs + ?1, bytes = bytes + ?2, pruned = pruned + ?3")?
        .execute(params![blobs, bytes, pruned])
        .map(|_| ())
}

fn total_bytes(work: &Transaction<'_>) -> rusqlite::Result<u64> {
    let bytes: i64 = work.prepare_cached("SELECT bytes FROM totals")?.query_row([], |row| row.get(0))?;
    Ok(bytes.try_into().unwrap_or(0))
}

/// Forgets what sessions were given whose process is gone. Their files are for the caller to remove, once it is
/// committed.
fn forget_ended(work: &Transaction<'_>, own: i64, place: Option<&Folder>) -> rusqlite::Result<Vec<PathBuf>> {
    let Some(place) = place else { return Ok(Vec::new()) };
    let mut query = work.prepare_cached("SELECT id FROM sessions WHERE id <> ?1")?;
    let others = query.query_map([own], |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    let mut ended = Vec::new();
    for session in others {
        let file = session_file(&place.sessions, session);
        // A file that can't be asked may be a live session's.
        if Lock::try_take(&file).is_ok_and(|lock| lock.is_some()) {
            work.execute("DELETE FROM given WHERE session = ?1", [session])?;
            work.execute("DELETE FROM sessions WHERE id = ?1", [session])?;
            ended.push(file);
        }
    }
    Ok(ended)
}

/// Takes away at least `over` bytes; none where that can't be done.
fn make_room(work: &Transaction<'_>, over: u64) -> rusqlite::Result<Option<()>> {
    let victims = victims(work, over)?;
    if victims.iter().map(|&(_, bytes)| bytes.cast_unsigned()).sum::<u64>() < over {
        return Ok(None);
    }
    take_away(work, &victims).map(|_| Some(()))
}

/// The oldest blobs that no session was given, as many as hold `over` bytes, or all.
fn victims(work: &Transaction<'_>, over: u64) -> rusqlite::Result<Vec<(i64, i64)>> {
    let mut query = work.prepare_cached(
        "SELECT id, bytes FROM blobs WHERE bytes > 0 AND NOT EXISTS (SELECT 1 FROM given WHERE given.blob = blobs.id)
         ORDER BY used, id",
    )?;
    let mut rows = query.query([])?;
    let (mut victims, mut bytes) = (Vec::new(), 0);
    while bytes < over
        && let Some(row) = rows.next()?
    {
        let victim: (i64, i64) = (row.get(0)?, row.get(1)?);
        bytes += victim.1.cast_unsigned();
        victims.push(victim);
    }
    Ok(victims)
}

fn take_away(work: &Transaction<'_>, victims: &[(i64, i64)]) -> rusqlite::Result<Pruned> {
    let mut query = work.prepare_cached("UPDATE blobs SET bytes = 0, blob = NULL WHERE id = ?1")?;
    let mut pruned = Pruned::default();
    for (id, bytes) in victims {
        query.execute([id])?;
        change_totals(work, -1, -bytes, 1)?;
        pruned.blobs += 1;
        pruned.bytes += bytes.cast_unsigned();
    }
    Ok(pruned)
}

fn session_file(sessions: &Path, session: i64) -> PathBuf {
    sessions.join(session.to_string())
}

fn remove(file: PathBuf) {
    // One that stays is taken for an ended session's the next time.
    let _ = fs::remove_file(file);
}

/// The digests between which all lie that begin with a handle's digits.
fn bounds(handle: &HandlePrefix) -> ([u8; 16], [u8; 32]) {
    let (first, last) = handle.bounds();
    let mut end = [0xff; 32];
    end.iter_mut().zip(last.as_bytes()).for_each(|(to, from)| *to = *from);
    // A shorter text of bytes comes before the longer ones that begin with it.
    (*first.as_bytes(), end)
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn listed(mut secrets: Vec<Uid>) -> String {
    secrets.sort_unstable();
    secrets.dedup();
    secrets.iter().map(uid::text).collect::<Vec<_>>().join(" ")
}

fn uids(secrets: &str) -> Vec<Uid> {
    secrets.split_whitespace().filter_map(|secret| uid::parse(secret).ok()).collect()
}

fn full(budget: u64) -> Error {
    let what = format!("the store is full: live sessions were given all that it may hold, {budget} bytes");
    Error::new(Code::StoreFull, what)
}

fn not_written(error: &rusqlite::Error) -> Error {
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Error::new(Code::StoreFull, "the disk that the store is on is full"),
        _ => Error::new(Code::StoreFull, format!("the store can't be written: {error}"))
            .next("run `axpress doctor`, which finds out what is wrong"),
    }
}

fn unreadable(cause: &dyn std::fmt::Display) -> Error {
    Error::new(Code::HandleUnreadable, format!("the store can't be read: {cause}"))
}
