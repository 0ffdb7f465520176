//! Says when EM is over \[M57\].

use crate::covariance::Covariance;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::ldexp;
use crate::tolerance::{EM_ITERATIONS, EM_TOLERANCE, SINGLE_RISE};

/// What must be small before EM is over \[M57\].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StopRule {
    /// The change of the mean log-likelihood of a row.
    #[default]
    Loglik,
    /// The change of the log-likelihood l, as a share of 1 + |l|.
    Relative,
    /// What the mean log-likelihood still lacks of its limit, by Aitken's extrapolation.
    Aitken,
    /// The distance of the parameters from the last ones, on standardised columns.
    Parameters,
}

impl StopRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Loglik, Self::Relative, Self::Aitken, Self::Parameters];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Loglik => "loglik",
            Self::Relative => "relative",
            Self::Aitken => "aitken",
            Self::Parameters => "parameters",
        }
    }
}

/// When EM is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// What must be small.
    pub rule: StopRule,
    /// How small: below this.
    pub tolerance: f64,
    /// Iterations after which it is over in any case.
    pub max_iterations: u32,
}

impl Default for Stop {
    fn default() -> Self {
        let rule = StopRule::default();
        Self { rule, tolerance: EM_TOLERANCE, max_iterations: EM_ITERATIONS }
    }
}

impl Stop {
    /// # Errors
    /// [`Error::BadTolerance`].
    pub(super) fn check(self) -> Result<(), Error> {
        let value = self.tolerance;
        if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(Error::BadTolerance { value }) }
    }

    /// Whether single precision can tell that it is met \[M94\].
    pub(super) fn is_coarse(self, log_likelihood: f64, weight: f64) -> bool {
        let unit = match self.rule {
            StopRule::Relative | StopRule::Parameters => 1.0,
            _ => log_likelihood.abs() / weight,
        };
        self.tolerance >= SINGLE_RISE * unit
    }

    /// What the rule measures, where it can yet; `recent` are log-likelihoods, the latest last.
    pub(super) fn value(self, recent: &[f64], weight: f64, moved: f64) -> Option<f64> {
        if self.rule == StopRule::Parameters {
            return Some(moved);
        }
        let [.., before, latest] = *recent else { return None };
        let change = latest - before;
        match self.rule {
            StopRule::Relative => Some(change.abs() / (1.0 + latest.abs())),
            StopRule::Aitken if change == 0.0 => Some(0.0),
            StopRule::Aitken => {
                let [.., first, _, _] = *recent else { return None };
                let rate = change / (before - first);
                // Changes that do not shrink have no limit to extrapolate to.
                let lacking = change * rate / (1.0 - rate);
                (0.0..1.0).contains(&rate).then(|| lacking.abs() / weight)
            }
            _ => Some(change.abs() / weight),
        }
    }
}

/// ‖Θ − Θ′‖ on columns divided by `deviations`, which are in the frame of the first.
pub(super) fn distance(now: &Mixture, before: &Mixture, deviations: &[f64]) -> f64 {
    let (dim, components) = (now.dim(), now.components().min(before.components()));
    let unit = |j: usize| if deviations[j] > 0.0 { deviations[j] } else { 1.0 };
    let (to, from) = (now.frame(), before.frame());
    let shift = |j: usize| ldexp(1.0, from.exponent()[j] - to.exponent()[j]);
    let share = |mixture: &Mixture| mixture.noise().map_or(0.0, |noise| noise.share);
    let mut sum = (share(now) - share(before)).powi(2);
    for k in 0..components {
        sum += (tail(now, k) - tail(before, k)).powi(2);
        sum += (now.weights()[k] - before.weights()[k]).powi(2);
        for j in 0..dim {
            let moved = before.mean(k)[j] * shift(j) + to.place(j, from.origin()[j]);
            sum += ((now.mean(k)[j] - moved) / unit(j)).powi(2);
        }
        let triangle = |covariance: &Covariance| covariance.triangle();
        let (a, b) = (triangle(now.covariances().get(k)), triangle(before.covariances().get(k)));
        let pairs = (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j)));
        for (((i, j), a), b) in pairs.zip(a).zip(b) {
            let twice = if i == j { 1.0 } else { 2.0 };
            sum += twice * ((a - b * shift(i) * shift(j)) / unit(i) / unit(j)).powi(2);
        }
    }
    sum.sqrt()
}

/// One over the degrees of freedom: none of a Gaussian's.
fn tail(mixture: &Mixture, k: usize) -> f64 {
    mixture.laws().and_then(|laws| laws[k].freedom()).map_or(0.0, f64::recip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_apart_by_deviations_of_their_columns() {
        let mixture = |mean: f64, variance: f64, weight: f64| {
            let means = [vec![mean, 0.0], vec![5.0, 5.0]];
            let covariances = [vec![variance, 0.0, 1.0], vec![1.0, 0.5, 1.0]];
            Mixture::given(&means, &covariances, vec![weight, 1.0 - weight]).unwrap()
        };
        let (a, raw) = (mixture(1.0, 2.0, 0.25), [4.0, 10.0]);
        let apart = |b: &Mixture| {
            let exponent = a.frame().exponent();
            let deviations: Vec<f64> =
                raw.iter().zip(exponent).map(|(s, e)| ldexp(*s, -e)).collect();
            distance(&a, b, &deviations)
        };
        assert_eq!(apart(&a), 0.0);
        // The frame of the other has its origin at another mean.
        assert!((apart(&mixture(3.0, 2.0, 0.25)) - 0.5).abs() < 1e-15);
        assert!((apart(&mixture(1.0, 10.0, 0.25)) - 8.0 / 16.0).abs() < 1e-14);
        assert!((apart(&mixture(1.0, 2.0, 0.5)) - 0.125_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_coarse_rule_is_one_that_single_precision_can_tell_is_met() {
        let coarse =
            |rule, tolerance| Stop { rule, tolerance, ..Stop::default() }.is_coarse(-3e5, 1e4);
        assert!(coarse(StopRule::Loglik, 1e-3) && !coarse(StopRule::Loglik, 1e-5));
        assert!(coarse(StopRule::Relative, 1e-5) && !coarse(StopRule::Relative, 1e-8));
    }

    #[test]
    fn rules_measure_what_they_say() {
        let stop = |rule| Stop { rule, ..Stop::default() };
        let recent = [-100.0, -90.0, -85.0];
        assert_eq!(stop(StopRule::Loglik).value(&recent, 10.0, 7.0), Some(0.5));
        assert_eq!(stop(StopRule::Relative).value(&recent, 10.0, 7.0), Some(5.0 / 86.0));
        assert_eq!(stop(StopRule::Parameters).value(&recent, 10.0, 7.0), Some(7.0));
        // Changes 10, 5, 2.5 …: another 5 are to come.
        assert_eq!(stop(StopRule::Aitken).value(&recent, 10.0, 7.0), Some(0.5));
        assert_eq!(stop(StopRule::Aitken).value(&recent[1..], 10.0, 7.0), None);
        assert_eq!(stop(StopRule::Aitken).value(&[-3.0, -2.0, 0.0], 1.0, 7.0), None);
        assert_eq!(stop(StopRule::Loglik).value(&recent[..1], 10.0, 7.0), None);
    }
}
