//! Reads from where mixtures start, tells it from other runs, and orders the columns of a model.

use std::path::PathBuf;

use gaussbayes::{Mixture, Start};
use gaussbayes_io::{Held, Model, Settings, shell};

use crate::args::Cluster;
use crate::failure::Failure;

/// Starts of a kind of which the best is kept.
const RESTARTS: u64 = 4;

/// Runs of each random kind where no start is asked for.
const USUAL_RESTARTS: u64 = 2;

/// Where mixtures start.
#[derive(Debug)]
pub(super) enum From {
    /// From the sample: kinds of start, and which run.
    Runs(Vec<(Start, u64)>),
    /// From the classes of the target.
    Labels,
    /// From a model.
    Model(Box<Model>),
}

/// What `--start` and `--restarts` ask for.
pub(super) fn from(arguments: &Cluster) -> Result<From, Failure> {
    let restarts = arguments.restarts.map(u64::from);
    let runs = |start: Start, count: u64| (0..count).map(move |run| (start, run));
    let given = |from: From| match restarts {
        Some(2..) => {
            Err(Failure::usage("a given start is always the same", "leave --restarts out"))
        }
        _ => Ok(from),
    };
    let Some(word) = &arguments.start else {
        return Ok(From::Runs(match restarts {
            None => Start::usual(USUAL_RESTARTS),
            Some(count) => {
                let mut runs = Start::usual(count);
                runs.truncate(count as usize);
                runs
            }
        }));
    };
    if word == "labels" {
        return given(From::Labels);
    }
    match Start::ALL.into_iter().find(|start| start.name() == word) {
        Some(Start::Hierarchical) if restarts.is_some_and(|count| count > 1) => {
            let message = "a hierarchical start is the same every time";
            Err(Failure::usage(message, "leave --restarts out, or leave --start out"))
        }
        Some(start @ Start::Hierarchical) => Ok(From::Runs(vec![(start, 0)])),
        Some(start) => Ok(From::Runs(runs(start, restarts.unwrap_or(RESTARTS)).collect())),
        None => {
            let path = PathBuf::from(word);
            if !path.exists() {
                return Err(no_start(word));
            }
            given(From::Model(Box::new(Model::load(&path)?)))
        }
    }
}

fn no_start(word: &str) -> Failure {
    let names = || Start::ALL.into_iter().map(Start::name).chain(["labels"]);
    let hint = gaussbayes_io::nearest(word, names()).map_or_else(
        || format!("starts: {}, or a model file", names().collect::<Vec<_>>().join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Failure::usage(format!("there is neither a start nor a model file '{word}'"), hint)
}

/// From where mixtures start, for a checkpoint.
pub(super) fn settings(
    from: &From,
    arguments: &Cluster,
    rows: &Held,
) -> Result<Settings, gaussbayes_io::Error> {
    let pairs = match from {
        From::Runs(runs) => vec![("the list of starts", listed(runs))],
        From::Labels => vec![
            ("the list of starts", "labels".into()),
            ("the checksum of the labels", format!("{:08x}", rows.label_fingerprint())),
        ],
        From::Model(model) => {
            let path = arguments.start.as_deref().unwrap_or_default();
            let found = format!("{path} with checksum {:08x}", model.fingerprint()?);
            vec![
                ("the list of starts", "model".into()),
                ("the model to start from", found),
                ("what is frozen", arguments.freeze.join(" ")),
            ]
        }
    };
    Ok(pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// Kinds of start with the numbers of their runs, in order: `hierarchical 0, kmeans 0-3`.
fn listed(runs: &[(Start, u64)]) -> String {
    let mut spans: Vec<(Start, u64, u64)> = Vec::new();
    for &(start, number) in runs {
        match spans.last_mut() {
            Some((kind, _, last)) if *kind == start && *last + 1 == number => *last = number,
            _ => spans.push((start, number, number)),
        }
    }
    let word = |(start, first, last): (Start, u64, u64)| match last - first {
        0 => format!("{} {first}", start.name()),
        _ => format!("{} {first}-{last}", start.name()),
    };
    spans.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

/// The place of every feature among the columns of a model that has the same ones.
pub(super) fn places(
    model: &Model,
    arguments: &Cluster,
    features: &[String],
) -> Result<Vec<usize>, Failure> {
    let own = model.classifier.features();
    let place = |name: &String| {
        own.iter().position(|column| column == name).ok_or_else(|| {
            let own = own.join(", ");
            let hint = format!("leave --features and --drop out to take its columns: {own}");
            Failure::usage(format!("the model to start from has no column '{name}'"), hint)
        })
    };
    let places = features.iter().map(place).collect::<Result<Vec<usize>, Failure>>()?;
    if let Some(missing) = own.iter().find(|column| !features.contains(column)) {
        let path = shell(arguments.start.as_deref().unwrap_or_default());
        return Err(Failure::usage(
            format!("the model to start from needs the column '{missing}'"),
            format!(
                "start from a part of it: gaussbayes model {path} --marginal {} -o part.json",
                shell(&features.join(","))
            ),
        ));
    }
    Ok(places)
}

/// The mixture of a model with its columns in other places.
pub(super) fn arranged(model: &Model, places: &[usize]) -> Result<Mixture, gaussbayes::Error> {
    let mixture = model.classifier.mixture()?;
    // As it is, to the last bit, where nothing moves.
    if places.is_sorted() { Ok(mixture.clone()) } else { mixture.marginal(places) }
}
