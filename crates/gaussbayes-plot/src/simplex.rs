//! Draws the probabilities of rows in a triangle, or on a segment for two classes.

use gaussbayes::{Classifier, Label, Table, Window};

use crate::column::members;
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke, Ticks};
use crate::say::{class_keys, plural, short};
use crate::spread::dots;

/// Height of a triangle of sides 1.
const HEIGHT: f64 = 0.866_025_403_784_438_6;

/// Probability from which on a row counts as sure.
const SURE: f64 = 0.9;

/// The posterior probabilities of rows under a classifier, by their true classes.
///
/// `of` chooses some classes: three for a triangle, two for a segment; probabilities are then those among them, and rows
/// of no such class are faint. None takes all.
///
/// # Errors
/// [`PlotError::Count`] unless there are two or three classes, [`PlotError::Nothing`] without rows; what the rows refuse.
pub fn simplex(
    rule: &Classifier,
    rows: &Table,
    of: Option<&[usize]>,
) -> Result<Picture, PlotError> {
    let all: Vec<usize> = (0..rule.classes().len()).collect();
    let of = of.unwrap_or(&all);
    if let Some(&class) = of.iter().find(|class| **class >= all.len()) {
        return Err(PlotError::Count { what: "classes", expected: all.len(), found: class + 1 });
    }
    check(of.len(), rows.rows())?;
    let block = rows.block(0..rows.rows())?;
    let probabilities = rule.scores(&block)?.into_probabilities();
    let chosen = probabilities.chunks_exact(all.len()).flat_map(|row| {
        let sum: f64 = of.iter().map(|&k| row[k]).sum();
        let share = move |k: &usize| if sum > 0.0 { row[*k] / sum } else { f64::NAN };
        of.iter().map(share).collect::<Vec<f64>>()
    });
    let shares: Vec<f64> = chosen.collect();
    let place = |class: Option<usize>| of.iter().position(|k| Some(*k) == class);
    let truth: Vec<Option<usize>> = members(rule, Some(rows)).into_iter().map(place).collect();
    let classes: Vec<Label> = of.iter().map(|&k| rule.classes()[k].clone()).collect();
    simplex_of(&shares, &classes, &truth)
}

/// The same for any shares: row by row one for each class, such as the responsibilities of a mixture.
///
/// `truth` colours the rows; those without are coloured by their largest share where it is empty.
///
/// # Errors
/// As for [`simplex`].
pub fn simplex_of(
    shares: &[f64],
    classes: &[Label],
    truth: &[Option<usize>],
) -> Result<Picture, PlotError> {
    let width = classes.len();
    check(width, shares.len() / width.max(1))?;
    let rows: Vec<&[f64]> = shares.chunks_exact(width).collect();
    let whole = |row: &&[f64]| row.iter().all(|share| share.is_finite());
    let best = |row: &[f64]| (0..width).rev().max_by(|&a, &b| row[a].total_cmp(&row[b]));
    let known: Vec<(&[f64], Option<usize>)> = rows
        .iter()
        .enumerate()
        .filter(|(_, row)| whole(row))
        .map(|(i, row)| {
            (*row, if truth.is_empty() { best(row) } else { truth.get(i).copied().flatten() })
        })
        .collect();
    let (panel, note) =
        if width == 3 { triangle(&known, classes) } else { segment(&known, classes) };
    let title = format!("Probabilities of {}", plural(width, "class"));
    let mut picture = Picture::of(title, panel);
    let label = |k: usize| classes[k].to_string();
    let (mut key, _) = class_keys(classes, label, |k| Sign::Mark(Mark::Class(k)));
    if known.iter().any(|(_, class)| class.is_none()) {
        key.push(Key { label: "other rows".into(), ink: Ink::Faint, sign: Sign::Mark(Mark::Dot) });
    }
    picture.key = key;
    picture.notes.extend(note);
    let left = rows.len() - known.len();
    if left > 0 {
        picture.notes.push(format!("{} without probabilities left out.", plural(left, "row")));
    }
    let sure = known.iter().filter(|(row, _)| row.iter().any(|share| *share >= SURE)).count();
    picture.description = format!(
        "{} by their probabilities of {}: {} are at least {} % sure.",
        plural(known.len(), "row"),
        classes.iter().map(Label::as_str).collect::<Vec<_>>().join(", "),
        sure,
        short(100.0 * SURE)
    );
    picture.caption = if width == 3 {
        "A corner is certainty, the middle is a third each; dashed lines part what is said.".into()
    } else {
        "The ends are certainty; the dashed line parts what is said.".into()
    };
    Ok(picture)
}

fn check(classes: usize, rows: usize) -> Result<(), PlotError> {
    if !(2..=3).contains(&classes) {
        return Err(PlotError::Count { what: "classes", expected: 3, found: classes });
    }
    if rows == 0 { Err(PlotError::Nothing { what: "rows" }) } else { Ok(()) }
}

/// All of a panel.
fn window(panel: &Panel) -> Window {
    let (across, upward) = (&panel.across, &panel.upward);
    Window { low: [across.low, upward.low], high: [across.high, upward.high] }
}

type Known<'a> = (&'a [f64], Option<usize>);

fn triangle(rows: &[Known<'_>], classes: &[Label]) -> (Panel, Option<String>) {
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.5, HEIGHT]];
    let place = |shares: &[f64]| {
        let x = shares[1] + 0.5 * shares[2];
        [x, HEIGHT * shares[2]]
    };
    let mut panel = Panel::new(Axis::bare(-0.12, 1.12), Axis::bare(-0.12, HEIGHT + 0.12));
    (panel.equal, panel.size) = (true, [400.0, 346.0]);
    let outline =
        Layer::Line { path: Path::polygon(&corners), ink: Ink::Text, stroke: Stroke::PLAIN };
    panel.layers.push(outline);
    for middle in [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]] {
        let path = Path::line(&[place(&[1.0 / 3.0; 3]), place(&middle)]);
        panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
    }
    let at: Vec<[f64; 2]> = rows.iter().map(|(row, _)| place(row)).collect();
    let (layers, note) = dots(&at, &window(&panel), |i| rows[i].1);
    panel.layers.extend(layers);
    let anchors = [Anchor::Below, Anchor::Below, Anchor::Above];
    for ((at, anchor), label) in corners.into_iter().zip(anchors).zip(classes) {
        let up = if anchor == Anchor::Above { 0.02 } else { -0.02 };
        let text = label.to_string();
        panel.layers.push(Layer::Words { at: [at[0], at[1] + up], text, anchor, ink: Ink::Text });
    }
    (panel, note)
}

/// Rows of each class in a band of their own, apart by a number that follows from their place among them.
fn segment(rows: &[Known<'_>], classes: &[Label]) -> (Panel, Option<String>) {
    // The golden ratio spreads any number of points evenly.
    let spread = |i: usize| (0.5 + 0.618_033_988_749_894_9 * i as f64).fract() - 0.5;
    let lane = |class: Option<usize>| class.map_or(-1.0, |k| k as f64);
    let at: Vec<[f64; 2]> = rows
        .iter()
        .enumerate()
        .map(|(i, (row, class))| [row[1], lane(*class) + 0.6 * spread(i)])
        .collect();
    let low = if rows.iter().any(|(_, class)| class.is_none()) { -1.5 } else { -0.5 };
    let across = Axis::new(format!("probability of {}", classes[1]), -0.02, 1.02);
    let names = (0..2).map(|k| (k as f64, classes[k].to_string())).collect();
    let upward = Axis { ticks: Ticks::Named(names), ..Axis::new("true class", low, 1.5) };
    let mut panel = Panel::new(across, upward);
    panel.size = [400.0, 200.0];
    let path = Path::line(&[[0.5, low], [0.5, 1.5]]);
    panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
    let (layers, note) = dots(&at, &window(&panel), |i| rows[i].1);
    panel.layers.extend(layers);
    (panel, note)
}
