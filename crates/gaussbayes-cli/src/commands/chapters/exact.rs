//! Puts the exact error of a rule beside what rows show.

use gaussbayes::{Classifier, Covariances, Judgement, Method, Risk, RiskOptions};
use serde_json::{Value, json};

use super::Bench;
use crate::commands::error::Bounded;
use crate::failure::Failure;
use crate::page::Chapter;
use crate::text::per_cent;

/// Classes beyond which rows are drawn instead: exact chances would take minutes.
const SIMULATED: usize = 8;

/// The exact error of a classifier under its own model.
pub(in crate::commands) fn exact_of(
    classifier: &Classifier,
    bench: &Bench<'_>,
) -> Result<Risk, Failure> {
    let shared = matches!(classifier.mixture()?.covariances(), Covariances::Shared(_));
    // Lattices look at every pair of classes along every direction.
    let many =
        classifier.classes().len() > SIMULATED && !(shared && classifier.features().len() < 2);
    let method = many.then_some(Method::Simulation);
    let how = RiskOptions { method, seed: bench.common.seed, ..RiskOptions::default() };
    Ok(classifier.risk(None, &how, bench.workers.on())?)
}

/// Adds the error that the fitted model predicts, its bounds, and the error that folds have found.
pub(in crate::commands) fn exact_beside(
    chapter: &mut Chapter,
    classifier: &Classifier,
    judged: &Judgement,
    bench: &Bench<'_>,
) -> Result<Value, Failure> {
    let risk = exact_of(classifier, bench)?;
    let bounds = Bounded::of(classifier, classifier.mixture()?);
    let (low, high) = judged.interval();
    let exact = risk.error_rate.value;
    let mut cells = vec![["", "error", "how it is known"].map(String::from).to_vec()];
    cells.push(vec![
        "if the model were true".into(),
        match risk.error_rate.error {
            error if risk.method.is_estimate() => {
                format!("{} ± {:.2}", per_cent(exact), 100.0 * error)
            }
            _ => per_cent(exact),
        },
        risk.method.sentence().into(),
    ]);
    cells.push(vec![
        "on rows left out".into(),
        per_cent(judged.error_rate()),
        format!("cross-validation, 95 % interval {} to {}", per_cent(low), per_cent(high)),
    ]);
    if let Some((bhattacharyya, chernoff)) = bounds.errors() {
        cells.push(vec!["Bhattacharyya".into(), per_cent(bhattacharyya), BOUND.into()]);
        cells.push(vec!["Chernoff".into(), per_cent(chernoff), BOUND.into()]);
    }
    if let Some(linear) = bounds.linear() {
        let about = "the least error of any flat boundary, if the model were true".into();
        cells.push(vec!["best linear rule".into(), per_cent(linear.total), about]);
    }
    chapter.table("What the fitted Gaussians promise, and what rows show", cells);
    let verdict = match exact {
        exact if exact < low => {
            "The model promises fewer errors than rows show: the classes are not quite the Gaussians that were \
             fitted, or there are too few rows to know them."
        }
        exact if exact > high => {
            "Rows show fewer errors than the model promises: the classes lie farther apart than Gaussians of these \
             covariances would."
        }
        _ => {
            "Both agree within the interval: as far as errors go, the Gaussians describe the classes."
        }
    };
    chapter.say(verdict);
    chapter.brief(format!(
        "error if the model were true {}, on rows left out {}",
        per_cent(exact),
        per_cent(judged.error_rate())
    ));
    Ok(json!({
        "exact": exact,
        "method": risk.method.name(),
        "cross_validated": judged.error_rate(),
        "interval": [low, high],
        "bhattacharyya": bounds.errors().map(|bounds| bounds.0),
        "chernoff": bounds.errors().map(|bounds| bounds.1),
    }))
}

const BOUND: &str = "the least error of any rule is no larger, if the model were true";
