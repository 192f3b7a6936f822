//! What the tests that look at the workspace from outside have in common.

pub mod allocations;
pub mod changes;
pub mod fixtures;
pub mod generate;
pub mod operations;
pub mod oracle;
pub mod partial;
