//! Finds eigenvalues and eigenvectors of symmetric matrices.

use faer::{Mat, Side};

/// Eigenvalues, smallest first, with their vectors.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Eigen {
    pub(crate) values: Vec<f64>,
    /// Vector `i` is `vectors[i * dim..(i + 1) * dim]`, of length one.
    pub(crate) vectors: Vec<f64>,
}

/// Eigenvalues, smallest first, of the matrix with this lower triangle (row by row).
///
/// `None` when the iteration does not converge, which takes a matrix that is not finite.
pub(crate) fn eigenvalues(triangle: &[f64], dim: usize) -> Option<Vec<f64>> {
    dense(triangle, dim).self_adjoint_eigenvalues(Side::Lower).ok()
}

/// Eigenvalues and eigenvectors of the matrix with this lower triangle (row by row).
///
/// `None` when the iteration does not converge, which takes a matrix that is not finite.
pub(crate) fn eigen(triangle: &[f64], dim: usize) -> Option<Eigen> {
    let found = dense(triangle, dim).self_adjoint_eigen(Side::Lower).ok()?;
    let (values, vectors) = (found.S(), found.U());
    Some(Eigen {
        values: (0..dim).map(|i| values[i]).collect(),
        vectors: (0..dim).flat_map(|i| (0..dim).map(move |j| vectors[(j, i)])).collect(),
    })
}

fn dense(triangle: &[f64], dim: usize) -> Mat<f64> {
    let mut matrix = Mat::<f64>::zeros(dim, dim);
    let mut values = triangle.iter();
    for i in 0..dim {
        for (j, &value) in values.by_ref().take(i + 1).enumerate() {
            matrix[(i, j)] = value;
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_belong_to_their_values() {
        // [[2, 1], [1, 2]]: 1 with (1, -1)/√2, 3 with (1, 1)/√2.
        let found = eigen(&[2.0, 1.0, 2.0], 2).unwrap();
        assert!((found.values[0] - 1.0).abs() < 1e-15 && (found.values[1] - 3.0).abs() < 1e-15);
        assert!((found.vectors[0] + found.vectors[1]).abs() < 1e-15);
        assert!((found.vectors[2] - found.vectors[3]).abs() < 1e-15);
        assert!((found.vectors[2].abs() - 0.5_f64.sqrt()).abs() < 1e-15);
    }
}
