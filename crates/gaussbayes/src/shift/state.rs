//! Holds where the estimate of priors stands, and takes it one pass on \[M74\].

use super::expect::{ShiftStat, ShiftSweep, Trial};
use super::information::standard_errors;
use super::newton::highest;
use super::{PriorShift, p_value};
use crate::classify::Classifier;
use crate::data::Source;
use crate::error::Error;
use crate::sweep::{On, run};
use crate::tolerance::{
    FALL_ROUNDING, SHIFT_GAIN, SHIFT_PASSES, SHIFT_SHARES, SHIFT_SHORTER, SHIFT_SURE,
};

/// Where the estimate stands: priors so far, and those that the next pass over the rows looks at.
#[derive(Debug, Clone)]
pub struct ShiftState<'a> {
    classifier: &'a Classifier,
    /// Classes that can come: all else is in their order.
    possible: Vec<usize>,
    before: Vec<f64>,
    priors: Vec<f64>,
    trials: Vec<Vec<f64>>,
    best: Option<Trial>,
    /// Where the quadratic about the priors is highest.
    target: Vec<f64>,
    /// What of log-likelihood is still in sight.
    in_sight: f64,
    /// What is left of steps after those that did not gain.
    reach: f64,
    passes: u32,
    converged: bool,
    log_likelihood: f64,
    rows: u64,
    weight: f64,
}

impl<'a> ShiftState<'a> {
    /// Starts at the priors of a classifier.
    pub fn new(classifier: &'a Classifier) -> Self {
        let before = classifier.priors();
        let possible: Vec<usize> = (0..before.len()).filter(|&k| before[k] > 0.0).collect();
        let before: Vec<f64> = possible.iter().map(|&k| before[k]).collect();
        Self {
            classifier,
            possible,
            priors: before.clone(),
            trials: vec![before.clone()],
            before,
            best: None,
            target: Vec::new(),
            in_sight: f64::INFINITY,
            reach: 1.0,
            passes: 0,
            converged: false,
            log_likelihood: 0.0,
            rows: 0,
            weight: 0.0,
        }
    }

    /// Whether nothing is left to do: the priors stand, or there were too many passes.
    pub fn is_done(&self) -> bool {
        self.converged || self.passes >= SHIFT_PASSES
    }

    /// What some rows say about the priors of the next step. Statistics of other rows merge with it.
    ///
    /// # Errors
    /// What the source or its rows refuse; [`Error::NoRows`] where none has a weight.
    pub fn partial<S: Source>(&self, source: &mut S, on: On<'_>) -> Result<ShiftStat, S::Error> {
        let sweep = ShiftSweep {
            classifier: self.classifier,
            possible: &self.possible,
            before: &self.before,
            trials: &self.trials,
        };
        let stat = run(&sweep, source, on)?;
        if stat.rows == 0 {
            return Err(Error::NoRows.into());
        }
        Ok(stat)
    }

    /// Takes the best of the priors that the rows were asked about, and says which to ask about next.
    pub fn step(&mut self, stat: &ShiftStat) {
        self.passes += 1;
        (self.rows, self.weight) = (stat.rows, stat.weight);
        self.log_likelihood = stat.log_likelihood;
        let best = stat.trials.iter().zip(&self.trials);
        let Some((trial, priors)) = best.max_by(|a, b| a.0.gain.total_cmp(&b.0.gain)) else {
            return;
        };
        let standing = self.best.as_ref().unwrap_or(trial);
        let (before, rounding) = (standing.gain, FALL_ROUNDING * standing.size);
        if trial.gain >= before - rounding {
            let (target, in_sight) = highest(priors, &trial.slope, &trial.information, self.weight);
            // Gains below the rounding of sums are still gains as long as they fall.
            let stuck = in_sight <= rounding && in_sight > 0.5 * self.in_sight;
            (self.best, self.priors) = (Some(trial.clone()), priors.clone());
            (self.target, self.in_sight, self.reach) = (target, in_sight, 1.0);
            self.converged = in_sight <= SHIFT_GAIN || stuck;
        } else {
            self.converged = self.in_sight <= rounding;
            self.reach *= SHIFT_SHORTER;
        }
        self.look_on();
    }

    /// Chooses the priors that the next pass looks at.
    fn look_on(&mut self) {
        let part = |share: f64| {
            let share = share * self.reach;
            let pairs = self.priors.iter().zip(&self.target);
            pairs.map(|(from, to)| from + share * (to - from)).collect::<Vec<f64>>()
        };
        let sure = self.in_sight < SHIFT_SURE && self.reach == 1.0;
        let shares = if sure { &SHIFT_SHARES[..1] } else { &SHIFT_SHARES };
        let mut trials: Vec<Vec<f64>> = shares.iter().map(|&share| part(share)).collect();
        if let Some(best) = self.best.as_ref().filter(|_| !sure) {
            // Posteriors averaged over the rows: EM, which cannot lose.
            let pairs = self.priors.iter().zip(&best.slope);
            trials.push(pairs.map(|(prior, slope)| prior * slope / self.weight).collect());
        }
        for trial in &mut trials {
            let sum: f64 = trial.iter().sum();
            trial.iter_mut().for_each(|prior| *prior /= sum);
        }
        self.trials = trials;
    }

    /// What has been found so far.
    pub fn shift(&self) -> PriorShift {
        let before = self.classifier.priors();
        let (mut after, mut errors) = (vec![0.0; before.len()], vec![None; before.len()]);
        let (mut found, mut gain) = (vec![None; self.possible.len()], 0.0);
        if let Some(best) = &self.best {
            found = standard_errors(&self.priors, &best.information, self.weight);
            gain = best.gain.max(0.0);
        }
        for ((&k, prior), error) in self.possible.iter().zip(&self.priors).zip(found) {
            (after[k], errors[k]) = (*prior, error);
        }
        let degrees_of_freedom = self.possible.len().saturating_sub(1);
        let statistic = 2.0 * gain;
        PriorShift {
            before,
            after,
            standard_errors: errors,
            log_likelihood_before: self.log_likelihood,
            log_likelihood_after: self.log_likelihood + gain,
            statistic,
            degrees_of_freedom,
            p_value: p_value(degrees_of_freedom, statistic),
            iterations: self.passes,
            converged: self.converged,
            rows: self.rows,
            weight: self.weight,
        }
    }
}
