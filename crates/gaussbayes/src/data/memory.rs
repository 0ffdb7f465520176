//! Lends rows that are in memory, without copying them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::block::{Block, Labels};
use super::fields::Field;
use super::label::{Encoder, Label};
use super::memo::Memo;
use super::rows::Rows;
use super::source::{Cut, Source, rows_per_block};
use super::sparse::Sparse;
use crate::error::{ColumnRefusal, Error};
use crate::tolerance::BLOCK_ROWS_MAX;

/// Rows in memory with their names: a small data set, or the rows an update has left over.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Columns.
    pub dim: usize,
    /// Values, row by row.
    pub values: Vec<f64>,
    /// A weight per row, or none.
    pub weights: Option<Vec<f64>>,
    /// A label code per row, or none.
    pub codes: Option<Vec<u32>>,
    /// What the codes mean.
    pub dictionary: Vec<Label>,
    /// What the columns hold; nothing where all are numbers and none is missing.
    pub fields: Vec<Field<'static>>,
    /// The rows, where most of their cells are zero; there are no values then.
    pub sparse: Option<Sparse<'static>>,
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match &self.sparse {
            Some(rows) => rows.rows(),
            None => self.values.len() / self.dim.max(1),
        }
    }

    /// The classes of the rows of positive weight, sorted as scikit-learn sorts them.
    pub fn classes(&self) -> Vec<Label> {
        let mut counts = vec![false; self.dictionary.len()];
        for (i, &code) in self.codes.iter().flatten().enumerate() {
            let weight = self.weights.as_ref().map_or(1.0, |weights| weights[i]);
            if let Some(count) = counts.get_mut(code as usize) {
                *count |= weight > 0.0;
            }
        }
        let labels = self.dictionary.iter().zip(counts).filter(|(_, counts)| *counts);
        let mut labels: Vec<Label> = labels.map(|(label, _)| label.clone()).collect();
        super::sort_labels(&mut labels);
        labels
    }

    /// A source that lends these rows.
    pub fn source(&self) -> Memory<'_> {
        Memory::new(self, 0)
    }

    /// The rows of a range as one block.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub fn block(&self, range: Range<usize>) -> Result<Block<'_>, Error> {
        Span { table: self, range, first_row: 0, memo: None }.block()
    }

    /// All rows as one block that owns them, numbered from `first_row`.
    ///
    /// # Errors
    /// What [`Block::new`] refuses.
    pub fn into_block(self, first_row: u64) -> Result<Block<'static>, Error> {
        let labels = self.codes.map(|codes| Labels {
            codes: Cow::Owned(codes),
            dictionary: Cow::Owned(self.dictionary),
        });
        let rows = match self.sparse {
            Some(rows) => Rows::sparse(rows),
            None => Rows::new(self.values, self.dim)?,
        };
        let weights = self.weights.map(Cow::Owned);
        if self.fields.is_empty() {
            return Block::new(first_row, rows, weights, labels);
        }
        Block::typed(first_row, rows, self.fields, weights, labels)
    }

    /// The same rows with dictionaries of just their labels, names and words, sorted as text, so that equal
    /// rows make equal tables however they were read.
    pub(crate) fn with_sorted_names(mut self) -> Self {
        let dim = self.dim.max(1);
        for (column, field) in self.fields.iter_mut().enumerate() {
            let cells = self.values.iter().skip(column).step_by(dim);
            let used: HashSet<u32> = cells.filter(|x| !x.is_nan()).map(|&x| x as u32).collect();
            if let Some(renamed) = field.sorted(|code| used.contains(&code)) {
                rename(self.values.iter_mut().skip(column).step_by(dim), &renamed);
            }
        }
        let Some(codes) = &mut self.codes else { return self };
        let mut used: Vec<u32> = codes.iter().copied().filter(|&c| c != super::NO_LABEL).collect();
        used.sort_unstable();
        used.dedup();
        used.sort_by(|&a, &b| self.dictionary[a as usize].cmp(&self.dictionary[b as usize]));
        let mut place = vec![super::NO_LABEL; self.dictionary.len()];
        for (k, &code) in used.iter().enumerate() {
            place[code as usize] = k as u32;
        }
        for code in codes.iter_mut() {
            *code = place.get(*code as usize).copied().unwrap_or(super::NO_LABEL);
        }
        self.dictionary = used.iter().map(|&code| self.dictionary[code as usize].clone()).collect();
        self
    }

    /// Refuses rows whose columns hold something else than those of these.
    ///
    /// # Errors
    /// [`ColumnRefusal::Holds`]; [`ColumnRefusal::NotPlain`] for sparse rows beside typed ones.
    pub(crate) fn joins(&self, block: &Block<'_>) -> Result<(), Error> {
        let sparse = self.sparse.is_some() || block.rows().as_sparse().is_some();
        let typed = !self.fields.is_empty() || !block.fields().is_empty();
        if sparse && typed && self.rows() > 0 {
            return Err(ColumnRefusal::NotPlain { what: "sparse rows beside typed ones" }.into());
        }
        let number = Field::Number;
        for column in 0..self.dim.min(block.rows().dim()) {
            let own = self.fields.get(column).unwrap_or(&number);
            let other = block.fields().get(column).unwrap_or(&number);
            if self.rows() > 0 && own.holds() != other.holds() {
                let (needed, held) = (own.holds(), other.holds());
                return Err(ColumnRefusal::Holds { column, name: None, needed, held }.into());
            }
        }
        Ok(())
    }

    /// Copies a block's rows behind these; their columns hold the same.
    pub fn push_block(&mut self, block: &Block<'_>) {
        let count = block.rows().count();
        let before = self.rows();
        if block.is_weighted() && self.weights.is_none() {
            self.weights = Some(vec![1.0; before]);
        }
        if let Some(weights) = &mut self.weights {
            weights.extend((0..count).map(|i| block.weight(i)));
        }
        if let Some(labels) = block.labels() {
            let mut encoder = Encoder::of(std::mem::take(&mut self.dictionary));
            let codes: Vec<u32> =
                labels.dictionary.iter().map(|label| encoder.code(label.as_str())).collect();
            self.dictionary = encoder.into_labels();
            let renamed = labels
                .codes
                .iter()
                .map(|&code| codes.get(code as usize).copied().unwrap_or(super::NO_LABEL));
            self.codes.get_or_insert_with(|| vec![super::NO_LABEL; before]).extend(renamed);
        } else if let Some(codes) = &mut self.codes {
            codes.resize(before + count, super::NO_LABEL);
        }
        self.dim = block.rows().dim();
        if self.sparse.is_some() || block.rows().as_sparse().is_some() {
            let values = std::mem::take(&mut self.values);
            let sparse = self.sparse.get_or_insert_with(|| Sparse::empty(self.dim));
            values.chunks_exact(self.dim).for_each(|row| sparse.push_dense(row));
            sparse.extend(block.rows());
            return;
        }
        let start = self.values.len();
        self.values.resize(start + count * self.dim, 0.0);
        for (i, row) in self.values[start..].chunks_exact_mut(self.dim).enumerate() {
            block.rows().read(i, row);
        }
        if before == 0 || self.fields.is_empty() && !block.fields().is_empty() {
            self.fields = block.fields().iter().map(Field::emptied).collect();
        }
        for (column, (field, later)) in self.fields.iter_mut().zip(block.fields()).enumerate() {
            if let Some(renamed) = field.append(later) {
                let cells = self.values[start..].iter_mut().skip(column);
                rename(cells.step_by(self.dim), &renamed);
            }
        }
    }
}

/// Gives the codes of a column their new numbers.
fn rename<'a>(cells: impl Iterator<Item = &'a mut f64>, renamed: &[u32]) {
    for cell in cells.filter(|cell| !cell.is_nan()) {
        *cell = f64::from(renamed[*cell as usize]);
    }
}

/// A source over a [`Table`].
#[derive(Debug, Clone)]
pub struct Memory<'a> {
    table: &'a Table,
    first_row: u64,
    at: usize,
    /// Of rows that are read again and again.
    memo: Option<Arc<Memo>>,
}

impl<'a> Memory<'a> {
    /// Lends the rows of a table, numbered from `first_row`.
    pub fn new(table: &'a Table, first_row: u64) -> Self {
        Self { table, first_row, at: 0, memo: None }
    }
}

impl<'a> Source for Memory<'a> {
    type Cut = Span<'a>;
    type Error = Error;

    fn dim(&self) -> usize {
        self.table.dim
    }

    fn rows_per_block(&self) -> usize {
        if self.table.sparse.is_some() { BLOCK_ROWS_MAX } else { rows_per_block(self.dim()) }
    }

    fn is_held(&self) -> bool {
        true
    }

    fn next(&mut self, rows: usize) -> Result<Option<Span<'a>>, Error> {
        let end = self.table.rows().min(self.at + rows);
        if self.at == end {
            return Ok(None);
        }
        let range = self.at..end;
        self.at = end;
        let (table, first_row, memo) = (self.table, self.first_row, self.memo.clone());
        Ok(Some(Span { table, range, first_row, memo }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        if self.memo.is_none() {
            self.memo = Some(Arc::new(Memo::new(self.table.rows(), self.rows_per_block())));
        }
        Ok(())
    }
}

/// A range of rows of a [`Table`].
#[derive(Debug, Clone)]
pub struct Span<'a> {
    table: &'a Table,
    range: Range<usize>,
    first_row: u64,
    memo: Option<Arc<Memo>>,
}

impl<'a> Span<'a> {
    fn block(&self) -> Result<Block<'a>, Error> {
        let Range { start, end } = self.range;
        let table = self.table;
        let codes = table.codes.as_deref().map(|codes| part(codes, "labels", start..end));
        let weights = table.weights.as_deref().map(|weights| part(weights, "weights", start..end));
        let labels = codes.transpose()?.map(|codes| Labels {
            codes: Cow::Borrowed(codes),
            dictionary: Cow::Borrowed(&table.dictionary),
        });
        let rows = if let Some(rows) = &table.sparse {
            Rows::sparse(rows.lent(self.range.clone()))
        } else {
            let range = start * table.dim..end * table.dim;
            Rows::new(part(&table.values, "values", range)?, table.dim)?
        };
        let weights = weights.transpose()?.map(Cow::Borrowed);
        let first_row = self.first_row + start as u64;
        if table.fields.is_empty() {
            return Block::new(first_row, rows, weights, labels);
        }
        let fields = table.fields.iter().map(|field| field.lent(self.range.clone())).collect();
        Block::typed(first_row, rows, fields, weights, labels)
    }
}

fn part<'a, T>(all: &'a [T], what: &'static str, range: Range<usize>) -> Result<&'a [T], Error> {
    all.get(range.clone()).ok_or(Error::Shape { what, expected: range.end, found: all.len() })
}

impl Cut for Span<'_> {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        Ok(self.block()?.remembered(self.memo.as_deref(), &self.range))
    }
}
