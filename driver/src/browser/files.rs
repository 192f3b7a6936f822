//! Which files may be given to a page.
//!
//! A page can talk an agent into anything, also into uploading a key or a password. So only what lies below named folders
//! is given away: the working folder, the folder for temporary files and that of the downloads, or those that
//! `AXPRESS_FILES` names instead; never the program's own state. Links and `..` are followed before that is decided, and the page gets the file that was
//! looked at.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Code, Error};

/// Chrome's own profiles lie among the temporary files, and hold what every page has stored.
const PROFILE: &str = "axpress-profile-";

/// The folders below which files may be uploaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// All files may be where there are none.
    folders: Option<Vec<PathBuf>>,
    /// The program's own: the pages that it keeps, and what lets others use its browser.
    state: Option<PathBuf>,
}

impl Files {
    /// Any file: where someone else has looked at it already.
    #[must_use]
    pub fn anywhere() -> Self {
        Self { folders: None, state: crate::home::folder() }
    }

    /// What lies below these folders.
    #[must_use]
    pub fn below(folders: Vec<PathBuf>) -> Self {
        Self { folders: Some(folders), state: crate::home::folder() }
    }

    /// What lies below the folders that a list names, separated as in `PATH`; without one, below the working folder and
    /// that for temporary files.
    ///
    /// A working folder that holds the home folder, or is it, is no folder of work.
    pub(crate) fn named(list: Option<&OsString>) -> Self {
        if let Some(list) = list {
            return Self::below(std::env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect());
        }
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        let is_work =
            |folder: &PathBuf| folder.parent().is_some() && home.as_ref().is_none_or(|it| !it.starts_with(folder));
        let here = std::env::current_dir().and_then(|here| here.canonicalize()).ok().filter(is_work);
        Self::below(here.into_iter().chain([std::env::temp_dir()]).collect())
    }

    /// Also what lies below this folder.
    pub(crate) fn and(&mut self, folder: &Path) {
        if let Some(folders) = &mut self.folders {
            folders.push(folder.to_owned());
        }
    }

    /// The file itself, whatever links led to it. Fails with `cave_invalid_arguments` for one that is not below the folders.
    pub fn check(&self, path: &Path) -> Result<PathBuf, Error> {
        let Some(folders) = &self.folders else { return Ok(path.to_owned()) };
        let folders: Vec<PathBuf> = folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        let state = self.state.as_ref().map(|state| state.canonicalize().unwrap_or_else(|_| state.clone()));
        let is_below = |file: &Path| {
            if state.as_ref().is_some_and(|state| file.starts_with(state)) {
                return false;
            }
            let is_profile = file.iter().any(|name| name.to_string_lossy().starts_with(PROFILE));
            !is_profile && folders.iter().any(|folder| file.starts_with(folder))
        };
        // Of what is not there its folder counts: whether something is elsewhere is not said.
        let found = path.canonicalize();
        let place = match &found {
            Ok(file) => Some(file.clone()),
            Err(_) => path.parent().and_then(|parent| parent.canonicalize().ok()),
        };
        match (place.filter(|place| path.is_absolute() && is_below(place)), found) {
            (Some(_), Ok(file)) => Ok(file),
            (Some(_), Err(error)) => {
                Err(Error::new(Code::ActionFailed, format!("{} can't be read: {error}", path.display())))
            }
            (None, _) if !path.is_absolute() => {
                Err(Error::new(Code::InvalidArguments, format!("{} is no absolute path", path.display())))
            }
            (None, _) => {
                let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
                let what = format!("{} is not below {}, or is axpress's own", path.display(), names.join(" or "));
                Err(Error::new(Code::InvalidArguments, what)
                    .next("upload a file from there; who runs axpress can name other folders in AXPRESS_FILES"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::Files;
    use crate::error::Code;

    #[test]
    fn what_lies_below_a_folder_is_given_and_nothing_else() {
        let (inside, outside) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
        let (inside, outside) = (inside.path().canonicalize(), outside.path().canonicalize());
        let (inside, outside) = (inside.expect("it is there"), outside.expect("it is there"));
        let profile = inside.join("axpress-profile-1-0123456789abcdef");
        for folder in [&inside.join("deep"), &profile] {
            fs::create_dir(folder).expect("a folder");
            fs::write(folder.join("file"), "x").expect("a file");
        }
        let secret = outside.join("id_rsa");
        fs::write(&secret, "x").expect("a file");
        let files = Files::below(vec![inside.clone()]);
        let checked = |path: &Path| files.check(path).map_err(|error| error.code);
        let file = inside.join("deep/file");
        assert_eq!(checked(&file), Ok(file.clone()));
        assert_eq!(checked(&inside.join("deep/../deep/file")), Ok(file.clone()));
        let up = inside.join("..").join(outside.file_name().expect("a name")).join("id_rsa");
        assert!(up.exists());
        let missing = outside.join("missing");
        let beside = Path::new(&format!("{}-beside", inside.display())).to_owned();
        for refused in [&secret, &up, &missing, &beside, &profile.join("file"), Path::new("deep/file")] {
            assert_eq!(checked(refused), Err(Code::InvalidArguments), "{}", refused.display());
        }
        assert_eq!(checked(&inside.join("missing")), Err(Code::ActionFailed));
        let error = files.check(&secret).expect_err("it is outside");
        assert!(error.next.contains("AXPRESS_FILES"), "{error}");
        assert_eq!(Files::anywhere().check(&secret), Ok(secret));
    }

    #[test]
    fn the_programs_own_state_is_never_given() {
        let folder = TempDir::new().expect("a folder");
        let state = folder.path().join("state/axpress");
        fs::create_dir_all(&state).expect("a folder");
        for file in [state.join("kept"), folder.path().join("state/other")] {
            fs::write(file, "x").expect("a file");
        }
        for named in [folder.path(), &state] {
            let files =
                Files { state: Some(folder.path().join("state/../state/axpress")), ..Files::below(vec![named.into()]) };
            for path in [state.join("kept"), state.join("missing"), folder.path().join("state/axpress/../axpress/kept")]
            {
                assert_eq!(files.check(&path).map_err(|error| error.code), Err(Code::InvalidArguments), "{path:?}");
            }
            #[cfg(unix)]
            {
                let link = folder.path().join("link");
                let _ = std::os::unix::fs::symlink(state.join("kept"), &link);
                assert_eq!(files.check(&link).map_err(|error| error.code), Err(Code::InvalidArguments));
            }
        }
        assert!(Files::below(vec![folder.path().into()]).check(&folder.path().join("state/other")).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_what_it_leads_to() {
        let (inside, outside) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
        fs::write(outside.path().join("id_rsa"), "x").expect("a file");
        std::os::unix::fs::symlink(outside.path(), inside.path().join("harmless")).expect("a link");
        std::os::unix::fs::symlink(inside.path(), outside.path().join("back")).expect("a link");
        fs::write(inside.path().join("file"), "x").expect("a file");
        let files = Files::below(vec![outside.path().join("back")]);
        let error = files.check(&inside.path().join("harmless/id_rsa")).expect_err("it leads out");
        assert_eq!(error.code, Code::InvalidArguments);
        let file = inside.path().canonicalize().expect("it is there").join("file");
        assert_eq!(
            files.check(&outside.path().join("back/file")),
            Ok(file),
            "also where the folder is named by a link"
        );
    }

    #[test]
    fn the_list_replaces_the_folders_that_are_usual() {
        let list = std::env::join_paths(["/srv/a", "/srv/b"]).expect("a list");
        assert_eq!(Files::named(Some(&list)), Files::below(vec!["/srv/a".into(), "/srv/b".into()]));
        let usual = Files::named(None).folders.expect("there are some");
        assert!(usual.contains(&std::env::temp_dir()) && !usual.contains(&"/".into()), "{usual:?}");
    }
}
