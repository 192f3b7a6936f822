//! The arguments of a call: JSON as it comes from a client. What a tool has no use for is ignored; what has the wrong
//! type or is out of bounds is said by name.

use std::path::PathBuf;

use axpress_core::{HandlePrefix, Uid};
use serde_json::{Map, Number, Value};

use crate::browser::{Arguments, TabId};
use crate::error::{Code, Error};
use crate::uid;

/// A call's arguments. `null` counts as not given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Given<'a> {
    pub(super) fn value(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn text(self, name: &str) -> Result<Option<&'a str>, Error> {
        self.value(name).map(|value| value.as_str().ok_or_else(|| wrong(name, "a string", value))).transpose()
    }

    /// A number, or a string of one: some clients send all arguments as strings.
    fn number(self, name: &str) -> Result<Option<f64>, Error> {
        let number = |value: &Value| match value {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        self.value(name).map(|value| number(value).ok_or_else(|| wrong(name, "a number", value))).transpose()
    }

    /// A whole number from `least` to `most`.
    pub(super) fn whole(self, name: &str, least: u64, most: u64) -> Result<Option<u64>, Error> {
        let Some(number) = self.number(name)? else { return Ok(None) };
        #[allow(clippy::cast_precision_loss, reason = "the bounds are far below 2^53")]
        let within = number.fract() == 0.0 && number >= least as f64 && number <= most as f64;
        #[allow(clippy::cast_sign_loss, reason = "it is within the bounds")]
        let whole = within.then_some(number as u64);
        whole.map(Some).ok_or_else(|| {
            Error::new(Code::InvalidArguments, format!("`{name}` is a whole number from {least} to {most}"))
        })
    }

    pub(super) fn tab(self) -> Result<Option<TabId>, Error> {
        Ok(self.whole("tab", 1, u64::from(u32::MAX))?.map(|tab| TabId(tab as u32)))
    }

    /// A uid: a string, with or without `@`, or a number where it has no frame part.
    pub(super) fn uid(self, name: &str) -> Result<Option<Uid>, Error> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let read = match value {
            Value::String(text) => uid::parse(text.trim()),
            Value::Number(number) => whole_uid(number),
            _ => Err("it is no uid".to_owned()),
        };
        let error = |what| {
            Error::new(Code::InvalidArguments, format!("`{name}`: {what}"))
                .next("pass a uid as the view prints it, such as \"12\" or \"2.12\"")
        };
        read.map(Some).map_err(error)
    }

    /// A handle, or the first digits of one.
    pub(super) fn handle(self, name: &str) -> Result<Option<HandlePrefix>, Error> {
        let parse = |text: &str| {
            text.trim().parse().map_err(|_| {
                let what = format!("`{name}` is 8 to 32 hex digits, with or without ccr_ before them");
                Error::new(Code::InvalidArguments, what).next("take the handle from the snapshot that gave it")
            })
        };
        self.text(name)?.map(parse).transpose()
    }

    /// The arguments of an action.
    pub(super) fn action(self) -> Result<Arguments, Error> {
        let owned = |name| Ok::<_, Error>(self.text(name)?.map(str::to_owned));
        Ok(Arguments {
            uid: self.uid("uid")?,
            text: owned("text")?,
            option: owned("option")?,
            key: owned("key")?,
            to: self.uid("to")?,
            url: owned("url")?,
            paths: self.paths()?,
            amount: self.number("amount")?,
            tab: self.tab()?,
        })
    }

    /// One path, or a list of them.
    fn paths(self) -> Result<Vec<PathBuf>, Error> {
        let path = |value: &Value| {
            value.as_str().map(PathBuf::from).ok_or_else(|| wrong("path", "a string or a list of strings", value))
        };
        match self.value("path") {
            None => Ok(Vec::new()),
            Some(Value::Array(paths)) => paths.iter().map(path).collect(),
            Some(value) => path(value).map(|path| vec![path]),
        }
    }
}

fn whole_uid(number: &Number) -> Result<Uid, String> {
    match number.as_u64() {
        Some(node) if node > 0 => Ok(Uid { frame: 0, node }),
        _ => Err(format!("{number} as a number is no uid, since 2.10 would be 2.1")),
    }
}

fn wrong(name: &str, wanted: &str, value: &Value) -> Error {
    let is = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string that is none",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Error::new(Code::InvalidArguments, format!("`{name}` is to be {wanted}, and is {is}"))
}

#[cfg(test)]
mod tests {
    use axpress_core::Uid;
    use serde_json::{Value, json};

    use super::Given;
    use crate::error::Code;

    fn uid(value: &Value) -> Result<Option<Uid>, Code> {
        let arguments = json!({ "uid": value });
        Given(arguments.as_object().unwrap()).uid("uid").map_err(|error| error.code)
    }

    #[test]
    fn a_uid_is_a_string_or_a_whole_number() {
        let plain = Ok(Some(Uid { frame: 0, node: 12 }));
        let framed = Ok(Some(Uid { frame: 2, node: 10 }));
        for value in [json!("12"), json!("@12"), json!(" @12 "), json!(12)] {
            assert_eq!(uid(&value), plain, "{value}");
        }
        assert_eq!((uid(&json!("2.10")), uid(&json!("@2.10"))), (framed, framed));
        assert_eq!(uid(&Value::Null), Ok(None));
    }

    #[test]
    fn a_fraction_is_refused_since_2_10_would_be_2_1() {
        for value in [json!(2.1), json!(2.10), json!(12.0), json!(-1), json!(0), json!(true), json!([12]), json!("x")] {
            assert_eq!(uid(&value), Err(Code::InvalidArguments), "{value}");
        }
    }

    #[test]
    fn numbers_are_taken_from_strings_and_held_to_their_bounds() {
        let arguments = json!({ "a": 5, "b": "5", "c": 5.5, "d": 6, "e": "five", "f": null });
        let given = Given(arguments.as_object().unwrap());
        let whole = |name| given.whole(name, 1, 5).map_err(|error| error.code);
        assert_eq!((whole("a"), whole("b")), (Ok(Some(5)), Ok(Some(5))));
        assert_eq!((whole("f"), whole("nosuch")), (Ok(None), Ok(None)));
        for name in ["c", "d", "e"] {
            assert_eq!(whole(name), Err(Code::InvalidArguments), "{name}");
        }
    }

    #[test]
    fn a_wrong_type_is_said_with_the_name() {
        let arguments = json!({ "url": 5 });
        let error = Given(arguments.as_object().unwrap()).text("url").unwrap_err();
        assert_eq!(error.what, "`url` is to be a string, and is a number");
    }
}
