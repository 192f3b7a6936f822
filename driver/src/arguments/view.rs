//! What a view is made of, and how: for every command that makes one.

use std::path::PathBuf;

use axpress_core::{Uid, ViewOptions};
use clap::Args;

use super::uid;

#[derive(Debug, Args)]
#[command(next_help_heading = "View")]
pub(crate) struct ViewArguments {
    /// Show only what matches these words best, in the rows, items and lines that it stands in
    #[arg(long, value_name = "WORDS")]
    query: Option<String>,
    /// Most bytes of the text, 200 at least; what is cut is counted where it stood
    #[arg(long, value_name = "N")]
    max_bytes: Option<usize>,
    /// Show only the node of this uid, and what is below it
    #[arg(long, value_name = "UID", value_parser = uid::parse)]
    root: Option<Uid>,
    /// Print where links lead
    #[arg(long)]
    urls: bool,
    /// Never print the value of this node, nor the text in it; may be given again
    #[arg(long, value_name = "UID", value_parser = uid::parse)]
    secret: Vec<Uid>,
    /// Give this node a uid, whatever its role; may be given again
    #[arg(long, value_name = "UID", value_parser = uid::parse)]
    clickable: Vec<Uid>,
    /// Put a frame's payload under the node OWNER that holds it, as frame N of another process or, without N, as one of
    /// the page's own; may be given again
    #[arg(long = "frame", value_name = "OWNER[:N]=FILE", value_parser = frame)]
    pub(crate) frames: Vec<FrameArgument>,
}

impl ViewArguments {
    pub(crate) fn options(&self) -> ViewOptions<'_> {
        let Self { query, max_bytes, root, urls, secret, clickable, .. } = self;
        ViewOptions {
            query: query.as_deref(),
            max_bytes: *max_bytes,
            root: *root,
            urls: *urls,
            secrets: secret,
            clickable,
            ..ViewOptions::default()
        }
    }
}

/// `OWNER[:N]=FILE`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameArgument {
    pub(crate) owner: Uid,
    pub(crate) number: u32,
    pub(crate) file: PathBuf,
}

pub(super) fn frame(text: &str) -> Result<FrameArgument, String> {
    let (place, file) = text.split_once('=').ok_or("a frame is OWNER=FILE or OWNER:N=FILE")?;
    let (owner, number) = place.split_once(':').map_or((place, None), |(owner, number)| (owner, Some(number)));
    let number = match number {
        None => 0,
        Some(digits) => digits.parse().map_err(|_| format!("{digits:?} is no number of a frame"))?,
    };
    Ok(FrameArgument { owner: uid::parse(owner)?, number, file: file.into() })
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;

    use super::{FrameArgument, frame};

    #[test]
    fn a_frame_is_its_owner_its_number_and_its_file() {
        let expected = |owner, number, file: &str| Ok(FrameArgument { owner, number, file: file.into() });
        assert_eq!(frame("12=a.json"), expected(Uid { frame: 0, node: 12 }, 0, "a.json"));
        assert_eq!(frame("@2.12:3=a=b:c.json"), expected(Uid { frame: 2, node: 12 }, 3, "a=b:c.json"));
        for wrong in ["a.json", "=a.json", "x=a.json", "12:=a.json", "12:x=a.json", "12:-1=a.json"] {
            assert!(frame(wrong).is_err(), "{wrong}");
        }
    }
}
