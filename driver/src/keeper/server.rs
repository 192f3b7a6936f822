//! The keeper itself.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};

use super::{Place, Reply, Request, State, unavailable};
use crate::browser::Browser;
use crate::error::{Code, Error};
use crate::home;
use crate::lock::Lock;
use crate::store::Store;
use crate::tools::{self, Answer, Session, Tools};

/// How a keeper is run.
#[derive(Debug)]
pub struct Options {
    /// The Chrome to keep.
    pub browser: Browser,
    /// Where originals go.
    pub store: Store,
    /// What is decided for all calls; those that want no handles get none.
    pub tools: tools::Options,
    /// How long it waits for the next call.
    pub idle: Duration,
}

/// Most bytes of a request.
const REQUEST_BYTES: u64 = 16 << 20;

struct Keeper {
    browser: Browser,
    with_handles: Tools,
    without_handles: Tools,
    session: Session,
    calls: AtomicUsize,
    /// When the last call ended, in milliseconds since the start.
    last: AtomicU64,
    started: Instant,
    end: Notify,
}

/// Serves commands until it is time to end. Fails where another keeper has the folder.
pub async fn serve(folder: &Path, options: Options) -> Result<(), Error> {
    let place = Place::new(folder)?;
    let cause = |cause: std::io::Error| unavailable(&place.folder, &cause);
    let Some(_lock) = Lock::try_take(&place.lock()).map_err(cause)? else {
        return Err(Error::new(Code::BrowserUnavailable, "another keeper has this state folder")
            .next("use the one that runs, or end it with `axpress close`"));
    };
    let socket = place.socket().map_err(cause)?;
    // Whoever had the lock before is gone, and so is who listened there.
    let _ = fs::remove_file(&socket);
    let listener = listen(&socket).map_err(cause)?;
    let state =
        State { pid: std::process::id(), socket: socket.clone(), version: env!("CARGO_PKG_VERSION").to_owned() };
    let written = serde_json::to_vec(&state).map_err(std::io::Error::from);
    written.and_then(|state| home::write(&place.state_file(), &state)).map_err(cause)?;

    let Options { browser, store, tools, idle } = options;
    let keeper = Arc::new(Keeper {
        with_handles: Tools::new(browser.clone(), store.clone(), tools),
        without_handles: Tools::new(browser.clone(), store, tools::Options { handles: false, ..tools }),
        browser,
        session: Session::default(),
        calls: AtomicUsize::new(0),
        last: AtomicU64::new(0),
        started: Instant::now(),
        end: Notify::new(),
    });
    tokio::select! {
        () = accept(&listener, &keeper) => {}
        () = keeper.end.notified() => {}
        () = keeper.is_over(idle) => {}
        () = asked_to_end() => {}
    }
    // Nobody is let in any more; who comes now starts another keeper as soon as this one's lock is free.
    drop(listener);
    let _ = fs::remove_file(&socket);
    let _ = fs::remove_file(place.state_file());
    if let Some(own) = socket.parent().filter(|parent| *parent != place.folder) {
        let _ = fs::remove_dir(own);
    }
    keeper.browser.close().await;
    Ok(())
}

/// A socket that its owner alone may use: it is made in a folder of mode 0700, and then its own mode is set.
fn listen(socket: &Path) -> std::io::Result<UnixListener> {
    use std::os::unix::fs::PermissionsExt;
    let listener = UnixListener::bind(socket)?;
    fs::set_permissions(socket, fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

async fn accept(listener: &UnixListener, keeper: &Arc<Keeper>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let keeper = Arc::clone(keeper);
                tokio::spawn(async move { keeper.answer(stream).await });
            }
            // Out of files, for example: it gets better or it does not, but not at once.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

impl Keeper {
    async fn answer(self: Arc<Self>, stream: UnixStream) {
        if !stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw()) {
            return;
        }
        self.calls.fetch_add(1, Ordering::SeqCst);
        let ends = self.answer_one(stream).await == Some(true);
        self.last.store(self.started.elapsed().as_millis() as u64, Ordering::SeqCst);
        self.calls.fetch_sub(1, Ordering::SeqCst);
        if ends {
            self.end.notify_one();
        }
    }

    /// Reads one request and answers it; true where it asks for the end.
    async fn answer_one(self: &Arc<Self>, stream: UnixStream) -> Option<bool> {
        let (read, mut write) = stream.into_split();
        let mut read = BufReader::new(read.take(REQUEST_BYTES));
        let mut line = Vec::new();
        read.read_until(b'\n', &mut line).await.ok()?;
        let request: Request = serde_json::from_slice(&line).ok()?;
        let ends = request.tool.is_none();
        let reply = match request.tool {
            None => Reply::from(Answer::default()),
            Some(tool) => {
                let keeper = Arc::clone(self);
                // A task of its own: a panic ends the call and not the keeper.
                let mut call = tokio::spawn(async move {
                    let tools = if request.no_handles { &keeper.without_handles } else { &keeper.with_handles };
                    tools.call(&keeper.session, &tool, &request.arguments).await
                });
                let mut gone = [0];
                let answer = tokio::select! {
                    answer = &mut call => answer,
                    // Whoever asked is gone: nobody waits for this any more.
                    _ = read.read(&mut gone) => {
                        call.abort();
                        return None;
                    }
                };
                Reply::from(match answer {
                    Ok(Some(answer)) => answer,
                    Ok(None) => Answer::error(&Error::new(Code::UnknownTool, "there is no such tool")),
                    Err(_) => Answer::error(&Error::new(Code::ToolPanicked, "the tool panicked")),
                })
            }
        };
        let mut line = serde_json::to_vec(&reply).ok()?;
        line.push(b'\n');
        write.write_all(&line).await.ok()?;
        write.shutdown().await.ok()?;
        Some(ends)
    }

    /// Returns when nobody has asked for so long, or when the Chrome that was started is gone.
    async fn is_over(&self, idle: Duration) {
        let mut ticks = interval(Duration::from_millis(500).min(idle / 2).max(Duration::from_millis(10)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut had_chrome = false;
        loop {
            ticks.tick().await;
            let runs = self.browser.process_id().is_some();
            // While a call is at work it may be starting it again.
            let busy = self.calls.load(Ordering::SeqCst) > 0;
            let last = Duration::from_millis(self.last.load(Ordering::SeqCst));
            if !busy && (had_chrome && !runs || self.started.elapsed().saturating_sub(last) >= idle) {
                return;
            }
            had_chrome |= runs;
        }
    }
}

/// Returns when the system asks the process to end.
async fn asked_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
