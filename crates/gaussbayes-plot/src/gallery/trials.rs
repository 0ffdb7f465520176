//! Draws the figures of deck 002 that tell of training: scaling, dimensions, numbers of rows.

use gaussbayes::{
    CovarianceSpec, CurveSpec, Folds, Learner, On, Pool, Priors, Trunk, learning_curve,
};

use super::Sets;
use super::made::{known, line_key, per_cent, told};
use crate::error::PlotError;
use crate::path::Path;
use crate::picture::{Axis, Dash, Ink, Layer, Mark, Panel, Picture, Stroke, Ticks};
use crate::{ErrorLook, error_curve, scaling};

/// Rows of each class that Trunk's means are estimated from.
const ROWS: f64 = 10.0;

/// Features of Trunk's example at most, as a power of ten.
const MOST: f64 = 4.0;

#[allow(clippy::unnecessary_wraps, reason = "every figure is drawn through one type")]
pub(super) fn curse(_: Sets<'_>) -> Result<Picture, PlotError> {
    let place = |i: i32| 10.0_f64.powf(MOST * f64::from(i) / 80.0).round() as usize;
    let mut places: Vec<usize> = (0..=80).map(place).collect();
    places.dedup();
    let at = |dim: &usize| (*dim as f64).log10();
    let known: Vec<[f64; 2]> =
        places.iter().map(|dim| [at(dim), 100.0 * Trunk { dim: *dim }.bayes_error()]).collect();
    let learnt = |dim: &usize| Trunk { dim: *dim }.nearest_mean_error(ROWS, ROWS).value;
    let learnt: Vec<[f64; 2]> = places.iter().map(|dim| [at(dim), 100.0 * learnt(dim)]).collect();
    let least = learnt.iter().copied().min_by(|a, b| a[1].total_cmp(&b[1])).unwrap_or([0.0; 2]);
    let across = Axis { ticks: Ticks::Powers, ..Axis::new("features", 0.0, MOST) };
    let mut panel = Panel::new(across, Axis::new("error in %", 0.0, 50.0));
    let dashed = Stroke { width: 2.0, dash: Dash::Dashed };
    let solid = Stroke { width: 2.0, dash: Dash::Solid };
    panel.layers.push(Layer::Line { path: Path::line(&known), ink: Ink::Class(0), stroke: dashed });
    panel.layers.push(Layer::Line { path: Path::line(&learnt), ink: Ink::Class(1), stroke: solid });
    panel.layers.push(Layer::Points { at: vec![least], mark: Mark::Ring, ink: Ink::Class(1) });
    let most = 10.0_f64.powf(MOST);
    let fewest = 10.0_f64.powf(least[0]).round();
    let last = learnt.last().map_or(0.0, |last| last[1]);
    Ok(told(
        Picture {
            key: vec![
                line_key(format!("means from {ROWS} rows a class"), Ink::Class(1), solid),
                line_key("means known", Ink::Class(0), dashed),
            ],
            ..Picture::of("", panel)
        },
        "The curse of dimensionality",
        format!(
            "Error over the number of features, 1 to {most}, in Trunk's example. With known means it falls toward 0; with \
             means from {ROWS} rows a class it falls to {} at {fewest} features and rises again to {} at {most}.",
            per_cent(least[1] / 100.0),
            per_cent(last / 100.0)
        ),
        format!(
            "Every feature helps, the j-th with a mean of 1/√j, but each mean has to be learnt. Beyond {fewest} features \
             what is learnt wrongly outweighs what they tell. Both curves are exact."
        ),
    ))
}

/// Two classes that one feature parts, beside another of a hundred times its spread.
pub(super) fn feature_scaling(_: Sets<'_>) -> Result<Picture, PlotError> {
    let truth = known(&[&[1.0, 500.0], &[1.4, 520.0]], &[&[0.012, 0.0, 1600.0]], None)?;
    let rows = truth.sample(200, 1)?.table()?;
    let features = ["length in m", "weight in g"].map(String::from);
    Ok(told(
        scaling(&rows, &features)?,
        "Feature scaling",
        "The same 200 rows with the boundary of the nearest mean, before and after both features were scaled to mean 0 \
         and variance 1. Before, the boundary runs across the wide feature and misses the classes; after, it parts them.",
        "The nearest mean counts in the units of the features, so the widest one decides. Scaled to zero mean and unit \
         variance, x̃ = (x − μ)/σ, both features have a say.",
    ))
}

/// Features of the classes that a learning curve is drawn of.
const FEATURES: usize = 8;

/// Numbers of rows that are learnt from.
const LEARNT: [usize; 6] = [24, 40, 80, 160, 320, 640];

pub(super) fn learning(_: Sets<'_>) -> Result<Picture, PlotError> {
    // The means differ in every other feature, all features are correlated, and class 2 is the wider one: there is
    // something to learn for each of the three.
    let first = vec![0.0; FEATURES];
    let second: Vec<f64> = (0..FEATURES).map(|j| if j % 2 == 0 { 0.6 } else { 0.0 }).collect();
    let triangle = |variance: f64| -> Vec<f64> {
        let entry = move |i: usize, j: usize| if i == j { variance } else { 0.5 * variance };
        (0..FEATURES).flat_map(|i| (0..=i).map(move |j| entry(i, j))).collect()
    };
    let truth = known(&[&first, &second], &[&triangle(1.0), &triangle(1.8)], None)?;
    let rows = truth.sample(1600, 1)?.table()?;
    let names = ["quadratic", "linear", "nearest mean"].map(String::from);
    let specs = [CovarianceSpec::qda(), CovarianceSpec::lda(), CovarianceSpec::nearest_mean()];
    let candidates: Vec<(Learner, Priors)> =
        specs.into_iter().map(|spec| (spec.clone().into(), spec.default_priors())).collect();
    let mut spec = CurveSpec::new(Folds { count: 5, seed: 1 });
    (spec.at, spec.repeat) = (LEARNT.to_vec(), 4);
    let features: Vec<String> = (1..=FEATURES).map(|j| format!("x{j}")).collect();
    let pool = Pool::new(1)?;
    let curve = learning_curve(&candidates, &features, &rows, &spec, On::pool(&pool))?;
    let picture = error_curve(&curve, &names, &ErrorLook::default())?;
    Ok(told(
        picture,
        "More flexible, more rows",
        format!(
            "Error by the number of rows learnt from, {} to {}, for three classifiers on two classes of {FEATURES} \
             features. On few rows the quadratic classifier errs most and the linear one least; on many rows the \
             quadratic one errs least and the nearest mean, which learns little from more rows, most.",
            LEARNT[0],
            LEARNT[LEARNT.len() - 1]
        ),
        "The quadratic classifier has 88 parameters of means and covariances, the linear one 52, the nearest mean 16. \
         What is more flexible needs more rows, and is better only once it has them.",
    ))
}
