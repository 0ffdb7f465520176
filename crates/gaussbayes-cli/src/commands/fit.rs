//! Fits a classifier and saves it.

use gaussbayes::{Classifier, CovarianceSpec, Error, Label, Priors, Report, Source, Training};
use gaussbayes_io::{ByEm, Kept, Model};
use serde_json::json;

use super::rda::Choice;
use super::workers::Workers;
use super::{
    asked, by_em, from, opened, per_class, refuse_overwriting, softmax, typed, warn_of,
    warn_of_twins,
};
use crate::args::{Common, Fit, Rda};
use crate::failure::Failure;
use crate::models::{estimation, is_softmax, learner};
use crate::output::Output;
use crate::settings;
use crate::text::{count, json_count, plural, short};

pub(crate) fn run(arguments: &Fit, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(moments) = &arguments.from {
        return from::run(moments, arguments, output);
    }
    refuse_overwriting(&arguments.output, &arguments.data.tables.paths())?;
    if let Some(components) = arguments.components {
        return per_class::run(arguments, components, common, output);
    }
    let automatic = arguments.estimation.rda == Some(Rda::Auto);
    let types = typed::types(&arguments.estimation)?;
    if is_softmax(arguments.estimation.model()) {
        let asked = asked::softmax(&arguments.estimation)?;
        let (data, target) = opened(&arguments.data, false, types, common, output)?;
        return softmax::fit(arguments, asked, data, target, common, output);
    }
    asked::refuse_penalty(&arguments.estimation)?;
    let (spec, priors) = estimation(&arguments.estimation)?;
    let (mut data, target) = opened(&arguments.data, !automatic, types, common, output)?;
    if data.types().is_some() {
        return typed::fit(arguments, data, target, common, output);
    }
    typed::refuse_idle(&arguments.estimation.typed)?;
    let (features, workers) = (data.features().to_vec(), Workers::new(common, "fitting")?);
    let job = Job { arguments, common, output, workers: &workers, spec, priors, target, features };
    workers.watch().reads(data.meter());
    match job.supervised(&mut data) {
        Err(failure) if is_without_label(&failure) && !automatic => {
            if data.is_once() {
                let hint = "EM reads such rows many times: save standard input to a file first";
                return Err(Failure::Data { message: failure.message(), hint: hint.into() });
            }
            data.rewind()?;
            by_em::run(&job, workers.held(data)?)
        }
        ended => ended,
    }
}

fn is_without_label(failure: &Failure) -> bool {
    matches!(failure, Failure::Library(gaussbayes_io::Error::Core(Error::NoLabel { .. })))
}

/// A fit that was asked for.
pub(super) struct Job<'a> {
    pub(super) arguments: &'a Fit,
    pub(super) common: &'a Common,
    pub(super) output: &'a Output,
    pub(super) workers: &'a Workers,
    pub(super) spec: CovarianceSpec,
    pub(super) priors: Priors,
    pub(super) target: String,
    pub(super) features: Vec<String>,
}

impl Job<'_> {
    /// Fits to rows that all have a label, in one pass over them.
    fn supervised<S>(&self, data: &mut S) -> Result<(), Failure>
    where
        S: Source<Error = gaussbayes_io::Error>,
    {
        let (arguments, output) = (self.arguments, self.output);
        let (mut spec, priors, features) = (self.spec.clone(), &self.priors, &self.features);
        let mut choice = None;
        if arguments.estimation.rda == Some(Rda::Auto) {
            let found = Choice::of(&spec, priors, features, self.common.seed, data, self.workers)?;
            spec.shrinkage = Some(found.best()?);
            choice = Some(found);
            data.rewind()?;
        }
        spec.check()?;
        let mut training = Training::new(spec.storage(), data.dim());
        training.add(data, self.workers.on())?;
        let stat = training.stat()?.completed(&spec, data, self.workers.on())?;
        let weight: f64 = stat.moments().weight().iter().sum();
        let fitted = Classifier::fit(&spec, priors, stat, features)?;
        warn_of(&fitted.report, features, output);
        if choice.is_some() && !spec.depends_on_units() {
            // The mixtures that were not taken depend on units, and were judged in these.
            let spheres = CovarianceSpec { scaling: spec.scaling, ..CovarianceSpec::rda(1.0, 1.0) };
            let stat = training.stat()?;
            if let Ok(other) = Classifier::fit(&spheres, priors, stat, features) {
                warn_of(&other.report, features, output);
            }
        }
        warn_of_twins(fitted.classifier.classes(), output);
        let training = (!arguments.sealed).then_some(training);
        let model = self.model(fitted.classifier, spec, training, None);
        model.save(&arguments.output)?;
        let path = arguments.output.display().to_string();
        saved(&model, &fitted.report, weight, &path, choice.as_ref(), output)
    }

    /// The model that is saved.
    pub(super) fn model(
        &self,
        classifier: Classifier,
        spec: CovarianceSpec,
        training: Option<Training>,
        by_em: Option<ByEm>,
    ) -> Model {
        Model {
            classifier,
            spec: spec.into(),
            priors: self.priors.clone(),
            target: Some(self.target.clone()),
            weights: self.arguments.data.weights.clone(),
            training: training.map(Kept::Gaussian),
            known: false,
            note: None,
            clustering: None,
            by_em,
        }
    }
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
        "{} on {} rows: {} classes, {}, {} parameters\n{}\n{}{}saved {path}\n\
         next: gaussbayes predict {} NEW.csv --proba\n",
        learner(&model.spec),
        count(weight),
        classes.len(),
        plural(features.len(), "feature"),
        parameters,
        settings::words(&model.spec, &model.priors).join(", "),
        found(report, classes),
        model.by_em.as_ref().map_or_else(String::new, by_em::sentence),
        gaussbayes_io::shell(path),
    );
    let mut result = json!({
        "model": path,
        "n": json_count(weight),
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "priors": classifier.priors(),
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
        object.extend(model.by_em.as_ref().map(by_em::fields).into_iter().flatten());
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
