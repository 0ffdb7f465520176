//! Brings the directions without spread into a form in which each gives one column by others.

use crate::linalg::eigen;
use crate::tolerance::{EQUATIONS_MAX, PIVOT_SHARE};

/// Directions without spread, each with a coefficient 1 where all others have 0.
#[derive(Debug)]
pub(super) struct NullSpace {
    pub(super) rows: Vec<Vec<f64>>,
    /// The place of each row's 1.
    pub(super) pivots: Vec<usize>,
    /// The smallest eigenvalue of a direction that has spread.
    pub(super) gap: f64,
}

/// The directions whose eigenvalue is at most `floor`; `None` without any, and for so many that
/// nobody would read them.
pub(super) fn null_space(triangle: &[f64], dim: usize, floor: f64) -> Option<NullSpace> {
    if dim == 0 {
        return None;
    }
    let eigen = eigen(triangle, dim)?;
    let count = eigen.values.iter().take_while(|&&value| value <= floor).count();
    if count > EQUATIONS_MAX {
        return None;
    }
    let gap = *eigen.values.get(count)?;
    let mut rows: Vec<Vec<f64>> =
        eigen.vectors.chunks_exact(dim).take(count).map(<[f64]>::to_vec).collect();
    let pivots = reduce(&mut rows, dim);
    Some(NullSpace { rows, pivots, gap })
}

/// Gauss–Jordan elimination; the pivot is the last column that is no poor choice.
fn reduce(rows: &mut [Vec<f64>], dim: usize) -> Vec<usize> {
    let mut pivots = Vec::with_capacity(rows.len());
    for done in 0..rows.len() {
        let rest = &rows[done..];
        let largest = |j: usize| rest.iter().map(|row| row[j].abs()).fold(0.0, f64::max);
        let largest: Vec<f64> = (0..dim).map(largest).collect();
        let enough = PIVOT_SHARE * largest.iter().copied().fold(0.0, f64::max);
        let pivot = largest.iter().rposition(|&size| size >= enough).unwrap_or(0);
        let best = (done..rows.len())
            .max_by(|&a, &b| rows[a][pivot].abs().total_cmp(&rows[b][pivot].abs()))
            .unwrap_or(done);
        rows.swap(done, best);
        let scale = rows[done][pivot];
        rows[done].iter_mut().for_each(|v| *v /= scale);
        let row = std::mem::take(&mut rows[done]);
        for other in rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(v, w)| *v -= factor * w);
            other[pivot] = 0.0;
        }
        rows[done] = row;
        pivots.push(pivot);
    }
    pivots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_columns_are_given_by_earlier_ones_unless_that_is_unstable() {
        // c = a + b and d = 2a, mixed.
        let mut rows = vec![vec![3.0, 1.0, -1.0, -1.0], vec![1.0, -1.0, 1.0, -1.0]];
        assert_eq!(reduce(&mut rows, 4), [3, 2]);
        assert_eq!(rows, [[-2.0, 0.0, 0.0, 1.0], [-1.0, -1.0, 1.0, 0.0]]);
        let mut rows = vec![vec![1.0, -1.0, 0.01]];
        assert_eq!(reduce(&mut rows, 3), [1]);
    }
}
