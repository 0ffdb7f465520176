//! Gives Python what is done with a fitted mixture: joining, bootstrap, influence of rows.

use gaussbayes::{
    Bootstrap, Classifier, Combination, EmState, Figures, Label, Loss, NOISE, displaced, influences,
};
use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Vector, grid, square};
use crate::failure::Failure;
use crate::input::Input;
use crate::mixtures::EmSpec;
use crate::model::Model;

fn state(model: &Model, spec: &EmSpec) -> PyResult<EmState> {
    Ok(EmState::new(spec.0.clone(), model.mixture()?.clone()).map_err(Failure::from)?)
}

/// Joins components into ever fewer clusters: joins, entropies of 1, 2, … clusters, the number where they turn, and
/// the cluster of each component for every number.
#[pyfunction]
#[pyo3(signature = (model, x, weights = None))]
pub(crate) fn combine<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = Input::labelled(x, None, weights)
        .over(|source, on| Combination::of(model.mixture()?, source, on))?;
    let owner = |clusters: usize| found.owner(clusters);
    let owners: Result<Vec<Vec<usize>>, _> = (1..=found.components()).map(owner).collect();
    let fields = PyDict::new(x.py());
    fields.set_item("order", found.joins().to_vec())?;
    fields.set_item("entropies", found.entropies().to_vec())?;
    fields.set_item("elbow", found.elbow())?;
    fields.set_item("owners", owners.map_err(Failure::from)?)?;
    Ok(fields)
}

/// The same mixture with clusters that own several components: "1", "2", …, and noise.
#[pyfunction]
pub(crate) fn merged(model: &Model, mut owner: Vec<usize>) -> PyResult<Model> {
    let mut clusters = owner.iter().copied().max().map_or(0, |most| most + 1);
    let mut names: Vec<Label> = (1..=clusters).map(|k| Label::from(k.to_string())).collect();
    if model.mixture()?.noise().is_some() {
        owner.push(clusters);
        names.push(Label::from(NOISE));
        clusters += 1;
    }
    let features = model.inner.classifier.features().to_vec();
    let loss = Loss::zero_one(clusters);
    let classifier = Classifier::owned(model.mixture()?.clone(), owner, names, features, loss);
    let mut inner = model.inner.clone();
    inner.classifier = classifier.map_err(Failure::from)?;
    Ok(Model::new(inner, None))
}

/// The same mixture with a cluster for every component: "1", "2", …, and noise.
#[pyfunction]
pub(crate) fn unmerged(model: &Model) -> PyResult<Model> {
    merged(model, (0..model.mixture()?.components()).collect())
}

/// Refits on random weights: how many, and standard errors and intervals of the parameters.
#[pyfunction]
#[pyo3(signature = (model, spec, x, weights, replicates, seed, level))]
pub(crate) fn bootstrap<'py>(
    model: &Model,
    spec: &EmSpec,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
    replicates: usize,
    seed: u64,
    level: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let state = state(model, spec)?;
    let found = Input::labelled(x, None, weights)
        .over(|source, on| Bootstrap::of(&state, source, replicates, seed, on))?;
    let fields = PyDict::new(x.py());
    fields.set_item("kept", found.kept())?;
    fields.set_item("collapsed", found.collapsed)?;
    fields.set_item("refused", found.refused)?;
    fields.set_item("reason", found.refusal.as_ref().map(ToString::to_string))?;
    fields.set_item("unconverged", found.unconverged)?;
    if let (Some(errors), Some((low, high))) = (found.standard_errors(), found.intervals(level)) {
        for (name, value) in [("errors", errors), ("low", low), ("high", high)] {
            fields.set_item(name, figures(x.py(), &value, model.mixture()?.dim())?)?;
        }
    }
    Ok(fields)
}

/// Weights, means and covariances, the latter as rows of square matrices.
fn figures<'py>(py: Python<'py>, figures: &Figures, dim: usize) -> PyResult<Bound<'py, PyDict>> {
    let square = |triangle: &Vec<f64>| square(triangle, dim);
    let covariances = figures.covariances.iter().flat_map(square).collect();
    let fields = PyDict::new(py);
    fields.set_item("weights", figures.weights.clone().into_pyarray(py))?;
    fields.set_item("means", grid(py, figures.means.concat(), dim)?)?;
    fields.set_item("covariances", grid(py, covariances, dim)?)?;
    Ok(fields)
}

/// What one step without each row does: shifts of mean and covariance of the component that moves most, and which.
#[pyfunction]
#[pyo3(signature = (model, spec, x, weights = None))]
pub(crate) fn influence<'py>(
    model: &Model,
    spec: &EmSpec,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Vector<'py>, Vector<'py>, Vec<usize>)> {
    let state = state(model, spec)?;
    let found =
        Input::labelled(x, None, weights).over(|source, on| influences(&state, source, on))?;
    let mean: Vec<f64> = found.iter().map(|one| one.mean).collect();
    let covariance: Vec<f64> = found.iter().map(|one| one.covariance).collect();
    let component = found.iter().map(|one| one.component).collect();
    Ok((mean.into_pyarray(x.py()), covariance.into_pyarray(x.py()), component))
}

/// How far means and covariances move when a row lies at each of some places: a row for each place.
#[pyfunction]
#[pyo3(signature = (model, spec, x, weights, row, places))]
pub(crate) fn displace<'py>(
    model: &Model,
    spec: &EmSpec,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
    row: u64,
    places: PyReadonlyArray2<'_, f64>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let places: Vec<Vec<f64>> =
        places.as_array().outer_iter().map(|place| place.to_vec()).collect();
    if places.is_empty() {
        return Err(PyValueError::new_err("there is no place to move the row to"));
    }
    let state = state(model, spec)?;
    let found = Input::labelled(x, None, weights)
        .over(|source, on| displaced(&state, source, row, &places, on))?;
    let components = model.mixture()?.components();
    let means = found.iter().flat_map(|one| one.mean.clone()).collect();
    let covariances = found.iter().flat_map(|one| one.covariance.clone()).collect();
    let py = x.py();
    Ok((grid(py, means, components)?.into_any(), grid(py, covariances, components)?.into_any()))
}
