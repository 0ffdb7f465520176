//! Answers that textbooks and lectures print.

use gaussbayes::{Action, Classifier, CovarianceSpec, Label, Loss, Mixture, Priors, Score, Table};
use serde_json::Value;

use crate::case::{Case, cases, numbers, rows, words};
use crate::support::{fit_with, iris, labels, table};

fn given(parameters: &Value) -> Classifier {
    let means = rows(&parameters["means"]);
    let lower = |matrix: &Value| -> Vec<f64> {
        let matrix = rows(matrix);
        matrix.iter().enumerate().flat_map(|(i, row)| row[..=i].to_vec()).collect()
    };
    let covariances: Vec<Vec<f64>> =
        parameters["covariances"].as_array().unwrap().iter().map(lower).collect();
    let mixture = Mixture::given(&means, &covariances, numbers(&parameters["priors"])).unwrap();
    let classes: Vec<Label> = words(&parameters["classes"]).into_iter().map(Label::from).collect();
    let names = (0..means[0].len()).map(|j| format!("x{j}")).collect();
    let loss = Loss::zero_one(classes.len());
    Classifier::new(mixture, classes, names, loss).unwrap()
}

#[test]
fn textbook_examples_with_given_parameters() {
    for json in cases("exact_textbook") {
        let case = Case::new(json);
        let mut classifier = given(&case.json["parameters"]);
        if !case.json["loss"].is_null() {
            let costs = rows(&case.json["loss"]).concat();
            let actions = (0..classifier.classes().len()).map(Action::Class).collect();
            let loss = Loss::new(classifier.classes().len(), actions, costs).unwrap();
            classifier = classifier.with_loss(loss).unwrap();
        }
        let query = rows(&case.json["query"]);
        let names: Vec<&str> = query.iter().map(|_| "?").collect();
        let table = table(&query, &names);
        let all: Vec<usize> = (0..table.rows()).collect();
        case.check_rows(&classifier, &table, &all);
        let expected = if case.json["actions"].is_null() { "labels" } else { "actions" };
        assert_eq!(labels(&classifier, &table), words(&case.json[expected]), "{}", case.name);
    }
}

/// Relative distance of a number from one that is known.
fn off(found: f64, known: f64) -> f64 {
    ((found - known) / known).abs()
}

#[test]
fn distances_between_the_species_of_iris() {
    // Pooled covariance, n − g; verified with R's MASS and exact rationals.
    let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::lda() };
    let classifier = fit_with(&spec, &Priors::Observed, &iris()).unwrap().classifier;
    let model = classifier.mixture().unwrap();
    let means: Vec<f64> = (0..3).flat_map(|k| model.raw_mean(k)).collect();
    let distances = model
        .mahalanobis_sq(&Table { dim: 4, values: means, ..Table::default() }.into_block(0).unwrap())
        .unwrap();
    for (i, j, known) in [
        (0, 1, 89.864_185_582_073_9),
        (0, 2, 179.384_712_514_277_75),
        (1, 2, 17.201_066_428_395_95),
    ] {
        assert!(off(distances[3 * i + j], known) < 1e-12, "{i} {j}: {}", distances[3 * i + j]);
    }
}

#[test]
fn the_parabola_of_duda_hart_and_stork() {
    // m = (3, 6), (3, −2), Σ = diag(½, 2), 2I: x₂ = 3.5142… − 1.125 x₁ + 0.1875 x₁².
    let means = [vec![3.0, 6.0], vec![3.0, -2.0]];
    let covariances = [vec![0.5, 0.0, 2.0], vec![2.0, 0.0, 2.0]];
    let mixture = Mixture::given(&means, &covariances, vec![0.5, 0.5]).unwrap();
    let scores = mixture.quadratics().unwrap();
    let g = scores[0].minus(&scores[1]).raw();
    assert!(g.quadratic[1].abs() < 1e-14 && g.quadratic[2].abs() < 1e-14, "{:?}", g.quadratic);
    let x2 = |coefficient: f64| -coefficient / g.linear[1];
    assert!(off(x2(g.constant), 3.514_213_204_860_013_7) < 1e-13);
    assert!(off(x2(g.linear[0]), -1.125) < 1e-13);
    assert!(off(x2(g.quadratic[0]), 0.1875) < 1e-13);
}

#[test]
fn thresholds_of_theodoridis_and_koutroumbas() {
    // N(0, ½), N(1, ½), equal priors: ½; with losses ½ and 1: (1 − ln 2)/2.
    let means = [vec![0.0], vec![1.0]];
    let mixture = Mixture::given(&means, &[vec![0.5]], vec![0.5, 0.5]).unwrap();
    let scores = mixture.quadratics().unwrap();
    let ratio = scores[0].minus(&scores[1]).raw();
    let actions = vec![Action::Class(0), Action::Class(1)];
    let costly = Loss::new(2, actions, vec![0.0, 0.5, 1.0, 0.0]).unwrap();
    for (loss, known) in [(Loss::zero_one(2), 0.5), (costly, 0.153_426_409_720_027_35)] {
        let threshold = loss.threshold(mixture.weights()).unwrap();
        let x = (threshold.ln() - ratio.constant) / ratio.linear[0];
        assert!(off(x, known) < 1e-14, "{x}");
    }
}
