//! Fits a classifier and saves it.

use std::path::Path;

use gaussbayes::{Classifier, On, Source, Training};
use gaussbayes_io::Model;
use serde_json::json;

use super::{labelled, pool, refuse_overwriting, warn_of, warn_of_twins};
use crate::args::{Common, Fit};
use crate::failure::Failure;
use crate::models::{described, family, spec};
use crate::output::Output;
use crate::text::{count, json_count};

pub(crate) fn run(arguments: &Fit, common: &Common, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &[Path::new(&arguments.data.data)])?;
    let (spec, priors) = spec(family(&arguments.estimation.model)?, &arguments.estimation.options)?;
    let (mut data, target) = labelled(&arguments.data, common)?;
    let features = data.features().to_vec();
    let pool = pool(common)?;
    let mut training = Training::new(spec.storage(), data.dim());
    training.add(&mut data, On::pool(&pool))?;
    let stat = training.stat()?;
    let weight: f64 = stat.moments().weight().iter().sum();
    let fitted = Classifier::fit(&spec, &priors, stat, &features)?;
    warn_of(&fitted.report, &features, output);
    warn_of_twins(fitted.classifier.classes(), output);
    let weights = arguments.data.weights.clone();
    let (target, training) = (Some(target), (!arguments.sealed).then_some(training));
    let model = Model { classifier: fitted.classifier, spec, priors, target, weights, training };
    model.save(&arguments.output)?;
    let path = arguments.output.display().to_string();
    saved(&model, fitted.report.parameters, weight, &path, output)
}

/// Says what was saved, and what can be done with it.
pub(super) fn saved(
    model: &Model,
    parameters: usize,
    weight: f64,
    path: &str,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let (classes, features) = (classifier.classes(), classifier.features());
    let text = format!(
        "{} on {} rows: {} classes, {} features, {} parameters\nsaved {path}\n\
         next: gaussbayes predict {path} NEW.csv --proba\n",
        described(model.spec.family),
        count(weight),
        classes.len(),
        features.len(),
        parameters,
    );
    let result = json!({
        "model": path,
        "family": model.spec.family.name(),
        "n": json_count(weight),
        "classes": classes.iter().map(gaussbayes::Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "priors": classifier.model().weights(),
        "parameters": parameters,
    });
    output.answer(&text, &result)
}
