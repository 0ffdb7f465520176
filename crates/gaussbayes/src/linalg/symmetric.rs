//! Finds eigenvalues of symmetric matrices.

use faer::{Mat, Side};

/// Eigenvalues, smallest first, of the matrix with this lower triangle (row by row).
///
/// `None` when the iteration does not converge, which takes a matrix that is not finite.
pub(crate) fn eigenvalues(triangle: &[f64], dim: usize) -> Option<Vec<f64>> {
    let mut matrix = Mat::<f64>::zeros(dim, dim);
    let mut values = triangle.iter();
    for i in 0..dim {
        for (j, &value) in values.by_ref().take(i + 1).enumerate() {
            matrix[(i, j)] = value;
        }
    }
    matrix.self_adjoint_eigenvalues(Side::Lower).ok()
}
