//! Holds where EM stands, and takes it one iteration on \[M56\].

use std::ops::ControlFlow;

use super::criteria::Criteria;
use super::expect::{EmStat, EmSweep, Expectation, Precision};
use super::outliers::Outliers;
use super::ownership::Ownership;
use super::rounding::rounding;
use super::saved::{Event, Pass, Saved};
use super::spec::{EmSpec, OnEmpty};
use super::stop::{Stop, StopRule, distance};
use crate::covariance::{Family, Priors};
use crate::data::Source;
use crate::error::Error;
use crate::mixture::Mixture;
use crate::moments::Storage;
use crate::sweep::{On, run};
use crate::tolerance::{RECENT, SINGLE_RISE};

/// Where EM stands: everything that the next iteration depends on, but for the rows.
#[derive(Debug, Clone, PartialEq)]
pub struct EmState {
    spec: EmSpec,
    mixture: Mixture,
    ownership: Option<Ownership>,
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

impl EmState {
    /// Starts from given parameters.
    ///
    /// # Errors
    /// What [`EmSpec::check`] refuses; [`crate::OutlierRefusal::NoBox`] for noise that no box is known for.
    pub fn new(spec: EmSpec, mixture: Mixture) -> Result<Self, Error> {
        Self::begun(spec, mixture, None)
    }

    /// The same where rows may have labels: those that have one belong to the components of its class \[M63\].
    ///
    /// # Errors
    /// As for [`EmState::new`]; [`Error::Shape`] for owners of other components.
    pub fn owned(spec: EmSpec, mixture: Mixture, ownership: Ownership) -> Result<Self, Error> {
        Self::begun(spec, mixture, Some(ownership))
    }

    fn begun(spec: EmSpec, mixture: Mixture, ownership: Option<Ownership>) -> Result<Self, Error> {
        let (components, dim) = (mixture.components(), mixture.dim());
        let mixture = spec.outliers.readied(mixture)?;
        let parameters = spec.parameters(ownership.as_ref(), components, dim);
        Self::from_saved(Saved {
            spec,
            mixture,
            ownership,
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
        saved.check()?;
        let Saved { spec, mixture, ownership, iteration, recent, pass, .. } = saved;
        let Saved { converged, parameters, lifted, events, .. } = saved;
        Ok(Self {
            spec,
            mixture,
            ownership,
            iteration,
            recent,
            pass,
            converged,
            parameters,
            lifted,
            events,
        })
    }

    /// The parts that are saved.
    pub fn saved(&self) -> Saved {
        Saved {
            spec: self.spec.clone(),
            mixture: self.mixture.clone(),
            ownership: self.ownership.clone(),
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

    /// Which class owns which components, where labels play a part.
    pub fn ownership(&self) -> Option<&Ownership> {
        self.ownership.as_ref()
    }

    /// The E-step of these parameters.
    pub fn expectation(&self) -> Expectation<'_> {
        let reseeds = self.spec.on_empty == OnEmpty::Reseed;
        Expectation {
            mixture: &self.mixture,
            assign: self.spec.assign,
            storage: self.storage(),
            worst: reseeds,
            ownership: self.ownership.as_ref(),
            precision: Precision::Double,
        }
    }

    /// What the next pass computes rows of single precision in: single while the log-likelihood rises by more than that
    /// can be wrong by \[M94\].
    fn precision(&self) -> Precision {
        let rises = match self.recent[..] {
            [.., before, latest] => latest - before > SINGLE_RISE * latest.abs(),
            [_] => self.iteration == 1,
            [] => self.iteration == 0,
        };
        if rises && !self.converged { Precision::Single } else { Precision::Double }
    }

    /// The least that moments must hold: of families of their own, one for each component.
    fn storage(&self) -> Storage {
        let families = self.ownership.as_ref().and_then(Ownership::families);
        let Some(families) = families else { return self.spec.storage() };
        let storage = |&family: &Family| {
            let mut spec = self.spec.clone();
            spec.covariance.family = family;
            let storage = spec.storage();
            if storage == Storage::Shared { Storage::Full } else { storage }
        };
        families.iter().map(storage).reduce(Storage::joined).unwrap_or(Storage::Full)
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
        let mut stats = run(&EmSweep::new(vec![self.expectation()]), source, on)?;
        Ok(stats.pop().ok_or(Error::NoRows)?)
    }

    /// The E-step of the next iteration: the same, but that rows of single precision may be computed in it while that is
    /// precise enough \[M94\].
    ///
    /// # Errors
    /// As for [`EmState::partial`].
    pub fn pass_over<S: Source>(&self, source: &mut S, on: On<'_>) -> Result<EmStat, S::Error> {
        let under = Expectation { precision: self.precision(), ..self.expectation() };
        let mut stats = run(&EmSweep::new(vec![under]), source, on)?;
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
        let settled = stat.settled(self.spec.on_empty, iteration, reseeded)?;
        let emptied = settled.events.clone();
        let compared = match self.spec.stop.rule {
            StopRule::Parameters => Some(settled.moments.clone()),
            _ => None,
        };
        let found = self.maximise(stat, settled)?;
        let mixture = found.mixture;
        // Components are not the same ones after one was dropped or placed anew.
        let moved = match compared {
            Some(moments) if emptied.is_empty() => {
                distance(&mixture, &self.mixture, &moments.deviations(mixture.frame())?)
            }
            _ => f64::INFINITY,
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
        let raised = Self::raised(&mixture, stat);
        events.extend(emptied);
        self.pass = Some(Pass {
            log_likelihood: objective,
            functional,
            raised,
            change,
            weight,
            rows: stat.rows(),
        });
        let small = change.is_some_and(|change| change < self.spec.stop.tolerance);
        self.converged = small && (!stat.single || self.spec.stop.is_coarse(objective, weight));
        self.parameters = found.parameters;
        self.lifted = found.lifted;
        self.ownership = found.ownership;
        self.spec.frozen = found.frozen;
        self.events.extend(events);
        (self.mixture, self.iteration, self.recent) = (mixture, iteration, recent);
        if stat.single && !self.converged && self.precision() == Precision::Double {
            // What double precision finds next is not compared with single precision.
            self.recent.clear();
        }
        Ok(())
    }

    /// The functional after the M-step; not of Student densities, whose M-step raises another.
    fn raised(mixture: &Mixture, stat: &EmStat) -> Option<f64> {
        let gaussians = mixture.expected(stat.moments()).filter(|_| stat.tails.is_none())?;
        let Some(noise) = mixture.noise() else { return Some(gaussians) };
        let times = |weight: f64, log: f64| if weight > 0.0 { weight * log } else { 0.0 };
        let apart = times(stat.noise_weight(), noise.share.ln() - noise.extent.log_volume());
        let rest = stat.weight() - stat.noise_weight();
        Some(gaussians + times(rest, (-noise.share).ln_1p()) + apart)
    }

    /// Whether the log-likelihood fell where pure EM cannot let it fall.
    fn fall(&self, objective: f64, stat: &EmStat, iteration: u32) -> Vec<Event> {
        // Beside outliers the guard itself moves with what counts as one.
        let moving = self.spec.outliers != Outliers::Ignored;
        let plain = self.spec.covariance.family.is_plain() && !moving;
        let guarded = !self.lifted.is_empty() && !plain;
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
        let stat = state.pass_over(source, on)?;
        state.step(&stat)?;
        if each(state).is_break() {
            break;
        }
    }
    Ok(())
}
