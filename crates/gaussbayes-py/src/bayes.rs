//! Gives Python mixtures fitted by variational Bayes, which can be broken off as those of EM.

use gaussbayes::{
    BayesState, Concentration, EmSpec, Mixture, Source, Start, Starts, Stop, StopRule, WeightPrior,
    total_moments,
};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::input::Input;
use crate::mixtures::{Sample, made};
use crate::model::Model;
use crate::spec::{Spec, named};
use crate::watch::watched;

/// How a mixture is fitted by variational Bayes.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct BayesSpec(gaussbayes::BayesSpec);

#[pymethods]
impl BayesSpec {
    #[new]
    #[pyo3(signature = (
        spec, *, weights = "process", concentration = None, mean_precision = None, mean = None,
        degrees_of_freedom = None, covariance = None, stop = "loglik", tolerance = 1e-3,
        iterations = 100,
    ))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        spec: &Spec,
        weights: &str,
        concentration: Option<f64>,
        mean_precision: Option<f64>,
        mean: Option<Vec<f64>>,
        degrees_of_freedom: Option<f64>,
        covariance: Option<Vec<f64>>,
        stop: &str,
        tolerance: f64,
        iterations: u32,
    ) -> PyResult<Self> {
        let spec = gaussbayes::BayesSpec {
            family: spec.0.family,
            weights: named("weights", weights, &WeightPrior::ALL, WeightPrior::name)?,
            concentration,
            mean_precision,
            mean,
            degrees_of_freedom,
            covariance,
            ridge: spec.0.ridge,
            stop: Stop {
                rule: named("stop", stop, &StopRule::ALL, StopRule::name)?,
                tolerance,
                max_iterations: iterations,
            },
        };
        spec.check().map_err(Failure::from)?;
        Ok(Self(spec))
    }
}

/// What is known of a mixture before its rows.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct BayesPrior(gaussbayes::BayesPrior);

#[pymethods]
impl BayesPrior {
    /// What is not given is found in one pass over the rows.
    #[new]
    #[pyo3(signature = (spec, components, x, weights = None))]
    fn new(
        spec: &BayesSpec,
        components: usize,
        x: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let prior = Input::labelled(x, None, weights).over(|source, on| {
            source.rewind()?;
            let total = total_moments(&spec.0, source, on)?;
            Ok(spec.0.prior(components, &total)?)
        })?;
        Ok(Self(prior))
    }
}

/// Where variational Bayes stands.
#[pyclass(module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Bayes {
    state: BayesState,
    features: Vec<String>,
    /// Lower bounds, iteration by iteration.
    bounds: Vec<f64>,
    /// Parameters before the first iteration and after each, where they are kept.
    trajectory: Option<Vec<Mixture>>,
}

impl Bayes {
    fn at(state: BayesState, features: Vec<String>, trajectory: bool) -> Self {
        let trajectory = trajectory.then(|| vec![state.mixture().clone()]);
        Self { state, features, bounds: Vec::new(), trajectory }
    }

    fn made(&self, mixture: &Mixture) -> PyResult<Model> {
        let spec = self.state.spec();
        let plain = EmSpec { covariance: spec.plain(), ..spec.family.into() };
        made(&plain, mixture, &self.features)
    }
}

#[pymethods]
impl Bayes {
    /// Goes on from a model, whose run ended with the lower bound `before`.
    #[new]
    #[pyo3(signature = (model, spec, prior, *, before = None, trajectory = false))]
    fn new(
        model: &Model,
        spec: &BayesSpec,
        prior: &BayesPrior,
        before: Option<f64>,
        trajectory: bool,
    ) -> PyResult<Self> {
        let (spec, prior, mixture) = (spec.0.clone(), prior.0.clone(), model.mixture()?.clone());
        let mut state = BayesState::new(spec, prior, mixture).map_err(Failure::from)?;
        if let Some(before) = before {
            state.goes_on_from(before);
        }
        Ok(Self::at(state, model.inner.classifier.features().to_vec(), trajectory))
    }

    /// Starts from memberships of sampled rows.
    #[staticmethod]
    #[pyo3(signature = (sample, spec, prior, start, run, features, *, trajectory = false))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn start(
        py: Python<'_>,
        sample: &Sample,
        spec: &BayesSpec,
        prior: &BayesPrior,
        start: &str,
        run: u64,
        features: Vec<String>,
        trajectory: bool,
    ) -> PyResult<Self> {
        let start = named("start", start, &Start::ALL, Start::name)?;
        let table = sample.sampled.table();
        let state = watched(py, Some(table.rows()), table.dim, |on| {
            let starts = Starts::new(&sample.sampled, sample.seed)?;
            starts.begin_bayes(&spec.0, &prior.0, (start, run), on).map_err(Failure::Bayes)
        })?;
        Ok(Self::at(state, features, trajectory))
    }

    /// Iterates until it is over; `each` is told of every iteration its number and its lower bound. Where that is
    /// interrupted or fails, iterations that were done stay done.
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
                let stat = self.state.partial(source, on)?;
                self.state.step(&stat).map_err(Failure::Bayes)?;
                let bound = self.state.lower_bound();
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

    /// The lower bound after each iteration, but for what never changes.
    #[getter]
    fn lower_bounds(&self) -> Vec<f64> {
        self.bounds.clone()
    }

    /// The lower bound of ln p(rows), where the prior has a density.
    #[getter]
    fn evidence_bound(&self) -> Option<f64> {
        self.state.evidence_bound()
    }

    /// The mixture as it stands; its classes are the components, "1", "2", …
    fn model(&self) -> PyResult<Model> {
        self.made(self.state.mixture())
    }

    /// The mixture before the first iteration and after each, where they were kept.
    fn trajectory(&self) -> PyResult<Vec<Model>> {
        self.trajectory.iter().flatten().map(|mixture| self.made(mixture)).collect()
    }

    /// What was known before the rows, in raw units; a covariance as the family has it.
    fn prior<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let prior = self.state.prior();
        let fields = PyDict::new(py);
        fields.set_item("concentration", prior.concentration())?;
        fields.set_item("mean_precision", prior.mean_precision())?;
        fields.set_item("mean", prior.raw_mean().into_pyarray(py))?;
        fields.set_item("degrees_of_freedom", prior.degrees_of_freedom())?;
        fields.set_item("covariance", prior.raw_covariance().into_pyarray(py))?;
        Ok(fields)
    }

    /// What is known now beside the mixture; none before the first iteration of a run that goes on.
    fn posterior<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(posterior) = self.state.posterior() else { return Ok(None) };
        let vector = |values: &[f64]| values.to_vec().into_pyarray(py);
        let fields = PyDict::new(py);
        match posterior.concentration() {
            Concentration::Dirichlet(alpha) => {
                fields.set_item("concentration", vector(alpha))?;
            }
            Concentration::Process { taken, left } => {
                fields.set_item("concentration", (vector(taken), vector(left)))?;
            }
        }
        fields.set_item("mean_precision", vector(posterior.mean_precision()))?;
        fields.set_item("degrees_of_freedom", vector(posterior.degrees_of_freedom()))?;
        Ok(Some(fields))
    }
}
