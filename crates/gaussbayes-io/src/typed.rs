//! Decodes the cells of typed columns: numbers with gaps, flags, names, words with their counts.

use std::borrow::Cow;

use gaussbayes::{Encoder, Error, Field, Sparse};

use crate::csv::number;
use crate::reading::Missing;
use crate::types::{ColumnType, flag};
use crate::words::words;

/// The columns of a typed block in the making.
pub(crate) struct TypedColumns {
    columns: Vec<Column>,
    missing: Missing,
}

enum Column {
    Number,
    Flag,
    Count,
    Category(Encoder),
    Text(Words),
}

/// The words of a column and, row by row, how often each stands there.
struct Words {
    encoder: Encoder,
    starts: Vec<usize>,
    words: Vec<u32>,
    counts: Vec<f64>,
    /// The words of one cell.
    cell: Vec<u32>,
}

impl TypedColumns {
    pub(crate) fn of(types: &[ColumnType], missing: &Missing) -> Self {
        let column = |kind: &ColumnType| match kind {
            ColumnType::Number => Column::Number,
            ColumnType::Flag => Column::Flag,
            ColumnType::Count => Column::Count,
            ColumnType::Category => Column::Category(Encoder::default()),
            ColumnType::Text => Column::Text(Words::new()),
        };
        Self { columns: types.iter().map(column).collect(), missing: missing.clone() }
    }

    /// Takes the next cell of a column: what stands for it among the rows, NaN where it is missing; none where it
    /// is not of the column's type.
    pub(crate) fn take(&mut self, column: usize, cell: &str, comma: bool) -> Option<f64> {
        let cell = cell.trim_ascii();
        let number = || number(cell, comma);
        let missing = self.missing.has(cell);
        match &mut self.columns[column] {
            Column::Text(words) => {
                words.push(if missing { "" } else { cell });
                Some(if missing { f64::NAN } else { 0.0 })
            }
            _ if missing => Some(f64::NAN),
            // A missing value that is written in another way is no number.
            Column::Number => number().filter(|value| !value.is_nan()),
            Column::Flag => flag(cell).map(|yes| f64::from(u8::from(yes))),
            Column::Count => number().filter(|count| *count >= 0.0),
            Column::Category(names) => Some(f64::from(names.code(cell))),
        }
    }

    /// Takes a number as the next cell of a column; `text` is how it is written.
    pub(crate) fn take_number(
        &mut self,
        column: usize,
        value: f64,
        text: impl FnOnce() -> String,
    ) -> Option<f64> {
        if value.is_nan() {
            return self.take(column, "", false);
        }
        match &mut self.columns[column] {
            Column::Number => Some(value),
            Column::Count => Some(value).filter(|count| *count >= 0.0),
            Column::Flag => Some(value).filter(|value| [0.0, 1.0].contains(value)),
            Column::Category(_) | Column::Text(_) => self.take(column, &text(), false),
        }
    }

    /// The fields of the first rows.
    pub(crate) fn finish(self, rows: usize) -> Result<Vec<Field<'static>>, Error> {
        let field = |column: Column| {
            Ok(match column {
                Column::Number | Column::Flag | Column::Count => Field::Number,
                Column::Category(names) => Field::Category(Cow::Owned(names.into_labels())),
                Column::Text(words) => words.finish(rows)?,
            })
        };
        self.columns.into_iter().map(field).collect()
    }
}

/// The words of some texts, and how often each text has each of them: as those of a column of text are read.
///
/// # Errors
/// [`Error::Shape`], where there are more words than a number of 32 bits can count.
pub fn words_of<'t>(texts: impl Iterator<Item = &'t str>) -> Result<Field<'static>, Error> {
    let mut words = Words::new();
    texts.for_each(|text| words.push(text));
    let rows = words.starts.len() - 1;
    words.finish(rows)
}

impl Words {
    fn new() -> Self {
        let (words, counts) = (Vec::new(), Vec::new());
        Self { encoder: Encoder::default(), starts: vec![0], words, counts, cell: Vec::new() }
    }

    fn push(&mut self, text: &str) {
        self.cell.clear();
        self.cell.extend(words(text).map(|word| self.encoder.code(word.as_ref())));
        self.cell.sort_unstable();
        for run in self.cell.chunk_by(|a, b| a == b) {
            self.words.push(run[0]);
            self.counts.push(run.len() as f64);
        }
        self.starts.push(self.words.len());
    }

    fn finish(mut self, rows: usize) -> Result<Field<'static>, Error> {
        self.starts.truncate(rows + 1);
        let end = self.starts.last().copied().unwrap_or(0);
        self.words.truncate(end);
        self.counts.truncate(end);
        let words = self.encoder.into_labels();
        let counts = Sparse::new(self.starts, self.words, self.counts, words.len())?;
        Ok(Field::Text { words: Cow::Owned(words), counts })
    }
}
