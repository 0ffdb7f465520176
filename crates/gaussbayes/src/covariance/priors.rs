//! Resolves the priors: observed, uniform or given.

use crate::error::Error;
use crate::tolerance::PRIOR_SUM;

/// Where the class priors come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Priors {
    /// Each class's share of the weight.
    #[default]
    Observed,
    /// The same for every class.
    Uniform,
    /// These, in class order.
    Given(Vec<f64>),
}

impl Priors {
    /// One prior per class, which sum to one.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::BadPriors`] for given priors, [`Error::NoRows`] for observed
    /// ones of nothing.
    pub fn resolve(&self, weight: &[f64]) -> Result<Vec<f64>, Error> {
        match self {
            Self::Observed => {
                let total: f64 = weight.iter().sum();
                if total <= 0.0 {
                    return Err(Error::NoRows);
                }
                Ok(weight.iter().map(|w| w / total).collect())
            }
            Self::Uniform => Ok(vec![1.0 / weight.len() as f64; weight.len()]),
            Self::Given(priors) => {
                if priors.len() != weight.len() {
                    return Err(Error::Shape {
                        what: "priors",
                        expected: weight.len(),
                        found: priors.len(),
                    });
                }
                Self::check(priors)?;
                let sum: f64 = priors.iter().sum();
                Ok(priors.iter().map(|p| p / sum).collect())
            }
        }
    }

    /// # Errors
    /// [`Error::BadPriors`] for what is no distribution.
    pub(crate) fn check(priors: &[f64]) -> Result<(), Error> {
        let sum: f64 = priors.iter().sum();
        let proper = priors.iter().all(|p| p.is_finite() && *p >= 0.0);
        if proper && (sum - 1.0).abs() <= PRIOR_SUM {
            Ok(())
        } else {
            Err(Error::BadPriors { sum })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priors_are_a_distribution_or_refused() {
        assert_eq!(Priors::Observed.resolve(&[1.0, 3.0]).unwrap(), [0.25, 0.75]);
        assert_eq!(Priors::Uniform.resolve(&[1.0, 3.0]).unwrap(), [0.5, 0.5]);
        assert_eq!(Priors::Given(vec![0.0, 1.0]).resolve(&[1.0, 3.0]).unwrap(), [0.0, 1.0]);
        for bad in [vec![0.5, 0.6], vec![-0.5, 1.5], vec![f64::NAN, 1.0], vec![1.0]] {
            assert!(Priors::Given(bad).resolve(&[1.0, 3.0]).is_err());
        }
    }
}
