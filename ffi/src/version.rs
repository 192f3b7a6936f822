//! Versions: of the library, and of what breaks programs that were built against it.

use crate::bytes::axp_bytes;
use crate::guard;

/// The version of this header's ABI. It changes when a program built against an older one would break, and is the number
/// in the shared library's name.
pub const AXP_ABI_VERSION: u32 = 1;

/// The ABI version of the library that is loaded: compare it with `AXP_ABI_VERSION` of the header.
///
/// NULL: takes no pointer. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn axp_abi_version() -> u32 {
    AXP_ABI_VERSION
}

/// The version of the library, as `0.1.0`.
///
/// NULL: takes no pointer. Threads: any. Lifetime: the text is the library's and lives as long as it is loaded.
/// Encoding: ASCII.
#[unsafe(no_mangle)]
pub extern "C" fn axp_version() -> axp_bytes {
    guard::plain(axp_bytes::EMPTY, || axp_bytes::lend(env!("CARGO_PKG_VERSION").as_bytes()))
}
