//! Runs EM on rows of which one is left out, or lies elsewhere: several such runs in the same passes.

use super::expect::{EmStat, EmSweep};
use super::saved::Saved;
use super::spec::EmSpec;
use super::state::EmState;
use super::stop::{Stop, StopRule};
use crate::data::{Block, Source};
use crate::error::Error;
use crate::mixture::Mixture;
use crate::sweep::{On, Sweep, run};
use crate::tolerance::{EM_ITERATIONS, REFIT_LEAST, REFIT_STEP};

/// What is done to the rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    Nothing,
    /// The row of this number is left out.
    Without(u64),
    /// It has other values.
    Moved(u64, Vec<f64>),
}

impl Change {
    /// The place of the changed row in a block that has it.
    fn place(&self, block: &Block<'_>) -> Option<usize> {
        let (Self::Without(row) | Self::Moved(row, _)) = self else { return None };
        let place = usize::try_from(row.checked_sub(block.first_row())?).ok()?;
        (place < block.rows().count()).then_some(place)
    }
}

/// The E-step of states, each on rows with a change of its own.
struct AlteredSweep<'a>(Vec<(&'a EmState, &'a Change)>);

impl Sweep for AlteredSweep<'_> {
    type Stat = Vec<EmStat>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<EmStat>, Error> {
        let mut stats = Vec::with_capacity(self.0.len());
        for (state, change) in &self.0 {
            let sweep = EmSweep::new(vec![state.expectation()]);
            stats.extend(match (change.place(block), change) {
                (Some(place), Change::Moved(_, values)) => {
                    sweep.block(&block.replaced(place, values)?)?
                }
                (Some(place), Change::Without(_)) => {
                    let weight = |i: usize| if i == place { 0.0 } else { block.weight(i) };
                    let weights = (0..block.rows().count()).map(weight).collect();
                    sweep.block(&block.reweighted(weights)?)?
                }
                _ => sweep.block(block)?,
            });
        }
        Ok(stats)
    }
}

/// The same parameters and specification before any iteration.
pub(super) fn again(state: &EmState) -> Result<EmState, Error> {
    let (recent, events) = (Vec::new(), Vec::new());
    let fresh =
        Saved { iteration: 0, recent, pass: None, converged: false, events, ..state.saved() };
    EmState::from_saved(fresh)
}

/// The same state, to be run until what a single row moves is settled \[M69\].
pub(super) fn to_the_end(state: &EmState, weight: f64) -> Result<EmState, Error> {
    let EmSpec { stop, .. } = state.spec();
    let stop = Stop {
        rule: StopRule::Parameters,
        tolerance: (REFIT_STEP / weight).max(REFIT_LEAST),
        max_iterations: stop.max_iterations.max(EM_ITERATIONS),
    };
    again(state)?.with_stop(stop)
}

/// One iteration from a state for each change: the parameters, or why there are none.
pub(super) fn step_altered<S: Source>(
    state: &EmState,
    changes: &[Change],
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<Mixture, Error>>, S::Error> {
    let state = again(state)?;
    source.rewind()?;
    let sweep = AlteredSweep(changes.iter().map(|change| (&state, change)).collect());
    let stats = run(&sweep, source, on)?;
    let stepped = |stat: &EmStat| {
        let mut state = state.clone();
        state.step(stat).map(|()| state.mixture().clone())
    };
    Ok(stats.iter().map(stepped).collect())
}

/// EM from a state to its end for each change, all of them in the same passes.
pub(super) fn em_altered<S: Source>(
    state: &EmState,
    changes: &[Change],
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<EmState, Error>>, S::Error> {
    let mut runs: Vec<Result<EmState, Error>> = vec![Ok(state.clone()); changes.len()];
    loop {
        let is_open = |run: &Result<EmState, Error>| run.as_ref().is_ok_and(|run| !run.is_done());
        let open: Vec<usize> = (0..runs.len()).filter(|&at| is_open(&runs[at])).collect();
        if open.is_empty() {
            return Ok(runs);
        }
        source.rewind()?;
        let pair = |&at: &usize| runs[at].as_ref().ok().map(|run| (run, &changes[at]));
        let stats = run(&AlteredSweep(open.iter().filter_map(pair).collect()), source, on)?;
        for (at, stat) in open.into_iter().zip(&stats) {
            if let Ok(run) = &mut runs[at]
                && let Err(error) = run.step(stat)
            {
                runs[at] = Err(error);
            }
        }
    }
}
