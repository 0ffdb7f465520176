//! Sums rows up for Python: statistics that more rows can join, and models made of them.

use std::sync::OnceLock;

use gaussbayes::{Classifier, LabelStat, Priors, Training, sort_labels};
use gaussbayes_io::Kept;
use numpy::IntoPyArray;
use pyo3::prelude::*;

use crate::arrays::{Matrix, Vector, symmetric};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::Model;
use crate::spec::{PriorsWord, Spec};

/// Rows, labels and weights; a stream may have the latter in columns of its own.
type Given<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// Sums over labelled rows; adding rows gives a new one, so that a failed call changes nothing.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct Statistics {
    training: Training,
    /// Those of all rows, once they were asked for.
    stat: OnceLock<LabelStat>,
}

impl Statistics {
    pub(crate) fn of(training: Training) -> Self {
        Self { training, stat: OnceLock::new() }
    }

    /// What more rows can join.
    pub(crate) fn training(&self) -> &Training {
        &self.training
    }

    /// The statistic of all rows so far.
    ///
    /// # Errors
    /// A `ValueError` when no row has a positive weight.
    pub(crate) fn stat(&self, py: Python<'_>) -> PyResult<&LabelStat> {
        if let Some(stat) = self.stat.get() {
            return Ok(stat);
        }
        let stat = py.detach(|| self.training.stat()).map_err(Failure::from)?;
        Ok(self.stat.get_or_init(|| stat))
    }
}

#[pymethods]
impl Statistics {
    /// No rows yet.
    #[new]
    fn new(spec: &Spec, columns: usize) -> Self {
        Self::of(Training::new(spec.0.storage(), columns))
    }

    /// These rows and more. A stream may have labels and weights in columns of its own.
    #[pyo3(signature = (x, y = None, weights = None))]
    fn added(
        &self,
        x: &Bound<'_, PyAny>,
        y: Option<&Bound<'_, PyAny>>,
        weights: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut training = self.training.clone();
        Input::labelled(x, y, weights).over(move |source, on| {
            training.add(source, on)?;
            Ok(Self::of(training))
        })
    }

    /// The classes of the rows so far, in the order of a model's components.
    #[getter]
    fn classes(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut labels = self.stat(py)?.labels().to_vec();
        sort_labels(&mut labels);
        Ok(labels.iter().map(ToString::to_string).collect())
    }

    /// Summed weights, class by class.
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Vector<'py>> {
        let (_, moments) = self.stat(py)?.clone().sorted();
        Ok(moments.weight().to_vec().into_pyarray(py))
    }

    /// The covariance of all rows, whatever their class, estimated in the same way.
    fn total<'py>(&self, py: Python<'py>, spec: &Spec) -> PyResult<Matrix<'py>> {
        let stat = self.stat(py)?;
        let found = py.detach(|| spec.0.estimate(&stat.moments().total(), &Priors::Observed, None));
        let mixture = found.map_err(Failure::from)?.mixture;
        symmetric(py, &mixture.raw_covariance(0), mixture.dim())
    }

    /// Estimates a model. Where that takes a second look at the rows, they are given again.
    #[pyo3(signature = (
        spec, priors, features, *, any_classes = false, rows = None, target = None, weight = None,
    ))]
    #[allow(clippy::too_many_arguments, reason = "each is one keyword of the Python method")]
    fn model(
        &self,
        py: Python<'_>,
        spec: &Spec,
        priors: PriorsWord,
        features: Vec<String>,
        any_classes: bool,
        rows: Option<Given<'_>>,
        target: Option<String>,
        weight: Option<String>,
    ) -> PyResult<Model> {
        let (priors, spec) = (priors.priors()?, spec.0.clone());
        let stat = self.stat(py)?.clone();
        let stat = match &rows {
            Some((x, y, weights)) => {
                let input = Input::labelled(x, y.as_ref(), weights.as_ref());
                let spec = &spec;
                input.over(move |source, on| stat.completed(spec, source, on))?
            }
            None => stat,
        };
        let fit = if any_classes { Classifier::fit_any } else { Classifier::fit };
        let fitted = py.detach(|| fit(&spec, &priors, stat, &features)).map_err(Failure::from)?;
        let training = (!spec.needs_second_pass()).then(|| self.training.clone());
        let model = gaussbayes_io::Model {
            classifier: fitted.classifier,
            spec: spec.into(),
            priors,
            target,
            weights: weight,
            training: training.map(Kept::Gaussian),
            known: false,
            note: None,
            clustering: None,
            by_em: None,
        };
        Ok(Model::new(model, Some(fitted.report)))
    }
}
