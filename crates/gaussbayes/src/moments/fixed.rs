//! Puts given means and covariances into moments, for components that keep them \[M64\].

use super::{Moments, Storage, ldexp, lower_index};
use crate::covariance::Covariance;

impl Moments {
    /// The same in the frame of its estimate, in which every column has a unit.
    pub(crate) fn settled(mut self) -> Self {
        let frame = self.frame.settled();
        self.rebase(frame);
        self
    }

    /// The same in one unit for all columns.
    pub(crate) fn in_one_unit(mut self) -> Self {
        let frame = self.frame.uniform();
        self.rebase(frame);
        self
    }

    /// The same with the scatter of component `k` about a given framed mean.
    pub(crate) fn about(mut self, k: usize, mean: &[f64]) -> Self {
        let dim = self.dim();
        let off: Vec<f64> = self.mean(k).iter().zip(mean).map(|(m, mean)| m - mean).collect();
        self.add_outer(k, self.weight[k], &off);
        self.mean[k * dim..(k + 1) * dim].copy_from_slice(mean);
        self
    }

    /// The same with scatter `k` (0 for shared scatter) that of `weight` rows of a covariance in this frame.
    pub(crate) fn spread_as(mut self, k: usize, covariance: &Covariance, weight: f64) -> Self {
        let (dim, len) = (self.dim(), self.scatter_len());
        let triangle = covariance.triangle();
        let variance = |j: usize| weight * triangle[lower_index(j, j)];
        let widest = self.frame.widest();
        let values: Vec<f64> = match self.storage {
            Storage::Full | Storage::Shared => triangle.iter().map(|s| weight * s).collect(),
            Storage::Diagonal => (0..dim).map(variance).collect(),
            Storage::Spherical => {
                let unit = |j: usize| 2 * (self.frame.exponent()[j] - widest);
                vec![(0..dim).map(|j| ldexp(variance(j), unit(j))).sum()]
            }
        };
        self.scatter[k * len..(k + 1) * len].copy_from_slice(&values);
        self
    }
}
