//! Finds out what is to be drawn: a saved model, a figure of the lectures, or a model of the data.

use gaussbayes::{Classifier, Figure, Label, Learner, Priors, Sampled, Source, Table};
use gaussbayes_io::{Columns, Data, Error, Held};

use super::super::asked::Asked;
use super::super::workers::Workers;
use super::super::{adjusted, model, open, warn_of};
use super::is_model;
use crate::args::{Common, Plot, Rda, Tables};
use crate::failure::Failure;
use crate::output::Output;

/// A classifier, and rows where there are any.
pub(super) struct Subject {
    pub(super) classifier: Classifier,
    /// How the classifier was learnt from the rows; none of a saved one.
    pub(super) learner: Option<(Learner, Priors)>,
    pub(super) rows: Option<Held>,
    /// What the model and the rows are called, in the words of a title.
    pub(super) name: String,
}

impl Subject {
    /// What was asked for.
    pub(super) fn open(
        arguments: &Plot,
        common: &Common,
        workers: &Workers,
        output: &Output,
    ) -> Result<Self, Failure> {
        let names = &arguments.data.tables.data;
        match names.split_first() {
            Some((first, rest)) if is_model(first) => {
                Self::saved(first, rest, arguments, common, workers, output)
            }
            _ => Self::fitted(arguments, common, workers, output),
        }
    }

    /// A saved model, and the data behind it.
    fn saved(
        name: &str,
        data: &[String],
        arguments: &Plot,
        common: &Common,
        workers: &Workers,
        output: &Output,
    ) -> Result<Self, Failure> {
        refuse_estimation(name, arguments)?;
        let model = model::open(name, &[])?;
        let columns = model.columns();
        let target = model.target.clone();
        let priors = arguments.estimation.options.priors.as_deref();
        let classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
        let tables = Tables { data: data.to_vec(), reading: arguments.data.tables.reading.clone() };
        let rows = match data {
            [] => None,
            _ => {
                Some(workers.held(rows_for(&tables, columns, target, arguments, common, output)?)?)
            }
        };
        Ok(Self {
            classifier,
            learner: None,
            rows,
            name: match data {
                [] => format!(" of {}", file_name(name)),
                _ => format!(" of {} on {}", file_name(name), file_name(&tables.to_string())),
            },
        })
    }

    /// A model that is fitted to the data.
    fn fitted(
        arguments: &Plot,
        common: &Common,
        workers: &Workers,
        output: &Output,
    ) -> Result<Self, Failure> {
        refuse_unknown(&arguments.data.tables)?;
        if arguments.estimation.rda == Some(Rda::Auto) {
            let message = "a figure shows one model, and --rda auto is a choice of many";
            return Err(Failure::usage(
                message,
                "gaussbayes fit … --rda auto, then plot the model",
            ));
        }
        let Asked { data, features, learner, priors } =
            Asked::of(&arguments.data, &arguments.estimation, common, output)?;
        let mut rows = workers.held(data)?;
        let learnt = learner.learn(&priors, &features, &mut rows, workers.on())?;
        if let gaussbayes::LearntReport::Gaussian(report) = &learnt.report {
            warn_of(report, &features, output);
        }
        let classifier = adjusted(learnt.classifier, &learner, None, &arguments.costs, output)?;
        Ok(Self {
            classifier,
            learner: Some((learner, priors)),
            rows: Some(rows),
            name: format!(
                ": {} on {}",
                arguments.estimation.model(),
                file_name(&arguments.data.tables.to_string())
            ),
        })
    }

    pub(super) fn features(&self) -> &[String] {
        self.classifier.features()
    }

    /// As many rows as are drawn, by chance where there are more; and how many there are.
    pub(super) fn drawn(
        &mut self,
        most: u64,
        common: &Common,
        workers: &Workers,
    ) -> Result<Option<(Table, u64)>, Failure> {
        self.rows.as_mut().map(|rows| sampled(rows, most, common, workers)).transpose()
    }
}

/// The last part of a path: folders say little in a title.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Some rows of all, and how many these are.
pub(super) fn sampled(
    rows: &mut Held,
    most: u64,
    common: &Common,
    workers: &Workers,
) -> Result<(Table, u64), Failure> {
    rows.rewind()?;
    let drawn = Sampled::draw(rows, most as usize, common.seed, workers.on())?;
    Ok((drawn.table().clone(), rows.rows()))
}

/// The rows of a model: with their classes where the file has these.
fn rows_for(
    tables: &Tables,
    columns: Columns,
    target: Option<String>,
    arguments: &Plot,
    common: &Common,
    output: &Output,
) -> Result<Data, Failure> {
    let asked = arguments.data.target.clone();
    let usual = tables.usual_target();
    let weights = arguments.data.weights.clone();
    let columns = Columns { weights, unlabelled: true, ..columns };
    let with = |target: Option<String>| Columns { target, ..columns.clone() };
    if asked.is_some() {
        return open(tables, &with(asked), common, output);
    }
    // Rows without a column of classes are drawn too, as rows of none.
    let wish = target.filter(|_| usual.is_none()).or(usual);
    match tables.open(&with(wish.clone()), common.seed) {
        Err(Error::MissingColumn { .. } | Error::TwoRoles { .. }) if wish.is_some() => {
            open(tables, &with(None), common, output)
        }
        data => {
            let data = data?;
            output.attend(&data);
            Ok(data)
        }
    }
}

/// Refuses options of an estimation where nothing is estimated.
fn refuse_estimation(name: &str, arguments: &Plot) -> Result<(), Failure> {
    let (asked, options) = (&arguments.estimation, &arguments.estimation.options);
    for (given, flag) in [
        (asked.model.is_some(), "--model"),
        (asked.rda.is_some(), "--rda"),
        (asked.penalty.is_some(), "--penalty"),
        (options.shrinkage.is_some(), "--shrinkage"),
        (options.ridge != 0.0, "--ridge"),
        (options.standardize, "--standardize"),
        (!arguments.data.features.is_empty(), "--features"),
        (!arguments.data.drop.is_empty(), "--drop"),
    ] {
        if given {
            let message = format!("'{name}' is a model already: {flag} has nothing to do");
            return Err(Failure::usage(message, format!("leave {flag} out, or give data alone")));
        }
    }
    Ok(())
}

/// A name that is nothing at all may be a slip of the finger for many things.
pub(super) fn refuse_unknown(tables: &Tables) -> Result<(), Failure> {
    let [first, ..] = tables.data.as_slice() else { return Ok(()) };
    let known = gaussbayes_io::names().contains(&first.as_str());
    if known || first == "-" || !tables.paths().iter().all(|path| !path.exists()) {
        return Ok(());
    }
    let figures = Figure::all().iter().map(|figure| figure.name);
    let exhibits = gaussbayes_plot::gallery::all().map(|exhibit| exhibit.name);
    if let Some(exhibit) = gaussbayes_plot::gallery::named(first) {
        let message = format!("'{first}' is a figure of the gallery, neither model nor data");
        return Err(Failure::usage(message, format!("gaussbayes plot --figure {}", exhibit.name)));
    }
    let sets = gaussbayes_io::names();
    let nearest =
        gaussbayes_io::nearest(first, sets.iter().copied().chain(figures).chain(exhibits));
    match nearest {
        Some(nearest) => {
            let message = format!("there is neither a file nor a figure '{first}'");
            Err(Failure::usage(message, format!("did you mean '{nearest}'?")))
        }
        // What a file would be called that lies beside it is known to whoever opens files.
        None => Ok(()),
    }
}

/// The number of a class by its name.
pub(super) fn class(classes: &[Label], name: &str) -> Result<usize, Failure> {
    if let Some(found) = classes.iter().position(|class| class.as_str() == name) {
        return Ok(found);
    }
    let names = classes.iter().map(Label::as_str);
    let hint = gaussbayes_io::nearest(name, names.clone()).map_or_else(
        || format!("the classes are {}", names.take(20).collect::<Vec<_>>().join(", ")),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Err(Failure::usage(format!("'{name}' is no class of the model"), hint))
}

/// A column by its name or its number.
fn found(name: &str, features: &[String]) -> Option<usize> {
    let name = name.trim();
    let named = features.iter().position(|feature| feature == name);
    let place = || name.parse::<usize>().ok().filter(|j| (1..=features.len()).contains(j));
    named.or_else(|| place().map(|j| j - 1))
}

fn no_column(name: &str, features: &[String]) -> Failure {
    let hint = gaussbayes_io::nearest(name, features.iter().map(String::as_str)).map_or_else(
        || format!("a column from 1 to {}, or its name", features.len()),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Failure::usage(format!("'{name}' is no column of the model"), hint)
}

/// One column by its name or number.
pub(super) fn column(text: &str, features: &[String]) -> Result<usize, Failure> {
    found(text, features).ok_or_else(|| match text.split_once(',') {
        Some((first, _)) if found(first, features).is_some() => {
            let message = "densities are drawn along one column";
            Failure::usage(message, format!("--axes {first}"))
        }
        _ => no_column(text.trim(), features),
    })
}

/// Two columns by their names or numbers.
pub(super) fn axes(text: &str, features: &[String]) -> Result<[usize; 2], Failure> {
    if features.len() < 2 {
        let message = "a figure of one column has no axes to choose";
        return Err(Failure::usage(message, "leave --axes out"));
    }
    let find = |name: &str| found(name, features);
    // A name may hold a comma, so every one may be the one between them.
    let commas = || text.match_indices(',').map(|(at, _)| (&text[..at], &text[at + 1..]));
    if let Some((across, upward)) = commas().find_map(|(a, b)| Some((find(a)?, find(b)?))) {
        if across == upward {
            let message = format!("'{}' cannot be on both axes", features[across]);
            return Err(Failure::usage(message, "--axes A,B with two different columns"));
        }
        return Ok([across, upward]);
    }
    let wrong = commas().next().map(|(a, b)| if find(a).is_some() { b } else { a });
    let Some(wrong) = wrong.map(str::trim) else {
        let message = format!("'{text}' is no pair of columns");
        return Err(Failure::usage(message, format!("--axes {},{}", features[0], features[1])));
    };
    Err(no_column(wrong, features))
}
