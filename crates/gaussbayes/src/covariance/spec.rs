//! Says how covariances are to be estimated; the classifiers of the textbooks are its presets.

use super::family::{Family, Sharing};
use super::priors::Priors;
use super::ridge::Ridge;
use super::shrinkage::Shrinkage;
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

/// The unit in which columns are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scaling {
    /// As they are.
    #[default]
    Raw,
    /// In standard deviations over all rows; folded back into the model \[M17\].
    Standardized,
}

/// What is done about a covariance without an inverse.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum OnSingular {
    /// It is an error, with the reason.
    #[default]
    Refuse,
    /// Classes are told apart only where the covariance common to all has spread \[M29\].
    Range {
        /// Directions are kept whose deviation on the scale of correlations is larger, even where the
        /// covariance has an inverse; 0 keeps all that rounding does not hide.
        above: f64,
    },
}

impl OnSingular {
    /// Every direction that rounding does not hide.
    pub const RANGE: Self = Self::Range { above: 0.0 };

    /// Every way, with its word.
    pub const ALL: [Self; 2] = [Self::Refuse, Self::RANGE];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Range { .. } => "range",
        }
    }
}

/// What class densities make of the fact that their parameters are estimates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Density {
    /// Nothing: estimates stand for the parameters.
    #[default]
    PlugIn,
    /// Parameters integrated out: a Student density \[M30\].
    Predictive,
    /// Log-densities without bias \[M31\].
    Debiased,
}

impl Density {
    /// Every way, with its word.
    pub const ALL: [Self; 3] = [Self::PlugIn, Self::Predictive, Self::Debiased];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlugIn => "plug-in",
            Self::Predictive => "predictive",
            Self::Debiased => "debiased",
        }
    }
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
    /// Whether, how far and toward what class covariances are shrunk.
    pub shrinkage: Option<Shrinkage>,
    /// What is added to each variance.
    pub ridge: Ridge,
    /// Whether columns are standardised first.
    pub scaling: Scaling,
    /// Lowest variance that a component may have in any direction, as a share of that of all rows \[M57\];
    /// 0 lets it collapse.
    pub guard: f64,
    /// What is done about a covariance without an inverse.
    pub on_singular: OnSingular,
    /// What class densities make of estimated parameters.
    pub density: Density,
}

impl From<Family> for CovarianceSpec {
    fn from(family: Family) -> Self {
        Self {
            family,
            ddof: 0,
            pooling: Pooling::default(),
            shrinkage: None,
            ridge: Ridge::default(),
            scaling: Scaling::default(),
            guard: 0.0,
            on_singular: OnSingular::default(),
            density: Density::default(),
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

    /// Regularised discriminant analysis: `lambda` between QDA and LDA, `gamma` toward spheres.
    pub fn rda(lambda: f64, gamma: f64) -> Self {
        Self { shrinkage: Some(Shrinkage::Rda { lambda, gamma }), ..Self::qda() }
    }

    /// The priors this specification is used with unless others are asked for.
    pub fn default_priors(&self) -> Priors {
        if self.family == Family::Unit { Priors::Uniform } else { Priors::Observed }
    }

    /// Whether all classes come to have one covariance.
    pub fn sharing(&self) -> Sharing {
        let merged = self.shrinkage.is_some_and(Shrinkage::merges_classes);
        if merged { Sharing::Shared } else { self.family.sharing() }
    }

    /// The family that shrinkage leaves: the one that was asked for, unless it goes all the way.
    pub fn effective_family(&self) -> Family {
        if self.shrinkage.is_some_and(Shrinkage::leaves_units) && self.ridge.is_none() {
            return Family::Unit;
        }
        let shape = self.shrinkage.and_then(Shrinkage::replaces_by);
        let shape = shape.unwrap_or(self.family.shape()).min(self.family.shape());
        self.family.simplified(shape, self.sharing())
    }

    /// The least that moments must hold for it.
    pub fn storage(&self) -> Storage {
        let pooled = self.is_pooled() && self.pooling == Pooling::Size;
        let standardized = self.scaling == Scaling::Standardized;
        let whole = standardized || self.ridge.needs_columns() || self.guard > 0.0;
        match self.family.shape() {
            Shape::Full if pooled => Storage::Shared,
            Shape::Full => Storage::Full,
            Shape::Spherical if !whole => Storage::Spherical,
            Shape::Diagonal | Shape::Spherical => Storage::Diagonal,
        }
    }

    /// Whether class covariances are summed before anything else is done to them.
    pub(super) fn is_pooled(&self) -> bool {
        let each = self.shrinkage.is_some_and(Shrinkage::is_automatic);
        self.sharing() == Sharing::Shared && !each
    }

    /// Whether moments alone are not enough: fourth moments take a second pass \[M28\].
    pub fn needs_second_pass(&self) -> bool {
        self.shrinkage.is_some_and(Shrinkage::needs_fourth_moments)
    }

    /// Whether labels change when one column is measured in another unit.
    pub fn depends_on_units(&self) -> bool {
        let shrunk = self.shrinkage.is_some_and(Shrinkage::depends_on_units);
        let follows = self.family.follows_units() && !shrunk && !self.ridge.depends_on_units();
        !follows && self.scaling == Scaling::Raw
    }

    /// Whether an estimate can be made of it at all, whatever the rows.
    ///
    /// # Errors
    /// Those about shrinkage, ridge, range and density.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(shrinkage) = self.shrinkage {
            shrinkage.check(self.family)?;
        }
        self.ridge.check()?;
        let family = self.family.name();
        let refuse = |what| Err(Error::NotForFamily { what, family });
        if !self.ridge.is_none() && self.family == Family::Unit {
            return refuse("ridge");
        }
        if !(0.0..1.0).contains(&self.guard) {
            return Err(Error::BadGuard { value: self.guard });
        }
        if self.guard > 0.0 && self.family == Family::Unit {
            return refuse("guard against collapse");
        }
        if let OnSingular::Range { above } = self.on_singular {
            if !self.family.follows_units() {
                return refuse("restriction to a range");
            }
            // The largest eigenvalue of correlations is at least one: some direction is always left.
            if !(0.0..1.0).contains(&above) {
                return Err(Error::BadRange { value: above });
            }
        }
        if self.density != Density::PlugIn {
            let plain = self.shrinkage.is_none()
                && self.ridge.is_none()
                && self.guard == 0.0
                && self.pooling == Pooling::Size
                && self.on_singular == OnSingular::Refuse;
            if !matches!(self.family, Family::Vvv | Family::Eee) {
                return refuse("predictive or debiased density");
            }
            if !plain {
                return Err(Error::DensityOptions { density: self.density.name() });
            }
        }
        Ok(())
    }
}
