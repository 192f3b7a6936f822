//! The processes of a Chromium.

use std::fs;

/// The processes that draw the pages of this Chromium, and what each has used of the processor.
pub(crate) fn renderers(chrome: u32) -> Vec<(u32, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("a Linux").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let read = |file: &str| fs::read_to_string(entry.path().join(file)).unwrap_or_default();
        let stat = read("stat");
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        let group = fields.get(2).and_then(|group| group.parse::<u32>().ok());
        if group == Some(chrome) && read("cmdline").contains("--type=renderer") {
            found.push((pid, fields.get(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)));
        }
    }
    found
}

/// The one of them that is busy: that has used the processor for almost half a second since then, which is waited for.
pub(crate) fn busy_renderer(chrome: u32, before: &[(u32, u64)]) -> u32 {
    let since = |pid: u32| before.iter().find(|(known, _)| *known == pid).map_or(0, |(_, ticks)| *ticks);
    for _ in 0..200 {
        let busy = renderers(chrome).into_iter().find(|(pid, ticks)| ticks - since(*pid) >= 40);
        if let Some((pid, _)) = busy {
            return pid;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("none of them is busy");
}
