//! What a browser is started with, or attached to.

use std::path::PathBuf;
use std::time::Duration;

use super::files::Files;
use crate::error::{Code, Error};

/// How the browser is had, and what it may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The program; searched in the usual places where it is not given. `AXPRESS_CHROME`.
    pub chrome: Option<PathBuf>,
    /// Further arguments of the program. `AXPRESS_CHROME_ARGS`, split at spaces.
    pub arguments: Vec<String>,
    /// With a window. `AXPRESS_HEADFUL`.
    pub headful: bool,
    /// A running browser to attach to, by its `ws:`, `wss:`, `http:` or `https:` address, instead of a program. `AXPRESS_CDP`.
    pub endpoint: Option<String>,
    /// Origins that may be navigated to, such as `https://example.com`; all where none is given.
    pub allow_origins: Vec<String>,
    /// Addresses of this machine and of private networks are refused.
    pub block_private: bool,
    /// Where downloads go; they are refused where no folder is given.
    pub downloads: Option<PathBuf>,
    /// Which files may be uploaded. `AXPRESS_FILES`: folders, separated as in `PATH`.
    pub files: Files,
    /// How long and how large.
    pub limits: Limits,
}

/// How long a step may take and how large a message may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most bytes of one message.
    pub message_bytes: usize,
    /// From the start of the program to its first answer.
    pub start: Duration,
    /// From an address to the page's load event; what is there by then is read.
    pub load: Duration,
    /// For reading all frames of a page.
    pub read: Duration,
    /// For a frame of the page, of the time for all: one that takes longer is left out.
    pub frame: Duration,
    /// For an act, from the check of its uid to its verdict.
    pub act: Duration,
    /// For an evaluation.
    pub eval: Duration,
}

impl Limits {
    /// The limits where no others are set.
    pub const DEFAULT: Self = Self {
        message_bytes: 1 << 30,
        start: Duration::from_secs(30),
        load: Duration::from_secs(30),
        read: Duration::from_secs(30),
        frame: Duration::from_secs(5),
        act: Duration::from_secs(5),
        eval: Duration::from_secs(30),
    };
}

impl Default for Options {
    fn default() -> Self {
        Self {
            chrome: None,
            arguments: Vec::new(),
            headful: false,
            endpoint: None,
            allow_origins: Vec::new(),
            block_private: false,
            downloads: None,
            files: Files::named(None),
            limits: Limits::DEFAULT,
        }
    }
}

impl Options {
    /// The defaults, and what the environment says: `AXPRESS_CHROME`, `AXPRESS_CHROME_ARGS`, `AXPRESS_CDP`,
    /// `AXPRESS_HEADFUL`, `AXPRESS_FILES`. Empty variables count as not set. Fails with `cave_invalid_arguments`.
    pub fn from_environment() -> Result<Self, Error> {
        Self::from_variables(|name| std::env::var_os(name))
    }

    fn from_variables(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Result<Self, Error> {
        let given = |name: &str| variable(name).filter(|value| !value.is_empty());
        let text = |name: &str| {
            given(name).map(std::ffi::OsString::into_string).transpose().map_err(|_| {
                Error::new(Code::InvalidArguments, format!("{name} is not text")).next("set it to text in UTF-8")
            })
        };
        Ok(Self {
            chrome: given("AXPRESS_CHROME").map(PathBuf::from),
            arguments: text("AXPRESS_CHROME_ARGS")?
                .map(|arguments| arguments.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            headful: text("AXPRESS_HEADFUL")?.is_some_and(|value| value != "0" && value != "false"),
            endpoint: text("AXPRESS_CDP")?,
            files: Files::named(given("AXPRESS_FILES").as_ref()),
            ..Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, Options};

    #[test]
    fn the_environment_sets_program_arguments_endpoint_and_window() {
        let options = Options::from_variables(|name| {
            let value = match name {
                "AXPRESS_CHROME" => "/opt/chrome",
                "AXPRESS_CHROME_ARGS" => " --no-sandbox  --lang=de ",
                "AXPRESS_CDP" => "",
                "AXPRESS_HEADFUL" => "1",
                "AXPRESS_FILES" => "/srv/files",
                _ => return None,
            };
            Some(value.into())
        });
        let expected = Options {
            chrome: Some("/opt/chrome".into()),
            arguments: vec!["--no-sandbox".to_owned(), "--lang=de".to_owned()],
            headful: true,
            files: Files::below(vec!["/srv/files".into()]),
            ..Options::default()
        };
        assert_eq!(options, Ok(expected));
    }

    #[test]
    fn a_window_is_not_opened_for_0() {
        let options = Options::from_variables(|name| (name == "AXPRESS_HEADFUL").then(|| "0".into()));
        assert_eq!(options, Ok(Options::default()));
    }
}
