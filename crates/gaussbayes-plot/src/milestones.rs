//! Chooses the iterations of EM to show: where the likelihood has risen by equal shares.

use std::ops::ControlFlow;

use gaussbayes::{EmState, On, Table, em as run_em};

use crate::error::PlotError;

/// EM on some rows from a start to its end: the start, the end, and at most `most` states in all, such that the
/// log-likelihood rises by about the same from each to the next. Where nothing rises these are iterations in a row.
///
/// # Errors
/// What the rows and EM refuse.
pub fn milestones(
    start: &EmState,
    rows: &Table,
    most: usize,
    on: On<'_>,
) -> Result<Vec<EmState>, PlotError> {
    let mut all = vec![start.clone()];
    let mut state = start.clone();
    run_em(&mut state, &mut rows.source(), on, &mut |state| {
        all.push(state.clone());
        ControlFlow::Continue(())
    })?;
    // A pass knows the likelihood of the state before it.
    let rises: Vec<f64> =
        all.iter().filter_map(|state| state.pass().map(|pass| pass.log_likelihood)).collect();
    let (Some(first), Some(last)) = (rises.first(), rises.last()) else { return Ok(all) };
    let (first, gain) = (*first, last - first);
    let steps = most.max(2) - 1;
    let mut chosen = vec![0];
    for step in 1..steps {
        let reached = first + gain * step as f64 / steps as f64;
        let at = rises.iter().position(|value| *value >= reached).unwrap_or(step);
        let next = chosen.last().map_or(0, |last| last + 1);
        chosen.push(at.max(next));
    }
    chosen.retain(|at| *at < all.len() - 1);
    chosen.push(all.len() - 1);
    Ok(chosen.into_iter().map(|at| all[at].clone()).collect())
}
