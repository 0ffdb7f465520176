//! Encodes the labels of arrays: block by block where any thread can read them.

use std::borrow::Cow;
use std::ops::Range;

use gaussbayes::{Encoder, Error, Label, Labels};
use gaussbayes_io::labels::{NotWhole, Spelling, encoded, integers};
use numpy::ndarray::{ArrayView1, ArrayView2, s};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};

use crate::arrow::labels_of;
use crate::failure::Failure;
use crate::numbers::{Column, HeldColumn, behaved};

/// Labels that a call holds on to.
pub(crate) enum HeldLabels<'py> {
    Numbers(HeldColumn<'py>),
    /// Text of fixed width: one row of code points per label, zeros behind its end.
    Text(PyReadonlyArray2<'py, u32>),
    Encoded(Encoded),
}

/// Labels that were encoded at once: only one thread can read Python's objects, and Arrow's columns
/// come in any number of pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Encoded {
    pub(crate) codes: Vec<u32>,
    pub(crate) dictionary: Vec<Label>,
}

/// Labels that any thread can encode.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LabelView<'a> {
    Numbers(Column<'a>),
    Text(ArrayView2<'a, u32>),
    Encoded(&'a Encoded),
}

impl From<NotWhole> for Failure {
    fn from(fault: NotWhole) -> Self {
        let NotWhole { row, value } = fault;
        if value.is_finite() {
            Self::Continuous { row, value }
        } else {
            Self::LabelNotFinite { row, value }
        }
    }
}

impl<'py> HeldLabels<'py> {
    /// # Errors
    /// [`Failure::LabelType`] for objects that are no text, a `TypeError` for other types, and what
    /// [`labels_of`] refuses of Arrow's.
    pub(crate) fn new(labels: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Some(encoded) = labels_of(labels)? {
            return Ok(Self::Encoded(encoded));
        }
        behaved(labels)?;
        if let Ok(objects) = labels.extract::<PyReadonlyArray1<'py, Py<PyAny>>>() {
            return Ok(Self::Encoded(encode_objects(labels.py(), objects.as_array())?));
        }
        if let Ok(text) = labels.extract::<PyReadonlyArray2<'py, u32>>() {
            return Ok(Self::Text(text));
        }
        Ok(Self::Numbers(HeldColumn::new(labels)?))
    }

    pub(crate) fn view(&self) -> LabelView<'_> {
        match self {
            Self::Numbers(column) => LabelView::Numbers(column.view()),
            Self::Text(text) => LabelView::Text(text.as_array()),
            Self::Encoded(encoded) => LabelView::Encoded(encoded),
        }
    }
}

/// Labels of Python text; equal objects are compared by their address first.
fn encode_objects(py: Python<'_>, objects: ArrayView1<'_, Py<PyAny>>) -> PyResult<Encoded> {
    let mut by_address: Encoder<usize> = Encoder::default();
    let mut by_text: Encoder<Label> = Encoder::default();
    let mut code_of = Vec::new();
    let mut codes = Vec::with_capacity(objects.len());
    for (row, object) in objects.iter().enumerate() {
        let address = by_address.code(&(object.as_ptr() as usize)) as usize;
        if address == code_of.len() {
            let object = object.bind(py);
            if object.is_none() || object.is_instance_of::<PyFloat>() {
                return Err(Failure::LabelNotFinite { row, value: f64::NAN }.into());
            }
            let text = object.cast::<PyString>().map_err(|_| {
                let kind = object.get_type().name().map_or_else(|_| "?".into(), |n| n.to_string());
                PyErr::from(Failure::LabelType { kind })
            })?;
            code_of.push(by_text.code(text.to_cow()?.as_ref()));
        }
        codes.push(code_of[address]);
    }
    Ok(Encoded { codes, dictionary: by_text.into_labels() })
}

impl<'a> LabelView<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Numbers(column) => column.len(),
            Self::Text(text) => text.nrows(),
            Self::Encoded(encoded) => encoded.codes.len(),
        }
    }

    /// The labels of some rows.
    ///
    /// # Errors
    /// [`Failure::Continuous`] and [`Failure::LabelNotFinite`] for numbers that name no class.
    pub(crate) fn block(&self, rows: Range<usize>) -> Result<Labels<'a>, Failure> {
        let start = rows.start;
        match self {
            Self::Encoded(encoded) => Ok(Labels {
                codes: Cow::Borrowed(&encoded.codes[rows]),
                dictionary: Cow::Borrowed(&encoded.dictionary),
            }),
            Self::Text(text) => {
                let text = text.slice(s![rows, ..]);
                let keys = text.outer_iter().map(|label| {
                    let end = label.iter().rposition(|&point| point != 0).map_or(0, |at| at + 1);
                    label.iter().take(end).copied().collect::<Vec<u32>>()
                });
                let mut encoder: Encoder<Vec<u32>> = Encoder::default();
                let codes = keys.map(|key| encoder.code(&key)).collect();
                let dictionary = encoder.into_labels().into_iter().map(|points| {
                    let text: Option<String> = points.iter().map(|&p| char::from_u32(p)).collect();
                    text.map(Label::from).ok_or(Failure::LabelText)
                });
                let dictionary = dictionary.collect::<Result<Vec<Label>, Failure>>()?;
                Ok(Labels { codes: Cow::Owned(codes), dictionary: Cow::Owned(dictionary) })
            }
            Self::Numbers(column) => match column {
                Column::F64(view) => Ok(Spelling::Python.whole(cells(view, rows), start)?),
                Column::F32(view) => Ok(Spelling::Python.whole(cells(view, rows), start)?),
                Column::I64(view) => Ok(integers(cells(view, rows))),
                Column::I32(view) => Ok(integers(cells(view, rows))),
                Column::I16(view) => Ok(integers(cells(view, rows))),
                Column::I8(view) => Ok(integers(cells(view, rows))),
                Column::U64(view) => Ok(encoded(cells(view, rows), u64::to_string)),
                Column::U32(view) => Ok(integers(cells(view, rows))),
                Column::U16(view) => Ok(integers(cells(view, rows))),
                Column::U8(view) => Ok(integers(cells(view, rows))),
                Column::Bool(view) => Ok(Spelling::Python
                    .flags(cells(view, rows).map(|byte: Option<u8>| byte.map(|byte| byte != 0)))),
            },
        }
    }
}

fn cells<T: Copy, U: From<T>>(
    values: &ArrayView1<'_, T>,
    rows: Range<usize>,
) -> impl Iterator<Item = Option<U>> {
    rows.map(|i| Some(values[i].into()))
}

/// The place of each label among `classes`.
///
/// # Errors
/// A `ValueError` for a label that is none of them.
#[pyfunction]
pub(crate) fn codes<'py>(
    py: Python<'py>,
    labels: &Bound<'py, PyAny>,
    classes: Vec<String>,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let held = HeldLabels::new(labels)?;
    let view = held.view();
    let found = view.block(0..view.len())?;
    let place = |label: &Label| {
        let place = classes.iter().position(|class| class == label.as_str());
        place.ok_or_else(|| Failure::Core(Error::UnknownClass { class: label.to_string() }))
    };
    let places = found.dictionary.iter().map(place).collect::<Result<Vec<usize>, Failure>>()?;
    let code = |(row, &code): (usize, &u32)| match places.get(code as usize) {
        Some(&place) => Ok(place as i64),
        None => Err(Failure::Core(Error::NoLabel { row: row as u64 })),
    };
    let codes = found.codes.iter().enumerate().map(code).collect::<Result<Vec<i64>, Failure>>()?;
    Ok(codes.into_pyarray(py))
}
