//! Decodes slices of batches into a block, with every fault at its row and column.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
use gaussbayes::{Block, Labels, NO_LABEL, Rows};

use super::cells::Cells;
use super::labels::{LabelFault, encode_labels};
use super::{Piece, read_numbers};
use crate::cell::Cell;
use crate::columns::Role;
use crate::error::Error;
use crate::kept::kept_label;
use crate::labels::Spelling;
use crate::refusal::FileRefusal;
use crate::schema::Schema;
use crate::typed::TypedColumns;
use crate::types::{SaidBy, Seen, Typing};

/// A run of rows of a file of columns, not yet decoded.
#[derive(Debug, Clone)]
pub(crate) struct BatchCut {
    /// The file, as the user named it.
    pub(crate) file: Arc<str>,
    pub(crate) schema: Arc<Schema>,
    /// What the features hold; none where they are plain numbers.
    pub(crate) typing: Option<Arc<Typing>>,
    /// Number of the first row among all, counted from 0.
    pub(crate) first_row: u64,
    /// Rows of the file before it.
    pub(crate) before: u64,
    /// The columns of the file that the batches have.
    pub(crate) chosen: Arc<[usize]>,
    pub(crate) pieces: Vec<RecordBatch>,
}

/// The first cell that is wrong.
struct Fault {
    row: usize,
    column: usize,
    text: String,
}

impl BatchCut {
    /// Rows.
    pub(crate) fn count(&self) -> usize {
        self.pieces.iter().map(RecordBatch::num_rows).sum()
    }

    /// Decodes and checks the rows.
    ///
    /// # Errors
    /// The first row that is wrong.
    pub(crate) fn decode(&self) -> Result<Block<'static>, Error> {
        let selection = &self.schema.selection;
        let (count, dim) = (self.count(), selection.features.len());
        let mut values = vec![0.0; count * dim];
        let mut faults = Vec::new();
        let mut typed = self
            .typing
            .as_ref()
            .map(|typing| TypedColumns::of(&typing.types, &self.schema.missing));
        for (j, &column) in selection.features.iter().enumerate() {
            let into = &mut values[j..];
            faults.extend(match &mut typed {
                None => self.numbers(column, into, dim),
                Some(typed) => self.typed(typed, (j, column), into, dim),
            });
        }
        let mut weights = selection.weights.map(|column| {
            let mut weights = vec![0.0; count];
            faults.extend(self.numbers(column, &mut weights, 1));
            weights
        });
        let mut labels = None;
        if let Some(column) = selection.target {
            let (found, fault) = self.labels(column)?;
            labels = Some(found);
            faults.extend(fault);
        }
        if !selection.keep.is_empty() {
            labels = Some(self.kept());
        }
        let fault = faults.into_iter().min_by_key(|fault| (fault.row, fault.column));
        let whole = fault.as_ref().map_or(count, |fault| fault.row);
        values.truncate(whole * dim);
        weights.iter_mut().for_each(|weights| weights.truncate(whole));
        labels.iter_mut().for_each(|labels: &mut Labels<'_>| labels.codes.to_mut().truncate(whole));
        let (rows, weights) = (Rows::new(values, dim)?, weights.map(Cow::Owned));
        let block = match typed {
            None => Block::new(self.first_row, rows, weights, labels),
            Some(typed) => {
                let fields = typed.finish(whole)?;
                Block::typed(self.first_row, rows, fields, weights, labels)
            }
        };
        // A row before the faulty one may hold a number that the block refuses: it comes first.
        let block = block.map_err(|error| self.at_cell(error))?;
        fault.map_or(Ok(block), |fault| Err(self.refuse(fault)))
    }

    /// Looks at the cells of the features; what is wrong with these is said when they are decoded.
    pub(crate) fn look(&self, seen: &mut [Seen<'_>]) {
        let missing = &self.schema.missing;
        let hidden = missing.numbers();
        for (seen, &column) in seen.iter_mut().zip(&self.schema.selection.features) {
            for array in self.arrays(column) {
                let cells = Cells::of(array);
                for i in 0..array.len() {
                    if let Some(text) = cells.text(i) {
                        seen.look(text.to_owned().into(), missing);
                        continue;
                    }
                    match cells.number(i) {
                        value if value.is_nan() || hidden.contains(&value) => {
                            seen.look_at_nothing();
                        }
                        value => seen.look_at_number(value),
                    }
                }
            }
        }
    }

    /// The arrays of a column of the file.
    fn arrays(&self, column: usize) -> impl Iterator<Item = &dyn Array> {
        let place = self.chosen.binary_search(&column);
        let place = place.expect("invariant: a column with a role is chosen");
        self.pieces.iter().map(move |batch| batch.column(place).as_ref())
    }

    fn pieces_of(&self, column: usize) -> Vec<Piece<'_>> {
        self.arrays(column).map(|array| (array, 0..array.len())).collect()
    }

    /// Writes the numbers of a column to every `step`-th place, NaN where one is missing.
    fn numbers(&self, column: usize, into: &mut [f64], step: usize) -> Option<Fault> {
        let hidden = self.schema.missing.numbers();
        let (mut done, mut fault) = (0, None);
        for array in self.arrays(column) {
            let places = &mut into[done * step..];
            if Cells::is_text(array.data_type()) {
                let cells = Cells::of(array);
                for (i, place) in (0..array.len()).zip(places.iter_mut().step_by(step)) {
                    let text = cells.text(i).unwrap_or_default();
                    let number = || crate::csv::number(text, false);
                    let missing = self.schema.missing.has(text.trim_ascii());
                    match if missing { None } else { number() } {
                        Some(value) => *place = value,
                        None if fault.is_none() => {
                            fault = Some(Fault { row: done + i, column, text: text.to_owned() });
                        }
                        None => {}
                    }
                }
            } else {
                read_numbers(&[(array, 0..array.len())], places, step);
            }
            done += array.len();
        }
        if !hidden.is_empty() {
            let is_hidden = |value: &&mut f64| hidden.contains(value);
            into.iter_mut().step_by(step).filter(is_hidden).for_each(|value| *value = f64::NAN);
        }
        fault
    }

    /// Writes what stands for the cells of a typed column.
    fn typed(
        &self,
        typed: &mut TypedColumns,
        (number, column): (usize, usize),
        into: &mut [f64],
        step: usize,
    ) -> Option<Fault> {
        let hidden = self.schema.missing.numbers();
        let (mut places, mut row) = (into.iter_mut().step_by(step), 0);
        for array in self.arrays(column) {
            let cells = Cells::of(array);
            for (i, place) in (0..array.len()).zip(places.by_ref().take(array.len())) {
                let spelled = || Cells::spelled(array, i);
                // Of a flag the word comes first; it is a number where that is no good.
                let word = cells.text(i).and_then(|text| typed.take(number, text, false));
                let value = word.or_else(|| {
                    let value = cells.number(i);
                    let value = if hidden.contains(&value) { f64::NAN } else { value };
                    let is_text = value.is_nan() && cells.text(i).is_some();
                    if is_text { None } else { typed.take_number(number, value, spelled) }
                });
                match value {
                    Some(value) => *place = value,
                    None => return Some(Fault { row, column, text: spelled() }),
                }
                row += 1;
            }
        }
        None
    }

    /// What stands in place of labels for the kept columns.
    fn kept(&self) -> Labels<'static> {
        let columns: Vec<Vec<&dyn Array>> = self
            .schema
            .selection
            .keep
            .iter()
            .map(|&column| self.arrays(column).collect())
            .collect();
        let row = |(piece, i): (usize, usize)| {
            kept_label(columns.iter().map(|arrays| Cells::spelled(arrays[piece], i)))
        };
        let places = self.pieces.iter().enumerate();
        let places =
            places.flat_map(|(piece, batch)| (0..batch.num_rows()).map(move |i| (piece, i)));
        let texts: Vec<String> = places.map(row).collect();
        // Nothing is a text like any other here.
        Spelling::Python.texts(texts.iter().map(|text| Some(text.as_str())))
    }

    /// The labels, up to the first that is none.
    fn labels(&self, column: usize) -> Result<(Labels<'static>, Option<Fault>), Error> {
        let mut pieces = self.pieces_of(column);
        let fault = match encode_labels(&pieces, 0, Spelling::Files) {
            Ok(labels) => {
                let unlabelled = self.schema.selection.unlabelled;
                let none = |code: &u32| !unlabelled && *code == NO_LABEL;
                let row = labels.codes.iter().position(none);
                let fault = row.map(|row| Fault { row, column, text: String::new() });
                return Ok((labels, fault));
            }
            Err(LabelFault::Type(_)) => {
                let (file, column) = (self.file.to_string(), self.schema.header[column].clone());
                let holds = "values that name no class";
                return Err(FileRefusal::Column { file, column, holds, target: true }.into());
            }
            Err(LabelFault::NotWhole(fault)) => fault,
        };
        let mut left = fault.row;
        for (_, rows) in &mut pieces {
            rows.end = rows.end.min(left);
            left -= rows.len();
        }
        let labels = encode_labels(&pieces, 0, Spelling::Files);
        let labels = labels.unwrap_or_else(|_| Spelling::Files.texts(std::iter::empty()));
        Ok((labels, Some(Fault { row: fault.row, column, text: fault.value.to_string() })))
    }

    /// What is wrong with a cell.
    fn refuse(&self, fault: Fault) -> Error {
        let Fault { row, column, text } = fault;
        let cell = Box::new(self.cell(row, column, &text));
        match self.schema.selection.roles[column] {
            Role::Target if cell.text.is_empty() => Error::NoLabel { cell },
            Role::Target => Error::NotALabel { cell },
            Role::Weight => Error::BadWeight { cell },
            Role::Feature(number)
                if let Some(typing) = &self.typing
                    && typing.said_by[number] != SaidBy::Numbers =>
            {
                let (kind, said_by) = (typing.types[number], typing.said_by[number]);
                Error::NotOfType { cell, kind, said_by }
            }
            Role::Feature(_) | Role::Skip => Error::NotANumber { cell },
        }
    }

    fn cell(&self, row: usize, column: usize, text: &str) -> Cell {
        let row = self.before + row as u64 + 1;
        let mut cell = Cell::of_row(&self.file, row, &self.schema.header[column], text);
        cell.missing = self.schema.missing.has(text.trim_ascii());
        cell
    }

    /// Names the cell of a value that the block refused.
    fn at_cell(&self, error: gaussbayes::Error) -> Error {
        let selection = &self.schema.selection;
        let cell = |row: u64, column: usize| {
            let mut left = (row - self.first_row) as usize;
            let mut arrays = self.arrays(column);
            let spelled = arrays.find_map(|array| {
                if left < array.len() {
                    return Some(Cells::spelled(array, left));
                }
                left -= array.len();
                None
            });
            let row = (row - self.first_row) as usize;
            Box::new(self.cell(row, column, &spelled.unwrap_or_default()))
        };
        match error {
            gaussbayes::Error::NotFinite { row, column, value } => {
                let cell = cell(row, selection.features[column]);
                if value.is_nan() {
                    let mut cell = cell;
                    cell.missing = true;
                    return Error::NotANumber { cell };
                }
                Error::NotFinite { cell, value }
            }
            gaussbayes::Error::BadWeight { row, .. } if let Some(column) = selection.weights => {
                Error::BadWeight { cell: cell(row, column) }
            }
            error => error.into(),
        }
    }
}
