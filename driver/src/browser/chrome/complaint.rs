//! Why Chrome did not start, by what it wrote to stderr.

use std::process::ExitStatus;

use crate::error::{Code, Error};

/// Lines of stderr that an error repeats at most.
const LINES: usize = 6;

/// Makes an error of an end and of stderr's tail, and names what is missing where that can be told.
pub(crate) fn complaint(program: &str, status: Option<ExitStatus>, stderr: &str) -> Error {
    let ended = match status {
        Some(status) => format!("{program} ended at once ({status})"),
        None => format!("{program} did not answer"),
    };
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !is_noise(line)).collect();
    let tail = lines[lines.len().saturating_sub(LINES)..].join(" / ");
    let what = if tail.is_empty() { ended } else { format!("{ended}: {tail}") };
    let error = Error::new(Code::BrowserUnavailable, what);
    let missing_library = stderr
        .split_once("error while loading shared libraries: ")
        .and_then(|(_, rest)| rest.split([':', '\n']).next());
    if let Some(library) = missing_library {
        return error.next(format!("install the package that has {library}"));
    }
    if stderr.contains("without --no-sandbox is not supported") || stderr.contains("No usable sandbox") {
        return error.next(
            "run it as another user than root, or, where every page that is opened is trusted, \
             set AXPRESS_CHROME_ARGS=--no-sandbox",
        );
    }
    if stderr.contains("Missing X server") || stderr.contains("cannot open display") {
        return error.next("unset AXPRESS_HEADFUL, or set DISPLAY");
    }
    if stderr.contains("ProcessSingleton") {
        return error.next("take --user-data-dir out of AXPRESS_CHROME_ARGS, or end the Chrome that uses it");
    }
    error
}

/// What every Chrome writes, and what says nothing of why it ended.
fn is_noise(line: &str) -> bool {
    line.is_empty() || line.contains("dbus/") || line.contains("unexpected operator") || line.starts_with("DevTools ")
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn the_missing_flag_library_or_display_is_named() {
        for (stderr, next) in [
            (
                "[1:1] Running as root without --no-sandbox is not supported. See https://crbug.com/638180.",
                "--no-sandbox",
            ),
            (
                "/opt/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file",
                "libnss3.so",
            ),
            ("[3:3:ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY", "AXPRESS_HEADFUL"),
        ] {
            let error = complaint("/opt/chrome", None, stderr);
            assert!(error.next.contains(next), "{error}");
            assert!(error.what.contains(stderr), "{error}");
        }
    }

    #[test]
    fn what_every_start_writes_is_left_out_and_the_last_lines_are_kept() {
        let stderr =
            "/usr/bin/chromium: 9: [: 2: unexpected operator\n[1:2:ERROR:dbus/bus.cc(408)] no\n1\n2\n3\n4\n5\n6\n7\n";
        let error = complaint("chromium", None, stderr);
        assert_eq!(error.what, "chromium did not answer: 2 / 3 / 4 / 5 / 6 / 7");
    }
}
