//! Ranks every classifier on a data set, and says which differ by more than luck.

use std::time::Instant;

use gaussbayes::{
    Candidate, Classifier, CovarianceSpec, Density, Error, Folds, Judgement, LabelSweep, Loss,
    Measure, Merge, Ranking, Scaling, Size, SoftmaxSpec, Sweep, Table, cross_validate_all,
    each_block,
};
use gaussbayes_io::Types;

use super::ranked::{Entry, Ranked, Times};
use super::workers::Workers;
use super::{asked, loss, opened, opened_again, typed, warn_of};
use crate::args::{Common, Compare, Estimation, Options};
use crate::failure::Failure;
use crate::models::{CLASSIFIERS, Named, SOFTMAX, priors as priors_of, spec};
use crate::output::Output;
use crate::text::wrapped;

pub(crate) fn run(arguments: &Compare, common: &Common, output: &Output) -> Result<(), Failure> {
    let workers = Workers::new(common, "reading")?;
    let asked = Estimation {
        model: None,
        rda: None,
        density: Density::PlugIn,
        options: arguments.options.clone(),
        typed: arguments.typed.clone(),
        penalty: Some(arguments.penalty),
    };
    let types = Types::Recognised(arguments.typed.types.clone());
    let (data, target) = opened(&arguments.data, false, types, common, output)?;
    let features = data.features().to_vec();
    let held = data.types().map(<[_]>::to_vec);
    let (once, rows) = (data.is_once(), workers.table(data)?);
    let loss = loss(&arguments.costs, &rows.classes())?;
    let trial = Trial {
        features: &features,
        loss: loss.as_ref(),
        folds: Folds { count: arguments.folds, seed: common.seed },
        repeat: arguments.repeat,
        workers: &workers,
    };
    let mut entries = Vec::new();
    let plain = if let Some(types) = &held {
        let (spec, priors) = typed::spec(&asked, types, &features)?;
        let own = (NAIVE_BAYES.to_string(), None, (spec.into(), priors));
        entries.extend(trial.judged(vec![own], &rows, Timed::Yes)?);
        // Flags and counts are numbers too, for whoever reads them as such.
        if once { None } else { plain_rows(arguments, common, &workers)? }
    } else {
        typed::refuse_idle(&arguments.typed)?;
        Some(rows.clone())
    };
    if let Some(plain) = &plain {
        let mut all = gaussians(&CLASSIFIERS, &arguments.options, output)?;
        let softmax = SoftmaxSpec::default().with_penalty(arguments.penalty);
        softmax.check()?;
        let priors = arguments.options.priors.as_deref().map(priors_of).transpose()?;
        all.push((SOFTMAX.into(), None, (softmax.into(), priors.unwrap_or_default())));
        if held.is_some() {
            // Of columns of any type there is one naive Bayes already.
            all.retain(|(name, ..)| name != NAIVE_BAYES);
        }
        entries.extend(trial.judged(all, plain, Timed::Yes)?);
        warn_of_units(plain, &features, &arguments.options, output)?;
    } else {
        output.warn(format!(
            "columns hold more than numbers: naive Bayes alone can read all of them (target '{target}')"
        ));
    }
    let ranked = Ranked::new(entries, loss.is_some());
    let title = format!(
        "{}: {} rows, {} features, {} folds{}\n\n",
        arguments.data.tables,
        rows.rows(),
        features.len(),
        arguments.folds,
        if arguments.repeat > 1 { format!(", {} times", arguments.repeat) } else { String::new() },
    );
    let advised = ranked.ranking.advised.map(|i| ranked.entries[i].name.as_str());
    let next = advised.map(|model| output.next("fit", &[("model", model)]));
    let text = title + &wrapped(&ranked.cells()) + &ranked.notes() + &next.unwrap_or_default();
    output.answer(&text, &ranked.json(arguments.folds, arguments.repeat))
}

pub(super) const NAIVE_BAYES: &str = "naive-bayes";

/// The same rows as plain numbers; `None` where they are no numbers.
fn plain_rows(
    arguments: &Compare,
    common: &Common,
    workers: &Workers,
) -> Result<Option<Table>, Failure> {
    let (data, _) = opened_again(&arguments.data, false, Types::Plain, common)?;
    match workers.table(data) {
        Ok(rows) => Ok(Some(rows)),
        Err(gaussbayes_io::Error::NotANumber { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Says once for all families what the one that fits anything has to say of the columns.
fn warn_of_units(
    rows: &Table,
    features: &[String],
    options: &Options,
    output: &Output,
) -> Result<(), Failure> {
    let mut spec = CovarianceSpec::nearest_mean();
    spec.scaling = if options.standardize { Scaling::Standardized } else { Scaling::Raw };
    let stat = LabelSweep::new(spec.storage()).block(&rows.block(0..rows.rows())?)?;
    let fitted = Classifier::fit(&spec, &spec.default_priors(), stat, features)?;
    warn_of(&fitted.report, features, output);
    Ok(())
}

/// A candidate with its name, and its family where it has one.
pub(super) type Named3 = (String, Option<gaussbayes::Family>, Candidate);

/// Gaussian classifiers as they were asked for, each as far as it has the options.
pub(super) fn gaussians(
    classifiers: &[Named],
    options: &Options,
    output: &Output,
) -> Result<Vec<Named3>, Failure> {
    let mut without = Vec::new();
    let mut candidate = |named: &Named| -> Result<Named3, Failure> {
        let (wanted, priors) = spec(named.family, options)?;
        let (spec, _) = asked::gaussian(named.name, options)?;
        if spec != wanted {
            without.push(named.name);
        }
        Ok((named.name.into(), Some(named.family), (spec.into(), priors)))
    };
    let all = classifiers.iter().map(&mut candidate).collect::<Result<Vec<_>, Failure>>()?;
    if !without.is_empty() {
        let names = without.join(", ");
        output.warn(format!("taken without options that they do not have: {names}"));
    }
    Ok(all)
}

/// Whether fits and predictions are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Timed {
    Yes,
    No,
}

/// How candidates are judged.
pub(super) struct Trial<'a> {
    pub(super) features: &'a [String],
    pub(super) loss: Option<&'a Loss>,
    pub(super) folds: Folds,
    pub(super) repeat: u32,
    pub(super) workers: &'a Workers,
}

impl Trial<'_> {
    /// Judges candidates by the same folds, turn by turn.
    pub(super) fn judged(
        &self,
        named: Vec<Named3>,
        rows: &Table,
        timed: Timed,
    ) -> Result<Vec<Entry>, Failure> {
        let candidates: Vec<Candidate> = named.iter().map(|(_, _, one)| one.clone()).collect();
        let mut total: Option<Vec<Result<Judgement, Error>>> = None;
        for turn in 0..u64::from(self.repeat) {
            let Folds { count, seed } = self.folds;
            let folds = Folds { count, seed: seed.wrapping_add(turn) };
            let (source, on) = (&mut rows.source(), self.workers.on());
            self.workers.watch().say("judging".into(), Some(rows.rows() as u64));
            let judged =
                cross_validate_all(&candidates, self.features, self.loss, folds, source, on)?;
            total = Some(match total {
                Some(total) => total.into_iter().zip(judged).map(joined).collect(),
                None => judged,
            });
        }
        self.workers.unless_interrupted()?;
        let total = total.unwrap_or_default().into_iter();
        let entry = |((name, family, candidate), judged): (Named3, Result<Judgement, Error>)| {
            let judged = judged.map(|judged| judged.averaged(self.repeat));
            let times = match (&judged, timed) {
                (Ok(_), Timed::Yes) => self.times(&candidate, rows)?,
                _ => None,
            };
            let size = self.size(&candidate, rows, times.as_ref());
            Ok(Entry { name, family, judged, times, size })
        };
        let entries = named.into_iter().zip(total).map(entry).collect();
        self.workers.unless_interrupted()?;
        entries
    }

    /// One fit to all rows and one prediction of all rows, by the clock.
    fn times(&self, (learner, priors): &Candidate, rows: &Table) -> Result<Option<Times>, Failure> {
        let on = self.workers.on();
        let begun = Instant::now();
        // What folds could be fitted to, all rows need not be.
        let Ok(learnt) = learner.learn(priors, self.features, &mut rows.source(), on) else {
            return Ok(None);
        };
        let fit = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let decide = |block: &gaussbayes::Block<'_>| learnt.classifier.actions(block);
        each_block(&mut rows.source(), on, decide, |_| Ok::<(), Error>(()))?;
        let predict = begun.elapsed().as_secs_f64();
        Ok(Some(Times { fit, predict, size: learnt.report.size() }))
    }

    fn size(
        &self,
        (learner, priors): &Candidate,
        rows: &Table,
        times: Option<&Times>,
    ) -> Option<Size> {
        if let Some(times) = times {
            return Some(times.size);
        }
        let learnt = learner.learn(priors, self.features, &mut rows.source(), self.workers.on());
        learnt.ok().map(|learnt| learnt.report.size())
    }
}

fn joined(
    (total, judged): (Result<Judgement, Error>, Result<Judgement, Error>),
) -> Result<Judgement, Error> {
    Ok(total?.merge(judged?))
}

/// What entries are ranked by.
pub(super) fn measure(costly: bool) -> Measure {
    if costly { Measure::Cost } else { Measure::Error }
}

/// The order of entries, and what is to be said about it.
pub(super) fn rank(entries: &[Entry], costly: bool) -> Ranking {
    let judged: Vec<Result<Judgement, Error>> =
        entries.iter().map(|entry| entry.judged.clone()).collect();
    let sizes: Vec<Option<Size>> = entries.iter().map(|entry| entry.size).collect();
    Ranking::of(&judged, &sizes, measure(costly))
}
