//! Prints what is in a model file.

use gaussbayes::{Classifier, Covariances, Label, Priors, Projection, Score};
use gaussbayes_io::Model;
use serde_json::{Value, json};

use super::cluster::{ending, fields as clustering, figures, rows as rows_of};
use super::{square, word_of};
use crate::args::Show;
use crate::failure::Failure;
use crate::models::described;
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, per_cent, short, table};

pub(crate) fn run(arguments: &Show, output: &Output) -> Result<(), Failure> {
    let model = Model::load(&arguments.model)?;
    let classifier = &model.classifier;
    let mixture = classifier.model();
    let stat = model.training.as_ref().map(gaussbayes::Training::stat).transpose()?;
    let weight: Option<f64> = stat.map(|stat| stat.moments().weight().iter().sum());
    let without = if model.known { "known parameters" } else { "sealed" };
    let found = model.clustering.as_ref();
    let weight = weight.or(found.map(|found| found.weight));
    let rows = weight.map_or_else(|| without.into(), |weight| format!("{} rows", count(weight)));
    let rows = match found {
        Some(found) if model.known => format!("part of a mixture of {}", rows_of(found)),
        found => found.map_or(rows, rows_of),
    };
    // Likelihoods of a whole are none of its part.
    let found = found.filter(|_| !model.known);
    let mut family = described(model.spec.effective_family());
    if model.clustering.is_some() {
        family = family.replace("classes", "clusters").replace("class", "cluster");
    }
    let mut text = format!("{} · {family} · {rows}\n\n", arguments.model.display());
    text.push_str(&format!("{}\n\n", made(&model)));
    if let Some(found) = found {
        text.push_str(&format!("{}{}\n\n", figures(found), ending(found, None)));
    }
    let names = classifier.features();
    let word = word_of(&model);
    text.push_str(&means(classifier, word));
    let (matrices, tables) = covariances(classifier, word);
    text.push_str(&tables);
    let canonical = Projection::of(mixture).ok();
    let shared = matches!(mixture.covariances(), Covariances::Shared(_));
    if let Some(projection) = canonical.as_ref().filter(|one| shared && !one.is_empty()) {
        text.push_str(&directions(projection, names));
    }
    let threshold = classifier.loss().threshold(mixture.weights());
    let threshold = threshold.filter(|threshold| threshold.is_finite());
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
    let classes = 0..classifier.classes().len();
    let mut result = json!({
        "n": found.map_or_else(|| json!(weight.map(json_count)), |found| json!(found.rows)),
        "target": model.target,
        "rank": mixture.covariances().get(0).rank(),
        "features": names,
        "classes": classifier.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "priors": mixture.weights(),
        "means": classes.map(|k| mixture.raw_mean(k)).collect::<Vec<_>>(),
        "covariances": matrices,
        "canonical": canonical.map(|projection| json!({
            "directions": projection.directions(),
            "explained": projection.explained(),
            "ratios": projection.ratios(),
        })),
        "threshold": threshold,
        "boundary": boundary.map(|(json, _)| json),
    });
    if let Some(object) = result.as_object_mut() {
        object.insert("known".into(), model.known.into());
        object.insert("clustering".into(), json!(found.map(clustering)));
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

/// Priors and means, a row per class.
fn means(classifier: &Classifier, word: &str) -> String {
    let mixture = classifier.model();
    let titles = [word, "prior"].map(String::from).into_iter();
    let mut rows: Vec<Vec<String>> = vec![titles.chain(classifier.features().to_vec()).collect()];
    for (k, class) in classifier.classes().iter().enumerate() {
        let mean = mixture.raw_mean(k).into_iter().map(short);
        let prior = short(mixture.weights()[k]);
        rows.push([class.to_string(), prior].into_iter().chain(mean).collect());
    }
    format!("priors and means\n{}", table(&rows))
}

/// Each covariance there is, for programs and as a table with a title.
fn covariances(classifier: &Classifier, word: &str) -> (Vec<Value>, String) {
    let (mixture, names) = (classifier.model(), classifier.features());
    let titles = match mixture.covariances() {
        Covariances::Shared(_) => {
            vec![format!("shared by all {word}{}", if word == "class" { "es" } else { "s" })]
        }
        Covariances::Each(_) => {
            classifier.classes().iter().map(|class| format!("of {word} '{class}'")).collect()
        }
    };
    let (mut matrices, mut text) = (Vec::new(), String::new());
    for (k, title) in titles.iter().enumerate() {
        let matrix = square(&mixture.raw_covariance(k), names.len());
        let row = |(row, name): (&Vec<f64>, &String)| {
            std::iter::once(name.clone()).chain(row.iter().copied().map(short)).collect()
        };
        let rows: Vec<Vec<String>> = matrix.iter().zip(names).map(row).collect();
        text.push_str(&format!("\ncovariance {title}\n{}", table(&rows)));
        matrices.push(json!(matrix));
    }
    (matrices, text)
}

/// How the model was made.
fn made(model: &Model) -> String {
    let mut parts = match &model.priors {
        _ if !model.known => settings::words(&model.spec, &model.priors),
        Priors::Given(_) => vec!["given priors".into()],
        _ => vec!["equal priors".into()],
    };
    let covariance = model.classifier.model().covariances().get(0);
    if covariance.rank() < covariance.dim() {
        parts.push(format!("{} of {} directions", covariance.rank(), covariance.dim()));
    }
    parts.extend(model.target.iter().map(|target| format!("target '{target}'")));
    parts.extend(model.weights.iter().map(|weights| format!("weights '{weights}'")));
    parts.join(", ")
}

/// The canonical directions: a row per feature, a column per direction.
fn directions(projection: &Projection, names: &[String]) -> String {
    let shares: Vec<String> = projection.explained().into_iter().map(per_cent).collect();
    let directions = projection.directions();
    let titles = (1..=directions.len()).map(super::transform::name);
    let mut rows: Vec<Vec<String>> = vec![std::iter::once(String::new()).chain(titles).collect()];
    for (j, name) in names.iter().enumerate() {
        let coefficients = directions.iter().map(|direction| short(direction[j]));
        rows.push(std::iter::once(name.clone()).chain(coefficients).collect());
    }
    format!("\ncanonical directions (explain {})\n{}", shares.join(", "), table(&rows))
}

/// The linear boundary between two classes that share a covariance: class 2 on the positive side.
fn boundary(model: &Model) -> Option<(Value, String)> {
    let classifier = &model.classifier;
    let shared = matches!(classifier.model().covariances(), Covariances::Shared(_));
    let [first, second] = classifier.classes() else { return None };
    if !shared || classifier.loss().costs().is_some() {
        return None;
    }
    let scores = classifier.model().quadratics()?;
    let pair = scores[1].minus(&scores[0]).raw();
    if !pair.linear.iter().chain([&pair.constant]).all(|value| value.is_finite()) {
        return None;
    }
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
