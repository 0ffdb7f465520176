//! Factors a spread on the scale of its correlations, and says why when it cannot \[M8\].

use std::borrow::Cow;

use super::equation::{Equation, Evidence, equations};
use super::matrix::Covariance;
use crate::error::{Deficient, Error};
use crate::linalg::{Eigen, Triangular, cholesky, eigen, eigenvalues};
use crate::moments::{Frame, Shape, Spread, lower_index};
use crate::tolerance::{REGULAR_DETERMINANT, rank_floor};

impl Covariance {
    /// From a matrix given by its lower triangle, row by row.
    ///
    /// # Errors
    /// [`Error::Shape`] for a wrong number of values, [`Error::Singular`] with its rank for a
    /// matrix that is not positive definite.
    pub fn from_matrix(dim: usize, triangle: Vec<f64>) -> Result<Self, Error> {
        let mut spread = Spread::zero(Shape::Full, dim);
        if spread.values.len() != triangle.len() {
            let (expected, found) = (spread.values.len(), triangle.len());
            return Err(Error::Shape { what: "covariance", expected, found });
        }
        spread.values = triangle;
        Self::from_spread(&spread, &vec![0.0; dim], None)
    }

    /// From a matrix in any shape; a deviation up to its column's floor counts as none.
    ///
    /// # Errors
    /// [`Error::Singular`] with the rank of a matrix that is not positive definite.
    pub(crate) fn from_spread(
        spread: &Spread,
        floors: &[f64],
        component: Option<usize>,
    ) -> Result<Self, Error> {
        factor(spread, floors)?.map_err(|singular| Error::singular(vec![singular.of(component)]))
    }
}

/// What was found of a spread that has no inverse.
pub(super) struct Singular {
    pub(super) rank: usize,
    correlation: Correlation,
}

impl Singular {
    pub(super) fn of(&self, component: Option<usize>) -> Deficient {
        Deficient { component, ..Deficient::of_rank(self.rank, self.correlation.dim) }
    }

    /// What the rows behind the spread obey, from the means of their classes in the frame; `scale`
    /// is the unit of each column in the frame, where it is not 1.
    pub(super) fn equations(
        &self,
        means: &[Vec<f64>],
        frame: &Frame,
        scale: Option<&[f64]>,
    ) -> Vec<Equation> {
        let found = &self.correlation;
        let unit = |j: usize| scale.map_or(1.0, |scale| scale[j]);
        let deviations: Vec<f64> =
            found.deviations.iter().enumerate().map(|(j, sd)| sd * unit(j)).collect();
        equations(&Evidence {
            correlation: &found.values,
            constant: &found.constant,
            floor: found.floor,
            deviations: &deviations,
            means,
            frame,
        })
    }
}

/// A spread taken apart into deviations and correlations, with what counts as none of either.
pub(super) struct Correlation {
    pub(super) dim: usize,
    /// Standard deviations of the columns.
    pub(super) deviations: Vec<f64>,
    /// Columns whose deviation is no more than rounding.
    pub(super) constant: Vec<usize>,
    /// Lower triangle, row by row; zero where a column is constant.
    pub(super) values: Vec<f64>,
    /// Eigenvalues up to here count as zero.
    pub(super) floor: f64,
}

impl Correlation {
    /// A deviation up to its column's floor counts as none.
    pub(super) fn of(spread: &Spread, floors: &[f64]) -> Self {
        let dim = spread.dim;
        let deviations: Vec<f64> = spread.diagonal().map(f64::sqrt).collect();
        let mean_sq = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>() / dim as f64;
        let floors = match spread.shape {
            Shape::Spherical => Cow::Owned(vec![mean_sq(floors).sqrt(); dim]),
            Shape::Full | Shape::Diagonal => Cow::Borrowed(floors),
        };
        let varies = |j: usize| deviations[j] > floors[j] && deviations[j].is_finite();
        let constant: Vec<usize> = (0..dim).filter(|&j| !varies(j)).collect();
        let mut values = Vec::new();
        if spread.shape == Shape::Full {
            values.clone_from(&spread.values);
            for i in 0..dim {
                for j in 0..=i {
                    let value = &mut values[lower_index(i, j)];
                    *value = match (varies(i) && varies(j), i == j) {
                        (false, _) => 0.0,
                        (true, true) => 1.0,
                        (true, false) => *value / deviations[i] / deviations[j],
                    };
                }
            }
        }
        let noise = (0..dim).filter(|&j| varies(j)).map(|j| floors[j] / deviations[j]);
        let floor = rank_floor(dim, noise.fold(0.0, f64::max));
        Self { dim, deviations, constant, values, floor }
    }

    /// Directions with spread.
    pub(super) fn rank(&self) -> usize {
        eigenvalues(&self.values, self.dim)
            .map_or(0, |values| values.iter().filter(|&&value| value > self.floor).count())
    }

    /// Eigenvalues and eigenvectors of the correlations.
    pub(super) fn eigen(&self) -> Option<Eigen> {
        eigen(&self.values, self.dim)
    }
}

/// The factored covariance, or its rank; a deviation up to its column's floor counts as none.
pub(super) fn factor(
    spread: &Spread,
    floors: &[f64],
) -> Result<Result<Covariance, Singular>, Error> {
    let dim = spread.dim;
    if let Some(&value) = spread.values.iter().find(|value| !value.is_finite()) {
        return Err(Error::BadParameter { what: "covariance", component: 0, value });
    }
    let found = Correlation::of(spread, floors);
    if spread.shape != Shape::Full {
        if !found.constant.is_empty() {
            let rank = dim - found.constant.len();
            return Ok(Err(Singular { rank, correlation: found }));
        }
        let mut deviations = found.deviations;
        deviations.truncate(if spread.shape == Shape::Diagonal { dim } else { 1 });
        return Covariance::from_factor(spread.shape, dim, deviations).map(Ok);
    }
    if found.constant.is_empty()
        && let Some(mut l) = cholesky(&found.values, dim).map(|l| Triangular::new(l, dim))
        && (is_certainly_regular(&l, found.floor) || found.rank() == dim)
    {
        l.scale_rows(&found.deviations);
        return Covariance::from_factor(Shape::Full, dim, l.into_triangle()).map(Ok);
    }
    Ok(Err(Singular { rank: found.rank(), correlation: found }))
}

/// λ_min ≥ det R/e decides where there are few columns, as the others have a sum below d and so a product below
/// (d/(d − 1))^(d − 1) < e; λ_min ≥ 1/‖L⁻¹‖²_F decides nearly always; the eigenvalues decide the rest.
fn is_certainly_regular(l: &Triangular, floor: f64) -> bool {
    let det: f64 = l.diagonal().map(|value| value * value).product();
    if det > REGULAR_DETERMINANT * floor {
        return true;
    }
    let norm_sq: f64 = l.inverse().iter().map(|value| value * value).sum();
    norm_sq * floor < 1.0
}

#[cfg(test)]
mod tests {
    use super::super::bend::tests::classes;
    use super::*;

    #[test]
    fn no_eigenvalue_of_correlations_is_below_a_share_of_their_determinant() {
        let zeros = [0.0; 12];
        for seed in 0..200 {
            for spread in classes(seed, 2 + seed as usize % 10, 3).spreads() {
                let found = Correlation::of(spread, &zeros[..spread.dim]);
                let l = Triangular::new(cholesky(&found.values, found.dim).unwrap(), found.dim);
                let det: f64 = l.diagonal().map(|value| value * value).product();
                let lowest = eigenvalues(&found.values, found.dim).unwrap()[0];
                assert!(REGULAR_DETERMINANT * lowest > det, "{seed}: {lowest} {det}");
                // A floor in between is one that the determinant knows nothing of.
                assert!(!is_certainly_regular(&l, 1.001 * lowest), "{seed}");
            }
        }
    }
}
