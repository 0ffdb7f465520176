//! Tells Python how a model was found, as dictionaries.

use gaussbayes::{Freedom, Outliers};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;

/// The keywords of a `GaussianMixture` that would be fitted like this, and how the fit ended.
///
/// # Errors
/// Those of Python.
pub(crate) fn clustering<'py>(
    py: Python<'py>,
    model: &gaussbayes_io::Model,
    found: &gaussbayes_io::Clustering,
) -> PyResult<Bound<'py, PyDict>> {
    let (keywords, fields) = (PyDict::new(py), PyDict::new(py));
    let spec = model.spec.gaussian().map_err(Failure::from)?;
    keywords.set_item("covariance_type", spec.family.name())?;
    keywords.set_item("tol", found.stop.tolerance)?;
    keywords.set_item("max_iter", found.stop.max_iterations)?;
    keywords.set_item("stop", found.stop.rule.name())?;
    keywords.set_item("guard", spec.guard)?;
    keywords.set_item("reg_covar", 0.0)?;
    match found.outliers {
        Outliers::Ignored => {}
        Outliers::Noise => keywords.set_item("outliers", "noise")?,
        Outliers::Student(Freedom::Fixed(value)) => keywords.set_item("outliers", value)?,
        Outliers::Student(Freedom::Each) => keywords.set_item("outliers", "student")?,
        Outliers::Student(Freedom::Common) => {
            keywords.set_item("outliers", "student-common")?;
        }
    }
    fields.set_item("keywords", keywords)?;
    fields.set_item("converged", found.converged)?;
    fields.set_item("iterations", found.iterations)?;
    fields.set_item("loglik", found.log_likelihood)?;
    fields.set_item("weight", found.weight)?;
    fields.set_item("part", model.known)?;
    fields.set_item("frozen", (found.frozen.means.clone(), found.frozen.covariances.clone()))?;
    Ok(fields)
}

/// How a classifier was found by EM.
///
/// # Errors
/// Those of Python.
pub(crate) fn by_em<'py>(
    py: Python<'py>,
    found: &gaussbayes_io::ByEm,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("rows", found.rows)?;
    fields.set_item("unlabelled", found.unlabelled_rows)?;
    fields.set_item("parameters", found.parameters)?;
    fields.set_item("start", &found.start)?;
    fields.set_item("iterations", found.iterations)?;
    fields.set_item("converged", found.converged)?;
    fields.set_item("loglik", found.log_likelihood)?;
    fields.set_item("criterion", found.criterion.map(gaussbayes::Criterion::name))?;
    let families: Vec<&str> = found.classes.iter().map(|of| of.family.name()).collect();
    fields.set_item("families", families)?;
    let values: Vec<f64> = found.classes.iter().map(|of| of.value).collect();
    fields.set_item("values", values)?;
    Ok(fields)
}
