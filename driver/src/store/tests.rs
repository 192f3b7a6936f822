//! What the store promises, on real files and with real processes.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use axpress_core::{Compressor, Handle, HandlePrefix, Uid};
use tempfile::TempDir;

use super::database::Database;
use super::{BUDGET, Entry, Options, Pruned, Store};
use crate::error::Code;

fn entry(original: &[u8]) -> Entry {
    Entry { blob: Compressor::new().pack(original).unwrap().1.to_vec(), ..Entry::default() }
}

/// Bytes that LZ4 can't make smaller.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(|_| next()).collect()
}

fn open(folder: &Path, budget: u64) -> Database {
    Database::open(folder, budget).unwrap()
}

fn get(database: &mut Database, handle: Handle) -> Result<Vec<u8>, Code> {
    let entry = database.get(&handle.into()).map_err(|error| error.code)?;
    Ok(Compressor::new().unpack(&entry.blob).unwrap().to_vec())
}

#[test]
fn an_original_comes_back_by_its_handle_and_by_the_first_digits_of_it() {
    let mut database = Database::in_memory(BUDGET).unwrap();
    let handle = database.put(&[entry(b"hello\n")]).unwrap();
    assert_eq!(handle, Handle::of(b"hello\n"));
    let text = handle.to_string();
    for written in [&text, &text[..12], &text[4..12], &text[4..30]] {
        let prefix: HandlePrefix = written.parse().unwrap();
        assert_eq!(database.get(&prefix).unwrap(), entry(b"hello\n"), "{written}");
    }
    assert_eq!(database.shortest(handle).unwrap().to_string(), text[..12]);
}

#[test]
fn what_is_known_beside_a_blob_is_kept_and_never_forgotten() {
    let mut database = Database::in_memory(BUDGET).unwrap();
    let uid = |frame, node| Uid { frame, node };
    let plain = entry(b"page");
    let secret = Entry { withheld: true, secrets: vec![uid(2, 10), uid(0, 7)], ..plain.clone() };
    let handle = database.put(std::slice::from_ref(&plain)).unwrap();
    database.put(std::slice::from_ref(&secret)).unwrap();
    database.put(&[plain]).unwrap();
    let kept = database.get(&handle.into()).unwrap();
    assert_eq!(kept, Entry { secrets: vec![uid(0, 7), uid(2, 10)], ..secret });
}

#[test]
fn a_miss_says_which_it_is_and_says_so_after_a_restart_too() {
    let home = TempDir::new().unwrap();
    let unknown = Handle::of(b"never");
    let (pruned, unreadable) = {
        let mut database = open(home.path(), BUDGET);
        let pruned = database.put(&[entry(b"pruned")]).unwrap();
        let unreadable = database.put(&[entry(b"unreadable")]).unwrap();
        (pruned, unreadable)
    };
    let mut database = open(home.path(), BUDGET);
    assert_eq!(get(&mut database, unreadable), Ok(b"unreadable".to_vec()));
    assert_eq!(database.prune(0).unwrap().blobs, 1, "what this session was given stays");
    database.connection().execute("UPDATE blobs SET blob = NULL WHERE bytes > 0", []).unwrap();
    for _ in 0..2 {
        let misses = [unknown, pruned, unreadable].map(|handle| get(&mut database, handle).unwrap_err());
        assert_eq!(misses, [Code::UnknownHandle, Code::HandlePruned, Code::HandleUnreadable]);
        drop(database);
        database = open(home.path(), BUDGET);
    }
}

#[test]
fn a_pruned_original_that_is_stored_again_comes_back() {
    let home = TempDir::new().unwrap();
    open(home.path(), BUDGET).put(&[entry(b"page")]).unwrap();
    let mut database = open(home.path(), BUDGET);
    database.prune(0).unwrap();
    let handle = database.put(&[entry(b"page")]).unwrap();
    assert_eq!(get(&mut database, handle), Ok(b"page".to_vec()));
    let statistics = database.statistics().unwrap();
    assert_eq!((statistics.blobs, statistics.pruned, statistics.held), (1, 0, 1));
}

#[test]
fn two_handles_with_the_same_first_digits_are_never_guessed_between() {
    let mut database = Database::in_memory(BUDGET).unwrap();
    let handle = database.put(&[entry(b"hello\n")]).unwrap();
    // A digest that goes on otherwise after 9 digits.
    let mut twin = entry(b"hello\n");
    twin.blob[16 + 4] ^= 0x01;
    let twin = database.put(&[twin]).unwrap();
    let text = handle.to_string();
    let nine: HandlePrefix = text[..13].parse().unwrap();
    assert_eq!(database.get(&nine).unwrap_err().code, Code::AmbiguousHandle);
    let shortest = database.shortest(handle).unwrap();
    assert_eq!(shortest.to_string(), text[..14]);
    assert!(shortest.matches(&handle) && !shortest.matches(&twin));
    database.get(&shortest).unwrap();
}

#[test]
fn a_full_store_prunes_the_oldest_that_no_live_session_was_given() {
    let home = TempDir::new().unwrap();
    let budget = 10 * 1048;
    let page = |seed: u64| entry(&noise(seed, 1000));
    let old: Vec<Handle> = {
        let mut ended = open(home.path(), budget);
        (0..6).map(|seed| ended.put(&[page(seed)]).unwrap()).collect()
    };
    let mut other = open(home.path(), budget);
    let held = other.get(&old[0].into()).map(|_| old[0]).unwrap();
    let mut database = open(home.path(), budget);
    let own: Vec<Handle> = (10..16).map(|seed| database.put(&[page(seed)]).unwrap()).collect();
    let misses: Vec<bool> = old.iter().map(|&handle| get(&mut database, handle) == Err(Code::HandlePruned)).collect();
    assert_eq!(misses, [false, true, true, false, false, false], "the oldest first, and not what another was given");
    assert!(own.iter().all(|&handle| get(&mut database, handle).is_ok()));
    assert!(get(&mut other, held).is_ok());
    assert!(database.statistics().unwrap().bytes <= budget);
}

#[test]
fn a_store_that_is_full_of_what_live_sessions_hold_says_so_and_keeps_it() {
    let mut database = Database::in_memory(5000).unwrap();
    let handles: Vec<Handle> = (0..4).map(|seed| database.put(&[entry(&noise(seed, 1000))]).unwrap()).collect();
    let before = database.statistics().unwrap();
    let error = database.put(&[entry(b"small"), entry(&noise(9, 1000))]).unwrap_err();
    assert_eq!(error.code, Code::StoreFull);
    assert_eq!(database.statistics().unwrap(), before, "all or nothing");
    assert_eq!(get(&mut database, Handle::of(b"small")), Err(Code::UnknownHandle));
    assert!(handles.iter().all(|&handle| get(&mut database, handle).is_ok()));
    assert_eq!(Database::in_memory(100).unwrap().put(&[entry(&noise(1, 200))]).unwrap_err().code, Code::StoreFull);
}

#[test]
fn a_full_disk_is_store_full_and_what_was_stored_stays_readable() {
    let home = TempDir::new().unwrap();
    let mut database = open(home.path(), BUDGET);
    let handle = database.put(&[entry(&noise(1, 50_000))]).unwrap();
    let pages: i64 = database.connection().query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    database.connection().execute_batch(&format!("PRAGMA max_page_count = {}", pages + 2)).unwrap();
    assert_eq!(database.put(&[entry(&noise(2, 50_000))]).unwrap_err().code, Code::StoreFull);
    assert_eq!(get(&mut database, handle), Ok(noise(1, 50_000)));
}

#[cfg(unix)]
#[test]
fn folder_and_files_are_for_their_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let top = TempDir::new().unwrap();
    let home = top.path().join("state");
    let mut database = open(&home, BUDGET);
    database.put(&[entry(b"page")]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&home), mode(&home.join("sessions"))), (0o700, 0o700));
    let mut files = 0;
    for folder in [home.clone(), home.join("sessions")] {
        for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).filter(|path| path.is_file()) {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
            files += 1;
        }
    }
    assert!(files >= 4, "database, log, index and locks: {files}");
}

#[tokio::test]
async fn a_home_that_can_not_be_written_gives_a_store_in_memory_and_says_so() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let options = Options { folder: Some(file.path().join("below")), ..Options::default() };
    let (store, notice) = Store::open(&options).unwrap();
    let notice = notice.expect("it is said");
    assert!(notice.starts_with("the store is in memory") && notice.contains("below"), "{notice}");
    let handle = store.put(vec![entry(b"page")]).await.unwrap();
    assert_eq!(store.get(handle.into()).await.unwrap(), entry(b"page"));
    assert_eq!(store.statistics().await.unwrap().path, None);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_left_alone_and_the_store_is_in_memory() {
    let home = TempDir::new().unwrap();
    fs::write(home.path().join("store.sqlite3"), [b'x'; 4096]).unwrap();
    let options = Options { folder: Some(home.path().to_owned()), ..Options::default() };
    let (store, notice) = Store::open(&options).unwrap();
    assert!(notice.unwrap().contains("not a database"));
    store.put(vec![entry(b"page")]).await.unwrap();
    assert_eq!(fs::read(home.path().join("store.sqlite3")).unwrap(), [b'x'; 4096]);
}

#[test]
fn put_and_get_are_as_quick_with_100000_rows_as_with_none() {
    let home = TempDir::new().unwrap();
    let mut database = open(home.path(), u64::MAX >> 1);
    let round = |database: &mut Database, seeds: std::ops::Range<u64>| {
        let begin = Instant::now();
        for seed in seeds.clone() {
            let handle = database.put(&[entry(&noise(seed, 2000))]).unwrap();
            let prefix = database.shortest(handle).unwrap();
            database.get(&prefix).unwrap();
        }
        begin.elapsed()
    };
    let empty = round(&mut database, 0..200);
    database
        .connection()
        .execute_batch(
            "WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < 100000)
             INSERT INTO blobs (digest, used, bytes, withheld, secrets, blob)
             SELECT randomblob(32), n, 400, 0, '', zeroblob(400) FROM count;
             UPDATE totals SET blobs = blobs + 100000, bytes = bytes + 40000000;",
        )
        .unwrap();
    let full = round(&mut database, 1000..1200);
    assert!(full < 5 * empty + Duration::from_millis(200), "{full:?} with 100,000 rows, {empty:?} with none");
    for sql in [
        "SELECT id FROM blobs WHERE digest BETWEEN x'00' AND x'01' LIMIT 2",
        "SELECT id FROM blobs WHERE digest = x'00'",
        "SELECT id, bytes FROM blobs WHERE bytes > 0 ORDER BY used, id",
    ] {
        let plan: String =
            database.connection().query_row(&format!("EXPLAIN QUERY PLAN {sql}"), [], |row| row.get(3)).unwrap();
        assert!(plan.contains("USING") && plan.contains("INDEX"), "{sql}: {plan}");
    }
    let pruned = database.prune(0).unwrap();
    assert_eq!(pruned, Pruned { blobs: 100_000, bytes: 40_000_000 });
}

#[test]
fn two_sessions_write_one_store_at_the_same_time() {
    let home = TempDir::new().unwrap();
    let writers: Vec<_> = (0..4_u64)
        .map(|writer| {
            let folder = home.path().to_owned();
            thread::spawn(move || {
                let mut database = open(&folder, BUDGET);
                // Some are the same for all of them.
                let page = |page: u64| database.put(&[entry(&noise(page * (1 + writer % 2), 3000))]).unwrap();
                (0..50).map(page).collect::<Vec<Handle>>()
            })
        })
        .collect();
    let handles: Vec<Handle> = writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
    let mut database = open(home.path(), BUDGET);
    assert!(handles.iter().all(|&handle| get(&mut database, handle).is_ok()));
    let statistics = database.statistics().unwrap();
    let (rows, bytes): (u64, u64) = database
        .connection()
        .query_row("SELECT count(*), sum(bytes) FROM blobs", [], |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, i64>(1)?.cast_unsigned()))
        })
        .unwrap();
    assert_eq!((statistics.blobs, statistics.bytes), (rows, bytes), "the totals are those of the rows");
}

/// Not a test of its own: the process that the next test kills. Puts pages and says each handle once it is stored.
#[test]
#[ignore = "run by the test that kills it"]
fn a_process_that_stores_until_it_is_killed() {
    let Some(home) = env::var_os("AXPRESS_TEST_STORE") else { return };
    let seed: u64 = env::var("AXPRESS_TEST_SEED").unwrap().parse().unwrap();
    let mut database = open(Path::new(&home), BUDGET);
    let mut stdout = std::io::stdout();
    for page in 0.. {
        let pages = [entry(&noise(seed << 32 | page, 20_000)), entry(format!("{seed} {page}").as_bytes())];
        let handle = database.put(&pages).unwrap();
        writeln!(stdout, "stored {handle}").unwrap();
        stdout.flush().unwrap();
    }
}

#[test]
fn killed_in_the_middle_of_writing_100_times_it_opens_and_every_handle_resolves() {
    let home = TempDir::new().unwrap();
    let mut given = Vec::new();
    for seed in 0..100_u64 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "store::tests::a_process_that_stores_until_it_is_killed", "--ignored", "--nocapture"])
            .env("AXPRESS_TEST_STORE", home.path())
            .env("AXPRESS_TEST_SEED", seed.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // At another moment each time: after so many pages, and then somewhere in the middle of the next ones.
        let mut seen = 0;
        while seen < seed % 4 + 1 {
            let line = lines.next().expect("the child stores pages").unwrap();
            if let Some(handle) = line.strip_prefix("stored ") {
                given.push(handle.parse::<Handle>().unwrap());
                seen += 1;
            }
        }
        thread::sleep(Duration::from_micros(seed * 37 % 2000));
        child.kill().unwrap();
        child.wait().unwrap();
        let rest = lines.map_while(Result::ok);
        given.extend(rest.filter_map(|line| line.strip_prefix("stored ")?.parse::<Handle>().ok()));
    }
    let mut database = open(home.path(), BUDGET);
    for handle in &given {
        assert!(get(&mut database, *handle).is_ok(), "{handle} was given out and is not there");
    }
    assert!(given.len() >= 250);
    let check: String = database.connection().query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let sessions: i64 = {
        database.statistics().unwrap();
        database.connection().query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap()
    };
    assert_eq!(sessions, 1, "sessions that were killed are forgotten");
}
