//! Where the program keeps its state: one folder of mode 0700, files of mode 0600.
//!
//! `AXPRESS_HOME` names it. Else `CAVEMAN_HOME` does, in a subfolder of its own, so that nothing that is there is ever
//! touched. Else it is where the system keeps the state of programs.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder, where the environment names one. It need not be there yet.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    from_variables(|name| std::env::var_os(name))
}

fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let given = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // The XDG rules say that a relative path there counts as not set.
    let state = || given("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let system = || {
        if cfg!(windows) {
            given("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            given("HOME").map(|home| home.join("Library/Application Support"))
        } else {
            state().or_else(|| given("HOME").map(|home| home.join(".local/state")))
        }
    };
    given("AXPRESS_HOME")
        .or_else(|| given("CAVEMAN_HOME").map(|home| home.join("axpress")))
        .or_else(|| system().map(|state| state.join("axpress")))
}

/// Makes a folder and those above it, each of mode 0700; one that is there stays as it is.
pub fn make(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file for writing, and makes it with mode 0600 where there is none.
pub fn open(path: &Path) -> io::Result<File> {
    private().create(true).truncate(false).open(path)
}

/// Writes a file as a whole: who reads it sees the old one or the new one. Its mode is 0600.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    // What a killed process of this id left behind may be of any mode.
    let _ = fs::remove_file(&new);
    let written = private().create_new(true).open(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&new, path)).inspect_err(|_| drop(fs::remove_file(&new)))
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{from_variables, make, open, write};

    fn folder(variables: &[(&str, &str)]) -> Option<PathBuf> {
        from_variables(|name| variables.iter().find(|(is, _)| *is == name).map(|(_, value)| (*value).into()))
    }

    #[test]
    fn its_own_variable_comes_first_and_another_programs_home_gets_a_subfolder() {
        let all = [("AXPRESS_HOME", "/a"), ("CAVEMAN_HOME", "/c"), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder(&all), Some("/a".into()));
        assert_eq!(folder(&all[1..]), Some("/c/axpress".into()));
        assert_eq!(folder(&[("AXPRESS_HOME", ""), ("CAVEMAN_HOME", "/c")]), Some("/c/axpress".into()));
        assert_eq!(folder(&[]), None);
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn else_it_is_where_the_system_keeps_state() {
        assert_eq!(folder(&[("XDG_STATE_HOME", "/x"), ("HOME", "/h")]), Some("/x/axpress".into()));
        assert_eq!(folder(&[("XDG_STATE_HOME", "relative"), ("HOME", "/h")]), Some("/h/.local/state/axpress".into()));
    }

    #[cfg(unix)]
    #[test]
    fn folders_and_files_are_for_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let top = tempfile::tempdir().unwrap();
        let home = top.path().join("deep/home");
        make(&home).unwrap();
        make(&home).unwrap();
        drop(open(&home.join("opened")).unwrap());
        write(&home.join("written"), b"one").unwrap();
        write(&home.join("written"), b"two").unwrap();
        assert_eq!(fs::read(home.join("written")).unwrap(), b"two");
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&home), mode(&top.path().join("deep"))), (0o700, 0o700));
        assert_eq!((mode(&home.join("opened")), mode(&home.join("written"))), (0o600, 0o600));
        assert_eq!(fs::read_dir(&home).unwrap().count(), 2, "nothing is left beside a file that was written");
    }
}
