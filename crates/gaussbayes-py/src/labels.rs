//! Encodes the labels of arrays: block by block where any thread can read them.

use std::borrow::Cow;
use std::ops::Range;

use gaussbayes::{Encoder, Error, Label, Labels, NO_LABEL};
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

/// Numbers the texts of Python's objects, which it is lent until it is done: one that was met lately is known by its
/// address.
pub(crate) struct Texts {
    lately: Vec<(usize, u32)>,
    met: Encoder<Label>,
}

impl Texts {
    /// More than most columns have names, few enough to be looked at at once.
    const LATELY: usize = 1024;

    pub(crate) fn new() -> Self {
        Self { lately: vec![(0, NO_LABEL); Self::LATELY], met: Encoder::default() }
    }

    /// The number of an object's text, which `text` numbers where it must be read.
    ///
    /// # Errors
    /// What `text` refuses.
    pub(crate) fn code(
        &mut self,
        object: &Py<PyAny>,
        text: impl FnOnce(&mut Encoder<Label>) -> PyResult<u32>,
    ) -> PyResult<u32> {
        let address = object.as_ptr() as usize;
        let slot = (address / align_of::<u128>()) % Self::LATELY;
        if self.lately[slot].0 != address {
            self.lately[slot] = (address, text(&mut self.met)?);
        }
        Ok(self.lately[slot].1)
    }

    /// The texts in the order of their numbers.
    pub(crate) fn into_labels(self) -> Vec<Label> {
        self.met.into_labels()
    }
}

/// Labels of Python text.
fn encode_objects(py: Python<'_>, objects: ArrayView1<'_, Py<PyAny>>) -> PyResult<Encoded> {
    let mut texts = Texts::new();
    let code = |(row, object): (usize, &Py<PyAny>)| {
        texts.code(object, |met| {
            let object = object.bind(py);
            if object.is_none() || object.is_instance_of::<PyFloat>() {
                return Err(Failure::LabelNotFinite { row, value: f64::NAN }.into());
            }
            let text = object.cast::<PyString>().map_err(|_| {
                let kind = object.get_type().name().map_or_else(|_| "?".into(), |n| n.to_string());
                PyErr::from(Failure::LabelType { kind })
            })?;
            Ok(met.code(text.to_cow()?.as_ref()))
        })
    };
    let codes = objects.iter().enumerate().map(code).collect::<PyResult<_>>()?;
    Ok(Encoded { codes, dictionary: texts.into_labels() })
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
                let text = text.as_standard_layout();
                let points = text.as_slice().unwrap_or_default();
                let mut encoder: Encoder<Vec<u32>> = Encoder::default();
                let labels = points.chunks_exact(text.ncols().max(1));
                let codes = labels.map(|label| encoder.code(label)).collect();
                let dictionary = encoder.into_labels().into_iter().map(|points| {
                    let end = points.iter().rposition(|&point| point != 0).map_or(0, |at| at + 1);
                    let text = points[..end].iter().map(|&point| char::from_u32(point));
                    text.collect::<Option<String>>().map(Label::from).ok_or(Failure::LabelText)
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

fn cells<'a, T: Copy, U: From<T>>(
    values: &ArrayView1<'a, T>,
    rows: Range<usize>,
) -> impl Iterator<Item = Option<U>> + Clone + use<'a, T, U> {
    (*values).slice_move(s![rows]).into_iter().map(|value| Some((*value).into()))
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
