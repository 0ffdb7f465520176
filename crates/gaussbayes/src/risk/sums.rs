//! Sums chances up to costs and rates, with their errors \[M47\].

use super::Chance;
use super::method::Method;
use crate::tolerance::{NORMAL_999, STUDENT_999};

/// The rows of a confusion matrix and how they came about.
pub(super) struct Found {
    pub(super) rows: Vec<Vec<Chance>>,
    pub(super) method: Method,
    pub(super) columns: usize,
    /// Directions or draws of each row.
    pub(super) points: u64,
    /// Row by row and shift by shift the means of a lattice.
    pub(super) shifts: Vec<Vec<Vec<f64>>>,
}

impl Found {
    /// Rows that are known to rounding and quadrature.
    pub(super) fn exact(rows: Vec<Vec<Chance>>, method: Method, columns: usize) -> Self {
        Self { rows, method, columns, points: 0, shifts: Vec::new() }
    }

    /// Σ_a cost(a) P(a | i): chances of one row depend on each other, and estimates know how.
    pub(super) fn cost(&self, i: usize, cost: impl Fn(usize) -> f64) -> Chance {
        let row = &self.rows[i];
        let sum = |of: &dyn Fn(usize) -> f64| (0..row.len()).map(of).sum::<f64>();
        let value = sum(&|a| cost(a) * row[a].value);
        let error = match (self.method, self.shifts.get(i)) {
            (Method::Lattice, Some(shifts)) => {
                let of_shift = |shift: &Vec<f64>| sum(&|a| cost(a) * shift[a]);
                half_width(&shifts.iter().map(of_shift).collect::<Vec<f64>>())
            }
            (Method::Simulation, _) => {
                let (n, z) = (self.points as f64, NORMAL_999);
                let square = sum(&|a| cost(a) * cost(a) * row[a].value) - value * value;
                let most = (0..row.len()).map(|a| cost(a).abs()).fold(0.0, f64::max);
                z * (square.max(0.0) / n).sqrt() + most * z * z / n
            }
            _ => sum(&|a| cost(a).abs() * row[a].error),
        };
        Chance { value, error }
    }

    /// Σ_i weight_i row_i: rows of estimates are independent of each other.
    pub(super) fn mean(&self, weights: &[f64], rows: &[Chance]) -> Chance {
        let value = weights.iter().zip(rows).map(|(w, row)| w * row.value).sum();
        let errors = || weights.iter().zip(rows).map(|(w, row)| w * row.error);
        let error = if self.method.is_estimate() {
            errors().map(|error| error * error).sum::<f64>().sqrt()
        } else {
            errors().sum()
        };
        Chance { value, error }
    }
}

/// Half of the 99.9 % interval of the mean of some shifts.
pub(super) fn half_width(shifts: &[f64]) -> f64 {
    let n = shifts.len() as f64;
    let mean = shifts.iter().sum::<f64>() / n;
    let square: f64 = shifts.iter().map(|x| (x - mean) * (x - mean)).sum();
    STUDENT_999 * (square / (n * (n - 1.0))).sqrt()
}
