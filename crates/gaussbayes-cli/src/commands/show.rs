//! Prints what is in a model file.

use gaussbayes::{Classifier, Covariances, Label, Law, Mixture, Priors, Projection, Score, Scorer};
use gaussbayes_io::{Kept, Model, MomentsFile, OfClass};
use serde_json::{Value, json};

use super::cluster::{ending, fields as clustering, figures, rows as rows_of};
use super::{by_em, show_typed, softmax, square, stats, word_of};
use crate::args::Show;
use crate::failure::Failure;
use crate::models::learner;
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, per_cent, short, table};

pub(crate) fn run(arguments: &Show, output: &Output) -> Result<(), Failure> {
    if MomentsFile::is_at(&arguments.model) {
        return stats::show(&arguments.model, output);
    }
    let model = Model::load(&arguments.model)?;
    let path = arguments.model.display().to_string();
    match model.classifier.model() {
        Scorer::Mixture(mixture) => gaussians(&path, &model, mixture, output),
        Scorer::Product(product) => show_typed::run(&path, &model, product, output),
        Scorer::Softmax(softmax) => softmax::show(&path, &model, softmax, output),
    }
}

fn gaussians(path: &str, model: &Model, mixture: &Mixture, output: &Output) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let weight = model.training.as_ref().map(Kept::weight).transpose()?;
    let without = if model.known { "known parameters" } else { "sealed" };
    let found = model.clustering.as_ref();
    let by_em = model.by_em.as_ref();
    let word = word_of(model);
    let weight = weight.or(found.map(|found| found.weight)).or(by_em.map(|found| found.weight));
    let rows = weight.map_or_else(|| without.into(), |weight| format!("{} rows", count(weight)));
    let rows = match found {
        Some(found) if model.known => format!("part of a mixture of {}", rows_of(found)),
        found => found.map_or(rows, rows_of),
    };
    // Likelihoods of a whole are none of its part.
    let found = found.filter(|_| !model.known);
    let mut family = learner(&model.spec);
    if model.clustering.is_some() {
        family = family.replace("classes", "clusters").replace("class", "cluster");
    }
    if !one_each(classifier) {
        family = match word {
            "class" => "a mixture per class".into(),
            word => format!("a mixture per {word}, {family}"),
        };
    }
    let mut text = format!("{path} · {family} · {rows}\n\n");
    text.push_str(&format!("{}\n\n", made(model)));
    let sentence = by_em.map_or_else(String::new, by_em::sentence);
    if !sentence.is_empty() {
        text.push_str(&format!("{sentence}\n"));
    }
    if let Some(found) = found {
        text.push_str(&format!("{}{}\n\n", figures(found), ending(found, None)));
    }
    let names = classifier.features();
    text.push_str(&means(classifier, mixture, word, by_em.map_or(&[], |found| &found.classes)));
    let (matrices, tables) = covariances(classifier, mixture, word);
    text.push_str(&tables);
    let canonical = Projection::of(mixture).ok().filter(|_| one_each(classifier));
    let shared = matches!(mixture.covariances(), Covariances::Shared(_));
    if let Some(projection) = canonical.as_ref().filter(|one| shared && !one.is_empty()) {
        text.push_str(&directions(projection, names));
    }
    let plain = classifier.gaussians().is_ok();
    let threshold = classifier.loss().threshold(&classifier.priors());
    let threshold =
        threshold.filter(|threshold| threshold.is_finite() && mixture.noise().is_none());
    if let (Some(threshold), [first, second]) = (threshold, classifier.classes()) {
        text.push_str(&format!(
            "\nlikelihood ratio: '{first}' where p(x|{first}) / p(x|{second}) > {}\n",
            short(threshold)
        ));
    }
    let boundary = boundary(model).filter(|_| plain);
    if let Some((_, sentence)) = &boundary {
        text.push_str(&format!("{sentence}\n"));
    }
    let all = 0..mixture.components();
    let mut result = json!({
        "n": found.map_or_else(|| json!(weight.map(json_count)), |found| json!(found.rows)),
        "target": model.target,
        "rank": mixture.covariances().get(0).rank(),
        "features": names,
        "classes": classifier.classes().iter().map(Label::as_str).collect::<Vec<_>>(),
        "priors": classifier.priors(),
        "means": all.map(|k| mixture.raw_mean(k)).collect::<Vec<_>>(),
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
        object.insert(
            "noise".into(),
            json!(mixture.noise().map(|noise| {
                json!({ "share": noise.share, "volume": noise.extent.log_volume().exp() })
            })),
        );
        object.insert("freedom".into(), json!(freedom(mixture)));
        object.insert("clustering".into(), json!(found.map(clustering)));
        object.extend(settings::fields(&model.spec));
        object.extend(by_em.map(by_em::fields).into_iter().flatten());
        if !one_each(classifier) {
            object.insert("owner".into(), json!(classifier.owner()));
            object.insert("weights".into(), json!(mixture.shares()));
            let families = by_em.into_iter().flat_map(|found| &found.classes);
            let families: Vec<&str> = families.map(|of| of.family.name()).collect();
            let families = (!families.is_empty()).then_some(families);
            object.insert("families".into(), json!(families));
        }
    }
    output.answer(&text, &result)
}

/// Whether each class is one component.
fn one_each(classifier: &Classifier) -> bool {
    classifier.is_one_each()
}

/// What component `k` is called: its class, with a number where that has several.
fn name(classifier: &Classifier, k: usize) -> String {
    let owner = classifier.owner();
    let class = &classifier.classes()[owner[k]];
    if owner.iter().filter(|other| **other == owner[k]).count() == 1 {
        return class.to_string();
    }
    let place = owner[..=k].iter().filter(|other| **other == owner[k]).count();
    format!("{class} ({place})")
}

/// Priors and means, a row per class; of mixtures a row per component, with its share of its class.
fn means(classifier: &Classifier, mixture: &Mixture, word: &str, families: &[OfClass]) -> String {
    if !one_each(classifier) {
        let rows = components(classifier, mixture, word, families);
        return format!("components by {word}\n{rows}");
    }
    let (shares, freedom) = (mixture.shares(), freedom(mixture));
    let mut titles = vec![word.to_string(), "prior".into()];
    titles.extend(freedom.as_ref().map(|_| "freedom".into()));
    titles.extend(classifier.features().to_vec());
    let mut rows: Vec<Vec<String>> = vec![titles];
    for (k, &class) in classifier.owner().iter().enumerate() {
        let mut row = vec![classifier.classes()[class].to_string(), short(shares[k])];
        if k < mixture.components() {
            row.extend(freedom.as_ref().map(|freedom| short(freedom[k])));
            row.extend(mixture.raw_mean(k).into_iter().map(short));
        } else {
            row.resize(rows[0].len(), "anywhere".into());
        }
        rows.push(row);
    }
    format!("priors and means\n{}", table(&rows))
}

/// A row per component and of noise, with its share of its class; families where classes have their own.
fn components(
    classifier: &Classifier,
    mixture: &Mixture,
    word: &str,
    families: &[OfClass],
) -> String {
    let priors = classifier.priors();
    let (shares, freedom) = (mixture.shares(), freedom(mixture));
    let mut titles = vec![word.to_string(), "prior".into()];
    titles.extend(families.first().map(|_| "family".into()));
    titles.push("share".into());
    titles.extend(freedom.as_ref().map(|_| "freedom".into()));
    titles.extend(classifier.features().to_vec());
    let mut rows = vec![titles];
    for (k, &class) in classifier.owner().iter().enumerate() {
        let first = classifier.owner()[..k].iter().all(|other| *other != class);
        let said = |text: String| if first { text } else { String::new() };
        let mut row = vec![name(classifier, k), said(short(priors[class]))];
        row.extend(families.get(class).map(|of| said(of.family.name().into())));
        row.push(short(shares[k] / priors[class]));
        if k < mixture.components() {
            row.extend(freedom.as_ref().map(|freedom| short(freedom[k])));
            row.extend(mixture.raw_mean(k).into_iter().map(short));
        } else {
            row.resize(rows[0].len(), "anywhere".into());
        }
        rows.push(row);
    }
    table(&rows)
}

/// Degrees of freedom of clusters with tails; what a predictive density is divided by are none.
fn freedom(mixture: &Mixture) -> Option<Vec<f64>> {
    let laws = mixture.laws()?;
    let of = |law: &Law| law.freedom().filter(|_| law.is_student(mixture.dim()));
    laws.iter().map(of).collect()
}

/// Each covariance there is, for programs and as a table with a title.
fn covariances(classifier: &Classifier, mixture: &Mixture, word: &str) -> (Vec<Value>, String) {
    let names = classifier.features();
    let titles = match mixture.covariances() {
        Covariances::Shared(_) => {
            vec![format!("shared by all {word}{}", if word == "class" { "es" } else { "s" })]
        }
        Covariances::Each(_) => {
            let component = |k: usize| format!("of {word} '{}'", name(classifier, k));
            (0..mixture.components()).map(component).collect()
        }
    };
    // The covariance of a Student density is ν/(ν − 2) times what it is scaled by, where there is one.
    let tails = mixture.laws().is_some_and(|laws| laws[0].is_student(names.len()));
    let what = if tails { "scale matrix" } else { "covariance" };
    let (mut matrices, mut text) = (Vec::new(), String::new());
    for (k, title) in titles.iter().enumerate() {
        let matrix = square(&mixture.raw_covariance(k), names.len());
        let row = |(row, name): (&Vec<f64>, &String)| {
            std::iter::once(name.clone()).chain(row.iter().copied().map(short)).collect()
        };
        let rows: Vec<Vec<String>> = matrix.iter().zip(names).map(row).collect();
        text.push_str(&format!("\n{what} {title}\n{}", table(&rows)));
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
    let covariance = model.classifier.mixture().map(|mixture| mixture.covariances().get(0));
    if let Ok(covariance) = covariance
        && covariance.rank() < covariance.dim()
    {
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
    let shared = matches!(classifier.mixture().ok()?.covariances(), Covariances::Shared(_));
    let [first, second] = classifier.classes() else { return None };
    if !shared || !one_each(classifier) || classifier.loss().costs().is_some() {
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
