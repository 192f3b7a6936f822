//! `axpress pack`: the blob of any bytes.

use axpress_core::Compressor;

use crate::arguments::Bytes;
use crate::failure::Failure;
use crate::{input, output, report};

pub(crate) fn run(arguments: &Bytes) -> Result<(), Failure> {
    let limits = arguments.payload.limits();
    let original = input::payload(&arguments.payload, &limits)?;
    let mut compressor = Compressor::with_limits(limits);
    let (handle, blob) = compressor.pack(&original)?;
    output::bytes(blob)?;
    report::note(&report::joined(&[&handle, &format!("{} to {} bytes", original.len(), blob.len())]));
    Ok(())
}
