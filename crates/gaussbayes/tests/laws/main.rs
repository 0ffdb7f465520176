//! Tests the laws that every model obeys, on seeded random data.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/mod.rs"]
mod support;

mod affine;
mod blocks;
mod centroids;
mod closed;
mod decision;
mod families;
mod folds;
mod kernels;
mod left_out;
mod memberships;
mod merge;
mod projection;
mod reading;
mod sampling;
mod sharing;
mod single;
mod threads;
mod total;
mod weights;

use gaussbayes::{Label, Random, Table};
use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run; a failure prints the arguments that make it.
fn seeded(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(20_251),
        failure_persistence: None,
        ..Config::default()
    }
}

/// `n` rows of `dim` correlated columns in `classes` classes that overlap.
fn random_table(seed: u64, n: usize, dim: usize, classes: usize) -> Table {
    let mut random = Random::new(seed, 0);
    let mut normals = move || random.normal_pair().0;
    let mix: Vec<f64> = (0..classes * dim * dim).map(|_| normals()).collect();
    let shift: Vec<f64> = (0..classes * dim).map(|_| 2.0 * normals()).collect();
    let mut values = Vec::with_capacity(n * dim);
    for i in 0..n {
        let k = i % classes;
        let z: Vec<f64> = (0..dim).map(|_| normals()).collect();
        for j in 0..dim {
            let row = &mix[(k * dim + j) * dim..(k * dim + j + 1) * dim];
            let x: f64 = row.iter().zip(&z).map(|(a, z)| a * z).sum();
            values.push(x + z[j] + shift[k * dim + j]);
        }
    }
    Table {
        dim,
        values,
        weights: None,
        codes: Some((0..n).map(|i| (i % classes) as u32).collect()),
        dictionary: (0..classes).map(|k| Label::from(format!("c{k}"))).collect(),
        ..Table::default()
    }
}

/// The rows of a table in another order, or some of them, or some of them often.
fn picked(table: &Table, rows: &[usize]) -> Table {
    let (dim, codes) = (table.dim, table.codes.as_ref().unwrap());
    Table {
        values: rows.iter().flat_map(|&i| table.values[i * dim..(i + 1) * dim].to_vec()).collect(),
        weights: table.weights.as_ref().map(|w| rows.iter().map(|&i| w[i]).collect()),
        codes: Some(rows.iter().map(|&i| codes[i]).collect()),
        ..table.clone()
    }
}
