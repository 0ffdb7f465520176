//! Reads precisions of a mixture in raw units: inverse covariances, and what whitens.

use super::Mixture;
use crate::moments::ldexp;

impl Mixture {
    /// Lower triangle, row by row, of the inverse covariance of component `k` in raw coordinates.
    pub fn raw_precision(&self, k: usize) -> Vec<f64> {
        let framed = self.covariances().get(k).precision();
        let exponent = self.frame().exponent();
        let pairs = (0..self.dim()).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let raw = |((i, j), value): ((usize, usize), f64)| ldexp(value, -exponent[i] - exponent[j]);
        pairs.zip(framed).map(raw).collect()
    }

    /// The upper triangular matrix U, row by row, with UUᵀ = Σ⁻¹ of component `k` in raw coordinates:
    /// (x − μ)ᵀU is white.
    pub fn raw_whitener(&self, k: usize) -> Vec<f64> {
        let (dim, exponent) = (self.dim(), self.frame().exponent());
        let mut rows = vec![0.0; dim * dim];
        for (i, row) in rows.chunks_exact_mut(dim).enumerate() {
            row[i] = 1.0;
        }
        // Whitened, the unit rows are the columns of L⁻¹: the rows of U = L⁻ᵀ.
        self.covariances().get(k).whiten_rows(&mut rows);
        for (row, e) in rows.chunks_exact_mut(dim).zip(exponent) {
            row.iter_mut().for_each(|value| *value = ldexp(*value, -e));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_are_inverses_in_raw_units() {
        // [[4, 2], [2, 2]] = LLᵀ with L = [[2, 0], [1, 1]]; its inverse is [[½, −½], [−½, 1]], and
        // U = L⁻ᵀ = [[½, −½], [0, 1]].
        let means = [vec![1e9, 0.0], vec![1e9 + 5.0, 0.0]];
        let mixture = Mixture::given(&means, &[vec![4.0, 2.0, 2.0]], vec![0.5, 0.5]).unwrap();
        let close = |found: &[f64], expected: &[f64]| {
            assert_eq!(found.len(), expected.len());
            found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-14, "{a} {b}"));
        };
        close(&mixture.raw_precision(1), &[0.5, -0.5, 1.0]);
        close(&mixture.raw_whitener(0), &[0.5, -0.5, 0.0, 1.0]);
    }
}
