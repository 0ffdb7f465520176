//! Places rows, ellipses and boundaries of two columns in a panel.

use gaussbayes::{Block, Classifier, Law, Mixture, Rows, Table, View, Window};

use crate::dots::{column, grouped, layers};
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Ink, Layer, Panel, Stroke};

/// Mean and lower triangle of the covariance of a Gaussian in two columns.
pub(crate) type Bell = ([f64; 2], [f64; 3]);

/// Rows that are drawn at most.
const MOST: usize = 2000;

/// The Mahalanobis distance within which a Gaussian of two columns has this mass.
pub(crate) fn radius(mass: f64) -> f64 {
    radius_of(Law::GAUSSIAN, mass)
}

/// The same for any density of two columns: r² = −2 ln(1 − p) of a Gaussian \[M91\].
pub(crate) fn radius_of(law: Law, mass: f64) -> f64 {
    let square = match law {
        Law::Scaled { factor, .. } => -2.0 * (-mass).ln_1p() / factor,
        Law::Student { power, divisor, .. } => {
            divisor * ((-2.0 / (power - 2.0) * (-mass).ln_1p()).exp_m1())
        }
    };
    square.sqrt()
}

/// A Gaussian as two of its columns show it.
pub(crate) fn bell(mixture: &Mixture, k: usize, [i, j]: [usize; 2]) -> Bell {
    let (mean, triangle) = (mixture.raw_mean(k), mixture.raw_covariance(k));
    let entry = |a: usize, b: usize| triangle[a.max(b) * (a.max(b) + 1) / 2 + a.min(b)];
    ([mean[i], mean[j]], [entry(i, i), entry(i, j), entry(j, j)])
}

/// All Gaussians of a mixture in two columns.
pub(crate) fn bells(mixture: &Mixture, columns: [usize; 2]) -> Vec<Bell> {
    (0..mixture.components()).map(|k| bell(mixture, k, columns)).collect()
}

/// What holds all points and all ellipses of a radius, with a margin of 5 %; never without width.
pub(crate) fn around(at: &[[f64; 2]], bells: &[Bell], radius: f64) -> Result<Window, PlotError> {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let ends = bells.iter().flat_map(|(mean, covariance)| {
        let reach = [covariance[0], covariance[2]].map(|v| radius * v.max(0.0).sqrt());
        [-1.0, 1.0].map(|sign| [mean[0] + sign * reach[0], mean[1] + sign * reach[1]])
    });
    for point in at.iter().copied().chain(ends) {
        for j in 0..2 {
            low[j] = low[j].min(point[j]);
            high[j] = high[j].max(point[j]);
        }
    }
    for j in 0..2 {
        let width = high[j] - low[j];
        if !width.is_finite() {
            let what = "the width of the picture";
            return Err(PlotError::NotFinite { what, value: width });
        }
        let margin = if width > 0.0 { 0.05 * width } else { 0.5 };
        (low[j], high[j]) = (low[j] - margin, high[j] + margin);
    }
    Ok(Window { low, high })
}

/// Two columns of rows.
pub(crate) fn places(rows: &Table, columns: [usize; 2]) -> Result<Vec<[f64; 2]>, PlotError> {
    let [across, upward] = [column(rows, columns[0])?, column(rows, columns[1])?];
    Ok(across.into_iter().zip(upward).map(|(x, y)| [x, y]).collect())
}

/// Rows by the signs of their classes; of very many as many as are seen, and a note.
pub(crate) fn dots(
    at: &[[f64; 2]],
    window: &Window,
    class: impl Fn(usize) -> Option<usize>,
) -> (Vec<Layer>, Option<String>) {
    let classes: Vec<Option<usize>> = (0..at.len()).map(class).collect();
    layers(&grouped(at.iter().copied(), &classes), window, MOST)
}

/// A panel of a window.
pub(crate) fn panel(window: &Window, names: [&str; 2]) -> Panel {
    let axis = |j: usize| Axis::new(names[j], window.low[j], window.high[j]);
    Panel::new(axis(0), axis(1))
}

/// The boundaries of a rule of two columns.
pub(crate) fn boundaries(rule: &Classifier, window: &Window) -> Result<Vec<Path>, PlotError> {
    let curves = rule.curves(&View::Whole, window)?;
    Ok(curves.iter().flat_map(|curve| &curve.pieces).map(Path::of_piece).collect())
}

/// The same as lines.
pub(crate) fn boundary_lines(paths: Vec<Path>) -> impl Iterator<Item = Layer> {
    let stroke = Stroke::BOUNDARY;
    paths.into_iter().map(move |path| Layer::Line { path, ink: Ink::Text, stroke })
}

/// Rows of two columns as a block.
pub(crate) fn block(at: &[[f64; 2]]) -> Result<Block<'static>, PlotError> {
    let values: Vec<f64> = at.iter().flatten().copied().collect();
    Ok(Block::new(0, Rows::new(values, 2)?, None, None)?)
}
