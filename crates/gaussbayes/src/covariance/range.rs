//! Keeps to the directions in which the common covariance has spread \[M29\].

use super::factor::{Correlation, Singular, factor};
use super::matrix::Covariance;
use crate::error::Error;
use crate::moments::{Moments, Shape, Spread, Storage};

/// The directions with spread: a basis of them, scaled so that the common covariance is one there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Range {
    dim: usize,
    rank: usize,
    /// Row by row: `rank` rows of `dim` columns.
    basis: Vec<f64>,
    /// What leads back, row by row as well: basis · backᵀ is the identity.
    back: Vec<f64>,
}

impl Moments {
    /// The scatter of each class, or of all, factored on its range: rows are measured by their share
    /// in it. None for a scatter without any spread.
    pub(crate) fn scatter_factors(&self) -> Vec<Option<Covariance>> {
        let scatters = if self.storage() == Storage::Shared { 1 } else { self.components() };
        let shape = self.storage().shape();
        let factored = |k: usize| {
            let spread = self.spread(k, shape, self.frame()).ok()?;
            let none = vec![0.0; spread.dim];
            match (factor(&spread, &none).ok()?, Range::of(&spread, &none, 0.0)) {
                (Ok(covariance), _) => Some(covariance),
                (Err(_), Some(range)) => {
                    let inner =
                        factor(&range.project(&spread), &vec![0.0; range.rank]).ok()?.ok()?;
                    range.widened(&inner).ok()
                }
                (Err(_), None) => None,
            }
        };
        (0..scatters).map(factored).collect()
    }
}

impl Range {
    /// The directions in which a spread, on the scale of its correlations, has a deviation above
    /// rounding and `above`; `None` where these are all, or none.
    pub(super) fn of(spread: &Spread, floors: &[f64], above: f64) -> Option<Self> {
        let dim = spread.dim;
        let found = Correlation::of(spread, floors);
        let varying: Vec<usize> = (0..dim).filter(|j| !found.constant.contains(j)).collect();
        let deviation = |j: usize| found.deviations[j];
        // Directions on the scale of correlations, each with its spread there.
        let directions: Vec<(f64, Vec<f64>)> = if spread.shape == Shape::Full {
            let eigen = found.eigen()?;
            let pairs = eigen.values.iter().zip(eigen.vectors.chunks_exact(dim));
            let kept = pairs.filter(|(value, _)| **value > found.floor && value.sqrt() > above);
            kept.map(|(value, vector)| (value.sqrt(), vector.to_vec())).collect()
        } else {
            let axis = |&j: &usize| (0..dim).map(|i| f64::from(u8::from(i == j))).collect();
            varying.iter().map(|j| (1.0, axis(j))).collect()
        };
        let rank = directions.len();
        let placed = |value: &dyn Fn(f64, f64, usize) -> f64| {
            let mut rows = vec![0.0; rank * dim];
            for ((root, vector), row) in directions.iter().zip(rows.chunks_exact_mut(dim)) {
                varying.iter().for_each(|&j| row[j] = value(*root, vector[j], j));
            }
            rows
        };
        let basis = placed(&|root, v, j| v / deviation(j) / root);
        let back = placed(&|root, v, j| v * deviation(j) * root);
        (1..dim).contains(&rank).then_some(Self { dim, rank, basis, back })
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// BSBᵀ: a spread of the same rows, seen in these directions.
    pub(super) fn project(&self, spread: &Spread) -> Spread {
        spread.along(&self.basis).simplified(spread.shape)
    }

    /// A covariance of projected rows as one of whole rows: they are whitened by L⁻¹B.
    pub(super) fn widened(&self, inner: &Covariance) -> Result<Covariance, Error> {
        let (dim, rank) = (self.dim, self.rank);
        let turned = |rows: &[f64]| -> Vec<f64> {
            let pairs = (0..dim).flat_map(|j| (0..rank).map(move |i| (i, j)));
            pairs.map(|(i, j)| rows[i * dim + j]).collect()
        };
        let mut columns = turned(&self.basis);
        inner.whiten_rows(&mut columns);
        let whitener = (0..rank).flat_map(|i| (0..dim).map(move |j| (i, j)));
        let whitener = whitener.map(|(i, j)| columns[j * rank + i]).collect();
        let spread = Spread { shape: Shape::Full, dim: rank, values: inner.triangle() };
        let triangle = spread.along(&turned(&self.back)).values;
        Covariance::from_range(dim, whitener, triangle, inner.log_det())
    }
}

impl Covariance {
    /// Σ_k w_k Σ_k of covariances that keep to a range.
    ///
    /// # Errors
    /// [`Error::Singular`] where rounding leaves the sum without an inverse there.
    pub(super) fn average_within(sum: &Spread) -> Result<Self, Error> {
        let none = vec![0.0; sum.dim];
        let singular = |found: Singular| Error::singular(vec![found.of(None)]);
        match Range::of(sum, &none, 0.0) {
            Some(range) => {
                let inner = factor(&range.project(sum), &none[..range.rank])?.map_err(singular)?;
                range.widened(&inner)
            }
            None => factor(sum, &none)?.map_err(singular),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moments::lower_index;

    #[test]
    fn in_its_range_a_spread_is_one() {
        // Two columns that differ by a thousandth, one that is constant, one of another unit.
        let mut full = Spread::zero(Shape::Full, 4);
        for (i, j, value) in
            [(0, 0, 4.0), (1, 0, 4.0), (1, 1, 4.000_004), (3, 0, 500.0), (3, 1, 500.0), (3, 3, 1e6)]
        {
            full.values[lower_index(i, j)] = value;
        }
        for spread in [full.clone(), full.clone().simplified(Shape::Diagonal)] {
            let range = Range::of(&spread, &[0.0; 4], 0.0).unwrap();
            assert_eq!(range.rank(), 3);
            let one = range.project(&spread);
            assert_eq!(one.shape, spread.shape);
            let one = one.widened(Shape::Full);
            for i in 0..3 {
                for j in 0..=i {
                    let expected = f64::from(u8::from(i == j));
                    assert!((one.values[lower_index(i, j)] - expected).abs() < 1e-9, "{i} {j}");
                }
            }
        }
        let none = Spread::zero(Shape::Full, 2);
        assert_eq!(Range::of(&none, &[0.0; 2], 0.0), None);
    }
}
