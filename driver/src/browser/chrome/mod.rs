//! Chrome as a program: found, started on a pipe, and gone when its owner is.
//!
//! [`mod@find`] finds it, [`mod@profile`] makes its temporary profile and sweeps those that dead owners left, [`mod@launch`] starts it
//! and sees to its end, [`mod@complaint`] makes of what it wrote to stderr why it did not start.

#[cfg(unix)]
mod complaint;
pub(crate) mod find;
#[cfg(unix)]
mod launch;
#[cfg(unix)]
mod profile;

#[cfg(unix)]
pub(crate) use launch::{Launched, Process, launch};
