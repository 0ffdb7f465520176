//! Fits a classifier and saves it.

use std::path::Path;

use gaussbayes::{Classifier, Label, On, Report, Source, Training};
use gaussbayes_io::Model;
use serde_json::json;

use super::rda::Choice;
use super::{labelled, pool, refuse_overwriting, warn_of, warn_of_twins};
use crate::args::{Common, Fit, Rda};
use crate::failure::Failure;
use crate::models::{described, estimation};
use crate::output::Output;
use crate::text::{count, json_count, short};

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
    warn_of_twins(fitted.classifier.classes(), output);
    let weights = arguments.data.weights.clone();
    let (target, training) = (Some(target), (!arguments.sealed).then_some(training));
    let model = Model { classifier: fitted.classifier, spec, priors, target, weights, training };
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
    let text = choice.map(Choice::text).unwrap_or_default();
    let text = text
        + &format!(
            "{} on {} rows: {} classes, {} features, {} parameters\n{}saved {path}\n\
         next: gaussbayes predict {path} NEW.csv --proba\n",
            described(model.spec.effective_family()),
            count(weight),
            classes.len(),
            features.len(),
            parameters,
            shrunk(report, classes),
        );
    let result = json!({
        "model": path,
        "family": model.spec.family.name(),
        "n": json_count(weight),
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "priors": classifier.model().weights(),
        "parameters": parameters,
        "convergence": report.convergence.map(|convergence| json!({
            "steps": convergence.steps, "converged": convergence.converged,
        })),
        "amounts": (!report.amounts.is_empty()).then_some(&report.amounts),
        "rank": report.rank,
        "rda": choice.map(Choice::json),
    });
    output.answer(&text, &result)
}

/// Automatic shrinkage, class by class.
fn shrunk(report: &Report, classes: &[Label]) -> String {
    let amount = |(class, amount): (&Label, &f64)| format!("'{class}' by {}", short(*amount));
    let amounts: Vec<String> = classes.iter().zip(&report.amounts).map(amount).collect();
    if amounts.is_empty() { String::new() } else { format!("shrunk {}\n", amounts.join(", ")) }
}
