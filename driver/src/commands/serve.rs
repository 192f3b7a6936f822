//! `axpress mcp` and `axpress keeper`: the commands that stay.

use std::sync::Arc;

use axpress_driver::mcp;
use axpress_driver::store::Store;
use axpress_driver::tools::Tools;

use crate::arguments::{Keeper, Mcp, StoreArguments};
use crate::failure::Failure;
use crate::report;

pub(crate) fn mcp(arguments: &Mcp) -> Result<(), Failure> {
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

    // Whatever becomes of the terminal that it was started in is no business of it. It may lead a session already.
    let _ = rustix::process::setsid();
    let folder = super::page::folder()?;
    let options = keeper::Options {
        browser: arguments.browser.browser()?,
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
