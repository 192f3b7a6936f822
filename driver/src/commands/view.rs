//! `axpress view`: the page as an agent reads it.

use axpress_core::{Compressor, Handle, Snapshot};

use crate::arguments::View;
use crate::failure::Failure;
use crate::report::{self, Counts, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &View) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let page = input::page(&arguments.payload, &arguments.options, &limits)?;
    let frames = page.frames();
    let mut compressor = Compressor::with_limits(limits);
    let nodes = page.nodes(&mut compressor)?;
    let snapshot = Snapshot { payload: &page.payload, frames: &frames };
    let view = compressor.view(snapshot, &arguments.options.options())?;
    if arguments.json {
        let handle = (view.text.len() < page.payload.len()).then(|| Handle::of(&page.payload));
        return output::json(&ViewReport::new(&view, nodes, handle, Counts::of(page.payloads(), view.text), None));
    }
    output::text(view.text)?;
    report::note(&report::of_view(&view, nodes, Counts::of(page.payloads(), view.text)));
    Ok(())
}
