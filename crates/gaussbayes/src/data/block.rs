//! Checks a run of rows once, and lends them to whoever computes.

use std::borrow::Cow;
use std::ops::Range;

use super::extent::Extent;
use super::fields::{Field, check_fields};
use super::label::Label;
use super::memo::{Memo, Slot};
use super::rows::Rows;
use crate::error::{ColumnRefusal, Error};
use crate::moments::ldexp;
use crate::tolerance::WEIGHT_EXPONENT;

/// The code of a row that has no label.
pub const NO_LABEL: u32 = u32::MAX;

/// The class of each row: a code into a dictionary, or [`NO_LABEL`].
#[derive(Debug, Clone)]
pub struct Labels<'a> {
    /// One code per row.
    pub codes: Cow<'a, [u32]>,
    /// What the codes mean.
    pub dictionary: Cow<'a, [Label]>,
}

/// A run of rows with its weights and labels, checked.
#[derive(Debug, Clone)]
pub struct Block<'a> {
    first_row: u64,
    rows: Rows<'a>,
    weights: Option<Cow<'a, [f64]>>,
    labels: Option<Labels<'a>>,
    /// What the columns hold; nothing where all are numbers and none is missing.
    fields: Vec<Field<'a>>,
    /// Numbers of the rows, where they do not follow each other.
    numbers: Option<Vec<u64>>,
    /// How far the columns of dense rows of numbers reach.
    extent: Option<Extent>,
    /// Where what is computed of these rows stays for later passes.
    slot: Option<&'a Slot>,
}

impl<'a> Block<'a> {
    /// Checks shape, finiteness, weights and codes: here, and nowhere else.
    ///
    /// # Errors
    /// The first row that is wrong, by [`Error::NotFinite`] or [`Error::BadWeight`];
    /// [`Error::Shape`] when lengths differ.
    pub fn new(
        first_row: u64,
        rows: Rows<'a>,
        weights: Option<Cow<'a, [f64]>>,
        labels: Option<Labels<'a>>,
    ) -> Result<Self, Error> {
        let extent = Extent::of(&rows);
        if extent.is_none()
            && let Some((i, column, value)) = rows.first_not_finite()
        {
            return Err(Error::NotFinite { row: first_row + i as u64, column, value });
        }
        Ok(Self { extent, ..Self::checked(first_row, rows, Vec::new(), weights, labels)? })
    }

    /// The same for columns of which some are names or words, and cells of which some are missing.
    ///
    /// # Errors
    /// As for [`Block::new`]; [`Error::Shape`] for a code without a name.
    pub fn typed(
        first_row: u64,
        rows: Rows<'a>,
        fields: Vec<Field<'a>>,
        weights: Option<Cow<'a, [f64]>>,
        labels: Option<Labels<'a>>,
    ) -> Result<Self, Error> {
        check_fields(first_row, &rows, &fields)?;
        Self::checked(first_row, rows, fields, weights, labels)
    }

    fn checked(
        first_row: u64,
        rows: Rows<'a>,
        fields: Vec<Field<'a>>,
        weights: Option<Cow<'a, [f64]>>,
        labels: Option<Labels<'a>>,
    ) -> Result<Self, Error> {
        let count = rows.count();
        let same = |what, found| {
            if found == count { Ok(()) } else { Err(Error::Shape { what, expected: count, found }) }
        };
        if let Some(weights) = &weights {
            same("weights", weights.len())?;
            let usable = ldexp(1.0, -WEIGHT_EXPONENT)..=ldexp(1.0, WEIGHT_EXPONENT);
            if let Some(i) = weights.iter().position(|w| *w != 0.0 && !usable.contains(w)) {
                return Err(Error::BadWeight { row: first_row + i as u64, value: weights[i] });
            }
        }
        if let Some(labels) = &labels {
            same("labels", labels.codes.len())?;
            let classes = labels.dictionary.len();
            let unknown = |&code: &u32| code != NO_LABEL && code as usize >= classes;
            // Most have none: several at a time.
            if labels.codes.iter().fold(false, |any, code| any | unknown(code))
                && let Some(code) = labels.codes.iter().find(|code| unknown(code))
            {
                return Err(Error::Shape {
                    what: "label codes",
                    expected: *code as usize + 1,
                    found: classes,
                });
            }
        }
        let (numbers, extent, slot) = (None, None, None);
        Ok(Self { first_row, rows, weights, labels, fields, numbers, extent, slot })
    }

    /// Number of the first row in its source.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Number of row `i` in its source, for messages.
    pub(crate) fn number(&self, i: usize) -> u64 {
        self.numbers.as_ref().map_or(self.first_row + i as u64, |numbers| numbers[i])
    }

    /// The rows.
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
    }

    /// The same rows, the ones in this range of those that a memo is of.
    #[must_use]
    pub fn remembered(self, memo: Option<&'a Memo>, range: &Range<usize>) -> Self {
        Self { slot: memo.and_then(|memo| memo.slot(range)), ..self }
    }

    /// Where what is computed of these rows stays for later passes.
    pub(crate) fn slot(&self) -> Option<&'a Slot> {
        self.slot
    }

    /// How far the columns reach, where all rows were looked at.
    pub(crate) fn extent(&self) -> Option<&Extent> {
        self.extent.as_ref()
    }

    /// What the columns hold; nothing where all are numbers and none is missing.
    pub fn fields(&self) -> &[Field<'a>] {
        &self.fields
    }

    /// Refuses rows that are not plain numbers, one after the other, all of them there.
    ///
    /// # Errors
    /// [`ColumnRefusal::NotPlain`].
    pub(crate) fn plain(&self) -> Result<(), Error> {
        if self.rows.as_sparse().is_some() {
            return Err(ColumnRefusal::NotPlain { what: "sparse rows" }.into());
        }
        if self.fields.is_empty() {
            return Ok(());
        }
        Err(ColumnRefusal::NotPlain { what: "names, words or missing values" }.into())
    }

    /// The weight of row `i`; 1 where none are given.
    pub fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// Whether rows carry weights.
    pub fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    /// The labels, where rows have some.
    pub fn labels(&self) -> Option<&Labels<'a>> {
        self.labels.as_ref()
    }

    /// The label of row `i`.
    ///
    /// # Errors
    /// [`Error::NoLabel`] where it has none.
    pub fn label(&self, i: usize) -> Result<&Label, Error> {
        let missing = || Error::NoLabel { row: self.first_row + i as u64 };
        let labels = self.labels.as_ref().ok_or_else(missing)?;
        labels.dictionary.get(labels.codes[i] as usize).ok_or_else(missing)
    }

    /// The same rows with other weights.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub(crate) fn reweighted(&self, weights: Vec<f64>) -> Result<Block<'_>, Error> {
        let labels = self.labels.as_ref().map(|labels| Labels {
            codes: Cow::Borrowed(&labels.codes),
            dictionary: Cow::Borrowed(&labels.dictionary),
        });
        let all = 0..self.rows.count();
        let fields = self.fields.iter().map(|field| field.lent(all.clone())).collect();
        let weights = Some(Cow::Owned(weights));
        let block = Block::checked(self.first_row, self.rows.lent(), fields, weights, labels)?;
        Ok(Block { extent: self.extent.clone(), ..block })
    }

    /// The same rows, copied, with other values in row `i`.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub(crate) fn replaced(&self, i: usize, values: &[f64]) -> Result<Block<'static>, Error> {
        let all: Vec<usize> = (0..self.rows.count()).collect();
        let mut copy = self.picked(&all)?;
        let row = copy.rows.values_mut().map(|all| all.chunks_exact_mut(self.rows.dim()));
        if let Some(row) = row.and_then(|mut rows| rows.nth(i)) {
            row.copy_from_slice(values);
        }
        Block::new(copy.first_row, copy.rows, copy.weights, copy.labels)
    }

    /// The same rows, those with this label without any.
    #[must_use]
    pub fn unlabelled(mut self, mark: &Label) -> Self {
        if let Some(labels) = &mut self.labels
            && let Some(code) = labels.dictionary.iter().position(|label| label == mark)
        {
            let codes = labels.codes.to_mut().iter_mut();
            codes.filter(|own| **own as usize == code).for_each(|own| *own = NO_LABEL);
        }
        self
    }

    /// A block of some of these rows, copied; it is numbered from its first row's number.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub fn picked(&self, rows: &[usize]) -> Result<Block<'static>, Error> {
        let copied = if let Some(sparse) = self.rows.as_sparse() {
            Rows::sparse(sparse.picked(rows))
        } else {
            let dim = self.rows.dim();
            let mut values = vec![0.0; rows.len() * dim];
            for (&i, row) in rows.iter().zip(values.chunks_exact_mut(dim)) {
                self.rows.read(i, row);
            }
            Rows::new(values, dim)?
        };
        let fields = self.fields.iter().map(|field| field.picked(rows)).collect();
        let weights = self.weights.as_ref().map(|w| rows.iter().map(|&i| w[i]).collect());
        let labels = self.labels.as_ref().map(|labels| Labels {
            codes: rows.iter().map(|&i| labels.codes[i]).collect(),
            dictionary: Cow::Owned(labels.dictionary.to_vec()),
        });
        let first_row = self.first_row + rows.first().map_or(0, |&i| i as u64);
        let numbers = Some(rows.iter().map(|&i| self.number(i)).collect());
        let picked = Block::checked(first_row, copied, fields, weights.map(Cow::Owned), labels)?;
        Ok(Block { numbers, ..picked })
    }
}
