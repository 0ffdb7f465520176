//! Takes single rows out of the statistic of all, and steps without them \[M69\].

use super::altered::{Change, again, step_altered};
use super::expect::{EmStat, EmSweep};
use super::movement::{Movement, information};
use super::state::EmState;
use crate::data::{Block, Source};
use crate::error::Error;
use crate::mixture::{Covariances, Mixture};
use crate::sweep::{On, Sweep};
use crate::tolerance::{LEVERAGE_MAX, REFIT_BATCH};

/// The statistic of all rows under a state, and the parameters that follow from it.
pub(super) struct Lever {
    state: EmState,
    full: EmStat,
    base: Mixture,
}

impl EmStat {
    /// The statistic without a row of which this is the statistic.
    fn without(&self, row: &Self) -> Self {
        let mut moments = self.moments.clone();
        for (k, weight) in row.moments.weight().iter().enumerate().filter(|(_, w)| **w > 0.0) {
            let mean: Vec<f64> = row.moments.mean_in(k, self.moments.frame()).collect();
            moments = moments.without(k, &mean, *weight);
        }
        Self {
            moments,
            log_evidence: self.log_evidence - row.log_evidence,
            size: self.size - row.size,
            entropy: self.entropy - row.entropy,
            log_best: self.log_best - row.log_best,
            weight: self.weight - row.weight,
            rows: self.rows - row.rows,
            noise_weight: (self.noise_weight - row.noise_weight).max(0.0),
            tails: self.tails.clone().zip(row.tails.as_ref()).map(|(all, row)| all.without(row)),
            worst: self.worst.clone(),
            single: self.single,
        }
    }
}

impl Lever {
    /// One pass over the rows.
    pub(super) fn of<S: Source>(
        state: &EmState,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let state = again(state)?;
        source.rewind()?;
        let full = state.partial(source, on)?;
        let mut stepped = state.clone();
        stepped.step(&full)?;
        let base = stepped.mixture().clone();
        Ok(Self { state, full, base })
    }

    pub(super) fn weight(&self) -> f64 {
        self.full.weight()
    }

    /// Components that are measured.
    pub(super) fn components(&self) -> usize {
        self.base.components()
    }

    /// Squared distances of a block's rows from every component.
    pub(super) fn distances(&self, block: &Block<'_>) -> Result<Vec<f64>, Error> {
        self.base.mahalanobis_sq(block)
    }

    /// What row `i` of a block adds to the statistic.
    pub(super) fn alone(&self, block: &Block<'_>, i: usize) -> Result<EmStat, Error> {
        let stats = EmSweep::new(vec![self.state.expectation()]).block(&block.picked(&[i])?)?;
        stats.into_iter().next().ok_or(Error::NoRows)
    }

    /// About how far a row moves the component that it moves most, by Fisher's information: exact where every
    /// component has a covariance of its own that nothing constrains.
    pub(super) fn length(&self, alone: &EmStat, distances: &[f64]) -> f64 {
        let dim = self.base.dim() as f64;
        let shared = matches!(self.base.covariances(), Covariances::Shared(_));
        let all: f64 = self.full.moments.weight().iter().sum();
        let one = |(k, distance): (usize, &f64)| {
            let (own, class) = (alone.moments.weight()[k], self.full.moments.weight()[k]);
            let left = class - own;
            if own > 0.0 && left <= 0.0 {
                return f64::INFINITY;
            }
            let (share, grown) = (own / left, class / left * distance);
            let spread = if shared { own / (all - own) } else { share };
            let squares = (dim - 1.0 + (1.0 - grown).powi(2)).sqrt();
            information(share * distance.sqrt(), spread * squares)
        };
        distances.iter().enumerate().map(one).fold(0.0, f64::max)
    }

    /// Whether the row can be subtracted: enough digits of every scatter stay.
    pub(super) fn is_light(&self, alone: &EmStat, distances: &[f64]) -> bool {
        distances.iter().enumerate().all(|(k, distance)| {
            let (own, class) = (alone.moments.weight()[k], self.full.moments.weight()[k]);
            own <= LEVERAGE_MAX * class && own / (class - own) * distance <= LEVERAGE_MAX
        })
    }

    /// What one M-step moves without a row that can be subtracted.
    pub(super) fn step(&self, alone: &EmStat) -> Movement {
        let mut state = self.state.clone();
        match state.step(&self.full.without(alone)) {
            Ok(()) => Movement::between(&self.base, state.mixture()),
            Err(_) => Movement::lost(self.components()),
        }
    }

    /// The same without rows that cannot: the others are summed up anew.
    pub(super) fn steps<S: Source>(
        &self,
        rows: &[u64],
        source: &mut S,
        on: On<'_>,
    ) -> Result<Vec<Movement>, S::Error> {
        let mut all = Vec::with_capacity(rows.len());
        for batch in rows.chunks(REFIT_BATCH) {
            let changes: Vec<Change> = batch.iter().map(|row| Change::Without(*row)).collect();
            for stepped in step_altered(&self.state, &changes, source, on)? {
                all.push(match stepped {
                    Ok(mixture) => Movement::between(&self.base, &mixture),
                    Err(_) => Movement::lost(self.components()),
                });
            }
        }
        Ok(all)
    }
}
