//! Gives Python what boundaries are, and the curves that they draw in two features.

use gaussbayes::{Piece, View, Window};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Matrix, grid, symmetric};
use crate::failure::Failure;
use crate::model::Model;

/// Points of an exact arc: so many that chords look round.
const ARC_POINTS: usize = 129;

/// The boundary between two actions, by the fields of a `Boundary`.
#[pyfunction]
pub(crate) fn boundary<'py>(
    py: Python<'py>,
    model: &Model,
    first: usize,
    second: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let classifier = &model.inner.classifier;
    let found = py.detach(|| classifier.boundary(first, second)).map_err(Failure::from)?;
    let dim = classifier.features().len();
    let fields = PyDict::new(py);
    fields.set_item("kind", found.kind.name())?;
    if let Some(quadric) = &found.quadric {
        let raw = quadric.raw();
        fields.set_item("homogeneous", grid(py, raw.homogeneous(), dim + 1)?)?;
        fields.set_item("quadratic", symmetric(py, &raw.quadratic, dim)?)?;
        fields.set_item("linear", raw.linear.into_pyarray(py))?;
        fields.set_item("constant", raw.constant)?;
    }
    if let Some(own) = found.canonical {
        fields.set_item("centre", own.centre.into_pyarray(py))?;
        fields.set_item("axes", grid(py, own.axes, dim)?)?;
        fields.set_item("eigenvalues", own.eigenvalues.into_pyarray(py))?;
        let semi_axes = own.semi_axes.iter().map(|length| length.unwrap_or(f64::NAN));
        fields.set_item("semi_axes", semi_axes.collect::<Vec<f64>>().into_pyarray(py))?;
    }
    if let Some(plane) = found.plane {
        fields.set_item("normal", plane.normal.into_pyarray(py))?;
        fields.set_item("point", plane.point.into_pyarray(py))?;
    }
    if dim == 1 {
        fields.set_item("thresholds", found.thresholds.into_pyarray(py))?;
    }
    Ok(fields)
}

/// Both actions, points, whether they are exact, and how far they may be off.
type Drawn<'py> = (usize, usize, Matrix<'py>, bool, f64);

/// The curves between regions in two features: left, right, low and high are the window.
#[pyfunction]
#[pyo3(signature = (model, features, window, *, at = None, project = false))]
pub(crate) fn curves<'py>(
    py: Python<'py>,
    model: &Model,
    features: [usize; 2],
    window: [f64; 4],
    at: Option<Vec<f64>>,
    project: bool,
) -> PyResult<Vec<Drawn<'py>>> {
    let [left, right, low, high] = window;
    let window = Window { low: [left, low], high: [right, high] };
    let view = match (project, model.inner.classifier.features().len(), features) {
        (true, ..) => View::Projection { columns: features },
        (false, 2, [0, 1]) => View::Whole,
        _ => View::Slice { columns: features, at },
    };
    let classifier = &model.inner.classifier;
    let found = py.detach(|| classifier.curves(&view, &window)).map_err(Failure::from)?;
    let size = (right - left).max(high - low);
    let mut all = Vec::new();
    for curve in found {
        let (first, second) = curve.actions;
        for piece in curve.pieces {
            let (points, exact) = match piece {
                Piece::Exact(arc) => (arc.points(ARC_POINTS), true),
                Piece::Traced(points) => (points, false),
            };
            let points = grid(py, points.concat(), 2)?;
            let accuracy = if exact { 0.0 } else { curve.accuracy * size };
            all.push((first, second, points, exact, accuracy));
        }
    }
    Ok(all)
}
