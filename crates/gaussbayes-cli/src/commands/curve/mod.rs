//! Draws curves: error by rows or columns, ROC, and what the best threshold costs.

mod errors;
mod operating;
mod plot;

use std::path::Path;

use gaussbayes::{Folds, HeldOut, out_of_fold};
use gaussbayes_io::write_atomically;
use serde_json::Value;

use super::asked::Asked;
use super::workers::Workers;
use crate::args::{Common, Curve, CurveOptions, Evaluate};
use crate::failure::Failure;
use crate::output::Output;

/// Draws the curve that was asked for, from folds.
pub(super) fn run(
    kind: Curve,
    arguments: &Evaluate,
    asked: Asked,
    folds: Option<usize>,
    common: &Common,
    workers: &Workers,
    output: &Output,
) -> Result<(), Failure> {
    refuse_idle(kind, &arguments.curve)?;
    let count = folds.ok_or_else(|| {
        Failure::usage("a curve is drawn from folds, not row by row", "--folds 10")
    })?;
    if arguments.costs.loss.is_some() || arguments.costs.reject.is_some() {
        let message = "a curve shows errors, for every threshold or every number of rows";
        return Err(Failure::usage(message, "leave --loss and --reject out"));
    }
    let folds = Folds { count, seed: common.seed };
    match kind {
        Curve::Learning | Curve::Features => {
            errors::run(kind, arguments, asked, folds, workers, output)
        }
        Curve::Roc | Curve::Cost => {
            if arguments.repeat > 1 {
                let message = "a row has one place on the curve: folds are not repeated";
                return Err(Failure::usage(message, "leave --repeat out"));
            }
            let Asked { data, features, learner, priors } = asked;
            let rows = workers.table(data)?;
            let candidate = (learner, priors);
            let on = workers.on();
            let held = out_of_fold(&candidate, &features, folds, &mut rows.source(), on)?;
            let (model, data) = (arguments.estimation.model(), &arguments.data.tables);
            let title = format!("{model} on {data}: {count} folds");
            drawn(kind, &held, &title, arguments, output)
        }
    }
}

/// Draws what thresholds do to rows that were scored.
pub(super) fn drawn(
    kind: Curve,
    held: &HeldOut,
    title: &str,
    arguments: &Evaluate,
    output: &Output,
) -> Result<(), Failure> {
    refuse_idle(kind, &arguments.curve)?;
    match kind {
        Curve::Roc => operating::roc(held, title, &arguments.curve, output),
        Curve::Cost => operating::cost(held, title, &arguments.curve, output),
        Curve::Learning | Curve::Features => {
            let message = format!("a saved model has no {} curve: it learns no more", kind.name());
            Err(Failure::usage(message, "leave --with out, or --curve roc, or --curve cost"))
        }
    }
}

/// Refuses options that have nothing to do for a curve.
fn refuse_idle(kind: Curve, how: &CurveOptions) -> Result<(), Failure> {
    let by_error = matches!(kind, Curve::Learning | Curve::Features);
    for (given, flag, belongs) in [
        (how.against.is_some(), "--against", by_error),
        (!how.at.is_empty(), "--at", by_error),
        (how.rows.is_some(), "--learn-from", kind == Curve::Features),
        (how.order.is_some(), "--order", kind == Curve::Features),
    ] {
        if given && !belongs {
            let message = format!("{flag} has nothing to do for --curve {}", kind.name());
            return Err(Failure::usage(message, format!("leave {flag} out")));
        }
    }
    Ok(())
}

/// Says where the points were written, or writes nothing.
fn points(path: Option<&Path>, head: &str, lines: &[String]) -> Result<String, Failure> {
    let Some(path) = path else { return Ok(String::new()) };
    let mut text = format!("{head}\n");
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    write_atomically(path, text.as_bytes())?;
    Ok(format!("\nsaved {}\n", path.display()))
}

/// A number, or nothing: infinity has no JSON.
fn finite(x: f64) -> Value {
    if x.is_finite() { x.into() } else { Value::Null }
}
