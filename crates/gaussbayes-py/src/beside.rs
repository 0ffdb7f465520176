//! Lends the labels and weights that are given beside rows.

use std::borrow::Cow;
use std::ops::Range;

use gaussbayes::Labels;
use numpy::PyReadonlyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;

use crate::arrow::numbers_of;
use crate::failure::Failure;
use crate::labels::{HeldLabels, LabelView};
use crate::numbers::behaved;

/// Labels and weights that a call holds on to.
pub(crate) struct HeldBeside<'py> {
    labels: Option<HeldLabels<'py>>,
    weights: Option<HeldWeights<'py>>,
}

enum HeldWeights<'py> {
    Lent(PyReadonlyArray1<'py, f64>),
    Read(Vec<f64>),
}

/// Labels and weights that any thread can read.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    pub(crate) labels: Option<LabelView<'a>>,
    pub(crate) weights: Option<ArrayView1<'a, f64>>,
}

impl<'py> HeldBeside<'py> {
    /// # Errors
    /// A `TypeError` for labels that name no class, and for weights that are no numbers.
    pub(crate) fn new(
        y: Option<&Bound<'py, PyAny>>,
        weights: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let labels = y.map(HeldLabels::new).transpose()?;
        Ok(Self { labels, weights: weights.map(HeldWeights::new).transpose()? })
    }

    pub(crate) fn view(&self) -> Beside<'_> {
        let weights = self.weights.as_ref().map(|weights| match weights {
            HeldWeights::Lent(array) => array.as_array(),
            HeldWeights::Read(numbers) => ArrayView1::from(numbers),
        });
        Beside { labels: self.labels.as_ref().map(HeldLabels::view), weights }
    }
}

impl<'py> HeldWeights<'py> {
    fn new(weights: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(match numbers_of(weights, "sample_weight")? {
            Some(numbers) => Self::Read(numbers),
            None => Self::lent(weights)?,
        })
    }

    fn lent(weights: &Bound<'py, PyAny>) -> PyResult<Self> {
        behaved(weights)?;
        Ok(Self::Lent(weights.extract::<PyReadonlyArray1<'py, f64>>()?))
    }
}

impl<'a> Beside<'a> {
    /// Refuses lengths that are not the number of rows.
    ///
    /// # Errors
    /// [`Failure::Lengths`].
    pub(crate) fn ends_at(&self, rows: usize) -> Result<(), Failure> {
        let found = self.lengths().find(|&found| found != rows);
        found.map_or(Ok(()), |found| Err(Failure::Lengths { rows, more: false, found }))
    }

    /// Refuses lengths below the number of rows, of which there may be more.
    ///
    /// # Errors
    /// [`Failure::Lengths`].
    pub(crate) fn reaches(&self, rows: usize) -> Result<(), Failure> {
        let found = self.lengths().find(|&found| found < rows);
        found.map_or(Ok(()), |found| Err(Failure::Lengths { rows, more: true, found }))
    }

    fn lengths(&self) -> impl Iterator<Item = usize> {
        let labels = self.labels.as_ref().map(LabelView::len);
        labels.into_iter().chain(self.weights.as_ref().map(ArrayView1::len))
    }

    /// Labels and weights of some rows.
    ///
    /// # Errors
    /// As [`LabelView::block`].
    #[allow(clippy::type_complexity, reason = "the two halves of what a block takes")]
    pub(crate) fn block(
        &self,
        rows: Range<usize>,
    ) -> Result<(Option<Labels<'a>>, Option<Cow<'a, [f64]>>), Failure> {
        let labels = self.labels.as_ref().map(|labels| labels.block(rows.clone())).transpose()?;
        let weights = self.weights.as_ref().map(|weights| match weights.to_slice() {
            Some(all) => Cow::Borrowed(&all[rows]),
            None => Cow::Owned(rows.map(|i| weights[i]).collect()),
        });
        Ok((labels, weights))
    }
}
