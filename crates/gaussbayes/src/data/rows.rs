//! Lends rows of numbers: double or single precision, one after the other, strided or sparse.

use std::borrow::Cow;

use super::sparse::Sparse;
use crate::error::Error;

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
    Sparse(Sparse<'a>),
}

/// The numbers of dense rows, and how many lie from the start of one row to that of the next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Dense<'a> {
    F64(&'a [f64], usize),
    F32(&'a [f32], usize),
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

    /// Rows of which most cells are zero.
    pub fn sparse(rows: Sparse<'a>) -> Self {
        let (dim, count) = (rows.width(), rows.rows());
        Self { values: Values::Sparse(rows), dim, stride: dim, count }
    }

    /// The cells that are not zero, where rows are written that way.
    pub fn as_sparse(&self) -> Option<&Sparse<'a>> {
        match &self.values {
            Values::Sparse(rows) => Some(rows),
            Values::F64(_) | Values::F32(_) => None,
        }
    }

    /// The numbers themselves, where all are written down.
    pub(crate) fn dense(&self) -> Option<Dense<'_>> {
        match &self.values {
            Values::F64(values) => Some(Dense::F64(values, self.stride)),
            Values::F32(values) => Some(Dense::F32(values, self.stride)),
            Values::Sparse(_) => None,
        }
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
    pub(super) fn lent(&self) -> Rows<'_> {
        let values = match &self.values {
            Values::F64(values) => Values::F64(Cow::Borrowed(values)),
            Values::F32(values) => Values::F32(Cow::Borrowed(values)),
            Values::Sparse(rows) => Values::Sparse(rows.lent(0..rows.rows())),
        };
        Rows { values, ..*self }
    }

    /// The first value that is no finite number, with its row and column.
    pub(super) fn first_not_finite(&self) -> Option<(usize, usize, f64)> {
        if let Values::Sparse(rows) = &self.values {
            return rows.first(|value| !value.is_finite());
        }
        let mut row = vec![0.0; self.dim];
        (0..self.count).find_map(|i| {
            self.read(i, &mut row);
            let column = row.iter().position(|value| !value.is_finite())?;
            Some((i, column, row[column]))
        })
    }

    /// The values, where they are double precision and one after the other, to be changed.
    pub(super) fn values_mut(&mut self) -> Option<&mut [f64]> {
        match &mut self.values {
            Values::F64(values) if self.stride == self.dim => Some(values.to_mut()),
            _ => None,
        }
    }

    /// The value of row `i` in column `j`.
    pub fn value(&self, i: usize, j: usize) -> f64 {
        let at = i * self.stride + j;
        match &self.values {
            Values::F64(values) => values[at],
            Values::F32(values) => f64::from(values[at]),
            Values::Sparse(rows) => {
                let (columns, values) = rows.row(i);
                columns.binary_search(&(j as u32)).map_or(0.0, |at| values[at])
            }
        }
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
            Values::Sparse(rows) => rows.read(i, row),
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
