//! What the tools promise, on pages from fixtures.

mod acting;
mod counting;
pub(crate) mod fake;
mod reading;
mod recovering;
