//! Says why the risk of a rule is not known.

/// Why the chances of a rule's actions cannot be computed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RiskRefusal {
    /// A truth of other classes than the rule.
    #[error("the truth has {found} classes, but the rule tells {expected} apart")]
    Classes {
        /// Classes of the rule.
        expected: usize,
        /// Classes of the truth.
        found: usize,
    },
    /// A truth of other columns than the rule.
    #[error("the truth has {found} columns, but the rule reads {expected}")]
    Columns {
        /// Columns of the rule.
        expected: usize,
        /// Columns of the truth.
        found: usize,
    },
    /// A rule whose scores are not quadratic.
    #[error(
        "the scores of a Student or predictive density are not quadratic, so its errors have no formula"
    )]
    NotQuadratic,
    /// A truth that is no Gaussian.
    #[error(
        "Student, predictive and debiased densities are not Gaussian, so they cannot be the truth"
    )]
    NotGaussian,
    /// A rule that says nothing of where rows lie, without a truth.
    #[error(
        "softmax regression says nothing of where rows lie, so how often it errs needs a truth"
    )]
    NoTruth,
    /// A method that the model does not allow.
    #[error("method {method} does not apply: {why}")]
    NotForModel {
        /// The method asked for.
        method: &'static str,
        /// What it would need.
        why: &'static str,
    },
    /// A threshold between other than two classes.
    #[error("a threshold tells two classes apart, but there are {found}")]
    TwoClasses {
        /// Classes.
        found: usize,
    },
    /// A threshold between classes that are the same.
    #[error("both classes are the same: no threshold tells them apart")]
    SameClasses,
    /// A chance of an error that is no chance.
    #[error("{value} is no chance of an error: it must be between 0 and 1")]
    Level {
        /// The value given.
        value: f64,
    },
    /// An error that no threshold in floating point has.
    #[error("no threshold has an error of {}: the nearest has {}", super::number(*asked), super::number(*nearest))]
    Unreachable {
        /// The error asked for.
        asked: f64,
        /// The error of the nearest threshold.
        nearest: f64,
    },
    /// A search for a threshold that found none.
    #[error("the classes are too much alike for a threshold to be found")]
    NoCrossing,
    /// Costs that no threshold follows from.
    #[error("these costs leave no threshold between the two classes")]
    NoThreshold,
    /// Numbers so far apart that a chance is none.
    #[error("the covariances of rule and truth are too far apart to be compared")]
    OutOfRange,
}

impl RiskRefusal {
    pub(super) fn hint(self) -> &'static str {
        match self {
            Self::Classes { .. } => {
                "give a truth with one component per class of the rule, in class order"
            }
            Self::Columns { .. } => "give a truth of the same columns, in the same order",
            Self::NotQuadratic => {
                "ask for method simulation, or fit Gaussian densities (no tails, plug-in)"
            }
            Self::NotGaussian => {
                "give the truth as a Gaussian model, or fit Gaussian densities (no tails, plug-in)"
            }
            Self::NoTruth => {
                "give a truth (error --under, error(under=...)), or count errors on rows (evaluate)"
            }
            Self::NotForModel { .. } => {
                "leave the method to the library, or ask for lattice or simulation"
            }
            Self::TwoClasses { .. } => "keep two of the classes",
            Self::SameClasses => "give classes of different means or covariances",
            Self::Level { .. } => "0.01 lets one row in a hundred be taken for the other class",
            Self::Unreachable { .. } => "ask for a larger error, or fix that of the other class",
            Self::NoCrossing => "give classes that differ by more than rounding",
            Self::NoThreshold => "let errors cost more than hits, and leave reject out",
            Self::OutOfRange => "measure the columns in units in which both have spread",
        }
    }
}
