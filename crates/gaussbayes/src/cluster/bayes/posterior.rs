//! Updates what is known of a mixture's parameters by the moments of rows \[M72\].

use std::f64::consts::LN_2;

use super::prior::BayesPrior;
use super::spec::WeightPrior;
use crate::covariance::Covariance;
use crate::error::Error;
use crate::mixture::{Covariances, Law, Mixture};
use crate::moments::{Moments, Shape, Spread, Storage, lower_index};
use crate::special::digamma;

/// The posterior of the weights.
#[derive(Debug, Clone, PartialEq)]
pub enum Concentration {
    /// α of a Dirichlet distribution, component by component.
    Dirichlet(Vec<f64>),
    /// Both parameters of each share that is broken off what is left of the stick.
    Process {
        /// For breaking it off.
        taken: Vec<f64>,
        /// For what is left to later components.
        left: Vec<f64>,
    },
}

/// The posterior of a mixture's parameters \[M72\]: each mean is Gaussian given its precision, each precision
/// matrix is Wishart, whose scale has the shape of the family.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesPosterior {
    pub(super) concentration: Concentration,
    pub(super) mean_precision: Vec<f64>,
    pub(super) degrees_of_freedom: Vec<f64>,
    pub(super) mixture: Mixture,
}

impl BayesPosterior {
    /// The posterior of the weights.
    pub fn concentration(&self) -> &Concentration {
        &self.concentration
    }

    /// Rows that each mean counts as.
    pub fn mean_precision(&self) -> &[f64] {
        &self.mean_precision
    }

    /// Rows that each covariance counts as; the same for all where they have one posterior.
    pub fn degrees_of_freedom(&self) -> &[f64] {
        &self.degrees_of_freedom
    }

    /// Expected weights, means and inverses of expected precisions; its scores are expected log densities, by
    /// which rows belong to components.
    pub fn mixture(&self) -> &Mixture {
        &self.mixture
    }
}

impl BayesPrior {
    /// The posterior given moments of rows under their memberships.
    ///
    /// # Errors
    /// [`Error::Shape`] for moments of other components or columns, [`Error::Singular`] for covariances without
    /// an inverse, [`Error::Storage`] for moments that hold too little.
    pub fn posterior(&self, moments: &Moments) -> Result<BayesPosterior, Error> {
        for (what, expected, found) in [
            ("components of the prior", moments.components(), self.components),
            ("columns of the prior", moments.dim(), self.dim()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        let (counts, all) = (moments.weight(), 0..self.components);
        let mean_precision: Vec<f64> = counts.iter().map(|n| self.mean_precision + n).collect();
        // From the prior mean to that of each component's rows.
        let apart: Vec<Vec<f64>> = all.clone().map(|k| self.apart(moments, k)).collect();
        let share = |k: usize| counts[k] / mean_precision[k];
        let mut means = Vec::with_capacity(self.components * self.dim());
        for (k, apart) in apart.iter().enumerate() {
            means.extend(apart.iter().zip(&self.mean).map(|(d, m)| m + share(k) * d));
        }
        let ridge = self.ridge.spread(self.scatter.shape, moments, &self.frame, None)?;
        let drawn = |sum: &mut Spread, factor: f64, k: usize| {
            add_outer(sum, factor * self.mean_precision * share(k), &apart[k]);
            sum.add(factor * counts[k], &ridge);
        };
        let (spreads, degrees_of_freedom): (Vec<Spread>, Vec<f64>) = if self.shared {
            let (one, n) = (1.0 / self.components as f64, counts.iter().sum::<f64>());
            let mut sum = self.scatter.clone();
            let held = if moments.storage() == Storage::Shared { 0..1 } else { all.clone() };
            for k in held {
                sum.add(one, &moments.spread(k, sum.shape, &self.frame)?);
            }
            all.clone().for_each(|k| drawn(&mut sum, one, k));
            let freedom = self.degrees_of_freedom + one * n;
            (vec![sum.scaled(1.0 / freedom)], vec![freedom; self.components])
        } else {
            let one = |k: usize| {
                let (mut sum, freedom) =
                    (self.scatter.clone(), self.degrees_of_freedom + counts[k]);
                sum.add(1.0, &moments.spread(k, sum.shape, &self.frame)?);
                drawn(&mut sum, 1.0, k);
                Ok((sum.scaled(1.0 / freedom), freedom))
            };
            all.clone().map(one).collect::<Result<Vec<_>, Error>>()?.into_iter().unzip()
        };
        let covariances = self.factored(moments, &spreads)?;
        let concentration = self.concentrated(counts);
        let weights = concentration.expected();
        let mixture = Mixture::new(self.frame.clone(), means, covariances, weights)?;
        let logs = concentration.expected_logs();
        let offset = |k: usize| {
            let freedom = degrees_of_freedom[k];
            let known =
                expected_log_det(freedom, self.dim()) - self.dim() as f64 / mean_precision[k];
            logs[k] - mixture.weights()[k].ln() + 0.5 * known
        };
        let law = |k: usize| Law::Scaled { factor: 1.0, offset: offset(k) };
        let laws = all.map(law).collect();
        let mixture = mixture.with_laws(laws)?;
        Ok(BayesPosterior { concentration, mean_precision, degrees_of_freedom, mixture })
    }

    /// x̄_k − m₀ in the frame; nothing for a component without rows, which has no mean.
    fn apart(&self, moments: &Moments, k: usize) -> Vec<f64> {
        if moments.weight()[k] == 0.0 {
            return vec![0.0; self.dim()];
        }
        moments.mean_in(k, &self.frame).zip(&self.mean).map(|(x, m)| x - m).collect()
    }

    fn factored(&self, moments: &Moments, spreads: &[Spread]) -> Result<Covariances, Error> {
        if self.shared {
            let floors = moments.coarsest(0..self.components, &self.frame);
            let covariance = Covariance::from_spread(&spreads[0], &floors, None)?;
            return Ok(Covariances::Shared(covariance));
        }
        let one = |(k, spread)| {
            let floors: Vec<f64> = moments.resolution(k, &self.frame).collect();
            Covariance::from_spread(spread, &floors, Some(k))
        };
        let all = spreads.iter().enumerate().map(one).collect::<Result<_, Error>>()?;
        Ok(Covariances::Each(all))
    }

    fn concentrated(&self, counts: &[f64]) -> Concentration {
        match self.weights {
            WeightPrior::Dirichlet => {
                Concentration::Dirichlet(counts.iter().map(|n| self.concentration + n).collect())
            }
            WeightPrior::Process => {
                let mut left = vec![self.concentration; counts.len()];
                let mut later = 0.0;
                for (left, n) in left.iter_mut().zip(counts).rev() {
                    *left += later;
                    later += n;
                }
                Concentration::Process { taken: counts.iter().map(|n| 1.0 + n).collect(), left }
            }
        }
    }
}

impl Concentration {
    /// E π_k, which sum to one; for a process those of its first components alone.
    fn expected(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = match self {
            Self::Dirichlet(alpha) => alpha.clone(),
            Self::Process { taken, left } => {
                let mut rest = 1.0;
                let sticks = taken.iter().zip(left).map(|(a, b)| {
                    let weight = rest * (a / (a + b));
                    rest *= b / (a + b);
                    weight
                });
                sticks.collect()
            }
        };
        let sum: f64 = weights.iter().sum();
        // A weight too small to be a number still has a logarithm.
        weights.iter_mut().for_each(|weight| *weight = (*weight / sum).max(f64::MIN_POSITIVE));
        weights
    }

    /// E ln π_k.
    fn expected_logs(&self) -> Vec<f64> {
        match self {
            Self::Dirichlet(alpha) => {
                let sum = digamma(alpha.iter().sum());
                alpha.iter().map(|a| digamma(*a) - sum).collect()
            }
            Self::Process { taken, left } => {
                let mut rest = 0.0;
                let sticks = taken.iter().zip(left).map(|(&a, &b)| {
                    let sum = digamma(a + b);
                    let log = digamma(a) - sum + rest;
                    rest += digamma(b) - sum;
                    log
                });
                sticks.collect()
            }
        }
    }
}

/// E ln det Λ + ln det Σ of a Wishart distribution with E Λ = Σ⁻¹.
fn expected_log_det(freedom: f64, dim: usize) -> f64 {
    let psi: f64 = (0..dim).map(|j| digamma(0.5 * (freedom - j as f64))).sum();
    psi + dim as f64 * (LN_2 - freedom.ln())
}

/// Adds `factor · δδᵀ`, as far as the shape holds it.
fn add_outer(spread: &mut Spread, factor: f64, delta: &[f64]) {
    match spread.shape {
        Shape::Full => {
            for (i, a) in delta.iter().enumerate() {
                for (j, b) in delta[..=i].iter().enumerate() {
                    spread.values[lower_index(i, j)] += factor * a * b;
                }
            }
        }
        Shape::Diagonal => {
            spread.values.iter_mut().zip(delta).for_each(|(value, d)| *value += factor * d * d);
        }
        Shape::Spherical => {
            let mean = delta.iter().map(|d| d * d).sum::<f64>() / delta.len() as f64;
            spread.values[0] += factor * mean;
        }
    }
}
