//! Lays out how a model was estimated.

use gaussbayes::{
    Amount, CovarianceSpec, Density, Family, OnSingular, Pooling, Priors, Ridge, Scaling,
    Shrinkage, Target,
};
use serde::{Deserialize, Serialize};

use super::layout::{Why, by_name};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SpecLayout {
    family: String,
    ddof: u32,
    pooling: String,
    shrinkage: Option<ShrinkageLayout>,
    ridge: RidgeLayout,
    standardized: bool,
    /// 0 where nothing keeps covariances from collapse.
    #[serde(default, skip_serializing_if = "is_zero")]
    guard: f64,
    on_singular: OnSingularLayout,
    density: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ShrinkageLayout {
    Toward { amount: AmountLayout, target: String },
    Rda { lambda: f64, gamma: f64 },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AmountLayout {
    Fixed(f64),
    Oas,
    LedoitWolf,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RidgeLayout {
    None,
    OfEach(f64),
    OfWidest(f64),
    Raw(f64),
}

impl RidgeLayout {
    pub(super) fn of(ridge: Ridge) -> Self {
        match ridge {
            Ridge::None => Self::None,
            Ridge::OfEach(share) => Self::OfEach(share),
            Ridge::OfWidest(share) => Self::OfWidest(share),
            Ridge::Raw(value) => Self::Raw(value),
        }
    }

    pub(super) fn into_ridge(self) -> Ridge {
        match self {
            Self::None => Ridge::None,
            Self::OfEach(share) => Ridge::OfEach(share),
            Self::OfWidest(share) => Ridge::OfWidest(share),
            Self::Raw(value) => Ridge::Raw(value),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum OnSingularLayout {
    Refuse,
    Range { above: f64 },
}

impl OnSingularLayout {
    fn of(choice: OnSingular) -> Self {
        match choice {
            OnSingular::Refuse => Self::Refuse,
            OnSingular::Range { above } => Self::Range { above },
        }
    }

    fn into_choice(self) -> OnSingular {
        match self {
            Self::Refuse => OnSingular::Refuse,
            Self::Range { above } => OnSingular::Range { above },
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

impl SpecLayout {
    pub(crate) fn of(spec: &CovarianceSpec) -> Self {
        Self {
            family: spec.family.name().into(),
            ddof: spec.ddof,
            pooling: spec.pooling.name().into(),
            shrinkage: spec.shrinkage.map(ShrinkageLayout::of),
            ridge: RidgeLayout::of(spec.ridge),
            standardized: spec.scaling == Scaling::Standardized,
            guard: spec.guard,
            on_singular: OnSingularLayout::of(spec.on_singular),
            density: spec.density.name().into(),
        }
    }

    pub(crate) fn into_spec(self) -> Result<CovarianceSpec, Why> {
        let spec = CovarianceSpec {
            family: by_name("family", &self.family, &Family::ALL, Family::name)?,
            ddof: self.ddof,
            pooling: by_name("pooling", &self.pooling, &Pooling::ALL, Pooling::name)?,
            shrinkage: self.shrinkage.map(ShrinkageLayout::into_shrinkage).transpose()?,
            ridge: self.ridge.into_ridge(),
            scaling: if self.standardized { Scaling::Standardized } else { Scaling::Raw },
            guard: self.guard,
            on_singular: self.on_singular.into_choice(),
            density: by_name("density", &self.density, &Density::ALL, Density::name)?,
        };
        spec.check()?;
        Ok(spec)
    }
}

impl ShrinkageLayout {
    fn of(shrinkage: Shrinkage) -> Self {
        match shrinkage {
            Shrinkage::Toward { amount, target } => Self::Toward {
                amount: match amount {
                    Amount::Fixed(amount) => AmountLayout::Fixed(amount),
                    Amount::Oas => AmountLayout::Oas,
                    Amount::LedoitWolf => AmountLayout::LedoitWolf,
                },
                target: target.name().into(),
            },
            Shrinkage::Rda { lambda, gamma } => Self::Rda { lambda, gamma },
        }
    }

    fn into_shrinkage(self) -> Result<Shrinkage, Why> {
        Ok(match self {
            Self::Toward { amount, target } => Shrinkage::Toward {
                amount: match amount {
                    AmountLayout::Fixed(amount) => Amount::Fixed(amount),
                    AmountLayout::Oas => Amount::Oas,
                    AmountLayout::LedoitWolf => Amount::LedoitWolf,
                },
                target: by_name("target", &target, &Target::ALL, Target::name)?,
            },
            Self::Rda { lambda, gamma } => Shrinkage::Rda { lambda, gamma },
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PriorsLayout {
    Observed,
    Uniform,
    Given(Vec<f64>),
}

impl PriorsLayout {
    pub(crate) fn of(priors: &Priors) -> Self {
        match priors {
            Priors::Observed => Self::Observed,
            Priors::Uniform => Self::Uniform,
            Priors::Given(priors) => Self::Given(priors.clone()),
        }
    }

    pub(crate) fn into_priors(self) -> Priors {
        match self {
            Self::Observed => Priors::Observed,
            Self::Uniform => Priors::Uniform,
            Self::Given(priors) => Priors::Given(priors),
        }
    }
}
