//! `axpress mcp` and `axpress keeper`: the commands that stay.

use std::sync::Arc;

use axpress_driver::mcp;
use axpress_driver::store::Store;
use axpress_driver::tools::Tools;

use crate::arguments::{Keeper, Mcp, StoreArguments};
use crate::failure::Failure;
use crate::report;

/// What the system's allocator is told with, and from how many bytes on it gives memory back as soon as it is free.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MALLOC_SETTINGS: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "262144"), ("MALLOC_TRIM_THRESHOLD_", "1048576")];

/// Starts this program once more in its own place, with an allocator that gives back what large pages took.
///
/// Payloads are megabytes that come and go between small things that stay. Left to itself the allocator of the GNU system
/// learns to keep such blocks, splits them for small ones, and grows with each page. It can be told otherwise only before
/// the program begins. Where that fails, the program goes on as it is.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn with_steady_memory() {
    use std::os::unix::process::CommandExt;

    if MALLOC_SETTINGS.iter().any(|(name, _)| std::env::var_os(name).is_some()) {
        return;
    }
    let mut arguments = std::env::args_os();
    if let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe()) {
        let _ = std::process::Command::new(program).arg0(name).args(arguments).envs(MALLOC_SETTINGS).exec();
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn with_steady_memory() {}

pub(crate) fn mcp(arguments: &Mcp) -> Result<(), Failure> {
    with_steady_memory();
    let browser = arguments.browser.browser()?;
    let tools = Tools::new(browser.clone(), open(&arguments.store)?, arguments.tools.options());
    let tools = Arc::new(tools);
    let runtime = runtime()?;
    runtime.block_on(async {
        tokio::select! {
            () = mcp::serve(Arc::clone(&tools), tokio::io::stdin(), tokio::io::stdout()) => {}
            () = asked_to_end() => {}
        }
        browser.close().await;
    });
    drop(tools);
    // Standard input may still be read: that ends with the process, and not before.
    runtime.shutdown_background();
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn keeper(_: &Keeper) -> Result<(), Failure> {
    use axpress_driver::{Code, Error};
    let what = "on this system the commands can't share a Chrome";
    Err(Error::new(Code::BrowserUnavailable, what).next("use `axpress mcp`").into())
}

#[cfg(unix)]
pub(crate) fn keeper(arguments: &Keeper) -> Result<(), Failure> {
    use axpress_driver::keeper;
    use std::time::Duration;

    with_steady_memory();
    // Whatever becomes of the terminal that it was started in is no business of it. It may lead a session already.
    let _ = rustix::process::setsid();
    let folder = super::page::folder()?;
    let options = keeper::Options {
        browser: arguments.browser.keepers_browser()?,
        store: open(&arguments.store)?,
        tools: arguments.tools.options(),
        idle: Duration::from_secs(arguments.idle),
    };
    Ok(runtime()?.block_on(keeper::serve(&folder, options))?)
}

fn open(arguments: &StoreArguments) -> Result<Store, Failure> {
    let (store, notice) = Store::open(&arguments.options())?;
    if let Some(notice) = notice {
        report::note(&notice);
    }
    Ok(store)
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    // Each thread that ever pressed a page keeps some of the memory that it took.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let built = builder.worker_threads(2).max_blocking_threads(6).enable_all().build();
    built.map_err(|cause| Failure::Read { name: "the system's events".to_owned(), cause })
}

/// Returns when the system asks the process to end.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
