//! Gives Python the chances of a rule's errors, thresholds by them, and rows of a model.

use gaussbayes::{Chance, Method, Mixture, Risk, RiskOptions, each_block};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid};
use crate::failure::Failure;
use crate::model::Model;
use crate::watch::watched;

fn values(chances: &[Chance]) -> Vec<f64> {
    chances.iter().map(|chance| chance.value).collect()
}

fn errors(chances: &[Chance]) -> Vec<f64> {
    chances.iter().map(|chance| chance.error).collect()
}

fn pair(chance: Chance) -> (f64, f64) {
    (chance.value, chance.error)
}

/// What a rule does to rows of each class, drawn from its own model or from another of the same classes.
#[pyfunction]
#[pyo3(signature = (model, under = None, *, method = None, seed = 0, draws = None))]
pub(crate) fn risk<'py>(
    py: Python<'py>,
    model: &Model,
    under: Option<&Model>,
    method: Option<&str>,
    seed: u64,
    draws: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let method = method.map(known).transpose()?;
    let usual = RiskOptions::default();
    let how = RiskOptions { method, seed, draws: draws.unwrap_or(usual.draws), ..usual };
    let classifier = &model.inner.classifier;
    let truth: Option<&Mixture> = under.map(Model::mixture).transpose()?;
    let (risk, bounds) = watched(py, None, classifier.features().len(), |on| {
        // Bounds that are not known leave the risk as it is.
        Ok((classifier.risk(truth, &how, on)?, classifier.bounds(truth).ok().flatten()))
    })?;
    let fields = fields(py, &risk)?;
    let sums = bounds.as_ref().map(|bounds| (bounds.bhattacharyya, bounds.chernoff));
    fields.set_item("bhattacharyya", sums.map(|(bound, _)| bound))?;
    fields.set_item("chernoff", sums.map(|(_, bound)| bound))?;
    let pairs = bounds.map_or_else(Vec::new, |bounds| bounds.pairs);
    let pairs: Vec<_> =
        pairs.iter().map(|(i, j, one)| (*i, *j, one.bhattacharyya, one.chernoff, one.s)).collect();
    fields.set_item("pairs", pairs)?;
    Ok(fields)
}

fn known(name: &str) -> PyResult<Method> {
    let names = || Method::ALL.map(Method::name).join(", ");
    Method::named(name)
        .ok_or_else(|| PyValueError::new_err(format!("method {name:?} is none of {}", names())))
}

fn fields<'py>(py: Python<'py>, risk: &Risk) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let actions = risk.confusion.len() / risk.per_class.len().max(1);
    let confusion: Matrix<'py> = grid(py, values(&risk.confusion), actions)?;
    fields.set_item("confusion", confusion)?;
    fields.set_item("confusion_error", grid(py, errors(&risk.confusion), actions)?)?;
    fields.set_item("per_class", values(&risk.per_class).into_pyarray(py))?;
    fields.set_item("per_class_error", errors(&risk.per_class).into_pyarray(py))?;
    fields.set_item("total", pair(risk.total))?;
    fields.set_item("error_rate", pair(risk.error_rate))?;
    fields.set_item("reject_rate", pair(risk.reject_rate))?;
    fields.set_item("method", risk.method.name())?;
    fields.set_item("sentence", risk.method.sentence())?;
    fields.set_item("points", risk.points)?;
    let pairwise = risk.pairwise.map(|(least, most)| (least.value, most.value));
    fields.set_item("pairwise", pairwise)?;
    Ok(fields)
}

/// The threshold of the log likelihood ratio at which a class is missed with a given chance, the chances of
/// both errors there, and the priors that make it the best threshold.
#[pyfunction]
pub(crate) fn neyman_pearson(
    py: Python<'_>,
    model: &Model,
    class: usize,
    error: f64,
) -> PyResult<(f64, [f64; 2], [f64; 2])> {
    let found = py.detach(|| model.inner.classifier.neyman_pearson(class, error));
    let found = found.map_err(Failure::from)?;
    Ok((found.log_threshold, found.errors.map(|chance| chance.value), found.priors()))
}

/// The least favourable priors, what the best rule costs under them, and its threshold.
#[pyfunction]
pub(crate) fn minimax(py: Python<'_>, model: &Model) -> PyResult<([f64; 2], f64, f64)> {
    let found = py.detach(|| model.inner.classifier.minimax()).map_err(Failure::from)?;
    Ok((found.priors, found.cost, found.rule.log_threshold))
}

/// Rows drawn from a model, and the numbers of their classes.
#[pyfunction]
pub(crate) fn sample<'py>(
    py: Python<'py>,
    model: &Model,
    rows: u64,
    seed: u64,
) -> PyResult<(Matrix<'py>, Bound<'py, PyArray1<i64>>)> {
    let dim = model.mixture()?.dim();
    let (values, codes) = watched(py, usize::try_from(rows).ok(), dim, |on| {
        let (mut values, mut codes) = (Vec::new(), Vec::new());
        let drawn = |block: &gaussbayes::Block<'_>| {
            let mut part = vec![0.0; block.rows().count() * dim];
            for (i, row) in part.chunks_exact_mut(dim).enumerate() {
                block.rows().read(i, row);
            }
            let own = block.labels().map_or_else(Vec::new, |labels| labels.codes.to_vec());
            Ok((part, own))
        };
        each_block(&mut model.inner.classifier.sample(rows, seed)?, on, drawn, |(part, own)| {
            values.extend(part);
            codes.extend(own.into_iter().map(i64::from));
            Ok(())
        })?;
        Ok((values, codes))
    })?;
    Ok((grid(py, values, dim)?, codes.into_pyarray(py)))
}
