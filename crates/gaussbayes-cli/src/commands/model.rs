//! Makes a model of known parameters and saves it.

use std::path::{Path, PathBuf};

use gaussbayes::{
    Classifier, CovarianceSpec, Covariances, Family, Figure, Label, Parameters, Priors,
};
use gaussbayes_io::{Model, read_parameters, shell};
use serde_json::json;

use super::{adjusted, part, refuse_overwriting, word_of};
use crate::args::Known;
use crate::failure::{Failure, meant};
use crate::output::Output;
use crate::text::{plural, short};

pub(crate) fn run(arguments: &Known, output: &Output) -> Result<(), Failure> {
    refuse_overwriting(&arguments.output, &[PathBuf::from(&arguments.source)])?;
    let mut model = if arguments.marginal.is_empty() && arguments.given.is_empty() {
        of(parameters(&arguments.source)?.classifier()?)?
    } else {
        part::of(open(&arguments.source, &[])?, &arguments.given, &arguments.marginal)?
    };
    let priors = arguments.priors.as_deref();
    model.classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    model.priors = Priors::Given(model.classifier.priors());
    model.save(&arguments.output)?;
    let (classifier, path) = (&model.classifier, arguments.output.display().to_string());
    let (classes, features) = (classifier.classes(), classifier.features());
    let weights = classifier.priors();
    let prior = |(class, weight): (&Label, &f64)| format!("'{class}' {}", short(*weight));
    let word = word_of(&model);
    let covariance = match classifier.mixture()?.covariances() {
        Covariances::Shared(_) => "one covariance for all".to_string(),
        Covariances::Each(_) => format!("a covariance per {word}"),
    };
    let number = match (word, classes.len()) {
        ("class", 2..) => format!("{} classes", classes.len()),
        (word, count) => plural(count, word),
    };
    let text = format!(
        "{number} and {}, {covariance}\npriors {}\nsaved {path}\nnext: gaussbayes explain {}\n",
        plural(features.len(), "feature"),
        classes.iter().zip(&weights).map(prior).collect::<Vec<_>>().join(", "),
        shell(&path),
    );
    let result = json!({
        "model": path,
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "features": features,
        "priors": weights,
        "shared": matches!(classifier.mixture()?.covariances(), Covariances::Shared(_)),
    });
    output.answer(&text, &result)
}

/// A figure of the lectures, or what a file says.
fn parameters(name: &str) -> Result<Parameters, Failure> {
    if let Some(figure) = Figure::named(name) {
        return Ok(figure.parameters());
    }
    read_parameters(Path::new(name)).map_err(|error| match error {
        gaussbayes_io::Error::NotFound { .. } => absent(name, &[]),
        error => error.into(),
    })
}

/// The model of a figure of the lectures, or of a model file; `others` are names beside those.
pub(super) fn open(name: &str, others: &[&str]) -> Result<Model, Failure> {
    if let Some(figure) = Figure::named(name) {
        return of(figure.parameters().classifier()?);
    }
    let refusal = match Model::load(Path::new(name)) {
        Ok(model) => return Ok(model),
        Err(refusal) => refusal,
    };
    match (read_parameters(Path::new(name)), refusal) {
        (Ok(parameters), _) => of(parameters.classifier()?),
        (_, gaussbayes_io::Error::NoModel { .. }) => Err(absent(name, others)),
        (_, refusal) => Err(refusal.into()),
    }
}

fn absent(name: &str, others: &[&str]) -> Failure {
    let names: Vec<&str> =
        others.iter().copied().chain(Figure::all().iter().map(|figure| figure.name)).collect();
    let known = || format!("a name is one of {}", names.join(", "));
    let nearest = gaussbayes_io::nearest(name, names.iter().copied());
    let nearest = nearest.map(|nearest| format!("did you mean '{nearest}'?"));
    let hint = nearest.or_else(|| meant(name)).unwrap_or_else(known);
    Failure::usage(format!("there is neither a file nor a figure '{name}'"), hint)
}

/// The model that a classifier of known parameters makes.
pub(super) fn of(classifier: Classifier) -> Result<Model, Failure> {
    let family = match classifier.mixture()?.covariances() {
        Covariances::Shared(_) => Family::Eee,
        Covariances::Each(_) => Family::Vvv,
    };
    let target = super::free_name("class", classifier.features());
    Ok(Model {
        priors: Priors::Given(classifier.priors()),
        spec: CovarianceSpec::from(family).into(),
        classifier,
        target: Some(target),
        weights: None,
        training: None,
        known: true,
        note: None,
        clustering: None,
        by_em: None,
    })
}
