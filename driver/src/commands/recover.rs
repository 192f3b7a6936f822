//! `axpress recover`: an original, byte for byte, from the store.

use axpress_driver::browser::{Browser, Options};
use axpress_driver::store::Store;
use axpress_driver::tools::Tools;
use serde_json::json;

use super::blocking;
use crate::arguments::Recover;
use crate::failure::Failure;
use crate::{output, report};

pub(crate) fn run(arguments: &Recover) -> Result<(), Failure> {
    let (store, notice) = Store::open(&arguments.store.options())?;
    if let Some(notice) = notice {
        report::note(&notice);
    }
    // The tools have a browser, which is never started here.
    let tools = Tools::new(Browser::new(Options::default())?, store, arguments.tools.options());
    let Recover { handle, query, frame, .. } = arguments;
    let (bytes, nodes) = blocking(async {
        match query {
            Some(query) => tools.recover_nodes(*handle, frame.as_deref(), query).await.map(|(b, n)| (b, Some(n))),
            None => tools.recover_all(*handle, frame.as_deref()).await.map(|bytes| (bytes, None)),
        }
    })??;
    if arguments.json {
        let text = String::from_utf8_lossy(&bytes);
        return output::json(&json!({ "text": text, "bytes": bytes.len(), "nodes": nodes }));
    }
    output::bytes(&bytes)?;
    let nodes = nodes.map(|nodes| report::counted(nodes, "node"));
    let size = report::counted(bytes.len(), "byte");
    report::note(&nodes.map_or(size.clone(), |nodes| report::joined(&[&nodes, &size])));
    Ok(())
}
