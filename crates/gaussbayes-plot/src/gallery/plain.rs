//! Draws the figures of deck 002 that need no data set: four points, w and w₀, nearest means.

use gaussbayes::{CovarianceSpec, Ridge, Window};

use super::Sets;
use super::made::{beside, fitted, known, line_key, rows, stroke, told};
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Anchor, Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::{Look, linear_rule, regions, scatter};

/// The four points of the deck, by their labels.
const FOUR: [(&str, &[[f64; 2]]); 2] =
    [("-1", &[[-1.0, -1.0], [-1.0, 1.0]]), ("+1", &[[2.0, 0.0], [3.0, 0.0]])];

/// The part of the plane around the four points.
const FOUR_WINDOW: Window = Window { low: [-2.6, -3.2], high: [4.6, 3.2] };

/// What is added to every variance of the four points.
const RIDGE: f64 = 0.1;

/// An empty plane of a width around the origin.
fn plane(reach: f64) -> Panel {
    let axis = |label: &str| Axis::new(label, -reach, reach);
    Panel { equal: true, size: [360.0, 360.0], ..Panel::new(axis("x1"), axis("x2")) }
}

fn words(at: [f64; 2], text: impl Into<String>, anchor: Anchor) -> Layer {
    Layer::Words { at, text: text.into(), anchor, ink: Ink::Text }
}

pub(super) fn four_points(_: Sets<'_>) -> Result<Picture, PlotError> {
    let table = rows(&FOUR);
    // Each class lies on a line: its ellipse is flat, and a segment of two deviations is all there is to draw.
    let mut panel = plane(4.0);
    (panel.across.low, panel.across.high) = (FOUR_WINDOW.low[0], FOUR_WINDOW.high[0]);
    (panel.upward.low, panel.upward.high) = (FOUR_WINDOW.low[1], FOUR_WINDOW.high[1]);
    panel.title = "no inverse".into();
    let (mut flat, mut key) = (Vec::new(), Vec::new());
    for (k, (name, points)) in FOUR.iter().enumerate() {
        let mean = [0, 1].map(|j| 0.5 * (points[0][j] + points[1][j]));
        let twice = |point: &[f64; 2]| [0, 1].map(|j| mean[j] + 2.0 * (point[j] - mean[j]));
        let ends: Vec<[f64; 2]> = points.iter().map(twice).collect();
        let ink = Ink::Class(k);
        flat.push(Layer::Line { path: Path::line(&ends), ink, stroke: Stroke::BOUNDARY });
        flat.push(Layer::Points { at: points.to_vec(), mark: Mark::Class(k), ink });
        flat.push(Layer::Points { at: vec![mean], mark: Mark::Centre, ink });
        key.push(Key { label: (*name).to_owned(), ink, sign: Sign::Mark(Mark::Class(k)) });
    }
    panel.layers = flat;
    let flat = Picture { key, ..Picture::of("no inverse", panel) };
    let spec = CovarianceSpec { ridge: Ridge::Raw(RIDGE), ..CovarianceSpec::qda() };
    let rule = fitted(&spec, &table, &["x1", "x2"])?;
    let mut cured =
        regions(&rule, Some(&table), &Look { window: Some(FOUR_WINDOW), ..Look::default() })?;
    cured.panels[0].equal = true;
    cured.panels[0].title = format!("with a ridge of {RIDGE}");
    Ok(told(
        beside("", vec![flat, cured], 2, [260.0, 260.0]),
        "Σ̂ = [0.25 0; 0 0] has no inverse",
        "Left, four points: class −1 at (−1, −1) and (−1, 1), class +1 at (2, 0) and (3, 0); each class lies on a line, \
         which is all that is left of its ellipse. Right, the same points with a ridge: both ellipses have some width, \
         and a boundary parts the classes.",
        "Two rows a class leave one variance 0: Σ̂ has no inverse and the density is not defined. Adding a little to \
         every variance (a ridge), or one averaged covariance, mends it.",
    ))
}

/// Lines wᵀx = level for some levels, and the arrow w.
fn levels(panel: &mut Panel, w: [f64; 2], shown: &[f64], reach: f64) {
    let square = w[0] * w[0] + w[1] * w[1];
    for level in shown {
        let foot = w.map(|w| w * level / square);
        let along = [-w[1], w[0]];
        let end = |t: f64| [foot[0] + t * along[0], foot[1] + t * along[1]];
        let path = Path::line(&[end(-reach), end(reach)]);
        let zero = *level == 0.0;
        let stroke = if zero { Stroke::BOUNDARY } else { Stroke::THIN };
        panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke });
    }
}

#[allow(clippy::unnecessary_wraps, reason = "every figure is drawn through one type")]
pub(super) fn linear_function(_: Sets<'_>) -> Result<Picture, PlotError> {
    let w = [2.0, 1.0];
    let mut panel = plane(3.6);
    levels(&mut panel, w, &[-5.0, -2.5, 0.0, 2.5, 5.0], 4.0);
    for level in [-5.0, -2.5, 0.0, 2.5, 5.0] {
        // On the line, a step along it from the foot of w.
        let at = [w[0] * level / 5.0 - 0.9, w[1] * level / 5.0 + 1.8];
        let text = format!("{level}").replace('-', "−");
        panel.layers.push(words(at, text, Anchor::Right));
    }
    panel.layers.push(Layer::Arrow { from: [0.0, 0.0], to: w, ink: Ink::Class(0) });
    panel.layers.push(Layer::Words {
        at: [w[0] + 0.05, w[1] + 0.1],
        text: "w = (2, 1)".into(),
        anchor: Anchor::Right,
        ink: Ink::Class(0),
    });
    Ok(told(
        Picture {
            key: vec![
                line_key("w·x = 0", Ink::Text, Stroke::BOUNDARY),
                line_key("other values of w·x", Ink::Text, Stroke::THIN),
            ],
            ..Picture::of("", panel)
        },
        "What w·x means",
        "The arrow w = (2, 1) from the origin, and parallel lines across it on which wᵀx is −5, −2.5, 0, 2.5 and 5; the \
         line for 0 passes through the origin.",
        "wᵀx is constant across w and grows along it: it says how far x goes along w, times the length of w.",
    ))
}

#[allow(clippy::unnecessary_wraps, reason = "every figure is drawn through one type")]
pub(super) fn linear_bias(_: Sets<'_>) -> Result<Picture, PlotError> {
    let w = [2.0, 1.0];
    let mut panel = plane(3.6);
    let square: f64 = w.iter().map(|w| w * w).sum();
    for (bias, dash) in [(0.0, Dash::Solid), (-3.0, Dash::Dashed), (4.0, Dash::Dotted)] {
        let foot = w.map(|w| -w * bias / square);
        let end = |t: f64| [foot[0] - t * w[1], foot[1] + t * w[0]];
        let path = Path::line(&[end(-4.0), end(4.0)]);
        panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke: stroke(dash) });
    }
    panel.layers.push(Layer::Arrow { from: [0.0, 0.0], to: w, ink: Ink::Class(0) });
    panel.layers.push(Layer::Words {
        at: [w[0] + 0.05, w[1] + 0.1],
        text: "w = (2, 1)".into(),
        anchor: Anchor::Right,
        ink: Ink::Class(0),
    });
    let key = [(0.0, Dash::Solid), (-3.0, Dash::Dashed), (4.0, Dash::Dotted)];
    let label = |bias: f64| format!("w₀ = {}", format!("{bias}").replace('-', "−"));
    Ok(told(
        Picture {
            key: key.map(|(bias, dash)| line_key(label(bias), Ink::Text, stroke(dash))).to_vec(),
            ..Picture::of("", panel)
        },
        "What w₀ means",
        "Three parallel lines wᵀx + w₀ = 0 with w = (2, 1): for w₀ = 0 through the origin, for w₀ = −3 moved by 1.34 \
         along the arrow w, for w₀ = 4 moved by 1.79 against it.",
        "The bias w₀ moves the line wᵀx + w₀ = 0 along w without turning it: its distance from the origin is −w₀/‖w‖.",
    ))
}

pub(super) fn linear_discriminant(_: Sets<'_>) -> Result<Picture, PlotError> {
    let rule = known(&[&[2.0, 1.5], &[0.0, 0.0]], &[&[0.6, 0.2, 0.5]], None)?;
    let rows = rule.sample(80, 4)?.table()?;
    let picture = linear_rule(&rule, Some(&rows))?;
    Ok(Picture {
        title: "A linear discriminant".into(),
        caption: "g(x) = wᵀx + w₀: class 1 where the weighted sum of the features is above 0. g(x)/‖w‖ is how far x lies \
                  from the boundary, with a sign for the side."
            .into(),
        ..picture
    })
}

/// Two round clouds, and two long ones of the same means that lie side by side.
pub(super) fn nearest_mean(_: Sets<'_>) -> Result<Picture, PlotError> {
    let round = known(&[&[-2.0, 0.0], &[2.0, 1.0]], &[&[0.6, 0.0, 0.6]], None)?;
    let long = known(&[&[-1.0, 0.0], &[1.0, 0.8]], &[&[0.15, 0.0, 3.0]], None)?;
    let mut pictures = Vec::new();
    let mut wrong = Vec::new();
    for (name, truth) in [("round classes", round), ("long classes", long)] {
        let rows = truth.sample(100, 2)?.table()?;
        let rule = fitted(&CovarianceSpec::nearest_mean(), &rows, &["x1", "x2"])?;
        let said = rule.actions(&rows.block(0..rows.rows())?)?;
        let codes = rows.codes.iter().flatten();
        wrong.push(said.iter().zip(codes).filter(|(said, code)| **said != **code as usize).count());
        let look = Look { ellipses: false, ..Look::default() };
        let features = ["x1", "x2"].map(String::from);
        let mut question = scatter(Some(&rule), &rows, &features, &look)?;
        let answer = regions(&rule, Some(&rows), &look)?;
        // The same window, so that an answer lies on its question.
        let shown = &answer.panels[0];
        question.panels[0].across = shown.across.clone();
        question.panels[0].upward = shown.upward.clone();
        pictures.push(Picture { title: format!("{name}: where?"), ..question });
        pictures.push(Picture { title: format!("{name}: there"), ..answer });
    }
    for picture in &mut pictures {
        picture.panels[0].title.clone_from(&picture.title);
    }
    Ok(told(
        beside("", pictures, 2, [220.0, 176.0]),
        "Nearest mean on simple data",
        format!(
            "Two data sets of 100 rows, each without and with the boundary of the nearest mean. Round classes are parted \
             with {} errors; long classes that lie side by side are cut across, with {} errors.",
            wrong[0], wrong[1]
        ),
        "The nearest mean looks at the means alone and draws their perpendicular bisector. That is right for round \
         classes of one size; long classes that stand side by side it cuts askew.",
    ))
}
