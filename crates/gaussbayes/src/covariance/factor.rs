//! Factors a spread on the scale of its correlations, and says why when it cannot \[M8\].

use super::matrix::Covariance;
use crate::error::{Deficient, Error};
use crate::linalg::{Triangular, cholesky, eigenvalues};
use crate::moments::{Shape, Spread, lower_index};
use crate::tolerance::rank_floor;

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
        factor(&spread)?.map_err(|singular| Error::Singular(vec![singular.of(None, dim)]))
    }
}

/// What was found of a spread that has no inverse.
pub(super) struct Singular {
    rank: usize,
    constant: Vec<usize>,
}

impl Singular {
    pub(super) fn of(self, component: Option<usize>, dim: usize) -> Deficient {
        Deficient {
            component,
            class: None,
            rank: self.rank,
            dim,
            constant: self.constant,
            constant_names: Vec::new(),
        }
    }
}

/// The factored covariance, or its rank.
pub(super) fn factor(spread: &Spread) -> Result<Result<Covariance, Singular>, Error> {
    let dim = spread.dim;
    let deviations: Vec<f64> = spread.diagonal().iter().map(|variance| variance.sqrt()).collect();
    let constant: Vec<usize> = (0..dim).filter(|&j| !is_positive(deviations[j])).collect();
    if spread.shape != Shape::Full {
        if !constant.is_empty() {
            return Ok(Err(Singular { rank: dim - constant.len(), constant }));
        }
        let factor = if spread.shape == Shape::Diagonal { deviations } else { vec![deviations[0]] };
        return Covariance::from_factor(spread.shape, dim, factor).map(Ok);
    }

    let mut correlation = spread.values.clone();
    for i in 0..dim {
        for j in 0..=i {
            let value = &mut correlation[lower_index(i, j)];
            let constant = !is_positive(deviations[i]) || !is_positive(deviations[j]);
            *value = match (constant, i == j) {
                (true, _) => 0.0,
                (false, true) => 1.0,
                (false, false) => *value / deviations[i] / deviations[j],
            };
        }
    }
    if constant.is_empty()
        && let Some(l) = cholesky(&correlation, dim)
        && is_certainly_regular(&l, &correlation, dim)
    {
        let mut l = Triangular::new(&l, dim);
        l.scale_rows(&deviations);
        return Covariance::from_factor(Shape::Full, dim, l.triangle()).map(Ok);
    }
    Ok(Err(Singular { rank: rank(&correlation, dim), constant }))
}

fn is_positive(deviation: f64) -> bool {
    deviation > 0.0 && deviation.is_finite()
}

/// λ_min ≥ 1/‖L⁻¹‖²_F decides nearly always; the eigenvalues decide the rest.
fn is_certainly_regular(l: &[f64], correlation: &[f64], dim: usize) -> bool {
    let mut inverse = vec![0.0; dim * dim];
    inverse.iter_mut().step_by(dim + 1).for_each(|one| *one = 1.0);
    Triangular::new(l, dim).solve_rows(&mut inverse);
    let norm_sq: f64 = inverse.iter().map(|value| value * value).sum();
    norm_sq * rank_floor(dim) < 1.0 || rank(correlation, dim) == dim
}

fn rank(correlation: &[f64], dim: usize) -> usize {
    let floor = rank_floor(dim);
    eigenvalues(correlation, dim)
        .map_or(0, |values| values.iter().filter(|&&value| value > floor).count())
}
