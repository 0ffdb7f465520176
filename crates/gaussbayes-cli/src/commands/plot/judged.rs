//! Draws how well a classifier does on rows that it has not seen.

use gaussbayes::{
    Candidate, CostCurve, CurveSpec, Folds, HeldOut, JudgeSweep, Roc, ScoreSweep, Source, Table,
    cross_validate, feature_curve, learning_curve, out_of_fold, run as sweep,
};
use gaussbayes_io::Held;
use gaussbayes_plot::{
    ErrorLook, Kind, Needs, Over, Picture, RocLook, confusion, cost_curve, error_curve, roc, rocs,
    scaling,
};

use super::super::asked::other;
use super::super::loss;
use super::super::workers::Workers;
use super::paper::Drawn;
use super::subject::{Subject, axes, class, sampled};
use crate::args::{Common, Plot};
use crate::failure::Failure;
use crate::models::{SOFTMAX, is_softmax};

pub(super) fn drawn(
    kind: Kind,
    subject: &mut Subject,
    arguments: &Plot,
    common: &Common,
    workers: &Workers,
) -> Result<Drawn, Failure> {
    let Some(mut rows) = subject.rows.take() else {
        let message = format!("--figure {} needs rows, and there are none", kind.name());
        return Err(Failure::usage(message, "gaussbayes plot MODEL DATA …, or data alone"));
    };
    if kind.needs() == Needs::Learner && subject.learner.is_none() {
        let message = format!("a saved model has no figure '{}': it learns no more", kind.name());
        return Err(Failure::usage(message, "give the data alone, and --model"));
    }
    let count = rows.rows();
    workers.watch().say("judging".into(), Some(count));
    let job = Job { subject, arguments, common, workers };
    let picture = match kind {
        Kind::Roc => roc(&job.rocs(&mut rows)?, &RocLook::default())?,
        Kind::Cost => {
            let curve = |(name, roc): (String, Roc)| (name, roc.cost_curve());
            let curves: Vec<(String, CostCurve)> =
                job.rocs(&mut rows)?.into_iter().map(curve).collect();
            cost_curve(&curves)?
        }
        Kind::Confusion => job.confusion(&mut rows)?,
        Kind::Scaling => {
            let (table, _) = sampled(&mut rows, arguments.rows, common, workers)?;
            let shown = job.columns(&table)?;
            let drawn = Some((count, table.rows() as u64));
            return Ok(Drawn { figure: kind.name().into(), picture: shown, rows: drawn });
        }
        _ => job.curve(kind, &mut rows)?,
    };
    Ok(Drawn { figure: kind.name().into(), picture, rows: Some((count, count)) })
}

struct Job<'a> {
    subject: &'a Subject,
    arguments: &'a Plot,
    common: &'a Common,
    workers: &'a Workers,
}

impl Job<'_> {
    fn folds(&self) -> Folds {
        Folds { count: self.arguments.folds, seed: self.common.seed }
    }

    /// Rows scored by a model that has not seen them; by a saved one as it is.
    fn scored(&self, rows: &mut Held) -> Result<HeldOut, Failure> {
        rows.rewind()?;
        let on = self.workers.on();
        match &self.subject.learner {
            None => Ok(sweep(&ScoreSweep(&self.subject.classifier), rows, on)?),
            Some(candidate) => {
                let features = self.subject.features();
                Ok(out_of_fold(candidate, features, self.folds(), rows, on)?)
            }
        }
    }

    /// Curves of the class that is asked for, of the second of two, or of each against the rest.
    fn rocs(&self, rows: &mut Held) -> Result<Vec<(String, Roc)>, Failure> {
        let held = self.scored(rows)?;
        let named = self.arguments.class.as_deref();
        let own = named.map(|name| class(held.classes(), name)).transpose()?;
        Ok(rocs(&held, own.map(|k| vec![k]).as_deref())?)
    }

    fn confusion(&self, rows: &mut Held) -> Result<Picture, Failure> {
        rows.rewind()?;
        let (rule, on) = (&self.subject.classifier, self.workers.on());
        let judged = match &self.subject.learner {
            None => sweep(&JudgeSweep(rule), rows, on)?.checked()?,
            Some((learner, priors)) => {
                let loss = loss(&self.arguments.costs, rule.classes())?;
                let features = self.subject.features();
                let folds = self.folds();
                cross_validate(learner, priors, features, loss.as_ref(), folds, rows, on)?
            }
        };
        Ok(confusion(&judged)?)
    }

    /// Error over the number of rows or of columns, of the model that was asked for and of its linear twin.
    fn curve(&self, kind: Kind, rows: &mut Held) -> Result<Picture, Failure> {
        rows.rewind()?;
        let on = self.workers.on();
        let table = sampled(rows, u64::MAX, self.common, self.workers)?.0;
        let Some(candidate) = &self.subject.learner else {
            return Err(gaussbayes::Error::NoRows.into());
        };
        let own = self.arguments.estimation.model();
        let (mut names, mut candidates) = (vec![own.to_owned()], vec![candidate.clone()]);
        let features = self.subject.features();
        let spec = CurveSpec::new(self.folds());
        if kind == Kind::Features {
            let curve = feature_curve(&candidates, features, &table, &spec, on)?;
            let look = ErrorLook { over: Over::Columns, ..ErrorLook::default() };
            return Ok(error_curve(&curve, &names, &look)?);
        }
        if table.fields.is_empty() {
            let twin = if is_softmax(own) { "lda" } else { SOFTMAX };
            let other: Candidate = other(twin, &self.arguments.estimation, None)?;
            candidates.push(other);
            names.push(twin.to_owned());
        }
        let curve = learning_curve(&candidates, features, &table, &spec, on)?;
        Ok(error_curve(&curve, &names, &ErrorLook::default())?)
    }

    /// Two columns before and after they are scaled.
    fn columns(&self, table: &Table) -> Result<Picture, Failure> {
        let features = self.subject.features();
        let chosen = self.arguments.axes.as_deref();
        let columns = chosen.map_or(Ok([0, 1]), |text| axes(text, features))?;
        if features.len() < 2 {
            let message = "one column has no other to be scaled against";
            return Err(Failure::usage(message, "give two columns"));
        }
        let rows = table.values.chunks_exact(table.dim);
        let values = rows.flat_map(|row| columns.map(|j| row[j])).collect();
        let picked = Table { dim: 2, values, fields: Vec::new(), ..table.clone() };
        let names = columns.map(|j| features[j].clone());
        Ok(scaling(&picked, &names)?)
    }
}
