//! `axpress outline`: one line a node.

use std::iter;

use axpress_core::Compressor;

use crate::arguments::Outline;
use crate::failure::Failure;
use crate::report::{self, Counts, OutlineReport};
use crate::{input, output, tokens};

pub(crate) fn run(arguments: &Outline) -> Result<(), Failure> {
    tokens::prepare();
    let limits = arguments.payload.limits();
    let payload = input::payload(&arguments.payload, &limits)?;
    let mut compressor = Compressor::with_limits(limits);
    let outline = compressor.outline(&payload, &arguments.options())?;
    let counts = || Counts::of(iter::once(payload.as_slice()), outline.text);
    if arguments.json {
        return output::json(&OutlineReport::new(&outline, counts()));
    }
    output::text(outline.text)?;
    let nodes = report::counted(outline.nodes, "node");
    let unreached = format!("{} not reached from a root", outline.unreached);
    let too_deep = format!("{} too deep to print", outline.too_deep);
    report::note(&report::joined(&[&counts(), &nodes, &unreached, &too_deep]));
    Ok(())
}
