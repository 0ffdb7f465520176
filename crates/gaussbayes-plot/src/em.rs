//! Draws EM step by step: ellipses, memberships and the log-likelihood of each iteration.

use std::ops::ControlFlow;

use gaussbayes::{EmState, Label, Law, NOISE, On, Posterior, Score, Table, Window, em as run_em};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Arrangement, Ink, Key, Layer, Mark, Panel, Picture, Shading, Sign, Stroke};
use crate::say::{class_keys, plural, rounded, short};
use crate::spread::{around, bell, bells, block, dots, panel, places, radius, radius_of};

/// Mass of the ellipses.
const MASS: f64 = 0.9;

/// Cells of the shading by membership, across and upward.
const CELLS: usize = 36;

/// Membership from which on a row has the colour of its component.
const SURE: f64 = 0.75;

/// How EM is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmLook {
    /// The column across and the column upward.
    pub columns: [usize; 2],
    /// Whether iterations follow each other at one place instead of side by side.
    pub frames: bool,
    /// Seconds that each is shown then.
    pub seconds: f64,
}

impl Default for EmLook {
    /// The first two columns, side by side.
    fn default() -> Self {
        Self { columns: [0, 1], frames: false, seconds: 1.0 }
    }
}

/// Where EM stands after each of some iterations, and at its end: what [`em`] draws.
///
/// # Errors
/// What the rows and EM refuse.
pub fn em_states(
    start: &EmState,
    rows: &Table,
    iterations: &[u32],
    on: On<'_>,
) -> Result<Vec<EmState>, PlotError> {
    let mut states = Vec::new();
    if iterations.contains(&start.iteration()) {
        states.push(start.clone());
    }
    let mut state = start.clone();
    run_em(&mut state, &mut rows.source(), on, &mut |state| {
        if iterations.contains(&state.iteration()) {
            states.push(state.clone());
        }
        ControlFlow::Continue(())
    })?;
    if states.last().is_none_or(|last| last.iteration() != state.iteration()) {
        states.push(state);
    }
    Ok(states)
}

/// Iterations of EM: the ellipse of every component, rows by the component that they belong to, and the log-likelihood.
///
/// # Errors
/// [`PlotError::Nothing`] without a state or rows, [`PlotError::Count`] for rows of one column; what the rows refuse.
pub fn em(
    states: &[EmState],
    rows: &Table,
    features: &[String],
    look: &EmLook,
) -> Result<Picture, PlotError> {
    let Some(last) = states.last() else {
        return Err(PlotError::Nothing { what: "iterations" });
    };
    let [first, second] = look.columns;
    if rows.dim < 2 || first == second {
        return Err(PlotError::Count { what: "columns", expected: 2, found: 1 });
    }
    if rows.rows() == 0 {
        return Err(PlotError::Nothing { what: "rows" });
    }
    let at = places(rows, look.columns)?;
    let name = |column: usize| features.get(column).map_or("", String::as_str);
    let names = [name(first), name(second)];
    let ends: Vec<_> =
        [&states[0], last].iter().flat_map(|s| bells(s.mixture(), look.columns)).collect();
    let window = around(&at, &ends[ends.len() - last.mixture().components()..], radius(MASS))?;
    let (mut panels, mut levels, mut note) = (Vec::new(), Vec::new(), None);
    for state in states {
        let (shares, level) = memberships(state, rows)?;
        let components = state.mixture().components();
        let mut panel = panel(&window, names);
        panel.size = if look.frames || states.len() == 1 { [400.0, 320.0] } else { [190.0, 160.0] };
        panel.title = format!("iteration {}: ℓ = {}", state.iteration(), rounded(level, 6));
        levels.push(level);
        if rows.dim == 2 {
            panel.layers.push(Layer::Shade(shading(state, look.columns, &window)?));
        }
        let width = shares.len() / at.len();
        let sure = |i: usize| {
            let own = &shares[i * width..(i + 1) * width];
            let best = (0..width).max_by(|&a, &b| own[a].total_cmp(&own[b]))?;
            (own[best] >= SURE && best < components).then_some(best)
        };
        let (layers, thinned) = dots(&at, &window, sure);
        note = note.or(thinned);
        panel.layers.extend(layers);
        for k in 0..components {
            let (mean, covariance) = bell(state.mixture(), k, look.columns);
            let (ink, stroke) = (Ink::Class(k), Stroke::BOUNDARY);
            let law = state.mixture().laws().map_or(Law::GAUSSIAN, |laws| laws[k]);
            let law = law.freedom().map_or(law, |freedom| Law::student(freedom, 2));
            let path = Path::ellipse(mean, covariance, radius_of(law, MASS));
            panel.layers.push(Layer::Line { path, ink, stroke });
            panel.layers.push(Layer::Points { at: vec![mean], mark: Mark::Centre, ink: Ink::Text });
        }
        panels.push(panel);
    }
    let columns = if states.len() <= 4 { 2 } else { 3 };
    if !look.frames {
        inner_labels(&mut panels, columns);
    }
    let title = format!("EM with {}", plural(last.mixture().components(), "component"));
    let mut picture = Picture::grid(title, panels, columns.min(states.len()));
    if look.frames && states.len() > 1 {
        let seconds = if look.seconds.is_finite() { look.seconds.clamp(0.1, 10.0) } else { 1.0 };
        picture.arrangement = Arrangement::Frames { seconds };
    }
    describe(&mut picture, states, &levels);
    picture.notes.extend(note);
    Ok(picture)
}

/// Labels are said once: below the last line of panels and left of the first column.
fn inner_labels(panels: &mut [Panel], columns: usize) {
    let count = panels.len();
    for (i, panel) in panels.iter_mut().enumerate() {
        if i % columns != 0 {
            panel.upward.label.clear();
        }
        if i / columns != (count - 1) / columns {
            panel.across.label.clear();
        }
    }
}

fn describe(picture: &mut Picture, states: &[EmState], levels: &[f64]) {
    let most = states.iter().map(|state| state.mixture().components()).max().unwrap_or(0);
    let numbers: Vec<Label> = (1..=most).map(|k| Label::from(k.to_string())).collect();
    let name = |k: usize| format!("component {}", k + 1);
    let (key, left) = class_keys(&numbers, name, |k| Sign::Mark(Mark::Class(k)));
    picture.key = key;
    let unsure = format!("rows less than {} % sure", short(100.0 * SURE));
    let noise = states.iter().any(|state| state.mixture().noise().is_some());
    let label = if noise { format!("{unsure}, and {NOISE}") } else { unsure };
    picture.key.push(Key { label, ink: Ink::Faint, sign: Sign::Mark(Mark::Dot) });
    let (Some(first), Some(last)) = (states.first(), states.last()) else { return };
    let said = |at: usize| rounded(levels.get(at).copied().unwrap_or(f64::NAN), 6);
    picture.description = format!(
        "{} of EM, from iteration {} with log-likelihood {} to iteration {} with {}; weights at the end: {}.",
        plural(states.len(), "state"),
        first.iteration(),
        said(0),
        last.iteration(),
        said(levels.len() - 1),
        last.mixture().weights().iter().map(|w| rounded(*w, 3)).collect::<Vec<_>>().join(", ")
    );
    picture.caption = "Rows are shared out by the ellipses, then the ellipses are drawn anew around their rows; the \
        log-likelihood ℓ never falls."
        .into();
    picture.notes.extend(left);
    let mass = short(100.0 * MASS);
    picture.notes.push(format!("Ellipses hold {mass} % of a component; crosses are means."));
}

/// Shares of the components in every row, noise last, and the log-likelihood.
fn memberships(state: &EmState, rows: &Table) -> Result<(Vec<f64>, f64), PlotError> {
    let block = rows.block(0..rows.rows())?;
    let posterior = Posterior::from_scores(state.mixture().scores(&block)?);
    let shares = (0..rows.rows()).flat_map(|i| posterior.probs(i).collect::<Vec<f64>>()).collect();
    let weighted = (0..rows.rows()).filter(|&i| block.weight(i) > 0.0);
    let level = weighted.map(|i| block.weight(i) * posterior.log_evidence(i)).sum();
    Ok((shares, level))
}

/// The component of every place, the stronger the surer.
fn shading(state: &EmState, columns: [usize; 2], window: &Window) -> Result<Shading, PlotError> {
    let (low, high) = (window.low, window.high);
    let side = |j: usize, i: usize| low[j] + (high[j] - low[j]) * (i as f64 + 0.5) / CELLS as f64;
    let turned = columns[0] > columns[1];
    let lines = (0..CELLS).rev().flat_map(|i| (0..CELLS).map(move |j| (j, i)));
    let place = |(j, i): (usize, usize)| {
        let [x, y] = [side(0, j), side(1, i)];
        if turned { [y, x] } else { [x, y] }
    };
    let grid: Vec<[f64; 2]> = lines.map(place).collect();
    let mixture = state.mixture();
    let posterior = Posterior::from_scores(mixture.scores(&block(&grid)?)?);
    let even = 1.0 / posterior.classes() as f64;
    let cell = |i: usize| {
        let shares: Vec<f64> = posterior.probs(i).collect();
        let best = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0);
        let ink = if best < mixture.components() { Ink::Class(best) } else { Ink::Faint };
        let sure = if even < 1.0 { (shares[best] - even) / (1.0 - even) } else { 1.0 };
        (ink, (0.25 * sure.clamp(0.0, 1.0)) as f32)
    };
    let cells = (0..grid.len()).map(cell).collect();
    Ok(Shading { low, high, columns: CELLS, cells, smooth: true })
}
