//! Prints what is in a model file.

use gaussbayes::{Covariances, Label, Score};
use gaussbayes_io::Model;
use serde_json::{Value, json};

use crate::args::Show;
use crate::failure::Failure;
use crate::models::described;
use crate::output::Output;
use crate::text::{count, json_count, short, table};

pub(crate) fn run(arguments: &Show, output: &Output) -> Result<(), Failure> {
    let model = Model::load(&arguments.model)?;
    let classifier = &model.classifier;
    let mixture = classifier.model();
    let weight: f64 = model.training.stat()?.moments().weight().iter().sum();
    let mut text = format!(
        "{} · {} · {} rows\n\n",
        arguments.model.display(),
        described(model.spec.family),
        count(weight)
    );
    let names = classifier.features();
    let mut rows = vec![head("class", "prior", names)];
    for (k, class) in classifier.classes().iter().enumerate() {
        let mean = mixture.raw_mean(k).into_iter().map(short);
        let prior = short(mixture.weights()[k]);
        rows.push([class.to_string(), prior].into_iter().chain(mean).collect());
    }
    text.push_str("priors and means\n");
    text.push_str(&table(&rows));
    let covariances = match mixture.covariances() {
        Covariances::Shared(_) => vec![("shared by all classes".to_string(), 0)],
        Covariances::Each(_) => {
            let of = |(k, class): (usize, &Label)| (format!("of class '{class}'"), k);
            classifier.classes().iter().enumerate().map(of).collect()
        }
    };
    for (whose, k) in &covariances {
        text.push_str(&format!("\ncovariance {whose}\n"));
        let rows: Vec<Vec<String>> = square(&mixture.raw_covariance(*k), names.len())
            .into_iter()
            .zip(names)
            .map(|(row, name)| {
                std::iter::once(name.clone()).chain(row.into_iter().map(short)).collect()
            })
            .collect();
        text.push_str(&table(&rows));
    }
    let threshold = classifier.loss().threshold(mixture.weights());
    if let (Some(threshold), [first, second]) = (threshold, classifier.classes()) {
        text.push_str(&format!(
            "\nlikelihood ratio: '{first}' where p(x|{first}) / p(x|{second}) > {}\n",
            short(threshold)
        ));
    }
    let boundary = boundary(&model);
    if let Some((_, sentence)) = &boundary {
        text.push_str(&format!("{sentence}\n"));
    }
    let matrices: Vec<Value> = covariances
        .iter()
        .map(|(_, k)| json!(square(&mixture.raw_covariance(*k), names.len())))
        .collect();
    let classes = 0..classifier.classes().len();
    let result = json!({
        "family": model.spec.family.name(),
        "n": json_count(weight),
        "target": model.target,
        "features": names,
        "classes": classifier.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "priors": mixture.weights(),
        "means": classes.map(|k| mixture.raw_mean(k)).collect::<Vec<_>>(),
        "covariances": matrices,
        "threshold": threshold,
        "boundary": boundary.map(|(json, _)| json),
    });
    output.answer(&text, &result)
}

fn head(first: &str, second: &str, names: &[String]) -> Vec<String> {
    [first.to_string(), second.to_string()].into_iter().chain(names.iter().cloned()).collect()
}

/// A full matrix from its lower triangle.
fn square(triangle: &[f64], dim: usize) -> Vec<Vec<f64>> {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    (0..dim).map(|i| (0..dim).map(|j| at(i, j)).collect()).collect()
}

/// The linear boundary between two classes that share a covariance: class 2 on the positive side.
fn boundary(model: &Model) -> Option<(Value, String)> {
    let classifier = &model.classifier;
    let shared = matches!(classifier.model().covariances(), Covariances::Shared(_));
    let [first, second] = classifier.classes() else { return None };
    if !shared {
        return None;
    }
    let scores = classifier.model().quadratics()?;
    let pair = scores[1].minus(&scores[0]).raw();
    let terms: Vec<String> = pair
        .linear
        .iter()
        .zip(classifier.features())
        .map(|(w, name)| format!("{} {name}", short(*w)))
        .collect();
    let sentence = format!(
        "boundary: '{second}' where {} + {} > 0, otherwise '{first}'",
        terms.join(" + "),
        short(pair.constant)
    );
    let json = json!({
        "classes": [second.as_str(), first.as_str()],
        "linear": pair.linear,
        "constant": pair.constant,
    });
    Some((json, sentence.replace("+ -", "- ")))
}
