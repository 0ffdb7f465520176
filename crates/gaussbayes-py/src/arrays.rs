//! Turns lists of numbers into numpy arrays.

use numpy::ndarray::{Array2, ArrayView2};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A list of numbers in Python.
pub(crate) type Vector<'py> = Bound<'py, PyArray1<f64>>;
/// A table of numbers in Python.
pub(crate) type Matrix<'py> = Bound<'py, PyArray2<f64>>;

/// Numbers row by row as a two-dimensional array.
///
/// # Errors
/// A `ValueError` when they do not fill the rows.
pub(crate) fn grid<T: numpy::Element>(
    py: Python<'_>,
    values: Vec<T>,
    columns: usize,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = values.len().checked_div(columns).unwrap_or(0);
    let array = Array2::from_shape_vec((rows, columns), values);
    array
        .map(|array| array.into_pyarray(py))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A symmetric matrix from its lower triangle, row by row.
///
/// # Errors
/// As [`grid`].
pub(crate) fn symmetric<'py>(
    py: Python<'py>,
    triangle: &[f64],
    dim: usize,
) -> PyResult<Matrix<'py>> {
    grid(py, square(triangle, dim), dim)
}

/// The numbers of a symmetric matrix from its lower triangle, both row by row.
pub(crate) fn square(triangle: &[f64], dim: usize) -> Vec<f64> {
    let at = |i: usize, j: usize| triangle[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    (0..dim).flat_map(|i| (0..dim).map(move |j| at(i, j))).collect()
}

/// The lower triangle of a matrix, row by row.
pub(crate) fn lower_triangle(matrix: ArrayView2<'_, f64>) -> Vec<f64> {
    let rows = matrix.outer_iter().enumerate();
    rows.flat_map(|(i, row)| row.iter().copied().take(i + 1).collect::<Vec<f64>>()).collect()
}
