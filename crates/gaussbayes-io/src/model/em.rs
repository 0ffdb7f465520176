//! Lays out how a mixture is fitted by EM, and where that stands.

use gaussbayes::{
    Assign, EmSpec, EmState, Event, Family, Freedom, Frozen, Label, OnEmpty, Outliers, Ownership,
    Pass, Saved, Stop, StopRule,
};
use serde::{Deserialize, Serialize};

use super::layout::{Why, by_name};
use super::mixture::MixtureLayout;
use super::spec::{PriorsLayout, SpecLayout};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StopLayout {
    rule: String,
    tolerance: f64,
    max_iterations: u32,
}

impl StopLayout {
    pub(crate) fn of(stop: Stop) -> Self {
        let Stop { rule, tolerance, max_iterations } = stop;
        Self { rule: rule.name().into(), tolerance, max_iterations }
    }

    pub(crate) fn into_stop(self) -> Result<Stop, Why> {
        let Self { rule, tolerance, max_iterations } = self;
        let rule = by_name("stop rule", &rule, &StopRule::ALL, StopRule::name)?;
        Ok(Stop { rule, tolerance, max_iterations })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EmSpecLayout {
    covariance: SpecLayout,
    priors: PriorsLayout,
    assign: String,
    stop: StopLayout,
    on_empty: String,
    /// None where every row belongs to the Gaussians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outliers: Option<OutliersLayout>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frozen_means: Vec<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    frozen_covariances: Vec<bool>,
}

/// What is made of rows that no Gaussian explains.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum OutliersLayout {
    Noise,
    /// Degrees of freedom that are given.
    Student(f64),
    /// One estimate for all.
    Common,
    /// An estimate for each.
    Each,
}

impl OutliersLayout {
    pub(crate) fn of(outliers: Outliers) -> Option<Self> {
        match outliers {
            Outliers::Ignored => None,
            Outliers::Noise => Some(Self::Noise),
            Outliers::Student(Freedom::Fixed(value)) => Some(Self::Student(value)),
            Outliers::Student(Freedom::Common) => Some(Self::Common),
            Outliers::Student(Freedom::Each) => Some(Self::Each),
        }
    }

    pub(crate) fn into_outliers(self) -> Outliers {
        match self {
            Self::Noise => Outliers::Noise,
            Self::Student(value) => Outliers::Student(Freedom::Fixed(value)),
            Self::Common => Outliers::Student(Freedom::Common),
            Self::Each => Outliers::Student(Freedom::Each),
        }
    }
}

impl EmSpecLayout {
    pub(crate) fn of(spec: &EmSpec) -> Self {
        Self {
            covariance: SpecLayout::of(&spec.covariance),
            priors: PriorsLayout::of(&spec.priors),
            assign: spec.assign.name().into(),
            stop: StopLayout::of(spec.stop),
            on_empty: spec.on_empty.name().into(),
            outliers: OutliersLayout::of(spec.outliers),
            frozen_means: spec.frozen.means.clone(),
            frozen_covariances: spec.frozen.covariances.clone(),
        }
    }

    pub(crate) fn into_spec(self) -> Result<EmSpec, Why> {
        Ok(EmSpec {
            covariance: self.covariance.into_spec()?,
            priors: self.priors.into_priors(),
            assign: by_name("kind of membership", &self.assign, &Assign::ALL, Assign::name)?,
            stop: self.stop.into_stop()?,
            on_empty: by_name("choice", &self.on_empty, &OnEmpty::ALL, OnEmpty::name)?,
            outliers: self.outliers.map_or(Outliers::Ignored, OutliersLayout::into_outliers),
            frozen: Frozen { means: self.frozen_means, covariances: self.frozen_covariances },
        })
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum EventLayout {
    Dropped { iteration: u32, component: usize },
    Reseeded { iteration: u32, component: usize },
    Fell { iteration: u32, by: f64 },
}

impl EventLayout {
    fn of(event: &Event) -> Self {
        match *event {
            Event::Dropped { iteration, component } => Self::Dropped { iteration, component },
            Event::Reseeded { iteration, component } => Self::Reseeded { iteration, component },
            Event::Fell { iteration, by } => Self::Fell { iteration, by },
        }
    }

    fn into_event(self) -> Event {
        match self {
            Self::Dropped { iteration, component } => Event::Dropped { iteration, component },
            Self::Reseeded { iteration, component } => Event::Reseeded { iteration, component },
            Self::Fell { iteration, by } => Event::Fell { iteration, by },
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassLayout {
    log_likelihood: f64,
    functional: f64,
    raised: Option<f64>,
    change: Option<f64>,
    weight: f64,
    rows: u64,
}

impl PassLayout {
    fn of(pass: &Pass) -> Self {
        let Pass { log_likelihood, functional, raised, change, weight, rows } = *pass;
        Self { log_likelihood, functional, raised, change, weight, rows }
    }

    fn into_pass(self) -> Pass {
        let Self { log_likelihood, functional, raised, change, weight, rows } = self;
        Pass { log_likelihood, functional, raised, change, weight, rows }
    }
}

/// Which class owns which components.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnershipLayout {
    classes: Vec<String>,
    owner: Vec<usize>,
    families: Option<Vec<String>>,
}

impl OwnershipLayout {
    fn of(ownership: &Ownership) -> Self {
        let name = |family: &Family| family.name().to_owned();
        Self {
            classes: ownership.classes().iter().map(ToString::to_string).collect(),
            owner: ownership.owner().to_vec(),
            families: ownership.families().map(|all| all.iter().map(name).collect()),
        }
    }

    fn into_ownership(self) -> Result<Ownership, Why> {
        let classes = self.classes.into_iter().map(Label::from).collect();
        let ownership = Ownership::new(classes, self.owner)?;
        let Some(families) = self.families else { return Ok(ownership) };
        let family = |name: &String| by_name("family", name, &Family::ALL, Family::name);
        let families = families.iter().map(family).collect::<Result<Vec<Family>, Why>>()?;
        Ok(ownership.with_families(families)?)
    }
}

/// Where EM stands, to the last bit.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StateLayout {
    spec: EmSpecLayout,
    mixture: MixtureLayout,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ownership: Option<OwnershipLayout>,
    iteration: u32,
    recent: Vec<f64>,
    pass: Option<PassLayout>,
    converged: bool,
    parameters: usize,
    lifted: Vec<usize>,
    events: Vec<EventLayout>,
}

impl StateLayout {
    pub(crate) fn of(state: &EmState) -> Self {
        let saved = state.saved();
        Self {
            spec: EmSpecLayout::of(&saved.spec),
            mixture: MixtureLayout::of(&saved.mixture),
            ownership: saved.ownership.as_ref().map(OwnershipLayout::of),
            iteration: saved.iteration,
            recent: saved.recent,
            pass: saved.pass.as_ref().map(PassLayout::of),
            converged: saved.converged,
            parameters: saved.parameters,
            lifted: saved.lifted,
            events: saved.events.iter().map(EventLayout::of).collect(),
        }
    }

    pub(crate) fn into_state(self) -> Result<EmState, Why> {
        Ok(EmState::from_saved(Saved {
            spec: self.spec.into_spec()?,
            mixture: self.mixture.into_mixture()?,
            ownership: self.ownership.map(OwnershipLayout::into_ownership).transpose()?,
            iteration: self.iteration,
            recent: self.recent,
            pass: self.pass.map(PassLayout::into_pass),
            converged: self.converged,
            parameters: self.parameters,
            lifted: self.lifted,
            events: self.events.into_iter().map(EventLayout::into_event).collect(),
        })?)
    }
}
