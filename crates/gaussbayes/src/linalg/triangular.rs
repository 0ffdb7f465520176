//! Solves with a lower triangular matrix.

use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{MatMut, MatRef, Par};

/// A lower triangular matrix with a positive diagonal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Triangular {
    dim: usize,
    /// Column by column, zeros above the diagonal.
    columns: Vec<f64>,
}

impl Triangular {
    /// From a lower triangle stored row by row.
    pub(crate) fn new(triangle: &[f64], dim: usize) -> Self {
        let mut columns = vec![0.0; dim * dim];
        let mut values = triangle.iter();
        for i in 0..dim {
            for (j, &value) in values.by_ref().take(i + 1).enumerate() {
                columns[j * dim + i] = value;
            }
        }
        Self { dim, columns }
    }

    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        self.columns[j * self.dim + i]
    }

    pub(crate) fn diagonal(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.dim).map(|i| self.get(i, i))
    }

    /// Back to a lower triangle stored row by row.
    pub(crate) fn triangle(&self) -> Vec<f64> {
        (0..self.dim).flat_map(|i| (0..=i).map(move |j| self.get(i, j))).collect()
    }

    /// Multiplies row `i` by `factor[i]`.
    pub(crate) fn scale_rows(&mut self, factor: &[f64]) {
        for column in self.columns.chunks_exact_mut(self.dim) {
            for (value, f) in column.iter_mut().zip(factor) {
                *value *= f;
            }
        }
    }

    /// Replaces each row x of `rows` by L⁻¹x.
    pub(crate) fn solve_rows(&self, rows: &mut [f64]) {
        let count = rows.len() / self.dim.max(1);
        if count > 0 {
            solve_lower_triangular_in_place(
                MatRef::from_column_major_slice(&self.columns, self.dim, self.dim),
                MatMut::from_column_major_slice_mut(rows, self.dim, count),
                Par::Seq,
            );
        }
    }

    /// x ↦ L⁻ᵀx in place, by back substitution.
    pub(crate) fn solve_transposed(&self, x: &mut [f64]) {
        for i in (0..self.dim).rev() {
            let below: f64 = (i + 1..self.dim).map(|j| self.get(j, i) * x[j]).sum();
            x[i] = (x[i] - below) / self.get(i, i);
        }
    }
}
