//! Writes the trajectory of EM: one line an iteration.

use std::path::Path;

use gaussbayes::{EmState, Pass};
use gaussbayes_io::{TracePoint, write_atomically};

use super::outputs::is_json;
use crate::failure::Failure;
use crate::text::exact;

/// An iteration as it is kept; with its parameters where the file has room for them.
pub(super) fn point(state: &EmState, pass: &Pass, path: &Path) -> TracePoint {
    let mixture = state.mixture();
    let (mut weights, mut means, mut freedom) = (Vec::new(), Vec::new(), Vec::new());
    let noise = mixture.noise().map(|noise| noise.share).filter(|_| is_json(path));
    if is_json(path) {
        weights = mixture.shares();
        weights.truncate(mixture.components());
        freedom = mixture.laws().into_iter().flatten().filter_map(|law| law.freedom()).collect();
        means = (0..mixture.components()).map(|k| mixture.raw_mean(k)).collect();
    }
    TracePoint {
        iteration: state.iteration(),
        log_likelihood: pass.log_likelihood,
        functional: pass.functional,
        raised: pass.raised,
        change: pass.change.filter(|change| change.is_finite()),
        weights,
        means,
        noise,
        freedom,
    }
}

/// Writes JSON or CSV, as the name of the file says; clusters are in the order of the model.
pub(super) fn write(path: &Path, trace: &[TracePoint], order: &[usize]) -> Result<(), Failure> {
    let text = if is_json(path) {
        let arranged: Vec<TracePoint> = trace.iter().map(|point| arranged(point, order)).collect();
        let json = serde_json::to_string(&arranged).map_err(std::io::Error::other)?;
        format!("{json}\n")
    } else {
        let maybe = |value: Option<f64>| value.map_or_else(String::new, exact);
        let mut text = String::from("iteration,log_likelihood,functional,raised,change\n");
        for point in trace {
            text.push_str(&format!(
                "{},{},{},{},{}\n",
                point.iteration,
                exact(point.log_likelihood),
                exact(point.functional),
                maybe(point.raised),
                maybe(point.change)
            ));
        }
        text
    };
    Ok(write_atomically(path, text.as_bytes())?)
}

fn arranged(point: &TracePoint, order: &[usize]) -> TracePoint {
    let mut point = point.clone();
    // Before a cluster was dropped there were others.
    if point.weights.len() == order.len() {
        point.weights = order.iter().map(|&k| point.weights[k]).collect();
        point.means = order.iter().map(|&k| point.means[k].clone()).collect();
        point.freedom = order.iter().filter_map(|&k| point.freedom.get(k).copied()).collect();
    }
    point
}
