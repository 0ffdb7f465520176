//! Fits softmax regression, and says what its coefficients are.

use std::path::Path;

use gaussbayes::{
    Classifier, Label, Learner, LearntReport, Priors, Softmax, SoftmaxReport, SoftmaxSpec,
};
use gaussbayes_io::{Data, Held, Model};
use serde_json::{Map, Value, json};

use super::warn_of_twins;
use super::workers::Workers;
use crate::args::{Common, Fit};
use crate::failure::Failure;
use crate::models::learner;
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, plural, short, table};

/// Classes up to which each has a column of coefficients.
const WIDE: usize = 12;

/// Fits to rows that all have a label, in several passes over them, and saves the model.
pub(super) fn fit(
    arguments: &Fit,
    (spec, priors): (SoftmaxSpec, Priors),
    mut data: Data,
    target: String,
    common: &Common,
    output: &Output,
) -> Result<(), Failure> {
    let (features, workers) = (data.features().to_vec(), Workers::new(common, "fitting")?);
    let (asked, on) = (Learner::Softmax(spec), workers.reading(&data));
    let learnt = if data.is_once() {
        asked.learn(&priors, &features, &mut Held::read(data, on)?, on)?
    } else {
        asked.learn(&priors, &features, &mut data, on)?
    };
    let LearntReport::Softmax(report) = learnt.report else {
        return Err(gaussbayes::Error::NoRows.into());
    };
    warn_of(&report, &spec, &features, output);
    warn_of_twins(learnt.classifier.classes(), output);
    let model = Model {
        classifier: learnt.classifier,
        spec: asked,
        priors,
        target: Some(target),
        weights: arguments.data.weights.clone(),
        training: None,
        known: false,
        note: None,
        clustering: None,
        by_em: None,
    };
    model.save(&arguments.output)?;
    saved(&model, &report, &arguments.output, output)
}

/// Says what a user should know about the fit.
fn warn_of(report: &SoftmaxReport, spec: &SoftmaxSpec, features: &[String], output: &Output) {
    for &j in &report.constant {
        output.warn(format!("column '{}' is constant and has no coefficient", features[j]));
    }
    if report.separable {
        output.warn(format!(
            "planes separate the classes without error: coefficients are what penalty {} makes them",
            short(spec.penalty)
        ));
    }
    if !report.converged {
        output
            .warn(format!("the coefficients had not converged after {} steps", report.iterations));
    }
}

/// Says what was saved, and what can be done with it.
fn saved(
    model: &Model,
    report: &SoftmaxReport,
    path: &Path,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let (classes, features) = (classifier.classes(), classifier.features());
    let path = path.display();
    let explained = 1.0 - report.deviance / report.null_deviance;
    let text = format!(
        "{} on {} rows: {} classes, {}, {} parameters\n{}\n\
         log-likelihood {}, {} of the deviance explained, after {}\nsaved {path}\n\
         next: gaussbayes predict {} NEW.csv --proba\n",
        learner(&model.spec),
        count(report.weight),
        classes.len(),
        plural(features.len(), "feature"),
        report.parameters,
        settings::words(&model.spec, &model.priors).join(", "),
        short(report.log_likelihood),
        crate::text::per_cent(explained),
        plural(report.iterations as usize, "step"),
        gaussbayes_io::shell(&path.to_string()),
    );
    let mut result = json!({
        "model": path.to_string(),
        "n": json_count(report.weight),
        "classes": names(classes),
        "features": features,
        "priors": classifier.priors(),
        "parameters": report.parameters,
        "convergence": { "steps": report.iterations, "converged": report.converged },
        "separable": report.separable,
        "log_likelihood": report.log_likelihood,
        "deviance": report.deviance,
        "null_deviance": report.null_deviance,
        "constant": report.constant.iter().map(|&j| &features[j]).collect::<Vec<_>>(),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

fn names(classes: &[Label]) -> Vec<&str> {
    classes.iter().map(Label::as_str).collect()
}

/// Prints what is in a model file of softmax regression.
pub(super) fn show(
    path: &str,
    model: &Model,
    softmax: &Softmax,
    output: &Output,
) -> Result<(), Failure> {
    let classifier = &model.classifier;
    let mut made = settings::words(&model.spec, &model.priors);
    made.extend(model.target.iter().map(|target| format!("target '{target}'")));
    made.extend(model.weights.iter().map(|weights| format!("weights '{weights}'")));
    let text = format!(
        "{path} · {} · sealed\n\n{}\n\n{}",
        learner(&model.spec),
        made.join(", "),
        coefficients(classifier, softmax)
    );
    let mut result = json!({
        "target": model.target,
        "features": classifier.features(),
        "classes": names(classifier.classes()),
        "priors": classifier.priors(),
    });
    if let Some(object) = result.as_object_mut() {
        object.extend(fields(softmax));
        object.extend(settings::fields(&model.spec));
    }
    output.answer(&text, &result)
}

/// Coefficients and intercepts for programs, class by class.
pub(super) fn fields(softmax: &Softmax) -> Map<String, Value> {
    let linear = softmax.linear();
    let dim = linear.coefficients.len() / linear.intercepts.len();
    let rows: Vec<&[f64]> = linear.coefficients.chunks_exact(dim).collect();
    let finite = |b: &f64| b.is_finite().then_some(*b);
    let intercepts: Vec<Option<f64>> = linear.intercepts.iter().map(finite).collect();
    let fields = [("coefficients", json!(rows)), ("intercepts", json!(intercepts))];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// Coefficients as a table: of two classes the log-odds of the second, of more one column a class.
pub(super) fn coefficients(classifier: &Classifier, softmax: &Softmax) -> String {
    let (classes, features) = (classifier.classes(), classifier.features());
    let (linear, dim) = (softmax.linear(), features.len());
    let (w, b) = (&linear.coefficients, &linear.intercepts);
    if let [first, second] = classes {
        let mut rows = vec![vec!["intercept".to_string(), short(b[1] - b[0])]];
        rows.extend(
            features
                .iter()
                .enumerate()
                .map(|(j, name)| vec![name.clone(), short(w[dim + j] - w[j])]),
        );
        return format!(
            "log-odds of '{second}' against '{first}': a constant, and so much for a unit of\n{}",
            table(&rows)
        );
    }
    if classes.len() > WIDE {
        return format!("{} classes: the coefficients are in --json\n", classes.len());
    }
    let title = std::iter::once(String::new()).chain(classes.iter().map(ToString::to_string));
    let mut rows: Vec<Vec<String>> = vec![title.collect()];
    let row = |name: &str, value: &dyn Fn(usize) -> f64| {
        let values = (0..classes.len()).map(|k| short(value(k)));
        std::iter::once(name.to_string()).chain(values).collect()
    };
    rows.push(row("intercept", &|k| b[k]));
    for (j, name) in features.iter().enumerate() {
        rows.push(row(name, &|k| w[k * dim + j]));
    }
    format!("scores of the classes: a constant, and so much for a unit of\n{}", table(&rows))
}
