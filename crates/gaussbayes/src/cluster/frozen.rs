//! Keeps given means or covariances as they are while EM goes on \[M64\].

use crate::covariance::{CovarianceSpec, Family};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::moments::{Frame, Moments, Storage};

/// Which parameters stay as they are, component by component; those beyond a list are free.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frozen {
    /// Means that stay.
    pub means: Vec<bool>,
    /// Covariances that stay.
    pub covariances: Vec<bool>,
}

impl Frozen {
    /// Whether nothing stays.
    pub fn is_none(&self) -> bool {
        !self.means.contains(&true) && !self.covariances.contains(&true)
    }

    /// Whether the mean of a component stays.
    pub fn mean(&self, k: usize) -> bool {
        self.means.get(k).copied().unwrap_or(false)
    }

    /// Whether the covariance of a component stays.
    pub fn covariance(&self, k: usize) -> bool {
        self.covariances.get(k).copied().unwrap_or(false)
    }

    /// The same where only these components are left.
    pub(super) fn kept(&self, components: &[usize]) -> Self {
        if self.is_none() {
            return Self::default();
        }
        Self {
            means: components.iter().map(|&k| self.mean(k)).collect(),
            covariances: components.iter().map(|&k| self.covariance(k)).collect(),
        }
    }

    /// # Errors
    /// [`Error::NotForFamily`] where some covariances stay and others are to share parts with them.
    pub(super) fn check(&self, spec: &CovarianceSpec, components: usize) -> Result<(), Error> {
        let count = (0..components).filter(|&k| self.covariance(k)).count();
        let apart = matches!(spec.family, Family::Vvv | Family::Vvi | Family::Vii | Family::Unit);
        if count == 0 || count == components || apart {
            return Ok(());
        }
        let (what, family) = ("covariances of which only some stay", spec.family.name());
        Err(Error::NotForFamily { what, family })
    }

    /// Parameters that are not estimated because of it.
    pub(super) fn parameters(&self, spec: &CovarianceSpec, components: usize, dim: usize) -> usize {
        let count = |stays: &dyn Fn(usize) -> bool| (0..components).filter(|&k| stays(k)).count();
        let covariances = count(&|k| self.covariance(k));
        let all = spec.effective_family().covariance_parameters(components, dim);
        count(&|k| self.mean(k)) * dim + all * covariances / components.max(1)
    }

    /// Moments about the means that stay, and with the spread of covariances that stay, of components of these
    /// weights.
    pub(super) fn moments(
        &self,
        mut moments: Moments,
        weight: &[f64],
        before: &Mixture,
    ) -> Moments {
        if self.is_none() {
            moments.weight.copy_from_slice(weight);
            return moments;
        }
        moments = moments.settled();
        let frame = moments.frame().clone();
        let (components, shared) = (moments.components(), moments.storage() == Storage::Shared);
        for k in (0..components).filter(|&k| self.mean(k)) {
            moments = moments.about(k, &before.mean_in(k, &frame));
        }
        moments.weight.copy_from_slice(weight);
        for k in (0..components).filter(|&k| self.covariance(k)) {
            let covariance = before.covariance_in(k, &frame);
            if shared {
                let weight = moments.weight().iter().sum();
                moments = moments.spread_as(0, &covariance, weight);
            } else {
                let weight = moments.weight()[k];
                moments = moments.spread_as(k, &covariance, weight);
            }
        }
        moments
    }

    /// The estimate with what stays put back, to the last bit.
    pub(super) fn restored(&self, found: Mixture, before: &Mixture) -> Result<Mixture, Error> {
        if self.is_none() {
            return Ok(found);
        }
        let (frame, components): (&Frame, usize) = (found.frame(), found.components());
        let means =
            (0..components)
                .flat_map(|k| {
                    if self.mean(k) { before.mean_in(k, frame) } else { found.mean(k).to_vec() }
                })
                .collect();
        let covariance = |k: usize| {
            if self.covariance(k) {
                before.covariance_in(k, frame)
            } else {
                found.covariances().get(k).clone()
            }
        };
        let stays = (0..components).filter(|&k| self.covariance(k)).count();
        let covariances = match before.covariances() {
            _ if stays == 0 => found.covariances().clone(),
            Covariances::Shared(_) if stays == components => Covariances::Shared(covariance(0)),
            _ => Covariances::Each((0..components).map(covariance).collect()),
        };
        Mixture::new(frame.clone(), means, covariances, found.weights().to_vec())
    }
}
