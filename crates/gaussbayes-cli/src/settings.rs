//! Says how a model is estimated, in words and as JSON.

use gaussbayes::{
    Amount, ColumnKind, Counting, CovarianceSpec, Density, Learner, OnSingular, Part, Priors,
    ProductSpec, Ridge, Scaling, Shrinkage,
};
use serde_json::{Map, Value, json};

/// Everything that was asked for, in words.
pub(crate) fn words(spec: &Learner, priors: &Priors) -> Vec<String> {
    let mut parts = match spec {
        Learner::Gaussian(spec) => gaussian_words(spec),
        Learner::Product(spec) => product_words(spec),
        Learner::Softmax(spec) => vec![format!("penalty {}", spec.penalty)],
    };
    parts.push(match priors {
        Priors::Observed => "observed priors".into(),
        Priors::Uniform => "uniform priors".into(),
        Priors::Given(_) => "given priors".into(),
    });
    parts
}

fn product_words(spec: &ProductSpec) -> Vec<String> {
    let alphas = alphas(spec);
    let mut parts = match (alphas.first(), alphas.last()) {
        (Some(least), Some(most)) if least == most => vec![format!("alpha {least}")],
        (Some(least), Some(most)) => vec![format!("alpha {least} to {most}")],
        _ => Vec::new(),
    };
    if is_complement(spec) {
        parts.push("counts by complement".into());
    }
    parts.push(format!("unseen values: {}", spec.unseen.name()));
    parts.extend(ridge_words(spec.ridge));
    parts
}

/// What is added to counts, in ascending order; nothing where nothing is counted.
fn alphas(spec: &ProductSpec) -> Vec<f64> {
    let counted = spec.parts.iter().filter(|part| part.kind != ColumnKind::Number);
    let mut all: Vec<f64> =
        counted.flat_map(|part| (0..part.columns.len()).map(|at| part.alpha.of(at))).collect();
    all.sort_by(f64::total_cmp);
    all
}

fn is_complement(spec: &ProductSpec) -> bool {
    let against = |part: &Part| {
        matches!(
            part.kind,
            ColumnKind::Count(Counting::Complement { .. })
                | ColumnKind::Text(Counting::Complement { .. })
        )
    };
    spec.parts.iter().any(against)
}

fn ridge_words(ridge: Ridge) -> Option<String> {
    match ridge {
        Ridge::OfEach(share) => Some(format!("ridge {share}")),
        Ridge::OfWidest(share) => Some(format!("ridge {share} of the widest column")),
        Ridge::Raw(value) => Some(format!("ridge {value} in raw units")),
        Ridge::None => None,
    }
}

fn gaussian_words(spec: &CovarianceSpec) -> Vec<String> {
    let mut parts =
        vec![format!("ddof {}", spec.ddof), format!("pooling by {}", spec.pooling.name())];
    match spec.shrinkage {
        Some(Shrinkage::Toward { amount, target }) => {
            parts.push(format!("shrinkage {} toward {}", amount_word(amount), target.name()));
        }
        Some(Shrinkage::Rda { lambda, gamma }) => parts.push(format!("rda {lambda},{gamma}")),
        None => {}
    }
    parts.extend(ridge_words(spec.ridge));
    if spec.guard > 0.0 {
        parts.push(format!("guard {:e}", spec.guard));
    }
    if let OnSingular::Range { above } = spec.on_singular {
        let above = if above > 0.0 { format!(", deviations above {above}") } else { String::new() };
        parts.push(format!("within the range of the covariance{above}"));
    }
    if spec.density != Density::PlugIn {
        parts.push(format!("{} densities", spec.density.name()));
    }
    if spec.scaling == Scaling::Standardized {
        parts.push("standardised columns".into());
    }
    parts
}

/// The same for programs.
pub(crate) fn fields(spec: &Learner) -> Map<String, Value> {
    match spec {
        Learner::Gaussian(spec) => gaussian_fields(spec),
        Learner::Product(spec) => product_fields(spec),
        Learner::Softmax(spec) => {
            std::iter::once(("penalty".to_string(), json!(spec.penalty))).collect()
        }
    }
}

fn product_fields(spec: &ProductSpec) -> Map<String, Value> {
    let fields = [
        ("unseen", json!(spec.unseen.name())),
        ("complement", json!(is_complement(spec))),
        ("ridge", json!(spec.ridge.share())),
    ];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn gaussian_fields(spec: &CovarianceSpec) -> Map<String, Value> {
    let shrinkage = spec.shrinkage.map(|shrinkage| match shrinkage {
        Shrinkage::Toward { amount: Amount::Fixed(amount), target } => {
            json!({ "amount": amount, "target": target.name() })
        }
        Shrinkage::Toward { amount, target } => {
            json!({ "amount": amount_word(amount), "target": target.name() })
        }
        Shrinkage::Rda { lambda, gamma } => json!({ "lambda": lambda, "gamma": gamma }),
    });
    let ridge_of = match spec.ridge {
        Ridge::OfWidest(_) => Some("widest"),
        Ridge::Raw(_) => Some("raw"),
        Ridge::None | Ridge::OfEach(_) => None,
    };
    let fields = [
        ("family", json!(spec.effective_family().name())),
        ("ddof", json!(spec.ddof)),
        ("pooling", json!(spec.pooling.name())),
        ("shrinkage", json!(shrinkage)),
        ("ridge", json!(spec.ridge.share())),
        ("ridge_of", json!(ridge_of)),
        ("guard", json!(spec.guard)),
        ("on_singular", json!(spec.on_singular.name())),
        ("density", json!(spec.density.name())),
        ("standardized", json!(spec.scaling == Scaling::Standardized)),
    ];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

fn amount_word(amount: Amount) -> String {
    match amount {
        Amount::Fixed(amount) => amount.to_string(),
        Amount::Oas => "oas".into(),
        Amount::LedoitWolf => "auto".into(),
    }
}
