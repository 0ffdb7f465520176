//! Finds out what is to be learnt, from the name of a model, its options and the columns.

use gaussbayes::{CovarianceSpec, Density, Learner, OnSingular, Pooling, Priors, SoftmaxSpec};
use gaussbayes_io::{ColumnType, Data};

use super::{opened, typed};
use crate::args::{self, Common, Estimation, Options};
use crate::failure::Failure;
use crate::models::{estimation, family, is_softmax, priors as priors_of, spec};
use crate::output::Output;

/// Rows, and what is to be learnt from them.
pub(super) struct Asked {
    pub(super) data: Data,
    pub(super) features: Vec<String>,
    pub(super) learner: Learner,
    pub(super) priors: Priors,
}

impl Asked {
    /// Opens labelled data for the model that was asked for.
    pub(super) fn of(
        data: &args::Data,
        asked: &Estimation,
        common: &Common,
        output: &Output,
    ) -> Result<Self, Failure> {
        let types = typed::types(asked)?;
        if is_softmax(asked.model()) {
            let (data, _) = opened(data, false, types, common, output)?;
            let (spec, priors) = softmax(asked)?;
            let features = data.features().to_vec();
            return Ok(Self { data, features, learner: spec.into(), priors });
        }
        refuse_penalty(asked)?;
        // What is wrong with the model is said before any row is read.
        let (spec, priors) = estimation(asked)?;
        spec.check()?;
        let (data, _) = opened(data, false, types, common, output)?;
        let features = data.features().to_vec();
        if let Some(types) = data.types() {
            let (spec, priors) = typed::spec(asked, types, &features)?;
            return Ok(Self { data, features, learner: spec.into(), priors });
        }
        typed::refuse_idle(&asked.typed)?;
        Ok(Self { data, features, learner: spec.into(), priors })
    }
}

pub(super) fn refuse_penalty(asked: &Estimation) -> Result<(), Failure> {
    match asked.penalty {
        Some(_) => {
            let message = "--penalty is for softmax regression alone";
            Err(Failure::usage(message, "--model softmax, or leave --penalty out"))
        }
        None => Ok(()),
    }
}

/// Softmax regression as it was asked for.
pub(super) fn softmax(asked: &Estimation) -> Result<(SoftmaxSpec, Priors), Failure> {
    let options = &asked.options;
    for (given, flag) in [
        (asked.rda.is_some(), "--rda"),
        (asked.density != Density::PlugIn, "--density"),
        (options.ddof != 0, "--ddof"),
        (options.pooling != Pooling::Size, "--pooling"),
        (options.shrinkage.is_some(), "--shrinkage"),
        (options.ridge != 0.0, "--ridge"),
        (options.on_singular != OnSingular::Refuse, "--on-singular"),
        (options.standardize, "--standardize"),
    ] {
        if given {
            let message = format!("softmax regression takes no {flag}: it has no covariances");
            return Err(Failure::usage(message, format!("leave {flag} out, or --penalty P")));
        }
    }
    let spec = asked
        .penalty
        .map_or_else(SoftmaxSpec::default, |penalty| SoftmaxSpec::default().with_penalty(penalty));
    spec.check()?;
    let priors = options.priors.as_deref().map(priors_of).transpose()?;
    Ok((spec, priors.unwrap_or(Priors::Observed)))
}

/// Another model for the same rows, with the same options as far as it has them.
pub(super) fn other(
    name: &str,
    asked: &Estimation,
    types: Option<&[ColumnType]>,
) -> Result<(Learner, Priors), Failure> {
    if types.is_some() {
        let message = format!("'{name}' reads plain numbers, and columns hold something else");
        return Err(Failure::usage(message, "leave --against out, or name columns: --features …"));
    }
    let options = &asked.options;
    if is_softmax(name) {
        let penalty = asked.penalty.unwrap_or(SoftmaxSpec::default().penalty);
        let spec = SoftmaxSpec::default().with_penalty(penalty);
        spec.check()?;
        let priors = options.priors.as_deref().map(priors_of).transpose()?;
        return Ok((spec.into(), priors.unwrap_or(Priors::Observed)));
    }
    let (spec, priors) = gaussian(name, options)?;
    Ok((spec.into(), priors))
}

/// A Gaussian model without the options that have nothing to do for its family.
pub(super) fn gaussian(name: &str, options: &Options) -> Result<(CovarianceSpec, Priors), Failure> {
    let (spec, priors) = spec(family(name)?, options)?;
    Ok((as_far_as_it_goes(spec), priors))
}

/// The specification without what has nothing to do for its family.
fn as_far_as_it_goes(mut spec: CovarianceSpec) -> CovarianceSpec {
    let plain = CovarianceSpec::from(spec.family);
    if spec.check().is_err() {
        spec.shrinkage = None;
    }
    if spec.check().is_err() {
        spec.on_singular = plain.on_singular;
    }
    if spec.check().is_err() {
        spec.ridge = plain.ridge;
    }
    spec
}
