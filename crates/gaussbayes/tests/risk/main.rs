//! Tests the risk of rules: textbooks, methods against each other, simulation, other truths.
#![allow(clippy::unwrap_used, clippy::excessive_precision, reason = "tests; digits of references")]

mod agreement;
mod hard;
mod simulated;
mod textbook;
mod truths;

use gaussbayes::{
    Action, Classifier, Error, Label, Loss, Method, Mixture, On, Pool, Random, Risk, RiskOptions,
};

/// A classifier from parameters.
fn classifier(
    means: &[Vec<f64>],
    covariances: &[Vec<f64>],
    weights: &[f64],
    loss: Loss,
) -> Classifier {
    let model = Mixture::given(means, covariances, weights.to_vec()).unwrap();
    let classes = (0..means.len()).map(|k| Label::from(format!("c{k:02}"))).collect();
    let features = (0..means[0].len()).map(|j| format!("x{j}")).collect();
    Classifier::new(model, classes, features, loss).unwrap()
}

fn zero_one(means: &[Vec<f64>], covariances: &[Vec<f64>], weights: &[f64]) -> Classifier {
    classifier(means, covariances, weights, Loss::zero_one(means.len()))
}

fn costs(classes: usize, costs: &[f64]) -> Loss {
    Loss::new(classes, (0..classes).map(Action::Class).collect(), costs.to_vec()).unwrap()
}

fn by(method: Method) -> RiskOptions {
    RiskOptions { method: Some(method), ..RiskOptions::default() }
}

fn try_risk(of: &Classifier, under: Option<&Mixture>, how: &RiskOptions) -> Result<Risk, Error> {
    of.risk(under, how, On::pool(&Pool::new(1)?))
}

fn risk(of: &Classifier, how: &RiskOptions) -> Risk {
    try_risk(of, None, how).unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found:e} is not {expected:e}");
}

/// The lower triangle of the identity, times a factor.
fn sphere(dim: usize, factor: f64) -> Vec<f64> {
    let entry = |i: usize, j: usize| if i == j { factor } else { 0.0 };
    (0..dim).flat_map(|i| (0..=i).map(move |j| entry(i, j))).collect()
}

/// A random covariance: A Aᵀ + ¼ I, A normal divided by √d.
fn random_covariance(dim: usize, random: &mut Random) -> Vec<f64> {
    let a: Vec<f64> =
        (0..dim * dim).map(|_| random.normal_pair().0 / (dim as f64).sqrt()).collect();
    let entry = |i: usize, j: usize| -> f64 {
        let product: f64 = (0..dim).map(|k| a[i * dim + k] * a[j * dim + k]).sum();
        product + if i == j { 0.25 } else { 0.0 }
    };
    (0..dim).flat_map(|i| (0..=i).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
}

/// A random model: means of standard deviation `apart`, priors between 0.2 and 1.2 before division.
fn random_model(
    dim: usize,
    classes: usize,
    shared: bool,
    apart: f64,
    random: &mut Random,
) -> (Vec<Vec<f64>>, Vec<Vec<f64>>, Vec<f64>) {
    let mut mean = |_| (0..dim).map(|_| apart * random.normal_pair().0).collect();
    let means: Vec<Vec<f64>> = (0..classes).map(&mut mean).collect();
    let matrices = if shared { 1 } else { classes };
    let covariances = (0..matrices).map(|_| random_covariance(dim, random)).collect();
    let weights: Vec<f64> = (0..classes).map(|_| 0.2 + random.uniform()).collect();
    let sum: f64 = weights.iter().sum();
    (means, covariances, weights.iter().map(|w| w / sum).collect())
}
