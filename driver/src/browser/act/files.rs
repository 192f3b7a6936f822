//! Uploads: a file field gets its files, also by way of the button that stands for it.
//!
//! Chrome takes any path without a word, those that are none too: so files are looked at here.

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::Done;
use super::halt::{Halt, impossible};
use super::node::Node;
use super::pointer::click;
use super::script;
use super::witness::Witness;

/// How long a file chooser is waited for.
const CHOOSER: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
struct Held {
    names: Vec<String>,
    multiple: bool,
    disabled: bool,
}

/// Gives the field its files.
pub(super) async fn upload(node: &Node<'_>, paths: &[PathBuf]) -> Result<Done, Halt> {
    for path in paths {
        check(path)?;
    }
    if let Some(field) = node.object(script::FILES, json!([])).await? {
        let witness = Witness::of(node, &[]).await?;
        return give(node, &field, paths, witness).await;
    }
    // The page opens the chooser itself, from whatever field it has, or makes, for that.
    let page = node.page;
    page.tabs.with(page.tab, |tab| tab.chooser = None);
    let intercept = json!({"enabled": true});
    page.watch(
        node.deadline,
        node.session.ask::<Value>("Page.setInterceptFileChooserDialog", intercept, node.deadline),
    )
    .await?;
    let clicked = click(node, 1).await;
    let opened =
        page.tabs.until(node.deadline.min(Instant::now() + CHOOSER), |state| state.tabs.get(&page.tab)?.chooser);
    let opened = if clicked.is_ok() { opened.await } else { None };
    node.session.post("Page.setInterceptFileChooserDialog", json!({"enabled": false}));
    let mut done = clicked?;
    let Some(field) = opened else {
        return Err(impossible(format!("{} is no file field, and a click on it opened no file chooser", node.label())));
    };
    let Some(field) = node.in_world(field).await? else {
        return Err(impossible(format!("the file field of {} is in another frame", node.label())));
    };
    let witness = done.witness.take().unwrap_or(Witness::of(node, &[]).await?);
    give(node, &field, paths, witness).await
}

async fn give(node: &Node<'_>, field: &str, paths: &[PathBuf], witness: Witness) -> Result<Done, Halt> {
    let before: Held = node.run(field, script::HELD, json!([])).await?;
    if before.disabled {
        return Err(impossible(format!("{} is disabled", node.label())));
    }
    if paths.len() > 1 && !before.multiple {
        return Err(impossible(format!("{} takes one file", node.label())));
    }
    let params = json!({"objectId": field, "files": paths});
    let given = node.session.ask::<Value>("DOM.setFileInputFiles", params, node.deadline);
    node.page.watch(node.deadline, given).await.map_err(Halt::of_input)?;
    // A page may take the files and empty the field at once.
    let after = node.run::<Held>(field, script::HELD, json!([])).await.map_err(Halt::of_input)?;
    let read_back = match after.names.as_slice() {
        [] => "the page took the file and emptied the field".to_owned(),
        names => names.join(", "),
    };
    Ok(Done { witness: Some(witness), reached: true, changed: true, read_back: Some(read_back), ..Done::default() })
}

/// Fails for what is no file that can be read, or no absolute path.
fn check(path: &PathBuf) -> Result<(), Halt> {
    let refused = |why: &str| Err(impossible(format!("{} {why}", path.display())));
    if !path.is_absolute() {
        return refused("is no absolute path");
    }
    match path.metadata() {
        Err(error) => refused(&format!("can't be read: {error}")),
        Ok(metadata) if !metadata.is_file() => refused("is no file"),
        Ok(_) => File::open(path).map(drop).or_else(|error| refused(&format!("can't be read: {error}"))),
    }
}
