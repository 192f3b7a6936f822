//! Keys: `Enter`, `a`, `Control+a`, `Shift+Tab`.

use serde_json::{Value, json};

use super::halt::Halt;
use crate::browser::page::Page;
use crate::error::{Code, Error};

/// A key of a keyboard, as Chrome wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// As the page is told of it.
    name: String,
    code: String,
    number: u32,
    /// What it types.
    text: Option<String>,
    modifiers: u32,
}

/// Names, codes, virtual key codes of Windows, which all systems use here, and what they type.
const NAMED: &[(&str, &str, u32, Option<&str>)] = &[
    ("Enter", "Enter", 13, Some("\r")),
    ("Tab", "Tab", 9, None),
    ("Escape", "Escape", 27, None),
    ("Backspace", "Backspace", 8, None),
    ("Delete", "Delete", 46, None),
    ("Insert", "Insert", 45, None),
    ("Home", "Home", 36, None),
    ("End", "End", 35, None),
    ("PageUp", "PageUp", 33, None),
    ("PageDown", "PageDown", 34, None),
    ("ArrowUp", "ArrowUp", 38, None),
    ("ArrowDown", "ArrowDown", 40, None),
    ("ArrowLeft", "ArrowLeft", 37, None),
    ("ArrowRight", "ArrowRight", 39, None),
    (" ", "Space", 32, Some(" ")),
    ("Control", "ControlLeft", 17, None),
    ("Shift", "ShiftLeft", 16, None),
    ("Alt", "AltLeft", 18, None),
    ("Meta", "MetaLeft", 91, None),
    ("ContextMenu", "ContextMenu", 93, None),
];

/// Other names that people and agents use.
const ALIASES: &[(&str, &str)] = &[
    ("Space", " "),
    ("Spacebar", " "),
    ("Return", "Enter"),
    ("Esc", "Escape"),
    ("Del", "Delete"),
    ("Up", "ArrowUp"),
    ("Down", "ArrowDown"),
    ("Left", "ArrowLeft"),
    ("Right", "ArrowRight"),
    ("Ctrl", "Control"),
    ("Cmd", "Meta"),
    ("Command", "Meta"),
    ("Option", "Alt"),
];

/// Characters of keys that are neither letters nor digits, without and with Shift, on the keyboard of the United States.
const SIGNS: &[(char, char, &str, u32)] = &[
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    ('`', '~', "Backquote", 192),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

const SHIFTED_DIGITS: &str = ")!@#$%^&*(";

/// What keys held down together do to a text, on systems where the browser's user interface does it.
const COMMANDS: &[(&str, &str)] = &[("a", "selectAll"), ("c", "copy"), ("v", "paste"), ("x", "cut"), ("z", "undo")];

const ALT: u32 = 1;
const CONTROL: u32 = 2;
const META: u32 = 4;
const SHIFT: u32 = 8;
const CONTROL_OR_META: u32 = if cfg!(target_os = "macos") { META } else { CONTROL };

impl Key {
    /// Reads a key with what is held down beside it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        // A plus sign may itself be the key: `Control++`.
        let (held, last) = match text.strip_suffix('+') {
            Some("") => ("", "+"),
            Some(held) => (held.strip_suffix('+')?, "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut modifiers = 0;
        for name in held.split('+').filter(|name| !name.is_empty()) {
            modifiers |= match canonical(name) {
                "Alt" => ALT,
                "Control" => CONTROL,
                "Meta" => META,
                "Shift" => SHIFT,
                "ControlOrMeta" => CONTROL_OR_META,
                _ => return None,
            };
        }
        let mut key = Self::single(last, modifiers & SHIFT != 0)?;
        key.modifiers = modifiers;
        if modifiers & (ALT | CONTROL | META) != 0 {
            key.text = None;
        }
        Some(key)
    }

    fn single(name: &str, shift: bool) -> Option<Self> {
        let key = |key: &str, code: &str, number, text: Option<&str>| Self {
            name: key.to_owned(),
            code: code.to_owned(),
            number,
            text: text.map(str::to_owned),
            modifiers: 0,
        };
        let name = canonical(name);
        if let Some((name, code, number, text)) = NAMED.iter().find(|(known, ..)| *known == name) {
            return Some(key(name, code, *number, *text));
        }
        let function = name.strip_prefix(['F', 'f']).and_then(|number| number.parse::<u32>().ok());
        if let Some(number @ 1..=12) = function {
            let name = format!("F{number}");
            return Some(key(&name, &name, 111 + number, None));
        }
        let mut characters = name.chars();
        let (Some(character), None) = (characters.next(), characters.next()) else { return None };
        let typed = |character: char| character.to_string();
        if character.is_ascii_alphabetic() {
            let upper = character.to_ascii_uppercase();
            let text = typed(if shift { upper } else { character });
            return Some(key(&text, &format!("Key{upper}"), u32::from(upper), Some(&text)));
        }
        let digit = character.to_digit(10).or_else(|| SHIFTED_DIGITS.find(character).map(|at| at as u32));
        if let Some(digit) = digit {
            let shifted = SHIFTED_DIGITS.chars().nth(digit as usize).filter(|_| shift).unwrap_or(character);
            let text = typed(shifted);
            return Some(key(&text, &format!("Digit{digit}"), 48 + digit, Some(&text)));
        }
        if let Some(&(plain, shifted, code, number)) =
            SIGNS.iter().find(|(plain, shifted, ..)| [*plain, *shifted].contains(&character))
        {
            let text = typed(if shift && character == plain { shifted } else { character });
            return Some(key(&text, code, number, Some(&text)));
        }
        // Any other character is typed by a key that no keyboard is asked for.
        (!character.is_control()).then(|| key(&typed(character), "", 0, Some(&typed(character))))
    }

    fn down(&self) -> Value {
        let mut event = json!({
            "type": if self.text.is_some() { "keyDown" } else { "rawKeyDown" },
            "key": self.name, "code": self.code, "modifiers": self.modifiers,
            "windowsVirtualKeyCode": self.number, "nativeVirtualKeyCode": self.number,
        });
        if let Some(text) = &self.text {
            event["text"] = json!(text);
            event["unmodifiedText"] = json!(text);
        }
        let command = COMMANDS.iter().find(|(key, _)| key.eq_ignore_ascii_case(&self.name));
        if let Some((_, command)) = command.filter(|_| matches!(self.modifiers, CONTROL | META)) {
            event["commands"] = json!([command]);
        }
        event
    }

    fn up(&self) -> Value {
        json!({
            "type": "keyUp", "key": self.name, "code": self.code, "modifiers": self.modifiers,
            "windowsVirtualKeyCode": self.number, "nativeVirtualKeyCode": self.number,
        })
    }

    /// Presses the key and lets go, on what has the focus.
    pub(super) async fn press(&self, page: &Page<'_>, deadline: tokio::time::Instant) -> Result<(), Halt> {
        let down = super::pointer::input(page, "Input.dispatchKeyEvent", self.down(), deadline).await;
        if down.is_err() {
            // Whatever holds the page, the key does not stay down.
            page.session.post("Input.dispatchKeyEvent", self.up());
            return down;
        }
        super::pointer::input(page, "Input.dispatchKeyEvent", self.up(), deadline).await
    }
}

/// The name that a key goes by, however it is spelled.
fn canonical(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|(_, name)| *name);
    let known = || NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name)).map(|(known, ..)| *known);
    alias.or_else(known).unwrap_or(name)
}

/// A key, or what there is.
pub(super) fn read(text: &str) -> Result<Key, Halt> {
    Key::parse(text).ok_or_else(|| {
        let names: Vec<&str> = NAMED.iter().map(|(name, ..)| if *name == " " { "Space" } else { name }).collect();
        // What is no key may be a password that was meant to be typed: it is not repeated.
        let what = "there is no such key";
        let next = format!(
            "press a single character, F1 to F12, {}, with Control+, Shift+, Alt+ or Meta+ before it where wanted",
            names.join(", ")
        );
        Halt::Failed(Error::new(Code::ActionFailed, what).next(next))
    })
}

#[cfg(test)]
mod tests {
    use super::{CONTROL, Key, SHIFT};

    #[test]
    fn keys_are_read_as_people_write_them() {
        for (written, name, code, number, text, modifiers) in [
            ("Enter", "Enter", "Enter", 13, Some("\r"), 0),
            ("return", "Enter", "Enter", 13, Some("\r"), 0),
            ("Control+a", "a", "KeyA", 65, None, CONTROL),
            ("ctrl+shift+Tab", "Tab", "Tab", 9, None, CONTROL | SHIFT),
            ("Shift+a", "A", "KeyA", 65, Some("A"), SHIFT),
            ("A", "A", "KeyA", 65, Some("A"), 0),
            ("Shift+1", "!", "Digit1", 49, Some("!"), SHIFT),
            ("!", "!", "Digit1", 49, Some("!"), 0),
            ("?", "?", "Slash", 191, Some("?"), 0),
            ("+", "+", "Equal", 187, Some("+"), 0),
            ("Control++", "+", "Equal", 187, None, CONTROL),
            ("Space", " ", "Space", 32, Some(" "), 0),
            ("f5", "F5", "F5", 116, None, 0),
            ("ä", "ä", "", 0, Some("ä"), 0),
        ] {
            let expected =
                Key { name: name.to_owned(), code: code.to_owned(), number, text: text.map(str::to_owned), modifiers };
            assert_eq!(Key::parse(written), Some(expected), "{written}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for written in ["", "Entr", "Hyper+a", "a+b", "Control+", "F13", "\n"] {
            assert_eq!(Key::parse(written), None, "{written}");
        }
    }
}
