//! Puts columns on one scale: deviations over all rows \[M17\]; a constant column takes no part.

use std::collections::HashMap;

use super::Sampled;
use crate::error::Error;
use crate::moments::{Placed, Storage};

/// Rows of a sample in units of each column's deviation.
#[derive(Debug)]
pub(super) struct Standard {
    /// Columns that are not constant.
    pub(super) dim: usize,
    /// Values, row by row.
    pub(super) rows: Vec<f64>,
    /// A weight per row; the mean of all is one.
    pub(super) weights: Vec<f64>,
}

impl Standard {
    pub(super) fn of(sampled: &Sampled) -> Result<Self, Error> {
        let block = sampled.table().block(0..sampled.rows())?;
        let placed = Placed::of(&block);
        let frame = placed.frame();
        let framed = frame.apply(block.rows());
        let all = vec![(0..sampled.rows()).map(|i| (i, block.weight(i))).collect()];
        let moments = placed.moments(&all, Storage::Diagonal);
        let deviations = moments.deviations(frame)?;
        let columns: Vec<usize> = (0..frame.dim()).filter(|&j| deviations[j] > 0.0).collect();
        let mut rows = Vec::with_capacity(sampled.rows() * columns.len());
        for row in framed.chunks_exact(frame.dim()) {
            rows.extend(columns.iter().map(|&j| (row[j] - moments.mean(0)[j]) / deviations[j]));
        }
        let mean = moments.weight()[0] / sampled.rows() as f64;
        let weights = (0..sampled.rows()).map(|i| block.weight(i) / mean).collect();
        Ok(Self { dim: columns.len(), rows, weights })
    }

    pub(super) fn count(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.dim..(i + 1) * self.dim]
    }

    /// Which of the different rows each row is, and the first of each, in order.
    pub(super) fn distinct(&self) -> (Vec<u32>, Vec<usize>) {
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        let (mut which, mut first) = (Vec::with_capacity(self.count()), Vec::new());
        for i in 0..self.count() {
            // Adding zero makes −0 the 0 that it equals.
            let key = self.row(i).iter().map(|x| (x + 0.0).to_bits()).collect();
            let place = *known.entry(key).or_insert(first.len() as u32);
            if place as usize == first.len() {
                first.push(i);
            }
            which.push(place);
        }
        (which, first)
    }

    pub(super) fn distance_sq(&self, a: usize, b: usize) -> f64 {
        self.row(a).iter().zip(self.row(b)).map(|(a, b)| (a - b) * (a - b)).sum()
    }

    /// The nearest of some rows for every row, as its place among them; the earlier of two as near.
    pub(super) fn nearest(&self, centres: &[usize]) -> Vec<u32> {
        let nearest = |i: usize| {
            let distances = centres.iter().map(|&c| self.distance_sq(i, c)).enumerate();
            let best = distances.min_by(|a, b| a.1.total_cmp(&b.1));
            best.map_or(0, |(place, _)| place as u32)
        };
        (0..self.count()).map(nearest).collect()
    }
}
