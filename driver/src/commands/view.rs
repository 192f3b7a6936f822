//! `axpress view`: the page as an agent reads it.

use axpress_core::{Compressor, Handle, Snapshot};

use crate::arguments::View;
use crate::failure::Failure;
use crate::report::{self, Counts, DeltaReport, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &View) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let page = input::page(&arguments.payload, &arguments.options, &limits)?;
    let frames = page.frames();
    let mut compressor = Compressor::with_limits(limits);
    if let Some(since) = &arguments.since {
        let before = input::original(since, &limits)?;
        return delta(arguments, &mut compressor, &before, &page);
    }
    let snapshot = Snapshot { payload: &page.payload, frames: &frames };
    let view = compressor.view(snapshot, &arguments.options.options())?;
    if arguments.json {
        let handle = (view.text.len() < page.payload.len()).then(|| Handle::of(&page.payload));
        return output::json(&ViewReport::new(&view, handle, Counts::of(page.payloads(), view.text), None));
    }
    output::text(view.text)?;
    report::note(&report::of_view(&view, Counts::of(page.payloads(), view.text)));
    Ok(())
}

/// What changed from `before` to the page.
fn delta(arguments: &View, compressor: &mut Compressor, before: &[u8], page: &input::Page<'_>) -> Result<(), Failure> {
    let frames = page.frames();
    let after = Snapshot { payload: &page.payload, frames: &frames };
    let delta = compressor.delta(before, after, &arguments.options.options())?;
    let counts = Counts::of(page.payloads(), delta.text);
    if arguments.json {
        return output::json(&DeltaReport::new(&delta, Handle::of(&page.payload), counts));
    }
    output::text(delta.text)?;
    let changes = report::counted(delta.changes.len(), "change");
    report::note(&report::joined(&[&counts, &changes, &report::counted(delta.uids.len(), "uid")]));
    Ok(())
}
