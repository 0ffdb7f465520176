//! Judging: losses, calibration, curves, and examples whose errors are known: [M82] to [M87].

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod curves;
mod learners;
mod losses;
mod operating;
#[path = "../support/mod.rs"]
mod support;
mod trunk;

use gaussbayes::{Candidate, CovarianceSpec, Table};

/// Specifications with the priors that they have by themselves.
fn candidates(specs: &[CovarianceSpec]) -> Vec<Candidate> {
    specs.iter().map(|spec| (spec.into(), spec.default_priors())).collect()
}

/// Some columns of a table.
fn narrowed(table: &Table, columns: &[usize]) -> Table {
    let row = |row: &[f64]| columns.iter().map(|j| row[*j]).collect::<Vec<f64>>();
    let values = table.values.chunks_exact(table.dim).flat_map(row).collect();
    Table { dim: columns.len(), values, ..table.clone() }
}
