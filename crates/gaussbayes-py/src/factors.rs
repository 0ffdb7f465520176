//! Tells Python what a product of densities is made of, as dictionaries of arrays.

use gaussbayes::{
    Alpha, ColumnKind, Counting, Factor, Learner, Part, Places, Priors, Ridge, Scorer,
};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid};
use crate::model::Model;

/// The factors of a product, each with its columns and what they say for each class.
///
/// # Errors
/// A `ValueError` where the model is no product.
#[pyfunction]
pub(crate) fn factors<'py>(py: Python<'py>, model: &Model) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let Scorer::Product(product) = model.inner.classifier.model() else { return Err(no_product()) };
    let classes = model.classes_len();
    product.factors().iter().map(|factor| one(py, factor, classes)).collect()
}

fn one<'py>(py: Python<'py>, factor: &Factor, classes: usize) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("columns", factor.columns())?;
    match factor {
        Factor::Number { mixture, .. } => {
            fields.set_item("kind", "number")?;
            let each = |of: fn(&gaussbayes::Mixture, usize) -> Vec<f64>| {
                (0..classes).flat_map(|k| of(mixture, k)).collect::<Vec<f64>>().into_pyarray(py)
            };
            fields.set_item("mean", each(gaussbayes::Mixture::raw_mean))?;
            fields.set_item("var", each(gaussbayes::Mixture::raw_variances))?;
        }
        Factor::Flags { log_yes, .. } => {
            fields.set_item("kind", "flag")?;
            fields.set_item("log_prob", turned(py, log_yes, classes)?)?;
        }
        Factor::Names { places, log_probs, .. } => {
            fields.set_item("kind", "category")?;
            if let Places::Names(names) = places {
                let names: Vec<&str> = names.iter().map(gaussbayes::Label::as_str).collect();
                fields.set_item("names", names)?;
            }
            fields.set_item("log_prob", turned(py, log_probs, classes)?)?;
        }
        Factor::Counts { weights, .. } => {
            fields.set_item("kind", "count")?;
            fields.set_item("log_prob", turned(py, weights, classes)?)?;
        }
        Factor::Words { words, weights, .. } => {
            fields.set_item("kind", "text")?;
            let words: Vec<&str> = words.iter().map(gaussbayes::Label::as_str).collect();
            fields.set_item("names", words)?;
            fields.set_item("log_prob", turned(py, weights, classes)?)?;
        }
    }
    Ok(fields)
}

/// A table of classes by keys, from one of keys by classes.
fn turned<'py>(py: Python<'py>, table: &[f64], classes: usize) -> PyResult<Matrix<'py>> {
    let row = |k: usize| table.iter().skip(k).step_by(classes).copied();
    grid(py, (0..classes).flat_map(row).collect(), table.len() / classes.max(1))
}

/// How a product was estimated: its parts as `ProductSpec` takes them, what becomes of what is unseen, and the share of
/// variance that is added.
///
/// # Errors
/// A `ValueError` where the model is no product.
#[pyfunction]
pub(crate) fn product_settings<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<Bound<'py, PyDict>> {
    let Learner::Product(spec) = &model.inner.spec else { return Err(no_product()) };
    let fields = PyDict::new(py);
    let parts = spec.parts.iter().map(|one| part(py, one)).collect::<PyResult<Vec<_>>>()?;
    fields.set_item("parts", parts)?;
    fields.set_item("unseen", spec.unseen.name())?;
    let ridge = if let Ridge::OfEach(share) = spec.ridge { share } else { 0.0 };
    fields.set_item("ridge", ridge)?;
    match &model.inner.priors {
        Priors::Observed => fields.set_item("priors", "observed")?,
        Priors::Uniform => fields.set_item("priors", "uniform")?,
        Priors::Given(priors) => fields.set_item("priors", priors.clone())?,
    }
    Ok(fields)
}

fn part<'py>(py: Python<'py>, part: &Part) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("kind", part.kind.name())?;
    fields.set_item("columns", &part.columns)?;
    match &part.alpha {
        Alpha::One(alpha) => fields.set_item("alpha", alpha)?,
        Alpha::Each(all) => fields.set_item("alpha", all)?,
    }
    let above = if let ColumnKind::Flag { above } = part.kind { above } else { 0.0 };
    fields.set_item("above", above)?;
    let least = if let ColumnKind::Code { least } = &part.kind { &least[..] } else { &[] };
    fields.set_item("least", least)?;
    let complement = match &part.kind {
        ColumnKind::Count(counting) | ColumnKind::Text(counting) => match counting {
            Counting::Multinomial => None,
            Counting::Complement { norm } => Some(*norm),
        },
        _ => None,
    };
    fields.set_item("complement", complement.is_some())?;
    fields.set_item("norm", complement == Some(true))?;
    Ok(fields)
}

/// Whether a model is a product of densities of single columns.
#[pyfunction]
pub(crate) fn is_product(model: &Model) -> bool {
    matches!(model.inner.spec, Learner::Product(_))
}

fn no_product() -> PyErr {
    PyValueError::new_err("this model is no product of densities of single columns")
}
