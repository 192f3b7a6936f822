//! Limits of a compressor, as an object.

use axpress_core::Limits;

use crate::guard::{self, Guarded, object};
use crate::status::axp_status;

/// How much a compressor takes. Reaching a limit is a status, never an abort.
#[derive(Debug)]
pub struct axp_limits {
    guarded: Guarded<Limits>,
}
object!(axp_limits, Limits);

/// Makes limits: 1 GiB of input, 16 M nodes, 256 MiB of output.
///
/// NULL: `limits` NULL is `AXP_NULL_ARGUMENT`. Threads: any. Lifetime: until `axp_limits_free`; a compressor copies
/// them, so they may be freed as soon as it is made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_limits_new(limits: *mut *mut axp_limits) -> axp_status {
    guard::entry(|| unsafe { guard::create(limits, Limits::DEFAULT) })
}

/// Frees limits.
///
/// NULL: does nothing. Threads: any, while no other call uses them. Lifetime: `limits` may not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_limits_free(limits: *mut axp_limits) {
    unsafe { guard::free(limits) }
}

/// Sets the most bytes of one payload, and of what one blob may unpack to. More than 4 GiB - 1 counts as that.
///
/// NULL: `limits` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `limits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_limits_set_input_bytes(limits: *mut axp_limits, input_bytes: usize) -> axp_status {
    unsafe { set(limits, |limits| limits.input_bytes = input_bytes) }
}

/// Sets the most nodes of one payload, and of one page with its frames.
///
/// NULL: `limits` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `limits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_limits_set_nodes(limits: *mut axp_limits, nodes: usize) -> axp_status {
    unsafe { set(limits, |limits| limits.nodes = nodes) }
}

/// Sets the most bytes of one result.
///
/// NULL: `limits` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `limits`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_limits_set_output_bytes(limits: *mut axp_limits, output_bytes: usize) -> axp_status {
    unsafe { set(limits, |limits| limits.output_bytes = output_bytes) }
}

unsafe fn set(limits: *mut axp_limits, change: impl FnOnce(&mut Limits)) -> axp_status {
    guard::entry(|| unsafe {
        guard::change(limits, |limits| {
            change(limits);
            Ok(())
        })
    })
}
