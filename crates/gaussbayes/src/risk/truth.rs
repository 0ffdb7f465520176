//! Holds the truth that a rule is judged under, in the frame of the rule \[M47\].

use super::refused;
use crate::error::{Error, RiskRefusal};
use crate::linalg::Triangular;
use crate::mixture::Mixture;
use crate::moments::{Shape, ldexp};

/// Gaussians that rows are drawn from, one per class, in the frame of the rule.
pub(super) struct Truth<'a> {
    mixture: &'a Mixture,
    /// Whether it is the rule's own model.
    own: bool,
    means: Vec<f64>,
    /// What the unit of each column of the truth is in the frame of the rule.
    scale: Vec<f64>,
}

impl<'a> Truth<'a> {
    /// The model of a rule, or another truth.
    pub(super) fn new(rule: &'a Mixture, under: Option<&'a Mixture>) -> Result<Self, Error> {
        let mixture = under.unwrap_or(rule);
        let (expected, found) = (rule.components(), mixture.components());
        if expected != found {
            return refused(RiskRefusal::Classes { expected, found });
        }
        let (expected, found) = (rule.dim(), mixture.dim());
        if expected != found {
            return refused(RiskRefusal::Columns { expected, found });
        }
        if mixture.laws().is_some() {
            return refused(RiskRefusal::NotGaussian);
        }
        let (own, other) = (rule.frame(), mixture.frame());
        let exponents = other.exponent().iter().zip(own.exponent());
        let scale = exponents.map(|(e, o)| ldexp(1.0, e - o)).collect();
        let dim = rule.dim();
        let place = |(at, &m): (usize, &f64)| {
            let j = at % dim;
            if own.origin()[j] == other.origin()[j] {
                ldexp(m, other.exponent()[j] - own.exponent()[j])
            } else {
                own.place(j, other.raw_value(j, m))
            }
        };
        let means = mixture.means().iter().enumerate().map(place).collect();
        Ok(Self { mixture, own: under.is_none(), means, scale })
    }

    /// Weights of the classes.
    pub(super) fn weights(&self) -> &[f64] {
        self.mixture.weights()
    }

    pub(super) fn components(&self) -> usize {
        self.mixture.components()
    }

    /// Mean of component `t`.
    pub(super) fn mean(&self, t: usize) -> &[f64] {
        let dim = self.mixture.dim();
        &self.means[t * dim..(t + 1) * dim]
    }

    /// Whether component `t` has the covariance that component `k` of the rule has.
    pub(super) fn has_covariance(&self, t: usize, rule: &Mixture, k: usize) -> bool {
        let covariances = rule.covariances();
        let same_frame = self.scale.iter().all(|scale| *scale == 1.0);
        (self.own && t == k)
            || (same_frame && self.mixture.covariances().get(t) == covariances.get(k))
    }

    /// The columns of a matrix R with R Rᵀ = Σ_t, one after the other: x = m_t + R z, z standard normal.
    pub(super) fn root(&self, t: usize) -> Vec<f64> {
        let covariance = self.mixture.covariances().get(t);
        let dim = covariance.dim();
        let mut columns = if let Some((matrix, _)) = covariance.range() {
            // W whitens, W Σ Wᵀ = I: then Σ Wᵀ (Σ Wᵀ)ᵀ = Σ.
            let triangle = covariance.triangle();
            let entry =
                |i: usize, j: usize| triangle[crate::moments::lower_index(i.max(j), i.min(j))];
            let product = |whitener: &[f64], i: usize| -> f64 {
                whitener.iter().enumerate().map(|(j, w)| entry(i, j) * w).sum()
            };
            let rows = matrix.chunks_exact(dim);
            rows.flat_map(|row| (0..dim).map(move |i| (row, i)))
                .map(|(r, i)| product(r, i))
                .collect()
        } else {
            let mut columns = vec![0.0; dim * dim];
            match covariance.shape() {
                Shape::Full => {
                    let factor = Triangular::new(covariance.factor(), dim);
                    for i in 0..dim {
                        factor
                            .row(i)
                            .iter()
                            .enumerate()
                            .for_each(|(j, l)| columns[j * dim + i] = *l);
                    }
                }
                Shape::Diagonal | Shape::Spherical => {
                    let deviations = covariance.deviations();
                    deviations.iter().enumerate().for_each(|(j, s)| columns[j * dim + j] = *s);
                }
            }
            columns
        };
        for column in columns.chunks_exact_mut(dim) {
            column.iter_mut().zip(&self.scale).for_each(|(x, s)| *x *= s);
        }
        columns
    }
}
