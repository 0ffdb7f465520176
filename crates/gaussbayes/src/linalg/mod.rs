//! Does the linear algebra; the only module that names the crate behind it.

pub(crate) mod aligned;
mod cholesky;
pub(crate) mod distances;
pub(crate) mod elementary;
mod features;
mod gram;
pub(crate) mod lanes;
mod micro;
mod scatter;
pub(crate) mod simd;
mod symmetric;
pub(crate) mod tile;
pub(crate) mod transpose;
mod triangular;
pub(crate) mod whitener;

pub(crate) use cholesky::{cholesky, factor_in_place};
pub(crate) use features::Features;
pub(crate) use gram::{Gram, tile_stride};
pub(crate) use scatter::{Room, Scatter, Second, Sums};
pub(crate) use symmetric::{Eigen, eigen, eigenvalues};
pub(crate) use triangular::Triangular;

/// Σ a_j b_j.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
