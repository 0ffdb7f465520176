//! Gives Python the built-in data sets.

use gaussbayes::{Label, On, Pool, banana};
use gaussbayes_io::{Columns, Data, Reading};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::arrays::{Matrix, grid};
use crate::failure::Failure;

/// Rows, codes of their classes, names of the classes, names of the features.
type Set<'py> = (Matrix<'py>, Option<Bound<'py, PyArray1<i64>>>, Vec<String>, Vec<String>);

/// A built-in set by its name.
#[pyfunction]
pub(crate) fn dataset<'py>(py: Python<'py>, name: &str) -> PyResult<Set<'py>> {
    let target = gaussbayes_io::usual_target(name).map(ToString::to_string);
    let columns = Columns { target, ..Columns::default() };
    let data = Data::open(&[name], &columns, &Reading::default(), 1).map_err(Failure::from)?;
    let features = data.features().to_vec();
    let pool = Pool::new(1).map_err(Failure::from)?;
    let table = data.read(On::pool(&pool)).map_err(Failure::from)?;
    set(py, table, features)
}

/// The banana set: two arcs of equal covariance, `rows` of each.
#[pyfunction]
pub(crate) fn banana_set(py: Python<'_>, rows: usize, seed: u64) -> PyResult<Set<'_>> {
    set(py, banana(rows, seed), vec!["x1".into(), "x2".into()])
}

fn set(py: Python<'_>, table: gaussbayes::Table, features: Vec<String>) -> PyResult<Set<'_>> {
    let classes = table.classes();
    let place = |code: &u32| {
        let label: &Label = &table.dictionary[*code as usize];
        classes.iter().position(|class| class == label).map_or(-1, |place| place as i64)
    };
    let codes = table.codes.as_ref().map(|codes| codes.iter().map(place).collect::<Vec<_>>());
    let names = classes.iter().map(ToString::to_string).collect();
    let codes = codes.map(|codes| codes.into_pyarray(py));
    Ok((grid(py, table.values, table.dim)?, codes, names, features))
}
