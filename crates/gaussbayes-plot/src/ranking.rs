//! Draws the error of every classifier with its interval, the best at the top.

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Dash, Ink, Layer, Mark, Panel, Picture, Stroke, Ticks};
use crate::say::plural;

/// Pixels of a line.
const LINE: f64 = 26.0;

/// Error rates with the ends of their intervals, by the names of classifiers, the best first.
///
/// # Errors
/// [`PlotError::Nothing`] without a classifier, [`PlotError::NotFinite`] for a rate that is no number.
pub fn ranking(entries: &[(String, f64, (f64, f64))]) -> Result<Picture, PlotError> {
    let Some((best, least, _)) = entries.first() else {
        return Err(PlotError::Nothing { what: "classifiers" });
    };
    for (_, rate, (low, high)) in entries {
        if let Some(&value) = [rate, low, high].into_iter().find(|x| !x.is_finite()) {
            return Err(PlotError::NotFinite { what: "an error rate", value });
        }
    }
    let count = entries.len() as f64;
    let place = |i: usize| count - i as f64 - 0.5;
    let high = entries.iter().map(|(_, _, (_, high))| 100.0 * high).fold(0.0, f64::max);
    let mut upward = Axis::new("", 0.0, count);
    let name = |(i, (name, ..)): (usize, &(String, f64, (f64, f64)))| (place(i), name.clone());
    upward.ticks = Ticks::Named(entries.iter().enumerate().map(name).collect());
    let across = Axis::new("error in %, with its 95 % interval", 0.0, (1.05 * high).max(1.0));
    let mut panel = Panel::new(across, upward);
    panel.size = [400.0, LINE * count];
    let best_line = Path::line(&[[100.0 * least, 0.0], [100.0 * least, count]]);
    let stroke = Stroke { width: 1.0, dash: Dash::Dashed };
    panel.layers.push(Layer::Line { path: best_line, ink: Ink::Faint, stroke });
    for (i, (_, rate, (low, high))) in entries.iter().enumerate() {
        let path = Path::line(&[[100.0 * low, place(i)], [100.0 * high, place(i)]]);
        panel.layers.push(Layer::Line { path, ink: Ink::Text, stroke: Stroke::PLAIN });
        let at = vec![[100.0 * rate, place(i)]];
        panel.layers.push(Layer::Points { at, mark: Mark::Centre, ink: Ink::Text });
    }
    let mut picture = Picture::of("Errors of the classifiers", panel);
    picture.description = format!(
        "{} with their errors, from {best} with {:.2} % to {:.2} %.",
        plural(entries.len(), "classifier"),
        100.0 * least,
        entries.iter().map(|(_, rate, _)| 100.0 * rate).fold(0.0, f64::max)
    );
    picture.caption = format!(
        "{best} errs least. Where intervals overlap, luck may have made the order: the table has the test."
    );
    Ok(picture)
}
