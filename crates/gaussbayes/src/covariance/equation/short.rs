//! Finds the numbers of few digits that a person would have meant.

/// A number as people write it: a decimal over 1, 1 over a decimal, or one small whole over another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Short {
    pub(super) over: f64,
    pub(super) under: f64,
}

/// Digits of a decimal that is taken before all else.
const FEW: usize = 4;

/// Digits of the longest decimal that counts as short: beyond, every measured number is one.
const MOST: usize = 6;

/// The largest number below a fraction bar.
const UNDER: u32 = 12;

/// Digits of a constant: as many as people type.
const TYPED: usize = 12;

impl Short {
    pub(super) fn value(self) -> f64 {
        self.over / self.under
    }

    /// The first short number within a relative error of `x`.
    pub(super) fn near(x: f64, error: f64) -> Option<Self> {
        if !x.is_normal() {
            return None;
        }
        let decimal = |digits: usize| Self { over: rounded(x, digits), under: 1.0 };
        let inverse = |digits: usize| {
            let under = rounded(x.recip(), digits);
            Self { over: under.signum(), under: under.abs() }
        };
        let fraction = |under: u32| {
            let under = f64::from(under);
            Self { over: (x * under).round(), under }
        };
        let is_small = |short: &Self| short.over.abs() < 100.0;
        (1..=FEW)
            .map(decimal)
            .chain((2..=UNDER).map(fraction).filter(is_small))
            .chain((1..=FEW).map(inverse))
            .chain((FEW + 1..=MOST).map(decimal))
            .chain((FEW + 1..=MOST).map(inverse))
            .filter(|short| short.value().is_normal() && short.under.is_normal())
            .find(|short| (short.value() - x).abs() <= error * x.abs())
    }
}

/// The decimal of fewest digits within `error` of `x`, and its digits.
pub(super) fn decimal(x: f64, error: f64) -> Option<(f64, usize)> {
    (1..=TYPED)
        .map(|digits| (rounded(x, digits), digits))
        .find(|(short, _)| (short - x).abs() <= error)
}

/// `x` to this many significant digits.
pub(super) fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.0$e}", digits.saturating_sub(1)).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_are_found_within_their_error_only() {
        let pair = |x: f64| Short::near(x, 1e-9).map(|short| (short.over, short.under));
        assert_eq!(pair(9.999_999_999_998), Some((10.0, 1.0)));
        assert_eq!(pair(-1.0 / 3.0), Some((-1.0, 3.0)));
        assert_eq!(pair(5.0 / 9.0), Some((5.0, 9.0)));
        assert_eq!(pair(1.0 / 2.54), Some((1.0, 2.54)));
        assert_eq!(pair(-1.0 / 2.54), Some((-1.0, 2.54)));
        assert_eq!(pair(0.25), Some((0.25, 1.0)));
        assert_eq!(pair(1e300), Some((1e300, 1.0)));
        assert_eq!(pair(123.456), Some((123.456, 1.0)));
        assert_eq!(pair(std::f64::consts::PI), None);
        assert_eq!(Short::near(1.000_000_01, 1e-9), None);
        for bad in [0.0, f64::INFINITY, f64::NAN, 5e-324] {
            assert_eq!(Short::near(bad, 1e-9), None);
        }
    }
}
