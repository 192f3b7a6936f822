//! Tests of the scanner: against other parsers, and its fast ways against its plain one.

mod folder;
mod referee;
