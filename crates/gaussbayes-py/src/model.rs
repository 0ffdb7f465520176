//! Gives Python a fitted model: what it is made of, and how it is kept.

use std::path::PathBuf;

use gaussbayes::{
    Action, Classifier, CovarianceSpec, Covariances, Family, Label, Law, Learner, Linear, Loss,
    Mixture, Parameters, Priors, ProductReport, Report,
};
use gaussbayes_io::Kept;
use numpy::ndarray::ArrayView2;
use numpy::{IntoPyArray, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::arrays::{Matrix, Vector, grid, symmetric};
use crate::failure::Failure;
use crate::records;
use crate::spec::{PriorsWord, keywords};
use crate::statistics::Statistics;
use crate::watch::watched;

/// A fitted classifier.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) inner: gaussbayes_io::Model,
    report: Option<Report>,
    pub(crate) product: Option<ProductReport>,
}

impl Model {
    pub(crate) fn new(inner: gaussbayes_io::Model, report: Option<Report>) -> Self {
        Self { inner, report, product: None }
    }

    pub(crate) fn of_product(inner: gaussbayes_io::Model, report: ProductReport) -> Self {
        Self { inner, report: None, product: Some(report) }
    }

    /// The Gaussians.
    ///
    /// # Errors
    /// A `ValueError` where there are none.
    pub(crate) fn mixture(&self) -> PyResult<&Mixture> {
        Ok(self.inner.classifier.mixture().map_err(Failure::from)?)
    }

    /// Number of classes.
    pub(crate) fn classes_len(&self) -> usize {
        self.inner.classifier.classes().len()
    }

    /// # Errors
    /// A `ValueError` where scores are not linear.
    pub(crate) fn linear_about(&self, about: &[f64]) -> PyResult<Linear> {
        let linear = self.mixture()?.linear(about);
        linear.ok_or_else(|| PyValueError::new_err("the scores of this model are not linear"))
    }

    /// A model that was not estimated from sums.
    ///
    /// # Errors
    /// A `ValueError` for parts that do not fit together.
    pub(crate) fn made(
        mixture: Mixture,
        classes: Vec<Label>,
        features: Vec<String>,
        loss: Loss,
        spec: impl Into<Learner>,
        priors: Priors,
    ) -> PyResult<Self> {
        let classifier =
            Classifier::new(mixture, classes, features, loss).map_err(Failure::from)?;
        Ok(Self::new(gaussbayes_io::Model::of(classifier, spec, priors), None))
    }

    /// A mixture of the same classes in some of the columns.
    ///
    /// # Errors
    /// A `ValueError` for parts that do not fit together.
    pub(crate) fn of_columns(&self, mixture: Mixture, columns: &[usize]) -> PyResult<Self> {
        let (classifier, spec) = (&self.inner.classifier, self.inner.spec.clone());
        let features = columns.iter().map(|&j| classifier.features()[j].clone()).collect();
        let (classes, loss) = (classifier.classes().to_vec(), classifier.loss().clone());
        Self::made(mixture, classes, features, loss, spec, self.inner.priors.clone())
    }

    /// The same with the sums that more rows can join.
    pub(crate) fn with_statistics(mut self, statistics: &Statistics) -> Self {
        self.inner.training = Some(Kept::Gaussian(statistics.training().clone()));
        self
    }

    fn with(&self, classifier: Classifier) -> Self {
        Self { inner: gaussbayes_io::Model { classifier, ..self.inner.clone() }, ..self.clone() }
    }
}

#[pymethods]
impl Model {
    /// A model of known means (classes by features), covariances (one for all, or one per class) and
    /// priors.
    #[staticmethod]
    fn given(
        means: PyReadonlyArray2<'_, f64>,
        covariances: PyReadonlyArray3<'_, f64>,
        priors: Vec<f64>,
        classes: Vec<String>,
        features: Vec<String>,
    ) -> PyResult<Self> {
        let means: Vec<Vec<f64>> = means.as_array().outer_iter().map(|m| m.to_vec()).collect();
        let classes: Vec<Label> = classes.into_iter().map(Label::from).collect();
        let named = |error: gaussbayes::Error| Failure::from(error.named(&classes, &features));
        let matrices = covariances.as_array();
        let whose = |k: usize| (matrices.shape()[0] > 1).then_some(k);
        let triangle = |(k, matrix): (usize, ArrayView2<'_, f64>)| {
            let rows: Vec<Vec<f64>> = matrix.outer_iter().map(|row| row.to_vec()).collect();
            Parameters::triangle(&rows, whose(k))
        };
        let triangles: Result<Vec<Vec<f64>>, gaussbayes::Error> =
            matrices.outer_iter().enumerate().map(triangle).collect();
        let triangles = triangles.map_err(named)?;
        let family = if triangles.len() == 1 { Family::Eee } else { Family::Vvv };
        let mixture = Mixture::given(&means, &triangles, priors).map_err(named)?;
        let priors = Priors::Given(mixture.weights().to_vec());
        let loss = Loss::zero_one(classes.len());
        let spec = CovarianceSpec::from(family);
        let mut model = Self::made(mixture, classes, features, loss, spec, priors)?;
        model.inner.known = true;
        Ok(model)
    }

    /// Names of the classes, in the order of everything that has one entry per class.
    #[getter]
    fn classes(&self) -> Vec<&str> {
        self.inner.classifier.classes().iter().map(Label::as_str).collect()
    }

    /// How many Gaussians, or Student densities, there are: the classes but for noise.
    #[getter]
    fn components(&self) -> PyResult<usize> {
        Ok(self.mixture()?.components())
    }

    /// The share of noise and the volume of its box, where there is any.
    #[getter]
    fn noise(&self) -> Option<(f64, f64)> {
        let noise = self.mixture().ok()?.noise()?;
        Some((noise.share, noise.extent.log_volume().exp()))
    }

    /// Degrees of freedom of the components, where they are Student densities.
    #[getter]
    fn freedom(&self) -> Option<Vec<f64>> {
        let mixture = self.mixture().ok()?;
        let laws = mixture.laws()?;
        let student = |law: &Law| law.is_student(mixture.dim());
        laws.iter().all(student).then(|| laws.iter().filter_map(|law| law.freedom()).collect())
    }

    /// Names of the features.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.inner.classifier.features().iter().map(String::as_str).collect()
    }

    /// The covariance family that was asked for.
    #[getter]
    fn family(&self) -> PyResult<&'static str> {
        Ok(self.inner.spec.gaussian().map_err(Failure::from)?.family.name())
    }

    /// Whether all classes have one covariance.
    #[getter]
    fn shared(&self) -> PyResult<bool> {
        Ok(matches!(self.mixture()?.covariances(), Covariances::Shared(_)))
    }

    /// Whether saying nothing is among the actions.
    #[getter]
    fn rejects(&self) -> bool {
        self.inner.classifier.loss().actions().contains(&Action::Reject)
    }

    /// The keywords of a `GaussianClassifier` that would be estimated like this.
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let spec = self.inner.spec.gaussian().map_err(Failure::from)?;
        keywords(py, spec, &self.inner.priors)
    }

    /// The keywords of a `GaussianMixture` that would be fitted like this, and how the fit ended, where
    /// the model was found by clustering.
    fn clustering<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(found) = &self.inner.clustering else { return Ok(None) };
        records::clustering(py, &self.inner, found).map(Some)
    }

    /// The class of each component, by its place among the classes.
    #[getter]
    fn owner(&self) -> Vec<usize> {
        self.inner.classifier.owner().to_vec()
    }

    /// How the classifier was found, where EM had a part in it.
    fn by_em<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.inner.by_em.as_ref().map(|found| records::by_em(py, found)).transpose()
    }

    /// The mixture of one class, whose classes are its components: "1", "2", …
    fn of_class(&self, class: usize) -> PyResult<Self> {
        let classifier = &self.inner.classifier;
        let own = |k: &usize| classifier.owner()[*k] == class;
        let components: Vec<usize> = (0..self.mixture()?.components()).filter(own).collect();
        let mixture = self.mixture()?.picked(&components).map_err(Failure::from)?;
        let mut spec = self.inner.spec.gaussian().map_err(Failure::from)?.clone();
        let found = self.inner.by_em.as_ref().and_then(|found| found.classes.get(class));
        spec.family = found.map_or(spec.family, |of| of.family);
        let names = (1..=components.len()).map(|k| Label::from(k.to_string())).collect();
        let (features, loss) = (classifier.features().to_vec(), Loss::zero_one(components.len()));
        Self::made(mixture, names, features, loss, spec, Priors::Observed)
    }

    /// What the statistics behind the model sum up, where it still has them.
    #[getter]
    fn statistics(&self) -> Option<Statistics> {
        match self.inner.training.clone()? {
            Kept::Gaussian(training) => Some(Statistics::of(training)),
            Kept::Product(_) => None,
        }
    }

    /// Class priors.
    fn priors<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.inner.classifier.priors().into_pyarray(py)
    }

    /// Shares of all rows that the components have: with noise their sum is below one.
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Vector<'py>> {
        let mut shares = self.mixture()?.shares();
        shares.truncate(self.mixture()?.components());
        Ok(shares.into_pyarray(py))
    }

    /// Class means, in raw units.
    fn means<'py>(&self, py: Python<'py>) -> PyResult<Matrix<'py>> {
        let mixture = self.mixture()?;
        let means = (0..mixture.components()).flat_map(|k| mixture.raw_mean(k)).collect();
        grid(py, means, mixture.dim())
    }

    /// The covariance of a class, in raw units.
    fn covariance<'py>(&self, py: Python<'py>, class: usize) -> PyResult<Matrix<'py>> {
        let mixture = self.mixture()?;
        symmetric(py, &mixture.raw_covariance(class), mixture.dim())
    }

    /// Variances of the features, class by class.
    fn variances<'py>(&self, py: Python<'py>) -> PyResult<Matrix<'py>> {
        let mixture = self.mixture()?;
        let all = (0..mixture.components()).flat_map(|k| mixture.raw_variances(k)).collect();
        grid(py, all, mixture.dim())
    }

    /// The mean of all classes by their priors.
    fn centre<'py>(&self, py: Python<'py>) -> PyResult<Vector<'py>> {
        Ok(self.mixture()?.centre().into_pyarray(py))
    }

    /// Coefficients and intercepts of the linear scores, expanded about a point.
    fn linear<'py>(
        &self,
        py: Python<'py>,
        about: Vec<f64>,
    ) -> PyResult<(Matrix<'py>, Vector<'py>)> {
        let linear = self.linear_about(&about)?;
        Ok((grid(py, linear.coefficients, about.len())?, linear.intercepts.into_pyarray(py)))
    }

    /// Variances along the principal axes of a class, and the axes as columns.
    fn principal_axes<'py>(
        &self,
        py: Python<'py>,
        class: usize,
    ) -> PyResult<(Vector<'py>, Matrix<'py>)> {
        let mixture = self.mixture()?;
        let axes = py.detach(|| mixture.principal_axes(class));
        let (variances, axes) = axes.ok_or_else(|| PyIndexError::new_err("no such class"))?;
        let dim = variances.len();
        let columns = (0..dim).flat_map(|j| axes.iter().skip(j).step_by(dim).copied()).collect();
        Ok((variances.into_pyarray(py), grid(py, columns, dim)?))
    }

    /// How the fit went: numbers of parameters, columns without spread, convergence.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(report) = &self.report else { return Ok(None) };
        let fields = PyDict::new(py);
        fields.set_item("parameters", report.parameters)?;
        fields.set_item("decision_parameters", report.decision_parameters)?;
        fields.set_item("constant", &report.constant)?;
        fields.set_item("wide", report.wide)?;
        fields.set_item("shrinkage_amounts", &report.amounts)?;
        fields.set_item("rank", report.rank)?;
        fields.set_item("ridge", report.ridge)?;
        let convergence = report.convergence.map(|found| (found.steps, found.converged));
        fields.set_item("convergence", convergence)?;
        if let Some(found) = &self.inner.by_em {
            fields.set_item("parameters", found.parameters)?;
            fields.set_item("em", records::by_em(py, found)?)?;
        }
        Ok(Some(fields))
    }

    /// The same model with other priors.
    fn with_priors(&self, priors: PriorsWord) -> PyResult<Self> {
        let classifier = self.inner.classifier.clone().with_priors(&priors.priors()?);
        Ok(self.with(classifier.map_err(Failure::from)?))
    }

    /// The same model with other costs, or one for every error: rows true classes, columns actions, the last one reject where
    /// there is one column more than classes.
    #[pyo3(signature = (losses = None))]
    fn with_loss(&self, losses: Option<PyReadonlyArray2<'_, f64>>) -> PyResult<Self> {
        let plain = || Loss::zero_one(self.inner.classifier.classes().len());
        let loss = losses.map_or_else(|| Ok(plain()), |losses| costs(&losses))?;
        let classifier = self.inner.classifier.clone().with_loss(loss).map_err(Failure::from)?;
        Ok(self.with(classifier))
    }

    /// The same model, which rejects rows less likely than this share of its own.
    fn with_outliers(&self, py: Python<'_>, share: f64) -> PyResult<Self> {
        let classifier = &self.inner.classifier;
        let level = watched(py, None, self.mixture()?.dim(), |on| {
            Ok(classifier.mixture()?.density_level(share, on)?)
        })?;
        let loss = classifier.loss().clone().with_outliers(level).map_err(Failure::from)?;
        Ok(self.with(classifier.clone().with_loss(loss).map_err(Failure::from)?))
    }

    /// The bytes of the model file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.inner.to_bytes()).map_err(Failure::from)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// A model from the bytes of its file.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let inner = gaussbayes_io::Model::from_bytes(bytes, "the model").map_err(Failure::from)?;
        Ok(Self::new(inner, None))
    }

    /// Writes the model file, whole or not at all, with a note for whoever reads it; sealed, without
    /// the sums that more rows could join.
    #[pyo3(signature = (path, *, note = None, sealed = false))]
    fn save(&self, path: PathBuf, note: Option<String>, sealed: bool) -> PyResult<()> {
        let mut model = gaussbayes_io::Model { note, ..self.inner.clone() };
        model.training = model.training.filter(|_| !sealed);
        Ok(model.save(&path).map_err(Failure::from)?)
    }

    /// The note that was saved with the model.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.inner.note.as_deref()
    }

    /// Reads a model file.
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let inner = gaussbayes_io::Model::load(&path).map_err(Failure::from)?;
        Ok(Self::new(inner, None))
    }

    /// Pickles by the bytes of the model file.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Self>().getattr("from_bytes")?;
        Ok((from_bytes, (self.to_bytes(py)?,)))
    }
}

/// A loss from its costs: rows true classes, columns actions, the last one reject where there is one
/// column more than classes.
///
/// # Errors
/// A `ValueError` for costs that are no numbers.
pub(crate) fn costs(losses: &PyReadonlyArray2<'_, f64>) -> PyResult<Loss> {
    let losses = losses.as_array();
    let classes = losses.nrows();
    let said = |j: usize| if j < classes { Action::Class(j) } else { Action::Reject };
    let actions = (0..losses.ncols()).map(said).collect();
    Ok(Loss::new(classes, actions, losses.iter().copied().collect()).map_err(Failure::from)?)
}
