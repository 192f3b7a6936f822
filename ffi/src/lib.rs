//! The C ABI of axpress: `libaxpress` and `include/axpress.h`.
//!
//! Takes pointers and lengths, gives statuses and lent bytes, and does nothing else: what is parsed, printed and packed
//! is core's doing. Each function checks its pointers and lengths, catches panics and refuses re-entry before a Rust
//! reference to anything is made. The comments of what is exported are the header's text, and so are written for C.
//!
//! The safety argument of every exported function is one and the same: pointers that are not NULL point to what the header
//! says, live and unshared as it says. An `unsafe` block that needs more than that says what.
//!
//! `guard` has what every entry goes through, `failure` the statuses, `live` the checks of a debug build. The other
//! files are one for each noun of the header.
#![allow(non_camel_case_types, reason = "types have the names that they have in C")]
#![allow(clippy::missing_safety_doc, reason = "the comments are the header's, where every function is as unsafe as C")]

mod bytes;
mod compressor;
mod error;
mod failure;
mod guard;
mod handle;
mod lent;
mod limits;
mod live;
mod outline_options;
mod owned;
mod results;
mod snapshot;
mod status;
mod version;
mod view_options;

pub use bytes::axp_bytes;
#[cfg(feature = "forced-panic")]
pub use compressor::axp_compressor_force_panic;
pub use compressor::{
    axp_compressor, axp_compressor_compress, axp_compressor_compress_snapshot, axp_compressor_delta,
    axp_compressor_delta_snapshots, axp_compressor_error, axp_compressor_free, axp_compressor_new,
    axp_compressor_new_with_limits, axp_compressor_nodes, axp_compressor_outline, axp_compressor_pack,
    axp_compressor_scan, axp_compressor_unpack, axp_compressor_view, axp_compressor_view_snapshot,
};
pub use error::axp_error;
pub use handle::{AXP_HANDLE_LENGTH, axp_handle, axp_handle_of, axp_handle_parse};
pub use limits::{
    axp_limits, axp_limits_free, axp_limits_new, axp_limits_set_input_bytes, axp_limits_set_nodes,
    axp_limits_set_output_bytes,
};
pub use outline_options::{
    axp_outline_options, axp_outline_options_free, axp_outline_options_new, axp_outline_options_set_dedup_text,
    axp_outline_options_set_max_chars, axp_outline_options_set_secrets,
};
pub use owned::{axp_owned_bytes, axp_owned_bytes_free, axp_owned_bytes_get, axp_owned_bytes_new};
pub use results::{
    AXP_CHANGE_CAME, AXP_CHANGE_CHANGED, AXP_CHANGE_INDENTED, AXP_CHANGE_MOVED, AXP_CHANGE_WENT, AXP_DELTA_CHANGED,
    AXP_DELTA_REWRITTEN, AXP_DELTA_UNCHANGED, AXP_NO_LINE, axp_change, axp_compressed, axp_delta, axp_nodes,
    axp_outline, axp_packed, axp_range, axp_statistics, axp_uid, axp_view,
};
pub use snapshot::{axp_snapshot, axp_snapshot_add_frame, axp_snapshot_free, axp_snapshot_new};
pub use status::*;
pub use version::{AXP_ABI_VERSION, axp_abi_version, axp_version};
pub use view_options::{
    axp_view_options, axp_view_options_error, axp_view_options_free, axp_view_options_new, axp_view_options_reset,
    axp_view_options_set_clickable, axp_view_options_set_max_bytes, axp_view_options_set_query,
    axp_view_options_set_root, axp_view_options_set_secrets, axp_view_options_set_urls, axp_view_options_set_viewport,
};
