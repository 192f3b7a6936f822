//! `axpress view`: the page as an agent reads it.

use axpress_core::{Compressor, Handle, Snapshot};
use clap::CommandFactory;
use clap::error::ErrorKind;

use crate::arguments::{Arguments, Source, View};
use crate::failure::Failure;
use crate::report::{self, Counts, DeltaReport, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &View) -> Result<(), Failure> {
    if matches!((&arguments.payload.source, &arguments.since), (Source::Stdin, Some(Source::Stdin))) {
        let twice = "standard input is one payload: pass the other one as a file";
        Arguments::command().error(ErrorKind::ArgumentConflict, twice).exit();
    }
    tokens::prepare();
    let limits = arguments.payload.limits();
    let page = input::page(&arguments.payload.source, &arguments.options.frames, &limits)?;
    let frames = page.frames();
    let mut compressor = Compressor::with_limits(limits);
    if let Some(since) = &arguments.since {
        let before = input::page(since, &arguments.since_frames, &limits)?;
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

/// What changed from one page to the next.
fn delta(
    arguments: &View,
    compressor: &mut Compressor,
    before: &input::Page<'_>,
    after: &input::Page<'_>,
) -> Result<(), Failure> {
    let (frames_before, frames) = (before.frames(), after.frames());
    let old = Snapshot { payload: &before.payload, frames: &frames_before };
    let new = Snapshot { payload: &after.payload, frames: &frames };
    let delta = compressor.delta(old, new, &arguments.options.options())?;
    let counts = Counts::of(after.payloads(), delta.text);
    if arguments.json {
        return output::json(&DeltaReport::new(&delta, Handle::of(&after.payload), counts));
    }
    output::text(delta.text)?;
    report::note(&report::of_delta(&delta, counts));
    Ok(())
}
