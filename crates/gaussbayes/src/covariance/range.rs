//! Keeps to the directions in which the common covariance has spread \[M29\].

use super::factor::{Correlation, factor};
use super::matrix::Covariance;
use crate::error::Error;
use crate::moments::{Moments, Shape, Spread, Storage, lower_index};

/// The directions with spread: a basis of them, scaled so that the common covariance is one there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Range {
    dim: usize,
    rank: usize,
    /// Row by row: `rank` rows of `dim` columns.
    basis: Vec<f64>,
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
            match (factor(&spread, &none).ok()?, Range::of(&spread, &none)) {
                (Ok(covariance), _) => Some(covariance),
                (Err(_), Some(range)) => {
                    let inner =
                        factor(&range.project(&spread), &vec![0.0; range.rank]).ok()?.ok()?;
                    range.widened(&inner, &spread).ok()
                }
                (Err(_), None) => None,
            }
        };
        (0..scatters).map(factored).collect()
    }
}

impl Range {
    /// The range of a spread; `None` where it has an inverse, or no spread at all.
    pub(super) fn of(spread: &Spread, floors: &[f64]) -> Option<Self> {
        let dim = spread.dim;
        let found = Correlation::of(spread, floors);
        let varying: Vec<usize> = (0..dim).filter(|j| !found.constant.contains(j)).collect();
        let inverse = |j: usize| 1.0 / found.deviations[j];
        let rows: Vec<Vec<f64>> = if spread.shape == Shape::Full {
            let eigen = found.eigen()?;
            let pairs = eigen.values.iter().zip(eigen.vectors.chunks_exact(dim));
            let kept = pairs.filter(|(value, _)| **value > found.floor);
            kept.map(|(value, vector)| {
                let root = value.sqrt();
                let mut row = vec![0.0; dim];
                varying.iter().for_each(|&j| row[j] = vector[j] * inverse(j) / root);
                row
            })
            .collect()
        } else {
            let row = |&j: &usize| {
                let mut row = vec![0.0; dim];
                row[j] = inverse(j);
                row
            };
            varying.iter().map(row).collect()
        };
        let rank = rows.len();
        (1..dim).contains(&rank).then(|| Self { dim, rank, basis: rows.concat() })
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// BSBᵀ: a spread of the same rows, seen in these directions.
    pub(super) fn project(&self, spread: &Spread) -> Spread {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let rows = spread.square();
        let basis = || self.basis.chunks_exact(self.dim);
        let image =
            |row: &[f64]| rows.chunks_exact(self.dim).map(|s| dot(s, row)).collect::<Vec<f64>>();
        let images: Vec<Vec<f64>> = basis().map(image).collect();
        let mut projected = Spread::zero(Shape::Full, self.rank);
        for (i, row) in basis().enumerate() {
            for (j, image) in images[..=i].iter().enumerate() {
                projected.values[lower_index(i, j)] = dot(row, image);
            }
        }
        projected.simplified(spread.shape)
    }

    /// A covariance of projected rows as one of whole rows: they are whitened by L⁻¹B.
    pub(super) fn widened(&self, inner: &Covariance, spread: &Spread) -> Result<Covariance, Error> {
        let mut columns: Vec<f64> = (0..self.dim)
            .flat_map(|j| (0..self.rank).map(move |i| (i, j)))
            .map(|(i, j)| self.basis[i * self.dim + j])
            .collect();
        inner.whiten_rows(&mut columns);
        let matrix = (0..self.rank)
            .flat_map(|i| (0..self.dim).map(move |j| (i, j)))
            .map(|(i, j)| columns[j * self.rank + i])
            .collect();
        let triangle = spread.widened(Shape::Full).values;
        Covariance::from_range(self.dim, matrix, triangle, inner.log_det())
    }
}
