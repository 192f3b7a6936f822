//! Where Chrome is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::browser::Options;
use crate::error::{Code, Error};

/// Names that it goes by in the folders of `PATH`.
const NAMES: &[&str] = if cfg!(windows) {
    &["chrome.exe", "chromium.exe", "msedge.exe"]
} else {
    &["google-chrome", "google-chrome-stable", "chromium", "chromium-browser", "chrome", "microsoft-edge"]
};

/// Places that are not in `PATH`.
const PLACES: &[&str] = if cfg!(target_os = "macos") {
    &[
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
        "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    ]
} else if cfg!(windows) {
    &[
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ]
} else {
    &[
        "/opt/google/chrome/chrome",
        "/usr/bin/chromium",
        "/usr/lib/chromium/chromium",
        "/usr/lib/chromium-browser/chromium-browser",
        "/snap/bin/chromium",
    ]
};

/// The program that the options name, else the first that is there.
///
/// Fails with `cave_browser_unavailable`, and says where it was looked for.
pub(crate) fn find(options: &Options) -> Result<PathBuf, Error> {
    if let Some(chrome) = &options.chrome {
        if is_program(chrome) {
            return Ok(chrome.clone());
        }
        let what = format!("AXPRESS_CHROME is {}, which is no program", chrome.display());
        return Err(Error::new(Code::BrowserUnavailable, what).next("set AXPRESS_CHROME to the path of a Chrome"));
    }
    search(std::env::var_os("PATH").as_deref(), PLACES)
}

fn search(path: Option<&OsStr>, places: &[&str]) -> Result<PathBuf, Error> {
    let folders: Vec<PathBuf> = path.map(|path| std::env::split_paths(path).collect()).unwrap_or_default();
    let in_path = NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = in_path.chain(places.iter().map(PathBuf::from)).find(|candidate| is_program(candidate));
    found.ok_or_else(|| {
        let what = format!("no Chrome was found: not as {} in PATH, nor at {}", NAMES.join(", "), places.join(", "));
        Error::new(Code::BrowserUnavailable, what)
            .next("install Chrome or Chromium, or set AXPRESS_CHROME to its path, or AXPRESS_CDP to a running one")
    })
}

fn is_program(path: &Path) -> bool {
    let Ok(metadata) = path.metadata() else { return false };
    #[cfg(unix)]
    let runs = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let runs = true;
    metadata.is_file() && runs
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{find, search};
    use crate::browser::Options;
    use crate::error::Code;

    #[test]
    fn where_there_is_none_the_error_says_where_it_was_looked_for_and_how_to_name_one() {
        let error = search(Some("".as_ref()), &["/nowhere/chrome"]).expect_err("there is none");
        assert_eq!(error.code, Code::BrowserUnavailable);
        assert!(error.what.contains("chromium") && error.what.contains("/nowhere/chrome"), "{error}");
        assert!(error.next.contains("AXPRESS_CHROME"), "{error}");
    }

    #[test]
    fn a_program_that_was_named_and_is_not_there_is_never_replaced_by_another() {
        let options = Options { chrome: Some("/nowhere/chrome".into()), ..Options::default() };
        let error = find(&options).expect_err("it is not there");
        assert!(error.what.contains("/nowhere/chrome"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn what_can_not_be_run_is_no_program() {
        use std::os::unix::fs::PermissionsExt;

        let folder = std::env::temp_dir().join(format!("axpress-find-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("chromium");
        fs::write(&file, "").expect("a file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("its mode");
        assert!(search(Some(folder.as_os_str()), &[]).is_err());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("its mode");
        assert_eq!(search(Some(folder.as_os_str()), &[]), Ok(file));
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
