//! What the tools promise, on pages from fixtures.

mod acting;
pub(crate) mod fake;
mod reading;
mod recovering;
