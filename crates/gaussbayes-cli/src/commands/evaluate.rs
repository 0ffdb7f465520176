//! Estimates the error of a classifier, by folds or on rows it has not seen.

use gaussbayes::{
    CovarianceSpec, Folds, JudgeSweep, Judgement, Label, Loss, Merge, On, Pool, Priors, Source,
    cross_validate, leave_one_out, run as sweep, sort_labels,
};
use gaussbayes_io::{Columns, Data, Model};
use serde_json::{Value, json};

use super::{labelled, loss, pool};
use crate::args::{Common, Evaluate};
use crate::failure::Failure;
use crate::models::{family, spec};
use crate::output::Output;
use crate::text::{count, json_count, per_cent, short, table};

pub(crate) fn run(arguments: &Evaluate, common: &Common, output: &Output) -> Result<(), Failure> {
    let pool = pool(common)?;
    if let Some(path) = &arguments.with {
        return with_model(arguments, common, output, &pool, path);
    }
    let (spec, priors) = spec(family(&arguments.estimation.model)?, &arguments.estimation.options)?;
    let (mut data, _) = labelled(&arguments.data, common)?;
    let features = data.features().to_vec();
    let folds = folds(&arguments.folds)?;
    // Leaving rows out one by one, standard input and a loss by name need the rows in memory.
    let in_memory = folds.is_none()
        || arguments.data.data == "-"
        || arguments.costs.loss.is_some()
        || arguments.costs.reject.is_some();
    let job = Job { spec, priors, features, repeat: arguments.repeat, seed: common.seed };
    let judgement = if in_memory {
        let table = data.read(On::pool(&pool))?;
        let mut classes = table.dictionary.clone();
        sort_labels(&mut classes);
        let loss = loss(&arguments.costs, &classes)?;
        match folds {
            None => leave_one_out(&job.spec, &job.priors, &job.features, loss.as_ref(), &table)?,
            Some(folds) => job.judge(folds, loss.as_ref(), &mut table.source(), &pool)?,
        }
    } else {
        job.judge(folds.unwrap_or(0), None, &mut data, &pool)?
    };
    let how = match folds {
        None => "each row left out in turn".to_string(),
        Some(folds) if job.repeat > 1 => format!("{folds} folds, {} times", job.repeat),
        Some(folds) => format!("{folds} folds"),
    };
    let title = format!("{} on {}: {how}", arguments.estimation.model, arguments.data.data);
    answer(&judgement, &title, output)
}

struct Job {
    spec: CovarianceSpec,
    priors: Priors,
    features: Vec<String>,
    repeat: u32,
    seed: u64,
}

impl Job {
    fn judge<S: Source>(
        &self,
        folds: usize,
        loss: Option<&Loss>,
        source: &mut S,
        pool: &Pool,
    ) -> Result<Judgement, S::Error> {
        let mut total: Option<Judgement> = None;
        for turn in 0..u64::from(self.repeat) {
            if turn > 0 {
                source.rewind()?;
            }
            let folds = Folds { count: folds, seed: self.seed.wrapping_add(turn) };
            let (spec, priors, features) = (&self.spec, &self.priors, &self.features);
            let judged =
                cross_validate(spec, priors, features, loss, folds, source, On::pool(pool))?;
            total = Some(match total {
                Some(total) => total.merge(judged),
                None => judged,
            });
        }
        total.ok_or_else(|| gaussbayes::Error::NoRows.into())
    }
}

fn with_model(
    arguments: &Evaluate,
    common: &Common,
    output: &Output,
    pool: &Pool,
    path: &std::path::Path,
) -> Result<(), Failure> {
    let model = Model::load(path)?;
    let mut classifier = model.classifier;
    if let Some(loss) = loss(&arguments.costs, classifier.classes())? {
        classifier = classifier.with_loss(loss)?;
    }
    let columns = Columns {
        target: Some(arguments.data.target.clone().unwrap_or(model.target)),
        weights: arguments.data.weights.clone(),
        ..Columns::exactly(classifier.features())
    };
    let mut data = Data::open(&arguments.data.data, &columns, common.seed)?;
    let judgement = sweep(&JudgeSweep(&classifier), &mut data, On::pool(pool))?;
    let title = format!("{} on {}: all rows", path.display(), arguments.data.data);
    answer(&judgement, &title, output)
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

fn answer(judgement: &Judgement, title: &str, output: &Output) -> Result<(), Failure> {
    let classes = judgement.classes();
    let (low, high) = judgement.interval();
    let mut text = format!(
        "{title}\n\nerror     {}  ({} of {}; 95 % interval {} to {})\nlog loss  {}\n",
        per_cent(judgement.error_rate()),
        count(judgement.errors()),
        count(judgement.n()),
        per_cent(low),
        per_cent(high),
        short(judgement.log_loss()),
    );
    if judgement.rejected() > 0.0 {
        text.push_str(&format!("rejected  {}\n", per_cent(judgement.rejected() / judgement.n())));
    }
    let actions = judgement.actions();
    let name = |action: &gaussbayes::Action| match action {
        gaussbayes::Action::Class(k) => classes[*k].to_string(),
        gaussbayes::Action::Reject => "reject".into(),
    };
    let said: Vec<String> = actions.iter().map(name).collect();
    let mut rows = vec![std::iter::once("true \\ said".to_string()).chain(said.clone()).collect()];
    for (class, row) in classes.iter().zip(judgement.confusion()) {
        let counts = row.iter().map(|&n| count(n));
        rows.push(std::iter::once(class.to_string()).chain(counts).collect::<Vec<String>>());
    }
    text.push('\n');
    text.push_str(&table(&rows));
    let confusion: Vec<Value> =
        judgement.confusion().map(|row| row.iter().map(|&n| json_count(n)).collect()).collect();
    let result = json!({
        "error_rate": judgement.error_rate(),
        "errors": json_count(judgement.errors()),
        "n": json_count(judgement.n()),
        "interval": [low, high],
        "log_loss": judgement.log_loss(),
        "rejected": json_count(judgement.rejected()),
        "mean_cost": judgement.mean_cost(),
        "classes": classes.iter().map(Label::as_str).collect::<Vec<_>>(),
        "actions": said,
        "confusion": confusion,
    });
    output.answer(&text, &result)
}
