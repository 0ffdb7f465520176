//! Holds risks and boundaries of known models to numbers of 50 digits and exact fractions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod boundaries;
mod risks;

use gaussbayes::{Classifier, Label, Mixture, Parameters};
use serde_json::Value;

/// The cases of a golden file that ask for something.
fn cases(file: &str, asks: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let all = golden["cases"].as_array().unwrap().iter();
    all.filter(|case| case["asks"] == asks).cloned().collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn table(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(list).collect()
}

/// The classifier of a case, with its costs.
fn classifier(case: &Value) -> Classifier {
    let model = &case["model"];
    let means = table(&model["means"]);
    let costs = case.get("loss").filter(|loss| !loss.is_null()).map(table);
    // Costs of one per error are the plain rule.
    let plain = |costs: &Vec<Vec<f64>>| {
        let entry = |i: usize, j: usize| f64::from(u8::from(i != j));
        costs.iter().enumerate().all(|(i, row)| {
            row.len() == costs.len() && row.iter().enumerate().all(|(j, cost)| *cost == entry(i, j))
        })
    };
    let parameters = Parameters {
        classes: (0..means.len()).map(|k| Label::from(format!("c{k}"))).collect(),
        features: (0..means[0].len()).map(|j| format!("x{j}")).collect(),
        priors: Some(list(&model["priors"])),
        covariances: model["covariances"].as_array().unwrap().iter().map(table).collect(),
        means,
        costs: costs.filter(|costs| !plain(costs)),
    };
    parameters.classifier().unwrap()
}

fn truth(case: &Value) -> Option<Mixture> {
    let truth = case.get("truth").filter(|truth| !truth.is_null())?;
    let model = serde_json::json!({ "model": truth });
    Some(classifier(&model).mixture().unwrap().clone())
}

/// |found − expected| ≤ tolerance |expected|.
#[track_caller]
fn close(name: &str, what: &str, found: f64, expected: f64, tolerance: f64) {
    let near = (found - expected).abs() <= tolerance * expected.abs();
    assert!(near, "{name}, {what}: {found:e} is not {expected:e}");
}
