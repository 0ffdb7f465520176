//! Classifies rows as they stream by.

use gaussbayes::{Block, Classifier, Error, Label, Learner, Priors};
use gaussbayes_io::{Columns, Data, Held, Model, kept_cells};

use super::stream::{Row, Stream};
use super::workers::Workers;
use super::{action_name, adjusted, open, refuse_overwriting, shift, with_priors};
use crate::args::{Common, LEVEL, Predict};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::short;

/// The word for priors that are estimated on the rows.
const SHIFT: &str = "shift";

pub(crate) fn run(arguments: &Predict, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        let mut inputs = arguments.data.paths();
        inputs.push(arguments.model.clone());
        refuse_overwriting(output, &inputs)?;
    }
    let model = Model::load(&arguments.model)?;
    let mut priors = arguments.priors.as_deref();
    let rows = Columns { keep: arguments.keep.clone(), ..model.columns() };
    let (mut classifier, mut held) = (model.classifier, None);
    if priors == Some(SHIFT) {
        let read = shifted(arguments, &mut classifier, &model.spec, &rows, common, output)?;
        (priors, held) = (None, Some(read));
    } else if arguments.level.is_some() {
        return Err(Failure::usage("--level is that of a shift", "--priors shift --level P"));
    }
    let mut classifier = adjusted(classifier, &model.spec, priors, &arguments.costs, output)?;
    if let Some(share) = arguments.outliers {
        let workers = Workers::new(common, "finding the density of outliers")?;
        let level = classifier.mixture()?.density_level(share, workers.on())?;
        let loss = classifier.loss().clone().with_outliers(level)?;
        classifier = classifier.with_loss(loss)?;
    }
    refuse_unknown(arguments, &classifier)?;
    let data = match &held {
        Some(_) => None,
        None => Some(open(&arguments.data, &rows, common, output)?),
    };
    let kept = held.as_ref().map(Held::kept).or(data.as_ref().map(Data::kept));
    let mut names = kept.unwrap_or_default().to_vec();
    names.extend(columns(arguments, &classifier));
    let stream = Stream {
        columns: names,
        output: arguments.output.as_deref(),
        doing: "classifying",
        next: if held.is_some() { String::new() } else { output.next("shift", &[]) },
        done: "classified",
    };
    let answers = |block: &Block<'_>| answers(arguments, &classifier, block);
    match (&mut held, data) {
        (Some(rows), _) => stream.over(rows, &stream.workers(common)?, common, output, answers),
        (None, Some(data)) => stream.run(data, common, output, answers),
        (None, None) => Ok(()),
    }
}

/// Refuses what a model has no answer to, before anything is written.
fn refuse_unknown(arguments: &Predict, classifier: &Classifier) -> Result<(), Failure> {
    if arguments.distance {
        classifier.mixture()?;
    }
    if arguments.density && !classifier.model().is_generative() {
        let message =
            format!("{} has no densities: its scores only compare", classifier.model().name());
        return Err(Failure::usage(message, "leave --density out; --proba has what is known"));
    }
    Ok(())
}

/// Gives a classifier the priors of the rows, where these have moved; the rows are read again afterwards.
fn shifted(
    arguments: &Predict,
    classifier: &mut Classifier,
    spec: &Learner,
    columns: &Columns,
    common: &Common,
    output: &Output,
) -> Result<Held, Failure> {
    let (found, rows) = shift::look(classifier, &arguments.data, columns, common, output)?;
    let level = arguments.level.unwrap_or(LEVEL);
    shift::warn_of(&found, classifier, output);
    let sentence = shift::sentence(&found, level);
    if found.moved(level) {
        let priors = classifier.classes().iter().zip(&found.after);
        let priors = priors.map(|(class, prior)| format!("'{class}' {}", short(*prior)));
        let priors = priors.collect::<Vec<_>>().join(", ");
        *classifier = with_priors(classifier.clone(), spec, &Priors::Given(found.after), output)?;
        output.warn(format!("{sentence}; now {priors}"));
    } else {
        output.note(&sentence);
    }
    Ok(rows)
}

/// The label of each row, and the numbers that were asked for.
fn answers(
    arguments: &Predict,
    classifier: &Classifier,
    block: &Block<'_>,
) -> Result<Vec<Row>, Error> {
    let prediction = classifier.predict(block)?;
    let (classes, apart) = (classifier.classes().len(), gaussian(classifier).count());
    let distances = if arguments.distance { classifier.distances_sq(block)? } else { Vec::new() };
    let answer = |i: usize| {
        let mut numbers = Vec::new();
        if arguments.proba {
            numbers.extend(prediction.posterior.probs(i));
        }
        if arguments.risk {
            numbers.extend(classifier.loss().risks(&prediction.posterior, i));
        }
        if arguments.distance {
            numbers.extend(&distances[i * classes..i * classes + apart]);
        }
        if arguments.density {
            numbers.push(prediction.posterior.log_evidence(i));
        }
        if arguments.entropy {
            numbers.push(prediction.posterior.entropy(i));
        }
        let mut texts = Vec::new();
        if !arguments.keep.is_empty() {
            let kept = block.label(i).map_or("", Label::as_str);
            texts.extend(kept_cells(kept).map(ToOwned::to_owned));
        }
        texts.push(action_name(classifier, prediction.actions[i]));
        Row { texts, numbers }
    };
    Ok((0..block.rows().count()).map(answer).collect())
}

fn columns(arguments: &Predict, classifier: &Classifier) -> Vec<String> {
    let mut columns = vec!["prediction".to_string()];
    let classes = || classifier.classes().iter();
    if arguments.proba {
        columns.extend(classes().map(|class| format!("p_{class}")));
    }
    if arguments.risk {
        let actions = 0..classifier.loss().actions().len();
        columns.extend(actions.map(|action| format!("r_{}", action_name(classifier, action))));
    }
    if arguments.distance {
        columns.extend(gaussian(classifier).map(|class| format!("d2_{class}")));
    }
    if arguments.density {
        columns.push("log_density".into());
    }
    if arguments.entropy {
        columns.push("entropy".into());
    }
    columns
}

/// Classes that are Gaussian, and so have a distance: all but noise, which is the last.
fn gaussian(classifier: &Classifier) -> impl Iterator<Item = &Label> {
    let noise = usize::from(classifier.mixture().is_ok_and(|mixture| mixture.noise().is_some()));
    classifier.classes().iter().take(classifier.classes().len() - noise)
}
