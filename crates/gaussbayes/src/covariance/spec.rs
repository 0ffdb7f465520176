//! Says how covariances are to be estimated; the classifiers of the textbooks are its presets.

use super::family::{Family, Sharing};
use super::priors::Priors;
use crate::error::Error;
use crate::moments::{Shape, Storage};

/// How class covariances are weighed when they are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pooling {
    /// By class size: maximum likelihood.
    #[default]
    Size,
    /// The plain mean.
    Average,
    /// By the priors; changing these after the fit is then no refit.
    Priors,
}

impl Pooling {
    /// Every way, with its word.
    pub const ALL: [Self; 3] = [Self::Size, Self::Average, Self::Priors];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Size => "size",
            Self::Average => "average",
            Self::Priors => "priors",
        }
    }
}

/// What covariances are shrunk toward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The mean variance times the identity.
    Spherical,
    /// The covariance's own diagonal.
    Diagonal,
    /// The covariance shared by all classes.
    Shared,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 3] = [Self::Spherical, Self::Diagonal, Self::Shared];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Diagonal => "diagonal",
            Self::Shared => "shared",
        }
    }
}

/// (1 − amount) · covariance + amount · target \[M7\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shrinkage {
    /// Between 0 and 1.
    pub amount: f64,
    /// Toward what.
    pub target: Target,
}

/// The unit in which columns are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// As they are.
    #[default]
    Raw,
    /// In standard deviations over all rows; folded back into the model \[M17\].
    Standardized,
}

/// How covariances are estimated from moments.
///
/// ```
/// use gaussbayes::{CovarianceSpec, Family};
/// assert_eq!(CovarianceSpec::lda().family, Family::Eee);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CovarianceSpec {
    /// Which matrices are allowed.
    pub family: Family,
    /// What is subtracted from each class's weight before dividing.
    pub ddof: u32,
    /// How shared parts weigh the classes.
    pub pooling: Pooling,
    /// A fixed shrinkage.
    pub shrinkage: Option<Shrinkage>,
    /// Whether columns are standardised first.
    pub scaling: Scaling,
}

impl From<Family> for CovarianceSpec {
    fn from(family: Family) -> Self {
        Self {
            family,
            ddof: 0,
            pooling: Pooling::default(),
            shrinkage: None,
            scaling: Scaling::default(),
        }
    }
}

impl CovarianceSpec {
    /// Quadratic discriminant analysis.
    pub fn qda() -> Self {
        Family::Vvv.into()
    }

    /// Linear discriminant analysis.
    pub fn lda() -> Self {
        Family::Eee.into()
    }

    /// Gaussian naive Bayes, which is diagonal quadratic discriminant analysis.
    pub fn naive_bayes() -> Self {
        Family::Vvi.into()
    }

    /// Diagonal linear discriminant analysis.
    pub fn diagonal_lda() -> Self {
        Family::Eei.into()
    }

    /// The nearest mean, in the unit of the columns.
    pub fn nearest_mean() -> Self {
        Family::Unit.into()
    }

    /// The priors this specification is used with unless others are asked for.
    pub fn default_priors(&self) -> Priors {
        if self.family == Family::Unit { Priors::Uniform } else { Priors::Observed }
    }

    /// The least that moments must hold for it.
    pub fn storage(&self) -> Storage {
        let pooled = self.family.sharing() == Sharing::Shared && self.pooling == Pooling::Size;
        match self.family.shape() {
            Shape::Full if pooled => Storage::Shared,
            Shape::Full => Storage::Full,
            Shape::Spherical if self.scaling == Scaling::Raw => Storage::Spherical,
            Shape::Diagonal | Shape::Spherical => Storage::Diagonal,
        }
    }

    /// Whether labels change when one column is measured in another unit.
    pub fn depends_on_units(&self) -> bool {
        let spherical = self.shrinkage.is_some_and(|s| s.target == Target::Spherical);
        let shape = self.family.shape() == Shape::Spherical;
        (shape || spherical) && self.scaling == Scaling::Raw
    }

    /// # Errors
    /// [`Error::BadShrinkage`] and [`Error::IdleShrinkage`].
    pub(super) fn check(&self) -> Result<(), Error> {
        let Some(Shrinkage { amount, target }) = self.shrinkage else { return Ok(()) };
        if !(0.0..=1.0).contains(&amount) {
            return Err(Error::BadShrinkage { value: amount });
        }
        let idle = self.family == Family::Unit
            || match target {
                Target::Spherical => self.family.shape() == Shape::Spherical,
                Target::Diagonal => self.family.shape() <= Shape::Diagonal,
                Target::Shared => self.family.sharing() == Sharing::Shared,
            };
        if idle {
            let (target, family) = (target.name(), self.family.name());
            return Err(Error::IdleShrinkage { target, family });
        }
        Ok(())
    }
}
