//! Decimal numbers, exactly: to the nearest float and back to the fewest digits that mean it.
//!
//! The standard library does both with tables and four algorithms: a browser would load 20 KB more, 16 KB gzipped.
//! Numbers with a fraction are rare in payloads and short where they come, so that digits in an array, shifted a few bits
//! at a time, are fast enough: a number of up to 15 digits needs no shift at all.

#![expect(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "digits are counted up to 820, and points that are cast are positive"
)]

/// Digits that are kept. No float and no middle between two has more than 768; of a longer number it is only told that
/// there was more.
const MOST: usize = 800;
/// Bits of one shift: what is carried stays within 64.
const STEP: i32 = 57;
/// Digits of which any number of a usual size reads back as itself.
pub(crate) const SAFE: usize = 15;
/// Bits of a float's significand, without the one that goes without saying.
const BITS: i32 = 52;
const LEAST_EXPONENT: i32 = -1022;
const INFINITE_EXPONENT: i32 = 1024;

/// `0.d₁d₂d₃…` times ten to the power of `point`; no zeros at either end. No digits: zero.
#[derive(Clone, Debug)]
pub(crate) struct Decimal {
    digits: [u8; MOST],
    count: usize,
    point: i32,
    /// Digits other than zero were left out at the end.
    more: bool,
}

impl Decimal {
    const ZERO: Self = Self { digits: [0; MOST], count: 0, point: 0, more: false };

    /// Reads digits that may have a point in them and an exponent after them, without a sign; `None` for anything else.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let mut number = Self::ZERO;
        let mut rest = text;
        let (mut any, mut fraction) = (false, false);
        while let [byte, after @ ..] = rest {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    number.point = number.point.saturating_add(i32::from(!fraction));
                    if *byte == b'0' && number.count == 0 {
                        number.point = number.point.saturating_sub(1);
                    } else {
                        number.push(byte - b'0');
                    }
                }
                b'.' if !fraction => fraction = true,
                _ => break,
            }
            rest = after;
        }
        if let [b'e' | b'E', exponent @ ..] = rest {
            number.point = number.point.saturating_add(read_exponent(exponent)?);
            rest = b"";
        }
        number.trim();
        (any && rest.is_empty()).then_some(number)
    }

    /// A float's value, which must be finite; its sign is left out.
    pub(crate) fn of(float: f64) -> Self {
        let (significand, exponent) = parts(float);
        let mut number = Self::ZERO;
        let mut digits = [0; 20];
        let mut count = 0;
        let mut rest = significand;
        for digit in &mut digits {
            if rest == 0 {
                break;
            }
            *digit = (rest % 10) as u8;
            rest /= 10;
            count += 1;
        }
        digits.iter().take(count).rev().for_each(|&digit| number.push(digit));
        number.point = count as i32;
        number.trim();
        number.shift(exponent - BITS);
        number
    }

    /// The digits, as numbers from 0 to 9.
    pub(crate) fn digits(&self) -> &[u8] {
        self.digits.get(..self.count).unwrap_or_default()
    }

    /// Where the point is: after so many digits, or so many zeros before them.
    pub(crate) const fn point(&self) -> i32 {
        self.point
    }

    /// The nearest float, the even one of two that are as near.
    pub(crate) fn to_f64(&self) -> f64 {
        if self.count == 0 || self.point < -330 {
            return 0.0;
        }
        if self.point > 310 {
            return f64::INFINITY;
        }
        let mut scaled = self.clone();
        let mut exponent = -1;
        // To a number from a half to one: a digit is 3.3 bits.
        while scaled.point > 0 {
            let bits = if scaled.point > 17 { STEP } else { (scaled.point * 33 / 10).max(1) };
            scaled.shift(-bits);
            exponent += bits;
        }
        while scaled.point < 0 || scaled.first() < 5 {
            let bits = if scaled.point < -17 { STEP } else { (-scaled.point * 33 / 10).max(1) };
            scaled.shift(bits);
            exponent -= bits;
        }
        if exponent < LEAST_EXPONENT {
            scaled.shift(exponent - LEAST_EXPONENT);
            exponent = LEAST_EXPONENT;
        }
        scaled.shift(BITS + 1);
        let mut significand = scaled.to_integer();
        if significand >> (BITS + 1) != 0 {
            significand >>= 1;
            exponent += 1;
        }
        if exponent >= INFINITE_EXPONENT {
            return f64::INFINITY;
        }
        let hidden = 1 << BITS;
        let biased = if significand & hidden == 0 { 0 } else { u64::from((exponent + 1023).unsigned_abs()) };
        f64::from_bits(significand & (hidden - 1) | biased << BITS)
    }

    /// The number of the fewest digits that reads back as this float, the nearest of several. The float is not zero.
    pub(crate) fn shortest(float: f64) -> Self {
        let exact = Self::of(float);
        let fewest = if float.abs() < f64::MIN_POSITIVE { 1 } else { SAFE };
        for digits in fewest..=17 {
            let rounded = exact.rounded(digits);
            let other = if exact.rounds_up(digits) { exact.cut(digits) } else { exact.raised(digits) };
            for candidate in [rounded, other] {
                if candidate.to_f64().to_bits() == float.abs().to_bits() {
                    return candidate;
                }
            }
        }
        exact
    }

    /// Rounded to that many digits, a half to the even digit.
    pub(crate) fn rounded(&self, digits: usize) -> Self {
        if self.rounds_up(digits) { self.raised(digits) } else { self.cut(digits) }
    }

    fn rounds_up(&self, digits: usize) -> bool {
        match self.digits().get(digits..) {
            Some([5]) if !self.more => digits.checked_sub(1).is_some_and(|last| self.digit(last) % 2 == 1),
            Some([first, ..]) => *first >= 5,
            _ => false,
        }
    }

    /// The first so many digits.
    fn cut(&self, digits: usize) -> Self {
        let mut number = self.clone();
        number.count = number.count.min(digits);
        number.more = false;
        number.trim();
        number
    }

    /// The first so many digits, and one more in the last place.
    fn raised(&self, digits: usize) -> Self {
        let mut number = self.clone();
        number.more = false;
        number.count = digits.min(MOST);
        while let Some(last) = number.count.checked_sub(1) {
            let Some(digit) = number.digits.get_mut(last) else { break };
            let value = if last < self.count { *digit } else { 0 };
            if value < 9 {
                *digit = value + 1;
                return number;
            }
            number.count = last;
        }
        number.point += 1;
        number.push(1);
        number
    }

    /// The nearest integer; the number is less than 2⁶⁰.
    fn to_integer(&self) -> u64 {
        let whole = self.point.max(0) as usize;
        let integer = (0..whole.min(19)).fold(0_u64, |integer, at| integer * 10 + u64::from(self.digit(at)));
        integer + u64::from(self.point >= 0 && self.rounds_up(whole))
    }

    fn digit(&self, at: usize) -> u8 {
        self.digits().get(at).copied().unwrap_or(0)
    }

    fn first(&self) -> u8 {
        self.digit(0)
    }

    fn push(&mut self, digit: u8) {
        match self.digits.get_mut(self.count) {
            Some(place) => {
                *place = digit;
                self.count += 1;
            }
            None => self.more |= digit != 0,
        }
    }

    fn trim(&mut self) {
        while let Some(last) = self.count.checked_sub(1)
            && self.digit(last) == 0
        {
            self.count = last;
        }
        if self.count == 0 {
            self.point = 0;
        }
    }

    /// Times two to the power of `bits`.
    fn shift(&mut self, bits: i32) {
        let mut rest = bits;
        while rest != 0 && self.count > 0 {
            let step = rest.clamp(-STEP, STEP);
            if step > 0 {
                self.shift_left(step.unsigned_abs());
            } else {
                self.shift_right(step.unsigned_abs());
            }
            rest -= step;
        }
    }

    /// From the last digit to the first, what does not fit into a digit carried on.
    fn shift_left(&mut self, bits: u32) {
        let mut shifted = [0; MOST + 20];
        let mut start = shifted.len();
        let mut carried = 0;
        let mut digits = self.digits().iter().rev();
        loop {
            let digit = digits.next();
            if digit.is_none() && carried == 0 {
                break;
            }
            carried += u64::from(digit.copied().unwrap_or(0)) << bits;
            start -= 1;
            if let Some(place) = shifted.get_mut(start) {
                *place = (carried % 10) as u8;
            }
            carried /= 10;
        }
        self.point += (shifted.len() - start) as i32 - self.count as i32;
        self.count = 0;
        shifted.get(start..).unwrap_or_default().iter().for_each(|&digit| self.push(digit));
        self.trim();
    }

    /// From the first digit to the last, what remains carried on, and then the digits of the remainder.
    fn shift_right(&mut self, bits: u32) {
        let before = self.clone();
        let mut digits = before.digits().iter();
        let mut remainder = 0_u64;
        let mut point = before.point;
        self.count = 0;
        loop {
            let digit = digits.next();
            if digit.is_none() && remainder == 0 {
                break;
            }
            remainder = remainder * 10 + u64::from(digit.copied().unwrap_or(0));
            let quotient = (remainder >> bits) as u8;
            remainder &= (1 << bits) - 1;
            if quotient == 0 && self.count == 0 {
                point -= 1;
            } else {
                self.push(quotient);
            }
        }
        self.point = point;
        self.trim();
    }
}

/// The float that a number means, with its sign; `None` where the text is no number.
pub(crate) fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let float = Decimal::read(digits.as_bytes())?.to_f64();
    Some(if digits.len() < text.len() { -float } else { float })
}

/// Digits with or without a sign; more than any exponent where they are many.
fn read_exponent(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] | digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let exponent = digits
        .iter()
        .fold(0_i32, |exponent, digit| exponent.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    Some(if negative { -exponent } else { exponent })
}

/// A float's significand with all of its bits, and the exponent of the first of them.
fn parts(float: f64) -> (u64, i32) {
    let bits = float.to_bits();
    let significand = bits & ((1 << BITS) - 1);
    match (bits >> BITS & 0x7FF) as i32 {
        0 => (significand, LEAST_EXPONENT),
        exponent => (significand | 1 << BITS, exponent - 1023),
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use proptest::prelude::*;

    use super::Decimal;

    fn read(text: &str) -> f64 {
        Decimal::read(text.as_bytes()).unwrap().to_f64()
    }

    /// As `{:e}` writes it.
    fn written(number: &Decimal) -> String {
        let digits: String = number.digits().iter().map(|&digit| char::from(b'0' + digit)).collect();
        let (first, rest) = digits.split_at(1);
        format!("{first}{}{rest}e{}", if rest.is_empty() { "" } else { "." }, number.point() - 1)
    }

    #[test]
    fn numbers_at_the_edges_read_as_the_standard_library_reads_them() {
        for text in [
            "0.0",
            "0e9999999999",
            "1e400",
            "1e-400",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "9007199254740993.0",
            "9007199254740992.9999",
            "0.30000000000000004",
            "8.41e21",
            "123456789012345678e0",
            "1e23",
            "0.000001",
            "100000.5",
            "00.5",
            "1.e3",
            "179769313486231580793728971405301e276",
        ] {
            assert_eq!(read(text).to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
        // Halfway between two floats, and a little more than can be kept.
        let halfway = format!("{:.1100}", f64::from_bits(1)) + &"0".repeat(900);
        assert_eq!(read(&halfway).to_bits(), 1);
        let above = format!("9007199254740993.{}1", "0".repeat(2000));
        assert_eq!(read(&above).to_bits(), above.parse::<f64>().unwrap().to_bits());
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", ".", "e5", "1e", "1e+", "1.2.3", "-1", "1 ", "inf", "NaN", "1e5x"] {
            assert!(Decimal::read(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn powers_of_two_have_the_fewest_digits_although_the_gap_below_them_is_narrow() {
        for exponent in 1..2047_u64 {
            let float = f64::from_bits(exponent << 52);
            let shortest = Decimal::shortest(float);
            assert_eq!(shortest.to_f64().to_bits(), float.to_bits());
            assert_eq!(written(&shortest).len(), format!("{float:e}").len());
        }
        // As near as 313, and even, as Python has it.
        assert_eq!(written(&Decimal::shortest(2_f64.powi(-25))), "2.9802322387695312e-8");
    }

    proptest! {
        #[test]
        fn any_float_is_written_as_the_standard_library_writes_it(bits in 1_u64..0x7FF0_0000_0000_0000) {
            let float = f64::from_bits(bits);
            prop_assert_eq!(written(&Decimal::shortest(float)), format!("{float:e}"));
            prop_assert_eq!(Decimal::of(float).to_f64().to_bits(), bits);
        }

        #[test]
        fn any_subnormal_float_is_written_as_the_standard_library_writes_it(bits in 1_u64..1 << 52) {
            let float = f64::from_bits(bits);
            prop_assert_eq!(written(&Decimal::shortest(float)), format!("{float:e}"));
        }

        #[test]
        fn any_digits_read_as_the_standard_library_reads_them(text in "[0-9]{1,30}(\\.[0-9]{1,30})?(e[+-]?[0-9]{1,3})?") {
            prop_assert_eq!(read(&text).to_bits(), text.parse::<f64>().unwrap().to_bits());
        }

        #[test]
        fn up_to_fifteen_digits_are_their_own_shortest_form(
            digits in 1_u64..999_999_999_999_999, exponent in -300_i32..280,
        ) {
            let text = format!("{digits}e{exponent}");
            let float: f64 = text.parse().unwrap();
            prop_assert_eq!(written(&Decimal::read(text.as_bytes()).unwrap()), format!("{float:e}"));
        }
    }
}
