//! Draws what the best threshold costs for every ratio of costs and priors.

use gaussbayes::CostCurve;

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Ink, Key, Layer, Panel, Picture, Sign, Stroke};
use crate::say::{dash, listed, plural};

/// Lines of single thresholds that are drawn at most.
const LINES: usize = 40;

/// The lower envelope of each curve; of one alone also the lines of the thresholds below which it lies.
///
/// # Errors
/// [`PlotError::Nothing`] without a curve.
pub fn cost_curve(curves: &[(String, CostCurve)]) -> Result<Picture, PlotError> {
    if curves.is_empty() {
        return Err(PlotError::Nothing { what: "curves" });
    }
    let always = Path::line(&[[0.0, 0.0], [0.5, 0.5], [1.0, 0.0]]);
    let mut layers = vec![Layer::Line { path: always, ink: Ink::Text, stroke: Stroke::THIN }];
    let (mut key, mut said, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let thin = Stroke { width: 0.75, ..Stroke::PLAIN };
    if let [(_, curve)] = curves {
        let step = curve.lines.len().div_ceil(LINES).max(1);
        for line in curve.lines.iter().step_by(step) {
            let path = Path::line(&[[0.0, line.false_positive], [1.0, line.false_negative]]);
            layers.push(Layer::Line { path, ink: Ink::Faint, stroke: thin });
        }
        let sign = Sign::Line(thin);
        key.push(Key { label: "one threshold".into(), ink: Ink::Faint, sign });
        if step > 1 {
            let (shown, all) = (curve.lines.len().div_ceil(step), curve.lines.len());
            notes.push(format!("Lines of {shown} of {all} thresholds are drawn."));
        }
    }
    for (k, (name, curve)) in curves.iter().enumerate() {
        let points: Vec<[f64; 2]> = curve.points().into_iter().map(|(x, y)| [x, y]).collect();
        if let Some(&value) = points.iter().flatten().find(|x| !x.is_finite()) {
            return Err(PlotError::NotFinite { what: "a cost", value });
        }
        let highest = points
            .iter()
            .copied()
            .fold([0.0, 0.0], |top: [f64; 2], point| if point[1] > top[1] { point } else { top });
        said.push(format!(
            "{name} with area {:.4}, highest with {:.3} at {:.2}",
            curve.area, highest[1], highest[0]
        ));
        let stroke = Stroke { width: 2.0, dash: dash(k) };
        let path = Path::line(&crate::roc::thinned(&points));
        layers.push(Layer::Line { path, ink: Ink::Class(k), stroke });
        let label = format!("{name}: area {:.4}", curve.area);
        key.push(Key { label, ink: Ink::Class(k), sign: Sign::Line(stroke) });
    }
    let label = "all rows taken, or none: area 0.25".into();
    key.push(Key { label, ink: Ink::Text, sign: Sign::Line(Stroke::THIN) });
    let across = Axis::new("probability-cost: share of the class in priors × costs", 0.0, 1.0);
    let upward = Axis::new("normalised expected cost", 0.0, 0.52);
    let mut picture = Picture::of("Cost curve", Panel { layers, ..Panel::new(across, upward) });
    (picture.key, picture.notes) = (key, notes);
    picture.description = format!(
        "Least cost by the ratio of priors and costs, {}: {}. Taking every row, or none, costs up to 0.5.",
        plural(curves.len(), "curve"),
        listed(&said)
    );
    picture.caption = "Each threshold is a line; the curve is what is left below all of them. Where it meets the \
        dashed roof, scores are of no use."
        .into();
    Ok(picture)
}
