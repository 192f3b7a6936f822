//! The actions, and how they are made of a tool's or a command's arguments.

use std::path::PathBuf;
use std::time::Duration;

use axpress_core::Uid;

use super::TabId;
use crate::error::{Code, Error};

/// One act.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Action {
    /// Click, with the left button.
    Click(Uid),
    /// Double click.
    DoubleClick(Uid),
    /// Replace what the field holds.
    Type(Uid, String),
    /// Insert at the end of what the field holds.
    Append(Uid, String),
    /// Press a key, `Enter` or `Control+a`: on the node, or on what has the focus.
    Press(Option<Uid>, String),
    /// Move the pointer onto the node.
    Hover(Uid),
    /// Choose an option, by its text or value.
    Select(Uid, String),
    /// Tick a check box, radio button or switch; one that is ticked stays so.
    Check(Uid),
    /// Untick a check box or switch.
    Uncheck(Uid),
    /// Scroll the nearest scroller of the node, or the page, down by so many pixels (up where negative); a node without
    /// an amount is scrolled into view.
    Scroll(Option<Uid>, Option<f64>),
    /// Drag the node onto another.
    Drag(Uid, Uid),
    /// Give a file field its file.
    Upload(Uid, Vec<PathBuf>),
    /// Let time pass.
    WaitFor(Duration),
    /// Wait until the page shows this text, at most for the duration.
    WaitForText(String, Option<Duration>),
    /// Back in the tab's history.
    Back,
    /// Forward in the tab's history.
    Forward,
    /// Load the page again.
    Reload,
    /// Accept the open dialog; a prompt with this text.
    AcceptDialog(Option<String>),
    /// Dismiss the open dialog.
    DismissDialog,
    /// Open a tab at this address, or an empty one.
    OpenTab(Option<String>),
    /// Use another tab.
    SwitchTab(TabId),
    /// Close the tab.
    CloseTab,
}

/// The arguments that an action may have, as they come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// The node.
    pub uid: Option<Uid>,
    /// Text to type, to wait for, or for a prompt.
    pub text: Option<String>,
    /// The option to choose.
    pub option: Option<String>,
    /// The key to press.
    pub key: Option<String>,
    /// Where to drag.
    pub to: Option<Uid>,
    /// Where a new tab goes.
    pub url: Option<String>,
    /// The files to upload.
    pub paths: Vec<PathBuf>,
    /// Pixels to scroll, milliseconds to wait.
    pub amount: Option<f64>,
    /// The tab to switch to.
    pub tab: Option<TabId>,
}

/// Most bytes of a text.
const TEXT_BYTES: usize = 1 << 20;
/// Longest wait, in milliseconds.
const LONGEST_WAIT: f64 = 30_000.0;

impl Action {
    /// The names of all actions, in the order of the contract.
    pub const NAMES: &'static [&'static str] = &[
        "click",
        "double_click",
        "type",
        "append",
        "press",
        "hover",
        "select",
        "check",
        "uncheck",
        "scroll",
        "drag",
        "upload",
        "wait",
        "back",
        "forward",
        "reload",
        "accept_dialog",
        "dismiss_dialog",
        "open_tab",
        "switch_tab",
        "close_tab",
    ];

    /// The action of this name with these arguments; those that it has no use for are ignored.
    ///
    /// Fails with `cave_unknown_action`, and with `cave_invalid_arguments` where one is missing or out of bounds.
    pub fn new(name: &str, arguments: Arguments) -> Result<Self, Error> {
        let Arguments { uid, text, option, key, to, url, paths, amount, tab } = arguments;
        let missing = |argument: &str| Error::new(Code::InvalidArguments, format!("{name} needs {argument}"));
        let node = || uid.ok_or_else(|| missing("`uid`"));
        if text.as_ref().is_some_and(|text| text.len() > TEXT_BYTES) {
            return Err(Error::new(Code::InvalidArguments, "`text` is longer than 1 MiB"));
        }
        if amount.is_some_and(|amount| !amount.is_finite()) {
            return Err(Error::new(Code::InvalidArguments, "`amount` is no number"));
        }
        Ok(match name {
            "click" => Self::Click(node()?),
            "double_click" => Self::DoubleClick(node()?),
            "type" => Self::Type(node()?, text.ok_or_else(|| missing("`text`"))?),
            "append" => Self::Append(node()?, text.ok_or_else(|| missing("`text`"))?),
            "press" => Self::Press(uid, key.ok_or_else(|| missing("`key`"))?),
            "hover" => Self::Hover(node()?),
            "select" => Self::Select(node()?, option.or(text).ok_or_else(|| missing("`option`"))?),
            "check" => Self::Check(node()?),
            "uncheck" => Self::Uncheck(node()?),
            "scroll" => Self::Scroll(uid, amount),
            "drag" => Self::Drag(node()?, to.ok_or_else(|| missing("`to`"))?),
            "upload" if paths.is_empty() => return Err(missing("`path`")),
            "upload" => Self::Upload(node()?, paths),
            "wait" => {
                let within = |amount: f64| (0.0..=LONGEST_WAIT).contains(&amount);
                let most = match amount {
                    Some(amount) if !within(amount) => {
                        let what = "`amount` of a wait is between 0 and 30000 milliseconds";
                        return Err(Error::new(Code::InvalidArguments, what));
                    }
                    amount => amount.map(|amount| Duration::from_secs_f64(amount / 1000.0)),
                };
                match (text, most) {
                    (Some(text), most) => Self::WaitForText(text, most),
                    (None, Some(time)) => Self::WaitFor(time),
                    (None, None) => return Err(missing("`amount` in milliseconds, or `text`")),
                }
            }
            "back" => Self::Back,
            "forward" => Self::Forward,
            "reload" => Self::Reload,
            "accept_dialog" => Self::AcceptDialog(text),
            "dismiss_dialog" => Self::DismissDialog,
            "open_tab" => Self::OpenTab(url),
            "switch_tab" => Self::SwitchTab(tab.ok_or_else(|| missing("`tab`"))?),
            "close_tab" => Self::CloseTab,
            _ => {
                let what = format!("there is no action {name:?}; the actions are {}", Self::NAMES.join(", "));
                return Err(Error::new(Code::UnknownAction, what));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;

    use super::{Action, Arguments};
    use crate::browser::TabId;
    use crate::error::Code;

    #[test]
    fn every_name_makes_an_action_where_all_arguments_are_given() {
        let uid = Some(Uid { frame: 0, node: 3 });
        let all = Arguments {
            uid,
            text: Some("text".to_owned()),
            option: Some("option".to_owned()),
            key: Some("Enter".to_owned()),
            to: uid,
            url: Some("about:blank".to_owned()),
            paths: vec!["/file".into()],
            amount: Some(5.0),
            tab: Some(TabId(2)),
        };
        for name in Action::NAMES {
            assert!(Action::new(name, all.clone()).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_missing_argument_is_named_and_an_unknown_action_is_told_what_there_is() {
        let error = Action::new("drag", Arguments { uid: Some(Uid { frame: 0, node: 3 }), ..Arguments::default() });
        let error = error.expect_err("drag needs `to`");
        assert_eq!((error.code, error.what.as_str()), (Code::InvalidArguments, "drag needs `to`"));
        let error = Action::new("tap", Arguments::default()).expect_err("there is no such action");
        assert_eq!(error.code, Code::UnknownAction);
        assert!(error.what.contains("click, double_click"));
    }

    #[test]
    fn a_wait_longer_than_half_a_minute_is_refused() {
        for amount in [-1.0, 30_000.5, f64::NAN] {
            let error = Action::new("wait", Arguments { amount: Some(amount), ..Arguments::default() });
            assert_eq!(error.map_err(|error| error.code), Err(Code::InvalidArguments));
        }
    }
}
