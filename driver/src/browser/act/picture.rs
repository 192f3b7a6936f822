//! Pictures of a page, or of a node in it.

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::halt::{Halt, impossible};
use super::node::Node;
use crate::browser::Screenshot;
use crate::browser::page::Page;
use crate::error::{Code, Error};

#[derive(Deserialize)]
struct Picture {
    data: String,
}

/// A part of a page, in CSS pixels of its document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clip {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Node<'_> {
    /// Where the node is, brought into view.
    pub(super) async fn clip(&self) -> Result<Clip, Halt> {
        self.bring_into_view().await?;
        self.on_page().await?.ok_or_else(|| impossible(format!("{} is not visible: it has no box", self.label())))
    }
}

/// Takes a picture of the viewport, or of a part of the page.
pub(super) async fn take(page: &Page<'_>, clip: Option<Clip>, deadline: Instant) -> Result<Screenshot, Error> {
    let mut params = json!({"format": "png"});
    if let Some(Clip { x, y, width, height }) = clip {
        params["clip"] = json!({"x": x, "y": y, "width": width, "height": height, "scale": 1});
        params["captureBeyondViewport"] = Value::Bool(true);
    }
    let taken: Result<Picture, _> = page.ask("Page.captureScreenshot", params, deadline).await;
    let Picture { data } = taken.map_err(|trouble| trouble.error(Code::ActionFailed, "taking the picture"))?;
    Ok(Screenshot { base64: data })
}
