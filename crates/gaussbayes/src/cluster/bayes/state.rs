//! Holds where variational Bayes stands, and takes it one iteration on \[M72\].

use std::ops::ControlFlow;

use super::super::expect::{EmStat, EmSweep, Expectation, Precision};
use super::super::stop::{Stop, StopRule, distance};
use super::{BayesPosterior, BayesPrior, BayesSpec};
use crate::cluster::Assign;
use crate::data::Source;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::Moments;
use crate::sweep::{On, run};
use crate::tolerance::RECENT;

/// What the latest iteration came to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesPass {
    /// The lower bound \[M73\] of the posterior after the iteration, but for what never changes.
    pub lower_bound: f64,
    /// What the stop rule measured, once it can.
    pub change: Option<f64>,
    /// Weight of all rows.
    pub weight: f64,
    /// Rows of positive weight.
    pub rows: u64,
}

/// Where variational Bayes stands: everything that the next iteration depends on, but for the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct BayesState {
    spec: BayesSpec,
    prior: BayesPrior,
    standing: Standing,
    iteration: u32,
    /// The latest lower bounds, as many as stop rules need, the latest last.
    recent: Vec<f64>,
    pass: Option<BayesPass>,
    converged: bool,
}

/// What rows belong to components by.
#[derive(Debug, Clone, PartialEq)]
enum Standing {
    /// Scores of an earlier run.
    Given(Box<Mixture>),
    /// Those of a posterior.
    Found(Box<BayesPosterior>),
}

impl BayesState {
    /// Goes on from the mixture that an earlier run came to: its scores are all that the next iteration needs.
    ///
    /// # Errors
    /// What [`BayesSpec::check`] refuses; [`Error::Shape`] for other components or columns than the prior's.
    pub fn new(spec: BayesSpec, prior: BayesPrior, mixture: Mixture) -> Result<Self, Error> {
        for (what, expected, found) in [
            ("components of the mixture", prior.components(), mixture.components()),
            ("columns of the mixture", prior.dim(), mixture.dim()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        Self::at(spec, prior, Standing::Given(Box::new(mixture)))
    }

    /// Starts from the posterior given some moments.
    ///
    /// # Errors
    /// What [`BayesSpec::check`] and [`BayesPrior::posterior`] refuse.
    pub fn after(spec: BayesSpec, prior: BayesPrior, moments: &Moments) -> Result<Self, Error> {
        let posterior = prior.posterior(moments)?;
        Self::at(spec, prior, Standing::Found(Box::new(posterior)))
    }

    fn at(spec: BayesSpec, prior: BayesPrior, standing: Standing) -> Result<Self, Error> {
        spec.check()?;
        let (recent, pass, converged) = (Vec::new(), None, false);
        Ok(Self { spec, prior, standing, iteration: 0, recent, pass, converged })
    }

    /// How the mixture is fitted.
    pub fn spec(&self) -> &BayesSpec {
        &self.spec
    }

    /// What was known before any row.
    pub fn prior(&self) -> &BayesPrior {
        &self.prior
    }

    /// What is known now; none where nothing but scores was taken up yet.
    pub fn posterior(&self) -> Option<&BayesPosterior> {
        match &self.standing {
            Standing::Given(_) => None,
            Standing::Found(posterior) => Some(posterior),
        }
    }

    /// The mixture whose scores are expected log densities.
    pub fn mixture(&self) -> &Mixture {
        match &self.standing {
            Standing::Given(mixture) => mixture,
            Standing::Found(posterior) => posterior.mixture(),
        }
    }

    /// Iterations done.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// What the latest iteration came to; none before the first.
    pub fn pass(&self) -> Option<&BayesPass> {
        self.pass.as_ref()
    }

    /// The lower bound that the latest iteration came to.
    pub fn lower_bound(&self) -> Option<f64> {
        self.pass.map(|pass| pass.lower_bound)
    }

    /// A lower bound of ln p(rows), with what never changes: what numbers of components and priors are compared
    /// by \[M73\].
    pub fn evidence_bound(&self) -> Option<f64> {
        let pass = self.pass?;
        Some(pass.lower_bound + self.prior.bound_constant(pass.weight)?)
    }

    /// Whether the stop rule was met.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// Whether nothing is left to do: converged, or out of iterations.
    pub fn is_done(&self) -> bool {
        self.converged || self.iteration >= self.spec.stop.max_iterations
    }

    /// The same, to be ended otherwise: it goes on from here. What converged by the same rule has converged.
    ///
    /// # Errors
    /// [`Error::BadTolerance`].
    pub fn with_stop(mut self, stop: Stop) -> Result<Self, Error> {
        let before = self.spec.stop;
        self.converged &= before.rule == stop.rule && before.tolerance <= stop.tolerance;
        self.spec.stop = stop;
        self.spec.check()?;
        Ok(self)
    }

    /// The E-step to be run, alone or beside others.
    pub fn expectation(&self) -> Expectation<'_> {
        Expectation {
            mixture: self.mixture(),
            assign: Assign::Soft,
            storage: self.spec.storage(),
            worst: false,
            ownership: None,
            precision: Precision::Double,
        }
    }

    /// The E-step: the statistic of some rows under this posterior. Those of other rows merge with it.
    ///
    /// # Errors
    /// What the source or its rows refuse.
    pub fn partial<S: Source>(&self, source: &mut S, on: On<'_>) -> Result<EmStat, S::Error> {
        let mut stats = run(&EmSweep::new(vec![self.expectation()]), source, on)?;
        Ok(stats.pop().ok_or(Error::NoRows)?)
    }

    /// Compares the first iteration with an earlier run on such rows, which ended with this lower bound: a warm
    /// start may be over at once.
    pub fn goes_on_from(&mut self, lower_bound: f64) {
        if self.recent.is_empty() {
            self.recent.push(lower_bound);
        }
    }

    /// The posterior given the statistic of all rows, its bound, and the stop rule.
    ///
    /// # Errors
    /// What [`BayesPrior::posterior`] refuses; the state is then as it was.
    pub fn step(&mut self, stat: &EmStat) -> Result<(), Error> {
        let posterior = self.prior.posterior(stat.moments())?;
        let stop = self.spec.stop;
        let moved = if stop.rule == StopRule::Parameters {
            let deviations = stat.moments().deviations(posterior.mixture().frame())?;
            distance(posterior.mixture(), self.mixture(), &deviations)
        } else {
            f64::INFINITY
        };
        let lower_bound = posterior.lower_bound(stat.entropy());
        self.recent.push(lower_bound);
        self.recent.drain(..self.recent.len().saturating_sub(RECENT));
        // The bound is that of all rows, and so is its change.
        let change = stop.value(&self.recent, 1.0, moved);
        let (weight, rows) = (stat.weight(), stat.rows());
        self.pass = Some(BayesPass { lower_bound, change, weight, rows });
        self.converged = change.is_some_and(|change| change < stop.tolerance);
        self.standing = Standing::Found(Box::new(posterior));
        self.iteration += 1;
        Ok(())
    }
}

/// Iterates on a source until it is over, or until `each`, told of every iteration, breaks it off.
///
/// Where a pass fails or is cancelled the state is that of the iteration before.
///
/// # Errors
/// What the source, its rows or the update refuse.
pub fn variational<S: Source>(
    state: &mut BayesState,
    source: &mut S,
    on: On<'_>,
    each: &mut dyn FnMut(&BayesState) -> ControlFlow<()>,
) -> Result<(), S::Error> {
    while !state.is_done() {
        source.rewind()?;
        let stat = state.partial(source, on)?;
        state.step(&stat)?;
        if each(state).is_break() {
            break;
        }
    }
    Ok(())
}
