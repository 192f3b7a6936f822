//! Accessibility trees, pressed: the bytes of a real `Accessibility.getFullAXTree` result in; an outline, a view for
//! agents and a blob that gives the bytes back out.
//!
//! The way of a payload, and of a reader through this crate: `scan` reads the bytes into a node table, `tree` lays the
//! nodes out in reading order, `outline` and `view` print them, `ccr` packs the original. A [`Compressor`] owns all
//! memory that this takes and lends its results, so that the second call of a size allocates nothing.
//!
//! Pure: no I/O, no clock, no threads, no logging, no host. No input makes it panic or recurse.
#![no_std]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod ccr;
mod compressor;
mod decimal;
mod error;
mod identity;
mod limits;
mod outline;
mod reader;
mod roles;
mod scan;
mod secrets;
mod statistics;
mod table;
mod text;
mod tree;
mod view;

pub use ccr::{Handle, HandlePrefix};
pub use compressor::{Compressed, Compressor};
pub use error::{Error, ErrorKind};
pub use identity::{Identities, Identity};
pub use limits::Limits;
pub use outline::{Outline, OutlineOptions};
pub use statistics::Statistics;
pub use view::{Change, ChangeKind, Delta, DeltaKind, Frame, LeftOut, Snapshot, Uid, View, ViewOptions};

/// The README's Rust, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
