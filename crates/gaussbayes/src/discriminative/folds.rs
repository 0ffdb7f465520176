//! Fits a softmax to everything but each fold, all of them in the same passes.

use super::report::SoftmaxFit;
use super::spec::SoftmaxSpec;
use super::state::SoftmaxState;
use super::sweep::{SoftmaxStat, SoftmaxSweep};
use crate::data::{Block, Folds, Source};
use crate::error::Error;
use crate::sweep::{LabelStat, On, Sweep, run};

/// The next pass of those that are not done, each with the number of its fold.
struct FoldsSweep<'a> {
    folds: Folds,
    sweeps: Vec<(usize, SoftmaxSweep<'a>)>,
}

impl Sweep for FoldsSweep<'_> {
    type Stat = Vec<SoftmaxStat>;

    fn block(&self, block: &Block<'_>) -> Result<Vec<SoftmaxStat>, Error> {
        let own = self.folds.of_rows(block.first_row(), block.rows().count());
        let one =
            |(fold, sweep): &(usize, SoftmaxSweep<'_>)| sweep.of_some(block, |i| own[i] != *fold);
        self.sweeps.iter().map(one).collect()
    }
}

/// One softmax for everything but each fold, from the statistics of all rows but those; one that cannot be fitted is an
/// error of its own.
///
/// # Errors
/// What the source or its rows refuse.
pub(crate) fn softmax_folds<S: Source>(
    spec: &SoftmaxSpec,
    training: Vec<LabelStat>,
    folds: Folds,
    source: &mut S,
    on: On<'_>,
) -> Result<Vec<Result<SoftmaxFit, Error>>, S::Error> {
    let mut states: Vec<Result<SoftmaxState, Error>> =
        training.into_iter().map(|stat| SoftmaxState::new(*spec, stat)).collect();
    loop {
        let waiting = |(fold, state): (usize, &Result<SoftmaxState, Error>)| {
            state.as_ref().is_ok_and(|state| !state.is_done()).then_some(fold)
        };
        let waiting: Vec<usize> = states.iter().enumerate().filter_map(waiting).collect();
        if waiting.is_empty() {
            break;
        }
        let steps: Vec<Option<Vec<f64>>> =
            states.iter().map(|state| state.as_ref().ok().and_then(SoftmaxState::latest)).collect();
        let sweeps = waiting.iter().filter_map(|&fold| {
            let state = states[fold].as_ref().ok()?;
            Some((fold, state.sweep(steps[fold].as_deref())))
        });
        let sweep = FoldsSweep { folds, sweeps: sweeps.collect() };
        source.rewind()?;
        let stats = run(&sweep, source, on)?;
        for (&fold, stat) in waiting.iter().zip(&stats) {
            let state = &mut states[fold];
            if let Ok(running) = state
                && let Err(error) = running.step(stat)
            {
                *state = Err(error);
            }
        }
    }
    Ok(states.into_iter().map(|state| state.and_then(|state| state.fit())).collect())
}
