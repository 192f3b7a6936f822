//! `axpress view`: the page as an agent reads it.

use axpress_core::{Compressor, Handle};

use crate::arguments::View;
use crate::failure::Failure;
use crate::report::{self, Counts, ViewReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &View) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let payload = input::payload(&arguments.payload, &limits)?;
    let mut compressor = Compressor::with_limits(limits);
    let view = compressor.view(&payload, &arguments.options.options())?;
    if arguments.json {
        let handle = (view.text.len() < payload.len()).then(|| Handle::of(&payload));
        return output::json(&ViewReport::new(&view, handle, Counts::of(&payload, view.text), None));
    }
    output::text(view.text)?;
    report::note(&report::joined(&[&Counts::of(&payload, view.text), &report::counted(view.uids.len(), "uid")]));
    Ok(())
}
