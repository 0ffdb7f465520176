//! Draws the banana set: two arcs of equal covariance that no single Gaussian can tell apart.

use std::borrow::Cow;
use std::f64::consts::PI;
use std::ops::Range;

use super::block::{Block, Labels};
use super::label::Label;
use super::memory::Table;
use super::rows::Rows;
use super::source::{Cut, Source};
use crate::error::Error;
use crate::rng::Random;

const RADIUS: f64 = 5.0;
const ARC: f64 = 1.25 * PI;

/// Draws of 64 bits that a row takes: an angle, and two normal numbers of two draws.
const DRAWS: u64 = 3;

/// `rows_per_class` rows of each of the two classes, alternating \[M23\].
pub fn banana(rows_per_class: usize, seed: u64) -> Table {
    let rows = 0..2 * rows_per_class as u64;
    let codes = codes(&rows);
    Table {
        dim: 2,
        values: values(rows, seed),
        weights: None,
        codes: Some(codes),
        dictionary: names(),
        ..Table::default()
    }
}

/// The banana set as a source: its rows are drawn as they are read.
#[derive(Debug, Clone)]
pub struct Banana {
    rows: u64,
    seed: u64,
    at: u64,
}

impl Banana {
    /// The first `rows` rows of the set with this seed.
    pub fn new(rows: u64, seed: u64) -> Self {
        Self { rows, seed, at: 0 }
    }
}

/// Rows of the banana set that are yet to be drawn.
#[derive(Debug, Clone)]
pub struct BananaCut {
    rows: Range<u64>,
    seed: u64,
}

impl Source for Banana {
    type Cut = BananaCut;
    type Error = Error;

    fn dim(&self) -> usize {
        2
    }

    fn next(&mut self, rows: usize) -> Result<Option<BananaCut>, Error> {
        let rows = self.at..self.rows.min(self.at.saturating_add(rows as u64));
        self.at = rows.end;
        Ok((!rows.is_empty()).then_some(BananaCut { rows, seed: self.seed }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        Ok(())
    }
}

impl Cut for BananaCut {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        let codes = Cow::Owned(codes(&self.rows));
        let labels = Labels { codes, dictionary: Cow::Owned(names()) };
        let rows = Rows::new(values(self.rows.clone(), self.seed), 2)?;
        Block::new(self.rows.start, rows, None, Some(labels))
    }
}

fn names() -> Vec<Label> {
    vec![Label::from("1"), Label::from("2")]
}

fn codes(rows: &Range<u64>) -> Vec<u32> {
    rows.clone().map(|i| (i % 2) as u32).collect()
}

/// The rows of a range, by the part of the one stream of random numbers that is theirs.
fn values(rows: Range<u64>, seed: u64) -> Vec<f64> {
    let mut random = Random::from_draw(seed, 0, DRAWS * rows.start);
    let arcs = [(0.125, 1.0, 0.0), (0.375, -1.0, -0.75 * RADIUS)];
    let row = |i: u64| {
        let (start, turn, shift) = arcs[(i % 2) as usize];
        let angle = start * PI + turn * ARC * random.uniform();
        let (noise_x, noise_y) = random.normal_pair();
        [RADIUS * angle.sin() + noise_x + shift, RADIUS * angle.cos() + noise_y + shift]
    };
    rows.flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_is_the_point_reflection_of_the_other() {
        // Class 1 has mean angle 0.75π, so its arc is centred on (r s, -r s) with s = sin(0.625π)/(0.625π)
        // times the direction (sin 0.75π, cos 0.75π); reflecting it about -0.375 r gives class 2.
        let table = banana(20_000, 1);
        let mut mean = [[0.0; 2]; 2];
        for (i, row) in table.values.chunks_exact(2).enumerate() {
            mean[i % 2][0] += row[0] / 20_000.0;
            mean[i % 2][1] += row[1] / 20_000.0;
        }
        let s = (0.625 * PI).sin() / (0.625 * PI) * RADIUS;
        let expected = [s * (0.75 * PI).sin(), s * (0.75 * PI).cos()];
        for j in 0..2 {
            assert!((mean[0][j] - expected[j]).abs() < 0.1, "{mean:?} {expected:?}");
            assert!((mean[1][j] + mean[0][j] + 0.75 * RADIUS).abs() < 0.15, "{mean:?}");
        }
    }

    #[test]
    fn a_part_of_the_set_is_that_part_of_its_rows() {
        let whole = banana(40, 9);
        let mut source = Banana::new(80, 9);
        let mut parts = Table::default();
        for rows in [1, 6, 30, 50] {
            parts.push_block(&source.next(rows).unwrap().unwrap().decode().unwrap());
        }
        assert_eq!((parts.values, parts.codes), (whole.values, whole.codes));
        assert!(source.next(1).unwrap().is_none());
        // The first number of the set, as its first release drew it.
        let mut random = Random::new(9, 0);
        let angle = 0.125 * PI + ARC * random.uniform();
        assert_eq!(banana(1, 9).values[0], RADIUS * angle.sin() + random.normal_pair().0);
    }
}
