//! Where a payload stops being JSON.
//!
//! The scanner only learns that a payload is broken. This slow pass then finds the first byte at which no JSON text
//! could go on: the length of the payload where it merely ends too early. It shares no code with the scanner's own
//! validation, so that each tests the other.

use super::value::Nesting;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Value,
    /// A value, or the end of the array just opened.
    FirstItem,
    Key,
    /// A key, or the end of the object just opened.
    FirstKey,
    /// A comma, or the end of the innermost container; after the outermost value nothing.
    Separator,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The first byte at which no JSON text in UTF-8 could go on; `None` for a payload that is one.
pub(super) fn first_fault(payload: &[u8], nesting: &mut Nesting) -> Option<usize> {
    let mark = BYTE_ORDER_MARK.iter().zip(payload).take_while(|(mark, byte)| mark == byte).count();
    if mark == 1 || mark == 2 {
        return Some(mark);
    }
    let syntax = Reader { payload, at: mark }.document(nesting).err();
    match (syntax, encoding_fault(payload)) {
        (Some(syntax), Some(encoding)) => Some(syntax.min(encoding)),
        (syntax, encoding) => syntax.or(encoding),
    }
}

/// The first byte at which no UTF-8 text could go on.
fn encoding_fault(payload: &[u8]) -> Option<usize> {
    let fault = core::str::from_utf8(payload).err()?;
    let start = fault.valid_up_to();
    Some(match fault.error_len() {
        None => payload.len(),
        // A byte that begins no character is the fault itself; else it is the byte after those that fit.
        Some(1) if !matches!(payload.get(start), Some(0xC2..=0xF4)) => start,
        Some(length) => start + length,
    })
}

/// Reads syntax only: any byte above ASCII is a character of a string. `Err` is where it can't go on.
struct Reader<'a> {
    payload: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&self) -> u8 {
        self.payload.get(self.at).copied().unwrap_or(0)
    }

    fn accept(&mut self, bytes: &[u8]) -> bool {
        let found = self.at < self.payload.len() && bytes.contains(&self.byte());
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), usize> {
        if self.accept(bytes) { Ok(()) } else { Err(self.at) }
    }

    fn space(&mut self) {
        while self.accept(b" \t\n\r") {}
    }

    fn document(&mut self, nesting: &mut Nesting) -> Result<(), usize> {
        nesting.clear();
        let mut next = Next::Value;
        loop {
            self.space();
            next = match next {
                Next::FirstItem if self.accept(b"]") => closed(nesting),
                Next::FirstKey if self.accept(b"}") => closed(nesting),
                Next::Value | Next::FirstItem => self.value(nesting)?,
                Next::Key | Next::FirstKey => {
                    self.string()?;
                    self.space();
                    self.expect(b":")?;
                    Next::Value
                }
                Next::Separator if nesting.is_empty() => {
                    return if self.at == self.payload.len() { Ok(()) } else { Err(self.at) };
                }
                Next::Separator if self.accept(b",") => {
                    if nesting.in_object() {
                        Next::Key
                    } else {
                        Next::Value
                    }
                }
                Next::Separator => {
                    self.expect(if nesting.in_object() { b"}" } else { b"]" })?;
                    closed(nesting)
                }
            };
        }
    }

    fn value(&mut self, nesting: &mut Nesting) -> Result<Next, usize> {
        match self.byte() {
            b'{' => {
                self.at += 1;
                nesting.open(true);
                return Ok(Next::FirstKey);
            }
            b'[' => {
                self.at += 1;
                nesting.open(false);
                return Ok(Next::FirstItem);
            }
            b'"' => self.string()?,
            b't' => self.word(b"true")?,
            b'f' => self.word(b"false")?,
            b'n' => self.word(b"null")?,
            _ => self.number()?,
        }
        Ok(Next::Separator)
    }

    fn word(&mut self, word: &[u8]) -> Result<(), usize> {
        word.iter().try_for_each(|&byte| self.expect(&[byte]))
    }

    fn string(&mut self) -> Result<(), usize> {
        self.expect(b"\"")?;
        loop {
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    self.at += 1;
                    if self.accept(b"u") {
                        (0..4).try_for_each(|_| self.expect(b"0123456789abcdefABCDEF"))?;
                    } else {
                        self.expect(b"\"\\/bfnrt")?;
                    }
                }
                0..0x20 => return Err(self.at),
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Result<(), usize> {
        self.accept(b"-");
        if !self.accept(b"0") {
            self.digits()?;
        }
        if self.accept(b".") {
            self.digits()?;
        }
        if self.accept(b"eE") {
            self.accept(b"+-");
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), usize> {
        const DIGITS: &[u8] = b"0123456789";
        self.expect(DIGITS)?;
        while self.accept(DIGITS) {}
        Ok(())
    }
}

/// Leaves the innermost container.
fn closed(nesting: &mut Nesting) -> Next {
    nesting.close();
    Next::Separator
}
