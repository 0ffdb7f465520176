//! Holds where EM stands, and takes it one iteration on \[M56\].

use std::ops::ControlFlow;

use super::criteria::Criteria;
use super::expect::{EmStat, EmSweep};
use super::rounding::rounding;
use super::spec::EmSpec;
use super::stop::{Stop, StopRule, distance};
use crate::covariance::{Family, Priors};
use crate::data::Source;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::sweep::{On, run};
use crate::tolerance::RECENT;

/// Something that happened on the way and that the result alone does not show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// A component lost its rows and was left out; counted from 0 among those of that iteration.
    Dropped {
        /// The iteration, counted from 1.
        iteration: u32,
        /// The component.
        component: usize,
    },
    /// A component lost its rows and started anew.
    Reseeded {
        /// The iteration, counted from 1.
        iteration: u32,
        /// The component.
        component: usize,
    },
    /// The log-likelihood fell by more than rounding explains.
    Fell {
        /// The iteration, counted from 1.
        iteration: u32,
        /// By how much.
        by: f64,
    },
}

/// What the latest pass over the rows found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pass {
    /// Log-likelihood of the parameters before the iteration; with hard memberships that of the rows
    /// together with their components.
    pub log_likelihood: f64,
    /// E(Θ_t; Θ_t): the functional at the parameters before the iteration.
    pub functional: f64,
    /// E(Θ_t+1; Θ_t): the functional at those after it, where it can be told.
    pub raised: Option<f64>,
    /// What the stop rule measured, once it can.
    pub change: Option<f64>,
    /// Weight of all rows.
    pub weight: f64,
    /// Rows of positive weight.
    pub rows: u64,
}

/// Where EM stands: everything that the next iteration depends on, but for the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct EmState {
    spec: EmSpec,
    mixture: Mixture,
    iteration: u32,
    /// The latest log-likelihoods, as many as stop rules need, the latest last.
    recent: Vec<f64>,
    pass: Option<Pass>,
    converged: bool,
    /// Parameters estimated by the latest M-step.
    parameters: usize,
    /// Components that the guard kept from collapse in the latest M-step.
    lifted: Vec<usize>,
    events: Vec<Event>,
}

/// The parts of a state as they are saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Saved {
    /// How the mixture is fitted.
    pub spec: EmSpec,
    /// The parameters.
    pub mixture: Mixture,
    /// Iterations done.
    pub iteration: u32,
    /// The latest log-likelihoods.
    pub recent: Vec<f64>,
    /// What the latest pass found.
    pub pass: Option<Pass>,
    /// Whether the stop rule was met.
    pub converged: bool,
    /// Parameters estimated.
    pub parameters: usize,
    /// Components that the guard kept from collapse.
    pub lifted: Vec<usize>,
    /// What happened on the way.
    pub events: Vec<Event>,
}

impl EmState {
    /// Starts from given parameters.
    ///
    /// # Errors
    /// What [`EmSpec::check`] refuses.
    pub fn new(spec: EmSpec, mixture: Mixture) -> Result<Self, Error> {
        spec.check()?;
        let (components, dim) = (mixture.components(), mixture.dim());
        let parameters = spec.covariance.parameters(&spec.priors, components, dim);
        Ok(Self {
            spec,
            mixture,
            iteration: 0,
            recent: Vec::new(),
            pass: None,
            converged: false,
            parameters,
            lifted: Vec::new(),
            events: Vec::new(),
        })
    }

    /// Takes up a state that was saved.
    ///
    /// # Errors
    /// What [`EmSpec::check`] refuses; [`Error::Shape`] for components that are not there.
    pub fn from_saved(saved: Saved) -> Result<Self, Error> {
        saved.spec.check()?;
        let components = saved.mixture.components();
        if let Some(&found) = saved.lifted.iter().find(|k| **k >= components) {
            return Err(Error::Shape { what: "lifted components", expected: components, found });
        }
        if saved.recent.len() > RECENT {
            let (what, expected, found) = ("recent log-likelihoods", RECENT, saved.recent.len());
            return Err(Error::Shape { what, expected, found });
        }
        let Saved { spec, mixture, iteration, recent, pass, .. } = saved;
        let Saved { converged, parameters, lifted, events, .. } = saved;
        Ok(Self { spec, mixture, iteration, recent, pass, converged, parameters, lifted, events })
    }

    /// The parts that are saved.
    pub fn saved(&self) -> Saved {
        Saved {
            spec: self.spec.clone(),
            mixture: self.mixture.clone(),
            iteration: self.iteration,
            recent: self.recent.clone(),
            pass: self.pass,
            converged: self.converged,
            parameters: self.parameters,
            lifted: self.lifted.clone(),
            events: self.events.clone(),
        }
    }

    /// How the mixture is fitted.
    pub fn spec(&self) -> &EmSpec {
        &self.spec
    }

    /// The parameters.
    pub fn mixture(&self) -> &Mixture {
        &self.mixture
    }

    /// Iterations done.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// What the latest pass found; none before the first.
    pub fn pass(&self) -> Option<&Pass> {
        self.pass.as_ref()
    }

    /// Whether the stop rule was met.
    pub fn converged(&self) -> bool {
        self.converged
    }

    /// Whether nothing is left to do: converged, or out of iterations.
    pub fn is_done(&self) -> bool {
        self.converged || self.iteration >= self.spec.stop.max_iterations
    }

    /// Parameters estimated.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// Components that the guard kept from collapse in the latest iteration.
    pub fn lifted(&self) -> &[usize] {
        &self.lifted
    }

    /// What happened on the way.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The same, to be ended otherwise: it goes on from here. What converged by the same rule has converged.
    ///
    /// # Errors
    /// [`Error::BadTolerance`].
    pub fn with_stop(mut self, stop: Stop) -> Result<Self, Error> {
        self.converged &=
            self.spec.stop.rule == stop.rule && self.spec.stop.tolerance <= stop.tolerance;
        self.spec.stop = stop;
        self.spec.check()?;
        Ok(self)
    }

    /// The E-step: the statistic of some rows under these parameters. Those of other rows merge with it.
    ///
    /// # Errors
    /// What the source or its rows refuse.
    pub fn partial<S: Source>(&self, source: &mut S, on: On<'_>) -> Result<EmStat, S::Error> {
        let mut stats = run(&EmSweep::new(vec![self]), source, on)?;
        Ok(stats.pop().ok_or(Error::NoRows)?)
    }

    /// Compares the first iteration with an earlier run on such rows, which ended with this mean
    /// log-likelihood: a warm start may be over at once.
    pub fn goes_on_from(&mut self, mean: f64, stat: &EmStat) {
        if self.recent.is_empty() {
            self.recent.push(mean * stat.weight());
        }
    }

    /// The M-step on the statistic of all rows, and the stop rule.
    ///
    /// # Errors
    /// What [`crate::CovarianceSpec::estimate`] refuses, [`Error::Empty`] for a component without rows where that
    /// is to be refused; the state is then as it was.
    pub fn step(&mut self, stat: &EmStat) -> Result<(), Error> {
        let iteration = self.iteration + 1;
        let objective = stat.objective(self.spec.assign);
        let mut events = self.fall(objective, stat, iteration);
        let again = |event: &&Event| matches!(event, Event::Reseeded { .. });
        let reseeded = self.events.iter().filter(again).count();
        let (moments, emptied) = stat.settled(self.spec.on_empty, iteration, reseeded)?;
        let estimate =
            self.spec.covariance.estimate(&moments, &self.spec.priors, Some(&self.mixture))?;
        let mixture = estimate.mixture;
        // Components are not the same ones after one was dropped or placed anew.
        let moved = if self.spec.stop.rule == StopRule::Parameters && emptied.is_empty() {
            distance(&mixture, &self.mixture, &moments.deviations(mixture.frame())?)
        } else {
            f64::INFINITY
        };
        let mut recent = self.recent.clone();
        recent.push(objective);
        recent.drain(..recent.len().saturating_sub(RECENT));
        let weight = stat.weight();
        let change = self.spec.stop.value(&recent, weight, moved).filter(|_| emptied.is_empty());
        if !emptied.is_empty() {
            recent.clear();
        }
        let functional = stat.log_evidence() - stat.entropy();
        let raised = mixture.expected(stat.moments());
        events.extend(emptied);
        self.pass = Some(Pass {
            log_likelihood: objective,
            functional,
            raised,
            change,
            weight,
            rows: stat.rows(),
        });
        self.converged = change.is_some_and(|change| change < self.spec.stop.tolerance);
        self.parameters = estimate.report.parameters;
        self.lifted = estimate.report.lifted;
        self.events.extend(events);
        (self.mixture, self.iteration, self.recent) = (mixture, iteration, recent);
        Ok(())
    }

    /// Whether the log-likelihood fell where pure EM cannot let it fall.
    fn fall(&self, objective: f64, stat: &EmStat, iteration: u32) -> Vec<Event> {
        let guarded = !self.lifted.is_empty() && !self.spec.covariance.family.is_plain();
        // The first parameters may be no estimate of this kind: the first M-step can lose by that.
        let estimated = self.iteration >= 2;
        let pure = self.spec.is_pure() && !guarded && estimated;
        let Some(&before) = self.recent.last().filter(|_| pure) else { return Vec::new() };
        let by = before - objective;
        if by <= 0.0 || by <= rounding(&self.mixture, stat) {
            return Vec::new();
        }
        debug_assert!(by <= 0.0, "iteration {iteration}: the log-likelihood fell by {by}");
        vec![Event::Fell { iteration, by }]
    }

    /// Whether it is what was asked for: no covariance at the guard, no component lost.
    pub fn is_clean(&self) -> bool {
        self.lifted.is_empty() && self.dropped() == 0
    }

    /// Components that lost their rows and were left out.
    pub(crate) fn dropped(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Dropped { .. })).count()
    }

    /// Σ w ‖x − μ‖² of each row and its nearest mean, in the unit in which distances are measured: what k-means
    /// lowers. None of other mixtures than those of k-means.
    pub fn within_squares(&self, criteria: &Criteria) -> Option<f64> {
        let means_alone = self.spec.covariance.effective_family() == Family::Unit;
        if !means_alone || self.spec.priors != Priors::Uniform {
            return None;
        }
        let highest = self.mixture.weights()[0].ln() + self.mixture.log_norm(0);
        let objective = criteria.log_likelihood + criteria.log_best;
        Some((2.0 * (criteria.weight * highest - objective)).max(0.0))
    }

    /// How well the parameters fit the rows of a pass with them.
    pub fn criteria(&self, stat: &EmStat) -> Criteria {
        Criteria::of(stat, self.parameters)
    }
}

/// Runs EM on a source until it is over, or until `each`, told of every iteration, breaks it off.
///
/// Where a pass fails or is cancelled the state is that of the iteration before.
///
/// # Errors
/// What the source, its rows or the M-step refuse.
pub fn em<S: Source>(
    state: &mut EmState,
    source: &mut S,
    on: On<'_>,
    each: &mut dyn FnMut(&EmState) -> ControlFlow<()>,
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
