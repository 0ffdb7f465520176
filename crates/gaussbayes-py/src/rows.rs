//! Lends the rows of numpy arrays; those that lie row by row are not copied.

use std::ops::Range;
use std::sync::Arc;

use gaussbayes::{Block, Cut, Error, Memo, Rows, Source, Sparse, rows_per_block};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::beside::Beside;
use crate::failure::Failure;
use crate::numbers::{Column, HeldColumn, behaved};

/// Arrays that a call holds on to.
pub(crate) enum HeldGrid<'py> {
    /// Row by row, in double precision.
    Double(PyReadonlyArray2<'py, f64>),
    /// Row by row, in single precision.
    Single(PyReadonlyArray2<'py, f32>),
    /// Row by row, of any other type: the numbers of all rows, and how many a row has.
    Flat(HeldColumn<'py>, usize),
    /// Column by column, of any type.
    Columns(Vec<HeldColumn<'py>>),
    /// Compressed sparse rows: values, columns, where each row begins, the number of columns, and whether zeros stay
    /// unwritten.
    Sparse(HeldColumn<'py>, HeldColumn<'py>, HeldColumn<'py>, usize, bool),
}

/// Rows in arrays that any thread can read.
#[derive(Debug)]
pub(crate) struct Arrays<'a> {
    grid: Grid<'a>,
    rows: usize,
    dim: usize,
    beside: &'a Beside<'a>,
}

#[derive(Debug)]
enum Grid<'a> {
    Double(&'a [f64]),
    Single(&'a [f32]),
    Flat(Column<'a>),
    Columns(Vec<Column<'a>>),
    Sparse { values: Column<'a>, columns: Column<'a>, starts: Vec<usize>, kept: bool },
}

impl<'py> HeldGrid<'py> {
    /// Takes a two-dimensional array of any numbers that lies row by row, a list of columns, or a tuple of the three
    /// arrays of compressed sparse rows, the number of columns, and whether rows stay sparse.
    ///
    /// # Errors
    /// A `TypeError` for what holds no numbers.
    pub(crate) fn new(x: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(if let Ok(columns) = x.cast::<PyList>() {
            let columns = columns.iter().map(|column| HeldColumn::new(&column));
            Self::Columns(columns.collect::<PyResult<_>>()?)
        } else if let Ok(parts) = x.cast::<PyTuple>() {
            let part = |i: usize| HeldColumn::new(&parts.get_item(i)?);
            let (dim, kept) = (parts.get_item(3)?.extract()?, parts.get_item(4)?.extract()?);
            Self::Sparse(part(0)?, part(1)?, part(2)?, dim, kept)
        } else {
            behaved(x)?;
            if let Ok(double) = x.extract::<PyReadonlyArray2<'py, f64>>() {
                return Ok(Self::Double(double));
            }
            if let Ok(single) = x.extract::<PyReadonlyArray2<'py, f32>>() {
                return Ok(Self::Single(single));
            }
            let (_, dim): (usize, usize) = x.getattr("shape")?.extract()?;
            Self::Flat(HeldColumn::new(&x.call_method1("reshape", (-1,))?)?, dim)
        })
    }

    /// These rows, with what is given beside them.
    ///
    /// # Errors
    /// A `ValueError` when lengths differ.
    pub(crate) fn view<'a>(&'a self, beside: &'a Beside<'a>) -> PyResult<Arrays<'a>> {
        let (grid, rows, dim) = match self {
            Self::Double(array) => {
                let [rows, dim] = *array.as_array().shape() else { return Err(ragged()) };
                (Grid::Double(array.as_slice()?), rows, dim)
            }
            Self::Single(array) => {
                let [rows, dim] = *array.as_array().shape() else { return Err(ragged()) };
                (Grid::Single(array.as_slice()?), rows, dim)
            }
            Self::Flat(numbers, dim) => {
                let numbers = numbers.view();
                (Grid::Flat(numbers), numbers.len().checked_div(*dim).unwrap_or(0), *dim)
            }
            Self::Columns(columns) => {
                let columns: Vec<Column<'_>> = columns.iter().map(HeldColumn::view).collect();
                let rows = columns.first().map_or(0, Column::len);
                if columns.iter().any(|column| column.len() != rows) {
                    return Err(ragged());
                }
                let dim = columns.len();
                (Grid::Columns(columns), rows, dim)
            }
            Self::Sparse(values, columns, starts, dim, kept) => {
                let (values, columns) = (values.view(), columns.view());
                let starts = starts.view().indices(0..starts.view().len());
                let stored = starts.last().copied().unwrap_or(0);
                let ordered = starts.windows(2).all(|pair| pair[0] <= pair[1]);
                if !ordered || stored > columns.len() || stored > values.len() {
                    return Err(ragged());
                }
                let rows = starts.len().saturating_sub(1);
                (Grid::Sparse { values, columns, starts, kept: *kept }, rows, *dim)
            }
        };
        beside.ends_at(rows)?;
        Ok(Arrays { grid, rows, dim, beside })
    }
}

/// What is said of parts that are not equally long.
pub(crate) fn ragged() -> PyErr {
    PyValueError::new_err("the parts of a table have lengths that do not fit together")
}

impl Arrays<'_> {
    /// The numbers of some rows.
    fn part(&self, range: Range<usize>) -> Result<Rows<'_>, Error> {
        let (dim, count) = (self.dim, range.len());
        let values = match &self.grid {
            Grid::Double(values) => {
                return Rows::new(&values[range.start * dim..range.end * dim], dim);
            }
            Grid::Single(values) => {
                return Rows::new_f32(&values[range.start * dim..range.end * dim], dim);
            }
            Grid::Flat(numbers) => {
                let mut values = vec![0.0; count * dim];
                numbers.read(range.start * dim, &mut values, 1);
                values
            }
            Grid::Columns(columns) => {
                let mut values = vec![0.0; count * dim];
                for (j, column) in columns.iter().enumerate() {
                    column.read(range.start, &mut values[j..], dim);
                }
                if columns.iter().all(|column| matches!(column, Column::F32(_))) {
                    // In every layout single precision is what it was.
                    let single: Vec<f32> = values.into_iter().map(|x| x as f32).collect();
                    return Rows::new_f32(single, dim);
                }
                values
            }
            Grid::Sparse { values: stored, columns, starts, kept } => {
                let starts = &starts[range.start..=range.end];
                let cells = starts[0]..starts[count];
                let columns = columns.indices(cells.clone());
                if let Some(&column) = columns.iter().find(|column| **column >= dim) {
                    let what = "columns of sparse rows";
                    return Err(Error::Shape { what, expected: column + 1, found: dim });
                }
                let mut numbers = vec![0.0; cells.len()];
                stored.read(cells.start, &mut numbers, 1);
                let starts: Vec<usize> = starts.iter().map(|start| start - cells.start).collect();
                if *kept {
                    let columns: Vec<u32> = columns.into_iter().map(|j| j as u32).collect();
                    return Ok(Rows::sparse(Sparse::new(starts, columns, numbers, dim)?));
                }
                let mut values = vec![0.0; count * dim];
                for (row, ends) in values.chunks_exact_mut(dim).zip(starts.windows(2)) {
                    for at in ends[0]..ends[1] {
                        // A column may be there twice.
                        row[columns[at]] += numbers[at];
                    }
                }
                values
            }
        };
        Rows::new(values, dim)
    }

    /// As many rows as a block may have where zeros are not written: columns do not say what a row holds.
    fn rows_per_block(&self) -> usize {
        match self.grid {
            Grid::Sparse { kept: true, .. } => rows_per_block(1),
            _ => rows_per_block(self.dim),
        }
    }

    fn block(&self, range: Range<usize>) -> Result<Block<'_>, Failure> {
        let rows = self.part(range.clone())?;
        let (labels, weights) = self.beside.block(range.clone())?;
        Ok(Block::new(range.start as u64, rows, weights, labels)?)
    }
}

/// A source over arrays.
#[derive(Debug)]
pub(crate) struct ArraySource<'a> {
    arrays: &'a Arrays<'a>,
    at: usize,
    /// Of rows that are read again and again.
    memo: Option<Arc<Memo>>,
}

impl<'a> ArraySource<'a> {
    pub(crate) fn new(arrays: &'a Arrays<'a>) -> Self {
        Self { arrays, at: 0, memo: None }
    }

    pub(crate) fn rows(&self) -> usize {
        self.arrays.rows
    }
}

/// A range of rows of arrays.
#[derive(Debug)]
pub(crate) struct ArrayCut<'a> {
    arrays: &'a Arrays<'a>,
    range: Range<usize>,
    memo: Option<Arc<Memo>>,
}

impl<'a> Source for ArraySource<'a> {
    type Cut = ArrayCut<'a>;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.arrays.dim
    }

    fn rows_per_block(&self) -> usize {
        self.arrays.rows_per_block()
    }

    fn is_held(&self) -> bool {
        true
    }

    fn next(&mut self, rows: usize) -> Result<Option<ArrayCut<'a>>, Failure> {
        let range = self.at..self.arrays.rows.min(self.at + rows);
        self.at = range.end;
        let (arrays, memo) = (self.arrays, self.memo.clone());
        Ok((!range.is_empty()).then_some(ArrayCut { arrays, range, memo }))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.at = 0;
        if self.memo.is_none() {
            let block = self.arrays.rows_per_block();
            self.memo = Some(Arc::new(Memo::new(self.arrays.rows, block)));
        }
        Ok(())
    }
}

impl Cut for ArrayCut<'_> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        let block = self.arrays.block(self.range.clone())?;
        Ok(block.remembered(self.memo.as_deref(), &self.range))
    }
}
