//! Measures how far probabilities can be taken at their word \[M82\].

use crate::posterior::Posterior;
use crate::tolerance::CALIBRATION_BINS;

/// Sums of the rows whose top probability lies in one bin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Bin {
    weight: f64,
    confidence: f64,
    hits: f64,
}

/// One bin of a reliability table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reliability {
    /// Least top probability of the bin.
    pub from: f64,
    /// Where the next bin begins; 1 belongs to the last.
    pub to: f64,
    /// Weight of its rows.
    pub weight: f64,
    /// Mean top probability of its rows; `None` without rows.
    pub confidence: Option<f64>,
    /// Share of its rows whose most probable class is the true one; `None` without rows.
    pub accuracy: Option<f64>,
}

/// What probabilities were and what came of them, by bins of the top probability.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Calibration {
    bins: [Bin; CALIBRATION_BINS],
}

impl Calibration {
    /// Counts a row: the most probable class is asked, whatever the decision was.
    pub(super) fn record(&mut self, posterior: &Posterior, i: usize, class: usize, weight: f64) {
        let top = posterior.relative(i).iter().position(|score| *score == 0.0).unwrap_or(0);
        let confidence = posterior.log_prob(i, top).exp();
        let place = (confidence * CALIBRATION_BINS as f64) as usize;
        let bin = &mut self.bins[place.min(CALIBRATION_BINS - 1)];
        bin.weight += weight;
        bin.confidence += weight * confidence;
        bin.hits += if top == class { weight } else { 0.0 };
    }

    pub(super) fn add(&mut self, later: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(&later.bins) {
            bin.weight += more.weight;
            bin.confidence += more.confidence;
            bin.hits += more.hits;
        }
    }

    pub(super) fn divided(mut self, by: f64) -> Self {
        for bin in &mut self.bins {
            bin.weight /= by;
            bin.confidence /= by;
            bin.hits /= by;
        }
        self
    }

    /// Σ |confidence − hits| over the bins, not yet divided by the weight of all rows.
    pub(super) fn gap(&self) -> f64 {
        self.bins.iter().map(|bin| (bin.confidence - bin.hits).abs()).sum()
    }

    pub(super) fn table(&self) -> Vec<Reliability> {
        let edge = |b: usize| b as f64 / CALIBRATION_BINS as f64;
        let bin = |(b, bin): (usize, &Bin)| {
            let mean = |sum: f64| (bin.weight > 0.0).then(|| sum / bin.weight);
            Reliability {
                from: edge(b),
                to: edge(b + 1),
                weight: bin.weight,
                confidence: mean(bin.confidence),
                accuracy: mean(bin.hits),
            }
        };
        self.bins.iter().enumerate().map(bin).collect()
    }
}

/// Σ_k (p_k − 1{k = class})² of row `i` \[M82\]: 0 for certain and right, 2 for certain and wrong. A class that has no
/// probability is one with probability 0.
pub(super) fn brier(posterior: &Posterior, i: usize, class: usize) -> f64 {
    // 1 − p as the sum of the others: it has digits where p is nearly 1.
    let others = posterior.probs(i).enumerate().filter(|(k, _)| *k != class);
    let (rest, squares) = others.fold((0.0, 0.0), |(sum, sq), (_, p)| (sum + p, sq + p * p));
    rest * rest + squares
}
