//! States the laws that hold for everything that is fitted by sweeps, whatever it is.

use gaussbayes::{Block, Cut, Error, On, Pool, Source, Table};

use crate::support::mapped;

/// Something that is found from rows.
pub(crate) trait Subject {
    /// Rows in whole numbers; more than one block of them.
    fn rows(&self) -> Table;

    /// All numbers that are found.
    fn found<S: Source<Error = Error>>(&self, source: &mut S, on: On<'_>) -> Vec<f64>;

    /// What is said of each row, in numbers of size one, once that is found.
    fn said(&self, rows: &Table, on: On<'_>) -> Vec<f64>;

    /// The rows with 1e9 added to what is measured on a scale.
    fn moved(&self, rows: &Table) -> Table {
        mapped(rows, |_, x| x + 1e9)
    }

    /// What one step finds from the statistics of parts, merged in their order.
    fn merged(&self, parts: &[Table], on: On<'_>) -> Vec<f64>;
}

/// Runs the four laws on a subject.
macro_rules! laws {
    ($name:ident, $subject:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn threads_change_no_bit() {
                crate::laws::threads(&$subject);
            }

            #[test]
            fn a_stream_is_a_table() {
                crate::laws::streams(&$subject);
            }

            #[test]
            fn shards_merge_to_the_whole() {
                crate::laws::merge(&$subject);
            }

            #[test]
            fn offsets_change_nothing_that_is_said() {
                crate::laws::offsets(&$subject);
            }
        }
    };
}

pub(crate) fn threads(subject: &impl Subject) {
    let rows = subject.rows();
    let found = |threads: usize| {
        let pool = Pool::new(threads).unwrap();
        subject.found(&mut rows.source(), On::pool(&pool))
    };
    let one = found(1);
    assert!(!one.is_empty() && one.iter().all(|value| value.is_finite()));
    for threads in [2, 8] {
        assert_same(&one, &found(threads));
    }
}

pub(crate) fn streams(subject: &impl Subject) {
    let (rows, pool) = (subject.rows(), Pool::new(2).unwrap());
    let table = subject.found(&mut rows.source(), On::pool(&pool));
    let stream = subject.found(&mut Stream { rows: &rows, at: 0 }, On::pool(&pool));
    assert_same(&table, &stream);
}

pub(crate) fn merge(subject: &impl Subject) {
    let (rows, pool) = (subject.rows(), Pool::new(1).unwrap());
    let count = rows.rows();
    let part = |range: std::ops::Range<usize>| {
        let mut part = Table { dim: rows.dim, ..Table::default() };
        part.push_block(&rows.block(range).unwrap());
        part
    };
    let whole = subject.merged(&[part(0..count)], On::pool(&pool));
    let (a, b) = (count / 3, count / 3 + 7);
    let parts = subject.merged(&[part(0..a), part(a..b), part(b..count)], On::pool(&pool));
    assert_eq!(whole.len(), parts.len());
    for (at, (whole, parts)) in whole.iter().zip(&parts).enumerate() {
        assert!((whole - parts).abs() < 1e-11 * whole.abs().max(1.0), "{at}: {whole} {parts}");
    }
}

pub(crate) fn offsets(subject: &impl Subject) {
    let (near, pool) = (subject.rows(), Pool::new(2).unwrap());
    assert!(near.values.iter().all(|value| value.is_nan() || value.fract() == 0.0));
    let far = subject.moved(&near);
    let said = |rows: &Table| subject.said(rows, On::pool(&pool));
    let (near, far) = (said(&near), said(&far));
    assert_eq!(near.len(), far.len());
    let apart = near.iter().zip(&far).map(|(near, far)| (near - far).abs()).fold(0.0, f64::max);
    assert!(apart < 1e-7, "{apart}");
}

fn assert_same(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        assert_eq!(a.to_bits(), b.to_bits(), "{at}: {a} {b}");
    }
}

/// Rows that come one run after the other, as those of a file do.
struct Stream<'a> {
    rows: &'a Table,
    at: usize,
}

/// A run of rows, on its own.
struct Run {
    rows: Table,
    first: u64,
}

impl Source for Stream<'_> {
    type Cut = Run;
    type Error = Error;

    fn dim(&self) -> usize {
        self.rows.dim
    }

    fn next(&mut self, rows: usize) -> Result<Option<Run>, Error> {
        let range = self.at..self.rows.rows().min(self.at + rows);
        if range.is_empty() {
            return Ok(None);
        }
        let first = self.at as u64;
        self.at = range.end;
        let mut run = Table { dim: self.rows.dim, ..Table::default() };
        run.push_block(&self.rows.block(range)?);
        Ok(Some(Run { rows: run, first }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        Ok(())
    }
}

impl Cut for Run {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        self.rows.clone().into_block(self.first)
    }
}
