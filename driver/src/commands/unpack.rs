//! `axpress unpack`: the original of a blob, byte for byte, or nothing.

use axpress_core::{Compressor, Handle};

use crate::arguments::Bytes;
use crate::failure::Failure;
use crate::{input, output, report};

pub(crate) fn run(arguments: &Bytes) -> Result<(), Failure> {
    let limits = arguments.payload.limits();
    let blob = input::payload(&arguments.payload, &limits)?;
    let mut compressor = Compressor::with_limits(limits);
    let original = compressor.unpack(&blob).map_err(|error| Failure::of_blob(error, &blob))?;
    output::bytes(original)?;
    let handle = Handle::of(original);
    report::note(&report::joined(&[&handle, &format!("{} to {} bytes", blob.len(), original.len())]));
    Ok(())
}
