//! `axpress compress`: the view on stdout, the original in a blob, its handle beside the counts.

use axpress_core::{Compressor, Snapshot};

use crate::arguments::Compress;
use crate::failure::Failure;
use crate::report::{self, Counts, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &Compress) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let page = input::page(&arguments.payload.source, &arguments.options.frames, &limits)?;
    let frames = page.frames();
    let mut compressor = Compressor::with_limits(limits);
    let snapshot = Snapshot { payload: &page.payload, frames: &frames };
    let pressed = compressor.compress(snapshot, &arguments.options.options())?;
    // The blob first: who reads the view's end may count on it.
    if let Some(path) = &arguments.output {
        output::file(path, pressed.blob)?;
    }
    let handle = (!pressed.uncompressed).then_some(pressed.handle);
    let counts = || Counts::of(page.payloads(), pressed.view.text);
    if arguments.json {
        let blob_bytes = arguments.output.as_ref().map(|_| pressed.blob.len());
        return output::json(&ViewReport::new(&pressed.view, handle, counts(), blob_bytes));
    }
    output::text(pressed.view.text)?;
    let view = report::of_view(&pressed.view, counts());
    let blob = format!("blob {} bytes", pressed.blob.len());
    report::note(&match handle {
        Some(handle) => report::joined(&[&handle, &view, &blob]),
        None => report::joined(&[&"uncompressed: the view is no smaller than the payload", &view, &blob]),
    });
    Ok(())
}
