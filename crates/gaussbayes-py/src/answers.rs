//! Answers questions about rows: posteriors, actions, scores, distances, projections.

use std::cell::Cell;
use std::sync::Mutex;

use gaussbayes::{Action, Block, Error, On, Posterior, Source, each_block};
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{Matrix, Vector, grid};
use crate::directions::Directions;
use crate::failure::Failure;
use crate::input::{AnySource, Input, read};
use crate::model::Model;

/// So many numbers for each row, in the order of the rows, in an array that they are written to once; `work` writes
/// those of one block.
fn each<'py, T: Element + Copy + Default>(
    x: &Bound<'py, PyAny>,
    columns: usize,
    work: impl Fn(&Block<'_>, &mut [T]) -> Result<(), Error> + Send + Sync,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let py = x.py();
    Input::rows(x).opened(|source| {
        if let Some(rows) = source.held_rows() {
            let array = unwritten(py, rows, columns)?;
            let mut held = array.readwrite();
            let all = held.as_slice_mut()?;
            read(py, source, |source, on| fill(all, columns, source, on, work))?;
            return Ok(array);
        }
        let all = read(py, source, |source, on| {
            let mut all = Vec::new();
            let found = |block: &Block<'_>| {
                let mut found = vec![T::default(); block.rows().count() * columns];
                work(block, &mut found)?;
                Ok(found)
            };
            each_block(source, on, found, |more| {
                all.extend(more);
                Ok::<(), Failure>(())
            })?;
            Ok(all)
        })?;
        grid(py, all, columns)
    })
}

/// An array whose numbers are still to come: numpy asks for large pages, of which few are to be touched.
fn unwritten<T: Element>(
    py: Python<'_>,
    rows: usize,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let array = py.import("numpy")?.call_method1("empty", ((rows, columns), T::get_dtype(py)))?;
    Ok(array.cast_into()?)
}

/// Lets every thread write its blocks where they belong: the first touch of memory is work, too.
fn fill<T: Send>(
    all: &mut [T],
    columns: usize,
    source: &mut AnySource<'_>,
    on: On<'_>,
    work: impl Fn(&Block<'_>, &mut [T]) -> Result<(), Error> + Send + Sync,
) -> Result<(), Failure> {
    let rows = source.rows_per_block();
    let parts: Vec<Mutex<&mut [T]>> =
        all.chunks_mut((rows * columns).max(1)).map(Mutex::new).collect();
    let write = |block: &Block<'_>| {
        let part = parts.get(block.first_row() as usize / rows);
        match part.map(Mutex::lock) {
            Some(Ok(mut part)) => work(block, &mut part),
            // Without columns there is nothing to write.
            _ => Ok(()),
        }
    };
    each_block(source, on, write, |()| Ok(()))
}

/// One number for each row.
pub(crate) fn one_each<'py, T: Element + Copy + Default>(
    x: &Bound<'py, PyAny>,
    work: impl Fn(&Block<'_>, &mut [T]) -> Result<(), Error> + Send + Sync,
) -> PyResult<Bound<'py, PyArray1<T>>> {
    let table = each(x, 1, work)?;
    table.reshape(table.len())
}

thread_local! {
    /// Room for the numbers of a block before they are narrowed, kept from block to block.
    static ROOM: Cell<Vec<f64>> = const { Cell::new(Vec::new()) };
}

/// One row of numbers for each row of data, in the precision asked for.
fn table<'py>(
    x: &Bound<'py, PyAny>,
    columns: usize,
    single: bool,
    work: impl Fn(&Block<'_>, &mut [f64]) -> Result<(), Error> + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    if single {
        let narrow = |block: &Block<'_>, into: &mut [f32]| {
            let mut found = ROOM.take();
            found.resize(into.len(), 0.0);
            work(block, &mut found)?;
            into.iter_mut().zip(&found).for_each(|(into, value)| *into = *value as f32);
            ROOM.set(found);
            Ok(())
        };
        return Ok(each(x, columns, narrow)?.into_any());
    }
    Ok(each(x, columns, work)?.into_any())
}

/// Writes what was found where it belongs; there is as much of it as room.
fn put<T: Copy>(into: &mut [T], found: &[T]) -> Result<(), Error> {
    let (expected, len) = (into.len(), found.len());
    if expected != len {
        return Err(Error::Shape { what: "answers", expected, found: len });
    }
    into.copy_from_slice(found);
    Ok(())
}

/// Writes one number after the other.
pub(crate) fn put_each<T>(into: &mut [T], found: impl Iterator<Item = T>) {
    into.iter_mut().zip(found).for_each(|(into, value)| *into = value);
}

fn posteriors(model: &Model, block: &Block<'_>) -> Result<Posterior, Error> {
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
    table(x, model.classes_len(), single, |block, into| {
        model.inner.classifier.probabilities_into(block, into)
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
    table(x, model.classes_len(), single, |block, into| {
        let posterior = posteriors(model, block)?;
        let row = |i: usize| (0..posterior.classes()).map(move |k| (i, k));
        let pairs = (0..posterior.rows()).flat_map(row);
        put_each(into, pairs.map(|(i, k)| posterior.log_prob(i, k)));
        if single {
            // A probability that is one in single precision has the logarithm of one.
            let probs = (0..posterior.rows()).flat_map(|i| posterior.probs(i));
            let ones = into.iter_mut().zip(probs).filter(|(_, prob)| *prob as f32 == 1.0);
            ones.for_each(|(log, _)| *log = 0.0);
        }
        Ok(())
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
    table(x, model.classes_len(), single, |block, into| {
        put(into, &model.inner.classifier.scores(block)?.log_joint())
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
    table(x, model.classes_len(), false, |block, into| match classifier.mixture() {
        Ok(mixture) if classifier.is_one_each() => put(into, &mixture.discriminants(block)?),
        _ => put(into, &classifier.scores(block)?.log_joint()),
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
    table(x, mixture.components(), single, |block, into| {
        put(into, &mixture.linear_scores(&linear, block)?)
    })
}

/// ln P(second class | row) - ln P(first class | row), for two classes.
#[pyfunction]
pub(crate) fn log_odds<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    let classifier = &model.inner.classifier;
    one_each(x, |block, into| {
        if let Ok(mixture) = classifier.mixture()
            && classifier.is_one_each()
        {
            return put(into, &mixture.log_odds(block)?);
        }
        let scores = classifier.scores(block)?;
        put_each(into, scores.relative.chunks_exact(2).map(|row| row[1] - row[0]));
        Ok(())
    })
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
    table(x, projection.len(), single, |block, into| {
        let found = if centred {
            projection.transform(block)
        } else {
            projection.transform_uncentred(block)
        };
        put(into, &found?)
    })
}

/// ln p(row), row by row.
#[pyfunction]
pub(crate) fn log_evidence<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    one_each(x, |block, into| {
        let posterior = posteriors(model, block)?;
        put_each(into, (0..posterior.rows()).map(|i| posterior.log_evidence(i)));
        Ok(())
    })
}

/// Entropy of the posterior, row by row: 0 where a row is in no doubt.
#[pyfunction]
pub(crate) fn entropies<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Vector<'py>> {
    one_each(x, |block, into| {
        let posterior = posteriors(model, block)?;
        put_each(into, (0..posterior.rows()).map(|i| posterior.entropy(i)));
        Ok(())
    })
}

/// Squared Mahalanobis distances to the classes, row by row.
#[pyfunction]
pub(crate) fn distances<'py>(model: &Model, x: &Bound<'py, PyAny>) -> PyResult<Matrix<'py>> {
    each(x, model.classes_len(), |block, into| {
        put(into, &model.inner.classifier.distances_sq(block)?)
    })
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
    one_each(x, |block, into| {
        put_each(into, classifier.actions(block)?.into_iter().map(number));
        Ok(())
    })
}
