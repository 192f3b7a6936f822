//! How a view is made, as an object that keeps copies of what it was given.

use axpress_core::{Uid, ViewOptions};

use crate::bytes::{Input, check_length};
use crate::error::{LastError, axp_error};
use crate::failure::Failure;
use crate::guard::{self, Guarded, object};
use crate::results::axp_uid;
use crate::status::{AXP_NULL_ARGUMENT, axp_status};

/// How a view is made. It keeps copies of what it is given, and may be used for any number of calls, of any compressors.
#[derive(Debug)]
pub struct axp_view_options {
    guarded: Guarded<Settings>,
}
object!(axp_view_options, Settings);

/// The settings, as core's [`ViewOptions`] borrows them.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    query: Option<String>,
    max_bytes: Option<usize>,
    viewport: Vec<Uid>,
    secrets: Vec<Uid>,
    clickable: Vec<Uid>,
    urls: bool,
    root: Option<Uid>,
    error: LastError,
}

impl Settings {
    pub(crate) fn options(&self) -> ViewOptions<'_> {
        let Self { query, max_bytes, viewport, secrets, clickable, urls, root, error: _ } = self;
        ViewOptions {
            query: query.as_deref(),
            max_bytes: *max_bytes,
            viewport,
            secrets,
            clickable,
            urls: *urls,
            root: *root,
        }
    }
}

/// Makes options for views: the whole page, no budget, no secrets.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any. Lifetime: until `axp_view_options_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_new(options: *mut *mut axp_view_options) -> axp_status {
    guard::entry(|| unsafe { guard::create(options, Settings::default()) })
}

/// Frees options for views.
///
/// NULL: does nothing. Threads: any, while no other call uses them. Lifetime: `options` may not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_free(options: *mut axp_view_options) {
    unsafe { guard::free(options) }
}

/// Puts all settings back to what `axp_view_options_new` gave.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_reset(options: *mut axp_view_options) -> axp_status {
    unsafe {
        set(options, |settings| {
            *settings = Settings::default();
            Ok(())
        })
    }
}

/// Keeps only the best of what matches these words, with what it stands in, in the order of the page.
///
/// NULL: `options` or `query` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
/// Lifetime: `query` is copied. Encoding: UTF-8, else `AXP_INVALID_UTF8` and the setting stays as it was;
/// `axp_view_options_error` has the offset of the first byte that is not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_query(
    options: *mut axp_view_options,
    query: *const u8,
    query_length: usize,
) -> axp_status {
    unsafe {
        set(options, |settings| {
            settings.query = Some(Input::new(query, query_length)?.text()?.to_owned());
            Ok(())
        })
    }
}

/// Sets a budget: most bytes of the text, 200 at least; less is `AXP_BUDGET_TOO_SMALL` when a view is made. What is cut
/// is counted where it stood.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_max_bytes(
    options: *mut axp_view_options,
    max_bytes: usize,
) -> axp_status {
    unsafe {
        set(options, |settings| {
            settings.max_bytes = Some(max_bytes);
            Ok(())
        })
    }
}

/// Prints the address of links: origin and path, cut at 80 characters.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_urls(options: *mut axp_view_options, urls: bool) -> axp_status {
    unsafe {
        set(options, |settings| {
            settings.urls = urls;
            Ok(())
        })
    }
}

/// Gives the view of this node and what is below it alone; any node of the page, with a uid in the view or without.
/// One that the page does not have is `AXP_UNKNOWN_ROOT` when a view is made.
///
/// NULL: `options` NULL is `AXP_NULL_ARGUMENT`. Threads: any; `AXP_BUSY` while another call uses `options`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_root(options: *mut axp_view_options, root: axp_uid) -> axp_status {
    unsafe {
        set(options, |settings| {
            settings.root = Some(root.into());
            Ok(())
        })
    }
}

/// Names nodes that a person sees without scrolling, in place of those named before: under a budget their lines are kept
/// before the rest of the page. Any nodes with a backend id; those that they stand in need not be named.
///
/// NULL: `options` or `viewport` NULL is `AXP_NULL_ARGUMENT`; `viewport_length` counts uids, and one that no memory has
/// is `AXP_INVALID_LENGTH`. Threads: any; `AXP_BUSY` while another call uses `options`. Lifetime: `viewport` is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_viewport(
    options: *mut axp_view_options,
    viewport: *const axp_uid,
    viewport_length: usize,
) -> axp_status {
    unsafe { set(options, |settings| copy_uids(viewport, viewport_length, &mut settings.viewport)) }
}

/// Names nodes whose value and inner text are never printed, in place of those named before.
///
/// NULL: `options` or `secrets` NULL is `AXP_NULL_ARGUMENT`; `secrets_length` counts uids, and one that no memory has
/// is `AXP_INVALID_LENGTH`. Threads: any; `AXP_BUSY` while another call uses `options`. Lifetime: `secrets` is copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_secrets(
    options: *mut axp_view_options,
    secrets: *const axp_uid,
    secrets_length: usize,
) -> axp_status {
    unsafe { set(options, |settings| copy_uids(secrets, secrets_length, &mut settings.secrets)) }
}

/// Names nodes that get a uid whatever their role, in place of those named before.
///
/// NULL: `options` or `clickable` NULL is `AXP_NULL_ARGUMENT`; `clickable_length` counts uids, and one that no memory
/// has is `AXP_INVALID_LENGTH`. Threads: any; `AXP_BUSY` while another call uses `options`. Lifetime: `clickable` is
/// copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_set_clickable(
    options: *mut axp_view_options,
    clickable: *const axp_uid,
    clickable_length: usize,
) -> axp_status {
    unsafe { set(options, |settings| copy_uids(clickable, clickable_length, &mut settings.clickable)) }
}

/// Why the last setter on these options failed.
///
/// NULL: `options` or `error` NULL is `AXP_NULL_ARGUMENT`. Threads: any, many at once; `AXP_BUSY` while a setter runs.
/// Lifetime: `*error` is the options' own and valid until their next setter or their end. Encoding: UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn axp_view_options_error(
    options: *const axp_view_options,
    error: *mut *const axp_error,
) -> axp_status {
    guard::entry(|| unsafe {
        guard::read(options, |settings| {
            *guard::output(error)? = settings.error.public();
            Ok(())
        })
    })
}

/// Changes a setting; a failure is kept for `axp_view_options_error`.
unsafe fn set(options: *mut axp_view_options, change: impl FnOnce(&mut Settings) -> Result<(), Failure>) -> axp_status {
    guard::entry(|| unsafe {
        guard::change(options, |settings| {
            settings.error.clear();
            change(settings).inspect_err(|&failure| settings.error.set(failure))
        })
    })
}

unsafe fn copy_uids(uids: *const axp_uid, length: usize, copy: &mut Vec<Uid>) -> Result<(), Failure> {
    if uids.is_null() {
        return Err(Failure::of_status(AXP_NULL_ARGUMENT));
    }
    check_length(length.saturating_mul(size_of::<axp_uid>()))?;
    // SAFETY: not NULL, not longer than memory can be; the rest is the caller's promise.
    let uids = unsafe { std::slice::from_raw_parts(uids, length) };
    copy.clear();
    copy.extend(uids.iter().map(|&uid| Uid::from(uid)));
    Ok(())
}
