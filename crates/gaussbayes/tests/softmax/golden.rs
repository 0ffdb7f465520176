//! Softmax regression against exact arithmetic, scikit-learn and R: [M79], [M80].

use gaussbayes::{Score, Table};
use serde_json::Value;

use crate::support::{faithful, iris, table, wine};
use crate::{assert_near, fitted, shares};

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str::<Value>(&text).unwrap()["cases"].as_array().unwrap().clone()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

fn data(case: &Value) -> Table {
    let data = &case["data"];
    let mut rows = match data.as_str() {
        Some("iris") => iris(),
        Some("wine") => wine(),
        Some("faithful-split") => faithful(true),
        Some(other) => panic!("{other} is not known here"),
        None => {
            let labels: Vec<&str> =
                data["labels"].as_array().unwrap().iter().map(|x| x.as_str().unwrap()).collect();
            table(&matrix(&data["rows"]), &labels)
        }
    };
    rows.weights = case["weights"].as_array().map(|_| numbers(&case["weights"]));
    rows
}

/// Coefficients in units of one deviation: what a change of them does to log-odds.
fn scaled(rows: &Table, coefficients: &[f64]) -> Vec<f64> {
    let dim = rows.dim;
    let count = rows.rows() as f64;
    let deviation = |j: usize| {
        let column = || rows.values.iter().skip(j).step_by(dim);
        let mean = column().sum::<f64>() / count;
        (column().map(|x| (x - mean).powi(2)).sum::<f64>() / count).sqrt()
    };
    let deviations: Vec<f64> = (0..dim).map(deviation).collect();
    coefficients.iter().enumerate().map(|(at, w)| w * deviations[at % dim]).collect()
}

fn check(file: &str, least: usize) {
    let cases = cases(file);
    assert!(cases.len() >= least);
    for case in cases {
        let (rows, name) = (data(&case), case["name"].as_str().unwrap());
        let tolerance = case["tolerance"].as_f64().unwrap();
        let found = fitted(case["penalty"].as_f64().unwrap(), &rows).unwrap();
        let report = &found.report;
        assert!(report.converged && report.iterations < 25, "{name}: {report:?}");
        let classes: Vec<&str> = found.labels.iter().map(gaussbayes::Label::as_str).collect();
        assert_eq!(Value::from(classes), case["classes"], "{name}");
        let linear = found.softmax.linear();
        let right = matrix(&case["coefficients"]).concat();
        assert_near(&scaled(&rows, &linear.coefficients), &scaled(&rows, &right), tolerance);
        if let Some(loss) = case["loss"].as_f64() {
            assert_near(&[-report.log_likelihood], &[loss], tolerance.min(1e-10));
        }
        if let Some(value) = case["penalty_value"].as_f64() {
            assert_near(&[report.penalty], &[value], tolerance);
        }
        let block = rows.block(0..rows.rows()).unwrap();
        assert_eq!(found.softmax.scores(&block).unwrap().components, right.len() / rows.dim);
        if case["posterior"].is_null() {
            continue;
        }
        let classes = found.labels.len();
        let all = shares(&found.softmax, &rows);
        for (number, right) in numbers(&case["rows"]).iter().zip(matrix(&case["posterior"])) {
            let at = (*number as usize - 1) * classes;
            assert_near(&all[at..at + classes], &right, tolerance);
        }
    }
}

#[test]
fn exact_coefficients() {
    check("exact_softmax", 21);
}

#[test]
fn coefficients_of_scikit_learn_1_9_1() {
    check("sklearn_softmax", 17);
}

#[test]
fn likelihoods_of_r() {
    check("r_softmax", 6);
}

#[test]
fn intercepts_are_exact_too() {
    for case in cases("exact_softmax") {
        // Far from zero an intercept is the small difference of large numbers.
        let name = case["name"].as_str().unwrap();
        if name.contains("far") {
            continue;
        }
        let found = fitted(case["penalty"].as_f64().unwrap(), &data(&case)).unwrap();
        let linear = found.softmax.linear();
        assert_near(&linear.intercepts, &numbers(&case["intercepts"]), 1e-9);
        assert!(linear.intercepts.iter().sum::<f64>().abs() < 1e-8);
    }
}

#[test]
fn exact_logistic_and_softmax_regression() {
    let cases = cases("exact_logistic");
    let mut separable = 0;
    for case in &cases {
        let (rows, name) = (data(case), case["name"].as_str().unwrap());
        let found = fitted(case["penalty"].as_f64().unwrap(), &rows);
        if case["separable"] == true && case["coefficients"].is_null() {
            assert!(found.is_err(), "{name}");
            separable += 1;
            continue;
        }
        let (found, tolerance) = (found.unwrap(), case["parameter_tolerance"].as_f64().unwrap());
        let (linear, dim) = (found.softmax.linear(), rows.dim);
        let (mut w, mut b) = (linear.coefficients, linear.intercepts);
        if found.labels.len() == 2 {
            w = (0..dim).map(|j| w[dim + j] - w[j]).collect();
            b = vec![b[1] - b[0]];
        }
        let right = [matrix(&case["coefficients"]).concat(), numbers(&case["intercepts"])].concat();
        for (found, right) in w.iter().chain(&b).zip(right) {
            let off = (found - right).abs();
            assert!(off <= tolerance * right.abs() + 1e-13, "{name}: {found} {right}");
        }
        let loss = case["sum_loss"].as_f64().unwrap();
        assert_near(&[-found.report.log_likelihood], &[loss], 1e-11);
    }
    assert!(separable >= 1 && cases.len() > 10, "{separable} of {}", cases.len());
}
