//! Limits on time, for machines of any speed.

use std::fs;
use std::thread;
use std::time::Duration;

/// A limit on a time, on this machine now: longer where others use its processors.
pub(crate) fn limit(seconds: u64) -> Duration {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: f64 = load.split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let processors =
        thread::available_parallelism().ok().and_then(|count| u32::try_from(count.get()).ok()).unwrap_or(1);
    Duration::from_secs(seconds).mul_f64(1.0 + 2.0 * load / f64::from(processors))
}
