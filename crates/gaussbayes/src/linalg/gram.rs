//! Adds up TᵀT over tiles of rows.

use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::{Accum, MatMut, MatRef, Par};

/// The lower triangle of a sum of TᵀT.
#[derive(Debug)]
pub(crate) struct Gram {
    dim: usize,
    /// Column by column; only the lower triangle is kept up.
    sum: Vec<f64>,
}

impl Gram {
    pub(crate) fn new(dim: usize) -> Self {
        Self { dim, sum: vec![0.0; dim * dim] }
    }

    pub(crate) fn clear(&mut self) {
        self.sum.fill(0.0);
    }

    /// Adds TᵀT of a tile of rows.
    pub(crate) fn add(&mut self, tile: &[f64]) {
        let (dim, rows) = (self.dim, tile.len() / self.dim.max(1));
        if rows == 0 {
            return;
        }
        let columns = MatRef::from_column_major_slice(tile, dim, rows);
        matmul(
            MatMut::from_column_major_slice_mut(&mut self.sum, dim, dim),
            BlockStructure::TriangularLower,
            Accum::Add,
            columns,
            BlockStructure::Rectangular,
            columns.transpose(),
            BlockStructure::Rectangular,
            1.0,
            Par::Seq,
        );
    }

    /// Adds the sum to a lower triangle stored row by row.
    pub(crate) fn add_to(&self, triangle: &mut [f64]) {
        let mut values = triangle.iter_mut();
        for i in 0..self.dim {
            for (j, value) in values.by_ref().take(i + 1).enumerate() {
                *value += self.sum[j * self.dim + i];
            }
        }
    }
}
