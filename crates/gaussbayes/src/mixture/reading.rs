//! Reads a mixture in raw units: its centre, its linear scores, the axes of a covariance.

use super::{Covariances, Mixture};
use crate::covariance::norm_sq;
use crate::moments::{exponent_of, ldexp};
use crate::tolerance::POWER_EXPONENT;

/// Scores that are linear in a raw row: g_k(x) = w_kᵀx + c_k \[M16\].
///
/// What all components have in common is left out: differences of scores are those of ln π_k p(x|C_k).
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// w_k, component by component. One beyond the largest number is infinite.
    pub coefficients: Vec<f64>,
    /// c_k; −∞ for a component without weight.
    pub intercepts: Vec<f64>,
}

impl Mixture {
    /// Σ π_k μ_k in raw coordinates.
    pub fn centre(&self) -> Vec<f64> {
        let framed = self.framed_centre();
        framed.iter().enumerate().map(|(j, &u)| self.frame().raw_value(j, u)).collect()
    }

    /// Σ π_k m_k in the frame, weights divided by their sum.
    pub(crate) fn framed_centre(&self) -> Vec<f64> {
        let total: f64 = self.weights().iter().sum();
        let mut centre = vec![0.0; self.dim()];
        for (k, weight) in self.weights().iter().enumerate() {
            let share = weight / total;
            centre.iter_mut().zip(self.mean(k)).for_each(|(sum, m)| *sum += share * m);
        }
        centre
    }

    /// The scores as linear functions of the row, expanded about a raw point:
    /// g_k(x) = w_kᵀ(x − a) + b_k with w_k = Σ⁻¹(μ_k − a), b_k = −½(μ_k − a)ᵀΣ⁻¹(μ_k − a) + ln π_k
    /// \[M16\].
    ///
    /// The point changes what is left out, and where digits are lost: near the rows none are, but for
    /// those of w_kᵀa in the last step.
    ///
    /// `None` where components have covariances or laws of their own, beside noise, and for a point of other columns.
    pub fn linear(&self, about: &[f64]) -> Option<Linear> {
        let Covariances::Shared(covariance) = self.covariances() else { return None };
        let dim = self.dim();
        if self.laws().is_some() || self.noise().is_some() || about.len() != dim {
            return None;
        }
        // A fixed unit can be so far from the rows' own that its square is no number.
        let unit = covariance.unit_exponent();
        let covariance = covariance.clone().rescaled(&vec![ldexp(1.0, -unit); dim]);
        let (frame, exponent) = (self.frame(), self.frame().exponent());
        let point: Vec<f64> = about.iter().enumerate().map(|(j, &x)| frame.place(j, x)).collect();
        let mut all = Linear { coefficients: Vec::new(), intercepts: Vec::new() };
        for (k, weight) in self.weights().iter().enumerate() {
            let mut w: Vec<f64> = self.mean(k).iter().zip(&point).map(|(m, a)| m - a).collect();
            covariance.whiten_rows(&mut w);
            let distance = ldexp(norm_sq(&w), -2 * unit).min(f64::MAX);
            covariance.unwhiten(&mut w);
            let raw: Vec<f64> =
                w.iter().zip(exponent).map(|(w, e)| ldexp(*w, -2 * unit - e)).collect();
            // A column that the point has at zero adds nothing, whatever its coefficient.
            let pairs = raw.iter().zip(about).filter(|(_, a)| **a != 0.0);
            let moved: f64 = pairs.map(|(w, a)| w * a).sum();
            all.intercepts.push(weight.ln() - 0.5 * distance - moved);
            all.coefficients.extend(raw);
        }
        Some(all)
    }

    /// Variance of each column in component `k`, in raw units.
    pub fn raw_variances(&self, k: usize) -> Vec<f64> {
        let deviations = self.covariances().get(k).deviations().into_iter();
        let raw = |(deviation, e): (f64, &i32)| ldexp(deviation * deviation, 2 * e);
        deviations.zip(self.frame().exponent()).map(raw).collect()
    }

    /// Variances of component `k` along its principal axes in raw units, the largest first, and the
    /// axes, one after the other: of length one, their largest coefficient by size positive.
    ///
    /// `None` where there is no such component.
    pub fn principal_axes(&self, k: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        if k >= self.components() {
            return None;
        }
        let (covariance, exponent) = (self.covariances().get(k), self.frame().exponent());
        let sizes = covariance.deviations().into_iter().map(exponent_of).zip(exponent);
        let unit = sizes.map(|(size, e)| size + e).max()?;
        // In units of the widest column neither squares nor their sums leave the range of numbers.
        let factor = |e: &i32| ldexp(1.0, (e - unit).min(POWER_EXPONENT));
        let factors: Vec<f64> = exponent.iter().map(factor).collect();
        let (mut variances, mut axes) = covariance.clone().rescaled(&factors).principal_axes()?;
        variances.iter_mut().for_each(|variance| *variance = ldexp(*variance, 2 * unit));
        for axis in axes.chunks_exact_mut(self.dim()) {
            let largest =
                axis.iter().fold(0.0_f64, |top, v| if v.abs() > top.abs() { *v } else { top });
            // Added to 0, no coefficient is a negative zero.
            axis.iter_mut().for_each(|v| *v = *v * largest.signum() + 0.0);
        }
        Some((variances, axes))
    }
}
