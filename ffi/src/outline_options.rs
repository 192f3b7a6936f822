//! How an outline is made, as an object.

use axpress_core::OutlineOptions;

use crate::bytes::check_length;
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::status::{AXP_NULL_ARGUMENT, axp_status};

/// How an outline is made. It keeps copies of what it is given, and may be used for any number of calls, of any
/// compressors.
#[derive(Debug)]
pub struct axp_outline_options {
    guarded: Guarded<Settings>,
}
object!(axp_outline_options, Settings);

/// The settings, as core's [`OutlineOptions`] borrows them.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    max_chars: usize,
    dedup_text: bool,
    secrets: Vec<u64>,
}

impl Settings {
    pub(crate) fn options(&self) -> OutlineOptions<'_> {
        OutlineOptions { max_chars: self.max_chars, dedup_text: self.dedup_text, secrets: &self.secrets }
    }
}

/// Makes options for outlines: all of the text, nothing dropped.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any. Lifetime: until `axp_outline_options_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_new(options: *mut *mut axp_outline_options) -> axp_status {
    guard::entry(|| unsafe { guard::create(options, Settings::default()) })
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
    unsafe {
        set(options, |settings| {
            settings.max_chars = max_chars;
            Ok(())
        })
    }
}

/// Drops texts that the name or value of what they stand in already says.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_set_dedup_text(
    options: *mut axp_outline_options,
    dedup_text: bool,
) -> axp_status {
    unsafe {
        set(options, |settings| {
            settings.dedup_text = dedup_text;
            Ok(())
        })
    }
}

/// Names nodes, by their backend ids, whose value and inner text are never printed, in place of those named before.
///
/// NULL: `options` or `secrets` NULL is `AXP_NULL_ARGUMENT`; `secrets_length` counts ids, and one that no memory has is
/// `AXP_INVALID_LENGTH`. Threads: any; `AXP_BUSY` while another call uses `options`. Lifetime: `secrets` is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_outline_options_set_secrets(
    options: *mut axp_outline_options,
    secrets: *const u64,
    secrets_length: usize,
) -> axp_status {
    unsafe {
        set(options, |settings| {
            if secrets.is_null() {
                return Err(Failure::of_status(AXP_NULL_ARGUMENT));
            }
            check_length(secrets_length.saturating_mul(size_of::<u64>()))?;
            settings.secrets.clear();
            // SAFETY: not NULL, not longer than memory can be; the rest is the caller's promise.
            settings.secrets.extend_from_slice(std::slice::from_raw_parts(secrets, secrets_length));
            Ok(())
        })
    }
}

unsafe fn set(
    options: *mut axp_outline_options,
    change: impl FnOnce(&mut Settings) -> Result<(), Failure>,
) -> axp_status {
    guard::entry(|| unsafe { guard::change(options, change) })
}
