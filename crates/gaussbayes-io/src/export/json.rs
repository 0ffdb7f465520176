//! Writes parameters as plain JSON, in the form that known parameters are read in where that can be.

use gaussbayes::{
    Action, Classifier, Covariances, Factor, Label, Law, Mixture, Noise, Places, Product, Scorer,
};
use serde_json::{Value, json};

/// Keys with their values, in the order they are written in.
type Keys = Vec<(&'static str, Value)>;

/// The parameters of a classifier in raw units, a key on each line; what is −∞ is null.
pub fn to_json(classifier: &Classifier) -> String {
    let mut keys = Keys::new();
    if !reads_back(classifier) {
        keys.push(("model", classifier.model().name().into()));
    }
    keys.push(("classes", names(classifier.classes())));
    keys.push(("features", classifier.features().into()));
    keys.push(("priors", classifier.priors().into()));
    match classifier.model() {
        Scorer::Mixture(mixture) => gaussians(&mut keys, classifier, mixture),
        Scorer::Softmax(softmax) => {
            let linear = softmax.linear();
            keys.push(("coefficients", rows(&linear.coefficients, softmax.frame().dim())));
            keys.push(("intercepts", linear.intercepts.into()));
        }
        Scorer::Product(product) => {
            keys.push(("unseen", product.unseen().name().into()));
            let features = classifier.features();
            let factor = |one: &Factor| factor(one, product, features);
            keys.push(("factors", product.factors().iter().map(factor).collect()));
        }
    }
    decision(&mut keys, classifier);
    let line = |(key, value): &(&str, Value)| format!("  {}: {value}", Value::from(*key));
    format!("{{\n{}\n}}\n", keys.iter().map(line).collect::<Vec<_>>().join(",\n"))
}

/// Whether `gaussbayes model` makes the same classifier of what [`to_json`] writes: one Gaussian a class, and costs of
/// the classes in their order.
pub fn reads_back(classifier: &Classifier) -> bool {
    let loss = classifier.loss();
    let classes = (0..classifier.classes().len()).map(Action::Class);
    let reject = loss.priced().contains(&Action::Reject).then_some(Action::Reject);
    let usual = loss.priced().iter().copied().eq(classes.chain(reject));
    let gaussian = classifier.gaussians().is_ok_and(|mixture| {
        let whole = |k: usize| mixture.covariances().get(k).range().is_none();
        mixture.laws().is_none() && (0..mixture.components()).all(whole)
    });
    gaussian && usual && loss.outliers().is_none() && classifier.classes().len() > 1
}

fn gaussians(keys: &mut Keys, classifier: &Classifier, mixture: &Mixture) {
    let dim = mixture.dim();
    if !classifier.is_one_each() || mixture.noise().is_some() {
        let owner = &classifier.owner()[..mixture.components()];
        let owner: Vec<&str> = owner.iter().map(|k| classifier.classes()[*k].as_str()).collect();
        keys.push(("components_of", owner.into()));
        let mut shares = mixture.shares();
        shares.truncate(mixture.components());
        keys.push(("weights", shares.into()));
    }
    let means: Vec<Vec<f64>> = (0..mixture.components()).map(|k| mixture.raw_mean(k)).collect();
    keys.push(("means", json!(means)));
    let matrix = |k: usize| square(&mixture.raw_covariance(k), dim);
    match mixture.covariances() {
        Covariances::Shared(_) => keys.push(("covariance", matrix(0))),
        Covariances::Each(all) => {
            keys.push(("covariances", (0..all.len()).map(matrix).collect()));
        }
    }
    if let Covariances::Shared(covariance) = mixture.covariances()
        && covariance.range().is_some()
    {
        keys.push(("rank", covariance.rank().into()));
    }
    let law = |law: &Law| match law {
        Law::Scaled { factor, offset } => json!({"factor": factor, "offset": offset}),
        Law::Student { power, divisor, offset } => {
            json!({"power": power, "divisor": divisor, "offset": offset})
        }
    };
    if let Some(laws) = mixture.laws() {
        keys.push(("laws", laws.iter().map(law).collect()));
    }
    if let Some(Noise { share, extent }) = mixture.noise() {
        keys.push(("noise", json!({"share": share, "log_volume": extent.log_volume()})));
    }
}

fn factor(factor: &Factor, product: &Product, features: &[String]) -> Value {
    let classes = product.priors().len();
    let names_of = |columns: &[usize]| -> Vec<&str> {
        columns.iter().map(|j| features[*j].as_str()).collect()
    };
    match factor {
        Factor::Number { column, mixture } => {
            let means: Vec<f64> = (0..classes).map(|k| mixture.raw_mean(k)[0]).collect();
            let variances: Vec<f64> = (0..classes).map(|k| mixture.raw_covariance(k)[0]).collect();
            json!({"type": "number", "column": features[*column], "means": means, "variances": variances})
        }
        Factor::Flags { columns, above, log_yes, log_no } => json!({
            "type": "flags", "columns": names_of(columns), "above": above,
            "log_yes": rows(log_yes, classes), "log_no": rows(log_no, classes),
        }),
        Factor::Names { column, places, log_probs, unseen } => {
            let known = match places {
                Places::Names(known) => names(known),
                Places::Below(end) => (0..*end).collect(),
            };
            json!({
                "type": "names", "column": features[*column], "names": known,
                "log_probs": rows(log_probs, classes), "log_probs_unseen": unseen,
            })
        }
        Factor::Counts { columns, weights, .. } => json!({
            "type": "counts", "columns": names_of(columns), "weights": rows(weights, classes),
        }),
        Factor::Words { column, words, weights, unseen, .. } => json!({
            "type": "words", "column": features[*column], "words": names(words),
            "weights": rows(weights, classes), "weights_unseen": unseen,
        }),
    }
}

fn decision(keys: &mut Keys, classifier: &Classifier) {
    let loss = classifier.loss();
    if let Some(costs) = loss.costs() {
        if !reads_back(classifier) {
            let name = |action: &Action| match action {
                Action::Class(k) => classifier.classes()[*k].to_string(),
                Action::Reject => Action::REJECT.to_owned(),
            };
            let actions: Vec<String> = loss.priced().iter().map(name).collect();
            keys.push(("actions", actions.into()));
        }
        keys.push(("loss", rows(costs, loss.priced().len())));
    }
    if let Some(level) = loss.outliers() {
        keys.push(("reject_below_log_density", level.into()));
    }
}

fn names(names: &[Label]) -> Value {
    names.iter().map(Label::as_str).collect()
}

fn rows(values: &[f64], columns: usize) -> Value {
    json!(values.chunks(columns.max(1)).collect::<Vec<_>>())
}

fn square(triangle: &[f64], dim: usize) -> Value {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    (0..dim).map(|i| (0..dim).map(|j| at(i, j)).collect::<Value>()).collect()
}
