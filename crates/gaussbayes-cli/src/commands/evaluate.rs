//! Estimates the error of a classifier, by folds or on rows it has not seen.

use gaussbayes::{
    Classifier, Folds, JudgeSweep, Judgement, LabelSweep, Learner, Loss, Merge, OnSingular, Priors,
    Scaling, ScoreSweep, Source, Table, cross_validate, leave_one_out, run as sweep,
};
use gaussbayes_io::{Columns, Model, shell};
use serde_json::Value;

use super::asked::Asked;
use super::cluster::Cross;
use super::judged::{Costly, answer};
use super::workers::Workers;
use super::{adjusted, curve, loss, open, warn_of};
use crate::again::next;
use crate::args::{Common, Costs, Evaluate, Rda};
use crate::failure::Failure;
use crate::output::Output;
use crate::settings;

pub(crate) fn run(arguments: &Evaluate, common: &Common, output: &Output) -> Result<(), Failure> {
    let workers = Workers::new(common, "judging")?;
    if let Some(path) = &arguments.with {
        return with_model(arguments, common, output, &workers, path);
    }
    if arguments.estimation.rda == Some(Rda::Auto) {
        let message = "errors by which a mixture was chosen do not judge it";
        let hint =
            "gaussbayes fit … --rda auto lists them; judge its choice on other rows (--with)";
        return Err(Failure::usage(message, hint));
    }
    let folds = folds(&arguments.folds)?;
    if folds.is_none() && arguments.repeat > 1 {
        let message = "leaving each row out in turn comes out the same every time";
        return Err(Failure::usage(message, "leave --repeat out"));
    }
    let asked = Asked::of(&arguments.data, &arguments.estimation, common, output)?;
    if let Some(kind) = arguments.curve.kind {
        return curve::run(kind, arguments, asked, folds, common, &workers, output);
    }
    let Asked { mut data, features, learner, priors } = asked;
    // Leaving rows out one by one, input that is no file, and a loss by name need rows in memory.
    let in_memory = folds.is_none()
        || !arguments.data.tables.are_files()
        || arguments.costs.loss.is_some()
        || arguments.costs.reject.is_some();
    let job = Job { learner, priors, features, repeat: arguments.repeat, seed: common.seed };
    let judgement = if in_memory {
        let table = workers.table(data)?;
        workers.watch().say("judging".into(), Some(table.rows() as u64));
        let loss = loss(&arguments.costs, &table.classes())?;
        job.warn(&mut table.source(), &workers, output)?;
        match folds {
            None => job.left_out(loss.as_ref(), &table, &workers)?,
            Some(folds) => job.judge(folds, loss.as_ref(), &mut table.source(), &workers)?,
        }
    } else {
        workers.watch().reads(data.meter());
        job.warn(&mut data, &workers, output)?;
        job.judge(folds.unwrap_or(0), None, &mut data, &workers)?
    };
    let how = match folds {
        None => "each row left out in turn".to_string(),
        Some(folds) if job.repeat > 1 => format!("{folds} folds, {} times", job.repeat),
        Some(folds) => format!("{folds} folds"),
    };
    let (model, data) = (arguments.estimation.model(), &arguments.data.tables);
    let words = settings::words(&job.learner, &job.priors).join(", ");
    let title = format!("{model} on {data}: {how}\n{words}");
    let mut about = settings::fields(&job.learner);
    about.insert("folds".into(), folds.map_or_else(|| "loo".into(), Into::into));
    about.insert("repeat".into(), job.repeat.into());
    let next = output.next("fit", &[]);
    answer(&judgement, has_costs(&arguments.costs), &title, &next, about, output)
}

struct Job {
    learner: Learner,
    priors: Priors,
    features: Vec<String>,
    repeat: u32,
    seed: u64,
}

impl Job {
    /// Says what a fit would say; needs a look at the rows only where scaling matters.
    fn warn<S: Source>(
        &self,
        source: &mut S,
        workers: &Workers,
        output: &Output,
    ) -> Result<(), S::Error> {
        let Learner::Gaussian(spec) = &self.learner else { return Ok(()) };
        if spec.scaling == Scaling::Raw
            && !spec.depends_on_units()
            && spec.on_singular == OnSingular::Refuse
        {
            return Ok(());
        }
        let on = workers.on();
        let stat = sweep(&LabelSweep::new(spec.storage()), source, on)?;
        let stat = stat.completed(spec, source, on)?;
        // What cannot be fitted is said by the folds.
        if let Ok(fitted) = Classifier::fit(spec, &self.priors, stat, &self.features) {
            warn_of(&fitted.report, &self.features, output);
        }
        source.rewind()
    }

    /// Each row by the model of all others: in closed form for Gaussians, by as many folds as rows for others.
    fn left_out(
        &self,
        loss: Option<&Loss>,
        table: &Table,
        workers: &Workers,
    ) -> Result<Judgement, Failure> {
        let Learner::Gaussian(spec) = &self.learner else {
            return Ok(self.judge(table.rows(), loss, &mut table.source(), workers)?);
        };
        let on = workers.on();
        Ok(leave_one_out(spec, &self.priors, &self.features, loss, table, on)?)
    }

    fn judge<S: Source>(
        &self,
        folds: usize,
        loss: Option<&Loss>,
        source: &mut S,
        workers: &Workers,
    ) -> Result<Judgement, S::Error> {
        let mut total: Option<Judgement> = None;
        for turn in 0..u64::from(self.repeat) {
            if turn > 0 {
                source.rewind()?;
            }
            let folds = Folds { count: folds, seed: self.seed.wrapping_add(turn) };
            let (learner, priors, features) = (&self.learner, &self.priors, &self.features);
            let judged =
                cross_validate(learner, priors, features, loss, folds, source, workers.on())?;
            total = Some(match total {
                Some(total) => total.merge(judged),
                None => judged,
            });
        }
        let total = total.ok_or(gaussbayes::Error::NoRows)?;
        Ok(total.averaged(self.repeat))
    }
}

fn with_model(
    arguments: &Evaluate,
    common: &Common,
    output: &Output,
    workers: &Workers,
    path: &std::path::Path,
) -> Result<(), Failure> {
    let model = Model::load(path)?;
    let (priors, rows) = (arguments.estimation.options.priors.as_deref(), model.columns());
    let classifier = adjusted(model.classifier, &model.spec, priors, &arguments.costs, output)?;
    let usual = || arguments.data.tables.usual_target();
    let columns = Columns {
        target: arguments.data.target.clone().or(model.target).or_else(usual),
        weights: arguments.data.weights.clone(),
        ..rows
    };
    let mut data = open(&arguments.data.tables, &columns, common, output)?;
    workers.watch().reads(data.meter());
    if let Some(kind) = arguments.curve.kind {
        if model.clustering.as_ref().is_some_and(|found| !found.named) {
            let message = "clusters are no classes, so there is nothing to be right about";
            return Err(Failure::usage(message, "leave --curve out"));
        }
        let held = sweep(&ScoreSweep(&classifier), &mut data, workers.on())?;
        let title = format!("{} on {}: all rows", path.display(), arguments.data.tables);
        return curve::drawn(kind, &held, &title, arguments, output);
    }
    if let Some(found) = &model.clustering {
        let target = columns.target.ok_or_else(|| {
            let hint = format!("… {} --target COL", arguments.data.tables);
            Failure::usage("which column holds the classes?", hint)
        })?;
        let mut rows = workers.held(data)?;
        let cross = Cross::of(&classifier, &mut rows, workers.on())?;
        let (path, data) = (path.display().to_string(), &arguments.data.tables);
        let known = |class| classifier.classes().contains(class);
        if !found.named || !cross.classes.iter().all(known) {
            return clusters(&cross, &format!("{path} on {data}"), &target, &model.spec, output);
        }
        rows.rewind()?;
        let judgement = sweep(&JudgeSweep(&classifier), &mut rows, workers.on())?.checked()?;
        let (title, about) = (format!("{path} on {data}: all rows"), settings::fields(&model.spec));
        return answer(&judgement, has_costs(&arguments.costs), &title, "", about, output);
    }
    let judgement = sweep(&JudgeSweep(&classifier), &mut data, workers.on())?.checked()?;
    let title = format!("{} on {}: all rows", path.display(), arguments.data.tables);
    let about = settings::fields(&model.spec);
    let next = next(&["predict", &shell(&path.display().to_string()), "NEW.csv", "--proba"]);
    answer(&judgement, has_costs(&arguments.costs), &title, &next, about, output)
}

/// Clusters that are no classes of the target have no error rate.
fn clusters(
    cross: &Cross,
    title: &str,
    target: &str,
    spec: &Learner,
    output: &Output,
) -> Result<(), Failure> {
    let text = format!(
        "{title}: all rows\nclusters are no classes of '{target}', so there is no error rate\n\n{}",
        cross.text(target)
    );
    let mut result = settings::fields(spec);
    if let Value::Object(fields) = cross.json(target) {
        result.extend(fields);
    }
    output.answer(&text, &result.into())
}

fn folds(text: &str) -> Result<Option<usize>, Failure> {
    match text {
        "loo" => Ok(None),
        number => number.parse().map(Some).map_err(|_| {
            Failure::usage(
                format!("'{text}' is no number of folds"),
                "--folds 10, or --folds loo to leave each row out in turn",
            )
        }),
    }
}

fn has_costs(costs: &Costs) -> Costly {
    if costs.loss.is_some() || costs.reject.is_some() { Costly::Yes } else { Costly::No }
}
