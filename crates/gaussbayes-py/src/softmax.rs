//! Gives Python softmax regression: its fit, its coefficients, and other models written as one.

use gaussbayes::{Classifier, Learner, LearntReport, Scorer, SoftmaxReport};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, Vector, grid};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::Model;
use crate::spec::PriorsWord;

/// How softmax regression is fitted.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct SoftmaxSpec(pub(crate) gaussbayes::SoftmaxSpec);

#[pymethods]
impl SoftmaxSpec {
    #[new]
    #[pyo3(signature = (penalty, tolerance = None, max_iterations = None))]
    fn new(penalty: f64, tolerance: Option<f64>, max_iterations: Option<u32>) -> PyResult<Self> {
        let usual = gaussbayes::SoftmaxSpec::default();
        let spec = gaussbayes::SoftmaxSpec {
            penalty,
            tolerance: tolerance.unwrap_or(usual.tolerance),
            max_iterations: max_iterations.unwrap_or(usual.max_iterations),
        };
        spec.check().map_err(Failure::from)?;
        Ok(Self(spec))
    }
}

/// Fits softmax regression in as many passes over the rows as it takes; returns the model and how that went.
#[pyfunction]
#[pyo3(signature = (spec, priors, features, x, y, weights, *, target = None, weight = None))]
#[allow(clippy::too_many_arguments, reason = "each is one argument of the Python function")]
pub(crate) fn softmax<'py>(
    spec: &SoftmaxSpec,
    priors: PriorsWord,
    features: Vec<String>,
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    target: Option<String>,
    weight: Option<String>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let (learner, priors) = (Learner::Softmax(spec.0), priors.priors()?);
    let learnt = Input::labelled(x, y, weights)
        .over(|source, on| learner.learn(&priors, &features, source, on))?;
    let report = match &learnt.report {
        LearntReport::Softmax(report) => fields(x.py(), report)?,
        _ => PyDict::new(x.py()),
    };
    let mut model = gaussbayes_io::Model::of(learnt.classifier, learner, priors);
    (model.target, model.weights) = (target, weight);
    Ok((Model::new(model, None), report))
}

fn fields<'py>(py: Python<'py>, report: &SoftmaxReport) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("iterations", report.iterations)?;
    fields.set_item("converged", report.converged)?;
    fields.set_item("separable", report.separable)?;
    fields.set_item("log_likelihood", report.log_likelihood)?;
    fields.set_item("deviance", report.deviance)?;
    fields.set_item("null_deviance", report.null_deviance)?;
    fields.set_item("penalty", report.penalty)?;
    fields.set_item("parameters", report.parameters)?;
    fields.set_item("constant", &report.constant)?;
    fields.set_item("weight", report.weight)?;
    Ok(fields)
}

/// Penalty, tolerance and steps of a model of softmax regression; none of another model.
#[pyfunction]
pub(crate) fn softmax_settings(model: &Model) -> Option<(f64, f64, u32)> {
    match &model.inner.spec {
        Learner::Softmax(spec) => Some((spec.penalty, spec.tolerance, spec.max_iterations)),
        _ => None,
    }
}

/// Coefficients (classes by features) and intercepts of a softmax, in raw units.
///
/// # Errors
/// A `ValueError` where scores are not linear.
#[pyfunction]
pub(crate) fn coefficients<'py>(
    py: Python<'py>,
    model: &Model,
) -> PyResult<(Matrix<'py>, Vector<'py>)> {
    let classifier = &model.inner.classifier;
    let linear = classifier.softmax().map_err(Failure::from)?.linear();
    let coefficients = grid(py, linear.coefficients, classifier.features().len())?;
    Ok((coefficients, linear.intercepts.into_pyarray(py)))
}

/// The same classifier, written as a softmax.
///
/// # Errors
/// A `ValueError` where scores are not linear.
#[pyfunction]
pub(crate) fn as_softmax(model: &Model) -> PyResult<Model> {
    if let Scorer::Softmax(_) = model.inner.classifier.model() {
        return Ok(model.clone());
    }
    let own = &model.inner.classifier;
    let found = own.softmax().map_err(Failure::from)?;
    let (classes, features) = (own.classes().to_vec(), own.features().to_vec());
    let loss = own.loss().clone();
    let written = Classifier::new(found, classes, features, loss).map_err(Failure::from)?;
    let (spec, priors) = (gaussbayes::SoftmaxSpec::default(), model.inner.priors.clone());
    Ok(Model::new(gaussbayes_io::Model::of(written, spec, priors), None))
}
