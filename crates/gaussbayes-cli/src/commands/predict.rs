//! Classifies rows as they stream by.

use std::path::Path;

use gaussbayes::{Block, Classifier, Error, On};
use gaussbayes_io::Model;

use super::stream::{Row, Stream};
use super::{action_name, adjusted, pool, refuse_overwriting};
use crate::args::{Common, Predict};
use crate::failure::Failure;
use crate::output::Output;

pub(crate) fn run(arguments: &Predict, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        refuse_overwriting(output, &[&arguments.model, Path::new(&arguments.data)])?;
    }
    let model = Model::load(&arguments.model)?;
    let priors = arguments.priors.as_deref();
    let mut classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    if let Some(share) = arguments.outliers {
        let pool = pool(common)?;
        let level = classifier.model().density_level(share, On::pool(&pool))?;
        let loss = classifier.loss().clone().with_outliers(level)?;
        classifier = classifier.with_loss(loss)?;
    }
    let stream = Stream {
        columns: columns(arguments, &classifier),
        output: arguments.output.as_deref(),
        done: "classified",
    };
    let features = classifier.features();
    stream.run(&arguments.data, features, common, output, |block| {
        answers(arguments, &classifier, block)
    })
}

/// The label of each row, and the numbers that were asked for.
fn answers(
    arguments: &Predict,
    classifier: &Classifier,
    block: &Block<'_>,
) -> Result<Vec<Row>, Error> {
    let prediction = classifier.predict(block)?;
    let classes = classifier.classes().len();
    let distances =
        if arguments.distance { classifier.model().mahalanobis_sq(block)? } else { Vec::new() };
    let answer = |i: usize| {
        let mut numbers = Vec::new();
        if arguments.proba {
            numbers.extend(prediction.posterior.probs(i));
        }
        if arguments.risk {
            numbers.extend(classifier.loss().risks(&prediction.posterior, i));
        }
        if arguments.distance {
            numbers.extend(&distances[i * classes..(i + 1) * classes]);
        }
        if arguments.density {
            numbers.push(prediction.posterior.log_evidence(i));
        }
        if arguments.entropy {
            numbers.push(prediction.posterior.entropy(i));
        }
        Row { label: Some(action_name(classifier, prediction.actions[i])), numbers }
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
        columns.extend(classes().map(|class| format!("d2_{class}")));
    }
    if arguments.density {
        columns.push("log_density".into());
    }
    if arguments.entropy {
        columns.push("entropy".into());
    }
    columns
}
