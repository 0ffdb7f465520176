//! Starts EM many times, runs a little of each, and ends the best of them.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::{Sampled, Start, Starts, start_from};
use crate::cluster::{EmSpec, EmState, Outliers, Stop, em};
use crate::error::Error;
use crate::mixture::Mixture;
use crate::sweep::{On, Pool, tasks};
use crate::tolerance::{COARSE, LONG_RUNS, SHORT_BATCH, SHORT_ITERATIONS, SIBLING_ITERATIONS};

/// The best of several starts, and how each of them did.
#[derive(Debug, Clone, PartialEq)]
pub struct Restarts {
    /// Where the best run came to on the sample.
    pub best: EmState,
    /// Where that run began.
    pub first: EmState,
    /// Which run that is; of Student components from the end of Gaussian ones, the run of those.
    pub chosen: usize,
    /// What EM raised on the sample as far as each run was taken; none of one that was refused, collapsed or
    /// lost a component.
    pub log_likelihoods: Vec<Option<f64>>,
    /// Runs that were refused, and why.
    pub refused: Vec<(usize, Error)>,
}

impl Starts<'_> {
    /// Takes each start some iterations on, the best of these to the end, and keeps the best.
    ///
    /// A run that lost a component, or whose covariances a guard keeps from collapse, is worse than any other,
    /// whatever its likelihood. A run that is refused does not stop the others. Student components start where
    /// Gaussian ones end too, which are as good as a case of them.
    ///
    /// # Errors
    /// That of the first run where all are refused; [`Error::Cancelled`].
    pub fn best_of(
        &self,
        spec: &EmSpec,
        components: usize,
        runs: &[(Start, u64)],
        on: On<'_>,
    ) -> Result<Restarts, Error> {
        let gaussian = match spec.outliers {
            Outliers::Student(_) => {
                let gaussian = EmSpec { outliers: Outliers::Ignored, ..spec.clone() };
                self.best_gaussian(&gaussian, components, runs, on)?
            }
            Outliers::Ignored | Outliers::Noise => None,
        };
        let begin = |run: usize, on: On<'_>| match (runs.get(run), &gaussian) {
            (Some(&(start, number)), _) => self.begin(spec, components, start, number, on),
            (None, Some(found)) => EmState::new(spec.clone(), found.best.mixture().clone()),
            (None, None) => Err(Error::NoRows),
        };
        let count = runs.len() + usize::from(gaussian.is_some());
        let mut found = self.best_begun(spec.stop, ROUND, count, &begin, on)?;
        if let Some(gaussian) = gaussian.filter(|_| found.chosen == runs.len()) {
            found.chosen = gaussian.chosen;
        }
        Ok(found)
    }

    /// The best of Gaussian components from the same starts, outliers among their rows; none where all are refused.
    fn best_gaussian(
        &self,
        spec: &EmSpec,
        components: usize,
        runs: &[(Start, u64)],
        on: On<'_>,
    ) -> Result<Option<Restarts>, Error> {
        let begin = |run: usize, on: On<'_>| {
            let (start, number) = runs[run];
            let belonging = self.among_all(components, start, number, on)?;
            start_from(spec, components, &self.sampled, &belonging, on)
        };
        match self.best_begun(spec.stop, ROUND, runs.len(), &begin, on) {
            Ok(found) => Ok(Some(found)),
            Err(error @ Error::Cancelled { .. }) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The same of parameters that other mixtures have come to.
    ///
    /// # Errors
    /// As for [`Starts::best_of`].
    pub(crate) fn best_from(
        &self,
        spec: &EmSpec,
        mixtures: &[&Mixture],
        on: On<'_>,
    ) -> Result<Restarts, Error> {
        let begin = |run: usize, _: On<'_>| EmState::new(spec.clone(), mixtures[run].clone());
        self.best_begun(spec.stop, SECOND_ROUND, mixtures.len(), &begin, on)
    }

    fn best_begun(
        &self,
        stop: Stop,
        round: Round,
        runs: usize,
        begin: &(impl Fn(usize, On<'_>) -> Result<EmState, Error> + Sync),
        on: On<'_>,
    ) -> Result<Restarts, Error> {
        let shorter = |iterations: u32| Stop {
            tolerance: COARSE * stop.tolerance,
            max_iterations: iterations.min(stop.max_iterations),
            ..stop
        };
        // One alone has nothing to be compared with, and is where it began.
        let only = runs == 1;
        let tried = if only { 0 } else { round.iterations };
        let mut refused = Vec::new();
        let mut found = Vec::new();
        // A task that waits for its own pool would wait for ever.
        let alone = Pool::new(1)?;
        for first in (0..runs).step_by(SHORT_BATCH) {
            let count = SHORT_BATCH.min(runs - first);
            let outcomes = tasks(count, self.sampled.rows(), on, |at| {
                let on = on.on(&alone);
                let begun = begin(first + at, on);
                watched(begun.and_then(|state| further(&state, shorter(tried), &self.sampled, on)))
            })?;
            for (at, outcome) in outcomes.into_iter().enumerate() {
                match outcome {
                    Ok(state) => found.push((first + at, state)),
                    Err(error) => refused.push((first + at, error)),
                }
            }
        }
        found.sort_by(|a, b| by_rank(&a.1, &b.1));
        let kept = round.kept.min(found.len());
        if kept > 1 {
            let longer = tasks(kept, self.sampled.rows(), on, |at| {
                watched(further(&found[at].1, shorter(u32::MAX), &self.sampled, on.on(&alone)))
            })?;
            for ((_, state), longer) in found.iter_mut().zip(longer) {
                // A run that fails later on is still a start where it was.
                if let Ok(longer) = longer {
                    *state = longer;
                }
            }
            found[..kept].sort_by(|a, b| by_rank(&a.1, &b.1));
        }
        let mut log_likelihoods = vec![None; runs];
        let clean = found.iter().filter(|(_, state)| state.is_clean());
        clean.for_each(|(run, state)| log_likelihoods[*run] = log_likelihood(state));
        // The first that reaches its end as it was asked for, were it the last of the short runs; only where
        // none does, the best of the others.
        let mut best: Option<(usize, EmState)> = None;
        let begun = found.first().filter(|_| only);
        let begun = begun.map(|(_, state)| state.clone().with_stop(stop)).transpose()?;
        for (run, state) in found {
            match further(&state, stop, &self.sampled, on) {
                Ok(state) => {
                    log_likelihoods[run] = log_likelihood(&state).filter(|_| state.is_clean());
                    if best.as_ref().is_none_or(|(_, best)| by_rank(&state, best).is_lt()) {
                        best = Some((run, state));
                    }
                }
                Err(error @ Error::Cancelled { .. }) => return Err(error),
                Err(error) => refused.push((run, error)),
            }
            if best.as_ref().is_some_and(|(_, state)| state.is_clean()) {
                break;
            }
        }
        match best {
            Some((chosen, best)) => {
                let first = begun.map_or_else(|| begin(chosen, on), Ok)?;
                Ok(Restarts { best, first, chosen, log_likelihoods, refused })
            }
            None => Err(refused.into_iter().next().map_or(Error::NoRows, |(_, error)| error)),
        }
    }
}

/// How long each of several runs is tried, and how many of the best go on.
#[derive(Clone, Copy)]
struct Round {
    iterations: u32,
    kept: usize,
}

const ROUND: Round = Round { iterations: SHORT_ITERATIONS, kept: LONG_RUNS };
const SECOND_ROUND: Round = Round { iterations: SIBLING_ITERATIONS, kept: 1 };

/// What came of a run, unless somebody wants all of them to end.
fn watched(outcome: Result<EmState, Error>) -> Result<Result<EmState, Error>, Error> {
    match outcome {
        Err(error @ Error::Cancelled { .. }) => Err(error),
        outcome => Ok(outcome),
    }
}

/// The same state on the sample, until it ends.
fn further(state: &EmState, stop: Stop, sampled: &Sampled, on: On<'_>) -> Result<EmState, Error> {
    let mut state = state.clone().with_stop(stop)?;
    let source = &mut sampled.table().source();
    em(&mut state, source, on, &mut |_| ControlFlow::Continue(()))?;
    Ok(state)
}

fn log_likelihood(state: &EmState) -> Option<f64> {
    state.pass().map(|pass| pass.log_likelihood)
}

/// The better state first: every component there, no guard at work, then the likelihood.
pub(crate) fn by_rank(a: &EmState, b: &EmState) -> Ordering {
    let key = |state: &EmState| {
        let unclean = (state.dropped(), !state.lifted().is_empty());
        (unclean, log_likelihood(state).unwrap_or(f64::NEG_INFINITY))
    };
    let (a, b) = (key(a), key(b));
    a.0.cmp(&b.0).then(b.1.total_cmp(&a.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::banana;
    use crate::{Belonging, Family, start_from};

    #[test]
    fn a_run_that_needs_the_guard_is_worse_than_any_that_does_not() {
        let (rows, pool) = (banana(20, 1), Pool::new(1).unwrap());
        let on = On::pool(&pool);
        let sampled = Sampled::draw(&mut rows.source(), 100, 1, on).unwrap();
        let belonging = Belonging::Codes(sampled.codes().unwrap().to_vec());
        let state = start_from(&EmSpec::from(Family::Vvv), 2, &sampled, &belonging, on).unwrap();
        let stop = Stop { max_iterations: 2, ..state.spec().stop };
        let saved = further(&state, stop, &sampled, on).unwrap().saved();
        let with = |lifted: Vec<usize>, log_likelihood: f64| {
            let mut saved = saved.clone();
            saved.lifted = lifted;
            if let Some(pass) = &mut saved.pass {
                pass.log_likelihood = log_likelihood;
            }
            EmState::from_saved(saved).unwrap()
        };
        let (low, high, lifted) = (with(vec![], -9.0), with(vec![], -8.0), with(vec![1], 7.0));
        let mut states = [&state, &lifted, &low, &high];
        states.sort_by(|a, b| by_rank(a, b));
        assert!(states == [&high, &low, &state, &lifted]);
    }
}
