//! Draws figures: of a model, of data, or of the lectures by their names.

mod clusters;
mod drawn;
mod gallery;
mod judged;
mod paper;
mod subject;

use std::path::Path;

use gaussbayes::Figure;
use gaussbayes_plot::gallery as exhibits;
use gaussbayes_plot::{Kind, Needs};

use super::refuse_overwriting;
use super::workers::Workers;
use crate::args::{Common, Plot};
use crate::failure::Failure;
use crate::output::Output;
use paper::{Drawn, Paper};
use subject::Subject;

pub(crate) fn run(arguments: &Plot, common: &Common, output: &Output) -> Result<(), Failure> {
    if arguments.list {
        return gallery::list(output);
    }
    let workers = Workers::new(common, "drawing")?;
    if let Some(folder) = &arguments.gallery {
        return gallery::write(folder, arguments, common, &workers, output);
    }
    let paper = Paper::of(arguments)?;
    let inputs: Vec<_> = arguments.data.tables.data.iter().map(Into::into).collect();
    refuse_overwriting(paper.path(), &inputs)?;
    gaussbayes_io::check_writable(paper.path())?;
    let drawn = match (&arguments.figure, is_subject(arguments)) {
        (None, false) => return Err(nothing_to_draw()),
        (Some(name), false) => of_gallery(name, common, &workers)?,
        (name, true) => of_subject(name.as_deref(), arguments, common, &workers, output)?,
    };
    paper.write(&drawn, output)
}

fn is_subject(arguments: &Plot) -> bool {
    !arguments.data.tables.data.is_empty()
}

fn nothing_to_draw() -> Failure {
    Failure::usage(
        "there is nothing to draw: no model, no data and no figure",
        "gaussbayes plot iris, gaussbayes plot model.json, or gaussbayes plot --list for figures of the lectures",
    )
}

/// A figure of the lectures.
fn of_gallery(name: &str, common: &Common, workers: &Workers) -> Result<Drawn, Failure> {
    if let Some(exhibit) = exhibits::named(name) {
        let sets = gallery::sets(common, workers);
        return Ok(Drawn::plain(exhibit.name, exhibit.draw(&sets)?));
    }
    if Kind::named(name).is_some() {
        let message = format!("'{name}' is a kind of figure: of which model or data?");
        return Err(Failure::usage(message, format!("gaussbayes plot iris --figure {name}")));
    }
    let names = exhibits::all().flat_map(|one| one.aliases.iter().chain([&one.name])).copied();
    let names = names.chain(Kind::ALL.iter().map(|kind| kind.name()));
    Err(no_figure(name, names))
}

fn no_figure<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    let hint = gaussbayes_io::nearest(name, names).map_or_else(
        || "gaussbayes plot --list has the names of all".into(),
        |nearest| format!("did you mean '{nearest}'?"),
    );
    Failure::usage(format!("there is no figure '{name}'"), hint)
}

/// A figure of a model or of data.
fn of_subject(
    name: Option<&str>,
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<Drawn, Failure> {
    let kind = name.map(|name| Kind::named(name).ok_or_else(|| no_kind(name))).transpose()?;
    refuse_idle(kind, arguments)?;
    if kind.is_some_and(|kind| kind.needs() == Needs::Rows) {
        return clusters::drawn(kind.unwrap_or(Kind::Em), arguments, common, workers, output);
    }
    let mut subject = Subject::open(arguments, common, workers, output)?;
    let kind = kind.unwrap_or_else(|| usual(subject.features().len()));
    let mut drawn = match kind.needs() {
        Needs::Judged | Needs::Learner => {
            judged::drawn(kind, &mut subject, arguments, common, workers)
        }
        _ => drawn::drawn(kind, &mut subject, arguments, common, workers),
    }?;
    drawn.picture.title.push_str(&subject.name);
    Ok(drawn)
}

/// What is drawn where nothing is asked for.
fn usual(features: usize) -> Kind {
    match features {
        1 => Kind::Densities,
        2 => Kind::Regions,
        _ => Kind::Projection,
    }
}

fn no_kind(name: &str) -> Failure {
    if let Some(exhibit) = exhibits::named(name) {
        let message =
            format!("'{name}' is a figure of the gallery, which has its own model and rows");
        return Failure::usage(message, format!("gaussbayes plot --figure {}", exhibit.name));
    }
    no_figure(name, Kind::ALL.iter().map(|kind| kind.name()))
}

/// Refuses options that have nothing to do for a figure.
fn refuse_idle(kind: Option<Kind>, arguments: &Plot) -> Result<(), Failure> {
    let clusters = [Kind::Em, Kind::Bic, Kind::Influence].map(Some);
    let costs = arguments.costs.loss.is_some() || arguments.costs.reject.is_some();
    let curves = [Kind::Roc, Kind::Cost, Kind::Learning, Kind::Features].map(Some);
    for (given, flag, belongs) in [
        (arguments.animate, "--animate", kind == Some(Kind::Em)),
        (!arguments.at.is_empty(), "--at", kind == Some(Kind::Slice)),
        (arguments.k.is_some(), "-k", clusters.contains(&kind)),
        (costs, "--loss or --reject", !curves.contains(&kind) && !clusters.contains(&kind)),
    ] {
        if given && !belongs {
            let what = kind
                .map_or_else(|| "this figure".into(), |kind| format!("--figure {}", kind.name()));
            let message = format!("{flag} has nothing to do for {what}");
            return Err(Failure::usage(message, format!("leave {flag} out")));
        }
    }
    Ok(())
}

/// Whether a name is that of a model: a figure of the lectures, or a file of parameters and not of rows.
fn is_model(name: &str) -> bool {
    if Figure::named(name).is_some() {
        return true;
    }
    let Ok(mut file) = std::fs::File::open(Path::new(name)) else { return false };
    let mut first = [0; 64];
    let Ok(count) = std::io::Read::read(&mut file, &mut first) else { return false };
    first[..count].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}
