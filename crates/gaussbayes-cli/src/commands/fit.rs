//! Fits a classifier and saves it.

use std::path::Path;

use gaussbayes::{Classifier, CovarianceSpec, Label, On, Report, Source, Training};
use gaussbayes_io::Model;
use serde_json::json;

use super::rda::Choice;
use super::{labelled, pool, refuse_overwriting, warn_of, warn_of_twins};
use crate::args::{Common, Fit, Rda};
use crate::failure::Failure;
use crate::models::{described, estimation};
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, plural, short};

pub(crate) fn run(arguments: &Fit, common: &Common, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &[Path::new(&arguments.data.data)])?;
    let (mut spec, priors) = estimation(&arguments.estimation)?;
    let (mut data, target) = labelled(&arguments.data, common)?;
    let features = data.features().to_vec();
    let pool = pool(common)?;
    let mut choice = None;
    if arguments.estimation.rda == Some(Rda::Auto) {
        let found = Choice::of(&spec, &priors, &features, common.seed, &mut data, &pool)?;
        spec.shrinkage = Some(found.best()?);
        choice = Some(found);
        data.rewind()?;
    }
    spec.check()?;
    let mut training = Training::new(spec.storage(), data.dim());
    training.add(&mut data, On::pool(&pool))?;
    let stat = training.stat()?.completed(&spec, &mut data, On::pool(&pool))?;
    let weight: f64 = stat.moments().weight().iter().sum();
    let fitted = Classifier::fit(&spec, &priors, stat, &features)?;
    warn_of(&fitted.report, &features, output);
    if choice.is_some() && !spec.depends_on_units() {
        // The mixtures that were not taken depend on units, and were judged in these.
        let spheres = CovarianceSpec { scaling: spec.scaling, ..CovarianceSpec::rda(1.0, 1.0) };
        let stat = training.stat()?;
        if let Ok(other) = Classifier::fit(&spheres, &priors, stat, &features) {
            warn_of(&other.report, &features, output);
        }
    }
    warn_of_twins(fitted.classifier.classes(), output);
    let weights = arguments.data.weights.clone();
    let (target, training) = (Some(target), (!arguments.sealed).then_some(training));
    let (classifier, known) = (fitted.classifier, false);
    let (note, clustering) = (None, None);
    let model =
        Model { classifier, spec, priors, target, weights, training, known, note, clustering };
    model.save(&arguments.output)?;
    let path = arguments.output.display().to_string();
    saved(&model, &fitted.report, weight, &path, choice.as_ref(), output)
}

/// Says what was saved, and what can be done with it.
pub(super) fn saved(
    model: &Model,
    report: &Report,
    weight: f64,
    path: &str,
    choice: Option<&Choice>,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let (classes, features) = (classifier.classes(), classifier.features());
    let parameters = report.parameters;
    let mut text = choice.map(Choice::text).unwrap_or_default();
    text += &format!(
        "{} on {} rows: {} classes, {}, {} parameters\n{}\n{}saved {path}\n\
         next: gaussbayes predict {path} NEW.csv --proba\n",
        described(model.spec.effective_family()),
        count(weight),
        classes.len(),
        plural(features.len(), "feature"),
        parameters,
        settings::words(&model.spec, &model.priors).join(", "),
        found(report, classes),
    );
    let mut result = json!({
        "model": path,
        "n": json_count(weight),
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "priors": classifier.model().weights(),
        "parameters": parameters,
        "convergence": report.convergence.map(|convergence| json!({
            "steps": convergence.steps, "converged": convergence.converged,
        })),
        "shrinkage_amounts": (!report.amounts.is_empty()).then_some(&report.amounts),
        "rank": report.rank,
        "grid": choice.map(Choice::json),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

/// Automatic shrinkage, class by class, and how an iteration ended.
fn found(report: &Report, classes: &[Label]) -> String {
    let amount = |(class, amount): (&Label, &f64)| format!("'{class}' by {}", short(*amount));
    let amounts: Vec<String> = classes.iter().zip(&report.amounts).map(amount).collect();
    let mut lines = String::new();
    if !amounts.is_empty() {
        lines += &format!("shrunk {}\n", amounts.join(", "));
    }
    if let Some(convergence) = report.convergence.filter(|convergence| convergence.converged) {
        lines += &format!("covariances converged in {}\n", plural(convergence.steps, "step"));
    }
    lines
}
