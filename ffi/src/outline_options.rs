//! How an outline is made, as an object.

use axpress_core::OutlineOptions;

use crate::guard::{self, Guarded, object};
use crate::status::axp_status;

/// How an outline is made. It may be used for any number of calls, of any compressors.
#[derive(Debug)]
pub struct axp_outline_options {
    guarded: Guarded<OutlineOptions>,
}
object!(axp_outline_options, OutlineOptions);

/// Makes options for outlines: all of the text, nothing dropped.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any. Lifetime: until `axp_outline_options_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_new(options: *mut *mut axp_outline_options) -> axp_status {
    guard::entry(|| unsafe { guard::create(options, OutlineOptions::default()) })
}

/// Frees options for outlines.
///
/// NULL: does nothing. Threads: any, while no other call uses them. Lifetime: `options` may not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_free(options: *mut axp_outline_options) {
    unsafe { guard::free(options) }
}

/// Cuts the text at that many code points, and says so at its end; 0 for no end.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_set_max_chars(
    options: *mut axp_outline_options,
    max_chars: usize,
) -> axp_status {
    unsafe { set(options, |options| options.max_chars = max_chars) }
}

/// Drops texts that the name or value of what they stand in already says.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_set_dedup_text(
    options: *mut axp_outline_options,
    dedup_text: bool,
) -> axp_status {
    unsafe { set(options, |options| options.dedup_text = dedup_text) }
}

unsafe fn set(options: *mut axp_outline_options, change: impl FnOnce(&mut OutlineOptions)) -> axp_status {
    guard::entry(|| unsafe {
        guard::change(options, |options| {
            change(options);
            Ok(())
        })
    })
}
