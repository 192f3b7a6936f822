//! What the tests that look at the workspace from outside have in common.

pub mod allocations;
pub mod changes;
pub mod contract;
pub mod fixtures;
pub mod generate;
pub mod hosts;
pub mod operations;
pub mod oracle;
pub mod pages;
pub mod partial;
