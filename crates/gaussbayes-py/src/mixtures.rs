//! Gives Python mixtures fitted by EM, which can be broken off and keep where they stand.

use gaussbayes::{
    Assign, EmState, Event, Extent, Label, Loss, Mixture, NOISE, Noise, OnEmpty, Outliers, Sampled,
    Score, Source, Start, Starts, Stop, StopRule,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid, symmetric};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::Model;
use crate::spec::{OutliersWord, PriorsWord, Spec, named};
use crate::watch::watched;

/// How a mixture is fitted by EM.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct EmSpec(pub(crate) gaussbayes::EmSpec);

#[pymethods]
impl EmSpec {
    #[new]
    #[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python constructor")]
    #[pyo3(signature = (
        spec, *, priors = PriorsWord::observed(), assign = "soft", stop = "loglik",
        tolerance = 1e-3, iterations = 100, on_empty = "refuse", frozen_means = vec![],
        frozen_covariances = vec![], outliers = None,
    ))]
    fn new(
        spec: &Spec,
        priors: PriorsWord,
        assign: &str,
        stop: &str,
        tolerance: f64,
        iterations: u32,
        on_empty: &str,
        frozen_means: Vec<bool>,
        frozen_covariances: Vec<bool>,
        outliers: Option<OutliersWord>,
    ) -> PyResult<Self> {
        let spec = gaussbayes::EmSpec {
            covariance: spec.0.clone(),
            priors: priors.priors()?,
            assign: named("assign", assign, &Assign::ALL, Assign::name)?,
            stop: Stop {
                rule: named("stop", stop, &StopRule::ALL, StopRule::name)?,
                tolerance,
                max_iterations: iterations,
            },
            on_empty: named("on_empty", on_empty, &OnEmpty::ALL, OnEmpty::name)?,
            outliers: OutliersWord::outliers(outliers)?,
            frozen: gaussbayes::Frozen { means: frozen_means, covariances: frozen_covariances },
        };
        spec.check().map_err(Failure::from)?;
        Ok(Self(spec))
    }
}

/// Rows that starts are computed from: all, or some at random.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) sampled: Sampled,
    pub(crate) seed: u64,
    /// The box around all rows, where noise needs one.
    extent: Option<Extent>,
}

#[pymethods]
impl Sample {
    #[new]
    #[pyo3(signature = (x, weights, seed, *, noise = false, features = vec![]))]
    fn new(
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        seed: u64,
        noise: bool,
        features: Vec<String>,
    ) -> PyResult<Self> {
        let (sampled, extent) = Input::labelled(x, None, weights).over(|source, on| {
            let sampled = Sampled::draw(source, Sampled::enough(source.dim()), seed, on)?;
            let extent = noise.then(|| Extent::of(source, on)).transpose();
            Ok((sampled, extent.map_err(|failure| failure.named(&features))?))
        })?;
        Ok(Self { sampled, seed, extent })
    }

    /// Rows of positive weight that were seen.
    #[getter]
    fn seen(&self) -> u64 {
        self.sampled.seen()
    }

    /// The mixture to start from.
    fn start(
        &self,
        py: Python<'_>,
        spec: &EmSpec,
        components: usize,
        start: &str,
        run: u64,
        features: Vec<String>,
    ) -> PyResult<Model> {
        let start = named("start", start, &Start::ALL, Start::name)?;
        let table = self.sampled.table();
        let state = watched(py, Some(table.rows()), table.dim, |on| {
            let mut starts = Starts::new(&self.sampled, self.seed)?;
            if spec.0.outliers != Outliers::Ignored {
                starts = starts.cleaned(self.extent.clone())?;
            }
            starts.begin(&spec.0, components, start, run, on).map_err(Failure::Em)
        })?;
        made(&spec.0, state.mixture(), &features)
    }
}

/// Where EM stands.
#[pyclass(module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Em {
    state: EmState,
    /// The mean log-likelihood before the first iteration, where it goes on from an earlier fit.
    before: Option<f64>,
    features: Vec<String>,
    /// Mean log-likelihoods, iteration by iteration.
    bounds: Vec<f64>,
    /// Parameters before the first iteration and after each, where they are kept.
    trajectory: Option<Vec<Mixture>>,
}

/// A mixture as a model, whose classes are its components, "1", "2", …, and noise where there is any.
///
/// # Errors
/// A `ValueError` for parts that do not fit together.
pub(crate) fn made(
    spec: &gaussbayes::EmSpec,
    mixture: &Mixture,
    features: &[String],
) -> PyResult<Model> {
    let count = Score::components(mixture);
    let numbers = (1..=mixture.components()).map(|k| Label::from(k.to_string()));
    Model::made(
        mixture.clone(),
        numbers.chain(mixture.noise().map(|_| Label::from(NOISE))).collect(),
        features.to_vec(),
        Loss::zero_one(count),
        spec.covariance.clone(),
        spec.priors.clone(),
    )
}

#[pymethods]
impl Em {
    /// Starts from a model. With `before`, the mean log-likelihood that the first iteration is compared
    /// with, it goes on. Noise that the model has none of fills the box of the sample.
    #[new]
    #[pyo3(signature = (model, spec, *, before = None, trajectory = false, sample = None))]
    fn new(
        model: &Model,
        spec: &EmSpec,
        before: Option<f64>,
        trajectory: bool,
        sample: Option<&Sample>,
    ) -> PyResult<Self> {
        let mut mixture = model.mixture()?.clone();
        if mixture.noise().is_none() {
            let extent = sample.and_then(|sample| sample.extent.clone());
            mixture = mixture.with_noise(extent.map(Noise::first)).map_err(Failure::from)?;
        }
        let state = EmState::new(spec.0.clone(), mixture).map_err(Failure::from)?;
        let trajectory = trajectory.then(|| vec![state.mixture().clone()]);
        let features = model.inner.classifier.features().to_vec();
        Ok(Self { state, before, features, bounds: Vec::new(), trajectory })
    }

    /// Iterates until it is over; `each` is told of every iteration its number and the mean log-likelihood. Where that is interrupted or
    /// fails, iterations that were done stay done.
    #[pyo3(signature = (x, weights = None, each = None))]
    fn run(
        &mut self,
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        each: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        Input::labelled(x, None, weights).over(|source, on| {
            while !self.state.is_done() {
                source.rewind()?;
                let stat = if let Some(before) = self.before.take() {
                    let stat = self.state.partial(source, on)?;
                    self.state.goes_on_from(before, &stat);
                    stat
                } else {
                    self.state.pass_over(source, on)?
                };
                self.state.step(&stat).map_err(Failure::Em)?;
                let bound = self.state.pass().map(|pass| pass.log_likelihood / pass.weight);
                self.bounds.extend(bound);
                if let Some(trajectory) = &mut self.trajectory {
                    trajectory.push(self.state.mixture().clone());
                }
                if let Some(each) = &each {
                    Python::attach(|py| each.call1(py, (self.state.iteration(), bound)))?;
                }
            }
            Ok(())
        })
    }

    /// Iterations done.
    #[getter]
    fn iterations(&self) -> u32 {
        self.state.iteration()
    }

    /// Whether the stop rule was met.
    #[getter]
    fn converged(&self) -> bool {
        self.state.converged()
    }

    /// Mean log-likelihoods of the parameters before each iteration.
    #[getter]
    fn lower_bounds(&self) -> Vec<f64> {
        self.bounds.clone()
    }

    /// Components that the guard kept from collapse in the latest iteration.
    #[getter]
    fn lifted(&self) -> Vec<usize> {
        self.state.lifted().to_vec()
    }

    /// Student components whose tails are too light for rows to tell them from a Gaussian's.
    #[getter]
    fn nearly_gaussian(&self) -> Vec<usize> {
        let laws = self.state.mixture().laws().unwrap_or_default().iter().enumerate();
        laws.filter(|(_, law)| law.freedom().is_some() && law.is_nearly_gaussian())
            .map(|(k, _)| k)
            .collect()
    }

    /// Which means and which covariances stay as they were, component by component.
    #[getter]
    fn frozen(&self) -> (Vec<bool>, Vec<bool>) {
        let frozen = &self.state.spec().frozen;
        (frozen.means.clone(), frozen.covariances.clone())
    }

    /// What happened on the way: what, in which iteration, to which component or by how much.
    #[getter]
    fn events(&self) -> Vec<(&'static str, u32, f64)> {
        let event = |event: &Event| match *event {
            Event::Dropped { iteration, component } => ("dropped", iteration, component as f64),
            Event::Reseeded { iteration, component } => ("reseeded", iteration, component as f64),
            Event::Fell { iteration, by } => ("fell", iteration, by),
        };
        self.state.events().iter().map(event).collect()
    }

    /// The mixture as it stands; its classes are the components, "1", "2", …
    fn model(&self) -> PyResult<Model> {
        made(self.state.spec(), self.state.mixture(), &self.features)
    }

    /// The mixture before the first iteration and after each, where they were kept.
    fn trajectory(&self) -> PyResult<Vec<Model>> {
        let model = |mixture| made(self.state.spec(), mixture, &self.features);
        self.trajectory.iter().flatten().map(model).collect()
    }
}

/// The same mixture in some columns alone.
#[pyfunction]
pub(crate) fn marginal(model: &Model, columns: Vec<usize>) -> PyResult<Model> {
    let mixture = model.mixture()?.marginal(&columns).map_err(Failure::from)?;
    model.of_columns(mixture, &columns)
}

/// The mixture of the other columns, where some have known values.
#[pyfunction]
pub(crate) fn conditional(model: &Model, given: Vec<(usize, f64)>) -> PyResult<Model> {
    let mixture = model.mixture()?.conditional(&given).map_err(Failure::from)?;
    let known = |j: &usize| given.iter().any(|(column, _)| column == j);
    let left: Vec<usize> = (0..model.mixture()?.dim()).filter(|j| !known(j)).collect();
    model.of_columns(mixture, &left)
}

/// The inverse covariance of a class.
#[pyfunction]
pub(crate) fn precision<'py>(
    py: Python<'py>,
    model: &Model,
    class: usize,
) -> PyResult<Matrix<'py>> {
    let mixture = model.mixture()?;
    symmetric(py, &mixture.raw_precision(class), mixture.dim())
}

/// The upper triangular U with U Uᵀ the inverse covariance of a class.
#[pyfunction]
pub(crate) fn whitener<'py>(py: Python<'py>, model: &Model, class: usize) -> PyResult<Matrix<'py>> {
    let mixture = model.mixture()?;
    grid(py, mixture.raw_whitener(class), mixture.dim())
}

/// How well a mixture fits rows: log-likelihood, parameters, weight, entropy and criteria. Parameters that stayed
/// as they were given are not counted.
#[pyfunction]
#[pyo3(signature = (
    model, x, weights = None, *, outliers = None, frozen_means = vec![], frozen_covariances = vec![],
))]
pub(crate) fn criteria<'py>(
    model: &Model,
    x: &Bound<'py, PyAny>,
    weights: Option<&Bound<'py, PyAny>>,
    outliers: Option<OutliersWord>,
    frozen_means: Vec<bool>,
    frozen_covariances: Vec<bool>,
) -> PyResult<Bound<'py, PyDict>> {
    let covariance = model.inner.spec.gaussian().map_err(Failure::from)?.clone();
    let spec = gaussbayes::EmSpec {
        priors: model.inner.priors.clone(),
        assign: Assign::Soft,
        stop: Stop::default(),
        on_empty: OnEmpty::default(),
        outliers: OutliersWord::outliers(outliers)?,
        frozen: gaussbayes::Frozen { means: frozen_means, covariances: frozen_covariances },
        covariance,
    };
    let state = EmState::new(spec, model.mixture()?.clone()).map_err(Failure::from)?;
    let found = Input::labelled(x, None, weights)
        .over(|source, on| Ok(state.criteria(&state.partial(source, on)?)))?;
    let fields = PyDict::new(x.py());
    fields.set_item("loglik", found.log_likelihood)?;
    fields.set_item("parameters", found.parameters)?;
    fields.set_item("weight", found.weight)?;
    fields.set_item("entropy", found.entropy)?;
    for criterion in gaussbayes::Criterion::ALL {
        fields.set_item(criterion.name(), found.value(criterion))?;
    }
    Ok(fields)
}
