//! How large buffers go back to the system.
//!
//! A page is megabytes of bytes, and lives for the time of a call. The GNU C library takes a piece of that size from the
//! system and gives it back when it is freed, but after the first one it keeps pieces of up to 32 MiB in the heap of the
//! thread that took them: a server that has read large pages for a while would hold half as much again as it needs.

/// Has every buffer of a megabyte or more go back when it is freed. Smaller ones are quicker taken from the heap.
pub(crate) fn give_large_buffers_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::ffi::c_int;

        #[allow(unsafe_code, reason = "it takes two numbers, and is called before there are other threads")]
        unsafe extern "C" {
            safe fn mallopt(parameter: c_int, value: c_int) -> c_int;
        }
        const M_MMAP_THRESHOLD: c_int = -3;
        // Where it refuses, all is as it would be without it.
        let _ = mallopt(M_MMAP_THRESHOLD, 1 << 20);
    }
}
