//! Checks a run of rows once, and lends them to whoever computes.

use std::borrow::Cow;

use super::label::Label;
use crate::error::Error;
use crate::moments::ldexp;
use crate::tolerance::WEIGHT_EXPONENT;

/// The code of a row that has no label.
pub const NO_LABEL: u32 = u32::MAX;

/// Rows of `dim` numbers, each starting `stride` numbers after the last.
#[derive(Debug, Clone)]
pub struct Rows<'a> {
    values: Values<'a>,
    dim: usize,
    stride: usize,
    count: usize,
}

#[derive(Debug, Clone)]
enum Values<'a> {
    F64(Cow<'a, [f64]>),
    F32(Cow<'a, [f32]>),
}

impl<'a> Rows<'a> {
    /// Rows that lie one after the other.
    ///
    /// # Errors
    /// [`Error::Shape`] when the values do not fill whole rows.
    pub fn new(values: impl Into<Cow<'a, [f64]>>, dim: usize) -> Result<Self, Error> {
        let values = values.into();
        let count = whole_rows(values.len(), dim)?;
        Ok(Self { values: Values::F64(values), dim, stride: dim, count })
    }

    /// Single-precision rows that lie one after the other; they stay single in memory.
    ///
    /// # Errors
    /// [`Error::Shape`] when the values do not fill whole rows.
    pub fn new_f32(values: impl Into<Cow<'a, [f32]>>, dim: usize) -> Result<Self, Error> {
        let values = values.into();
        let count = whole_rows(values.len(), dim)?;
        Ok(Self { values: Values::F32(values), dim, stride: dim, count })
    }

    /// `count` rows of which each starts `stride` numbers after the last.
    ///
    /// # Errors
    /// [`Error::Shape`] when the last row would end behind the values.
    pub fn strided(
        values: &'a [f64],
        dim: usize,
        stride: usize,
        count: usize,
    ) -> Result<Self, Error> {
        let needed = if count == 0 { 0 } else { (count - 1) * stride + dim };
        if dim == 0 || stride < dim || values.len() < needed {
            return Err(Error::Shape {
                what: "strided rows",
                expected: needed,
                found: values.len(),
            });
        }
        Ok(Self { values: Values::F64(values.into()), dim, stride, count })
    }

    /// Columns.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Rows.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The same rows, lent once more.
    fn lent(&self) -> Rows<'_> {
        let values = match &self.values {
            Values::F64(values) => Values::F64(Cow::Borrowed(values)),
            Values::F32(values) => Values::F32(Cow::Borrowed(values)),
        };
        Rows { values, ..*self }
    }

    /// The first value that is no finite number, with its row and column.
    fn first_not_finite(&self) -> Option<(usize, usize, f64)> {
        let packed = self.stride == self.dim;
        match &self.values {
            Values::F64(values) if packed && all_finite(values) => return None,
            _ => {}
        }
        let mut row = vec![0.0; self.dim];
        (0..self.count).find_map(|i| {
            self.read(i, &mut row);
            let column = row.iter().position(|value| !value.is_finite())?;
            Some((i, column, row[column]))
        })
    }

    /// Copies row `i` as double precision.
    pub fn read(&self, i: usize, row: &mut [f64]) {
        let at = i * self.stride;
        match &self.values {
            Values::F64(values) => row.copy_from_slice(&values[at..at + self.dim]),
            Values::F32(values) => {
                for (to, &from) in row.iter_mut().zip(&values[at..at + self.dim]) {
                    *to = f64::from(from);
                }
            }
        }
    }
}

/// Whether all values are finite, without stopping at the first that is not: several at a time.
pub(crate) fn all_finite(values: &[f64]) -> bool {
    values.iter().fold(true, |all, value| all & value.is_finite())
}

fn whole_rows(values: usize, dim: usize) -> Result<usize, Error> {
    if dim == 0 || !values.is_multiple_of(dim) {
        let expected = values.checked_next_multiple_of(dim.max(1)).unwrap_or(values).max(dim);
        return Err(Error::Shape { what: "rows", expected, found: values });
    }
    Ok(values / dim)
}

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
        let count = rows.count();
        let same = |what, found| {
            if found == count { Ok(()) } else { Err(Error::Shape { what, expected: count, found }) }
        };
        if let Some((i, column, value)) = rows.first_not_finite() {
            return Err(Error::NotFinite { row: first_row + i as u64, column, value });
        }
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
            let known = |&code: &u32| code == NO_LABEL || (code as usize) < classes;
            if let Some(code) = labels.codes.iter().find(|code| !known(code)) {
                return Err(Error::Shape {
                    what: "label codes",
                    expected: *code as usize + 1,
                    found: classes,
                });
            }
        }
        Ok(Self { first_row, rows, weights, labels })
    }

    /// Number of the first row in its source.
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// The rows.
    pub fn rows(&self) -> &Rows<'a> {
        &self.rows
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
        let missing = Error::NoLabel { row: self.first_row + i as u64 };
        let labels = self.labels.as_ref().ok_or(missing.clone())?;
        labels.dictionary.get(labels.codes[i] as usize).ok_or(missing)
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
        Block::new(self.first_row, self.rows.lent(), Some(Cow::Owned(weights)), labels)
    }

    /// The same rows, copied, with other values in row `i`.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub(crate) fn replaced(&self, i: usize, values: &[f64]) -> Result<Block<'static>, Error> {
        let all: Vec<usize> = (0..self.rows.count()).collect();
        let mut copy = self.picked(&all)?;
        if let Values::F64(all) = &mut copy.rows.values
            && let Some(row) = all.to_mut().chunks_exact_mut(self.rows.dim).nth(i)
        {
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
    pub(crate) fn picked(&self, rows: &[usize]) -> Result<Block<'static>, Error> {
        let dim = self.rows.dim();
        let mut values = vec![0.0; rows.len() * dim];
        for (&i, row) in rows.iter().zip(values.chunks_exact_mut(dim)) {
            self.rows.read(i, row);
        }
        let weights = self.weights.as_ref().map(|w| rows.iter().map(|&i| w[i]).collect());
        let labels = self.labels.as_ref().map(|labels| Labels {
            codes: rows.iter().map(|&i| labels.codes[i]).collect(),
            dictionary: Cow::Owned(labels.dictionary.to_vec()),
        });
        let first_row = self.first_row + rows.first().map_or(0, |&i| i as u64);
        Block::new(first_row, Rows::new(values, dim)?, weights.map(Cow::Owned), labels)
    }
}
