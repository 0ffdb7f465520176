//! Says how a model is estimated, in words and as JSON.

use gaussbayes::{Amount, CovarianceSpec, Density, OnSingular, Priors, Ridge, Scaling, Shrinkage};
use serde_json::{Map, Value, json};

/// Everything that was asked for, in words.
pub(crate) fn words(spec: &CovarianceSpec, priors: &Priors) -> Vec<String> {
    let mut parts =
        vec![format!("ddof {}", spec.ddof), format!("pooling by {}", spec.pooling.name())];
    match spec.shrinkage {
        Some(Shrinkage::Toward { amount, target }) => {
            parts.push(format!("shrinkage {} toward {}", amount_word(amount), target.name()));
        }
        Some(Shrinkage::Rda { lambda, gamma }) => parts.push(format!("rda {lambda},{gamma}")),
        None => {}
    }
    match spec.ridge {
        Ridge::OfEach(share) => parts.push(format!("ridge {share}")),
        Ridge::OfWidest(share) => parts.push(format!("ridge {share} of the widest column")),
        Ridge::Raw(value) => parts.push(format!("ridge {value} in raw units")),
        Ridge::None => {}
    }
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
    parts.push(match priors {
        Priors::Observed => "observed priors".into(),
        Priors::Uniform => "uniform priors".into(),
        Priors::Given(_) => "given priors".into(),
    });
    parts
}

/// The same for programs.
pub(crate) fn fields(spec: &CovarianceSpec) -> Map<String, Value> {
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
