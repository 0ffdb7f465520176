//! Draws class covariances toward simpler ones, by a given or an automatic amount \[M7\].

use super::family::{Family, Sharing};
use super::structure::Classes;
use crate::error::Error;
use crate::moments::{Moments, Shape, Spread};
use crate::tolerance::RDA_STEPS;

/// What covariances are shrunk toward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The mean variance times the identity.
    Spherical,
    /// The covariance's own diagonal.
    Diagonal,
    /// The covariance shared by all classes.
    Shared,
    /// The identity in the unit of the columns: variance one in raw units, or in standard deviations
    /// where columns are standardised.
    Unit,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 4] = [Self::Spherical, Self::Diagonal, Self::Shared, Self::Unit];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Diagonal => "diagonal",
            Self::Shared => "shared",
            Self::Unit => "unit",
        }
    }
}

/// How far covariances are shrunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// This far, between 0 and 1.
    Fixed(f64),
    /// Oracle approximating shrinkage, class by class \[M27\].
    Oas,
    /// Ledoit and Wolf's, class by class, from fourth moments \[M28\].
    LedoitWolf,
}

/// How covariances are shrunk \[M7\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shrinkage {
    /// (1 − amount) · covariance + amount · target. Toward the diagonal, an automatic amount is that
    /// of the correlations, so that no unit of a column can change it.
    Toward {
        /// How far.
        amount: Amount,
        /// Toward what.
        target: Target,
    },
    /// Friedman's regularised discriminant analysis.
    Rda {
        /// From each class's own covariance (0) to the shared one (1).
        lambda: f64,
        /// From the covariance (0) to a sphere (1).
        gamma: f64,
    },
}

impl Shrinkage {
    /// A given amount toward a target.
    pub fn fixed(amount: f64, target: Target) -> Self {
        Self::Toward { amount: Amount::Fixed(amount), target }
    }

    /// Whether the amount is found from the data.
    pub fn is_automatic(self) -> bool {
        matches!(self, Self::Toward { amount: Amount::Oas | Amount::LedoitWolf, .. })
    }

    pub(super) fn needs_fourth_moments(self) -> bool {
        matches!(self, Self::Toward { amount: Amount::LedoitWolf, .. })
    }

    /// Whether it draws toward spheres, which depend on the units of the columns.
    pub(super) fn depends_on_units(self) -> bool {
        match self {
            Self::Toward { target, .. } => matches!(target, Target::Spherical | Target::Unit),
            Self::Rda { gamma, .. } => gamma > 0.0,
        }
    }

    /// The simplest shape that nothing of the covariance is left beside, where there is one.
    pub(super) fn replaces_by(self) -> Option<Shape> {
        match self {
            Self::Toward { amount: Amount::Fixed(1.0), target: Target::Diagonal } => {
                Some(Shape::Diagonal)
            }
            Self::Toward {
                amount: Amount::Fixed(1.0),
                target: Target::Spherical | Target::Unit,
            }
            | Self::Rda { gamma: 1.0, .. } => Some(Shape::Spherical),
            _ => None,
        }
    }

    /// Whether nothing of any covariance is left: all are the unit.
    pub(super) fn leaves_units(self) -> bool {
        self == Self::fixed(1.0, Target::Unit)
    }

    /// Whether nothing of the classes' own covariances is left.
    pub(super) fn merges_classes(self) -> bool {
        match self {
            Self::Toward { amount, target } => {
                matches!(target, Target::Shared | Target::Unit) && amount == Amount::Fixed(1.0)
            }
            Self::Rda { lambda, .. } => lambda == 1.0,
        }
    }

    /// # Errors
    /// [`Error::BadShrinkage`], [`Error::IdleShrinkage`] and [`Error::NotForFamily`].
    pub(super) fn check(self, family: Family) -> Result<(), Error> {
        let amounts = match self {
            Self::Toward { amount: Amount::Fixed(amount), .. } => vec![amount],
            Self::Toward { .. } => vec![],
            Self::Rda { lambda, gamma } => vec![lambda, gamma],
        };
        if let Some(&value) = amounts.iter().find(|amount| !(0.0..=1.0).contains(*amount)) {
            return Err(Error::BadShrinkage { value });
        }
        let target = match self {
            Self::Toward { target, .. } => target,
            Self::Rda { .. } if family.sharing() == Sharing::Shared => {
                let what = "regularised discriminant analysis";
                return Err(Error::NotForFamily { what, family: family.name() });
            }
            Self::Rda { .. } => Target::Shared,
        };
        if self.is_automatic() {
            if family.shape() != Shape::Full {
                let what = "automatic shrinkage";
                return Err(Error::NotForFamily { what, family: family.name() });
            }
            if matches!(target, Target::Shared | Target::Unit) {
                return Err(Error::NoAutomaticAmount { target: target.name() });
            }
        }
        let idle = family == Family::Unit
            || match target {
                Target::Spherical => family.shape() == Shape::Spherical,
                Target::Diagonal => family.shape() <= Shape::Diagonal,
                Target::Shared => family.sharing() == Sharing::Shared,
                Target::Unit => false,
            };
        if idle {
            let (target, family) = (target.name(), family.name());
            return Err(Error::IdleShrinkage { target, family });
        }
        Ok(())
    }
}

/// Mixtures (λ, γ) of regularised discriminant analysis to choose from, the stiffest first.
pub fn rda_grid() -> Vec<(f64, f64)> {
    let steps = RDA_STEPS;
    steps.iter().flat_map(|&lambda| steps.iter().map(move |&gamma| (lambda, gamma))).collect()
}

/// (1 − amount) · spread + amount · target.
fn mixed(spread: &Spread, amount: f64, target: Spread) -> Spread {
    let mut mixed = spread.clone().scaled(1.0 - amount);
    mixed.add(amount, &target.widened(spread.shape));
    mixed
}

/// A spread that all classes share, shrunk by what is left to do there; `unit` is the variance that
/// is one.
pub(super) fn shrink_pooled(shrinkage: Shrinkage, pooled: Spread, unit: f64) -> Spread {
    match shrinkage {
        Shrinkage::Toward { amount: Amount::Fixed(amount), target } => match target {
            Target::Spherical => {
                mixed(&pooled, amount, pooled.clone().simplified(Shape::Spherical))
            }
            Target::Diagonal => mixed(&pooled, amount, pooled.clone().simplified(Shape::Diagonal)),
            Target::Unit => mixed(&pooled, amount, Spread::sphere(pooled.dim, unit)),
            Target::Shared => pooled,
        },
        Shrinkage::Toward { .. } => pooled,
        Shrinkage::Rda { gamma, .. } => {
            mixed(&pooled, gamma, pooled.clone().simplified(Shape::Spherical))
        }
    }
}

/// How a class's fourth moments are measured in an estimate.
pub(super) struct Units {
    /// The class mean in their frame.
    pub(super) mean: Vec<f64>,
    /// What columns of that frame are multiplied by.
    pub(super) unit: Vec<f64>,
    /// ν_k/n_k: makes an estimate the maximum-likelihood one again.
    pub(super) likely: f64,
}

impl Classes {
    /// Shrinks every class, where `unit` is the variance that is one; returns the amounts that were
    /// found, where they were automatic.
    ///
    /// # Errors
    /// [`Error::NeedsSecondPass`] without the fourth moments that Ledoit–Wolf shrinkage needs.
    pub(super) fn shrink(
        &mut self,
        shrinkage: Shrinkage,
        moments: &Moments,
        unit: f64,
        units: &impl Fn(usize) -> Units,
    ) -> Result<Vec<f64>, Error> {
        let pooled = self.pooled();
        let mut found = Vec::new();
        let shares = self.shares.clone();
        for (k, spread) in self.spreads_mut().iter_mut().enumerate() {
            *spread = match shrinkage {
                Shrinkage::Rda { lambda, gamma } => {
                    // ((1 − λ)W'_k + λΣW'_k) / ((1 − λ)n'_k + λn), W'_k = n a_k S_k.
                    let mine = (1.0 - lambda) * shares[k];
                    let own = if lambda == 0.0 { 1.0 } else { mine / (mine + lambda) };
                    let mixture = mixed(spread, 1.0 - own, pooled.clone());
                    mixed(&mixture, gamma, mixture.clone().simplified(Shape::Spherical))
                }
                Shrinkage::Toward { amount, target } => {
                    let simple = match target {
                        Target::Spherical => spread.clone().simplified(Shape::Spherical),
                        Target::Diagonal => spread.clone().simplified(Shape::Diagonal),
                        Target::Shared => pooled.clone(),
                        Target::Unit => Spread::sphere(spread.dim, unit),
                    };
                    let amount = match amount {
                        Amount::Fixed(amount) => amount,
                        Amount::Oas => oas(&seen(spread, target).0, moments.weight()[k]),
                        Amount::LedoitWolf => {
                            let quartic = moments.quartic().ok_or(Error::NeedsSecondPass)?;
                            let Units { mean, mut unit, likely } = units(k);
                            let (spread, scale) = seen(&spread.clone().scaled(likely), target);
                            unit.iter_mut().zip(&scale).for_each(|(unit, s)| *unit *= s);
                            let fourth = quartic.fourth(k, &mean, &unit);
                            ledoit_wolf(&spread, moments.weight()[k], fourth)
                        }
                    };
                    if shrinkage.is_automatic() {
                        found.push(amount);
                    }
                    mixed(spread, amount, simple)
                }
            };
        }
        Ok(found)
    }
}

/// What automatic amounts are judged on, the covariance or its correlations, and the factor of each
/// column that leads there.
fn seen(spread: &Spread, target: Target) -> (Spread, Vec<f64>) {
    if target == Target::Spherical {
        return (spread.clone(), vec![1.0; spread.dim]);
    }
    // One for a column without spread, as scikit-learn's scaler has it.
    let inverse = |variance: f64| if variance > 0.0 { 1.0 / variance.sqrt() } else { 1.0 };
    let scale: Vec<f64> = spread.diagonal().map(inverse).collect();
    (spread.clone().rescaled(&scale), scale)
}

/// μ = tr S/d and ‖S‖²_F/d.
fn size(spread: &Spread) -> (f64, f64) {
    let dim = spread.dim as f64;
    let mean = spread.diagonal().sum::<f64>() / dim;
    let square: f64 = spread.square().iter().map(|value| value * value).sum();
    (mean, square / dim)
}

/// The amount of Chen, Wiesel, Eldar and Hero 2010, eq. 23, with scikit-learn's constants \[M27\].
fn oas(spread: &Spread, n: f64) -> f64 {
    let dim = spread.dim as f64;
    let (mean, square) = size(spread);
    // ‖S‖²_F/d² + μ² over (n + 1)(‖S‖²_F/d² − μ²/d).
    let (alpha, mean_sq) = (square / dim, mean * mean);
    let above = alpha + mean_sq;
    let below = (n + 1.0) * (alpha - mean_sq / dim);
    if below <= 0.0 || above >= below { 1.0 } else { above / below }
}

/// The amount of Ledoit and Wolf 2004; `fourth` is Σ w‖x − m‖⁴ in the same units \[M28\].
fn ledoit_wolf(spread: &Spread, n: f64, fourth: f64) -> f64 {
    let dim = spread.dim as f64;
    let (mean, square) = size(spread);
    let delta = square - mean * mean;
    let beta = (fourth / n / dim - square) / n;
    let beta = beta.clamp(0.0, delta.max(0.0));
    if beta == 0.0 { 0.0 } else { beta / delta }
}
