//! Sums rows up by their posterior under a mixture: the E-step of a block, and no more of it.

use super::spec::{Assign, OnEmpty};
use super::state::EmState;
use crate::data::Block;
use crate::decide::Loss;
use crate::error::Error;
use crate::mixture::Score;
use crate::moments::{Frame, Memberships, Merge, Moments, framed};
use crate::sweep::{Sweep, check_classes};

/// The row that a mixture explains worst.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Worst {
    pub(super) log_density: f64,
    pub(super) values: Vec<f64>,
}

/// All that an M-step, a criterion or a stop rule needs of the rows \[M56\].
#[derive(Debug, Clone, PartialEq)]
pub struct EmStat {
    pub(super) moments: Moments,
    /// Σ w ln p(x).
    pub(super) log_evidence: f64,
    /// Σ w |ln p(x)|, what rounding is measured by.
    pub(super) size: f64,
    /// −Σ w Σ z ln z.
    pub(super) entropy: f64,
    /// Σ w ln z of the most probable component.
    pub(super) log_best: f64,
    /// Σ w.
    pub(super) weight: f64,
    pub(super) rows: u64,
    /// The rows that the mixture explains worst, as many as components, where empty ones are placed anew.
    pub(super) worst: Vec<Worst>,
}

impl EmStat {
    /// Moments of the rows under their memberships.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// The log-likelihood of the rows: Σ w ln p(x).
    pub fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// Entropy of the memberships, −Σ w Σ z ln z: 0 where no row is in doubt.
    pub fn entropy(&self) -> f64 {
        self.entropy
    }

    /// Σ w ln z of the most probable component of each row.
    pub fn log_best(&self) -> f64 {
        self.log_best
    }

    /// Rows of positive weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Weight of all rows.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// What EM raises: the log-likelihood, or that of the rows together with their components where these
    /// are hard.
    pub(super) fn objective(&self, assign: Assign) -> f64 {
        match assign {
            Assign::Soft => self.log_evidence,
            Assign::Hard => self.log_evidence + self.log_best,
        }
    }

    fn of_block(
        state: &EmState,
        block: &Block<'_>,
        frame: &Frame,
        framed: &[f64],
    ) -> Result<Self, Error> {
        let (spec, mixture) = (state.spec(), state.mixture());
        let (components, rows) = (mixture.components(), block.rows().count());
        let scores = mixture.scores(block)?;
        let codes: Option<Vec<u32>> = (spec.assign == Assign::Hard).then(|| {
            let best = Loss::zero_one(components).decide_scores(&scores);
            best.into_iter().map(|k| k as u32).collect()
        });
        let shares = scores.into_shares();
        let memberships = match &codes {
            Some(codes) => Memberships::Codes(codes),
            None => Memberships::Soft(&shares.probabilities),
        };
        let groups = memberships.groups(components, block);
        let storage = spec.storage();
        let mut stat = Self {
            moments: Moments::of_framed(frame, framed, &groups, storage),
            log_evidence: 0.0,
            size: 0.0,
            entropy: 0.0,
            log_best: 0.0,
            weight: 0.0,
            rows: 0,
            worst: Vec::new(),
        };
        for i in (0..rows).filter(|&i| block.weight(i) > 0.0) {
            let (weight, log_density) = (block.weight(i), shares.log_evidence[i]);
            stat.rows += 1;
            stat.weight += weight;
            stat.log_evidence += weight * log_density;
            stat.size += weight * log_density.abs();
            stat.entropy += weight * shares.entropy[i];
            stat.log_best += weight * shares.log_best[i];
        }
        if spec.on_empty == OnEmpty::Reseed {
            let density = |i: &usize| shares.log_evidence[*i];
            let mut order: Vec<usize> = (0..rows).filter(|&i| block.weight(i) > 0.0).collect();
            order.sort_by(|a, b| density(a).total_cmp(&density(b)));
            let row = |i: &usize| {
                let mut values = vec![0.0; block.rows().dim()];
                block.rows().read(*i, &mut values);
                Worst { log_density: density(i), values }
            };
            stat.worst = order.iter().take(components).map(row).collect();
        }
        Ok(stat)
    }
}

impl Merge for EmStat {
    fn merge(self, later: Self) -> Self {
        let mut worst = self.worst;
        worst.extend(later.worst);
        worst.sort_by(|a, b| a.log_density.total_cmp(&b.log_density));
        worst.truncate(self.moments.components());
        Self {
            moments: self.moments.merge(later.moments),
            log_evidence: self.log_evidence + later.log_evidence,
            size: self.size + later.size,
            entropy: self.entropy + later.entropy,
            log_best: self.log_best + later.log_best,
            weight: self.weight + later.weight,
            rows: self.rows + later.rows,
            worst,
        }
    }
}

/// The E-step of several mixtures in one pass over the rows.
#[derive(Debug, Clone)]
pub struct EmSweep<'a>(Vec<&'a EmState>);

impl<'a> EmSweep<'a> {
    /// The E-step of these.
    pub fn new(states: Vec<&'a EmState>) -> Self {
        Self(states)
    }
}

impl Sweep for EmSweep<'_> {
    type Stat = Vec<EmStat>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<EmStat>, Error> {
        let (frame, framed) = framed(block);
        let stat = |state: &&EmState| {
            let storage = state.spec().storage();
            check_classes(storage, state.mixture().components(), block.rows().dim())?;
            EmStat::of_block(state, block, &frame, &framed)
        };
        self.0.iter().map(stat).collect()
    }
}
