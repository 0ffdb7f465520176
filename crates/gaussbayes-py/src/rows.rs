//! Lends the rows of numpy arrays; those that lie row by row are not copied.

use std::ops::Range;

use gaussbayes::{Block, Cut, Rows, Source};
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
    /// Column by column, of any type.
    Columns(Vec<HeldColumn<'py>>),
    /// Compressed sparse rows: values, columns, where each row begins, and the number of columns.
    Sparse(HeldColumn<'py>, HeldColumn<'py>, HeldColumn<'py>, usize),
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
    Columns(Vec<Column<'a>>),
    Sparse { values: Column<'a>, columns: Vec<usize>, starts: Vec<usize> },
}

impl<'py> HeldGrid<'py> {
    /// Takes a two-dimensional array that lies row by row, a list of columns, or a tuple of the three
    /// arrays of compressed sparse rows and the number of columns.
    ///
    /// # Errors
    /// A `TypeError` for what holds no numbers.
    pub(crate) fn new(x: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(if let Ok(columns) = x.cast::<PyList>() {
            let columns = columns.iter().map(|column| HeldColumn::new(&column));
            Self::Columns(columns.collect::<PyResult<_>>()?)
        } else if let Ok(parts) = x.cast::<PyTuple>() {
            let part = |i: usize| HeldColumn::new(&parts.get_item(i)?);
            Self::Sparse(part(0)?, part(1)?, part(2)?, parts.get_item(3)?.extract()?)
        } else {
            behaved(x)?;
            match x.extract::<PyReadonlyArray2<'py, f32>>() {
                Ok(single) => Self::Single(single),
                Err(_) => Self::Double(x.extract::<PyReadonlyArray2<'py, f64>>()?),
            }
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
            Self::Columns(columns) => {
                let columns: Vec<Column<'_>> = columns.iter().map(HeldColumn::view).collect();
                let rows = columns.first().map_or(0, Column::len);
                if columns.iter().any(|column| column.len() != rows) {
                    return Err(ragged());
                }
                let dim = columns.len();
                (Grid::Columns(columns), rows, dim)
            }
            Self::Sparse(values, columns, starts, dim) => {
                let (columns, starts) = (columns.view().indices(), starts.view().indices());
                let values = values.view();
                let stored = starts.last().copied().unwrap_or(0);
                let ordered = starts.windows(2).all(|pair| pair[0] <= pair[1]);
                let inside = columns.iter().all(|column| column < dim);
                if !ordered || !inside || stored > columns.len() || stored > values.len() {
                    return Err(ragged());
                }
                let rows = starts.len().saturating_sub(1);
                (Grid::Sparse { values, columns, starts }, rows, *dim)
            }
        };
        beside.ends_at(rows)?;
        Ok(Arrays { grid, rows, dim, beside })
    }
}

fn ragged() -> PyErr {
    PyValueError::new_err("the parts of a table have lengths that do not fit together")
}

impl Arrays<'_> {
    /// The numbers of some rows.
    fn part(&self, range: Range<usize>) -> Result<Rows<'_>, gaussbayes::Error> {
        let (dim, count) = (self.dim, range.len());
        let values = match &self.grid {
            Grid::Double(values) => {
                return Rows::new(&values[range.start * dim..range.end * dim], dim);
            }
            Grid::Single(values) => {
                return Rows::new_f32(&values[range.start * dim..range.end * dim], dim);
            }
            Grid::Columns(columns) => {
                let mut values = vec![0.0; count * dim];
                for (j, column) in columns.iter().enumerate() {
                    column.read(range.start, &mut values[j..], dim);
                }
                values
            }
            Grid::Sparse { values: stored, columns, starts } => {
                let mut values = vec![0.0; count * dim];
                let (first, last) = (starts[range.start], starts[range.end]);
                let mut numbers = vec![0.0; last - first];
                stored.read(first, &mut numbers, 1);
                for (row, i) in values.chunks_exact_mut(dim).zip(range) {
                    for at in starts[i]..starts[i + 1] {
                        row[columns[at]] += numbers[at - first];
                    }
                }
                values
            }
        };
        Rows::new(values, dim)
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
}

impl<'a> ArraySource<'a> {
    pub(crate) fn new(arrays: &'a Arrays<'a>) -> Self {
        Self { arrays, at: 0 }
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
}

impl<'a> Source for ArraySource<'a> {
    type Cut = ArrayCut<'a>;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.arrays.dim
    }

    fn next(&mut self, rows: usize) -> Result<Option<ArrayCut<'a>>, Failure> {
        let range = self.at..self.arrays.rows.min(self.at + rows);
        self.at = range.end;
        Ok((!range.is_empty()).then_some(ArrayCut { arrays: self.arrays, range }))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        self.at = 0;
        Ok(())
    }
}

impl Cut for ArrayCut<'_> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        self.arrays.block(self.range.clone())
    }
}
