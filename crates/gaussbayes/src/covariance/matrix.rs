//! Holds a positive definite matrix by its factor: whitening, distances, log-determinant \[M9\].

use std::borrow::Cow;

use crate::error::Error;
use crate::linalg::Triangular;
use crate::linalg::lanes::{LANES, Lanes, add_product};
use crate::moments::{Shape, Spread, exponent_of, ldexp, lower_index};
use crate::tolerance::{POWER_EXPONENT, UNIT_EXPONENT, WHITENED_ONE};

/// A covariance, held by what whitens it.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariance(Factor);

#[derive(Debug, Clone, PartialEq)]
enum Factor {
    Full(Triangular),
    /// A standard deviation per column.
    Diagonal(Vec<f64>),
    Spherical {
        dim: usize,
        deviation: f64,
    },
    Range(RangeFactor),
}

/// What a loop over rows whitens with.
pub(crate) enum Form<'a> {
    /// A triangular factor.
    Full(&'a Triangular),
    /// Deviations of the columns.
    Diagonal,
    /// Fewer directions than columns.
    Range,
}

/// A covariance that is positive definite on fewer directions than there are columns \[M29\].
#[derive(Debug, Clone, PartialEq)]
struct RangeFactor {
    dim: usize,
    /// What whitens a row, row by row: as many rows as there are directions.
    matrix: Vec<f64>,
    /// Lower triangle of the covariance, row by row.
    triangle: Vec<f64>,
    /// ln of its determinant in the directions' own units.
    log_det: f64,
}

impl RangeFactor {
    fn rank(&self) -> usize {
        self.matrix.len() / self.dim
    }
}

impl Covariance {
    /// From its factor: a lower triangle row by row, a standard deviation per column, or one.
    ///
    /// # Errors
    /// [`Error::Shape`] for a wrong number of values, [`Error::BadParameter`] for a diagonal that
    /// is not positive or a value that is not finite.
    pub fn from_factor(shape: Shape, dim: usize, factor: Vec<f64>) -> Result<Self, Error> {
        let expected = shape.len(dim);
        if expected != Some(factor.len()) {
            let expected = expected.unwrap_or(usize::MAX);
            return Err(Error::Shape { what: "covariance factor", expected, found: factor.len() });
        }
        let negative = match shape {
            Shape::Full => (0..dim).map(|j| factor[lower_index(j, j)]).find(|value| *value <= 0.0),
            Shape::Diagonal | Shape::Spherical => factor.iter().copied().find(|v| *v <= 0.0),
        };
        let infinite = factor.iter().copied().find(|value| !value.is_finite());
        if let Some(value) = infinite.or(negative) {
            return Err(Error::BadParameter { what: "covariance", component: 0, value });
        }
        Ok(Self(match shape {
            Shape::Full => Factor::Full(Triangular::new(factor, dim)),
            Shape::Diagonal => Factor::Diagonal(factor),
            Shape::Spherical => Factor::Spherical { dim, deviation: factor[0] },
        }))
    }

    /// From the matrix that whitens rows in its range, its lower triangle and its log-determinant
    /// there, as [`Covariance::range`] gives them.
    ///
    /// # Errors
    /// [`Error::Shape`] for a wrong number of values, [`Error::BadParameter`] for one that is not
    /// finite.
    pub fn from_range(
        dim: usize,
        matrix: Vec<f64>,
        triangle: Vec<f64>,
        log_det: f64,
    ) -> Result<Self, Error> {
        let rank = matrix.len() / dim.max(1);
        let shape = |what, expected: usize, found| {
            if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
        };
        shape("range of a covariance", rank.clamp(1, dim.max(1)) * dim, matrix.len())?;
        shape("covariance", Shape::Full.len(dim).unwrap_or(usize::MAX), triangle.len())?;
        let bad = |value: f64| Err(Error::BadParameter { what: "covariance", component: 0, value });
        let values = matrix.iter().chain(&triangle).chain([&log_det]);
        if let Some(&value) = values.into_iter().find(|value| !value.is_finite()) {
            return bad(value);
        }
        // What whitens a covariance makes it one.
        let spread = Spread { shape: Shape::Full, dim, values: triangle.clone() };
        for value in spread.along(&matrix).diagonal() {
            if (value - 1.0).abs() > WHITENED_ONE {
                return bad(value);
            }
        }
        Ok(Self(Factor::Range(RangeFactor { dim, matrix, triangle, log_det })))
    }

    /// The matrix that whitens rows and the log-determinant, where the covariance keeps to a range.
    pub fn range(&self) -> Option<(&[f64], f64)> {
        match &self.0 {
            Factor::Range(range) => Some((&range.matrix, range.log_det)),
            _ => None,
        }
    }

    /// The factor, as [`Covariance::from_factor`] takes it; none of a covariance within a range.
    pub fn factor(&self) -> Vec<f64> {
        match &self.0 {
            Factor::Full(l) => l.triangle().to_vec(),
            Factor::Diagonal(deviations) => deviations.clone(),
            Factor::Spherical { deviation, .. } => vec![*deviation],
            Factor::Range(_) => Vec::new(),
        }
    }

    /// Full, diagonal or spherical.
    pub fn shape(&self) -> Shape {
        match self.0 {
            Factor::Full(_) | Factor::Range(_) => Shape::Full,
            Factor::Diagonal(_) => Shape::Diagonal,
            Factor::Spherical { .. } => Shape::Spherical,
        }
    }

    pub(crate) fn form(&self) -> Form<'_> {
        match &self.0 {
            Factor::Full(factor) => Form::Full(factor),
            Factor::Diagonal(_) | Factor::Spherical { .. } => Form::Diagonal,
            Factor::Range(_) => Form::Range,
        }
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        match &self.0 {
            Factor::Full(l) => l.dim(),
            Factor::Diagonal(deviations) => deviations.len(),
            Factor::Spherical { dim, .. } => *dim,
            Factor::Range(range) => range.dim,
        }
    }

    /// Directions in which it has spread: all columns, unless it keeps to a range.
    pub fn rank(&self) -> usize {
        match &self.0 {
            Factor::Range(range) => range.rank(),
            _ => self.dim(),
        }
    }

    /// ln det Σ.
    pub fn log_det(&self) -> f64 {
        match &self.0 {
            Factor::Full(l) => 2.0 * l.diagonal().map(f64::ln).sum::<f64>(),
            Factor::Diagonal(deviations) => 2.0 * deviations.iter().map(|s| s.ln()).sum::<f64>(),
            Factor::Spherical { dim, deviation } => 2.0 * (*dim as f64 * deviation.ln()),
            Factor::Range(range) => range.log_det,
        }
    }

    /// Replaces each row x (already centred) by z = L⁻¹x, so that ‖z‖² = xᵀΣ⁻¹x.
    pub fn whiten_rows(&self, rows: &mut [f64]) {
        match &self.0 {
            Factor::Full(l) => l.solve_rows(rows),
            Factor::Diagonal(deviations) => {
                for row in rows.chunks_exact_mut(deviations.len()) {
                    row.iter_mut().zip(deviations).for_each(|(x, s)| *x /= s);
                }
            }
            Factor::Spherical { deviation, .. } => rows.iter_mut().for_each(|x| *x /= deviation),
            Factor::Range(range) => {
                for row in rows.chunks_exact_mut(range.dim) {
                    let x = row.to_vec();
                    row.fill(0.0);
                    for (z, whitener) in row.iter_mut().zip(range.matrix.chunks_exact(range.dim)) {
                        *z = whitener.iter().zip(&x).map(|(w, x)| w * x).sum();
                    }
                }
            }
        }
    }

    /// As [`Covariance::whiten_rows`], for rows in lanes.
    #[inline(always)]
    pub(crate) fn whiten_lanes(&self, lanes: &mut [Lanes]) {
        match &self.0 {
            Factor::Full(l) => l.solve_lanes(lanes),
            Factor::Diagonal(deviations) => {
                lanes.iter_mut().zip(deviations).for_each(|(x, s)| *x = x.map(|x| x / s));
            }
            Factor::Spherical { deviation, .. } => {
                lanes.iter_mut().for_each(|x| *x = x.map(|x| x / deviation));
            }
            Factor::Range(range) => {
                let x = lanes.to_vec();
                lanes.fill([0.0; LANES]);
                for (z, whitener) in lanes.iter_mut().zip(range.matrix.chunks_exact(range.dim)) {
                    x.iter().zip(whitener).for_each(|(x, w)| add_product(z, x, &[*w; LANES]));
                }
            }
        }
    }

    /// xᵀΣ⁻¹x of one centred row.
    pub fn mahalanobis_sq(&self, x: &[f64]) -> f64 {
        let mut z = x.to_vec();
        self.whiten_rows(&mut z);
        norm_sq(&z)
    }

    /// z ↦ L⁻ᵀz in place, so that Σ⁻¹x = unwhiten(whiten(x)).
    pub(crate) fn unwhiten(&self, z: &mut [f64]) {
        match &self.0 {
            Factor::Full(l) => l.solve_transposed(z),
            Factor::Range(range) => {
                let white = z.to_vec();
                z.fill(0.0);
                for (white, whitener) in white.iter().zip(range.matrix.chunks_exact(range.dim)) {
                    z.iter_mut().zip(whitener).for_each(|(z, w)| *z += w * white);
                }
            }
            _ => self.whiten_rows(z),
        }
    }

    /// The lower triangle of Σ⁻¹, row by row.
    pub(crate) fn precision(&self) -> Vec<f64> {
        if let Factor::Full(l) = &self.0 {
            return l.inverse_product();
        }
        let dim = self.dim();
        let mut precision = vec![0.0; Shape::Full.len(dim).unwrap_or(0)];
        let mut column = vec![0.0; dim];
        for j in 0..dim {
            column.fill(0.0);
            column[j] = 1.0;
            self.whiten_rows(&mut column);
            self.unwhiten(&mut column);
            for i in j..dim {
                precision[lower_index(i, j)] = column[i];
            }
        }
        precision
    }

    /// The lower triangle of Σ, row by row.
    pub fn triangle(&self) -> Vec<f64> {
        if let Factor::Range(range) = &self.0 {
            return range.triangle.clone();
        }
        let dim = self.dim();
        let diagonal = |j: usize| match &self.0 {
            Factor::Diagonal(deviations) => deviations[j] * deviations[j],
            Factor::Spherical { deviation, .. } => deviation * deviation,
            Factor::Full(_) | Factor::Range(_) => 0.0,
        };
        let entry = |i: usize, j: usize| match &self.0 {
            Factor::Full(l) => l.row(i).iter().zip(l.row(j)).map(|(a, b)| a * b).sum(),
            _ if i == j => diagonal(j),
            _ => 0.0,
        };
        let mut triangle = Vec::with_capacity(dim * (dim + 1) / 2);
        (0..dim).for_each(|i| triangle.extend((0..=i).map(|j| entry(i, j))));
        triangle
    }

    /// √Σ_jj of each column.
    pub(crate) fn deviations(&self) -> Vec<f64> {
        (0..self.dim()).map(|j| self.deviation(j)).collect()
    }

    /// √Σ_jj.
    pub(crate) fn deviation(&self, j: usize) -> f64 {
        match &self.0 {
            Factor::Full(l) => norm_sq(l.row(j)).sqrt(),
            Factor::Diagonal(deviations) => deviations[j],
            Factor::Spherical { deviation, .. } => *deviation,
            Factor::Range(range) => range.triangle[lower_index(j, j)].sqrt(),
        }
    }

    /// The power of two that the widest deviation is near, where it and its inverse are numbers.
    pub(crate) fn unit_exponent(&self) -> i32 {
        let widest = self.deviations().into_iter().fold(0.0, f64::max);
        exponent_of(widest).clamp(-POWER_EXPONENT, POWER_EXPONENT)
    }

    /// Σ_k w_k Σ_k of covariances with the same columns.
    ///
    /// # Errors
    /// [`Error::Singular`] where rounding leaves the sum without an inverse.
    pub(crate) fn average(all: &[Self], weights: &[f64]) -> Result<Self, Error> {
        let dim = all.first().map_or(0, Self::dim);
        let within = all.iter().any(|one| matches!(one.0, Factor::Range(_)));
        if within || all.iter().any(|one| matches!(one.0, Factor::Full(_))) {
            let mut sum = Spread::zero(Shape::Full, dim);
            for (one, weight) in all.iter().zip(weights) {
                let more = one.triangle();
                sum.values.iter_mut().zip(more).for_each(|(sum, x)| *sum += weight * x);
            }
            if within {
                return Self::average_within(&sum);
            }
            return Self::from_matrix(dim, sum.values);
        }
        let counted: Vec<(f64, Vec<f64>)> = all
            .iter()
            .zip(weights)
            .filter(|(_, weight)| **weight > 0.0)
            .map(|(one, weight)| (*weight, one.deviations()))
            .collect();
        let column = |j: usize| {
            // Squares of the quotients stay in range where those of the deviations might not.
            let widest = counted.iter().map(|(_, s)| s[j]).fold(0.0, f64::max);
            let square = |(weight, s): &(f64, Vec<f64>)| weight * (s[j] / widest) * (s[j] / widest);
            widest * counted.iter().map(square).sum::<f64>().sqrt()
        };
        Self::from_factor(Shape::Diagonal, dim, (0..dim).map(column).collect())
    }

    /// The covariance of rows whose column `j` is multiplied by `factor[j]`.
    pub(crate) fn rescaled(self, factor: &[f64]) -> Self {
        Self(match self.0 {
            Factor::Full(mut l) => {
                l.scale_rows(factor);
                Factor::Full(l)
            }
            Factor::Diagonal(deviations) => {
                Factor::Diagonal(deviations.iter().zip(factor).map(|(s, f)| s * f).collect())
            }
            Factor::Spherical { dim, deviation } if factor.iter().all(|f| *f == factor[0]) => {
                Factor::Spherical { dim, deviation: deviation * factor[0] }
            }
            Factor::Spherical { deviation, .. } => {
                Factor::Diagonal(factor.iter().map(|f| deviation * f).collect())
            }
            Factor::Range(mut range) => {
                for row in range.matrix.chunks_exact_mut(range.dim) {
                    row.iter_mut().zip(factor).for_each(|(w, f)| *w /= f);
                }
                let spread = Spread { shape: Shape::Full, dim: range.dim, values: range.triangle };
                range.triangle = spread.rescaled(factor).values;
                Factor::Range(range)
            }
        })
    }

    /// The same, with a unit so small or large that squares would leave the range of numbers drawn
    /// in. Only a fixed unit can be that far from the rows' own; posteriors there are at their limit.
    pub(crate) fn bounded(&self) -> Cow<'_, Self> {
        let Factor::Spherical { dim, deviation } = self.0 else { return Cow::Borrowed(self) };
        let (low, high) = (ldexp(1.0, -UNIT_EXPONENT), ldexp(1.0, UNIT_EXPONENT));
        if (low..=high).contains(&deviation) {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self(Factor::Spherical { dim, deviation: deviation.clamp(low, high) }))
    }
}

/// ‖z‖², kept finite.
pub(crate) fn norm_sq(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>().min(f64::MAX)
}

#[cfg(test)]
mod tests;
