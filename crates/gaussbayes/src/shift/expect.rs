//! Sums rows up by their posteriors under several priors at once, in one pass.

use crate::classify::Classifier;
use crate::data::Block;
use crate::error::Error;
use crate::moments::Merge;
use crate::sweep::Sweep;
use crate::tolerance::SHIFT_RATIO;

/// What a step of the estimate needs of the rows \[M74\].
#[derive(Debug, Clone, PartialEq)]
pub struct ShiftStat {
    pub(super) rows: u64,
    pub(super) weight: f64,
    /// Σ w ln p(x) under the priors of the classifier.
    pub(super) log_likelihood: f64,
    pub(super) trials: Vec<Trial>,
}

/// What the rows say about some priors.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trial {
    /// Log-likelihood above that of the priors before, row by row, so that no digits of it cancel.
    pub(super) gain: f64,
    /// Σ w (1 + |gain of the row|), what rounding is measured by.
    pub(super) size: f64,
    /// Σ w g, the slope.
    pub(super) slope: Vec<f64>,
    /// Σ w g gᵀ, the information: lower triangle, row by row.
    pub(super) information: Vec<f64>,
}

impl Trial {
    fn empty(classes: usize) -> Self {
        let information = vec![0.0; classes * (classes + 1) / 2];
        Self { gain: 0.0, size: 0.0, slope: vec![0.0; classes], information }
    }

    /// Adds a row of which the class densities are `ratio` times p(x) under the priors before.
    fn add(&mut self, weight: f64, ratio: &[f64], priors: &[f64], g: &mut Vec<(usize, f64)>) {
        let total: f64 = ratio.iter().zip(priors).map(|(ratio, prior)| ratio * prior).sum();
        let gain = total.ln();
        self.gain += weight * gain;
        self.size += weight * (1.0 + gain.abs());
        // No class that these priors leave can have made the row: nobody will take them.
        if total <= 0.0 {
            return;
        }
        g.clear();
        let seen = ratio.iter().enumerate().filter(|(_, ratio)| **ratio > 0.0);
        g.extend(seen.map(|(k, ratio)| (k, (ratio / total).min(SHIFT_RATIO))));
        for (at, &(k, own)) in g.iter().enumerate() {
            self.slope[k] += weight * own;
            let row = k * (k + 1) / 2;
            for &(j, other) in &g[..=at] {
                self.information[row + j] += weight * own * other;
            }
        }
    }
}

impl Merge for Trial {
    fn merge(mut self, later: Self) -> Self {
        let add = |a: &mut Vec<f64>, b: Vec<f64>| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        self.gain += later.gain;
        self.size += later.size;
        add(&mut self.slope, later.slope);
        add(&mut self.information, later.information);
        self
    }
}

impl Merge for ShiftStat {
    fn merge(self, later: Self) -> Self {
        Self {
            rows: self.rows + later.rows,
            weight: self.weight + later.weight,
            log_likelihood: self.log_likelihood + later.log_likelihood,
            trials: self.trials.merge(later.trials),
        }
    }
}

/// The sums of several priors, of the classes that can come.
pub(super) struct ShiftSweep<'a> {
    pub(super) classifier: &'a Classifier,
    /// Classes whose prior is not 0.
    pub(super) possible: &'a [usize],
    /// Their priors before.
    pub(super) before: &'a [f64],
    pub(super) trials: &'a [Vec<f64>],
}

impl Sweep for ShiftSweep<'_> {
    type Stat = ShiftStat;

    fn block(&self, block: &Block<'_>) -> Result<ShiftStat, Error> {
        let classes = self.possible.len();
        let scores = self.classifier.scores(block)?;
        let columns = scores.components;
        let shares = scores.into_shares();
        let trials = vec![Trial::empty(classes); self.trials.len()];
        let mut stat = ShiftStat { rows: 0, weight: 0.0, log_likelihood: 0.0, trials };
        let (mut ratio, mut g) = (vec![0.0; classes], Vec::with_capacity(classes));
        for (i, posterior) in shares.probabilities.chunks_exact(columns).enumerate() {
            let weight = block.weight(i);
            if weight <= 0.0 {
                continue;
            }
            stat.rows += 1;
            stat.weight += weight;
            stat.log_likelihood += weight * shares.log_evidence[i];
            for (ratio, (&k, before)) in ratio.iter_mut().zip(self.possible.iter().zip(self.before))
            {
                *ratio = (posterior[k] / before).min(f64::MAX);
            }
            for (trial, priors) in stat.trials.iter_mut().zip(self.trials) {
                trial.add(weight, &ratio, priors, &mut g);
            }
        }
        Ok(stat)
    }
}
