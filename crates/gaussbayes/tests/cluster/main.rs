//! Runs EM against references that others computed, and against its own laws.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

#[path = "../support/mod.rs"]
mod support;

mod bootstrap;
mod choice;
mod combine;
mod influence;
mod laws;
mod references;
mod restarts;
mod samples;
mod starts;

use std::ops::ControlFlow;

use gaussbayes::{EmSpec, EmStat, EmState, Error, Family, On, Pool, StopRule, Table, em};

/// EM from the labels of a table, as far as the specification says.
fn from_labels(spec: &EmSpec, table: &Table) -> Result<EmState, Error> {
    let stat = support::stat(&spec.covariance, table)?;
    let (_, moments) = stat.sorted();
    let first = spec.covariance.estimate(&moments, &spec.priors, None)?;
    EmState::new(spec.clone(), first.mixture)
}

/// Runs EM on a table by one thread.
fn run_em(state: &mut EmState, table: &Table) -> Result<(), Error> {
    let pool = Pool::new(1)?;
    em(state, &mut table.source(), On::pool(&pool), &mut |_| ControlFlow::Continue(()))
}

/// The statistic of a table under a state.
fn pass(state: &EmState, table: &Table) -> Result<EmStat, Error> {
    state.partial(&mut table.source(), On::pool(&Pool::new(1)?))
}

/// A family to be run to a fixed point.
fn fixed_point(family: Family) -> EmSpec {
    let mut spec = EmSpec::from(family);
    spec.stop.rule = StopRule::Parameters;
    spec.stop.tolerance = 1e-13;
    spec.stop.max_iterations = 20_000;
    spec
}
