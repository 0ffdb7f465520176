//! Holds products of densities to exact arithmetic, to the laws of every statistic, and to bad input.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/mod.rs"]
mod support;

#[macro_use]
#[path = "../between/laws.rs"]
mod laws;

mod declared;
mod exact;
mod refused;
mod subjects;

use std::borrow::Cow;

use gaussbayes::{
    Alpha, ColumnKind, Counting, Field, Label, Part, ProductSpec, Ridge, Score, Scorer, Table,
    Unseen,
};
use serde_json::Value;

/// The cases of a golden file.
fn golden(file: &str) -> Vec<Value> {
    let path = format!("{}/../../testdata/golden/{file}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str::<Value>(&text).unwrap()["cases"].as_array().unwrap().clone()
}

/// Rows of numbers, texts and nulls as a typed table; texts become names.
fn typed(rows: &Value, names: &[usize]) -> Table {
    let rows: Vec<&Vec<Value>> =
        rows.as_array().unwrap().iter().map(|row| row.as_array().unwrap()).collect();
    let dim = rows[0].len();
    let mut table = Table { dim, fields: vec![Field::Number; dim], ..Table::default() };
    let mut known: Vec<Vec<Label>> = vec![Vec::new(); dim];
    for row in rows {
        for (j, cell) in row.iter().enumerate() {
            let value = match (cell.as_str(), cell.as_f64()) {
                (Some(name), _) => {
                    let name = Label::from(name);
                    let at = known[j].iter().position(|other| *other == name);
                    let at = at.unwrap_or_else(|| {
                        known[j].push(name);
                        known[j].len() - 1
                    });
                    at as f64
                }
                (None, value) => value.unwrap_or(f64::NAN),
            };
            table.values.push(value);
        }
    }
    for &j in names {
        table.fields[j] = Field::Category(Cow::Owned(std::mem::take(&mut known[j])));
    }
    table
}

/// Gives a table labels, and weights where there are some.
fn labelled(mut table: Table, labels: &Value, weights: &Value) -> Table {
    let labels = labels.as_array().unwrap().iter().map(|label| label.as_str().unwrap());
    let mut encoder = gaussbayes::Encoder::<Label>::default();
    table.codes = Some(labels.map(|label| encoder.code(label)).collect());
    table.dictionary = encoder.into_labels();
    table.weights = weights.as_array().map(|weights| floats(weights));
    table
}

fn floats(values: &[Value]) -> Vec<f64> {
    // null is minus infinity.
    values.iter().map(|value| value.as_f64().unwrap_or(f64::NEG_INFINITY)).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(|row| floats(row.as_array().unwrap())).collect()
}

/// Log scores of every row, class by class.
fn joint(model: &Scorer, rows: &Table) -> Vec<Vec<f64>> {
    let scores = model.scores(&rows.block(0..rows.rows()).unwrap()).unwrap();
    let rows = scores.relative.chunks_exact(scores.components).zip(&scores.common);
    rows.map(|(row, common)| row.iter().map(|score| score + common).collect()).collect()
}

fn assert_near(found: &[Vec<f64>], expected: &[Vec<f64>], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found.len(), expected.len(), "{what}");
        for (a, b) in found.iter().zip(expected) {
            let same = a == b || (a - b).abs() <= tolerance * (1.0 + b.abs());
            assert!(same, "{what}, row {i}: {a} against {b}");
        }
    }
}

fn part(columns: &[usize], kind: ColumnKind, alpha: f64) -> Part {
    Part { columns: columns.to_vec(), kind, alpha: Alpha::One(alpha) }
}

/// Two numbers, a group of three counts, two categories and a flag.
fn mixed_spec(alpha: f64, ridge: Ridge) -> ProductSpec {
    let parts = vec![
        part(&[0, 1], ColumnKind::Number, alpha),
        part(&[2, 3, 4], ColumnKind::Count(Counting::Multinomial), alpha),
        part(&[5, 6], ColumnKind::Category, alpha),
        part(&[7], ColumnKind::Flag { above: 0.0 }, alpha),
    ];
    ProductSpec { parts, unseen: Unseen::Ignore, ridge }
}
