//! Finds the real roots of short polynomials on an interval \[M44\].

use crate::tolerance::{KIND_ROUNDING, ROOT_STEPS};

/// Coefficients of 1, u, u², u³, u⁴.
pub(crate) type Quartic = [f64; 5];

/// The value and the size of its terms.
pub(crate) fn value(coefficients: &[f64], u: f64) -> (f64, f64) {
    let step = |(sum, size): (f64, f64), c: &f64| (sum * u + c, size * u.abs() + c.abs());
    coefficients.iter().rev().fold((0.0, 0.0), step)
}

/// The product of two quadratics.
pub(crate) fn product(a: &[f64; 3], b: &[f64; 3]) -> Quartic {
    let mut all = [0.0; 5];
    for (i, a) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, b)| all[i + j] += a * b);
    }
    all
}

/// The roots between `low` and `high` in ascending order, touching ones included.
///
/// Between two neighbouring roots of the derivative there is one at most, found by bisection that
/// Newton's steps shorten: nothing depends on the size of coefficients.
pub(crate) fn roots(coefficients: &[f64], low: f64, high: f64) -> Vec<f64> {
    let degree = coefficients.iter().rposition(|c| *c != 0.0).unwrap_or(0);
    let coefficients = &coefficients[..=degree];
    if degree == 0 {
        return Vec::new();
    }
    let slope: Vec<f64> =
        coefficients.iter().enumerate().skip(1).map(|(k, c)| k as f64 * c).collect();
    let mut knots = vec![low];
    knots.extend(roots(&slope, low, high));
    knots.push(high);
    let mut found: Vec<f64> = Vec::new();
    for pair in knots.windows(2) {
        let ((left, size), (right, _)) =
            (value(coefficients, pair[0]), value(coefficients, pair[1]));
        if left.abs() <= KIND_ROUNDING * size {
            found.push(pair[0]);
        }
        // Signs, not a product: that may be too small for a number.
        if left != 0.0 && right != 0.0 && (left < 0.0) != (right < 0.0) {
            found.push(between(coefficients, &slope, pair[0], pair[1], left));
        }
    }
    let (last, size) = value(coefficients, high);
    if last.abs() <= KIND_ROUNDING * size {
        found.push(high);
    }
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// The root between two arguments of different sign.
fn between(coefficients: &[f64], slope: &[f64], mut low: f64, mut high: f64, at_low: f64) -> f64 {
    let mut u = 0.5 * (low + high);
    for _ in 0..ROOT_STEPS {
        let here = value(coefficients, u).0;
        if here == 0.0 {
            return u;
        }
        if (here < 0.0) == (at_low < 0.0) {
            low = u;
        } else {
            high = u;
        }
        let step = here / value(slope, u).0;
        let inside = low < u - step && u - step < high && step.abs() < 0.5 * (high - low);
        let next = if inside { u - step } else { 0.5 * (low + high) };
        if (next - u).abs() <= f64::EPSILON * u.abs() || low == high {
            return next;
        }
        u = next;
    }
    u
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (u − r₁)(u − r₂)…
    fn with_roots(all: &[f64]) -> Vec<f64> {
        let mut coefficients = vec![1.0];
        for r in all {
            let mut next = vec![0.0; coefficients.len() + 1];
            for (k, c) in coefficients.iter().enumerate() {
                next[k] -= r * c;
                next[k + 1] += c;
            }
            coefficients = next;
        }
        coefficients
    }

    #[test]
    fn roots_are_found_at_any_scale() {
        for scale in [1.0, 1e-200, 1e200] {
            for unit in [1.0, 1e-6, 1e6] {
                let expected = [-2.0, -0.5, 0.25, 3.0].map(|r| r * unit);
                let coefficients: Vec<f64> =
                    with_roots(&expected).iter().map(|c| c * scale).collect();
                let found = roots(&coefficients, -10.0 * unit, 10.0 * unit);
                assert_eq!(found.len(), 4, "{scale} {unit} {found:?}");
                for (a, b) in found.iter().zip(expected) {
                    assert!((a - b).abs() <= 1e-13 * unit, "{a} {b}");
                }
                assert_eq!(roots(&coefficients, 0.0, unit).len(), 1);
            }
        }
    }

    #[test]
    fn touching_roots_and_none_are_told_apart() {
        let touching = roots(&with_roots(&[1.0, 1.0]), -3.0, 3.0);
        assert!(touching.iter().all(|u| (u - 1.0).abs() < 1e-7) && !touching.is_empty());
        assert!(roots(&[1.0, 0.0, 1.0], -3.0, 3.0).is_empty());
        assert!(roots(&[2.0], -1.0, 1.0).is_empty());
        assert_eq!(roots(&[-1.0, 2.0, 0.0, 0.0], -1.0, 1.0), [0.5]);
    }
}
