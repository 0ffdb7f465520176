//! Factors a positive definite matrix: the one Cholesky of the library.

/// The lower factor of a matrix given by its lower triangle, row by row; both in that layout.
///
/// Row by row (Cholesky–Banachiewicz) with plain square roots and divisions, so that matrices of
/// small whole numbers factor without rounding. `None` when a pivot is not positive.
pub(crate) fn cholesky(triangle: &[f64], dim: usize) -> Option<Vec<f64>> {
    let mut l = triangle.to_vec();
    factor_in_place(&mut l, dim).then_some(l)
}

/// The same in the place of the triangle; false when a pivot is not positive.
pub(crate) fn factor_in_place(l: &mut [f64], dim: usize) -> bool {
    let start = |i: usize| i * (i + 1) / 2;
    for i in 0..dim {
        let (above, rest) = l.split_at_mut(start(i));
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[start(j)..=start(j) + j];
            let dot: f64 = row[..j].iter().zip(other).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - dot) / other[j];
        }
        let Some((last, row)) = row.split_last_mut() else { return false };
        let pivot = *last - row.iter().map(|a| a * a).sum::<f64>();
        if pivot <= 0.0 || pivot.is_nan() {
            return false;
        }
        *last = pivot.sqrt();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_a_matrix_whose_factor_is_known() {
        // L = [[2], [1, 3], [4, -1, 2]]: L Lᵀ computed by hand.
        let a = [4.0, 2.0, 10.0, 8.0, 1.0, 21.0];
        assert_eq!(cholesky(&a, 3).unwrap(), [2.0, 1.0, 3.0, 4.0, -1.0, 2.0]);
        assert_eq!(cholesky(&[1.0, 1.0, 1.0], 2), None);
    }
}
