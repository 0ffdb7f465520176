//! Turns estimates into densities that know of it: predictive and debiased \[M30\] \[M31\].

use std::f64::consts::LN_2;

use super::spec::{CovarianceSpec, Density};
use crate::covariance::Sharing;
use crate::error::Error;
use crate::mixture::Law;
use crate::moments::Moments;
use crate::special::{digamma, ln_gamma};

impl CovarianceSpec {
    /// How each class's log density follows from its squared distance; `None` for the Gaussian's own.
    ///
    /// # Errors
    /// [`Error::TooFewRows`] where the degrees of freedom do not suffice.
    pub(super) fn laws(&self, moments: &Moments) -> Result<Option<Vec<Law>>, Error> {
        if self.density == Density::PlugIn {
            return Ok(None);
        }
        let law = |k: usize| {
            let n = moments.weight()[k];
            let (freedom, divisor, component) = match self.sharing() {
                Sharing::PerClass => (n - 1.0, self.divisor(moments, k)?, Some(k)),
                Sharing::Shared => {
                    let weight: f64 = moments.weight().iter().sum();
                    let classes = moments.components() as f64;
                    (weight - classes, self.divisor_of_all(moments)?, None)
                }
            };
            let dim = moments.dim() as f64;
            // The Student density needs ν + 1 > d, the mean of W⁻¹ needs ν > d + 1.
            let (law, least) = match self.density {
                Density::Debiased => (debiased(n, freedom, divisor, moments.dim()), dim + 1.0),
                _ => (predictive(n, freedom, divisor, dim), dim - 1.0),
            };
            if freedom > least {
                return Ok(law);
            }
            let weight = if component.is_some() { n } else { moments.weight().iter().sum() };
            let least = weight - freedom + least;
            let density = self.density.name();
            Err(Error::TooFewForDensity { component, class: None, density, weight, least })
        };
        (0..moments.components()).map(law).collect::<Result<Vec<Law>, Error>>().map(Some)
    }
}

/// Mean and covariance integrated out under |Σ|^(−(d+1)/2): a Student density.
fn predictive(n: f64, freedom: f64, divisor: f64, dim: f64) -> Law {
    let power = freedom + 1.0;
    // The Gaussian's constant holds ½ln det(W/divisor) and (2π)^(−d/2); this is what differs.
    let offset = ln_gamma(0.5 * power)
        - ln_gamma(0.5 * (power - dim))
        - 0.5 * dim * (((n + 1.0) / n).ln() + divisor.ln() - LN_2);
    Law::Student { power, divisor: divisor * (n + 1.0) / n, offset }
}

/// E ln det W = ln det Σ + d ln 2 + Σψ((ν + 1 − i)/2) and E W⁻¹ = Σ⁻¹/(ν − d − 1), taken back.
fn debiased(n: f64, freedom: f64, divisor: f64, dim: usize) -> Law {
    let psi: f64 = (1..=dim).map(|i| digamma(0.5 * (freedom + 1.0 - i as f64))).sum();
    let dim = dim as f64;
    let factor = (freedom - dim - 1.0) / divisor;
    Law::Scaled { factor, offset: 0.5 * (dim / n + psi + dim * LN_2 - dim * divisor.ln()) }
}
