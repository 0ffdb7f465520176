//! Gives Python the directions in which classes lie farthest apart.

use gaussbayes::Projection;
use numpy::{IntoPyArray, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arrays::{Matrix, Vector, grid, lower_triangle};
use crate::failure::Failure;
use crate::model::Model;

/// Canonical directions of a model.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Directions(pub(crate) Projection);

#[pymethods]
impl Directions {
    /// The directions that tell the class means apart; with a total covariance, all that it has beyond
    /// the covariance within classes.
    #[new]
    #[pyo3(signature = (model, total = None))]
    fn new(
        py: Python<'_>,
        model: &Model,
        total: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let mixture = model.mixture()?;
        let total = total.map(|total| lower_triangle(total.as_array()));
        let projection = py.detach(|| match &total {
            Some(total) => Projection::within_total(mixture, total),
            None => Projection::of(mixture),
        });
        Ok(Self(projection.map_err(Failure::from)?))
    }

    /// How many there are.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// One column per direction, in raw units.
    fn scalings<'py>(&self, py: Python<'py>) -> PyResult<Matrix<'py>> {
        let (directions, dim) = (self.0.directions(), self.0.dim());
        let entry = |j: usize| directions.iter().map(move |direction| direction[j]);
        grid(py, (0..dim).flat_map(entry).collect(), directions.len())
    }

    /// The variance between classes over that within them, along each.
    fn ratios<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.0.ratios().to_vec().into_pyarray(py)
    }

    /// The share of each in the sum of the ratios.
    fn explained<'py>(&self, py: Python<'py>) -> Vector<'py> {
        self.0.explained().into_pyarray(py)
    }
}
