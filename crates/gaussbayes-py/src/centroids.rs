//! Gives Python nearest centroids: means or medians, shrunken or not.

use gaussbayes::{Centroids as Core, CovarianceSpec, Family, Label, Loss, class_medians};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::answers::{one_each, put_each};
use crate::arrays::{Matrix, Vector, grid};
use crate::failure::Failure;
use crate::input::Input;
use crate::model::Model;
use crate::spec::PriorsWord;
use crate::statistics::Statistics;

/// Class centroids, drawn toward the centre of all rows where that was asked for.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Centroids {
    core: Core,
    classes: Vec<Label>,
    statistics: Statistics,
}

#[pymethods]
impl Centroids {
    /// Centroids at the class means, or at the medians given.
    #[new]
    #[pyo3(signature = (statistics, threshold = None, medians = None))]
    fn new(
        py: Python<'_>,
        statistics: &Statistics,
        threshold: Option<f64>,
        medians: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let (classes, moments) = statistics.stat(py)?.clone().sorted();
        let core = match medians {
            None => Core::of(&moments, threshold),
            Some(medians) => {
                let centres: Vec<f64> = medians.as_array().iter().copied().collect();
                Core::about(&moments, &centres, threshold)
            }
        };
        let core = core.map_err(|error| Failure::from(error.named(&classes, &[])))?;
        Ok(Self { core, classes, statistics: statistics.clone() })
    }

    /// The centroids, class by class.
    fn centres<'py>(&self, py: Python<'py>) -> PyResult<Matrix<'py>> {
        grid(py, self.core.centres().to_vec(), self.core.dim())
    }

    /// How far each is from the centre of all rows, in units of its standard error.
    fn deviations<'py>(&self, py: Python<'py>) -> PyResult<Matrix<'py>> {
        grid(py, self.core.deviations().to_vec(), self.core.dim())
    }

    /// Standard deviations within classes.
    fn within<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.core.within().to_vec().into_pyarray(py)
    }

    /// Columns without spread within classes.
    fn without_spread(&self) -> Vec<usize> {
        self.core.without_spread()
    }

    /// Gaussians at the centroids.
    fn model(&self, priors: PriorsWord, features: Vec<String>) -> PyResult<Model> {
        let priors = priors.priors()?;
        let mixture = self.core.mixture(&priors).map_err(Failure::from)?;
        let family = match mixture.covariances().get(0).shape() {
            gaussbayes::Shape::Spherical => Family::Eii,
            _ => Family::Eei,
        };
        let spec = CovarianceSpec { ddof: 1, ..CovarianceSpec::from(family) };
        let loss = Loss::zero_one(self.classes.len());
        Model::made(mixture, self.classes.clone(), features, loss, spec, priors)
            .map(|model| model.with_statistics(&self.statistics))
    }

    /// The class of the nearest centroid by taxicab distance, row by row.
    fn nearest_taxicab<'py>(
        &self,
        priors: PriorsWord,
        x: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let priors = priors.priors()?;
        one_each(x, |block, into| {
            let classes = self.core.nearest_taxicab(&priors, block)?;
            put_each(into, classes.into_iter().map(|class| class as i64));
            Ok(())
        })
    }
}

/// Medians of each class and column. All rows are held in memory for it.
#[pyfunction]
pub(crate) fn medians<'py>(
    x: &Bound<'py, PyAny>,
    y: Option<&Bound<'py, PyAny>>,
    weights: Option<&Bound<'py, PyAny>>,
    columns: usize,
) -> PyResult<Matrix<'py>> {
    let input = Input::labelled(x, y, weights);
    let (_, medians) = input.over(|source, on| class_medians(source, on))?;
    grid(x.py(), medians, columns)
}
