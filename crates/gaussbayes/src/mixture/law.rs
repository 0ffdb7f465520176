//! Says how a component's log density follows from a row's squared distance.

use std::f64::consts::LN_2;

use super::Mixture;
use super::kept::Kept;
use crate::error::Error;
use crate::special::ln_gamma;
use crate::tolerance::{FREEDOM_PLAIN, LAW_OFFSET};

/// A log density as a function of the squared Mahalanobis distance q, beside the Gaussian's own
/// constant; the Gaussian itself is `Scaled { factor: 1, offset: 0 }`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    /// offset − ½ factor q.
    Scaled {
        /// What the distance is multiplied by.
        factor: f64,
        /// What is added to the constant.
        offset: f64,
    },
    /// offset − ½ power ln(1 + q/divisor): a Student density \[M30\].
    Student {
        /// Degrees of freedom plus columns.
        power: f64,
        /// What the distance is divided by.
        divisor: f64,
        /// What is added to the constant.
        offset: f64,
    },
}

impl Law {
    /// The Gaussian's own.
    pub const GAUSSIAN: Self = Self::Scaled { factor: 1.0, offset: 0.0 };

    /// A Student density of so many degrees of freedom, whose scale matrix stands for the covariance \[M68\].
    pub fn student(freedom: f64, dim: usize) -> Self {
        let (dim, half) = (dim as f64, 0.5 * freedom);
        let offset = ln_gamma(half + 0.5 * dim) - ln_gamma(half) - 0.5 * dim * half.ln();
        Self::Student { power: freedom + dim, divisor: freedom, offset }
    }

    /// How much a row at squared distance `q` counts for its component: 1 for a Gaussian's, less the farther
    /// it is for a Student density's \[M68\].
    pub(crate) fn counts(self, q: f64) -> f64 {
        match self {
            Self::Scaled { .. } => 1.0,
            Self::Student { power, divisor, .. } => power / (divisor + q),
        }
    }

    /// What distances are divided by: the degrees of freedom of a Student density where [`Law::is_student`]
    /// holds, and none of a predictive density's \[M30\].
    pub fn freedom(self) -> Option<f64> {
        match self {
            Self::Scaled { .. } => None,
            Self::Student { divisor, .. } => Some(divisor),
        }
    }

    /// Whether it is a Student density whose scale matrix stands for the covariance \[M68\].
    pub fn is_student(self, dim: usize) -> bool {
        let Self::Student { power, divisor, offset } = self else { return false };
        let Self::Student { power: own, offset: right, .. } = Self::student(divisor, dim) else {
            return false;
        };
        power == own && (offset - right).abs() <= LAW_OFFSET * right.abs().max(1.0)
    }

    /// Whether its tails are too light for rows to tell them from a Gaussian's.
    pub fn is_nearly_gaussian(self) -> bool {
        self.freedom().is_none_or(|freedom| freedom >= FREEDOM_PLAIN)
    }

    /// The log density of a row at squared distance `q`, without the Gaussian's constant.
    pub(super) fn log_density(self, q: f64) -> f64 {
        match self {
            Self::Scaled { factor, offset } => offset - 0.5 * factor * q,
            Self::Student { power, divisor, offset } => {
                offset - 0.5 * power * (q / divisor).ln_1p()
            }
        }
    }

    /// What the log density of a row changes by when it is 2^`exponent` times as far as it was drawn
    /// in to \[M22\]; `None` where that is a factor.
    pub(super) fn farther(self, exponent: i32) -> Option<f64> {
        match self {
            Self::Scaled { .. } => None,
            Self::Student { power, .. } => Some(-power * f64::from(exponent) * LN_2),
        }
    }

    /// Whether its log density is a quadratic function of the row.
    pub(super) fn is_quadratic(self) -> bool {
        matches!(self, Self::Scaled { .. })
    }

    fn is_proper(self) -> bool {
        let (positive, offset) = match self {
            Self::Scaled { factor, offset } => (factor, offset),
            Self::Student { power, divisor, offset } => (power.min(divisor), offset),
        };
        positive > 0.0 && positive.is_finite() && offset.is_finite()
    }
}

impl Mixture {
    /// The same components with these laws instead of the Gaussian's.
    ///
    /// # Errors
    /// [`Error::Shape`] unless there is one for each component, [`Error::BadParameter`] for a factor,
    /// power or divisor that is not positive.
    pub fn with_laws(mut self, laws: Vec<Law>) -> Result<Self, Error> {
        let (expected, found) = (self.components(), laws.len());
        if expected != found {
            return Err(Error::Shape { what: "laws", expected, found });
        }
        if let Some(component) = laws.iter().position(|law| !law.is_proper()) {
            return Err(Error::BadParameter { what: "law", component, value: f64::NAN });
        }
        self.laws = Some(laws);
        self.linear = Kept::default();
        Ok(self)
    }

    /// The same components, each a Gaussian.
    pub(crate) fn gaussian(self) -> Self {
        Self { laws: None, linear: Kept::default(), ..self }
    }

    /// What the squared distance of component `k` is multiplied by, and what is added to its log density;
    /// `None` where the law is not quadratic.
    pub(crate) fn scaled(&self, k: usize) -> Option<(f64, f64)> {
        match self.laws().map(|laws| laws[k]) {
            None => Some((1.0, 0.0)),
            Some(Law::Scaled { factor, offset }) => Some((factor, offset)),
            Some(Law::Student { .. }) => None,
        }
    }

    /// How log densities follow from distances, where that is not the Gaussian's own way.
    pub fn laws(&self) -> Option<&[Law]> {
        self.laws.as_deref()
    }
}
