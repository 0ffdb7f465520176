//! Gives Python a table that is read as it streams by, and keeps count of its passes.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use arrow_array::ArrayReader;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_schema::FieldRef;
use gaussbayes::Error;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use super::capsule;
use super::columns::{Columns, Wanted};
use crate::failure::Failure;
use crate::rows::ragged;
use crate::spec::named;
use crate::typed::Reading;

/// A table of any object that lends one by the Arrow C stream interface.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Stream {
    source: Py<PyAny>,
    table: FieldRef,
    pub(super) columns: Columns,
    passes: Mutex<Passes>,
    /// How the features are read, where they are not all numbers without gaps.
    readings: OnceLock<Vec<Reading>>,
}

/// What was read so far.
#[derive(Debug)]
struct Passes {
    /// Opened to learn the columns; the first pass reads it.
    opened: Option<ArrayStreamReader>,
    /// Rows of a pass that came to its end.
    rows: Option<u64>,
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (source, *, target = None, weights = None, features = None, typed = false))]
    fn new(
        source: &Bound<'_, PyAny>,
        target: Option<String>,
        weights: Option<String>,
        features: Option<Vec<String>>,
        typed: bool,
    ) -> PyResult<Self> {
        if !source.hasattr(capsule::STREAM_METHOD)? {
            let kind = source.get_type().fully_qualified_name()?.to_string();
            return Err(Failure::NoStream { kind }.into());
        }
        let opened = capsule::stream(source)?;
        let table = opened.field().clone();
        let columns = Columns::new(&table, &Wanted { features, target, weights, typed })?;
        let passes = Mutex::new(Passes { opened: Some(opened), rows: None });
        let readings = OnceLock::new();
        Ok(Self { source: source.clone().unbind(), table, columns, passes, readings })
    }

    /// Names of the features, in the order in which rows have them.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.columns.names.iter().map(String::as_str).collect()
    }

    /// What the features hold by their types, where any will do: `number`, `flag`, `category` or something else.
    #[getter]
    fn kinds(&self) -> Option<Vec<&'static str>> {
        self.columns.kinds.clone()
    }

    /// Says how the features are read: `numbers` or `names`, with gaps; once, before the first pass.
    fn read_as(&self, readings: Vec<String>) -> PyResult<()> {
        if readings.len() != self.columns.features.len() {
            return Err(ragged());
        }
        let reading = |(word, &fractions): (&String, &bool)| {
            let reading = named("reading", word, &Reading::ALL, Reading::name)?;
            // Numbers that may have fractions are named by the core.
            Ok(if fractions { Reading::Numbers } else { reading })
        };
        let readings = readings.iter().zip(&self.columns.fractions).map(reading);
        let readings: Vec<Reading> = readings.collect::<PyResult<_>>()?;
        self.readings.set(readings).map_err(|_| ragged())
    }

    /// Rows, where the object can say how many it has.
    #[getter]
    fn rows(&self, py: Python<'_>) -> Option<usize> {
        self.source.bind(py).len().ok()
    }

    /// What the labels are in Python: `int`, `bool`, `float` or `text`.
    #[getter]
    fn target_type(&self) -> Option<&'static str> {
        self.columns.target_type
    }
}

impl Stream {
    /// How the features are read, where they are not all numbers without gaps.
    pub(super) fn readings(&self) -> Option<&[Reading]> {
        self.readings.get().map(Vec::as_slice)
    }

    fn passes(&self) -> MutexGuard<'_, Passes> {
        self.passes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rows, where a pass has counted them.
    pub(super) fn counted(&self) -> Option<u64> {
        self.passes().rows
    }

    /// Begins a pass: the first reads what was opened at once, others ask the object again.
    ///
    /// # Errors
    /// [`Error::OnePass`] where the object cannot be read again.
    pub(super) fn begin(&self) -> Result<ArrayStreamReader, Failure> {
        let opened = self.passes().opened.take();
        opened.map_or_else(|| Python::attach(|py| self.reopen(self.source.bind(py))), Ok)
    }

    fn reopen(&self, source: &Bound<'_, PyAny>) -> Result<ArrayStreamReader, Failure> {
        // An iterator goes on where it stopped. What is no container either may do so too, which
        // shows in the number of rows, but only if an earlier pass has counted them.
        let goes_on = source.hasattr("__next__")?;
        let uncounted = self.counted().is_none() && !source.hasattr("__len__")?;
        if goes_on || uncounted {
            return Err(Error::OnePass.into());
        }
        let again = capsule::stream(source).map_err(|failure| match failure {
            Failure::Python(error) if !error.is_instance_of::<PyException>(source.py()) => {
                Failure::Python(error)
            }
            _ => Error::OnePass.into(),
        })?;
        if again.field().data_type() != self.table.data_type() {
            return Err(Failure::ColumnsChanged);
        }
        Ok(again)
    }

    /// Ends a pass after all rows.
    ///
    /// # Errors
    /// [`Error::OnePass`] when an earlier pass had more rows, [`Failure::RowsChanged`] when it had
    /// fewer.
    pub(super) fn end(&self, rows: u64) -> Result<(), Failure> {
        match *self.passes().rows.get_or_insert(rows) {
            before if before > rows => Err(Error::OnePass.into()),
            before if before < rows => Err(Failure::RowsChanged { before, now: rows }),
            _ => Ok(()),
        }
    }
}
