//! Holds rows of which most cells are zero: only the others are written down.

use std::borrow::Cow;
use std::ops::Range;

use super::rows::Rows;
use crate::error::Error;

/// Rows by their cells that are not zero: columns in ascending order, and the values in them.
///
/// ```
/// use gaussbayes::Sparse;
/// let rows = Sparse::new(vec![0, 2, 2], vec![1, 4], vec![3.0, 1.0], 5)?;
/// assert_eq!((rows.rows(), rows.width()), (2, 5));
/// assert_eq!(rows.row(0), (&[1, 4][..], &[3.0, 1.0][..]));
/// assert!(rows.row(1).0.is_empty());
/// # Ok::<(), gaussbayes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse<'a> {
    /// Where each row begins in `columns` and `values`, and where the last one ends.
    starts: Cow<'a, [usize]>,
    columns: Cow<'a, [u32]>,
    values: Cow<'a, [f64]>,
    width: usize,
}

impl<'a> Sparse<'a> {
    /// Rows of `width` columns; row `i` has the cells from `starts[i]` up to `starts[i + 1]`.
    ///
    /// # Errors
    /// [`Error::Shape`] when starts fall or do not end with the cells, a column is beyond the width, or columns
    /// of a row do not ascend.
    pub fn new(
        starts: impl Into<Cow<'a, [usize]>>,
        columns: impl Into<Cow<'a, [u32]>>,
        values: impl Into<Cow<'a, [f64]>>,
        width: usize,
    ) -> Result<Self, Error> {
        let (starts, columns, values) = (starts.into(), columns.into(), values.into());
        let shape = |what, expected, found| Err(Error::Shape { what, expected, found });
        if columns.len() != values.len() {
            return shape("values of sparse rows", columns.len(), values.len());
        }
        let Some(&last) = starts.last() else { return shape("starts of sparse rows", 1, 0) };
        if last != columns.len() {
            return shape("cells of sparse rows", last, columns.len());
        }
        for pair in starts.windows(2) {
            let Some(row) = columns.get(pair[0]..pair[1]) else {
                return shape("starts of sparse rows that ascend", pair[0], pair[1]);
            };
            if let Some(two) = row.windows(2).find(|two| two[0] >= two[1]) {
                let (before, after) = (two[0] as usize, two[1] as usize);
                return shape("columns of a sparse row that ascend", before + 1, after);
            }
            if let Some(&column) = row.last().filter(|column| **column as usize >= width) {
                return shape("columns of sparse rows", column as usize + 1, width);
            }
        }
        Ok(Self { starts, columns, values, width })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Cells that are written down.
    pub fn cells(&self) -> usize {
        self.starts[self.rows()] - self.starts[0]
    }

    /// Columns and values of row `i`.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.starts[i]..self.starts[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Some rows, lent once more.
    pub fn lent(&self, rows: Range<usize>) -> Sparse<'_> {
        Sparse {
            starts: Cow::Borrowed(&self.starts[rows.start..=rows.end]),
            columns: Cow::Borrowed(&self.columns),
            values: Cow::Borrowed(&self.values),
            width: self.width,
        }
    }

    /// Copies row `i` with its zeros.
    pub(super) fn read(&self, i: usize, row: &mut [f64]) {
        row.fill(0.0);
        let (columns, values) = self.row(i);
        columns.iter().zip(values).for_each(|(&column, &value)| row[column as usize] = value);
    }

    /// Row, column and value of the first cell of a kind.
    pub(super) fn first(&self, is: impl Fn(f64) -> bool) -> Option<(usize, usize, f64)> {
        (0..self.rows()).find_map(|i| {
            let (columns, values) = self.row(i);
            let at = values.iter().position(|&value| is(value))?;
            Some((i, columns[at] as usize, values[at]))
        })
    }

    /// Some rows in any order, copied.
    pub(super) fn picked(&self, rows: &[usize]) -> Sparse<'static> {
        let mut picked = Sparse::empty(self.width);
        rows.iter().for_each(|&i| picked.push(self.row(i)));
        picked
    }

    /// No rows yet.
    pub(super) fn empty(width: usize) -> Sparse<'static> {
        let (columns, values) = (Cow::Owned(Vec::new()), Cow::Owned(Vec::new()));
        Sparse { starts: Cow::Owned(vec![0]), columns, values, width }
    }

    /// Puts the rows of another behind these, its columns renamed.
    pub(super) fn append(&mut self, later: &Sparse<'_>, renamed: &[u32], width: usize) {
        self.width = width;
        let mut cells: Vec<(u32, f64)> = Vec::new();
        for i in 0..later.rows() {
            let (columns, values) = later.row(i);
            cells.clear();
            cells.extend(columns.iter().map(|&c| renamed[c as usize]).zip(values.iter().copied()));
            cells.sort_unstable_by_key(|cell| cell.0);
            let (columns, values): (Vec<u32>, Vec<f64>) = cells.iter().copied().unzip();
            self.push((&columns, &values));
        }
    }

    /// Puts rows of the same columns behind these.
    pub(super) fn extend(&mut self, later: &Rows<'_>) {
        if let Some(later) = later.as_sparse() {
            return (0..later.rows()).for_each(|i| self.push(later.row(i)));
        }
        let mut row = vec![0.0; later.dim()];
        for i in 0..later.count() {
            later.read(i, &mut row);
            self.push_dense(&row);
        }
    }

    /// Puts a row that has its zeros behind these.
    pub(super) fn push_dense(&mut self, row: &[f64]) {
        let cells = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
        let (columns, values): (Vec<u32>, Vec<f64>) = cells.map(|(j, &x)| (j as u32, x)).unzip();
        self.push((&columns, &values));
    }

    fn push(&mut self, (columns, values): (&[u32], &[f64])) {
        self.columns.to_mut().extend_from_slice(columns);
        self.values.to_mut().extend_from_slice(values);
        let end = self.columns.len();
        self.starts.to_mut().push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_do_not_fit_together_are_refused() {
        let new = |starts: &[usize], columns: &[u32], width| {
            let values = vec![1.0; columns.len()];
            Sparse::new(starts.to_vec(), columns.to_vec(), values, width).is_ok()
        };
        assert!(new(&[0, 1, 1, 3], &[0, 1, 2], 3));
        assert!(!new(&[], &[], 3), "no starts");
        assert!(!new(&[0, 4], &[0, 1, 2], 3), "beyond the cells");
        assert!(!new(&[0, 2], &[0, 1, 2], 3), "a cell of no row");
        assert!(!new(&[2, 0], &[0, 1, 2], 3), "falling starts");
        assert!(!new(&[0, 3], &[0, 2, 1], 3), "falling columns");
        assert!(!new(&[0, 2], &[1, 1], 3), "a column twice");
        assert!(!new(&[0, 1], &[3], 3), "beyond the width");
    }

    #[test]
    fn parts_are_lent_and_copied() {
        let rows = Sparse::new(vec![0, 1, 1, 3], vec![2, 0, 1], vec![5.0, 6.0, 7.0], 3).unwrap();
        let part = rows.lent(1..3);
        assert_eq!((part.rows(), part.cells()), (2, 2));
        assert_eq!(part.row(1), rows.row(2));
        let mut dense = [9.0; 3];
        part.read(1, &mut dense);
        assert_eq!(dense, [6.0, 7.0, 0.0]);
        assert_eq!(rows.picked(&[2, 0]).row(1), rows.row(0));
        let mut renamed = rows.picked(&[0]);
        renamed.append(&part, &[4, 1, 0], 5);
        assert_eq!(renamed.row(2), (&[1, 4][..], &[7.0, 6.0][..]));
    }
}
