//! Gives the shared library its soname: `libaxpress.so.` and the number of the ABI, which cargo does not set.

/// `AXP_ABI_VERSION`; a test holds the two together.
const ABI_VERSION: u32 = 1;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    match system.as_str() {
        "macos" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libaxpress.{ABI_VERSION}.dylib");
        }
        "linux" | "android" | "freebsd" | "netbsd" | "openbsd" => {
            println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libaxpress.so.{ABI_VERSION}");
        }
        _ => {}
    }
}
