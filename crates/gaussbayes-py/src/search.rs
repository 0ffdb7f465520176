//! Gives Python the search over numbers of components and families.

use std::ops::ControlFlow;

use gaussbayes::{Cell, Criterion, Entry, Family, SearchSpec, Start};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input::Input;
use crate::mixtures::{EmSpec, made};
use crate::model::Model;
use crate::spec::named;

/// Mixtures of several sizes and families, on their way or judged.
#[pyclass(module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Search {
    spec: SearchSpec,
    inner: gaussbayes::Search,
}

#[pymethods]
impl Search {
    /// Mixtures, each of so many components of a family, to be started from every start and run.
    #[new]
    #[pyo3(signature = (spec, cells, starts, *, seed, criterion, features))]
    fn new(
        spec: &EmSpec,
        cells: Vec<(usize, String)>,
        starts: Vec<(String, u64)>,
        seed: u64,
        criterion: &str,
        features: Vec<String>,
    ) -> PyResult<Self> {
        let spec = SearchSpec {
            cells: self::cells(cells)?,
            spec: spec.0.clone(),
            runs: self::starts(starts)?,
            seed,
            criterion: named("criterion", criterion, &Criterion::ALL, Criterion::name)?,
            features,
        };
        if spec.cells.is_empty() || spec.runs.is_empty() {
            return Err(PyValueError::new_err("a search needs a mixture to try and a start"));
        }
        Ok(Self { inner: gaussbayes::Search::new(&spec), spec })
    }

    /// Starts all mixtures, takes them to their end and judges them. Where that is interrupted or fails, what was
    /// done stays done.
    #[pyo3(signature = (x, weights = None))]
    fn run(&mut self, x: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let each = &mut |_: &gaussbayes::Search| ControlFlow::Continue(());
        Input::labelled(x, None, weights).over_much(|source, on| {
            let started = self.inner.start(&self.spec, source, on, each);
            started.map_err(|failure| failure.named(&self.spec.features))?;
            self.inner.go_on(source, on, each)
        })
    }

    /// What came of each mixture.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.inner.entries().iter().map(|entry| fields(py, entry)).collect()
    }

    /// The place of the best mixture in the table, where one was fitted.
    #[getter]
    fn best(&self) -> Option<usize> {
        self.place(self.inner.best()?)
    }

    /// The same where the search was broken off: mixtures on their way count where none is at its end.
    #[getter]
    fn best_so_far(&self) -> Option<usize> {
        self.place(self.inner.best_so_far()?)
    }

    /// The mixture at a place of the table.
    fn model(&self, place: usize) -> PyResult<Model> {
        let state = self.inner.entries().get(place).and_then(|entry| entry.state.as_ref());
        let state = state.ok_or_else(|| PyIndexError::new_err("there is no such mixture"))?;
        made(state.spec(), state.mixture(), &self.spec.features)
    }

    /// Rows that starts were computed from, and rows there are.
    #[getter]
    fn sample(&self) -> Option<(u64, u64)> {
        self.inner.sample()
    }
}

impl Search {
    fn place(&self, wanted: &Entry) -> Option<usize> {
        self.inner.entries().iter().position(|entry| std::ptr::eq(entry, wanted))
    }
}

/// Numbers of components with the names of families.
pub(crate) fn cells(cells: Vec<(usize, String)>) -> PyResult<Vec<Cell>> {
    let cell = |(components, family): (usize, String)| {
        Ok(Cell { components, family: named("family", &family, &Family::ALL, Family::name)? })
    };
    cells.into_iter().map(cell).collect()
}

/// Names of starts with the numbers of their runs.
pub(crate) fn starts(starts: Vec<(String, u64)>) -> PyResult<Vec<(Start, u64)>> {
    let start =
        |(start, run): (String, u64)| Ok((named("start", &start, &Start::ALL, Start::name)?, run));
    starts.into_iter().map(start).collect()
}

/// What came of one mixture.
pub(crate) fn fields<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let (state, criteria) = (entry.state.as_ref(), entry.criteria.as_ref());
    fields.set_item("family", entry.cell.family.name())?;
    fields.set_item("n_components", entry.cell.components)?;
    fields.set_item("loglik", criteria.map(|found| found.log_likelihood))?;
    for criterion in Criterion::ALL {
        fields.set_item(criterion.name(), entry.value(criterion))?;
    }
    fields.set_item("parameters", criteria.map(|found| found.parameters))?;
    fields.set_item("converged", state.map(gaussbayes::EmState::converged))?;
    fields.set_item("iterations", state.map(gaussbayes::EmState::iteration))?;
    fields.set_item("lifted", state.map(|state| state.lifted().len()))?;
    fields.set_item("start", entry.start.map(Start::name))?;
    fields.set_item("ranked", entry.is_ranked())?;
    fields.set_item("note", entry.note())?;
    let pass = state.and_then(gaussbayes::EmState::pass);
    fields.set_item("lower_bound", pass.map(|pass| pass.log_likelihood / pass.weight))?;
    Ok(fields)
}
