//! Starts variational Bayes from memberships, as EM starts.

use super::super::start::{Belonging, Sampled, Start, Starts, first_moments};
use super::{BayesPrior, BayesSpec, BayesState};
use crate::error::Error;
use crate::sweep::On;

impl BayesState {
    /// The posterior that follows from memberships of a sample's rows.
    ///
    /// # Errors
    /// [`Error::Shape`] for memberships of other rows, and what [`BayesPrior::posterior`] refuses.
    pub fn start_from(
        spec: BayesSpec,
        prior: BayesPrior,
        sampled: &Sampled,
        belonging: &Belonging,
        on: On<'_>,
    ) -> Result<Self, Error> {
        let storage = spec.storage();
        let moments = first_moments(storage, prior.components(), sampled, belonging, on)?;
        Self::after(spec, prior, &moments)
    }
}

impl Starts<'_> {
    /// The posterior that follows from the memberships of a start.
    ///
    /// # Errors
    /// What [`Starts::memberships`] and [`BayesState::start_from`] refuse.
    pub fn begin_bayes(
        &self,
        spec: &BayesSpec,
        prior: &BayesPrior,
        (start, run): (Start, u64),
        on: On<'_>,
    ) -> Result<BayesState, Error> {
        let belonging = self.memberships(prior.components(), start, run, on)?;
        BayesState::start_from(spec.clone(), prior.clone(), self.sampled(), &belonging, on)
    }
}
