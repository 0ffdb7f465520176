//! Says what is kept of a state of EM: its parts, its latest pass, what happened on the way.

use super::outliers::Outliers;
use super::ownership::Ownership;
use super::spec::EmSpec;
use crate::error::{Error, OutlierRefusal};
use crate::mixture::Mixture;
use crate::tolerance::RECENT;

/// Something that happened on the way and that the result alone does not show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A component lost its rows and was left out; counted from 0 among those of that iteration.
    Dropped {
        /// The iteration, counted from 1.
        iteration: u32,
        /// The component.
        component: usize,
    },
    /// A component lost its rows and started anew.
    Reseeded {
        /// The iteration, counted from 1.
        iteration: u32,
        /// The component.
        component: usize,
    },
    /// The log-likelihood fell by more than rounding explains.
    Fell {
        /// The iteration, counted from 1.
        iteration: u32,
        /// By how much.
        by: f64,
    },
}

/// What the latest pass over the rows found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// Log-likelihood of the parameters before the iteration; with hard memberships that of the rows
    /// together with their components.
    pub log_likelihood: f64,
    /// E(Θ_t; Θ_t): the functional at the parameters before the iteration.
    pub functional: f64,
    /// E(Θ_t+1; Θ_t): the functional at those after it, where it can be told.
    pub raised: Option<f64>,
    /// What the stop rule measured, once it can.
    pub change: Option<f64>,
    /// Weight of all rows.
    pub weight: f64,
    /// Rows of positive weight.
    pub rows: u64,
}

/// The parts of a state as they are saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// How the mixture is fitted.
    pub spec: EmSpec,
    /// The parameters.
    pub mixture: Mixture,
    /// Which class owns which components, where labels play a part.
    pub ownership: Option<Ownership>,
    /// Iterations done.
    pub iteration: u32,
    /// The latest log-likelihoods.
    pub recent: Vec<f64>,
    /// What the latest pass found.
    pub pass: Option<Pass>,
    /// Whether the stop rule was met.
    pub converged: bool,
    /// Parameters estimated.
    pub parameters: usize,
    /// Components that the guard kept from collapse.
    pub lifted: Vec<usize>,
    /// What happened on the way.
    pub events: Vec<Event>,
}

impl Saved {
    /// # Errors
    /// What [`EmSpec::check`] refuses; [`Error::Shape`] for components that are not there.
    pub(super) fn check(&self) -> Result<(), Error> {
        self.spec.check()?;
        let components = self.mixture.components();
        self.spec.frozen.check(&self.spec.covariance, components)?;
        if let Some(found) = self.ownership.as_ref().map(|all| all.owner().len())
            && found != components
        {
            return Err(Error::Shape { what: "owners", expected: components, found });
        }
        if let Some(ownership) = &self.ownership {
            // Rows of its label would belong nowhere.
            if ownership.sums(self.mixture.weights()).contains(&0.0) {
                return Err(Error::NotInEm { what: "class without weight" });
            }
            if ownership.families().is_some() && !self.spec.frozen.is_none() {
                return Err(Error::NotInEm {
                    what: "frozen parameters where classes have families",
                });
            }
        }
        if !self.spec.outliers.fits(&self.mixture) {
            return Err(Error::NotInEm { what: "densities of another kind than was asked for" });
        }
        if self.spec.outliers == Outliers::Noise && self.mixture.noise().is_none() {
            return Err(OutlierRefusal::NoBox.into());
        }
        if let Some(&found) = self.lifted.iter().find(|k| **k >= components) {
            return Err(Error::Shape { what: "lifted components", expected: components, found });
        }
        if self.recent.len() > RECENT {
            let (what, expected, found) = ("recent log-likelihoods", RECENT, self.recent.len());
            return Err(Error::Shape { what, expected, found });
        }
        Ok(())
    }
}
