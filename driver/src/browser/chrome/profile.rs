//! Temporary profiles: a folder each, and a lock that lives as long as its owner.
//!
//! The lock is the kernel's, on a file beside the folder: it is let go of when its owner ends, however it ends, so that a
//! folder whose lock can be had is one that nobody needs. It is taken before the folder is made, so that no folder is ever
//! without one.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};

const PREFIX: &str = "axpress-profile-";
const LOCK: &str = ".lock";
/// Chrome's processes may still write for a moment after it has ended.
const PATIENCE: Duration = Duration::from_secs(2);

/// A profile, locked while this lives.
#[derive(Debug)]
pub(crate) struct Profile {
    folder: PathBuf,
    lock_file: PathBuf,
    _lock: File,
}

impl Profile {
    /// Makes a profile in the folder for temporary files, after removing those of dead owners.
    pub(crate) fn create() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        sweep(&parent);
        Self::create_in(&parent)
    }

    fn create_in(parent: &Path) -> io::Result<Self> {
        loop {
            let number = RandomState::new().hash_one(std::process::id());
            let folder = parent.join(format!("{PREFIX}{}-{number:016x}", std::process::id()));
            let lock_file = lock_file(&folder);
            let lock = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&lock_file)?;
            // Someone who sweeps may have been faster: then that file is theirs.
            if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && lock_file.exists() {
                DirBuilder::new().mode(0o700).create(&folder)?;
                return Ok(Self { folder, lock_file, _lock: lock });
            }
        }
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes it. What can't be removed is swept by a later start.
    pub(crate) fn remove(self) {
        if remove(&self.folder, PATIENCE).is_ok() {
            let _ = fs::remove_file(&self.lock_file);
        }
    }
}

fn lock_file(folder: &Path) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(LOCK);
    name.into()
}

/// Removes the profiles of dead owners, as far as they are this user's.
fn sweep(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    let user = rustix::process::geteuid().as_raw();
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let Some(name) = name.to_str() else { continue };
        // A link is not followed.
        let Some(metadata) = entry.metadata().ok().filter(|metadata| metadata.uid() == user) else { continue };
        match name.strip_suffix(LOCK) {
            Some(profile) if is_ours(profile) && metadata.is_file() => sweep_locked(&parent.join(profile), &path),
            // A folder is made after its lock and removed before it: what has none was written by the last of a Chrome
            // that had ended.
            None if is_ours(name) && metadata.is_dir() && !lock_file(&path).exists() => {
                let _ = remove(&path, Duration::ZERO);
            }
            _ => {}
        }
    }
}

fn sweep_locked(folder: &Path, lock_file: &Path) {
    let Ok(lock) = OpenOptions::new().write(true).open(lock_file) else { return };
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() && remove(folder, Duration::ZERO).is_ok() {
        let _ = fs::remove_file(lock_file);
    }
}

/// Whether a name is one that [`Profile::create`] gives.
fn is_ours(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(pid, number)| {
        let digits = |text: &str, radix| text.chars().all(|digit| digit.is_digit(radix));
        !pid.is_empty() && digits(pid, 10) && number.len() == 16 && digits(number, 16)
    })
}

fn remove(folder: &Path, patience: Duration) -> io::Result<()> {
    let end = Instant::now() + patience;
    loop {
        match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(_) if Instant::now() < end => thread::sleep(Duration::from_millis(50)),
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{Profile, lock_file, sweep};

    #[test]
    fn a_profile_of_a_dead_owner_is_swept_and_one_that_is_in_use_is_not() {
        let parent = std::env::temp_dir().join(format!("axpress-sweep-{}", std::process::id()));
        fs::create_dir_all(&parent).expect("a folder");
        let living = Profile::create_in(&parent).expect("a profile");
        let mode = living.folder().metadata().expect("its folder").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        // What an owner leaves that was killed: a folder with files, and a lock file that nobody holds.
        let dead = parent.join("axpress-profile-1-0123456789abcdef");
        fs::create_dir_all(dead.join("Default")).expect("a folder");
        fs::write(dead.join("Default/Cookies"), "x").expect("a file");
        fs::write(lock_file(&dead), "").expect("a file");
        let foreign = parent.join("axpress-profile-of-someone");
        fs::create_dir_all(&foreign).expect("a folder");
        let late = parent.join("axpress-profile-2-0123456789abcdef");
        fs::create_dir_all(&late).expect("a folder");
        sweep(&parent);
        assert!(living.folder().exists() && foreign.exists());
        assert!(!dead.exists() && !lock_file(&dead).exists() && !late.exists());
        let folder = living.folder().to_owned();
        living.remove();
        assert!(!folder.exists() && !lock_file(&folder).exists());
        fs::remove_dir_all(&parent).expect("the folder goes");
    }
}
