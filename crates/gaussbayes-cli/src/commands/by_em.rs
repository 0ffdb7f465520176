//! Fits a classifier to rows of which some have no label, and says how EM went.

use std::ops::ControlFlow;

use gaussbayes::{CovarianceSpec, EmSpec, EmState, SemiEm, SemiFitted, semi_supervised};
use gaussbayes_io::{ByEm, Held};
use serde_json::{Map, Value, json};

use super::fit::{Job, saved};
use super::{warn_of, warn_of_twins};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;

/// Fits to all rows: those without a label belong to every class by their posteriors.
pub(super) fn run(job: &Job<'_>, mut rows: Held) -> Result<(), Failure> {
    let usual = EmSpec::from(job.spec.family);
    let guard = usual.covariance.guard;
    let covariance = CovarianceSpec { guard, ..job.spec.clone() };
    let spec = EmSpec { covariance: covariance.clone(), priors: job.priors.clone(), ..usual };
    let (watch, on) = (job.workers.watch(), job.workers.on());
    let each = &mut |state: &EmState| {
        watch.say(format!("iteration {}", state.iteration()), Some(rows_of(state)));
        ControlFlow::Continue(())
    };
    let found = semi_supervised(&spec, &job.features, &mut rows, on, each)?;
    let SemiFitted { classifier, report, rows, unlabelled_rows, labelled, unlabelled, em } = found;
    let (weight, output) = (labelled + unlabelled, job.output);
    warn_of(&report, &job.features, output);
    warn_of_twins(classifier.classes(), output);
    let parameters = em.as_ref().map_or(report.parameters, |em| em.state.parameters());
    let record = ByEm::of((rows, unlabelled_rows), weight, parameters, em.as_ref());
    if let Some(em) = &em {
        told(&record, em, output);
    }
    let path = job.arguments.output.display().to_string();
    let spec = if em.is_some() { covariance } else { job.spec.clone() };
    let model = job.model(classifier, spec, None, Some(record));
    model.save(&job.arguments.output)?;
    saved(&model, &report, weight, &path, None, output)
}

fn rows_of(state: &EmState) -> u64 {
    state.pass().map_or(0, |pass| pass.rows)
}

/// Says on the way what a user should know about EM over all rows.
pub(super) fn told(record: &ByEm, em: &SemiEm, output: &Output) {
    let (some, all) = (record.unlabelled_rows, record.rows);
    output.note(&format!("{some} of {all} rows have no label and take part by EM"));
    ByEm::warnings(em).into_iter().for_each(|warning| output.warn(warning));
}

/// How EM went, in a line; none where every row had a label.
pub(super) fn sentence(record: &ByEm) -> String {
    let (Some(start), Some(log_likelihood)) = (&record.start, record.log_likelihood) else {
        return String::new();
    };
    let ended = if record.converged { "converged in" } else { "not converged after" };
    let from = match start.as_str() {
        "labelled" => "the fit of the labelled rows",
        "labelled-shared" => "one covariance of the labelled rows for all classes",
        "all-rows" => "means of the labelled rows and the covariance of all",
        _ => "the mixtures of the labelled rows",
    };
    format!(
        "{} without a label took part by EM from {from}: {ended} {}, log-likelihood {log_likelihood:.2}\n",
        plural(record.unlabelled_rows as usize, "row"),
        plural(record.iterations as usize, "iteration"),
    )
}

/// The same for programs.
pub(super) fn fields(record: &ByEm) -> Map<String, Value> {
    let em = record.start.as_ref().map(|start| {
        json!({
            "start": start,
            "iterations": record.iterations,
            "converged": record.converged,
            "loglik": record.log_likelihood,
        })
    });
    let mut fields = Map::new();
    fields.insert("unlabelled".into(), record.unlabelled_rows.into());
    fields.insert("em".into(), json!(em));
    fields.insert("parameters".into(), record.parameters.into());
    fields
}
