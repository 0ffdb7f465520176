//! Fits a classifier and saves it.

use gaussbayes::{Classifier, On, Source, Training};
use gaussbayes_io::Model;
use serde_json::json;

use super::{labelled, pool, warn_of, warn_of_twins};
use crate::args::{Common, Fit};
use crate::failure::Failure;
use crate::models::{described, family, spec};
use crate::output::Output;
use crate::text::{count, json_count};

pub(crate) fn run(arguments: &Fit, common: &Common, output: &Output) -> Result<(), Failure> {
    let (spec, priors) = spec(family(&arguments.estimation.model)?, &arguments.estimation.options)?;
    let (mut data, target) = labelled(&arguments.data, common)?;
    let features = data.features().to_vec();
    let pool = pool(common)?;
    let mut training = Training::new(spec.storage(), data.dim());
    training.add(&mut data, On::pool(&pool))?;
    let fitted = Classifier::fit(&spec, &priors, training.stat()?, &features)?;
    warn_of(&fitted.report, &features, output);
    warn_of_twins(fitted.classifier.classes(), output);
    let weights = arguments.data.weights.clone();
    let model = Model { classifier: fitted.classifier, spec, priors, target, weights, training };
    model.save(&arguments.output)?;
    saved(&model, fitted.report.parameters, &arguments.output.display().to_string(), output)
}

/// Says what was saved, and what can be done with it.
pub(super) fn saved(
    model: &Model,
    parameters: usize,
    path: &str,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let weight: f64 = model.training.stat()?.moments().weight().iter().sum();
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
