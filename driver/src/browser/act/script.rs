//! The scripts that acts run on a node, each a file of its own.
//!
//! They run in a world of their own, which the page can neither see nor change, and which is gone with its document: what
//! is asked there never meets another one.

/// A function that has what all scripts share.
macro_rules! script {
    ($file:literal) => {
        concat!(
            "function(...given) {\n",
            include_str!("scripts/common.js"),
            "return (",
            include_str!(concat!("scripts/", $file)),
            ").apply(this, given);\n}"
        )
    };
}

/// One that also has the watch of its document.
macro_rules! script_with_watch {
    ($file:literal) => {
        concat!(
            "function(...given) {\nconst watch = ",
            include_str!("../page/watch.js"),
            ";\n",
            include_str!("scripts/common.js"),
            "return (",
            include_str!(concat!("scripts/", $file)),
            ").apply(this, given);\n}"
        )
    };
}

pub(super) const ASSIGN: &str = script!("assign.js");
pub(super) const BRING: &str = script!("bring.js");
pub(super) const CHOOSE: &str = script!("choose.js");
pub(super) const CONTENTS: &str = script!("contents.js");
pub(super) const END: &str = script!("end.js");
pub(super) const EVIDENCE: &str = script!("evidence.js");
pub(super) const FILES: &str = script!("files.js");
pub(super) const FOCUSED: &str = script!("focused.js");
pub(super) const HELD: &str = script!("held.js");
pub(super) const HOLDS: &str = script!("holds.js");
pub(super) const HOVERED: &str = script!("hovered.js");
pub(super) const INSPECT: &str = script!("inspect.js");
pub(super) const JUDGE: &str = script_with_watch!("judge.js");
pub(super) const LABEL: &str = script!("label.js");
pub(super) const NAMED: &str = script!("named.js");
pub(super) const REACHES: &str = script!("reaches.js");
pub(super) const SCROLL: &str = script!("scroll.js");
pub(super) const SELECT: &str = script!("select.js");
pub(super) const SHOWS: &str = script!("shows.js");
pub(super) const STILL: &str = script!("still.js");
pub(super) const TICKED: &str = script!("ticked.js");
pub(super) const VIEWPORT: &str = script!("viewport.js");
pub(super) const WITNESS: &str = script_with_watch!("witness.js");
