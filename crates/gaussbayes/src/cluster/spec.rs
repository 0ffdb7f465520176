//! Says how a mixture is fitted by EM.

use super::frozen::Frozen;
use super::outliers::Outliers;
use super::stop::{Stop, StopRule};
use crate::covariance::{CovarianceSpec, Density, Family, OnSingular, Pooling, Priors, Scaling};
use crate::error::Error;
use crate::moments::Storage;
use crate::tolerance::COLLAPSE;

/// How rows belong to components.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Assign {
    /// To each by its posterior probability.
    #[default]
    Soft,
    /// To the most probable alone: classification EM, and k-means where nothing is estimated but means.
    Hard,
}

impl Assign {
    /// Every way.
    pub const ALL: [Self; 2] = [Self::Soft, Self::Hard];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Soft => "soft",
            Self::Hard => "hard",
        }
    }
}

/// What is done about a component that lost its rows \[M57\].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnEmpty {
    /// It is an error.
    Refuse,
    /// It starts anew at a row that the mixture explains worst.
    Reseed,
    /// The mixture goes on without it.
    #[default]
    Drop,
}

impl OnEmpty {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Refuse, Self::Reseed, Self::Drop];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Reseed => "reseed",
            Self::Drop => "drop",
        }
    }
}

/// How a mixture is fitted by EM \[M56\].
#[derive(Debug, Clone, PartialEq)]
pub struct EmSpec {
    /// How covariances are estimated.
    pub covariance: CovarianceSpec,
    /// Weights of the components: observed are estimated, others stay as they are.
    pub priors: Priors,
    /// How rows belong to components.
    pub assign: Assign,
    /// When it is over.
    pub stop: Stop,
    /// What is done about a component that lost its rows.
    pub on_empty: OnEmpty,
    /// What is made of rows that no Gaussian explains.
    pub outliers: Outliers,
    /// Which means and covariances stay as they are.
    pub frozen: Frozen,
}

impl From<Family> for EmSpec {
    /// Soft memberships with a guard against collapse; hard ones of equal priors for `unit`: k-means.
    fn from(family: Family) -> Self {
        let unit = family == Family::Unit;
        let guard = if unit { 0.0 } else { COLLAPSE };
        let covariance = CovarianceSpec { guard, ..family.into() };
        Self {
            priors: covariance.default_priors(),
            covariance,
            assign: if unit { Assign::Hard } else { Assign::Soft },
            stop: Stop::default(),
            on_empty: OnEmpty::default(),
            outliers: Outliers::default(),
            frozen: Frozen::default(),
        }
    }
}

impl EmSpec {
    /// Whether EM can be done with it at all, whatever the rows.
    ///
    /// # Errors
    /// What [`CovarianceSpec::check`] refuses, and [`Error::NotInEm`].
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |what| Err(Error::NotInEm { what });
        if self.covariance.needs_second_pass() {
            return refuse("Ledoit-Wolf shrinkage");
        }
        if self.covariance.density != Density::PlugIn {
            return refuse("densities that know of their estimates");
        }
        if self.covariance.on_singular != OnSingular::Refuse {
            return refuse("restriction to a range");
        }
        self.covariance.check()?;
        self.stop.check()?;
        self.outliers.check()?;
        if self.outliers == Outliers::Ignored {
            return Ok(());
        }
        if self.covariance.family == Family::Unit {
            let (what, family) = (self.outliers.words(), self.covariance.family.name());
            return Err(Error::NotForFamily { what, family });
        }
        // Deviations of all rows would be those of other rows in every iteration.
        if self.covariance.scaling == Scaling::Standardized {
            return refuse("standardised columns beside outliers");
        }
        Ok(())
    }

    /// The least that moments must hold for it.
    pub fn storage(&self) -> Storage {
        let storage = self.covariance.storage();
        // Parameters are compared on standardised columns, which a trace does not know.
        if self.stop.rule == StopRule::Parameters && storage == Storage::Spherical {
            return Storage::Diagonal;
        }
        storage
    }

    /// Whether the M-step maximises the likelihood, so that no step of EM can lower it.
    pub(super) fn is_pure(&self) -> bool {
        let covariance = &self.covariance;
        covariance.shrinkage.is_none()
            && covariance.ridge.is_none()
            && covariance.ddof == 0
            && covariance.pooling == Pooling::Size
    }
}
