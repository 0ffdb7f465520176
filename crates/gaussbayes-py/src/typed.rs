//! Lends columns of any type: numbers as they are, names by their codes, missing cells as such.

use std::borrow::Cow;
use std::ops::Range;

use gaussbayes::{Block, Cut, Encoder, Field, Label, NO_LABEL, Rows, Source};
use gaussbayes_io::words_of;
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::beside::Beside;
use crate::failure::Failure;
use crate::labels::{Encoded, HeldLabels, Texts};
use crate::numbers::{Column, HeldColumn, behaved};
use crate::rows::ragged;
use crate::spec::named;

/// How the cells of a column are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Numbers,
    Names,
    Words,
}

impl Reading {
    pub(crate) const ALL: [Self; 3] = [Self::Numbers, Self::Names, Self::Words];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::Names => "names",
            Self::Words => "words",
        }
    }
}

/// Columns of a table, each with how it is read; names are encoded once.
#[pyclass(frozen, module = "gaussbayes._core")]
#[derive(Debug)]
pub(crate) struct Typed(Vec<Given>);

#[derive(Debug)]
enum Given {
    Numbers(Py<PyAny>),
    Names(Encoded),
    Words(Encoded),
}

#[pymethods]
impl Typed {
    /// For each column how it is read, its cells, and what they mean where they are codes of some names.
    #[new]
    fn new(columns: Vec<(String, Bound<'_, PyAny>, Option<Bound<'_, PyAny>>)>) -> PyResult<Self> {
        let given = |(word, cells, names): (String, Bound<'_, PyAny>, Option<_>)| {
            Ok(match (named("reading", &word, &Reading::ALL, Reading::name)?, names) {
                (Reading::Numbers, _) => Given::Numbers(cells.unbind()),
                (Reading::Names, Some(names)) => Given::Names(coded(&cells, &names)?),
                (Reading::Names, None) => Given::Names(encoded(&cells)?),
                (Reading::Words, _) => Given::Words(encoded(&cells)?),
            })
        };
        Ok(Self(columns.into_iter().map(given).collect::<PyResult<_>>()?))
    }
}

/// Codes of names, those below zero for missing cells.
fn coded(cells: &Bound<'_, PyAny>, names: &Bound<'_, PyAny>) -> PyResult<Encoded> {
    let held = HeldColumn::new(cells)?;
    let column = held.view();
    let mut numbers = vec![0.0; column.len()];
    column.read(0, &mut numbers, 1);
    let Encoded { codes: place, dictionary } = encoded(names)?;
    let code = |&number: &f64| match place.get(number as usize) {
        _ if number < 0.0 => Ok(NO_LABEL),
        Some(&place) => Ok(place),
        None => Err(ragged()),
    };
    Ok(Encoded { codes: numbers.iter().map(code).collect::<PyResult<_>>()?, dictionary })
}

/// Names of any cells that are names.
fn encoded(cells: &Bound<'_, PyAny>) -> PyResult<Encoded> {
    if let Ok(objects) = cells.extract::<PyReadonlyArray1<'_, Py<PyAny>>>() {
        behaved(cells)?;
        return objects_encoded(cells.py(), objects.as_array());
    }
    let held = HeldLabels::new(cells)?;
    let labels = held.view().block(0..held.view().len())?;
    let (codes, dictionary) = (labels.codes.into_owned(), labels.dictionary.into_owned());
    Ok(Encoded { codes, dictionary })
}

/// Names of Python's objects.
fn objects_encoded(py: Python<'_>, objects: ArrayView1<'_, Py<PyAny>>) -> PyResult<Encoded> {
    let mut texts = Texts::new();
    let code = |object: &Py<PyAny>| {
        texts.code(object, |met| {
            let text = text_of(object.bind(py))?;
            Ok(text.map_or(NO_LABEL, |text| met.code(text.as_ref())))
        })
    };
    let codes = objects.iter().map(code).collect::<PyResult<_>>()?;
    Ok(Encoded { codes, dictionary: texts.into_labels() })
}

/// The name that an object is; nothing for what is missing.
fn text_of<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Option<Cow<'a, str>>> {
    if object.is_none() {
        return Ok(None);
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(text.to_cow()?));
    }
    let kind = object.get_type().name()?.to_string();
    // What pandas has for missing cells.
    if kind == "NAType" || kind == "NaTType" {
        return Ok(None);
    }
    // Those of numpy, too.
    if kind.starts_with("bool") {
        return Ok(Some(Cow::Borrowed(if object.is_truthy()? { "True" } else { "False" })));
    }
    if let Ok(whole) = object.extract::<i64>() {
        return Ok(Some(whole.to_string().into()));
    }
    if let Ok(number) = object.extract::<f64>() {
        // Added to 0, a negative zero is the zero it equals.
        return Ok((!number.is_nan()).then(|| (number + 0.0).to_string().into()));
    }
    Err(Failure::NoName { kind }.into())
}

/// Columns that a call holds on to.
pub(crate) struct HeldTyped<'a, 'py>(Vec<HeldField<'a, 'py>>);

enum HeldField<'a, 'py> {
    Numbers(HeldColumn<'py>),
    Names(&'a Encoded),
    Words(&'a Encoded),
}

/// Columns that any thread can read.
#[derive(Debug)]
pub(crate) struct TypedView<'a> {
    columns: Vec<FieldView<'a>>,
    rows: usize,
    beside: &'a Beside<'a>,
}

#[derive(Debug)]
enum FieldView<'a> {
    Numbers(Column<'a>),
    Names(&'a Encoded),
    Words(&'a Encoded),
}

impl Typed {
    /// # Errors
    /// A `TypeError` for columns that hold no numbers.
    pub(crate) fn held<'a, 'py>(&'a self, py: Python<'py>) -> PyResult<HeldTyped<'a, 'py>> {
        let held = |given: &'a Given| {
            Ok(match given {
                Given::Numbers(cells) => HeldField::Numbers(HeldColumn::new(cells.bind(py))?),
                Given::Names(encoded) => HeldField::Names(encoded),
                Given::Words(encoded) => HeldField::Words(encoded),
            })
        };
        Ok(HeldTyped(self.0.iter().map(held).collect::<PyResult<_>>()?))
    }
}

impl HeldTyped<'_, '_> {
    /// These rows, with what is given beside them.
    ///
    /// # Errors
    /// A `ValueError` when lengths differ.
    pub(crate) fn view<'a>(&'a self, beside: &'a Beside<'a>) -> PyResult<TypedView<'a>> {
        let view = |held: &'a HeldField<'_, '_>| match held {
            HeldField::Numbers(column) => FieldView::Numbers(column.view()),
            HeldField::Names(encoded) => FieldView::Names(encoded),
            HeldField::Words(encoded) => FieldView::Words(encoded),
        };
        let columns: Vec<FieldView<'a>> = self.0.iter().map(view).collect();
        let rows = columns.first().map_or(0, FieldView::len);
        if columns.iter().any(|column| column.len() != rows) {
            return Err(ragged());
        }
        beside.ends_at(rows)?;
        Ok(TypedView { columns, rows, beside })
    }
}

impl FieldView<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(column) => column.len(),
            Self::Names(encoded) | Self::Words(encoded) => encoded.codes.len(),
        }
    }
}

/// A source over typed columns.
#[derive(Debug)]
pub(crate) struct TypedSource<'a> {
    view: &'a TypedView<'a>,
    at: usize,
}

impl<'a> TypedSource<'a> {
    pub(crate) fn new(view: &'a TypedView<'a>) -> Self {
        Self { view, at: 0 }
    }

    pub(crate) fn rows(&self) -> usize {
        self.view.rows
    }
}

impl<'a> Source for TypedSource<'a> {
    type Cut = TypedCut<'a>;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.view.columns.len()
    }

    fn next(&mut self, rows: usize) -> Result<Option<TypedCut<'a>>, Failure> {
        let range = self.at..self.view.rows.min(self.at + rows);
        self.at = range.end;
        Ok((!range.is_empty()).then_some(TypedCut { view: self.view, range }))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.at = 0;
        Ok(())
    }
}

/// A range of rows of typed columns.
#[derive(Debug)]
pub(crate) struct TypedCut<'a> {
    view: &'a TypedView<'a>,
    range: Range<usize>,
}

impl Cut for TypedCut<'_> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        let (dim, range) = (self.view.columns.len(), self.range.clone());
        let mut values = vec![0.0; range.len() * dim];
        let mut fields = Vec::with_capacity(dim);
        for (j, column) in self.view.columns.iter().enumerate() {
            let into = &mut values[j..];
            fields.push(match column {
                FieldView::Numbers(column) => {
                    column.read(range.start, into, dim);
                    Field::Number
                }
                FieldView::Names(encoded) => {
                    let names = Cow::Borrowed(&*encoded.dictionary);
                    put_names(&encoded.codes[range.clone()], names, into, dim)
                }
                FieldView::Words(encoded) => {
                    put_words(&encoded.codes[range.clone()], &encoded.dictionary, into, dim)?
                }
            });
        }
        let (labels, weights) = self.view.beside.block(range.clone())?;
        let rows = Rows::new(values, dim)?;
        Ok(Block::typed(range.start as u64, rows, fields, weights, labels)?)
    }
}

/// Writes codes to every `step`-th place, NaN where a cell is missing; more names than there are cells are not lent along.
pub(crate) fn put_names<'a>(
    codes: &[u32],
    names: Cow<'a, [Label]>,
    into: &mut [f64],
    step: usize,
) -> Field<'a> {
    let mut met: Encoder<u32> = Encoder::default();
    let few = names.len() <= codes.len();
    for (place, &code) in into.iter_mut().step_by(step).zip(codes) {
        *place = match code {
            NO_LABEL => f64::NAN,
            code if few => f64::from(code),
            code => f64::from(met.code(&code)),
        };
    }
    if few {
        return Field::Category(names);
    }
    Field::Category(met.into_labels().iter().map(|&code| names[code as usize].clone()).collect())
}

/// Cuts texts into words; writes NaN to every `step`-th place where a text is missing.
pub(crate) fn put_words(
    codes: &[u32],
    texts: &[Label],
    into: &mut [f64],
    step: usize,
) -> Result<Field<'static>, Failure> {
    for (place, &code) in into.iter_mut().step_by(step).zip(codes) {
        *place = if code == NO_LABEL { f64::NAN } else { 0.0 };
    }
    let text = |&code: &u32| texts.get(code as usize).map_or("", Label::as_str);
    Ok(words_of(codes.iter().map(text))?)
}
