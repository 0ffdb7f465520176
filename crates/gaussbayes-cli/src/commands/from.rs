//! Fits a classifier to moments that were saved: no row is read.

use std::path::Path;

use gaussbayes::{Amount, Classifier, Learner, Priors};
use gaussbayes_io::{Kept, Model, MomentsFile};

use super::{asked, fit, refuse_overwriting, typed, warn_of, warn_of_twins};
use crate::args::{Fit, Rda};
use crate::failure::Failure;
use crate::models::{estimation, is_softmax};
use crate::output::Output;

pub(super) fn run(path: &Path, arguments: &Fit, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &[path.to_owned()])?;
    refuse_rows(arguments)?;
    let moments = MomentsFile::load(path)?;
    moments.check_whole()?;
    if moments.types.is_some() {
        product(moments, path, arguments, output)
    } else {
        gaussian(moments, arguments, output)
    }
}

/// Refuses what only rows can tell.
fn refuse_rows(arguments: &Fit) -> Result<(), Failure> {
    let asked = &arguments.estimation;
    let refused = |what: &str, why: &str, hint: &str| {
        let message = format!("{what} {why}, and moments hold sums alone");
        Err(Failure::usage(message, hint))
    };
    if arguments.components.is_some() {
        let hint = "fit to the rows: gaussbayes fit DATA --components …";
        return refused("--components", "reads the rows again and again", hint);
    }
    if is_softmax(asked.model()) {
        let hint = "fit to the rows: gaussbayes fit DATA --model softmax";
        return refused("softmax regression", "reads the rows several times", hint);
    }
    if asked.rda == Some(Rda::Auto) {
        let hint = "--rda with two numbers, such as --rda 0.5,0.1, or fit to the rows: gaussbayes fit DATA";
        return refused("--rda auto", "judges mixtures on the rows", hint);
    }
    if asked.options.shrinkage == Some(Amount::LedoitWolf) {
        let hint = "--shrinkage oas is found from sums; or fit to the rows: gaussbayes fit DATA";
        return refused("--shrinkage auto", "reads the rows a second time", hint);
    }
    if !asked.typed.types.is_empty() {
        return Err(Failure::usage(
            "--types says how rows are summed up, and moments hold sums alone",
            "leave --types out, or sum the rows up anew: gaussbayes stats DATA --types …",
        ));
    }
    asked::refuse_penalty(asked)
}

fn gaussian(moments: MomentsFile, arguments: &Fit, output: &Output) -> Result<(), Failure> {
    typed::types(&arguments.estimation)?;
    typed::refuse_idle(&arguments.estimation.typed)?;
    let (spec, priors) = estimation(&arguments.estimation)?;
    spec.check()?;
    let Kept::Gaussian(training) = &moments.sums else { return Err(unserved()) };
    let stat = training.stat()?;
    let weight: f64 = stat.moments().weight().iter().sum();
    let features = moments.features.clone();
    let fitted = Classifier::fit(&spec, &priors, stat, &features)?;
    warn_of(&fitted.report, &features, output);
    warn_of_twins(fitted.classifier.classes(), output);
    let model = model(moments, fitted.classifier, spec.into(), priors, arguments);
    model.save(&arguments.output)?;
    let path = arguments.output.display().to_string();
    fit::saved(&model, &fitted.report, weight, &path, None, output)
}

fn product(
    moments: MomentsFile,
    path: &Path,
    arguments: &Fit,
    output: &Output,
) -> Result<(), Failure> {
    let asked = &arguments.estimation;
    if asked.model.as_deref().is_some_and(|model| model != typed::NAIVE_BAYES)
        || asked.rda.is_some()
    {
        let message = format!("{} holds columns with types, for naive Bayes alone", path.display());
        return Err(Failure::usage(message, "--model naive-bayes, without --rda"));
    }
    let (Kept::Product(training), Some(types)) = (&moments.sums, &moments.types) else {
        return Err(unserved());
    };
    let features = moments.features.clone();
    let (spec, priors) = typed::spec(asked, types, &features)?;
    let stat = training.stat()?;
    let weight = stat.weight().iter().sum();
    let (classifier, report) = typed::estimated(&spec, &priors, stat, &features, output)?;
    let model = model(moments, classifier, spec.into(), priors, arguments);
    model.save(&arguments.output)?;
    typed::saved(&model, &report, weight, &arguments.output.display().to_string(), output)
}

/// The model that is saved; more rows can join it.
fn model(
    moments: MomentsFile,
    classifier: Classifier,
    spec: Learner,
    priors: Priors,
    arguments: &Fit,
) -> Model {
    Model {
        target: moments.target,
        weights: moments.weights,
        training: (!arguments.sealed).then_some(moments.sums),
        ..Model::of(classifier, spec, priors)
    }
}

/// Columns with types have tallies, and plain ones moments: a file is refused in which it is otherwise.
fn unserved() -> Failure {
    gaussbayes::Error::Storage { held: "counts", needed: "moments" }.into()
}
