//! Gives Python what rows without labels say about the priors of a model.

use gaussbayes::prior_shift as estimate;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::input::Input;
use crate::model::Model;

/// Priors before and after a look at rows, with standard errors (none at a bound) and a test.
#[pyfunction]
#[pyo3(signature = (model, x, weights = None))]
pub(crate) fn prior_shift<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let classifier = &model.inner.classifier;
    let found =
        Input::labelled(x, None, weights).over(|source, on| estimate(classifier, source, on))?;
    let fields = PyDict::new(x.py());
    fields.set_item("before", &found.before)?;
    fields.set_item("after", &found.after)?;
    fields.set_item("standard_errors", &found.standard_errors)?;
    fields.set_item("log_likelihood_before", found.log_likelihood_before)?;
    fields.set_item("log_likelihood_after", found.log_likelihood_after)?;
    fields.set_item("statistic", found.statistic)?;
    fields.set_item("degrees_of_freedom", found.degrees_of_freedom)?;
    fields.set_item("p_value", found.p_value)?;
    fields.set_item("iterations", found.iterations)?;
    fields.set_item("converged", found.converged)?;
    fields.set_item("rows", found.rows)?;
    fields.set_item("weight", found.weight)?;
    fields.set_item("rare", found.rare())?;
    Ok(fields)
}
