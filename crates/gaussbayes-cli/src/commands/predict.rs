//! Classifies rows as they stream by.

use std::io::Write;
use std::path::Path;

use gaussbayes::{Action, Block, Classifier, Error, On, each_block};
use gaussbayes_io::{AtomicFile, Columns, Data, Model};
use serde_json::{Value, json};

use super::{adjusted, pool, refuse_overwriting};
use crate::args::{Common, Predict};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{cell, exact};

pub(crate) fn run(arguments: &Predict, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(output) = &arguments.output {
        refuse_overwriting(output, &[&arguments.model, Path::new(&arguments.data)])?;
    }
    let model = Model::load(&arguments.model)?;
    let priors = arguments.priors.as_deref();
    let classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    let mut data =
        Data::open(&arguments.data, &Columns::exactly(classifier.features()), common.seed)?;
    let columns = columns(arguments, &classifier);
    let mut sink = Sink::open(arguments, common.json, &columns)?;
    let json = common.json && arguments.output.is_none();
    let mut rows = 0;
    // A full disk or a closed pipe ends the run from inside the sink.
    let mut failure = None;
    let pool = pool(common)?;
    let work = |block: &Block<'_>| {
        let answers = answers(arguments, &classifier, block)?;
        Ok((answers.len(), Piece::of(&answers, json)))
    };
    let ended = each_block(&mut data, On::pool(&pool), work, |(count, piece)| {
        rows += count;
        sink.take(piece).map_err(|error| {
            failure = Some(error);
            gaussbayes_io::Error::from(Error::Cancelled { rows: rows as u64 })
        })
    });
    if let Some(failure) = failure {
        return Err(failure);
    }
    ended?;
    sink.finish(arguments, output, &columns, rows)
}

/// The label of a row, and the numbers that were asked for.
type Answer = (String, Vec<f64>);

fn answers(
    arguments: &Predict,
    classifier: &Classifier,
    block: &Block<'_>,
) -> Result<Vec<Answer>, Error> {
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
        (action_name(classifier, prediction.actions[i]), numbers)
    };
    Ok((0..block.rows().count()).map(answer).collect())
}

fn action_name(classifier: &Classifier, action: usize) -> String {
    let label = classifier.action_label(action);
    label.map_or_else(|| Action::REJECT.into(), ToString::to_string)
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
    columns
}

/// A block's answers, as they leave the command.
enum Piece {
    Text(String),
    Json(Vec<Value>),
}

impl Piece {
    fn of(answers: &[Answer], json: bool) -> Self {
        if json {
            let row = |(label, numbers): &Answer| {
                let numbers = numbers.iter().map(|&x| Value::from(x));
                std::iter::once(Value::from(label.as_str())).chain(numbers).collect()
            };
            return Self::Json(answers.iter().map(row).collect());
        }
        let mut text = String::new();
        for (label, numbers) in answers {
            text.push_str(&cell(label));
            for &x in numbers {
                text.push(',');
                text.push_str(&exact(x));
            }
            text.push('\n');
        }
        Self::Text(text)
    }
}

/// Where answers go: standard output or a file as they come, a JSON object at the end.
enum Sink {
    Stdout,
    File(AtomicFile),
    Json(Vec<Value>),
}

impl Sink {
    fn open(arguments: &Predict, json: bool, columns: &[String]) -> Result<Self, Failure> {
        let mut sink = match (&arguments.output, json) {
            (Some(path), _) => Self::File(AtomicFile::create(path)?),
            (None, true) => Self::Json(Vec::new()),
            (None, false) => Self::Stdout,
        };
        if !matches!(sink, Self::Json(_)) {
            let cells: Vec<String> = columns.iter().map(|column| cell(column)).collect();
            sink.take(Piece::Text(cells.join(",") + "\n"))?;
        }
        Ok(sink)
    }

    fn take(&mut self, piece: Piece) -> Result<(), Failure> {
        match (self, piece) {
            (Self::Json(rows), Piece::Json(more)) => rows.extend(more),
            (Self::File(file), Piece::Text(text)) => file.write(text.as_bytes())?,
            (_, Piece::Text(text)) => std::io::stdout().lock().write_all(text.as_bytes())?,
            (_, Piece::Json(_)) => {}
        }
        Ok(())
    }

    fn finish(
        self,
        arguments: &Predict,
        output: &Output,
        columns: &[String],
        n: usize,
    ) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(std::io::stdout().lock().flush()?),
            Self::Json(rows) => {
                output.answer("", &json!({ "n": n, "columns": columns, "rows": rows }))
            }
            Self::File(file) => {
                file.commit()?;
                let path = arguments.output.as_ref().map(|path| path.display().to_string());
                let path = path.unwrap_or_default();
                let text = format!("{n} rows classified\nsaved {path}\n");
                output.answer(&text, &json!({ "n": n, "output": path }))
            }
        }
    }
}
