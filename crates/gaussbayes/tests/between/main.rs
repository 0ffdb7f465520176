//! Holds what lies between labels and none: ownership, outliers, priors, uses of a mixture.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/mod.rs"]
mod support;

#[macro_use]
mod laws;

mod bayes;
mod classes;
mod frozen;
mod mixtures;
mod noise;
mod outliers;
mod ownership;
mod shift;
mod student;
mod uses;

use std::ops::ControlFlow;

use gaussbayes::{EmState, Error, On, Score, Source, Table, em};
use serde_json::Value;

/// Numbers of a state that must not differ by a bit: shares, means, covariances, and what the last pass found.
fn numbers(state: &EmState) -> Vec<f64> {
    let mixture = state.mixture();
    let mut all = mixture.shares();
    for k in 0..mixture.components() {
        all.extend(mixture.raw_mean(k));
        all.extend(mixture.raw_covariance(k));
    }
    all.extend(mixture.laws().into_iter().flatten().filter_map(|law| law.freedom()));
    all.extend(state.pass().map(|pass| pass.log_likelihood));
    all
}

/// EM of a state on any source.
fn run_em<S: Source<Error = Error>>(mut state: EmState, source: &mut S, on: On<'_>) -> EmState {
    em(&mut state, source, on, &mut |_| ControlFlow::Continue(())).unwrap();
    state
}

/// The shares of every row in every component.
fn memberships(state: &EmState, rows: &Table) -> Vec<f64> {
    let block = rows.block(0..rows.rows()).unwrap();
    state.mixture().scores(&block).unwrap().into_probabilities()
}

/// The M-step on the statistics of parts, merged in their order.
fn stepped(mut state: EmState, parts: &[Table], on: On<'_>) -> EmState {
    let stats = parts.iter().map(|part| state.partial(&mut part.source(), on).unwrap());
    let stat = stats.reduce(gaussbayes::Merge::merge).unwrap();
    state.step(&stat).unwrap();
    state
}

/// The cases of a golden file.
fn golden(file: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str::<Value>(&text).unwrap()["cases"].as_array().unwrap().clone()
}

/// The rows of a case, with their labels and weights.
fn rows_of(case: &Value) -> Table {
    let list = |value: &Value| -> Vec<f64> {
        value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
    };
    let data = &case["data"];
    let mut table = match data.as_str() {
        Some("iris") => support::iris(),
        Some("faithful") => support::faithful(false),
        Some("faithful-split") => support::faithful(true),
        Some("wine") => support::wine(),
        Some(other) => panic!("{other} is not known here"),
        None => {
            let labels = data["labels"].as_array().unwrap();
            let labels: Vec<&str> = labels.iter().map(|label| label.as_str().unwrap()).collect();
            let rows: Vec<Vec<f64>> = data["rows"].as_array().unwrap().iter().map(list).collect();
            support::table(&rows, &labels)
        }
    };
    if !case["weights"].is_null() {
        table.weights = Some(list(&case["weights"]));
    }
    table
}
