//! Says how a mixture is fitted by variational Bayes.

use super::super::stop::{Stop, StopRule};
use crate::covariance::{CovarianceSpec, Family, Ridge, Sharing};
use crate::error::{Error, ParameterRefusal};
use crate::moments::{Shape, Storage};
use crate::tolerance::{BAYES_ITERATIONS, BAYES_TOLERANCE};

/// What is known of the weights before any row \[M72\].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightPrior {
    /// A Dirichlet distribution, the same for every component.
    Dirichlet,
    /// A Dirichlet process, by the stick-breaking of its weights: the first components come first.
    #[default]
    Process,
}

impl WeightPrior {
    /// Every prior.
    pub const ALL: [Self; 2] = [Self::Dirichlet, Self::Process];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dirichlet => "dirichlet",
            Self::Process => "process",
        }
    }
}

/// How a mixture is fitted by variational Bayes \[M72\]; what is `None` is what scikit-learn takes.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesSpec {
    /// VVV, EEE, VVI or VII: scikit-learn's full, tied, diagonal and spherical covariances.
    pub family: Family,
    /// What is known of the weights.
    pub weights: WeightPrior,
    /// Concentration of the weights; 1/K unless given. The lower, the fewer components stay.
    pub concentration: Option<f64>,
    /// Rows that the prior mean counts as; 1 unless given.
    pub mean_precision: Option<f64>,
    /// The prior mean in raw units; that of all rows unless given.
    pub mean: Option<Vec<f64>>,
    /// Rows that the prior covariance counts as, more than d − 1; d unless given.
    pub degrees_of_freedom: Option<f64>,
    /// The prior scatter S₀ in raw units: a lower triangle row by row, a number per column, or one, as the
    /// family has it. The covariance of all rows, divided by n − 1, unless given.
    pub covariance: Option<Vec<f64>>,
    /// What is added to the variances of every component's rows.
    pub ridge: Ridge,
    /// When it is over; its rules measure the bound of all rows together, not that of a row.
    pub stop: Stop,
}

impl From<Family> for BayesSpec {
    fn from(family: Family) -> Self {
        Self {
            family,
            weights: WeightPrior::default(),
            concentration: None,
            mean_precision: None,
            mean: None,
            degrees_of_freedom: None,
            covariance: None,
            ridge: Ridge::default(),
            stop: Stop {
                rule: StopRule::default(),
                tolerance: BAYES_TOLERANCE,
                max_iterations: BAYES_ITERATIONS,
            },
        }
    }
}

impl BayesSpec {
    /// Families that have a posterior.
    pub const FAMILIES: [Family; 4] = [Family::Vvv, Family::Eee, Family::Vvi, Family::Vii];

    /// Whether it can be done at all, whatever the rows.
    ///
    /// # Errors
    /// [`Error::NotForFamily`], [`Error::Parameter`], [`Error::BadRidge`] and [`Error::BadTolerance`].
    pub fn check(&self) -> Result<(), Error> {
        if !Self::FAMILIES.contains(&self.family) {
            let (what, family) = ("variational posterior", self.family.name());
            return Err(Error::NotForFamily { what, family });
        }
        let given = [
            ("concentration", self.concentration),
            ("mean precision", self.mean_precision),
            ("degrees of freedom", self.degrees_of_freedom),
        ];
        for (what, value) in given {
            above(what, value.unwrap_or(1.0), 0.0)?;
        }
        for value in self.mean.iter().flatten() {
            above("mean", *value, f64::NEG_INFINITY)?;
        }
        self.ridge.check()?;
        self.stop.check()
    }

    /// How its covariances would be estimated without a prior: by the same moments.
    pub fn plain(&self) -> CovarianceSpec {
        CovarianceSpec { ridge: self.ridge, ..self.family.into() }
    }

    /// The least that moments must hold for it.
    pub fn storage(&self) -> Storage {
        let storage = self.plain().storage();
        // Parameters are compared on standardised columns, which a trace does not know.
        if self.stop.rule == StopRule::Parameters && storage == Storage::Spherical {
            return Storage::Diagonal;
        }
        storage
    }

    pub(super) fn shape(&self) -> Shape {
        self.family.shape()
    }

    pub(super) fn is_shared(&self) -> bool {
        self.family.sharing() == Sharing::Shared
    }
}

/// # Errors
/// [`Error::Parameter`] for what is no number above `least`.
pub(super) fn above(what: &'static str, value: f64, least: f64) -> Result<(), Error> {
    if value.is_finite() && value > least {
        Ok(())
    } else {
        Err(Error::Parameter(ParameterRefusal::Prior { what, value, least }))
    }
}
