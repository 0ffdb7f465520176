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
        factor(&spread, &vec![0.0; dim])?
            .map_err(|singular| Error::Singular(vec![singular.of(None, dim)]))
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

/// The factored covariance, or its rank; a deviation up to its column's floor counts as none.
pub(super) fn factor(
    spread: &Spread,
    floors: &[f64],
) -> Result<Result<Covariance, Singular>, Error> {
    let dim = spread.dim;
    let deviations: Vec<f64> = spread.diagonal().iter().map(|variance| variance.sqrt()).collect();
    let mean_sq = |values: &[f64]| values.iter().map(|v| v * v).sum::<f64>() / dim as f64;
    let floors = match spread.shape {
        Shape::Spherical => vec![mean_sq(floors).sqrt(); dim],
        Shape::Full | Shape::Diagonal => floors.to_vec(),
    };
    let varies = |j: usize| deviations[j] > floors[j] && deviations[j].is_finite();
    let constant: Vec<usize> = (0..dim).filter(|&j| !varies(j)).collect();
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
            *value = match (varies(i) && varies(j), i == j) {
                (false, _) => 0.0,
                (true, true) => 1.0,
                (true, false) => *value / deviations[i] / deviations[j],
            };
        }
    }
    let noise = (0..dim).filter(|&j| varies(j)).map(|j| floors[j] / deviations[j]);
    let floor = rank_floor(dim, noise.fold(0.0, f64::max));
    if constant.is_empty()
        && let Some(l) = cholesky(&correlation, dim).map(|l| Triangular::new(l, dim))
        && (is_certainly_regular(&l, floor) || rank(&correlation, floor, dim) == dim)
    {
        let mut l = l;
        l.scale_rows(&deviations);
        return Covariance::from_factor(Shape::Full, dim, l.triangle().to_vec()).map(Ok);
    }
    Ok(Err(Singular { rank: rank(&correlation, floor, dim), constant }))
}

/// λ_min ≥ 1/‖L⁻¹‖²_F decides nearly always; the eigenvalues decide the rest.
fn is_certainly_regular(l: &Triangular, floor: f64) -> bool {
    let dim = l.dim();
    let mut inverse = vec![0.0; dim * dim];
    inverse.iter_mut().step_by(dim + 1).for_each(|one| *one = 1.0);
    l.solve_rows(&mut inverse);
    let norm_sq: f64 = inverse.iter().map(|value| value * value).sum();
    norm_sq * floor < 1.0
}

fn rank(correlation: &[f64], floor: f64, dim: usize) -> usize {
    eigenvalues(correlation, dim)
        .map_or(0, |values| values.iter().filter(|&&value| value > floor).count())
}
