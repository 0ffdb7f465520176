//! Scores rows under one covariance by linear forms, where these lose no digits \[M92\].

use super::tiles::{Components, Offsets};
use super::{Covariances, Mixture};
use crate::covariance::{Covariance, norm_sq};
use crate::linalg::distances::Forms;
use crate::linalg::dot;
use crate::tolerance::LINEAR_ROUNDING;

/// Linear scores of all components: what they differ in.
#[derive(Debug)]
pub(crate) struct LinearForm {
    /// The mean of the means: what sums are taken about.
    pub(crate) centre: Vec<f64>,
    pub(crate) components: Components<f64>,
    pub(crate) offsets: Offsets,
    /// Lower triangle of the inverse of the covariance.
    pub(crate) precision: Vec<f64>,
    /// Largest number of a framed row up to which the forms lose no digits.
    pub(crate) reach: f64,
}

impl Mixture {
    /// The linear form; none where covariances differ, densities count as such, or means are so far apart that no
    /// row could be scored by it.
    pub(crate) fn linear_form(&self) -> Option<&LinearForm> {
        self.linear.get(|| self.made_linear()).as_ref()
    }

    fn made_linear(&self) -> Option<LinearForm> {
        let covariance = self.one_covariance()?;
        if self.laws().is_some() || self.noise().is_some() {
            return None;
        }
        let (dim, covariance) = (self.dim(), covariance.bounded());
        let count = self.weights().len() as f64;
        let mean = |j: usize| self.means().iter().skip(j).step_by(dim).sum::<f64>() / count;
        let centre: Vec<f64> = (0..dim).map(mean).collect();
        let (mut weights, mut offsets) = (Vec::new(), Vec::new());
        let mut largest = 0.0_f64;
        for (mean, weight) in self.means().chunks_exact(dim).zip(self.weights()) {
            let mut form: Vec<f64> = mean.iter().zip(&centre).map(|(m, c)| m - c).collect();
            covariance.whiten_rows(&mut form);
            let half = 0.5 * norm_sq(&form);
            covariance.unwhiten(&mut form);
            largest = largest.max(form.iter().map(|v| v.abs()).sum::<f64>()).max(half);
            offsets.push(weight.ln() - half - dot(&form, &centre));
            weights.extend(form);
        }
        let farthest = centre.iter().fold(0.0_f64, |most, c| most.max(c.abs()));
        let rounding = 0.5 * f64::EPSILON * dim as f64;
        let reach = LINEAR_ROUNDING / (rounding * largest.max(1.0)) - farthest;
        (reach > 0.0).then(|| LinearForm {
            centre,
            components: Components::Linear(Forms::new(dim, &weights)),
            offsets: Offsets::Linear(offsets),
            precision: covariance.precision(),
            reach,
        })
    }

    /// The covariance of all components, where they have the same.
    pub(crate) fn one_covariance(&self) -> Option<&Covariance> {
        match self.covariances() {
            Covariances::Shared(one) => Some(one),
            Covariances::Each(all) => {
                let (first, rest) = all.split_first()?;
                rest.iter().all(|other| other == first).then_some(first)
            }
        }
    }

    /// Whether sums of squares about the frame's origin lose little: no mean's square is more variances than `most`
    /// \[M56\].
    pub(crate) fn is_near_origin(&self, most: f64) -> bool {
        let of = |k: usize| {
            let covariance = self.covariances().get(k);
            let pairs = self.mean(k).iter().enumerate().map(|(j, m)| (m, covariance.deviation(j)));
            pairs.map(|(m, s)| (m / s) * (m / s)).fold(0.0, f64::max)
        };
        let all = || (0..self.components()).map(of).fold(0.0, f64::max);
        *self.remoteness.get(all) <= most
    }
}
