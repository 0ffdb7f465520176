//! Compares candidates for Python: judged by the same folds, tested against the best, timed.

use std::time::Instant;

use gaussbayes::{
    Block, Candidate, Error, Folds, Judgement, Measure, Merge, On, Ranking, Size, Source,
    cross_validate_all, each_block,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::input::{AnySource, Input};
use crate::judge::{Candidates, Learning, fields};
use crate::spec::PriorsWord;

/// Seconds of one fit to all rows and of one prediction of all, and the numbers that were estimated.
struct Timed {
    fit: f64,
    predict: f64,
    size: Size,
}

/// The classifiers that the command compares: their names and the letters of their families.
#[pyfunction]
pub(crate) fn classifiers() -> Vec<(&'static str, &'static str)> {
    gaussbayes_cli::classifiers()
}

/// Judges candidates by the same folds, ranks them, and says which to take.
#[pyfunction]
#[pyo3(signature = (
    candidates, x, y, weights, features, *, folds, repeat, seed, names, costs = None,
))]
#[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python function")]
pub(crate) fn compare<'py>(
    candidates: Vec<(Learning<'py>, PriorsWord)>,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    features: Vec<String>,
    folds: usize,
    repeat: u32,
    seed: u64,
    names: Vec<String>,
    costs: Option<PyReadonlyArray2<'_, f64>>,
) -> PyResult<Bound<'py, PyDict>> {
    let candidates = Candidates::new(candidates, costs)?;
    let (judged, times) = Input::labelled(x, y, weights).over(|source, on| {
        let judged =
            turns(&candidates, &features, Folds { count: folds, seed }, repeat, source, on)?;
        let timed = |(judged, candidate): (&Result<Judgement, Error>, &Candidate)| match judged {
            Ok(_) => timed(candidate, &features, source, on),
            Err(_) => Ok(None),
        };
        let times = judged.iter().zip(&candidates.all).map(timed).collect::<Result<Vec<_>, _>>()?;
        Ok((judged, times))
    })?;
    let sizes: Vec<Option<Size>> =
        times.iter().map(|times| times.as_ref().map(|times| times.size)).collect();
    let by = if candidates.loss.is_some() { Measure::Cost } else { Measure::Error };
    let ranking = Ranking::of(&judged, &sizes, by);
    let py = x.py();
    let mut rows = Vec::new();
    for (i, (judged, times)) in judged.iter().zip(&times).enumerate() {
        let row = fields(py, judged)?;
        let contrast = ranking.contrasts[i];
        row.set_item("parameters", sizes[i].map(|size| size.parameters))?;
        row.set_item("rule_parameters", sizes[i].map(|size| size.rule))?;
        row.set_item("fit_seconds", times.as_ref().map(|times| times.fit))?;
        row.set_item("predict_seconds", times.as_ref().map(|times| times.predict))?;
        row.set_item("difference", contrast.map(|found| found.difference))?;
        row.set_item("standard_error", contrast.map(|found| found.standard_error))?;
        row.set_item("p_value", contrast.map(|found| found.p_value))?;
        row.set_item("p_holm", ranking.p_values[i])?;
        rows.push(row);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let result = PyDict::new(py);
    result.set_item("rows", rows)?;
    result.set_item("order", ranking.order.clone())?;
    result.set_item("alike", ranking.alike())?;
    result.set_item("advised", ranking.advised)?;
    result.set_item("advice", ranking.advice(&names))?;
    Ok(result)
}

/// Judgements of all turns through the folds, each the mean of its turns.
fn turns(
    candidates: &Candidates,
    features: &[String],
    folds: Folds,
    repeat: u32,
    source: &mut AnySource<'_>,
    on: On<'_>,
) -> Result<Vec<Result<Judgement, Error>>, Failure> {
    let mut total: Option<Vec<Result<Judgement, Error>>> = None;
    for turn in 0..u64::from(repeat) {
        if turn > 0 {
            source.rewind()?;
        }
        let own = Folds { seed: folds.seed.wrapping_add(turn), ..folds };
        let loss = candidates.loss.as_ref();
        let judged = cross_validate_all(&candidates.all, features, loss, own, source, on)?;
        total = Some(match total {
            Some(total) => total.into_iter().zip(judged).map(|(a, b)| Ok(a?.merge(b?))).collect(),
            None => judged,
        });
    }
    let mean = |judged: Result<Judgement, Error>| judged.map(|judged| judged.averaged(repeat));
    Ok(total.unwrap_or_default().into_iter().map(mean).collect())
}

/// By the clock; nothing where all rows cannot be fitted to.
fn timed(
    (learner, priors): &Candidate,
    features: &[String],
    source: &mut AnySource<'_>,
    on: On<'_>,
) -> Result<Option<Timed>, Failure> {
    source.rewind()?;
    let begun = Instant::now();
    let Ok(learnt) = learner.learn(priors, features, source, on) else { return Ok(None) };
    let fit = begun.elapsed().as_secs_f64();
    source.rewind()?;
    let begun = Instant::now();
    let decide = |block: &Block<'_>| learnt.classifier.actions(block);
    each_block(source, on, decide, |_| Ok::<(), Failure>(()))?;
    let predict = begun.elapsed().as_secs_f64();
    Ok(Some(Timed { fit, predict, size: learnt.report.size() }))
}
