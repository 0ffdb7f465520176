//! Draws single Gaussians: the bell curve of one column, and contours of two.

use gaussbayes::{Block, Gaussian, Rows};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Dash, Ink, Key, Layer, Mark, Panel, Picture, Shading, Sign, Stroke};
use crate::say::{listed, plural, rounded, short};
use crate::slope::{Knot, graph, under};
use crate::spread::{around, radius};

/// Masses of the contours that are drawn, the smallest first.
const MASSES: [f64; 3] = [0.5, 0.9, 0.99];

/// Cells of the shading, across and upward.
const CELLS: usize = 48;

/// The density of one Gaussian of one column, with the mass of one and of two standard deviations.
///
/// # Errors
/// [`PlotError::Count`] for a Gaussian of more columns.
pub fn normal(gaussian: &Gaussian, feature: &str) -> Result<Picture, PlotError> {
    let (expected, found) = (1, gaussian.dim());
    if found != expected {
        return Err(PlotError::Count { what: "columns of a bell curve", expected, found });
    }
    let (mean, variance) = (gaussian.mean()[0], gaussian.covariance()[0]);
    let deviation = variance.sqrt();
    let top = 1.0 / (std::f64::consts::TAU.sqrt() * deviation);
    let knot = |i: i32| {
        let z = 0.5 * f64::from(i);
        let y = top * (-0.5 * z * z).exp();
        Knot { x: mean + z * deviation, y, slope: -z / deviation * y }
    };
    let knots: Vec<Knot> = (-8..=8).map(knot).collect();
    let mut layers = Vec::new();
    for (reach, strength) in [(4, 0.12), (2, 0.18)] {
        let part = &knots[8 - reach..=8 + reach];
        let (path, ink) = (under(part), Ink::Class(0));
        layers.push(Layer::Area { path, ink, strength, hatched: false });
    }
    let path = graph(&knots);
    layers.push(Layer::Line { path, ink: Ink::Class(0), stroke: Stroke::BOUNDARY });
    let path = Path::line(&[[mean, 0.0], [mean, top]]);
    layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN });
    let across = Axis::new(feature, mean - 4.0 * deviation, mean + 4.0 * deviation);
    let panel = Panel { layers, ..Panel::new(across, Axis::new("density", 0.0, 1.08 * top)) };
    let law = format!("N({}, {})", short(mean), short(variance));
    let mut picture = Picture::of(format!("The Gaussian density {law}"), panel);
    let key = |label: &str, sign| Key { label: label.into(), ink: Ink::Class(0), sign };
    picture.key = vec![
        key(&law, Sign::Line(Stroke::BOUNDARY)),
        key("within one standard deviation: 68.3 %", Sign::Area(0.3)),
        key("within two: 95.4 %", Sign::Area(0.12)),
    ];
    picture.description = format!(
        "The bell curve of {law} along {feature}: highest at {}, where it is {}; one standard deviation is {}.",
        short(mean),
        short(top),
        short(deviation)
    );
    picture.caption =
        "Two thirds of all rows lie within one standard deviation of the mean.".into();
    Ok(picture)
}

/// Densities of two columns side by side on the same axes: shading, the contours that hold 50, 90 and 99 % of all rows,
/// and the axes of the ellipses, with the correlation of each above it.
///
/// # Errors
/// [`PlotError::Nothing`] without a Gaussian, [`PlotError::Count`] for one that has not two columns.
pub fn gaussian(all: &[Gaussian], features: [&str; 2]) -> Result<Picture, PlotError> {
    if all.is_empty() {
        return Err(PlotError::Nothing { what: "densities" });
    }
    let bells = all.iter().map(bell).collect::<Result<Vec<_>, _>>()?;
    let window = around(&[], &bells, radius(0.995))?;
    let one = all.len() == 1;
    let (mut panels, mut said) = (Vec::new(), Vec::new());
    for (gaussian, &(mean, covariance)) in all.iter().zip(&bells) {
        let r = covariance[1] / (covariance[0] * covariance[2]).sqrt();
        let mut panel = Panel::new(
            Axis::new(features[0], window.low[0], window.high[0]),
            Axis::new(features[1], window.low[1], window.high[1]),
        );
        panel.title = format!("r = {}", rounded(r, 2));
        panel.equal = true;
        panel.size = if one { [340.0, 340.0] } else { [200.0, 200.0] };
        panel.layers.push(Layer::Shade(shading(gaussian, window.low, window.high)?));
        panel.layers.extend(axes(mean, covariance));
        for (i, mass) in MASSES.into_iter().enumerate() {
            let path = Path::ellipse(mean, covariance, radius(mass));
            let (ink, stroke) = (Ink::Class(0), stroke(i));
            panel.layers.push(Layer::Line { path, ink, stroke });
        }
        panel.layers.push(Layer::Points { at: vec![mean], mark: Mark::Centre, ink: Ink::Text });
        panels.push(panel);
        let tilt = match r {
            _ if r.abs() < 1e-9 => "lie along the columns or are equal",
            _ if r > 0.0 => "rise to the right",
            _ => "fall to the right",
        };
        said.push(format!("correlation {}, where the long axes {tilt}", rounded(r, 2)));
    }
    let columns = all.len().min(3);
    let title = format!("Gaussian densities of {} and {}", features[0], features[1]);
    let mut picture = Picture::grid(title, panels, columns);
    let key = |(i, mass): (usize, f64)| Key {
        label: format!("{} % of all rows", rounded(100.0 * mass, 3)),
        ink: Ink::Class(0),
        sign: Sign::Line(stroke(i)),
    };
    picture.key = MASSES.into_iter().enumerate().map(key).collect();
    let sign = Sign::Line(Stroke::THIN);
    picture.key.push(Key { label: "principal axes".into(), ink: Ink::Text, sign });
    picture.description =
        format!("Contours of {}: {}.", plural(all.len(), "Gaussian density"), listed(&said));
    picture.caption =
        "Contours are ellipses; a correlation tilts them, and without one they lie along the axes."
            .into();
    Ok(picture)
}

fn stroke(contour: usize) -> Stroke {
    Stroke { width: 1.5, dash: [Dash::Solid, Dash::Dashed, Dash::Dotted][contour] }
}

fn bell(gaussian: &Gaussian) -> Result<([f64; 2], [f64; 3]), PlotError> {
    let (mean, covariance) = (gaussian.mean(), gaussian.covariance());
    match (mean[..].as_ref(), covariance[..].as_ref()) {
        ([x, y], [a, b, c]) => Ok(([*x, *y], [*a, *b, *c])),
        _ => Err(PlotError::Count { what: "columns", expected: 2, found: gaussian.dim() }),
    }
}

/// The density over a window, as a share of its highest value.
fn shading(gaussian: &Gaussian, low: [f64; 2], high: [f64; 2]) -> Result<Shading, PlotError> {
    let side = |j: usize, i: usize| low[j] + (high[j] - low[j]) * (i as f64 + 0.5) / CELLS as f64;
    let lines = (0..CELLS).rev().flat_map(|i| (0..CELLS).map(move |j| (j, i)));
    let values: Vec<f64> = lines.flat_map(|(j, i)| [side(0, j), side(1, i)]).collect();
    let block = Block::new(0, Rows::new(values, 2)?, None, None)?;
    // exp(−½q): relative to the density at the mean.
    let share = |q: &f64| (Ink::Class(0), (0.75 * (-0.5 * q).exp()) as f32);
    let cells = gaussian.mahalanobis_sq(&block)?.iter().map(share).collect();
    Ok(Shading { low, high, columns: CELLS, cells, smooth: true })
}

/// Both axes of an ellipse, as long as that of the second contour.
fn axes(mean: [f64; 2], [a, b, c]: [f64; 3]) -> Vec<Layer> {
    let (middle, half) = (0.5 * (a + c), 0.5 * (a - c));
    let root = half.hypot(b);
    let angle = 0.5 * b.atan2(half);
    let reach = radius(MASSES[1]);
    let axis = |(variance, angle): (f64, f64)| {
        let length = reach * variance.max(0.0).sqrt();
        let step = [length * angle.cos(), length * angle.sin()];
        let end = |sign: f64| [mean[0] + sign * step[0], mean[1] + sign * step[1]];
        let path = Path::line(&[end(-1.0), end(1.0)]);
        Layer::Line { path, ink: Ink::Text, stroke: Stroke::THIN }
    };
    let quarter = std::f64::consts::FRAC_PI_2;
    [(middle + root, angle), (middle - root, angle + quarter)].map(axis).into()
}
