//! How a command reaches the keeper, and starts one where there is none.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::time::{Instant, sleep};

use super::{Place, Reply, Request, State, unavailable};
use crate::error::{Code, Error};
use crate::home;
use crate::lock::Lock;
use crate::tools::Answer;

/// How long a keeper may take to listen, and one that was asked to end to be gone.
const PATIENCE: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(10);
/// How much of a keeper's last words is said again.
const LAST_WORDS: usize = 600;

/// A connection for one call.
#[derive(Debug)]
pub struct Connection {
    stream: UnixStream,
    /// Whether this command started the keeper.
    pub started: bool,
}

/// The keeper of a state folder, started where there is none.
pub async fn connect(folder: &Path) -> Result<Connection, Error> {
    let place = Place::new(folder)?;
    if let Some(stream) = reach(&place).await {
        return Ok(Connection { stream, started: false });
    }
    let cause = |cause: io::Error| unavailable(&place.folder, &cause);
    let starting = place.starting();
    let _one_at_a_time = tokio::task::spawn_blocking(move || Lock::take(&starting, 2 * PATIENCE))
        .await
        .map_err(io::Error::other)
        .and_then(|lock| lock)
        .map_err(cause)?;
    if let Some(stream) = reach(&place).await {
        return Ok(Connection { stream, started: false });
    }
    // One that is just ending still has its lock.
    let until = Instant::now() + PATIENCE;
    while Lock::try_take(&place.lock()).map_err(cause)?.is_none() && Instant::now() < until {
        sleep(PAUSE).await;
    }
    let mut child = start(&place).map_err(cause)?;
    loop {
        if let Some(stream) = reach(&place).await {
            return Ok(Connection { stream, started: true });
        }
        let ended = child.try_wait().map_err(cause)?;
        if ended.is_some() || Instant::now() >= until + PATIENCE {
            let said = fs::read_to_string(place.log()).unwrap_or_default();
            let said = said.trim().lines().last().unwrap_or("it said nothing");
            let said: String = said.chars().take(LAST_WORDS).collect();
            return Err(Error::new(Code::BrowserUnavailable, format!("the keeper did not start: {said}")));
        }
        sleep(PAUSE).await;
    }
}

/// What is known of the keeper that runs; none where none does.
pub async fn find(folder: &Path) -> Option<State> {
    let place = Place { folder: folder.canonicalize().ok()? };
    reach(&place).await.and_then(|_| place.state())
}

/// Ends the keeper and its Chrome: false where there was none.
pub async fn close(folder: &Path) -> Result<bool, Error> {
    let Ok(folder) = folder.canonicalize() else { return Ok(false) };
    let place = Place { folder };
    let Some(stream) = reach(&place).await else { return Ok(false) };
    Connection { stream, started: false }.call(&Request::default()).await?;
    let until = Instant::now() + PATIENCE;
    // Its lock is the last thing that it lets go of.
    while Instant::now() < until {
        if Lock::try_take(&place.lock()).is_ok_and(|lock| lock.is_some()) {
            return Ok(true);
        }
        sleep(PAUSE).await;
    }
    Err(Error::new(Code::BrowserUnavailable, "the keeper was asked to end, and has not ended")
        .next("look for the process in keeper.json of the state folder"))
}

impl Connection {
    /// Asks, and waits for the answer.
    pub async fn call(self, request: &Request) -> Result<Answer, Error> {
        let lost = |what: &str| Error::new(Code::BrowserUnavailable, format!("the keeper {what}")).next("run it again");
        let (read, mut write) = self.stream.into_split();
        let mut line = serde_json::to_vec(request).map_err(|_| lost("can't be asked that"))?;
        line.push(b'\n');
        write.write_all(&line).await.map_err(|_| lost("went away"))?;
        let mut line = Vec::new();
        BufReader::new(read).read_until(b'\n', &mut line).await.map_err(|_| lost("went away"))?;
        let reply: Reply = serde_json::from_slice(&line).map_err(|_| lost("ended before it answered"))?;
        Ok(reply.into())
    }
}

/// The keeper that the state file names, if it listens.
async fn reach(place: &Place) -> Option<UnixStream> {
    UnixStream::connect(place.state()?.socket).await.ok()
}

/// Starts a keeper that outlives the command and its terminal.
fn start(place: &Place) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    let log = place.log();
    let _ = fs::remove_file(&log);
    Command::new(env::current_exe()?)
        .arg("keeper")
        .env("AXPRESS_HOME", &place.folder)
        .current_dir(&place.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(home::open(&log)?)
        .process_group(0)
        .spawn()
}
