//! Draws the spread of one column, class by class: bars of rows and curves of Gaussians.

use gaussbayes::{Block, Classifier, Rows, Scorer, View};

use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Ink, Layer};
use crate::slope::Knot;

/// Bars of a histogram.
const BARS: usize = 24;

/// Knots of a curve.
const KNOTS: usize = 40;

/// Outlines of the bars of each class, which together have the area 1, and the highest.
pub(crate) fn histogram(
    values: &[f64],
    owners: &[Option<usize>],
    classes: usize,
    [low, high]: [f64; 2],
) -> (Vec<Layer>, f64) {
    let width = (high - low) / BARS as f64;
    // Rows of no known class come last.
    let mut counts = vec![[0.0_f64; BARS]; classes + 1];
    let mut all: f64 = 0.0;
    for (&x, owner) in values.iter().zip(owners).filter(|(x, _)| x.is_finite()) {
        let bar = ((x - low) / width) as usize;
        counts[owner.unwrap_or(classes)][bar.min(BARS - 1)] += 1.0;
        all += 1.0;
    }
    let mut top: f64 = 0.0;
    let mut layers = Vec::new();
    for (k, counts) in counts.iter().enumerate() {
        if counts.iter().all(|count| *count == 0.0) {
            continue;
        }
        let mut outline = vec![[low, 0.0]];
        for (bar, count) in counts.iter().enumerate() {
            let (from, height) = (low + bar as f64 * width, count / (all * width));
            top = top.max(height);
            outline.extend([[from, height], [from + width, height]]);
        }
        outline.push([high, 0.0]);
        outline.dedup();
        let ink = if k < classes { Ink::Class(k) } else { Ink::Faint };
        let path = Path::polygon(&outline);
        layers.push(Layer::Area { path, ink, strength: 0.3, hatched: false });
    }
    (layers, top)
}

/// Prior times density along one column for every class, where the model has margins of it.
pub(crate) fn curves(
    rule: &Classifier,
    column: usize,
    [low, high]: [f64; 2],
) -> Result<Vec<(usize, Vec<Knot>)>, PlotError> {
    let model: Scorer = match rule.model() {
        Scorer::Mixture(mixture) => match mixture.marginal(&[column]) {
            Ok(margin) => margin.into(),
            Err(_) => return Ok(Vec::new()),
        },
        Scorer::Product(_) => match crate::sight::Sight::of(rule, &beside(rule, column)) {
            Ok(sight) => match sight.rule.mixture().and_then(|mixture| mixture.marginal(&[0])) {
                Ok(margin) => margin.into(),
                Err(_) => return Ok(Vec::new()),
            },
            Err(_) => return Ok(Vec::new()),
        },
        Scorer::Softmax(_) => return Ok(Vec::new()),
    };
    let classes = rule.classes().len();
    let owner = rule.owner().to_vec();
    let loss = gaussbayes::Loss::zero_one(classes);
    let names = vec![rule.features()[column].clone()];
    let margin = Classifier::owned(model, owner, rule.classes().to_vec(), names, loss)?;
    let step = (high - low) / KNOTS as f64;
    let small = 1e-3 * step;
    let place = |i: usize| low + step * i as f64;
    let xs: Vec<f64> =
        (0..=KNOTS).flat_map(|i| [place(i) - small, place(i), place(i) + small]).collect();
    let block = Block::new(0, Rows::new(xs, 1)?, None, None)?;
    let joint = margin.scores(&block)?.log_joint();
    let curve = |k: usize| {
        let y = |i: usize| joint[i * classes + k].exp();
        let knot = |i: usize| Knot {
            x: place(i),
            y: y(3 * i + 1),
            slope: (y(3 * i + 2) - y(3 * i)) / (2.0 * small),
        };
        (k, (0..=KNOTS).map(knot).collect())
    };
    Ok((0..classes).map(curve).collect())
}

/// A view of a column beside any other.
fn beside(rule: &Classifier, column: usize) -> View {
    let other = match rule.model() {
        Scorer::Product(product) => product.factors().iter().find_map(|factor| match factor {
            gaussbayes::Factor::Number { column: other, .. } if *other != column => Some(*other),
            _ => None,
        }),
        _ => None,
    };
    View::Projection { columns: [column, other.unwrap_or(0)] }
}
