//! Reads the cells of a block by column, whether rows are dense, sparse or typed.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::data::{Block, Field, Label, Labels, Rows};
use crate::error::{ColumnRefusal, Error};

/// All values of a column; NaN where one is missing.
///
/// # Errors
/// [`ColumnRefusal::Holds`] where the column does not hold numbers.
pub(super) fn numbers(block: &Block<'_>, column: usize) -> Result<Vec<f64>, Error> {
    match block.fields().get(column) {
        None | Some(Field::Number) => Ok(cells(block, column)),
        Some(field) => Err(misfit(column, "numbers", field)),
    }
}

fn cells(block: &Block<'_>, column: usize) -> Vec<f64> {
    (0..block.rows().count()).map(|i| block.rows().value(i, column)).collect()
}

/// A block of one column: its values and the rows of them that are there.
///
/// # Errors
/// [`ColumnRefusal::Holds`] where the column does not hold numbers.
pub(super) fn one_column(
    block: &Block<'_>,
    column: usize,
) -> Result<(Block<'static>, Vec<usize>), Error> {
    let values = numbers(block, column)?;
    let rows: Vec<usize> = (0..values.len()).filter(|&i| !values[i].is_nan()).collect();
    let held: Vec<f64> = rows.iter().map(|&i| values[i]).collect();
    let weights: Vec<f64> = rows.iter().map(|&i| block.weight(i)).collect();
    let labels = block.labels().map(|labels| Labels {
        codes: rows.iter().map(|&i| labels.codes[i]).collect(),
        dictionary: Cow::Owned(labels.dictionary.to_vec()),
    });
    let weights = block.is_weighted().then_some(Cow::Owned(weights));
    let block = Block::new(block.first_row(), Rows::new(held, 1)?, weights, labels)?;
    Ok((block, rows))
}

/// Names, and the place among them of each row's, `None` where it is missing.
type Named<'b> = (Cow<'b, [Label]>, Vec<Option<u32>>);

/// Names of a column's cells: a place among them for each row, `None` where it is missing.
///
/// # Errors
/// [`ColumnRefusal::Holds`] where the column holds text.
pub(super) fn names<'b>(block: &'b Block<'_>, column: usize) -> Result<Named<'b>, Error> {
    let values = cells(block, column);
    match block.fields().get(column) {
        Some(Field::Category(names)) => {
            let code = |value: f64| (!value.is_nan()).then_some(value as u32);
            Ok((Cow::Borrowed(names), values.into_iter().map(code).collect()))
        }
        None | Some(Field::Number) => {
            let mut known: HashMap<u64, u32> = HashMap::new();
            let mut names = Vec::new();
            let mut code = |value: f64| {
                if value.is_nan() {
                    return None;
                }
                // 0 and −0 are one name.
                let value = value + 0.0;
                Some(*known.entry(value.to_bits()).or_insert_with(|| {
                    names.push(Label::from(value.to_string()));
                    names.len() as u32 - 1
                }))
            };
            let codes = values.into_iter().map(&mut code).collect();
            Ok((Cow::Owned(names), codes))
        }
        Some(field @ Field::Text { .. }) => Err(misfit(column, "names", field)),
    }
}

/// Whole numbers of a column's cells; `None` where one is missing.
///
/// # Errors
/// [`ColumnRefusal::BadCode`] for what is no whole number from 0, [`ColumnRefusal::Holds`].
pub(super) fn codes(block: &Block<'_>, column: usize) -> Result<Vec<Option<u32>>, Error> {
    let code = |(i, value): (usize, f64)| {
        if value.is_nan() {
            return Ok(None);
        }
        if value >= 0.0 && value.fract() == 0.0 && value < f64::from(u32::MAX) {
            return Ok(Some(value as u32));
        }
        let (row, name) = (block.number(i), None);
        Err(ColumnRefusal::BadCode { row, column, name, value }.into())
    };
    numbers(block, column)?.into_iter().enumerate().map(code).collect()
}

/// The words of a text column.
///
/// # Errors
/// [`ColumnRefusal::Holds`] where it holds something else.
pub(super) fn words<'b>(
    block: &'b Block<'_>,
    column: usize,
) -> Result<(&'b [Label], &'b crate::data::Sparse<'b>), Error> {
    match block.fields().get(column) {
        Some(Field::Text { words, counts }) => Ok((words, counts)),
        Some(field) => Err(misfit(column, "words", field)),
        None => Err(misfit(column, "words", &Field::Number)),
    }
}

/// Whether cells that are zero are shown: a matter of speed, unless zero says something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zeros {
    Shown,
    Skipped,
}

impl Zeros {
    /// Shown where a flag is up at zero.
    pub(super) fn above(threshold: f64) -> Self {
        if threshold < 0.0 { Self::Shown } else { Self::Skipped }
    }
}

/// The columns of a part, and how its cells are found in a row.
pub(super) struct Group<'a> {
    columns: &'a [usize],
    /// Place of a column in the part, where it has one.
    place: Vec<Option<u32>>,
}

impl<'a> Group<'a> {
    pub(super) fn new(columns: &'a [usize], dim: usize) -> Self {
        let mut place = vec![None; dim];
        columns.iter().zip(0..).for_each(|(&column, at)| place[column] = Some(at));
        Self { columns, place }
    }

    /// Shows the cells of row `i`, all or those that are not zero, by their place in the part; NaN where one is
    /// missing.
    ///
    /// # Errors
    /// What is refused by whom it is shown.
    pub(super) fn visit(
        &self,
        block: &Block<'_>,
        i: usize,
        zeros: Zeros,
        mut see: impl FnMut(u32, f64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let shown = zeros == Zeros::Shown;
        if let Some(sparse) = block.rows().as_sparse().filter(|_| !shown) {
            let (columns, values) = sparse.row(i);
            for (&column, &value) in columns.iter().zip(values).filter(|(_, x)| **x != 0.0) {
                if let Some(at) = self.place[column as usize] {
                    see(at, value)?;
                }
            }
            return Ok(());
        }
        for (&column, at) in self.columns.iter().zip(0..) {
            let value = block.rows().value(i, column);
            if shown || value != 0.0 {
                see(at, value)?;
            }
        }
        Ok(())
    }

    /// Refuses a block in which one of the columns does not hold numbers.
    ///
    /// # Errors
    /// [`ColumnRefusal::Holds`].
    pub(super) fn check(&self, block: &Block<'_>) -> Result<(), Error> {
        let columns = self.columns.iter().filter_map(|&c| Some((c, block.fields().get(c)?)));
        for (column, field) in columns {
            if *field != Field::Number {
                return Err(misfit(column, "numbers", field));
            }
        }
        Ok(())
    }
}

fn misfit(column: usize, needed: &'static str, field: &Field<'_>) -> Error {
    ColumnRefusal::Holds { column, name: None, needed, held: field.holds() }.into()
}
