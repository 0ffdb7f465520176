//! Holds a positive definite matrix by its factor: whitening, distances, log-determinant \[M9\].

use std::borrow::Cow;

use crate::error::Error;
use crate::linalg::Triangular;
use crate::linalg::lanes::Lanes;
use crate::moments::{Shape, ldexp, lower_index};
use crate::tolerance::UNIT_EXPONENT;

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
        let diagonal: Vec<usize> = match shape {
            Shape::Full => (0..dim).map(|j| lower_index(j, j)).collect(),
            Shape::Diagonal | Shape::Spherical => (0..factor.len()).collect(),
        };
        let negative = diagonal.iter().map(|&at| factor[at]).find(|value| *value <= 0.0);
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

    /// The factor, as [`Covariance::from_factor`] takes it.
    pub fn factor(&self) -> Vec<f64> {
        match &self.0 {
            Factor::Full(l) => l.triangle().to_vec(),
            Factor::Diagonal(deviations) => deviations.clone(),
            Factor::Spherical { deviation, .. } => vec![*deviation],
        }
    }

    /// Full, diagonal or spherical.
    pub fn shape(&self) -> Shape {
        match self.0 {
            Factor::Full(_) => Shape::Full,
            Factor::Diagonal(_) => Shape::Diagonal,
            Factor::Spherical { .. } => Shape::Spherical,
        }
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        match &self.0 {
            Factor::Full(l) => l.dim(),
            Factor::Diagonal(deviations) => deviations.len(),
            Factor::Spherical { dim, .. } => *dim,
        }
    }

    /// ln det Σ.
    pub fn log_det(&self) -> f64 {
        2.0 * match &self.0 {
            Factor::Full(l) => l.diagonal().map(f64::ln).sum::<f64>(),
            Factor::Diagonal(deviations) => deviations.iter().map(|s| s.ln()).sum(),
            Factor::Spherical { dim, deviation } => *dim as f64 * deviation.ln(),
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
            _ => self.whiten_rows(z),
        }
    }

    /// The lower triangle of Σ⁻¹, row by row.
    pub(crate) fn precision(&self) -> Vec<f64> {
        let dim = self.dim();
        let mut precision = vec![0.0; Shape::Full.len(dim).unwrap_or(0)];
        for j in 0..dim {
            let mut column = vec![0.0; dim];
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
        let dim = self.dim();
        let diagonal = |j: usize| match &self.0 {
            Factor::Diagonal(deviations) => deviations[j] * deviations[j],
            Factor::Spherical { deviation, .. } => deviation * deviation,
            Factor::Full(_) => 0.0,
        };
        let entry = |i: usize, j: usize| match &self.0 {
            Factor::Full(l) => l.row(i).iter().zip(l.row(j)).map(|(a, b)| a * b).sum(),
            _ if i == j => diagonal(j),
            _ => 0.0,
        };
        (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
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
            Factor::Spherical { deviation, .. } => {
                Factor::Diagonal(factor.iter().map(|f| deviation * f).collect())
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
mod tests {
    use super::*;

    #[test]
    fn log_determinants_do_not_overflow() {
        let deviations = vec![1e-200, 1e-200, 1e200, 1e200];
        let covariance = Covariance::from_factor(Shape::Diagonal, 4, deviations).unwrap();
        assert!(covariance.log_det().abs() < 1e-12);
    }

    #[test]
    fn precision_is_the_inverse() {
        // Σ = [[4, 2], [2, 3]] has inverse [[3, -2], [-2, 4]] / 8.
        let factor = vec![2.0, 1.0, 2.0_f64.sqrt()];
        let covariance = Covariance::from_factor(Shape::Full, 2, factor).unwrap();
        for (found, expected) in covariance.precision().iter().zip([0.375, -0.25, 0.5]) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert!((covariance.triangle()[2] - 3.0).abs() < 1e-15);
    }
}
