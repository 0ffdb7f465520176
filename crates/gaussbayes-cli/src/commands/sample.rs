//! Draws rows at random: a set that is made for it, a figure of the lectures, or a model.

use std::path::PathBuf;

use gaussbayes::{Banana, Block, Label, NO_LABEL, Source, blobs, echo, trunk};

use gaussbayes_io::shell;
use serde_json::Value;

use super::stream::{Piece, Stream};
use super::{free_name, model, refuse_overwriting, word_of};
use crate::again::next;
use crate::args::{Common, Sample};
use crate::failure::Failure;
use crate::models::priors;
use crate::output::Output;
use crate::text::{cell, exact};

pub(crate) fn run(arguments: &Sample, common: &Common, output: &Output) -> Result<(), Failure> {
    if let Some(path) = &arguments.output {
        refuse_overwriting(path, &[PathBuf::from(&arguments.source)])?;
    }
    let of_blobs = arguments.classes.is_some() || arguments.spread.is_some();
    if of_blobs && arguments.source != "blobs" {
        let message = "--classes and --spread are for blobs";
        return Err(Failure::usage(message, "gaussbayes sample blobs …"));
    }
    if arguments.columns.is_some()
        && !["blobs", "trunk", "echo"].contains(&arguments.source.as_str())
    {
        let message =
            "--columns is for blobs, trunk and echo: others have the columns that they have";
        return Err(Failure::usage(message, "leave --columns out"));
    }
    let (rows, seed) = (arguments.rows, common.seed);
    if arguments.source == "banana" {
        if arguments.priors.is_some() {
            let message = "the classes of the banana set have equal priors";
            return Err(Failure::usage(message, "leave --priors out"));
        }
        let features = ["x1", "x2"].map(String::from);
        let mut source = Banana::new(rows, seed);
        return write(arguments, &features, "class".into(), &mut source, common, output);
    }
    let model = if arguments.source == "blobs" {
        let (classes, columns) = (arguments.classes.unwrap_or(3), arguments.columns.unwrap_or(2));
        let spread = arguments.spread.unwrap_or(1.0);
        if !(spread > 0.0 && spread.is_finite()) {
            let message = format!("spread {spread} is no standard deviation above 0");
            return Err(Failure::usage(message, "--spread 1, or leave it out"));
        }
        model::of(blobs(classes.into(), columns.into(), spread, seed).classifier()?)?
    } else if arguments.source == "trunk" {
        model::of(trunk(arguments.columns.map_or(100, usize::from)).classifier()?)?
    } else if arguments.source == "echo" {
        model::of(echo(arguments.columns.map_or(40, usize::from)).classifier()?)?
    } else {
        model::open(&arguments.source, &["banana", "blobs", "trunk", "echo"])?
    };
    let usual = word_of(&model);
    let mut classifier = model.classifier;
    if let Some(text) = &arguments.priors {
        classifier = classifier.with_priors(&priors(text)?)?;
    }
    let target = free_name(model.target.as_deref().unwrap_or(usual), classifier.features());
    let mut source = classifier.sample(rows, seed)?;
    write(arguments, classifier.features(), target, &mut source, common, output)
}

fn write<S>(
    arguments: &Sample,
    features: &[String],
    target: String,
    source: &mut S,
    common: &Common,
    output: &Output,
) -> Result<(), Failure>
where
    S: Source,
    Failure: From<S::Error>,
{
    let path = arguments.output.as_ref().map(|path| shell(&path.display().to_string()));
    let next = next(&["compare", &path.unwrap_or_default(), "--target", &shell(&target)]);
    let stream = Stream {
        columns: features.iter().cloned().chain([target]).collect(),
        output: arguments.output.as_deref(),
        doing: "drawing",
        next,
        done: "drawn",
    };
    let workers = stream.workers(common)?;
    workers.watch().say(stream.doing.into(), Some(arguments.rows));
    stream.pieces(source, &workers, common, output, |block, json| Ok(piece(block, json)))
}

/// The numbers of each row, and its class behind them.
fn piece(block: &Block<'_>, json: bool) -> (usize, Piece) {
    let (count, mut row) = (block.rows().count(), vec![0.0; block.rows().dim()]);
    let labels = block.labels();
    let name = |i: usize| {
        let code = labels.map_or(NO_LABEL, |labels| labels.codes[i]) as usize;
        labels.and_then(|labels| labels.dictionary.get(code)).map_or("", Label::as_str)
    };
    if json {
        let rows = (0..count).map(|i| {
            block.rows().read(i, &mut row);
            row.iter().map(|x| Value::from(*x)).chain([Value::from(name(i))]).collect()
        });
        return (count, Piece::Json(rows.collect()));
    }
    let mut text = String::new();
    for i in 0..count {
        block.rows().read(i, &mut row);
        for x in &row {
            text.push_str(&exact(*x));
            text.push(',');
        }
        text.push_str(&cell(name(i)));
        text.push('\n');
    }
    (count, Piece::Text(text))
}
