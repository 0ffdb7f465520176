//! Cuts the batches of a stream into blocks: slices until a thread decodes them.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::ArrayStreamReader;
use arrow_array::{Array, ArrayRef};
use gaussbayes::{Block, Cut, Field, Rows, Source};
use gaussbayes_io::arrow::{Piece, read_numbers};

use super::columns::Columns;
use super::labels;
use super::stream::Stream;
use crate::beside::Beside;
use crate::failure::Failure;
use crate::typed::{Reading, put_names, put_words};

/// A source over a stream.
#[derive(Debug)]
pub(crate) struct StreamSource<'a> {
    stream: &'a Stream,
    beside: &'a Beside<'a>,
    labelled: bool,
    reader: Option<ArrayStreamReader>,
    /// A batch of which the rows from here on are not cut yet.
    rest: Option<(ArrayRef, usize)>,
    /// Rows cut, and rows of the batches so far.
    at: u64,
    read: u64,
    ended: bool,
}

impl<'a> StreamSource<'a> {
    /// Reads a stream, with its own labels and weights if it is to be `labelled`, or with those that
    /// are given beside it.
    ///
    /// # Errors
    /// [`Failure::GivenTwice`] for labels or weights of both.
    pub(crate) fn new(
        stream: &'a Stream,
        beside: &'a Beside<'a>,
        labelled: bool,
    ) -> Result<Self, Failure> {
        let columns = &stream.columns;
        for (what, within, without) in [
            ("labels", columns.target.is_some(), beside.labels.is_some()),
            ("weights", columns.weights.is_some(), beside.weights.is_some()),
        ] {
            if within && without {
                return Err(Failure::GivenTwice { what });
            }
        }
        Ok(Self {
            stream,
            beside,
            labelled,
            reader: None,
            rest: None,
            at: 0,
            read: 0,
            ended: false,
        })
    }

    /// Rows, where an earlier pass has counted them.
    pub(crate) fn rows(&self) -> Option<usize> {
        self.stream.counted().map(|rows| rows as usize)
    }

    /// The rest of a batch, or the next one that has rows.
    fn batch(&mut self) -> Result<Option<(ArrayRef, usize)>, Failure> {
        if let Some(rest) = self.rest.take() {
            return Ok(Some(rest));
        }
        if self.ended {
            return Ok(None);
        }
        let reader = match &mut self.reader {
            Some(reader) => reader,
            None => self.reader.insert(self.stream.begin()?),
        };
        match reader.find(|batch| batch.as_ref().map_or(true, |batch| !batch.is_empty())) {
            Some(Ok(batch)) => {
                self.read += batch.len() as u64;
                Ok(Some((batch, 0)))
            }
            Some(Err(error)) => Err(Failure::broken(self.read, &error.to_string())),
            None => {
                self.ended = true;
                Ok(None)
            }
        }
    }
}

impl<'a> Source for StreamSource<'a> {
    type Cut = StreamCut<'a>;
    type Error = Failure;

    fn dim(&self) -> usize {
        self.stream.columns.features.len()
    }

    fn next(&mut self, rows: usize) -> Result<Option<StreamCut<'a>>, Failure> {
        let mut parts = Vec::new();
        let mut missing = rows;
        while missing > 0
            && let Some((batch, from)) = self.batch()?
        {
            let to = batch.len().min(from + missing);
            if to < batch.len() {
                self.rest = Some((batch.clone(), to));
            }
            missing -= to - from;
            parts.push((batch, from..to));
        }
        let first_row = self.at;
        self.at += (rows - missing) as u64;
        if missing == 0 {
            self.beside.reaches(self.at as usize)?;
        } else {
            self.beside.ends_at(self.at as usize)?;
            self.stream.end(self.at)?;
        }
        let cut = StreamCut {
            columns: &self.stream.columns,
            readings: self.stream.readings(),
            beside: self.beside,
            labelled: self.labelled,
            parts,
            first_row,
        };
        Ok((!cut.parts.is_empty()).then_some(cut))
    }

    fn rewind(&mut self) -> Result<(), Failure> {
        if self.reader.is_some() {
            // Gone before the next is asked for: one that holds a connection may be the only one.
            self.reader = None;
            self.rest = None;
            self.reader = Some(self.stream.begin()?);
        }
        (self.at, self.read, self.ended) = (0, 0, false);
        Ok(())
    }
}

/// Rows of one or more batches.
#[derive(Debug)]
pub(crate) struct StreamCut<'a> {
    columns: &'a Columns,
    readings: Option<&'a [Reading]>,
    beside: &'a Beside<'a>,
    labelled: bool,
    parts: Vec<(ArrayRef, Range<usize>)>,
    first_row: u64,
}

impl StreamCut<'_> {
    fn column(&self, j: usize) -> Vec<Piece<'_>> {
        let parts = self.parts.iter();
        parts.map(|(batch, rows)| (&**batch.as_struct().column(j), rows.clone())).collect()
    }

    /// Takes the numbers out of rows that are null as a whole, whatever their columns hold.
    fn blank(&self, values: &mut [f64]) {
        let dim = self.columns.features.len();
        let rows =
            self.parts.iter().flat_map(|(batch, rows)| rows.clone().map(move |i| (batch, i)));
        for (row, (batch, i)) in values.chunks_exact_mut(dim).zip(rows) {
            if batch.is_null(i) {
                row.fill(f64::NAN);
            }
        }
    }
}

impl Cut for StreamCut<'_> {
    type Error = Failure;

    fn decode(&self) -> Result<Block<'_>, Failure> {
        let (dim, first_row) = (self.columns.features.len(), self.first_row as usize);
        let count = self.parts.iter().map(|(_, rows)| rows.len()).sum::<usize>();
        let mut values = vec![0.0; count * dim];
        let mut fields = Vec::new();
        for (j, &column) in self.columns.features.iter().enumerate() {
            let (pieces, into) = (self.column(column), &mut values[j..]);
            match self.readings.map(|readings| readings[j]) {
                Some(Reading::Names) => {
                    let found = labels::encode(&pieces, first_row)?;
                    fields.push(put_names(&found.codes, found.dictionary, into, dim));
                }
                Some(Reading::Words) => {
                    let found = labels::encode(&pieces, first_row)?;
                    fields.push(put_words(&found.codes, &found.dictionary, into, dim)?);
                }
                reading => {
                    read_numbers(&pieces, into, dim);
                    fields.extend(reading.map(|_| Field::Number));
                }
            }
        }
        self.blank(&mut values);
        let rows = Rows::new(values, dim)?;
        let (mut labels, mut weights) = self.beside.block(first_row..first_row + count)?;
        if self.labelled {
            if let Some(column) = self.columns.target {
                labels = Some(labels::encode(&self.column(column), first_row)?);
            }
            if let Some(column) = self.columns.weights {
                let mut numbers = vec![0.0; count];
                read_numbers(&self.column(column), &mut numbers, 1);
                weights = Some(Cow::Owned(numbers));
            }
        }
        if self.readings.is_some() {
            return Ok(Block::typed(self.first_row, rows, fields, weights, labels)?);
        }
        Ok(Block::new(self.first_row, rows, weights, labels)?)
    }
}
