//! Holds softmax regression to other tools, to its laws, and to rows without a finite answer.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bridge;
mod classifier;
mod golden;
mod hard;
#[macro_use]
#[path = "../between/laws.rs"]
mod laws;
mod regression;
#[path = "../support/mod.rs"]
mod support;

use gaussbayes::{
    Error, On, Pool, Posterior, Score, Softmax, SoftmaxFit, SoftmaxSpec, Table, blobs, softmax,
};

/// Fits by one thread.
fn fitted(penalty: f64, table: &Table) -> Result<SoftmaxFit, Error> {
    let pool = Pool::new(1)?;
    softmax(&SoftmaxSpec::default().with_penalty(penalty), &mut table.source(), On::pool(&pool))
}

/// Rows of classes that overlap.
fn drawn(classes: usize, dim: usize, rows: u64, seed: u64) -> Table {
    let classifier = blobs(classes, dim, 8.0, seed).classifier().unwrap();
    classifier.sample(rows, seed).unwrap().table().unwrap()
}

/// Posteriors of every row.
fn shares(model: &Softmax, table: &Table) -> Vec<f64> {
    let block = table.block(0..table.rows()).unwrap();
    let posterior = Posterior::from_scores(model.scores(&block).unwrap());
    (0..posterior.rows()).flat_map(|i| posterior.probs(i).collect::<Vec<f64>>()).collect()
}

fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{at}: {a} {b}");
    }
}
