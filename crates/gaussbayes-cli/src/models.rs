//! Knows the classifiers by the names that people type.

use gaussbayes::{
    Amount, CovarianceSpec, Family, Learner, Priors, Remedy, Ridge, Scaling, Shrinkage, Target,
};

use crate::args::{Estimation, Options, Rda};
use crate::failure::Failure;

/// A classifier of the textbooks: its name, its family, and what to see in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) about: &'static str,
}

/// Every classifier there is: those of the textbooks, from the most flexible to the stiffest, then
/// the other families.
pub(crate) const CLASSIFIERS: [Named; 15] = [
    Named { name: "qda", family: Family::Vvv, about: "a full covariance per class" },
    Named { name: "lda", family: Family::Eee, about: "one full covariance for all classes" },
    Named { name: "naive-bayes", family: Family::Vvi, about: "a diagonal covariance per class" },
    Named { name: "diag-lda", family: Family::Eei, about: "one diagonal covariance for all" },
    Named { name: "VII", family: Family::Vii, about: "a sphere per class" },
    Named { name: "EII", family: Family::Eii, about: "one sphere for all, with priors" },
    Named { name: "nearest-mean", family: Family::Unit, about: "the nearest class mean" },
    Named { name: "EVV", family: Family::Evv, about: "full, of one volume" },
    Named { name: "VEV", family: Family::Vev, about: "full, of one shape" },
    Named { name: "EEV", family: Family::Eev, about: "full, of one volume and shape" },
    Named { name: "VVE", family: Family::Vve, about: "full, along common axes" },
    Named { name: "EVE", family: Family::Eve, about: "full, along common axes, of one volume" },
    Named { name: "VEE", family: Family::Vee, about: "full and proportional" },
    Named { name: "EVI", family: Family::Evi, about: "diagonal, of one volume" },
    Named { name: "VEI", family: Family::Vei, about: "diagonal and proportional" },
];

/// The classifiers that textbooks have.
pub(crate) const TEXTBOOK: usize = 7;

/// A family in words: its letters and what they mean.
pub(crate) fn described(family: Family) -> String {
    let about = CLASSIFIERS.iter().find(|named| named.family == family).map(|named| named.about);
    format!("{family} ({})", about.unwrap_or_default())
}

/// What is learnt, in words.
pub(crate) fn learner(learner: &Learner) -> String {
    match learner {
        Learner::Gaussian(spec) => described(spec.effective_family()),
        Learner::Product(_) => "naive Bayes over typed columns".into(),
        Learner::Softmax(_) => "softmax regression".into(),
    }
}

/// What softmax regression is called.
pub(crate) const SOFTMAX: &str = "softmax";

/// Whether a name stands for softmax regression.
pub(crate) fn is_softmax(name: &str) -> bool {
    name == SOFTMAX || name == "logistic"
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
        .chain(["diag-qda", SOFTMAX, "logistic"])
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
    spec.shrinkage = shrinkage(options)?;
    spec.ridge = if options.ridge == 0.0 { Ridge::None } else { Ridge::OfEach(options.ridge) };
    spec.on_singular = options.on_singular;
    spec.scaling = if options.standardize { Scaling::Standardized } else { Scaling::Raw };
    let priors = match &options.priors {
        Some(text) => priors(text)?,
        None => spec.default_priors(),
    };
    Ok((spec, priors))
}

/// Automatic shrinkage goes toward the diagonal unless told otherwise: no unit can change it there.
fn shrinkage(options: &Options) -> Result<Option<Shrinkage>, Failure> {
    let Some(amount) = options.shrinkage else { return Ok(None) };
    let target = match (options.shrink_to, amount) {
        (Some(target), _) => target,
        (None, Amount::Oas | Amount::LedoitWolf) => Target::Diagonal,
        (None, Amount::Fixed(_)) => {
            return Err(Failure::usage(
                "shrink toward what?",
                "--shrink-to spherical, diagonal, shared or unit",
            ));
        }
    };
    Ok(Some(Shrinkage::Toward { amount, target }))
}

/// The whole specification of an estimation, but for an `--rda auto`.
pub(crate) fn estimation(arguments: &Estimation) -> Result<(CovarianceSpec, Priors), Failure> {
    let family = family(arguments.model())?;
    let (mut spec, priors) = spec(family, &arguments.options)?;
    spec.density = arguments.density;
    if let Some(Rda::Given(lambda, gamma)) = arguments.rda {
        spec.shrinkage = Some(Shrinkage::Rda { lambda, gamma });
    }
    Ok((spec, priors))
}

/// A remedy as words and flags of this command.
pub(crate) fn remedy(remedy: &Remedy, features: &[String]) -> String {
    let flags = match remedy {
        Remedy::LeaveOut(columns) => {
            let names: Vec<&str> =
                columns.iter().filter_map(|&j| features.get(j)).map(String::as_str).collect();
            // A list is cut at commas: names with one have no flag.
            if names.iter().any(|name| name.contains(',')) {
                return remedy.text(features);
            }
            let names = names.join(",");
            let gap = if names.starts_with('-') { "=" } else { " " };
            format!("--drop{gap}{}", gaussbayes_io::shell(&names))
        }
        Remedy::Family(family) => {
            let named = CLASSIFIERS.iter().find(|named| named.family == *family);
            format!("--model {}", named.map_or(family.name(), |named| named.name))
        }
        Remedy::Shrink(Shrinkage::Toward { amount: Amount::Fixed(amount), target }) => {
            format!("--shrinkage {amount} --shrink-to {}", target.name())
        }
        Remedy::Shrink(Shrinkage::Rda { lambda, gamma }) => format!("--rda {lambda},{gamma}"),
        Remedy::Shrink(_) => "--shrinkage oas".into(),
        Remedy::Ridge(ridge) => format!("--ridge {ridge:e}"),
        Remedy::Range => "--on-singular range".into(),
    };
    format!("{} ({flags})", remedy.text(features))
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
                let usual = || {
                    "--priors observed, --priors uniform, or numbers such as --priors 0.7,0.3"
                        .into()
                };
                let nearest = gaussbayes_io::nearest(text, ["observed", "uniform"]);
                let hint = nearest.map_or_else(usual, |near| format!("did you mean '{near}'?"));
                Failure::usage(format!("'{text}' is no choice of priors"), hint)
            })
        }
    }
}
