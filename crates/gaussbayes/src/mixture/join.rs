//! Takes some components out of a mixture, and puts those of several together.

use super::{Covariances, Law, Mixture};
use crate::covariance::{Covariance, Priors};
use crate::error::Error;
use crate::moments::{Frame, ldexp};

impl Mixture {
    /// Some of the components, in this order; their weights are shares among them.
    ///
    /// # Errors
    /// [`Error::Shape`] for none, or one that is not there.
    pub fn picked(&self, components: &[usize]) -> Result<Self, Error> {
        let (what, expected) = ("components", self.components());
        if let Some(&found) = components.iter().find(|k| **k >= expected) {
            return Err(Error::Shape { what, expected, found });
        }
        let means = components.iter().flat_map(|&k| self.mean(k).to_vec()).collect();
        let covariances = match self.covariances() {
            Covariances::Shared(one) => Covariances::Shared(one.clone()),
            Covariances::Each(all) => {
                Covariances::Each(components.iter().map(|&k| all[k].clone()).collect())
            }
        };
        let weights: Vec<f64> = components.iter().map(|&k| self.weights()[k]).collect();
        let weights = Priors::Observed.resolve(&weights)?;
        let picked = Self::new(self.frame().clone(), means, covariances, weights)?;
        match self.laws() {
            Some(laws) => picked.with_laws(components.iter().map(|&k| laws[k]).collect()),
            None => Ok(picked),
        }
    }

    /// The components of several mixtures in one, one after the other, with these weights.
    ///
    /// # Errors
    /// [`Error::Shape`] for mixtures of other columns or none, [`Error::NotGaussian`] where one holds
    /// noise, [`Error::BadPriors`].
    pub fn joined(parts: &[&Self], weights: Vec<f64>) -> Result<Self, Error> {
        let Some((first, others)) = parts.split_first() else {
            return Err(Error::Shape { what: "mixtures", expected: 1, found: 0 });
        };
        let mut frame = first.frame().clone();
        for part in others {
            if part.dim() != first.dim() {
                let (expected, found) = (first.dim(), part.dim());
                return Err(Error::Shape { what: "columns", expected, found });
            }
            if part.frame() != &frame {
                frame = frame.joined(part.frame());
            }
        }
        let (mut means, mut covariances, mut laws) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            if part.noise().is_some() {
                return Err(Error::NotGaussian { what: "joined mixtures" });
            }
            for k in 0..part.components() {
                means.extend(part.mean_in(k, &frame));
                covariances.push(part.covariance_in(k, &frame));
                laws.push(part.laws().map_or(Law::GAUSSIAN, |laws| laws[k]));
            }
        }
        let joined = Self::new(frame, means, Covariances::Each(covariances), weights)?;
        if laws.iter().all(|law| *law == Law::GAUSSIAN) {
            return Ok(joined);
        }
        joined.with_laws(laws)
    }

    /// Mean of component `k` in another frame.
    pub(crate) fn mean_in(&self, k: usize, to: &Frame) -> Vec<f64> {
        self.frame().carried(self.mean(k), to).collect()
    }

    /// Covariance of component `k` in another frame: powers of two, and no rounding.
    pub(crate) fn covariance_in(&self, k: usize, to: &Frame) -> Covariance {
        let covariance = self.covariances().get(k).clone();
        let (from, to) = (self.frame().exponent(), to.exponent());
        if from == to {
            return covariance;
        }
        let steps: Vec<f64> = from.iter().zip(to).map(|(from, to)| ldexp(1.0, from - to)).collect();
        covariance.rescaled(&steps)
    }
}
