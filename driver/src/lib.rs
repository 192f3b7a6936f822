//! The parts of `axpress` that its command line and its servers share: the browser, and what their failures say.
//!
//! For the program alone: the interface follows its needs from one version to the next. Whoever wants views in a program
//! of their own takes `axpress-core`.
#![forbid(unsafe_code)]

pub mod browser;
pub mod error;
pub mod home;
#[cfg(unix)]
pub mod keeper;
pub mod lock;
pub mod mcp;
pub mod store;
pub mod tokens;
pub mod tools;
pub mod uid;

pub use error::{Code, Error};
