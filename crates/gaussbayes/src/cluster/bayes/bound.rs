//! Bounds the evidence of rows from below: what variational Bayes raises \[M73\].

use std::f64::consts::{LN_2, PI};

use super::posterior::{BayesPosterior, Concentration};
use super::prior::BayesPrior;
use super::spec::WeightPrior;
use crate::covariance::Covariance;
use crate::special::ln_gamma;

impl BayesPosterior {
    /// The lower bound of ln p(rows) but for what does not change between iterations: scikit-learn's.
    ///
    /// `entropy` is that of the memberships that the posterior was computed from.
    pub fn lower_bound(&self, entropy: f64) -> f64 {
        let dim = self.mixture.dim() as f64;
        let mut sum = entropy;
        for (k, freedom) in self.degrees_of_freedom.iter().enumerate() {
            // ½ ln det of the Wishart's scale, in raw units.
            let gaussian = self.mixture.log_norm(k) + 0.5 * dim * (2.0 * PI).ln();
            let half_log_det = gaussian - 0.5 * dim * freedom.ln();
            sum += wishart_norm(*freedom, half_log_det, self.mixture.dim());
            sum -= 0.5 * dim * self.mean_precision[k].ln();
        }
        sum + match &self.concentration {
            Concentration::Dirichlet(alpha) => ln_dirichlet(alpha),
            Concentration::Process { taken, left } => {
                taken.iter().zip(left).map(|(a, b)| ln_beta(*a, *b)).sum()
            }
        }
    }
}

impl BayesPrior {
    /// What [`BayesPosterior::lower_bound`] lacks of a bound of ln p(rows), for rows of this weight; `None` where
    /// the prior covariance has no inverse, so that no row is expected anywhere.
    pub fn bound_constant(&self, weight: f64) -> Option<f64> {
        let (dim, components) = (self.dim() as f64, self.components as f64);
        let scatter = Covariance::from_spread(&self.scatter, &vec![0.0; self.dim()], None).ok()?;
        let units: f64 = self.frame.exponent().iter().map(|&e| f64::from(e)).sum();
        let half_log_det = -0.5 * scatter.log_det() - LN_2 * units;
        let one = wishart_norm(self.degrees_of_freedom, half_log_det, self.dim())
            - 0.5 * dim * self.mean_precision.ln();
        let weights = match self.weights {
            WeightPrior::Dirichlet => ln_dirichlet(&vec![self.concentration; self.components]),
            WeightPrior::Process => components * ln_beta(1.0, self.concentration),
        };
        Some(-0.5 * weight * dim * (2.0 * PI).ln() - components * one - weights)
    }
}

/// ln of what a Wishart density is divided by, without its power of π.
fn wishart_norm(freedom: f64, half_log_det: f64, dim: usize) -> f64 {
    let gammas: f64 = (0..dim).map(|j| ln_gamma(0.5 * (freedom - j as f64))).sum();
    freedom * half_log_det + 0.5 * freedom * dim as f64 * LN_2 + gammas
}

/// ln of what a Dirichlet density is divided by.
fn ln_dirichlet(alpha: &[f64]) -> f64 {
    alpha.iter().map(|a| ln_gamma(*a)).sum::<f64>() - ln_gamma(alpha.iter().sum())
}

fn ln_beta(a: f64, b: f64) -> f64 {
    ln_dirichlet(&[a, b])
}
