//! Decodes the numbers of a saved array: of any width, and with either end first.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, UInt64Array};

/// What the numbers of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    letter: u8,
    width: usize,
    /// Whether the great end of a number comes first.
    great_first: bool,
}

impl Kind {
    /// The kind of a name as NumPy writes it.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (order, rest) = name.split_at_checked(1)?;
        let (letter, width) = rest.split_at_checked(1)?;
        let great_first = match order {
            "<" | "|" => false,
            ">" => true,
            "=" => cfg!(target_endian = "big"),
            _ => return None,
        };
        let (letter, width) = (letter.as_bytes()[0], width.parse().ok()?);
        let known = matches!((letter, width), (b'f', 2 | 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8))
            || (letter, width) == (b'b', 1);
        known.then_some(Self { letter, width, great_first })
    }

    /// Bytes of a number.
    pub(super) fn width(self) -> usize {
        self.width
    }

    /// Numbers that begin `step` bytes apart.
    pub(super) fn column(self, bytes: &[u8], step: usize) -> ArrayRef {
        let bits = bytes.chunks(step.max(1)).map(|chunk| self.bits(chunk));
        match self.letter {
            b'f' => {
                let number = match self.width {
                    2 => |bits: u64| half(bits as u16),
                    4 => |bits: u64| f64::from(f32::from_bits(bits as u32)),
                    _ => f64::from_bits,
                };
                Arc::new(Float64Array::from_iter_values(bits.map(number)))
            }
            b'i' => {
                let unused = 64 - 8 * self.width as u32;
                // The sign is spread by the shift back.
                let number = |bits: u64| (bits << unused) as i64 >> unused;
                Arc::new(Int64Array::from_iter_values(bits.map(number)))
            }
            b'u' => Arc::new(UInt64Array::from_iter_values(bits)),
            _ => Arc::new(bits.map(|bits| Some(bits != 0)).collect::<BooleanArray>()),
        }
    }

    fn bits(self, bytes: &[u8]) -> u64 {
        let mut wide = [0; 8];
        let bytes = &bytes[..self.width.min(bytes.len())];
        wide[..bytes.len()].copy_from_slice(bytes);
        if self.great_first {
            wide[..bytes.len()].reverse();
        }
        u64::from_le_bytes(wide)
    }
}

/// A number of 16 bits: 1 for the sign, 5 for the exponent, 10 for the fraction.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1F), f64::from(bits & 0x3FF));
    let value = match exponent {
        0x1F if fraction != 0.0 => f64::NAN,
        0x1F => f64::INFINITY,
        0 => fraction * 2_f64.powi(-24),
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Float64Type, Int64Type, UInt64Type};

    use super::*;

    fn floats(name: &str, bytes: &[u8], step: usize) -> Vec<f64> {
        let column = Kind::named(name).unwrap().column(bytes, step);
        column.as_primitive::<Float64Type>().values().to_vec()
    }

    #[test]
    fn either_end_may_come_first() {
        let value = -1.5_f64;
        assert_eq!(floats("<f8", &value.to_le_bytes(), 8), [value]);
        assert_eq!(floats(">f8", &value.to_be_bytes(), 8), [value]);
        assert_eq!(floats(">f4", &0.1_f32.to_be_bytes(), 4), [f64::from(0.1_f32)]);
        assert_eq!(
            floats("<f2", &[0x00, 0x3E, 0x01, 0x00, 0x00, 0xFC], 2),
            [1.5, 2_f64.powi(-24), f64::NEG_INFINITY]
        );
        let column = Kind::named(">i2").unwrap().column(&[0xFF, 0xFE, 0, 2], 2);
        assert_eq!(column.as_primitive::<Int64Type>().values(), &[-2, 2]);
        let column = Kind::named("<u4").unwrap().column(&[0xFF; 4], 4);
        assert_eq!(column.as_primitive::<UInt64Type>().values(), &[u64::from(u32::MAX)]);
    }

    #[test]
    fn other_kinds_have_no_name() {
        for name in ["", "f8", "<f16", "<c8", "|O", "<U3", "é8"] {
            assert_eq!(Kind::named(name), None, "{name}");
        }
        assert!(Kind::named("|b1").is_some());
    }
}
