//! Tests boundaries: their kinds, their numbers, and the curves that are drawn of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod conics;
mod curves;
mod kinds;
mod numbers;

use gaussbayes::{Classifier, Label, Loss, Mixture};

/// A classifier from known parameters, each covariance by its lower triangle.
fn given(means: &[Vec<f64>], covariances: &[Vec<f64>], priors: &[f64]) -> Classifier {
    let mixture = Mixture::given(means, covariances, priors.to_vec()).unwrap();
    with_names(mixture)
}

fn with_names(mixture: Mixture) -> Classifier {
    let (classes, dim) = (mixture.components(), mixture.dim());
    let labels = (0..classes).map(|k| Label::from(format!("c{k}"))).collect();
    let features = (0..dim).map(|j| format!("x{j}")).collect();
    Classifier::new(mixture, labels, features, Loss::zero_one(classes)).unwrap()
}

/// The lower triangle of a diagonal matrix.
fn diagonal(values: &[f64]) -> Vec<f64> {
    let rows = values.iter().enumerate();
    rows.flat_map(|(i, &v)| (0..=i).map(move |j| if i == j { v } else { 0.0 })).collect()
}

#[track_caller]
fn close(found: f64, expected: f64, relative: f64) {
    assert!(
        (found - expected).abs() <= relative * expected.abs().max(1e-300),
        "{found} {expected}"
    );
}
