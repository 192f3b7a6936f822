//! `axpress view`: the page as an agent reads it.

use axpress_core::{Compressor, Handle};

use crate::arguments::View;
use crate::failure::Failure;
use crate::report::{self, Counts, DeltaReport, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &View) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let payload = input::payload(&arguments.payload, &limits)?;
    let mut compressor = Compressor::with_limits(limits);
    if let Some(since) = &arguments.since {
        let before = input::original(since, &limits)?;
        return delta(arguments, &mut compressor, &before, &payload);
    }
    let view = compressor.view(&payload, &arguments.options.options())?;
    if arguments.json {
        let handle = (view.text.len() < payload.len()).then(|| Handle::of(&payload));
        return output::json(&ViewReport::new(&view, handle, Counts::of(&payload, view.text), None));
    }
    output::text(view.text)?;
    report::note(&report::joined(&[&Counts::of(&payload, view.text), &report::counted(view.uids.len(), "uid")]));
    Ok(())
}

/// What changed from `before` to `after`.
fn delta(arguments: &View, compressor: &mut Compressor, before: &[u8], after: &[u8]) -> Result<(), Failure> {
    let delta = compressor.delta(before, after, &arguments.options.options())?;
    let counts = Counts::of(after, delta.text);
    if arguments.json {
        return output::json(&DeltaReport::new(&delta, Handle::of(after), counts));
    }
    output::text(delta.text)?;
    let changes = report::counted(delta.changes.len(), "change");
    report::note(&report::joined(&[&counts, &changes, &report::counted(delta.uids.len(), "uid")]));
    Ok(())
}
