//! Ranks every classifier on a data set.

use gaussbayes::{
    Candidate, Classifier, CovarianceSpec, Folds, Judgement, LabelSweep, On, Pool, Scaling, Sweep,
    Table, cross_validate_all,
};
use serde_json::{Value, json};

use super::{labelled, pool, warn_of};
use crate::args::{Common, Compare, Options};
use crate::failure::Failure;
use crate::models::{CLASSIFIERS, Named, spec};
use crate::output::Output;
use crate::text::{count, json_count, per_cent, short, table};

pub(crate) fn run(arguments: &Compare, common: &Common, output: &Output) -> Result<(), Failure> {
    let pool = pool(common)?;
    let (data, _) = labelled(&arguments.data, common)?;
    let features = data.features().to_vec();
    let rows = data.read(On::pool(&pool))?;
    let folds = Folds { count: arguments.folds, seed: common.seed };
    let ranking =
        Ranking::of(&CLASSIFIERS, &rows, &features, &arguments.options, folds, &pool, output)?;
    let title = format!(
        "{}: {} rows, {} features, {} folds\n\n",
        arguments.data.data,
        rows.rows(),
        features.len(),
        arguments.folds
    );
    warn_of_units(&rows, &features, &arguments.options, output)?;
    let text = title + &table(&ranking.cells()) + &ranking.failures();
    output.answer(&text, &ranking.json())
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

/// Every classifier with its judgement, best first; those that cannot be fitted last.
pub(super) struct Ranking(pub(super) Vec<(Named, Result<Judgement, gaussbayes::Error>)>);

impl Ranking {
    pub(super) fn of(
        classifiers: &[Named],
        rows: &Table,
        features: &[String],
        options: &Options,
        folds: Folds,
        pool: &Pool,
        output: &Output,
    ) -> Result<Self, Failure> {
        let mut without = Vec::new();
        let mut candidate = |named: &Named| -> Result<Candidate, Failure> {
            let (wanted, priors) = spec(named.family, options)?;
            let spec = as_far_as_it_goes(wanted.clone());
            if spec != wanted {
                without.push(named.name);
            }
            Ok((spec, priors))
        };
        let candidates =
            classifiers.iter().map(&mut candidate).collect::<Result<Vec<_>, Failure>>()?;
        if !without.is_empty() {
            output.warn(format!(
                "taken without options that they do not have: {}",
                without.join(", ")
            ));
        }
        let (source, on) = (&mut rows.source(), On::pool(pool));
        let judged = cross_validate_all(&candidates, features, None, folds, source, on)?;
        let mut ranked: Vec<_> = classifiers.iter().copied().zip(judged).collect();
        ranked.sort_by(|(_, a), (_, b)| Judgement::better_first(a, b));
        Ok(Self(ranked))
    }

    pub(super) fn cells(&self) -> Vec<Vec<String>> {
        let head = ["model", "family", "error", "95 % interval", "log loss", "errors"];
        let mut rows = vec![head.map(String::from).to_vec()];
        for (named, judged) in &self.0 {
            let mut row = vec![named.name.to_string(), named.family.name().to_string()];
            match judged {
                Ok(judgement) => {
                    let (low, high) = judgement.interval();
                    row.push(per_cent(judgement.error_rate()));
                    row.push(format!("{:.2} to {}", 100.0 * low, per_cent(high)));
                    row.push(short(judgement.log_loss()));
                    row.push(count(judgement.errors()));
                }
                Err(_) => row.push("cannot be fitted".into()),
            }
            rows.push(row);
        }
        rows
    }

    /// Why some could not be fitted, a line for each reason.
    pub(super) fn failures(&self) -> String {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for named in CLASSIFIERS {
            let judged = self.0.iter().find(|(other, _)| other.name == named.name);
            let Some((_, Err(error))) = judged else { continue };
            let reason = error.to_string();
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(named.name),
                None => reasons.push((reason, vec![named.name])),
            }
        }
        let line =
            |(reason, names): &(String, Vec<&str>)| format!("{}: {reason}\n", names.join(", "));
        let lines: String = reasons.iter().map(line).collect();
        if lines.is_empty() { lines } else { format!("\n{lines}") }
    }

    pub(super) fn json(&self) -> Value {
        let row = |(named, judged): &(Named, Result<Judgement, gaussbayes::Error>)| match judged {
            Ok(judgement) => json!({
                "model": named.name,
                "family": named.family.name(),
                "error_rate": judgement.error_rate(),
                "errors": json_count(judgement.errors()),
                "n": json_count(judgement.n()),
                "interval": [judgement.interval().0, judgement.interval().1],
                "log_loss": judgement.log_loss(),
            }),
            Err(error) => json!({
                "model": named.name,
                "family": named.family.name(),
                "failure": error.to_string(),
            }),
        };
        json!({ "ranking": self.0.iter().map(row).collect::<Vec<_>>() })
    }
}

/// The specification without what has nothing to do for its family.
fn as_far_as_it_goes(mut spec: CovarianceSpec) -> CovarianceSpec {
    let plain = CovarianceSpec::from(spec.family);
    if spec.check().is_err() {
        spec.shrinkage = None;
    }
    if spec.check().is_err() {
        spec.on_singular = plain.on_singular;
    }
    if spec.check().is_err() {
        spec.ridge = plain.ridge;
    }
    spec
}
