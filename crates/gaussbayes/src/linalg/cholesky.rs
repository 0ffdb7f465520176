//! Factors a positive definite matrix: the one Cholesky of the library.

use super::lanes::{Job, LANES, Lanes, add_product, vectorized};

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
    if dim < LANES { factored(l, dim) } else { vectorized(Factor { l, dim }) }
}

struct Factor<'a> {
    l: &'a mut [f64],
    dim: usize,
}

impl Job for Factor<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        factored(self.l, self.dim)
    }
}

#[inline(always)]
fn factored(l: &mut [f64], dim: usize) -> bool {
    let start = |i: usize| i * (i + 1) / 2;
    for i in 0..dim {
        let (above, rest) = l.split_at_mut(start(i));
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[start(j)..=start(j) + j];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let Some((last, row)) = row.split_last_mut() else { return false };
        let pivot = *last - dot(row, row);
        if pivot <= 0.0 || pivot.is_nan() {
            return false;
        }
        *last = pivot.sqrt();
    }
    true
}

/// Σ a_j b_j, of long rows in lanes that have sums of their own: the same bits for every instruction set.
#[inline(always)]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums: Lanes = [0.0; LANES];
    a.iter().zip(b).for_each(|(a, b)| add_product(&mut sums, a, b));
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b);
    sums.into_iter().chain(rest).sum()
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
