//! Writes models for other programs: ONNX and SQL.

use std::path::PathBuf;

use gaussbayes::{Action, Recipe};
use gaussbayes_io::{Labels, Naming, Precision, to_onnx, to_sql, write_atomically};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::failure::Failure;
use crate::model::Model;

/// Labels of the classes, as Python has them; the last is that of reject where there is one more than classes.
#[derive(FromPyObject)]
pub(crate) enum ClassLabels {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Text.
    Text(Vec<String>),
}

/// What the actions of a recipe are called.
fn naming(
    recipe: &Recipe,
    labels: ClassLabels,
    columns: Vec<(String, Option<usize>)>,
) -> PyResult<Naming> {
    fn of<T: Clone>(recipe: &Recipe, labels: &[T]) -> Option<Vec<T>> {
        let place = |action: &Action| match action {
            Action::Class(k) => *k,
            Action::Reject => recipe.classes.len(),
        };
        recipe.decision.actions.iter().map(|action| labels.get(place(action)).cloned()).collect()
    }
    let labels = match labels {
        ClassLabels::Whole(labels) => of(recipe, &labels).map(Labels::Whole),
        ClassLabels::Text(labels) => of(recipe, &labels).map(Labels::Text),
    };
    let labels = labels.ok_or_else(|| PyIndexError::new_err("a class or reject has no label"))?;
    Ok(Naming { labels, columns })
}

/// The bytes of an ONNX model, with labels for the actions and names for the columns of probabilities; written to a
/// file where there is a path.
#[pyfunction]
#[pyo3(signature = (model, labels, columns, *, single = false, path = None))]
pub(crate) fn onnx<'py>(
    py: Python<'py>,
    model: &Model,
    labels: ClassLabels,
    columns: Vec<(String, Option<usize>)>,
    single: bool,
    path: Option<PathBuf>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let recipe = model.inner.classifier.recipe().map_err(Failure::from)?;
    let naming = naming(&recipe, labels, columns)?;
    let precision = if single { Precision::Float } else { Precision::Double };
    let bytes = py.detach(|| {
        let bytes = to_onnx(&recipe, &naming, precision);
        path.as_deref().map_or(Ok(()), |path| write_atomically(path, &bytes)).map(|()| bytes)
    });
    let bytes = bytes.map_err(Failure::from)?;
    Ok(path.is_none().then(|| PyBytes::new(py, &bytes)))
}

/// The query that scores the rows of a table.
#[pyfunction]
pub(crate) fn sql(
    model: &Model,
    labels: ClassLabels,
    columns: Vec<(String, Option<usize>)>,
    table: &str,
) -> PyResult<String> {
    let recipe = model.inner.classifier.recipe().map_err(Failure::from)?;
    Ok(to_sql(&recipe, &naming(&recipe, labels, columns)?, table))
}
