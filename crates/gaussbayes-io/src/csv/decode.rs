//! Decodes records into a block: numbers, labels and weights, with every fault at its cell.

use std::borrow::Cow;
use std::sync::Arc;

use gaussbayes::{Block, Encoder, Labels, NO_LABEL, Rows};

use super::field::{Field, Form};
use super::grammar::number;
use super::plain::plain_number;
use super::records::Records;
use crate::columns::Role;
use crate::error::Error;
use crate::kept::kept_label;
use crate::schema::Schema;
use crate::typed::TypedColumns;
use crate::types::{SaidBy, Seen, Typing};

/// A run of records of a CSV file, not yet decoded.
#[derive(Debug)]
pub(crate) struct CsvCut {
    pub(crate) schema: Arc<Schema>,
    /// What the features hold; none where they are plain numbers.
    pub(crate) typing: Option<Arc<Typing>>,
    pub(crate) records: Records,
    /// Number of the first record, counted from 0.
    pub(crate) first_row: u64,
}

impl CsvCut {
    /// Decodes and checks the records.
    ///
    /// # Errors
    /// The first record that is wrong.
    pub(crate) fn decode(&self) -> Result<Block<'static>, Error> {
        let mut decoded = Decoded::new(self);
        let fault = decoded.fill(self).err();
        // A row before the faulty one may hold a number that the block refuses: it comes first.
        let block = decoded.into_block(self)?;
        fault.map_or(Ok(block), Err)
    }

    /// Looks at the cells of the features; what is wrong with these is said when they are decoded.
    pub(crate) fn look<'a>(&'a self, seen: &mut [Seen<'a>]) {
        let (records, selection) = (&self.records, &self.schema.selection);
        let mut at = 0;
        for _ in 0..records.count {
            at = records.record_at(at);
            let mut column = 0;
            while let Ok(field) = records.field(at) {
                if let Some(&Role::Feature(number)) = selection.roles.get(column)
                    && let Ok(text) = records.text(&field, "")
                {
                    self.look_at(&mut seen[number], text);
                }
                at = field.next;
                column += 1;
                if field.last {
                    break;
                }
            }
        }
    }

    fn look_at<'a>(&self, seen: &mut Seen<'a>, text: Cow<'a, str>) {
        match number(&text, true) {
            // Only a comma makes it a number.
            Some(value) if self.records.grammar.comma && text.contains(',') => {
                seen.look_at_number(value);
            }
            _ => seen.look(text, &self.schema.missing),
        }
    }

    /// The cell of a column in the record of a row, for a person.
    fn cell_of(&self, row: u64, column: usize) -> Result<Box<crate::Cell>, Error> {
        let start = self.records.start_of((row - self.first_row) as usize);
        let fields = self.records.fields(start)?;
        let field = fields.get(column).ok_or_else(|| self.ragged(start, fields.len()))?;
        Ok(self.records.cell(field, &self.schema.header[column]).into())
    }

    fn ragged(&self, start: usize, found: usize) -> Error {
        Error::Ragged {
            file: self.records.file.to_string(),
            line: self.records.line_of(start),
            found,
            expected: self.schema.header.len(),
        }
    }

    /// Names the cell of a value that the block refused.
    fn at_cell(&self, error: gaussbayes::Error) -> Error {
        let selection = &self.schema.selection;
        let named = match error {
            gaussbayes::Error::NotFinite { row, column, value } => {
                self.cell_of(row, selection.features[column]).map(|cell| {
                    if value.is_nan() {
                        Error::NotANumber { cell }
                    } else {
                        Error::NotFinite { cell, value }
                    }
                })
            }
            gaussbayes::Error::BadWeight { row, .. } if let Some(column) = selection.weights => {
                self.cell_of(row, column).map(|cell| Error::BadWeight { cell })
            }
            error => return error.into(),
        };
        named.unwrap_or_else(|fault| fault)
    }
}

/// Columns of a block in the making.
struct Decoded {
    values: Vec<f64>,
    typed: Option<TypedColumns>,
    weights: Option<Vec<f64>>,
    labels: Option<Dictionary>,
    rows: usize,
}

impl Decoded {
    fn new(cut: &CsvCut) -> Self {
        let count = cut.records.count;
        let selection = &cut.schema.selection;
        Self {
            values: vec![0.0; count * selection.features.len()],
            typed: cut
                .typing
                .as_ref()
                .map(|typing| TypedColumns::of(&typing.types, &cut.schema.missing)),
            weights: selection.weights.map(|_| vec![0.0; count]),
            labels: (selection.target.is_some() || !selection.keep.is_empty())
                .then(|| Dictionary::with_rows(count)),
            rows: 0,
        }
    }

    /// Decodes records up to the first that is wrong.
    fn fill(&mut self, cut: &CsvCut) -> Result<(), Error> {
        let records = &cut.records;
        // Text is checked once for all cells; where it is not UTF-8, cells are checked one by one.
        let text = str::from_utf8(&records.bytes).ok();
        let (roles, keep) = (&cut.schema.selection.roles, &cut.schema.selection.keep);
        let mut kept = vec![None; keep.len()];
        let delimiter = records.grammar.delimiter;
        let hidden = records.grammar.comma || cut.schema.missing.hides_numbers();
        let plain = self.typed.is_none() && !hidden;
        let dim = cut.schema.selection.features.len();
        let mut at = 0;
        for (row, values) in self.values.chunks_exact_mut(dim).enumerate() {
            let start = records.record_at(at);
            at = start;
            let mut column = 0;
            loop {
                let plain = match roles.get(column) {
                    Some(Role::Feature(_)) if plain => plain_number(&records.bytes, at, delimiter),
                    _ => None,
                };
                let field = plain.map_or_else(|| records.field(at), |(_, field)| Ok(field))?;
                match (roles.get(column), plain) {
                    (Some(&Role::Feature(number)), Some((value, _))) => values[number] = value,
                    (Some(&Role::Feature(number)), None) => {
                        let value = match &mut self.typed {
                            None => parse(cut, text, &field),
                            Some(typed) => cut.typed(typed, number, &field, column, start)?,
                        };
                        match value {
                            Some(value) => values[number] = value,
                            None => return Err(cut.refuse(start, &field, column)),
                        }
                    }
                    (Some(Role::Target), _) => {
                        let label = cut.label(&field, column);
                        let label = label.map_err(|fault| cut.first_fault(start, fault))?;
                        if let Some(labels) = &mut self.labels {
                            labels.push(label.as_deref());
                        }
                    }
                    (Some(Role::Weight), _) => {
                        match (parse(cut, text, &field), &mut self.weights) {
                            (Some(value), Some(weights)) => weights[row] = value,
                            _ => return Err(cut.refuse(start, &field, column)),
                        }
                    }
                    (Some(Role::Skip) | None, _) => {}
                }
                for (kept, &wanted) in kept.iter_mut().zip(keep) {
                    if wanted == column {
                        *kept = Some(field);
                    }
                }
                at = field.next;
                column += 1;
                if field.last {
                    break;
                }
            }
            if column != roles.len() {
                return Err(cut.ragged(start, column));
            }
            if let (false, Some(labels)) = (keep.is_empty(), &mut self.labels) {
                labels.push(Some(&cut.kept(&kept)?));
            }
            self.rows = row + 1;
        }
        Ok(())
    }

    /// The whole rows as a checked block.
    fn into_block(mut self, cut: &CsvCut) -> Result<Block<'static>, Error> {
        let dim = cut.schema.selection.features.len();
        self.values.truncate(self.rows * dim);
        if let Some(weights) = &mut self.weights {
            weights.truncate(self.rows);
        }
        let labels = self.labels.map(|labels| labels.finish(self.rows));
        let (rows, weights) = (Rows::new(self.values, dim)?, self.weights.map(Cow::Owned));
        let block = match self.typed {
            None => Block::new(cut.first_row, rows, weights, labels),
            Some(typed) => {
                let fields = typed.finish(self.rows)?;
                Block::typed(cut.first_row, rows, fields, weights, labels)
            }
        };
        block.map_err(|error| cut.at_cell(error))
    }
}

/// The number in a field.
#[inline]
fn parse(cut: &CsvCut, text: Option<&str>, field: &Field) -> Option<f64> {
    if field.form == Form::Trailing {
        return None;
    }
    let cell = match text {
        Some(text) => text.get(field.start..field.end)?,
        None => str::from_utf8(&cut.records.bytes[field.start..field.end]).ok()?,
    };
    let missing = &cut.schema.missing;
    if missing.hides_numbers() && missing.has(cell.trim_ascii()) {
        return None;
    }
    number(cell, cut.records.grammar.comma)
}

impl CsvCut {
    /// The label in a field; none of an empty one, where rows may have none.
    fn label(&self, field: &Field, column: usize) -> Result<Option<Cow<'_, str>>, Error> {
        let name = &self.schema.header[column];
        let label = self.records.text(field, name)?;
        if label.is_empty() && self.schema.selection.unlabelled {
            return Ok(None);
        }
        if label.is_empty() {
            return Err(Error::NoLabel { cell: self.records.cell(field, name).into() });
        }
        Ok(Some(label))
    }

    /// What stands in place of a label for some fields.
    fn kept(&self, fields: &[Option<Field>]) -> Result<String, Error> {
        let columns = fields.iter().zip(&self.schema.selection.keep);
        let cells = columns.map(|(field, &column)| match field {
            Some(field) => self.records.text(field, &self.schema.header[column]),
            None => Ok(Cow::Borrowed("")),
        });
        Ok(kept_label(cells.collect::<Result<Vec<_>, Error>>()?.into_iter()))
    }

    /// What stands for a cell of a typed column; none where it is not of the column's type.
    fn typed(
        &self,
        columns: &mut TypedColumns,
        number: usize,
        field: &Field,
        column: usize,
        start: usize,
    ) -> Result<Option<f64>, Error> {
        let cell = self.records.text(field, &self.schema.header[column]);
        let cell = cell.map_err(|fault| self.first_fault(start, fault))?;
        Ok(columns.take(number, &cell, self.records.grammar.comma))
    }

    /// Why a field of the record at `start` is no number.
    fn refuse(&self, start: usize, field: &Field, column: usize) -> Error {
        let name = &self.schema.header[column];
        let cell = || {
            let mut cell = self.records.cell(field, name);
            cell.missing = self.schema.missing.has(&cell.text);
            cell.into()
        };
        let fault = match (self.records.text(field, name), self.schema.selection.roles[column]) {
            (Err(fault), _) => fault,
            (Ok(_), Role::Weight) => Error::BadWeight { cell: cell() },
            (Ok(_), Role::Feature(number))
                if let Some(typing) = &self.typing
                    && typing.said_by[number] != SaidBy::Numbers =>
            {
                let (kind, said_by) = (typing.types[number], typing.said_by[number]);
                Error::NotOfType { cell: cell(), kind, said_by }
            }
            (Ok(_), _) => Error::NotANumber { cell: cell() },
        };
        self.first_fault(start, fault)
    }

    /// The fault of a cell, unless its record has the wrong number of fields, which explains it.
    fn first_fault(&self, start: usize, fault: Error) -> Error {
        match self.records.fields(start) {
            Ok(fields) if fields.len() != self.schema.header.len() => {
                self.ragged(start, fields.len())
            }
            _ => fault,
        }
    }
}

/// Codes of labels in order of first occurrence.
#[derive(Default)]
struct Dictionary {
    codes: Vec<u32>,
    encoder: Encoder,
}

impl Dictionary {
    fn with_rows(rows: usize) -> Self {
        Self { codes: Vec::with_capacity(rows), ..Self::default() }
    }

    fn push(&mut self, label: Option<&str>) {
        self.codes.push(label.map_or(NO_LABEL, |label| self.encoder.code(label)));
    }

    fn finish(mut self, rows: usize) -> Labels<'static> {
        self.codes.truncate(rows);
        Labels { codes: Cow::Owned(self.codes), dictionary: Cow::Owned(self.encoder.into_labels()) }
    }
}
