//! Draws receiver operating characteristics: rows found against rows wrongly taken.

use gaussbayes::{Roc, RocPoint};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Sign, Stroke};
use crate::say::{listed, plural};

/// What is drawn beside the curves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RocLook {
    /// The least score that is taken, whose point is marked; none for no mark.
    pub threshold: Option<f64>,
    /// Whether the upper hull is drawn: what is best for some costs and priors.
    pub hull: bool,
}

impl Default for RocLook {
    /// The point of even odds, without the hull.
    fn default() -> Self {
        Self { threshold: Some(0.0), hull: false }
    }
}

/// The curves of some scores, each with the area under it.
///
/// # Errors
/// [`PlotError::Nothing`] without a curve, [`PlotError::NotFinite`] for a point that is no number.
pub fn roc(curves: &[(String, Roc)], look: &RocLook) -> Result<Picture, PlotError> {
    if curves.is_empty() {
        return Err(PlotError::Nothing { what: "curves" });
    }
    let chance = Stroke { width: 1.0, dash: Dash::Dashed };
    let diagonal = Path::line(&[[0.0, 0.0], [1.0, 1.0]]);
    let mut layers = vec![Layer::Line { path: diagonal, ink: Ink::Faint, stroke: chance }];
    let (mut key, mut said) = (Vec::new(), Vec::new());
    let mut marked = false;
    for (k, (name, roc)) in curves.iter().enumerate() {
        let points = places(&roc.points)?;
        let stroke = Stroke { width: 2.0, dash: crate::say::dash(k) };
        if look.hull {
            let path = Path::line(&places(&roc.hull())?);
            layers.push(Layer::Line { path, ink: Ink::Class(k), stroke: Stroke::THIN });
        }
        let path = Path::line(&thinned(&points));
        layers.push(Layer::Line { path, ink: Ink::Class(k), stroke });
        let taken = look.threshold.and_then(|least| at_threshold(&roc.points, least));
        if let Some(point) = taken {
            let at = vec![[point.false_positive, point.true_positive]];
            layers.push(Layer::Points { at, mark: Mark::Class(k), ink: Ink::Class(k) });
            marked = true;
        }
        let area = match roc.interval() {
            Some((low, high)) => format!("{:.3} ({low:.3} to {high:.3})", roc.area),
            None => format!("{:.3}", roc.area),
        };
        let label = format!("{name}: AUC {area}");
        let here = taken.map_or_else(String::new, |point| {
            format!(
                ", at the mark {:.3} found and {:.3} wrongly taken",
                point.true_positive, point.false_positive
            )
        });
        said.push(format!("{name} with area {area}{here}"));
        key.push(Key { label, ink: Ink::Class(k), sign: Sign::Line(stroke) });
    }
    key.push(Key { label: "by chance: 0.5".into(), ink: Ink::Faint, sign: Sign::Line(chance) });
    if look.hull {
        let sign = Sign::Line(Stroke::THIN);
        key.push(Key { label: "upper hull".into(), ink: Ink::Text, sign });
    }
    let mut panel = Panel::new(
        Axis::new("share of the others wrongly taken", -0.01, 1.01),
        Axis::new("share of the class found", -0.01, 1.01),
    );
    panel.layers = layers;
    (panel.equal, panel.size) = (true, [340.0, 340.0]);
    let mut picture = Picture::of("Receiver operating characteristic", panel);
    picture.key = key;
    picture.description = format!(
        "{} from no row taken at the lower left to all at the upper right: {}.",
        plural(curves.len(), "curve"),
        listed(&said)
    );
    picture.caption = "The nearer a curve comes to the upper left corner, the better its scores order the rows; the \
        area is the chance that a row of the class scores higher than another."
        .into();
    if marked {
        let odds = match look.threshold {
            Some(0.0) => "even odds".to_owned(),
            Some(least) => format!("a score of {}", crate::say::short(least)),
            None => String::new(),
        };
        picture.notes.push(format!("Marked: what is taken at {odds} or more."));
    }
    Ok(picture)
}

/// What comes of taking rows with at least this score.
fn at_threshold(points: &[RocPoint], least: f64) -> Option<RocPoint> {
    points.iter().rfind(|point| point.threshold >= least).copied()
}

fn places(points: &[RocPoint]) -> Result<Vec<[f64; 2]>, PlotError> {
    let place = |point: &RocPoint| {
        let at = [point.false_positive, point.true_positive];
        match at.into_iter().find(|share| !share.is_finite()) {
            Some(value) => Err(PlotError::NotFinite { what: "a rate", value }),
            None => Ok(at),
        }
    };
    points.iter().map(place).collect()
}

/// The same way with points only where it turns, and no two closer than a third of a pixel.
pub(crate) fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    const NEAR: f64 = 1e-3;
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for (i, &point) in points.iter().enumerate() {
        let straight = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])
        };
        let last = i + 1 == points.len();
        while let [.., a, b] = kept[..]
            && straight(a, b, point)
        {
            kept.pop();
        }
        let near = kept.last().is_some_and(|end| {
            (end[0] - point[0]).abs() < NEAR && (end[1] - point[1]).abs() < NEAR
        });
        if !near || last {
            kept.push(point);
        }
    }
    kept
}
