//! Files that a page saves: refused, or named as the page names them without ever replacing another.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{Happening, State, Tabs};
use crate::browser::cdp::from_slice;

/// Longest file name that is kept, in bytes.
const NAME_BYTES: usize = 200;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WillBegin {
    guid: String,
    #[serde(default)]
    suggested_filename: String,
}

#[derive(Deserialize)]
struct Progress {
    guid: String,
    state: String,
}

impl Tabs {
    pub(super) fn download_will_begin(state: &mut State, session: Option<&str>, params: &[u8]) {
        let Ok(download) = from_slice::<WillBegin>(params) else { return };
        let name = file_name(&download.suggested_filename);
        let Some(tab) = state.tab_of_session(session) else { return };
        tab.happenings.push(Happening::Download { id: download.guid.clone(), name: name.clone() });
        // A tab that was opened for it alone: who opened it is told.
        let opener = tab.opener.filter(|_| tab.commits == 0);
        if let Some(opener) = opener.and_then(|opener| state.tabs.get_mut(&opener)) {
            opener.happenings.push(Happening::Download { id: download.guid.clone(), name: name.clone() });
        }
        state.saving.insert(download.guid, name);
    }

    pub(super) fn download_progress(&self, state: &mut State, session: Option<&str>, params: &[u8]) {
        let Ok(progress) = from_slice::<Progress>(params) else { return };
        if progress.state == "inProgress" {
            return;
        }
        let name = state.saving.remove(&progress.guid);
        let (Some(folder), Some(name), "completed") = (&self.downloads, name, progress.state.as_str()) else { return };
        let saved = folder.join(&progress.guid);
        let path = settle(folder, &saved, &name);
        if let Some(tab) = state.tab_of_session(session) {
            tab.happenings.push(Happening::Saved { id: progress.guid, path });
        }
    }
}

/// A name that stays in its folder, of what the page suggests.
fn file_name(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last.chars().filter(|character| !character.is_control()).collect();
    let most = (0..=NAME_BYTES.min(name.len())).rev().find(|&at| name.is_char_boundary(at));
    name.truncate(most.unwrap_or(0));
    if name.trim_matches(['.', ' ']).is_empty() { "download".to_owned() } else { name }
}

/// Gives a saved file its name, or one with a number where that is taken; where that fails it stays as it is.
fn settle(folder: &Path, saved: &Path, name: &str) -> PathBuf {
    for number in 0..1000 {
        let path = match (number, name.rsplit_once('.')) {
            (0, _) => folder.join(name),
            (_, Some((stem, extension))) => folder.join(format!("{stem} ({number}).{extension}")),
            (_, None) => folder.join(format!("{name} ({number})")),
        };
        // A link is refused where the name is taken; a rename would replace it.
        if std::fs::hard_link(saved, &path).is_ok() {
            let _ = std::fs::remove_file(saved);
            return path;
        }
    }
    saved.to_owned()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{file_name, settle};

    #[test]
    fn a_suggested_name_can_not_leave_its_folder() {
        for (suggested, name) in [
            ("report.csv", "report.csv"),
            ("../../.ssh/authorized_keys", "authorized_keys"),
            ("C:\\Windows\\system.ini", "system.ini"),
            ("..", "download"),
            ("", "download"),
            ("a\u{0}b\nc", "abc"),
        ] {
            assert_eq!(file_name(suggested), name);
        }
        assert_eq!(file_name(&"ä".repeat(300)).len(), 200);
    }

    #[test]
    fn a_saved_file_never_replaces_another() {
        let folder = std::env::temp_dir().join(format!("axpress-downloads-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for (guid, expected) in [("g1", "report.csv"), ("g2", "report (1).csv"), ("g3", "report (2).csv")] {
            fs::write(folder.join(guid), guid).expect("a file");
            let path = settle(&folder, &folder.join(guid), "report.csv");
            assert_eq!(path, folder.join(expected));
            assert_eq!(fs::read_to_string(path).expect("the file"), guid);
        }
        fs::remove_dir_all(&folder).expect("the folder goes");
    }
}
