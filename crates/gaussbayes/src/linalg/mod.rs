//! Does the linear algebra; the only module that names the crate behind it.

mod cholesky;
mod gram;
pub(crate) mod lanes;
mod symmetric;
mod triangular;

pub(crate) use cholesky::{cholesky, factor_in_place};
pub(crate) use gram::Gram;
pub(crate) use symmetric::{Eigen, eigen, eigenvalues};
pub(crate) use triangular::Triangular;

/// Σ a_j b_j.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
