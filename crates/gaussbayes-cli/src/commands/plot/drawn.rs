//! Draws a classifier: its regions, posteriors and densities, and its rows.

use gaussbayes::Classifier;
use gaussbayes_plot::{Kind, Look};

use super::super::workers::Workers;
use super::paper::Drawn;
use super::subject::{Subject, axes, class, column};
use crate::args::{Common, Plot};
use crate::failure::Failure;

pub(super) fn drawn(
    kind: Kind,
    subject: &mut Subject,
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
) -> Result<Drawn, Failure> {
    let columns = columns(kind, subject.features(), arguments)?;
    let sampled = subject.drawn(arguments.rows, common, workers)?;
    let (rows, seen) = sampled.map_or((None, 0), |(rows, seen)| (Some(rows), seen));
    if rows.is_none() && matches!(kind, Kind::Scatter | Kind::Simplex) {
        return Err(needs_rows(kind));
    }
    workers.watch().say("drawing".into(), None);
    let rule = &subject.classifier;
    let scene = gaussbayes_plot::Subject {
        rule,
        rows: rows.as_ref(),
        columns,
        at: place(rule, arguments)?,
        classes: classes(rule, arguments)?,
        look: Look { most: arguments.rows as usize, ..Look::default() },
    };
    let mut picture = scene.draw(kind)?;
    let count = rows.as_ref().map(|rows| rows.rows() as u64);
    if let Some(drawn) = count.filter(|drawn| *drawn < seen) {
        picture.notes.push(format!("{drawn} of {seen} rows, drawn at random"));
    }
    Ok(Drawn { figure: kind.name().into(), picture, rows: count.map(|drawn| (seen, drawn)) })
}

/// The columns that axes show: densities lie along a single one.
fn columns(
    kind: Kind,
    features: &[String],
    arguments: &Plot,
) -> Result<Option<Vec<usize>>, Failure> {
    let Some(text) = arguments.axes.as_deref() else { return Ok(None) };
    Ok(Some(match kind {
        Kind::Densities => vec![column(text, features)?],
        _ => axes(text, features)?.to_vec(),
    }))
}

/// The classes that are asked for.
fn classes(rule: &Classifier, arguments: &Plot) -> Result<Option<Vec<usize>>, Failure> {
    let Some(names) = &arguments.class else { return Ok(None) };
    if let Ok(one) = class(rule.classes(), names) {
        return Ok(Some(vec![one]));
    }
    let names = names.split(',').map(str::trim);
    names.map(|name| class(rule.classes(), name)).collect::<Result<_, _>>().map(Some)
}

/// The values that the other columns have.
fn place(rule: &Classifier, arguments: &Plot) -> Result<Option<Vec<f64>>, Failure> {
    if arguments.at.is_empty() {
        return Ok(None);
    }
    let mut place = rule.mixture()?.centre();
    let features = rule.features();
    for entry in &arguments.at {
        let found = entry.rsplit_once('=').and_then(|(name, value)| {
            let column = features.iter().position(|feature| feature == name.trim())?;
            Some((column, value.trim().parse::<f64>().ok()?))
        });
        let Some((column, value)) = found else {
            let message = format!("--at: '{entry}' is no value of a column");
            return Err(Failure::usage(message, format!("--at {}=1.5", features[0])));
        };
        place[column] = value;
    }
    Ok(Some(place))
}

fn needs_rows(kind: Kind) -> Failure {
    let message = format!("--figure {} shows rows, and there are none", kind.name());
    Failure::usage(message, "gaussbayes plot MODEL DATA …, or data alone")
}
