//! `axpress tokens`: how many tokens a text is.

use axpress_driver::tokens;

use crate::arguments::Tokens;
use crate::failure::Failure;
use crate::{input, output};

pub(crate) fn run(arguments: &Tokens) -> Result<(), Failure> {
    tokens::prepare();
    let text = input::text(&arguments.source)?;
    output::bytes(format!("{}\n", tokens::count(&text)).as_bytes())
}
