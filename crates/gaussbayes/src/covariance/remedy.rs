//! Tries what would help where a covariance has no inverse, on the same rows.

use super::family::{Family, Sharing};
use super::priors::Priors;
use super::ridge::Ridge;
use super::shrinkage::{Amount, Shrinkage, Target};
use super::spec::{CovarianceSpec, OnSingular};
use crate::error::{Deficient, Error, Singularity, feature_name, number};
use crate::moments::{Moments, Shape};
use crate::tolerance::{OFFERED_RIDGE, OFFERED_SHRINKAGE};

/// What makes a fit possible.
#[derive(Debug, Clone, PartialEq)]
pub enum Remedy {
    /// Leave these columns out, counted from 0: others, or constants, say the same.
    LeaveOut(Vec<usize>),
    /// Take another family.
    Family(Family),
    /// Shrink covariances.
    Shrink(Shrinkage),
    /// Add this share of each column's total variance.
    Ridge(f64),
    /// Tell classes apart only where the common covariance has spread.
    Range,
}

impl Remedy {
    /// The remedy in words; columns without a name are called by their number.
    pub fn text(&self, features: &[String]) -> String {
        match self {
            Self::LeaveOut(columns) => {
                let name = |&j: &usize| feature_name(features, j);
                format!("leave out {}", columns.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            Self::Family(Family::Eee) => "share the covariance".into(),
            Self::Family(Family::Vvi) => "ignore correlations".into(),
            Self::Family(Family::Unit) => "take the nearest mean".into(),
            Self::Family(family) => format!("take family {family}"),
            Self::Shrink(Shrinkage::Toward { amount: Amount::Fixed(amount), target }) => {
                format!("shrink by {amount} toward {}", target.name())
            }
            Self::Shrink(Shrinkage::Rda { lambda, gamma }) => {
                format!("mix with spheres, lambda {lambda} and gamma {gamma}")
            }
            Self::Shrink(_) => "shrink by an automatic amount".into(),
            Self::Ridge(ridge) => format!("add a ridge of {}", number(*ridge)),
            Self::Range => "classify within the range of the covariance".into(),
        }
    }

    /// The specification with this remedy, where it is no change of the columns.
    fn applied(&self, spec: &CovarianceSpec) -> CovarianceSpec {
        let mut spec = spec.clone();
        match self {
            Self::LeaveOut(_) => {}
            Self::Family(family) => spec.family = *family,
            Self::Shrink(shrinkage) => spec.shrinkage = Some(*shrinkage),
            Self::Ridge(share) => spec.ridge = Ridge::OfEach(*share),
            Self::Range => spec.on_singular = OnSingular::RANGE,
        }
        spec
    }
}

impl CovarianceSpec {
    /// Adds to the error of a singular covariance what would work on the same moments.
    pub(crate) fn with_remedies(&self, error: Error, moments: &Moments, priors: &Priors) -> Error {
        let Error::Singular(Singularity { covariances, .. }) = error else { return error };
        let works = |remedy: &Remedy| {
            let mut spec = remedy.applied(self);
            match remedy {
                Remedy::LeaveOut(columns) => {
                    // Of fewer columns there are no fourth moments, but a shrinkage as good.
                    if let Some(Shrinkage::Toward { amount, .. }) = &mut spec.shrinkage
                        && *amount == Amount::LedoitWolf
                    {
                        *amount = Amount::Oas;
                    }
                    let fewer = moments.without_columns(columns);
                    fewer.is_some_and(|moments| spec.estimate(&moments, priors, None).is_ok())
                }
                _ => spec.estimate(moments, priors, None).is_ok(),
            }
        };
        let mut remedies = self.candidates(&covariances);
        remedies.retain(works);
        Error::Singular(Singularity { covariances, remedies })
    }

    /// What might help, the best first: what loses nothing, then what assumes most of these rows.
    fn candidates(&self, covariances: &[Deficient]) -> Vec<Remedy> {
        let mut columns: Vec<usize> =
            covariances.iter().flat_map(|one| one.telling().map(|e| e.column)).collect();
        columns.sort_unstable();
        columns.dedup();
        let leave_out = (!columns.is_empty()).then_some(Remedy::LeaveOut(columns));
        let shared = match self.family.shape() {
            Shape::Full => Family::Eee,
            Shape::Diagonal => Family::Eei,
            Shape::Spherical => Family::Eii,
        };
        let share = (self.sharing() == Sharing::PerClass).then_some(Remedy::Family(shared));
        let toward = |amount, target| Remedy::Shrink(Shrinkage::Toward { amount, target });
        let fixed = Amount::Fixed(OFFERED_SHRINKAGE);
        let automatic = toward(Amount::Oas, Target::Diagonal);
        let mut all = Vec::new();
        // Columns that follow from others in every class are superfluous; those that are constant in
        // some classes only are not.
        let superfluous = covariances.iter().any(|one| one.component.is_none());
        if superfluous {
            all.extend(leave_out);
        } else {
            all.extend(share);
            all.extend(leave_out);
        }
        all.push(Remedy::Range);
        all.push(automatic);
        all.extend(
            [Target::Shared, Target::Diagonal, Target::Spherical].map(|to| toward(fixed, to)),
        );
        all.push(Remedy::Ridge(OFFERED_RIDGE));
        all.extend([Family::Vvi, Family::Eei, Family::Unit].map(Remedy::Family));
        all.retain(|remedy| *remedy != Remedy::Family(self.family));
        all
    }
}
