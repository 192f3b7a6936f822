//! Locks between processes: a file that one process holds until it drops the lock or ends, in whatever way it ends.

use std::fs::File;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::home;

/// A lock that is held.
#[derive(Debug)]
pub struct Lock {
    /// The system gives the lock back when this is closed.
    _file: File,
}

/// How often a lock that is held by another is tried again.
const PAUSE: Duration = Duration::from_millis(5);

impl Lock {
    /// Takes the lock of this file, which is made where there is none; none where another has it.
    pub fn try_take(path: &Path) -> io::Result<Option<Self>> {
        Ok(take(path)?.map(|file| Self { _file: file }))
    }

    /// Takes the lock of this file, waiting for another that has it. Fails with [`io::ErrorKind::TimedOut`].
    pub fn take(path: &Path, most: Duration) -> io::Result<Self> {
        let begin = Instant::now();
        loop {
            if let Some(lock) = Self::try_take(path)? {
                return Ok(lock);
            }
            if begin.elapsed() >= most {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(PAUSE);
        }
    }
}

#[cfg(unix)]
fn take(path: &Path) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    let file = home::open(path)?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A file that is opened without sharing can be opened by nobody else until it is closed.
#[cfg(windows)]
fn take(path: &Path) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARING_VIOLATION: i32 = 32;
    match File::options().create(true).truncate(false).write(true).share_mode(0).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Duration;

    use super::Lock;

    #[test]
    fn a_lock_is_held_by_one_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = Lock::try_take(&path).unwrap().expect("nobody has it");
        assert!(Lock::try_take(&path).unwrap().is_none());
        let error = Lock::take(&path, Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(held);
        Lock::take(&path, Duration::ZERO).unwrap();
    }
}
