//! Chooses the number of components and the family: many mixtures, judged by one criterion \[M60\].

use std::ops::ControlFlow;

use super::criteria::{Criteria, Criterion};
use super::expect::{EmSweep, Expectation};
use super::rounds::{first_round, second_round};
use super::saved::Pass;
use super::spec::EmSpec;
use super::start::{Sampled, Start, Starts};
use super::state::EmState;
use crate::covariance::Family;
use crate::data::Source;
use crate::error::Error;
use crate::sweep::{On, run};

/// A mixture that is tried: so many components of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// Components.
    pub components: usize,
    /// The family of their covariances.
    pub family: Family,
}

/// Which mixtures are tried, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchSpec {
    /// What is tried.
    pub cells: Vec<Cell>,
    /// How each is fitted; the family is that of the cell.
    pub spec: EmSpec,
    /// Where each starts: the kind of start, and the number that tells one run from another.
    pub runs: Vec<(Start, u64)>,
    /// Seed of the sample and the starts.
    pub seed: u64,
    /// What cells are compared by.
    pub criterion: Criterion,
    /// Names of the columns, for messages.
    pub features: Vec<String>,
}

impl SearchSpec {
    /// Whether each mixture has one start, and so no second round.
    pub(super) fn is_of_one_run(&self) -> bool {
        self.runs.len() == 1
    }

    pub(super) fn of(&self, cell: Cell) -> EmSpec {
        let mut spec = self.spec.clone();
        if cell.family == Family::Unit {
            // Nothing to guard, and nothing to be unsure of: k-means.
            let EmSpec { stop, on_empty, outliers, .. } = spec;
            spec = EmSpec { stop, on_empty, outliers, ..cell.family.into() };
            spec.covariance.scaling = self.spec.covariance.scaling;
        }
        spec.covariance.family = cell.family;
        spec
    }
}

/// A mixture that was tried, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What was asked for.
    pub cell: Cell,
    /// Where its EM stands; none where it was refused.
    pub state: Option<EmState>,
    /// How well it fits; none before it is at its end.
    pub criteria: Option<Criteria>,
    /// Why there is no mixture.
    pub refused: Option<String>,
    /// The start that was the best; none where parameters were given, or are those that another family ended at.
    pub start: Option<Start>,
    /// What EM raised on the sample in the runs of these starts, as far as each was taken; collapsed ones apart.
    pub restarts: Vec<f64>,
}

impl Entry {
    /// The value of a criterion, once it is known: lower is better.
    pub fn value(&self, criterion: Criterion) -> Option<f64> {
        self.criteria.map(|criteria| criteria.value(criterion))
    }

    /// Whether it may win: fitted, no covariance at the guard, no component lost.
    pub fn is_ranked(&self) -> bool {
        self.criteria.is_some() && self.note().is_none()
    }

    /// Why it may not win.
    pub fn note(&self) -> Option<String> {
        if let Some(refused) = &self.refused {
            return Some(refused.clone());
        }
        let state = self.state.as_ref()?;
        let dropped = state.dropped();
        if dropped > 0 {
            return Some(format!(
                "{dropped} of {} components lost their rows",
                self.cell.components
            ));
        }
        let count = state.lifted().len();
        let of = state.mixture().components();
        (count > 0).then(|| format!("the guard kept {count} of {of} components from collapse"))
    }

    /// Σ w ‖x − μ‖² of each row and its nearest mean, for k-means.
    pub fn within_squares(&self) -> Option<f64> {
        self.state.as_ref()?.within_squares(self.criteria.as_ref()?)
    }

    /// A mixture that has not started yet.
    pub(super) fn of(cell: Cell) -> Self {
        let (state, criteria, refused, start) = (None, None, None, None);
        Self { cell, state, criteria, refused, start, restarts: Vec::new() }
    }

    /// Whether it was started, or refused.
    pub fn has_started(&self) -> bool {
        self.state.is_some() || self.refused.is_some()
    }

    fn is_done(&self) -> bool {
        self.refused.is_some() || self.criteria.is_some()
    }

    /// Whether it has started and is not at its end.
    fn is_open(&self) -> bool {
        self.state.is_some() && !self.is_done()
    }

    /// Judges a mixture that has seen all rows; one that has not starts on them from where it is.
    pub(super) fn settled(mut self, sampled: &Sampled, on: On<'_>) -> Result<Self, Error> {
        let Some(state) = &mut self.state else { return Ok(self) };
        if sampled.is_whole() {
            let stat = state.partial(&mut sampled.table().source(), on)?;
            self.criteria = Some(state.criteria(&stat));
            // The run that was kept is known at its end, not only before its last M-step.
            let (before, after) =
                (state.pass().map(|pass| pass.log_likelihood), stat.objective(state.spec().assign));
            self.restarts
                .iter_mut()
                .filter(|run| Some(**run) == before)
                .for_each(|run| *run = after);
        } else {
            *state = EmState::new(state.spec().clone(), state.mixture().clone())?;
        }
        Ok(self)
    }
}

/// Mixtures on their way; it can be saved between any two passes.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    entries: Vec<Entry>,
    criterion: Criterion,
    /// Rows that starts were made from, and rows of positive weight there are; none for given starts.
    sample: Option<(u64, u64)>,
}

impl Search {
    /// Draws the sample and starts every mixture on it; where it is all rows, runs it to its end.
    ///
    /// # Errors
    /// What the source refuses; where every mixture is refused, why the first is.
    pub fn begin<S: Source>(
        spec: &SearchSpec,
        source: &mut S,
        on: On<'_>,
    ) -> Result<Self, S::Error> {
        let mut search = Self::new(spec);
        search.start(spec, source, on, &mut |_| ControlFlow::Continue(()))?;
        Ok(search)
    }

    /// Mixtures of which none has started yet.
    pub fn new(spec: &SearchSpec) -> Self {
        let entries = spec.cells.iter().map(|&cell| Entry::of(cell)).collect();
        Self { entries, criterion: spec.criterion, sample: None }
    }

    /// Draws the sample and starts the mixtures that have not started yet; where it is all rows, runs them
    /// to their end. `each` is told when all of one number of components have, and may break it off.
    ///
    /// Where it is cancelled, what `each` was told of stays.
    ///
    /// # Errors
    /// What the source refuses; where every mixture is refused, why the first of them is.
    pub fn start<S: Source>(
        &mut self,
        spec: &SearchSpec,
        source: &mut S,
        on: On<'_>,
        each: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<(), S::Error> {
        if self.entries.iter().all(Entry::has_started) {
            return Ok(());
        }
        source.rewind()?;
        let sampled = Sampled::draw(source, Sampled::enough(source.dim()), spec.seed, on)?;
        let starts = Starts::of(&spec.spec, &sampled, spec.seed, source, on)?;
        Ok(self.start_on(spec, &starts, on, each)?)
    }

    /// The same from a sample that was drawn elsewhere.
    pub(super) fn start_on(
        &mut self,
        spec: &SearchSpec,
        starts: &Starts<'_>,
        on: On<'_>,
        each: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let sampled = starts.sampled();
        self.sample = Some((sampled.rows() as u64, sampled.seen()));
        let open = |entries: &[Entry], components: Option<usize>| -> Vec<usize> {
            let of = |entry: &Entry| components.is_none_or(|count| entry.cell.components == count);
            let open = |at: &usize| !entries[*at].has_started() && of(&entries[*at]);
            (0..entries.len()).filter(open).collect()
        };
        let (mut first, mut broken) = (None, false);
        if spec.is_of_one_run() {
            // No mixture waits for another: who asks for one start of each has one.
            let mut places = open(&self.entries, None);
            let numbers: Vec<usize> =
                places.iter().map(|&at| self.entries[at].cell.components).collect();
            let met = |at: usize| {
                let components = self.entries[at].cell.components;
                numbers.iter().position(|number| *number == components)
            };
            places.sort_by_key(|&at| met(at));
            let cells: Vec<Cell> = places.iter().map(|&at| self.entries[at].cell).collect();
            let mut done = 0;
            let outcome = first_round(spec, &cells, starts, on, |entry, refusal| {
                first = first.take().or(refusal);
                self.entries[places[done]] = entry;
                done += 1;
                let ended = cells.get(done).map(|cell| cell.components);
                if ended != Some(cells[done - 1].components) && each(self).is_break() {
                    broken = true;
                    return Err(Error::Cancelled { rows: 0 });
                }
                Ok(())
            });
            if broken {
                return Ok(());
            }
            outcome?;
        }
        while let Some(next) = self.entries.iter().find(|entry| !entry.has_started()) {
            let places = open(&self.entries, Some(next.cell.components));
            let cells: Vec<Cell> = places.iter().map(|&at| self.entries[at].cell).collect();
            let mut group = Vec::with_capacity(cells.len());
            first_round(spec, &cells, starts, on, |entry, refusal| {
                first = first.take().or(refusal);
                group.push(entry);
                Ok(())
            })?;
            second_round(spec, &mut group, starts, on)?;
            for (at, entry) in places.into_iter().zip(group) {
                self.entries[at] = entry;
            }
            if each(self).is_break() {
                return Ok(());
            }
        }
        match first {
            Some(error) if self.entries.iter().all(|entry| entry.refused.is_some()) => Err(error),
            _ => Ok(()),
        }
    }

    /// Mixtures that start from given parameters.
    pub fn given(states: Vec<EmState>, criterion: Criterion) -> Self {
        let entry = |state: EmState| {
            let components = state.mixture().components();
            let cell = Cell { components, family: state.spec().covariance.family };
            Entry { state: Some(state), ..Entry::of(cell) }
        };
        let entries = states.into_iter().map(entry).collect();
        Self { entries, criterion, sample: None }
    }

    /// Takes up a search that was saved by its parts.
    pub fn from_parts(
        entries: Vec<Entry>,
        criterion: Criterion,
        sample: Option<(u64, u64)>,
    ) -> Self {
        Self { entries, criterion, sample }
    }

    /// Takes all mixtures that have started on together, one pass over the rows an iteration, until every one is at its end or
    /// until `each`, told of every pass, breaks it off; then judges them in one more pass.
    ///
    /// Where a pass fails or is cancelled every mixture is where it was after the pass before.
    ///
    /// # Errors
    /// What the source or its rows refuse; where the last mixture that was left is refused, why.
    pub fn go_on<S: Source>(
        &mut self,
        source: &mut S,
        on: On<'_>,
        each: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> Result<(), S::Error> {
        while self.entries.iter().any(Entry::is_open) {
            source.rewind()?;
            let open = |entry: &&mut Entry| entry.is_open();
            let under: Vec<Expectation<'_>> = self
                .entries
                .iter()
                .filter(|entry| entry.is_open())
                .filter_map(|entry| entry.state.as_ref().map(EmState::expectation))
                .collect();
            let stats = run(&EmSweep::new(under), source, on)?;
            let mut refused = None;
            for (entry, stat) in self.entries.iter_mut().filter(open).zip(&stats) {
                let Some(state) = &mut entry.state else { continue };
                if state.is_done() {
                    entry.criteria = Some(state.criteria(stat));
                } else if let Err(error) = state.step(stat) {
                    entry.refused = Some(error.to_string());
                    entry.state = None;
                    refused = Some(error);
                }
            }
            match refused {
                Some(error) if self.entries.iter().all(|entry| entry.state.is_none()) => {
                    return Err(error.into());
                }
                _ => {}
            }
            if each(self).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Whether every mixture is at its end, and judged.
    pub fn is_done(&self) -> bool {
        self.entries.iter().all(Entry::is_done)
    }

    /// Every mixture, in the order they were asked for.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What mixtures are compared by.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// Rows that starts were made from, and rows of positive weight there are; none for given starts.
    pub fn sample(&self) -> Option<(u64, u64)> {
        self.sample
    }

    /// The best by the criterion: of those that may win, and only where none may, of the others.
    pub fn best(&self) -> Option<&Entry> {
        let value = |entry: &&Entry| entry.value(self.criterion).unwrap_or(f64::INFINITY);
        let fitted = || self.entries.iter().filter(|entry| entry.criteria.is_some());
        let lowest = |a: &&Entry, b: &&Entry| value(a).total_cmp(&value(b));
        let ranked = fitted().filter(|entry| entry.is_ranked()).min_by(lowest);
        ranked.or_else(|| fitted().min_by(lowest))
    }

    /// The best of a search that was broken off: those on their way count as they were before their latest
    /// M-step. ICL is known at the end alone; where no mixture is there yet, BIC decides.
    pub fn best_so_far(&self) -> Option<&Entry> {
        let ended = self.best().filter(|_| self.criterion == Criterion::Icl);
        let criterion = match self.criterion {
            Criterion::Icl => Criterion::Bic,
            known => known,
        };
        let value = |entry: &Entry| {
            let state = entry.state.as_ref()?;
            let under_way = || {
                let (pass, parameters) = (state.pass()?, state.parameters());
                let Pass { log_likelihood, weight, .. } = *pass;
                let (entropy, log_best) = (0.0, 0.0);
                Some(Criteria { log_likelihood, parameters, weight, entropy, log_best })
            };
            let criteria = entry.criteria.or_else(under_way)?;
            Some((!state.is_clean(), criteria.value(criterion)))
        };
        let known = self.entries.iter().filter_map(|entry| Some((value(entry)?, entry)));
        let lowest = known.min_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        ended.or(lowest.map(|(_, entry)| entry))
    }
}
