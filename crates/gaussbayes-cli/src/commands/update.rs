//! Adds rows to a saved model: the same bytes as one fit of all rows.

use gaussbayes::{Classifier, CovarianceSpec, Learner};
use gaussbayes_io::{Columns, Kept, Model, shell};

use super::workers::Workers;
use super::{fit::saved, open, refuse_overwriting, typed, warn_of, warn_of_twins};
use crate::args::{Common, Update};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &Update, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        refuse_overwriting(output, &arguments.data.paths())?;
    }
    let mut model = Model::load(&arguments.model)?;
    if model.clustering.is_some() {
        let file = shell(&arguments.model.display().to_string());
        return Err(Failure::usage(
            "a mixture was found in all its rows together: more of them cannot be added later",
            format!("gaussbayes cluster ALL.csv --start {file}"),
        ));
    }
    if model.by_em.is_some() {
        return Err(Failure::usage(
            "EM found this model in all its rows together: more of them cannot be added later",
            "fit to all rows again: gaussbayes fit ALL.csv",
        ));
    }
    if matches!(model.spec, Learner::Softmax(_)) {
        return Err(Failure::usage(
            "softmax regression reads all its rows several times: more of them cannot be added later",
            "fit to all rows again: gaussbayes fit ALL.csv --model softmax",
        ));
    }
    if model.training.is_none() {
        let file = arguments.model.display().to_string();
        return Err(gaussbayes_io::Error::SealedModel { file }.into());
    }
    if model.spec.gaussian().is_ok_and(CovarianceSpec::needs_second_pass) {
        return Err(Failure::usage(
            "Ledoit-Wolf shrinkage is found from all rows: more of them cannot be added later",
            "fit to all rows again, or with --shrinkage oas, which can be updated",
        ));
    }
    let features = model.classifier.features().to_vec();
    model.target = model.target.or_else(|| arguments.target.clone());
    if model.target.is_none() {
        let command = format!("gaussbayes update MODEL {} --target COL", arguments.data.shell());
        return Err(Failure::usage(
            "the model does not say which column holds the classes",
            command,
        ));
    }
    let columns =
        Columns { target: model.target.clone(), weights: model.weights.clone(), ..model.columns() };
    let mut data = open(&arguments.data, &columns, common, output)?;
    let workers = Workers::new(common, "reading")?;
    let path = arguments.output.as_ref().unwrap_or(&arguments.model);
    let (name, on) = (path.display().to_string(), workers.reading(&data));
    match (&mut model.training, &model.spec) {
        (Some(Kept::Gaussian(training)), Learner::Gaussian(spec)) => {
            training.add(&mut data, on)?;
            let stat = training.stat()?;
            let weight: f64 = stat.moments().weight().iter().sum();
            let fitted = Classifier::fit(spec, &model.priors, stat, &features)?;
            warn_of(&fitted.report, &features, output);
            warn_of_twins(fitted.classifier.classes(), output);
            put(&mut model, fitted.classifier)?;
            model.save(path)?;
            saved(&model, &fitted.report, weight, &name, None, output)
        }
        (Some(Kept::Product(training)), Learner::Product(spec)) => {
            training.add(&mut data, on)?;
            let stat = training.stat()?;
            let weight: f64 = stat.weight().iter().sum();
            let (classifier, report) =
                typed::estimated(spec, &model.priors, stat, &features, output)?;
            put(&mut model, classifier)?;
            model.save(path)?;
            typed::saved(&model, &report, weight, &name, output)
        }
        _ => Err(gaussbayes_io::Error::SealedModel { file: name }.into()),
    }
}

/// Puts a classifier of more rows in the place of the one before.
fn put(model: &mut Model, classifier: Classifier) -> Result<(), Failure> {
    let loss = model.classifier.loss().clone();
    model.classifier = if classifier.classes() == model.classifier.classes() {
        classifier.with_loss(loss)?
    } else {
        classifier
    };
    // What another face of the library has noted is about the model before these rows.
    model.note = None;
    Ok(())
}
