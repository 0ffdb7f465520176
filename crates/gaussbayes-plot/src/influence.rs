//! Draws what one outlier does: to means, ellipses and boundaries, and how far it can pull.

use gaussbayes::{
    Classifier, CovarianceSpec, EmState, LabelSweep, On, Pool, Posterior, Priors, Score, Table,
    displaced, run,
};

use crate::column::members;
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::say::{class_keys, dash, listed, plural, rounded, short};
use crate::spread::{around, bells, boundaries, boundary_lines, dots, panel, places, radius};

/// How far the mean of a component moves as one row is moved away from it: a curve for each way to deal with outliers.
///
/// Each state is fitted to the rows; row number `row` is put at each of the distances, in standard deviations of its
/// component along the first column, and EM goes on from there to its end.
///
/// # Errors
/// [`PlotError::Nothing`] without states or distances; what [`displaced`] refuses.
pub fn influence(
    states: &[(String, EmState)],
    rows: &Table,
    row: usize,
    distances: &[f64],
    on: On<'_>,
) -> Result<Picture, PlotError> {
    if states.is_empty() || distances.is_empty() {
        let what = if states.is_empty() { "models" } else { "distances" };
        return Err(PlotError::Nothing { what });
    }
    if let Some(&value) = distances.iter().find(|d| !d.is_finite()) {
        return Err(PlotError::NotFinite { what: "a distance", value });
    }
    let (mut layers, mut key, mut said, mut notes) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut top = 0.0_f64;
    for (k, (name, state)) in states.iter().enumerate() {
        let moved = shifts(state, rows, row, distances, on)?;
        let known: Vec<[f64; 2]> = moved.into_iter().filter(|p| p[1].is_finite()).collect();
        if known.len() < distances.len() {
            notes.push(format!(
                "{name} loses the component at {} distances.",
                distances.len() - known.len()
            ));
        }
        top = known.iter().map(|p| p[1]).fold(top, f64::max);
        let (ink, stroke) = (Ink::Class(k), Stroke { width: 2.0, dash: dash(k) });
        let farthest = known.iter().map(|p| p[1]).fold(0.0, f64::max);
        let last = known.last().map_or(f64::NAN, |p| p[1]);
        said.push(format!(
            "{name} by up to {}, at the last distance by {}",
            rounded(farthest, 3),
            rounded(last, 3)
        ));
        layers.push(Layer::Line { path: Path::line(&known), ink, stroke });
        layers.push(Layer::Points { at: known, mark: Mark::Class(k), ink });
        key.push(Key { label: name.clone(), ink, sign: Sign::Line(stroke) });
    }
    let (low, high) = distances
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| (l.min(*d), h.max(*d)));
    let margin = if high > low { 0.03 * (high - low) } else { 0.5 };
    let across =
        Axis::new("distance of the row, in standard deviations", low - margin, high + margin);
    let top = if top > 0.0 { 1.08 * top } else { 1.0 };
    let upward = Axis::new("shift of the mean, in standard deviations", 0.0, top);
    let mut picture =
        Picture::of("Influence of one outlier", Panel { layers, ..Panel::new(across, upward) });
    (picture.key, picture.notes) = (key, notes);
    picture.description = format!(
        "One row of {} moved away pulls the mean of its component: {}.",
        rows.rows(),
        listed(&said)
    );
    picture.caption = "A plain Gaussian follows its farthest row without bound; noise and heavy tails let go of it.".into();
    Ok(picture)
}

/// Distances, and how far the mean of the row's component moves for each.
fn shifts(
    state: &EmState,
    rows: &Table,
    row: usize,
    distances: &[f64],
    on: On<'_>,
) -> Result<Vec<[f64; 2]>, PlotError> {
    let mixture = state.mixture();
    if row >= rows.rows() {
        let (what, expected, found) = ("rows", row + 1, rows.rows());
        return Err(gaussbayes::Error::Shape { what, expected, found }.into());
    }
    let block = rows.block(row..row + 1)?;
    let posterior = Posterior::from_scores(mixture.scores(&block)?);
    let shares: Vec<f64> = posterior.probs(0).collect();
    let own =
        (0..mixture.components()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
    let (mean, deviation) = (mixture.raw_mean(own), mixture.raw_variances(own)[0].sqrt());
    let place = |distance: &f64| {
        let mut place = mean.clone();
        place[0] += distance * deviation;
        place
    };
    let places: Vec<Vec<f64>> = distances.iter().map(place).collect();
    let moved = displaced(state, &mut rows.source(), row as u64, &places, on)?;
    Ok(distances.iter().zip(moved).map(|(d, movement)| [*d, movement.mean[own]]).collect())
}

/// A classifier on rows of two columns, and the same with one row moved away: means, ellipses and boundaries of both.
///
/// # Errors
/// [`PlotError::Count`] for rows that have not two columns, or not that row; what [`Classifier::fit`] refuses.
pub fn outlier(
    spec: &CovarianceSpec,
    rows: &Table,
    features: &[String],
    row: usize,
    place: [f64; 2],
) -> Result<Picture, PlotError> {
    if rows.dim != 2 || features.len() != 2 {
        return Err(PlotError::Count { what: "columns", expected: 2, found: rows.dim });
    }
    if row >= rows.rows() {
        let (what, expected, found) = ("rows", row + 1, rows.rows());
        return Err(gaussbayes::Error::Shape { what, expected, found }.into());
    }
    if let Some(value) = place.into_iter().find(|x| !x.is_finite()) {
        return Err(PlotError::NotFinite { what: "the place of the outlier", value });
    }
    let before = places(rows, [0, 1])?;
    let mut after = before.clone();
    after[row] = place;
    let values = after.iter().flatten().copied().collect();
    let moved = Table { values, sparse: None, ..rows.clone() };
    let rules = [learnt(spec, rows, features)?, learnt(spec, &moved, features)?];
    let mixtures = [rules[0].mixture()?, rules[1].mixture()?];
    let all: Vec<_> = mixtures.iter().flat_map(|mixture| bells(mixture, [0, 1])).collect();
    let window = around(&[&before[..], &after].concat(), &all, radius(0.9))?;
    let truth = members(&rules[0], Some(rows));
    let (mut panels, mut note) = (Vec::new(), None);
    for (i, (at, title)) in
        [(&before, "rows as they are"), (&after, "with one row moved away")].into_iter().enumerate()
    {
        let mut panel = panel(&window, [&features[0], &features[1]]);
        (panel.size, panel.title) = ([250.0, 230.0], title.into());
        let (layers, thinned) = dots(at, &window, |i| truth[i]);
        note = note.or(thinned);
        panel.layers.extend(layers);
        for (k, (mean, covariance)) in bells(mixtures[i], [0, 1]).into_iter().enumerate() {
            let path = Path::ellipse(mean, covariance, radius(0.9));
            panel.layers.push(Layer::Line { path, ink: Ink::Class(k), stroke: Stroke::PLAIN });
            panel.layers.push(Layer::Points {
                at: vec![mean],
                mark: Mark::Centre,
                ink: Ink::Class(k),
            });
        }
        // What bends without a formula is left out: the ellipses say the same.
        panel.layers.extend(boundary_lines(boundaries(&rules[i], &window).unwrap_or_default()));
        panel.layers.push(Layer::Points { at: vec![at[row]], mark: Mark::Ring, ink: Ink::Alarm });
        panels.push(panel);
    }
    let mut picture = Picture::grid("One outlier and what it moves", panels, 2);
    let classes = rules[0].classes();
    let (mut key, left) =
        class_keys(classes, |k| classes[k].to_string(), |k| Sign::Mark(Mark::Class(k)));
    key.push(Key {
        label: "the row that moves".into(),
        ink: Ink::Alarm,
        sign: Sign::Mark(Mark::Ring),
    });
    picture.key = key;
    picture.notes.extend(left.into_iter().chain(note));
    let shift = truth[row].map(|k| {
        let [one, other] = [0, 1].map(|i| mixtures[i].raw_mean(k));
        (one[0] - other[0]).hypot(one[1] - other[1])
    });
    let pulled = shift.map_or_else(String::new, |by| {
        format!(" It moves the mean of its class by {}.", short(by))
    });
    let changed = count_changed(&rules, rows)?;
    picture.description = format!(
        "Ellipses and boundaries of {} on {}, and with one row at ({}, {}).{pulled} The decision on {} changes.",
        plural(classes.len(), "class"),
        plural(rows.rows(), "row"),
        short(place[0]),
        short(place[1]),
        plural(changed, "row")
    );
    picture.caption =
        "One row far away blows up the ellipse of its class and turns the boundary.".into();
    Ok(picture)
}

fn count_changed(rules: &[Classifier; 2], rows: &Table) -> Result<usize, PlotError> {
    let block = rows.block(0..rows.rows())?;
    let [before, after] = [rules[0].actions(&block)?, rules[1].actions(&block)?];
    Ok(before.iter().zip(&after).filter(|(a, b)| a != b).count())
}

fn learnt(
    spec: &CovarianceSpec,
    rows: &Table,
    features: &[String],
) -> Result<Classifier, PlotError> {
    let pool = Pool::new(1)?;
    let stat = run(&LabelSweep::new(spec.storage()), &mut rows.source(), On::pool(&pool))?;
    Ok(Classifier::fit_any(spec, &Priors::Observed, stat, features)?.classifier)
}
