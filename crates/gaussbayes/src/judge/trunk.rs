//! Computes how often Trunk's example errs, exactly \[M87\].

use crate::risk::{Chance, Form};
use crate::special::normal_upper;

/// Two classes N(±m, I) with m_j = 1/√j: every column helps, each less than the last (Trunk 1979).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trunk {
    /// Number of columns.
    pub dim: usize,
}

impl Trunk {
    /// The mean of the second class; that of the first is its negative.
    pub fn mean(self) -> Vec<f64> {
        (1..=self.dim).map(|j| 1.0 / (j as f64).sqrt()).collect()
    }

    /// Error of the best rule, that of the known mean: Q(√Σ1/j), which falls to 0.
    pub fn bayes_error(self) -> f64 {
        let square: f64 = (1..=self.dim).rev().map(|j| 1.0 / j as f64).sum();
        normal_upper(square.sqrt())
    }

    /// Expected error of sign(xᵀm̂), m̂ the mean of `rows` rows of known sign: it rises to ½ \[M87\].
    pub fn direction_error(self, rows: f64) -> Chance {
        self.negative(1.0, 1.0 / rows.sqrt(), 0.0)
    }

    /// Expected error of the nearest of two class means, of `first` and `second` rows \[M87\].
    pub fn nearest_mean_error(self, first: f64, second: f64) -> Chance {
        // x − (m₁ + m₂)/2 and (m₂ − m₁)/2: each has a variance beside that of a row, and both have a covariance.
        let variance = 0.25 * (1.0 / first + 1.0 / second);
        let covariance = 0.25 * (1.0 / first - 1.0 / second);
        let spread = (1.0 + variance).sqrt();
        let errors = [covariance, -covariance].map(|c| self.negative(spread, variance.sqrt(), c));
        Chance {
            value: 0.5 * (errors[0].value + errors[1].value),
            error: 0.5 * (errors[0].error + errors[1].error),
        }
    }

    /// P(uᵀv < 0) of u ~ N(m, s²I) and v ~ N(m, t²I) with covariance c in every column.
    fn negative(self, s: f64, t: f64, c: f64) -> Chance {
        let rho = c / (s * t);
        // uv = ¼st((u/s + v/t)² − (u/s − v/t)²), and the two are independent.
        let mut form = Form::default();
        for m in self.mean() {
            for (sign, rho) in [(1.0, rho), (-1.0, -rho)] {
                let (middle, variance) = (m / s + sign * m / t, 2.0 * (1.0 + rho));
                form.w.push(sign * 0.25 * s * t * variance);
                form.b.push(sign * 0.5 * s * t * middle * variance.sqrt());
            }
            form.c += m * m;
        }
        let tails = form.tails_at(&[0.0]);
        let tail = &tails[0];
        Chance { value: tail.below, error: tail.error * tail.below.min(tail.above) }
    }
}
