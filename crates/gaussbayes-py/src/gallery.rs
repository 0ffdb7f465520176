//! Gives Python the figures of the lectures by name, and pictures of tables it holds itself.

use gaussbayes::{Action, Criterion, Label, On, Pool, Table};
use gaussbayes_io::{Columns, Data, Reading};
use gaussbayes_plot::{bic_of, confusion_of, gallery};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::Failure;
use crate::pictures::Picture;
use crate::spec::named;

/// The figures of the gallery: the name of each, what it shows, and the lecture it is of.
#[pyfunction]
pub(crate) fn figures() -> Vec<(&'static str, &'static str, &'static str)> {
    gallery::all().map(|one| (one.name, one.about, one.deck.title())).collect()
}

/// A figure of the gallery.
#[pyfunction]
pub(crate) fn figure(py: Python<'_>, name: &str) -> PyResult<Picture> {
    let Some(one) = gallery::named(name) else {
        let near = gaussbayes_io::nearest(name, gallery::all().map(|one| one.name));
        let hint = near.map_or_else(
            || "gaussbayes.figures() names them all".into(),
            |near| format!("did you mean '{near}'?"),
        );
        let text = format!("the gallery has no figure '{name}'\nhint: {hint}");
        return Err(PyValueError::new_err(text));
    };
    let drawn = py.detach(|| {
        let pool = Pool::new(1)?;
        let sets = |name: &str| set(name, On::pool(&pool));
        one.draw(&sets).map_err(Failure::from)
    })?;
    Ok(Picture(drawn))
}

/// A built-in set by its name.
fn set(name: &str, on: On<'_>) -> Result<Table, gaussbayes::Error> {
    let target = gaussbayes_io::usual_target(name).map(ToString::to_string);
    let columns = Columns { target, ..Columns::default() };
    let opened = Data::open(&[name], &columns, &Reading::default(), 1);
    // A built-in set is there and can be read.
    opened.and_then(|data| data.read(on)).map_err(|error| match error {
        gaussbayes_io::Error::Core(error) => error,
        _ => gaussbayes::Error::NoRows,
    })
}

/// A confusion matrix: rows true classes, columns what was said, reject last where there is one more.
#[pyfunction]
pub(crate) fn confusion_picture(
    names: Vec<String>,
    counts: PyReadonlyArray2<'_, f64>,
) -> PyResult<Picture> {
    let counts = counts.as_array();
    let said = |j: usize| if j < names.len() { Action::Class(j) } else { Action::Reject };
    let actions: Vec<Action> = (0..counts.ncols()).map(said).collect();
    let lines: Vec<Vec<f64>> = counts.outer_iter().map(|line| line.to_vec()).collect();
    let classes: Vec<Label> = names.into_iter().map(Label::from).collect();
    Ok(Picture(confusion_of(&classes, &actions, &lines).map_err(Failure::from)?))
}

/// A criterion by number of components and family; none where a mixture may not be chosen.
#[pyfunction]
pub(crate) fn criterion_picture(
    cells: Vec<(usize, String)>,
    values: Vec<Option<f64>>,
    criterion: &str,
) -> PyResult<Picture> {
    let criterion = named("criterion", criterion, &Criterion::ALL, Criterion::name)?;
    let cells: Vec<_> = crate::search::cells(cells)?.into_iter().zip(values).collect();
    Ok(Picture(bic_of(&cells, criterion).map_err(Failure::from)?))
}
