//! Clusters rows by EM: many mixtures, judged by one criterion, the best of them saved.

mod columns;
mod cross;
pub(super) mod families;
mod found;
mod freeze;
mod grid;
mod job;
mod merge;
mod outputs;
mod progress;
mod record;
mod refusal;
mod sizes;
mod start;
mod trace;
mod uses;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use gaussbayes::{EmState, Entry, Error, Label, On, Sampled, Search, SearchSpec, Source, Starts};
use gaussbayes_io::{Checkpoint, Held, Settings, TracePoint};

pub(super) use cross::Cross;
use found::{Beside, Found};
use job::Job;
use merge::Merged;
use progress::Telling;
pub(super) use record::{ending, fields, figures, rows};
use start::From;
use uses::Uses;

use super::place;
use super::workers::Workers;
use crate::args::{Cluster, Common};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;
use crate::watch::Watch;

/// How often a checkpoint is written at most.
const PACE: Duration = Duration::from_secs(1);

pub(crate) fn run(arguments: &Cluster, common: &Common, output: &Output) -> Result<(), Failure> {
    outputs::check(arguments)?;
    let mut job = Job::of(arguments)?;
    let data = job.open(arguments, common)?;
    output.attend(&data);
    let workers = Workers::new(common, "reading")?;
    let (watch, on) = (workers.watch(), workers.reading(&data));
    let ended = |error: Failure| refusal::unless_interrupted(error, watch, arguments);
    let mut rows = Held::read(data, on).map_err(|error| ended(error.into()))?;
    let spec = job.search_spec(arguments, common, &rows);
    outputs::check_trace(arguments, &job, spec.cells.len())?;
    columns::look(&mut rows, on, &job, &spec.cells, output).map_err(ended)?;
    let settings = job.settings(arguments, common, &rows, &spec.cells)?;
    let mut hunt = Hunt {
        arguments,
        job: &job,
        spec: &spec,
        watch,
        settings,
        trace: Vec::new(),
        latest: None,
        failure: None,
    };
    let (search, names) = hunt.run(&mut rows, on).map_err(ended)?;
    let broken_off = watch.is_interrupted() && !search.is_done();
    let best = if broken_off { search.best_so_far() } else { search.best() };
    let Some(best) = best else {
        return Err(if broken_off {
            refusal::early(arguments)
        } else {
            refusal::nothing(&search, job.spec.covariance.guard)
        });
    };
    let found = Found::of(best, &job, arguments, &rows, names)?;
    let wish = arguments.merge.filter(|_| !broken_off);
    if let Some(wish) = wish {
        Merged::check(wish, found.mixture())?;
    }
    let mut model = found.model(arguments, &rows, None)?;
    // Joining is a pass over all rows, and may be interrupted.
    model.save(&arguments.output)?;
    let saved = |error: Failure| refusal::unless_saved(error, watch, arguments);
    let mut merged = None;
    if let Some(wish) = wish {
        watch.say("joining".into(), Some(rows.rows()));
        let joined = Merged::of(wish, found.mixture(), found.classes(), &mut rows, on);
        let joined = merged.insert(joined.map_err(saved)?);
        model = found.model(arguments, &rows, Some(joined))?;
        model.save(&arguments.output)?;
    }
    let uses = match &best.state {
        Some(state) if !broken_off => {
            let wishes = (arguments, common);
            let asked = Uses::of(state, found.order(), wishes, &mut rows, on, watch);
            asked.map_err(saved)?
        }
        _ => Uses::default(),
    };
    if let Some(path) = &arguments.trace {
        trace::write(path, &hunt.trace, found.order())?;
    }
    let cross = match &job.target {
        Some(target) if !broken_off => {
            rows.rewind()?;
            let cross = Cross::of(&model.classifier, &mut rows, on);
            let cross = cross.map_err(|error| saved(error.into()))?;
            Some((target.as_str(), cross))
        }
        _ => None,
    };
    let own = |path: &&PathBuf| !broken_off && place(path) != place(&arguments.output);
    if let Some(path) = arguments.checkpoint.as_ref().filter(own) {
        // Nothing is left to take up.
        let _ = std::fs::remove_file(path);
    }
    // Where rows are in a file another pass would take as long as an iteration.
    let sizes = if broken_off || rows.is_spooled() {
        None
    } else {
        rows.rewind()?;
        let sizes = sizes::of(&model.classifier, &mut rows, on);
        Some(sizes.map_err(|error| saved(error.into()))?)
    };
    found.warn(&search, output);
    uses.warn(output);
    let (cross, sizes, merged) = (cross.as_ref(), sizes.as_deref(), merged.as_ref());
    let beside = Beside { cross, sizes, merged, uses: &uses };
    found.answer(arguments, &model, &search, &beside, output)?;
    if broken_off {
        let iterations = plural(found.iterations() as usize, "iteration");
        return Err(Failure::Interrupted(format!(
            "interrupted after {iterations}: saved the best so far{}",
            refusal::goes_on(arguments.checkpoint.as_deref())
        )));
    }
    Ok(())
}

/// A search on its way, with everybody who wants to know of it.
struct Hunt<'a> {
    arguments: &'a Cluster,
    job: &'a Job,
    spec: &'a SearchSpec,
    watch: &'a Watch,
    settings: Settings,
    trace: Vec<TracePoint>,
    /// When the checkpoint was written.
    latest: Option<Instant>,
    failure: Option<gaussbayes_io::Error>,
}

impl Hunt<'_> {
    /// The search at its end, or where it was interrupted; with the names of given classes.
    fn run(
        &mut self,
        rows: &mut Held,
        on: On<'_>,
    ) -> Result<(Search, Option<Vec<Label>>), Failure> {
        let kept = match &self.arguments.checkpoint {
            Some(path) => Checkpoint::load(path, &self.settings)?,
            None => None,
        };
        let (mut search, mut names) = (None, None);
        match &self.job.from {
            From::Runs(_) => {}
            From::Labels => {
                let (begun, labels) = self.job.labelled_start(self.arguments, rows, on)?;
                (search, names) = (Some(begun), Some(labels));
            }
            From::Model(model) => {
                let (begun, labels) = self.job.model_start(self.arguments, model, rows, on)?;
                (search, names) = (Some(begun), Some(labels));
            }
        }
        if let Some(kept) = kept {
            search = Some(kept.search);
            self.trace = kept.trace;
        }
        let total = rows.rows();
        let mut telling = Telling::new(total, self.spec.spec.stop);
        let mut search = match search {
            Some(search) => search,
            None if self.spec.cells.len() == 1 => self.alone(rows, on)?,
            None => Search::new(self.spec),
        };
        telling.started(&search, self.watch);
        let started = search.start(self.spec, rows, on, &mut |search| {
            telling.started(search, self.watch);
            self.told(search)
        });
        self.settle(started, rows.features())?;
        if !self.watch.is_interrupted() {
            telling.goes_on(self.watch);
            let gone = search.go_on(rows, on, &mut |search| {
                telling.went_on(search, self.watch);
                self.follow(search);
                self.told(search)
            });
            self.settle(gone, rows.features())?;
        }
        if self.watch.is_interrupted() {
            self.keep(&search, true);
            self.settle(Ok(()), rows.features())?;
        }
        Ok((search, names))
    }

    /// One mixture, started so that every iteration over all rows can be followed.
    fn alone(&mut self, rows: &mut Held, on: On<'_>) -> Result<Search, Failure> {
        self.watch.say("starting".into(), Some(0));
        let spec = self.spec;
        let cell = spec.cells[0];
        let own = self.job.spec_of(cell.family);
        rows.rewind()?;
        let sampled = Sampled::draw(rows, Sampled::enough(rows.features().len()), spec.seed, on)?;
        let starts = Starts::of(&own, &sampled, spec.seed, rows, on)?;
        let named = |error: Error| self.refusal(error, rows.features());
        let begin = |run: usize| {
            let (start, number) = spec.runs[run];
            starts.begin(&own, cell.components, start, number, on).map_err(named)
        };
        let (state, chosen, restarts) = if sampled.is_whole() && spec.runs.len() == 1 {
            (begin(0)?, 0, Vec::new())
        } else {
            let best = starts.best_of(&own, cell.components, &spec.runs, on).map_err(named)?;
            let state = if sampled.is_whole() {
                best.first
            } else {
                EmState::new(own.clone(), best.best.mixture().clone())?
            };
            (state, best.chosen, best.log_likelihoods.into_iter().flatten().collect())
        };
        let start = spec.runs.get(chosen).map(|run| run.0);
        let (state, criteria, refused) = (Some(state), None, None);
        let entry = Entry { cell, state, criteria, refused, start, restarts };
        let sample = Some((sampled.rows() as u64, sampled.seen()));
        Ok(Search::from_parts(vec![entry], spec.criterion, sample))
    }

    /// Keeps the trajectory of a single fit.
    fn follow(&mut self, search: &Search) {
        let [entry] = search.entries() else { return };
        let (Some(state), Some(path)) = (&entry.state, &self.arguments.trace) else { return };
        let seen = self.trace.last().map_or(0, |point| point.iteration);
        if let Some(pass) = state.pass().filter(|_| state.iteration() > seen) {
            self.trace.push(trace::point(state, pass, path));
        }
    }

    fn told(&mut self, search: &Search) -> ControlFlow<()> {
        self.keep(search, false);
        if self.watch.is_interrupted() || self.failure.is_some() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Writes the checkpoint, not too often.
    fn keep(&mut self, search: &Search, now: bool) {
        let Some(path) = &self.arguments.checkpoint else { return };
        if !now && self.latest.is_some_and(|latest| latest.elapsed() < PACE) {
            return;
        }
        let (settings, trace) = (self.settings.clone(), self.trace.clone());
        let checkpoint = Checkpoint { settings, search: search.clone(), trace };
        self.failure = checkpoint.save(path).err();
        self.latest = Some(Instant::now());
    }

    fn refusal(&self, error: Error, features: &[String]) -> Failure {
        refusal::of(error, self.spec.spec.covariance.guard, features)
    }

    /// What a part of the run ended with, but for an interruption.
    fn settle(
        &mut self,
        ended: Result<(), gaussbayes_io::Error>,
        features: &[String],
    ) -> Result<(), Failure> {
        if let Some(failure) = self.failure.take() {
            return Err(failure.into());
        }
        match ended {
            Err(gaussbayes_io::Error::Core(Error::Cancelled { .. }))
                if self.watch.is_interrupted() =>
            {
                Ok(())
            }
            Err(gaussbayes_io::Error::Core(error)) => Err(self.refusal(error, features)),
            ended => Ok(ended?),
        }
    }
}
