//! Answers questions about rows: posteriors, actions, scores, distances, projections.

use std::sync::Mutex;

use gaussbayes::{Action, Block, On, Posterior, Source, each_block};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::arrays::{Matrix, Vector, grid};
use crate::directions::Directions;
use crate::failure::Failure;
use crate::input::{AnySource, Input};
use crate::model::Model;

/// Numbers of every block of rows, one block after the other.
fn each<T: Copy + Default + Send>(
    x: &Bound<'_, PyAny>,
    columns: usize,
    work: impl Fn(&Block<'_>) -> Result<Vec<T>, gaussbayes::Error> + Send + Sync,
) -> PyResult<Vec<T>> {
    Input::rows(x).over(|source, on| {
        if let Some(rows) = source.held_rows() {
            let mut all = vec![T::default(); rows * columns];
            fill(&mut all, columns, source, on, work)?;
            return Ok(all);
        }
        let mut all = Vec::new();
        each_block(source, on, work, |more| {
            all.extend(more);
            Ok::<(), Failure>(())
        })?;
        Ok(all)
    })
}

/// Lets every thread write its blocks where they belong: the first touch of memory is work, too.
fn fill<T: Copy + Send>(
    all: &mut [T],
    columns: usize,
    source: &mut AnySource<'_>,
    on: On<'_>,
    work: impl Fn(&Block<'_>) -> Result<Vec<T>, gaussbayes::Error> + Send + Sync,
) -> Result<(), Failure> {
    let rows = source.rows_per_block();
    let parts: Vec<Mutex<&mut [T]>> =
        all.chunks_mut((rows * columns).max(1)).map(Mutex::new).collect();
    let write = |block: &Block<'_>| {
        let found = work(block)?;
        let part = parts.get(block.first_row() as usize / rows);
        if let Some(Ok(mut part)) = part.map(Mutex::lock) {
            part.copy_from_slice(&found);
        }
        Ok(())
    };
    each_block(source, on, write, |()| Ok(()))
}

/// One row of numbers for each row of data, in the precision asked for.
fn table<'py>(
    x: &Bound<'py, PyAny>,
    columns: usize,
    single: bool,
    work: impl Fn(&Block<'_>) -> Result<Vec<f64>, gaussbayes::Error> + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    if single {
        let narrow = |block: &Block<'_>| {
            Ok(work(block)?.into_iter().map(|value| value as f32).collect::<Vec<f32>>())
        };
        return Ok(grid(x.py(), each(x, columns, narrow)?, columns)?.into_any());
    }
    Ok(grid(x.py(), each(x, columns, work)?, columns)?.into_any())
}

fn posteriors(model: &Model, block: &Block<'_>) -> Result<Posterior, gaussbayes::Error> {
    Ok(Posterior::from_scores(model.inner.classifier.scores(block)?))
}

/// P(class | row), row by row.
#[pyfunction]
#[pyo3(signature = (model, x, *, single = false))]
pub(crate) fn posterior<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    table(x, model.classes_len(), single, |block| {
        Ok(model.inner.classifier.scores(block)?.into_probabilities())
    })
}

/// ln P(class | row), row by row.
#[pyfunction]
#[pyo3(signature = (model, x, *, single = false))]
pub(crate) fn log_posterior<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    table(x, model.classes_len(), single, |block| {
        let posterior = posteriors(model, block)?;
        let row = |i: usize| (0..posterior.classes()).map(move |k| (i, k));
        let pairs = (0..posterior.rows()).flat_map(row);
        let mut logs: Vec<f64> = pairs.map(|(i, k)| posterior.log_prob(i, k)).collect();
        if single {
            // A probability that is one in single precision has the logarithm of one.
            let probs = (0..posterior.rows()).flat_map(|i| posterior.probs(i));
            let ones = logs.iter_mut().zip(probs).filter(|(_, prob)| *prob as f32 == 1.0);
            ones.for_each(|(log, _)| *log = 0.0);
        }
        Ok(logs)
    })
}

/// ln P(class) + ln p(row | class), row by row.
#[pyfunction]
#[pyo3(signature = (model, x, *, single = false))]
pub(crate) fn log_joint<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    table(x, model.classes_len(), single, |block| {
        Ok(model.inner.classifier.scores(block)?.log_joint())
    })
}

/// ln P(class) - 1/2 ln det S - 1/2 squared distance, row by row; of a mixture per class ln P(class) + ln p(row | class), of
/// softmax regression its scores.
#[pyfunction]
pub(crate) fn discriminants<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let classifier = &model.inner.classifier;
    table(x, model.classes_len(), false, |block| match classifier.mixture() {
        Ok(mixture) if classifier.is_one_each() => mixture.discriminants(block),
        _ => Ok(classifier.scores(block)?.log_joint()),
    })
}

/// The functions of `Model.linear`, row by row.
#[pyfunction]
#[pyo3(signature = (model, x, about, *, single = false))]
pub(crate) fn linear_scores<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    about: Vec<f64>,
    single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let linear = model.linear_about(&about)?;
    let mixture = model.mixture()?;
    table(x, mixture.components(), single, |block| mixture.linear_scores(&linear, block))
}

/// ln P(second class | row) - ln P(first class | row), for two classes.
#[pyfunction]
pub(crate) fn log_odds<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    let classifier = &model.inner.classifier;
    let odds = each(x, 1, |block| {
        if let Ok(mixture) = classifier.mixture()
            && classifier.is_one_each()
        {
            return mixture.log_odds(block);
        }
        let scores = classifier.scores(block)?;
        Ok(scores.relative.chunks_exact(2).map(|row| row[1] - row[0]).collect())
    })?;
    Ok(odds.into_pyarray(x.py()))
}

/// Coordinates along directions, row by row: about their centre, or about zero.
#[pyfunction]
#[pyo3(signature = (directions, x, *, centred = true, single = false))]
pub(crate) fn project<'py>(
    directions: &Directions,
    x: &Bound<'py, PyAny>,
    centred: bool,
    single: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let projection = &directions.0;
    table(x, projection.len(), single, |block| {
        if centred { projection.transform(block) } else { projection.transform_uncentred(block) }
    })
}

/// ln p(row), row by row.
#[pyfunction]
pub(crate) fn log_evidence<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    let all = each(x, 1, |block| {
        let posterior = posteriors(model, block)?;
        Ok((0..posterior.rows()).map(|i| posterior.log_evidence(i)).collect())
    })?;
    Ok(all.into_pyarray(x.py()))
}

/// Entropy of the posterior, row by row: 0 where a row is in no doubt.
#[pyfunction]
pub(crate) fn entropies<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    let all = each(x, 1, |block| {
        let posterior = posteriors(model, block)?;
        Ok((0..posterior.rows()).map(|i| posterior.entropy(i)).collect())
    })?;
    Ok(all.into_pyarray(x.py()))
}

/// Squared Mahalanobis distances to the classes, row by row.
#[pyfunction]
pub(crate) fn distances<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Matrix<'py>> {
    let classes = model.classes_len();
    let all = each(x, classes, |block| model.inner.classifier.distances_sq(block))?;
    grid(x.py(), all, classes)
}

/// What is decided, row by row: the number of a class, or -1 for reject.
#[pyfunction]
pub(crate) fn actions<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let classifier = &model.inner.classifier;
    let number = |action: usize| match classifier.loss().actions()[action] {
        Action::Class(k) => k as i64,
        Action::Reject => -1,
    };
    let all = each(x, 1, |block| Ok(classifier.actions(block)?.into_iter().map(number).collect()))?;
    Ok(all.into_pyarray(x.py()))
}
