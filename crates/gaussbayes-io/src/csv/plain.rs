//! Reads the numbers that most tables consist of: few digits, a point, no exponent.

use super::field::{Field, Form};

/// Digits of a whole number that doubles hold exactly.
const DIGITS: usize = 15;

/// Powers of ten, all of them exact.
const POWERS: [f64; DIGITS + 1] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// The number that fills the field at `at`, and the field; none of a number that is written otherwise.
///
/// Both the digits and the power of ten that divides them are exact: their quotient is rounded once.
#[inline]
pub(super) fn plain_number(bytes: &[u8], at: usize, delimiter: u8) -> Option<(f64, Field)> {
    let rest = bytes.get(at..)?;
    let negative = *rest.first()? == b'-';
    let first = usize::from(negative);
    let (whole, mut end) = digits(rest, first, 0);
    if end == first {
        return None;
    }
    let (mut mantissa, mut fraction) = (whole, 0);
    if rest.get(end) == Some(&b'.') {
        let point = end;
        (mantissa, end) = digits(rest, point + 1, whole);
        fraction = end - point - 1;
        if fraction == 0 {
            return None;
        }
    }
    let stop = *rest.get(end)?;
    if end - first > DIGITS || !(stop == delimiter || stop == b'\n') {
        return None;
    }
    let size = mantissa as f64 / POWERS[fraction];
    let value = if negative { -size } else { size };
    let (end, next) = (at + end, at + end + 1);
    Some((value, Field { start: at, end, next, form: Form::Bare, last: stop == b'\n' }))
}

/// Digits from `at` on behind those of `number`, and where they end.
#[inline]
fn digits(bytes: &[u8], at: usize, number: u64) -> (u64, usize) {
    let (mut number, mut at) = (number, at);
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|d| *d < 10) {
        // Too many digits come to nothing, and are not taken.
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<f64> {
        plain_number(text.as_bytes(), 0, b',').map(|(value, _)| value)
    }

    #[test]
    fn numbers_are_those_that_the_standard_library_reads() {
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (digits, places) = (state >> 14, (state & 15) as usize);
            let number = digits % 10_u64.pow((state >> 5 & 15) as u32);
            let text = format!("{number:0width$}", width = places + 1);
            let (whole, fraction) = text.split_at(text.len() - places);
            let sign = if state & 16 == 0 { "-" } else { "" };
            let point = if places == 0 { "" } else { "." };
            let text = format!("{sign}{whole}{point}{fraction}");
            let expected: f64 = text.parse().unwrap();
            let found = read(&format!("{text},"));
            assert!(found.is_none_or(|x| x.to_bits() == expected.to_bits()), "{text}: {found:?}");
            assert!(found.is_some() || text.len() > DIGITS, "{text}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_left_to_others() {
        for text in ["", "1", "-", ",", ".5,", "5.,", "1e3,", "+1,", " 1,", "1 ,", "1.2.3,", "nan,"]
        {
            assert_eq!(read(text), None, "{text:?}");
        }
        assert_eq!(read("1234567890123456,"), None);
        assert_eq!(read("-0.0,").map(f64::to_bits), Some((-0.0_f64).to_bits()));
        let (_, field) = plain_number(b"7,12.50\nx", 2, b',').unwrap();
        assert_eq!((field.start, field.end, field.next, field.last), (2, 7, 8, true));
    }
}
