//! Knows the classifiers by the names that people type.

use gaussbayes::{CovarianceSpec, Family, Priors, Scaling, Shrinkage};

use crate::args::Options;
use crate::failure::Failure;

/// A classifier of the textbooks: its name, its family, and what to see in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) about: &'static str,
}

/// Every classifier there is, from the most flexible to the stiffest.
pub(crate) const CLASSIFIERS: [Named; 7] = [
    Named { name: "qda", family: Family::Vvv, about: "a full covariance per class" },
    Named { name: "lda", family: Family::Eee, about: "one full covariance for all classes" },
    Named { name: "naive-bayes", family: Family::Vvi, about: "a diagonal covariance per class" },
    Named { name: "diag-lda", family: Family::Eei, about: "one diagonal covariance for all" },
    Named { name: "VII", family: Family::Vii, about: "a sphere per class" },
    Named { name: "EII", family: Family::Eii, about: "one sphere for all, with priors" },
    Named { name: "nearest-mean", family: Family::Unit, about: "the nearest class mean" },
];

/// A family in words: its letters and what they mean.
pub(crate) fn described(family: Family) -> String {
    let about = CLASSIFIERS.iter().find(|named| named.family == family).map(|named| named.about);
    format!("{family} ({})", about.unwrap_or_default())
}

/// The family that a name or letters stand for.
pub(crate) fn family(name: &str) -> Result<Family, Failure> {
    if name == "diag-qda" {
        return Ok(Family::Vvi);
    }
    let named = CLASSIFIERS.iter().find(|named| named.name == name);
    if let Some(family) = named.map(|named| named.family).or_else(|| name.parse().ok()) {
        return Ok(family);
    }
    let names: Vec<&str> = CLASSIFIERS
        .iter()
        .map(|named| named.name)
        .chain(["diag-qda"])
        .chain(["VVV", "EEE", "VVI", "EEI", "unit"])
        .collect();
    let nearest = gaussbayes_io::nearest(name, names.iter().copied());
    let hint = nearest.map_or_else(
        || format!("models: {}", names.join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Err(Failure::usage(format!("there is no model '{name}'"), hint))
}

/// The specification and the priors that options ask for.
pub(crate) fn spec(family: Family, options: &Options) -> Result<(CovarianceSpec, Priors), Failure> {
    let mut spec = CovarianceSpec::from(family);
    spec.ddof = options.ddof;
    spec.pooling = options.pooling;
    spec.shrinkage = options
        .shrinkage
        .zip(options.shrink_to)
        .map(|(amount, target)| Shrinkage { amount, target });
    spec.scaling = if options.standardize { Scaling::Standardized } else { Scaling::Raw };
    let priors = match &options.priors {
        Some(text) => priors(text)?,
        None => spec.default_priors(),
    };
    Ok((spec, priors))
}

/// Reads `observed`, `uniform` or numbers.
pub(crate) fn priors(text: &str) -> Result<Priors, Failure> {
    match text {
        "observed" => Ok(Priors::Observed),
        "uniform" => Ok(Priors::Uniform),
        numbers => {
            let parsed: Result<Vec<f64>, _> =
                numbers.split(',').map(|number| number.trim().parse::<f64>()).collect();
            parsed.map(Priors::Given).map_err(|_| {
                Failure::usage(
                    format!("'{text}' is no choice of priors"),
                    "--priors observed, --priors uniform, or numbers such as --priors 0.7,0.3",
                )
            })
        }
    }
}
