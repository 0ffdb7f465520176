//! Opens a saved array as one file of a table, and cuts it into runs of rows.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Field;
use gaussbayes::Block;

use super::header::Shape;
use crate::arrow::BatchCut;
use crate::columns::Role;
use crate::csv::{names, refuse_twins};
use crate::error::Error;
use crate::feed::Bytes;
use crate::meter::Meter;
use crate::reading::Reading;
use crate::refusal::FileRefusal;
use crate::schema::{Header, Schema};
use crate::types::{Seen, Typing};

/// Bytes that room is made for before they are there.
const ROOM: u64 = 16 << 20;

/// A saved array that is open.
pub(crate) struct NpyPart {
    file: Arc<str>,
    shape: Shape,
    numbers: Numbers,
    chosen: Arc<[usize]>,
    /// Rows cut so far.
    row: u64,
}

/// Where the numbers come from.
enum Numbers {
    /// Row by row.
    Rows(Box<dyn Read + Send>),
    /// Column by column.
    Columns(File, Arc<Meter>),
}

impl NpyPart {
    /// Reads the header of an array.
    ///
    /// # Errors
    /// What [`Shape::read`] refuses, [`FileRefusal::Names`], [`FileRefusal::NotAStream`], and a file of another length
    /// than its header says.
    pub(crate) fn open(
        file: &Arc<str>,
        bytes: Bytes,
        reading: &Reading,
        known: Option<&[String]>,
    ) -> Result<(Self, Header), Error> {
        let failed = |error: io::Error| Error::read(file, &error);
        let (shape, numbers) = match bytes {
            Bytes::File(mut opened, meter) => {
                let shape = Shape::read(file, &mut BufReader::new(&opened))?;
                let length = opened.metadata().map_err(failed)?.len();
                if length != shape.start + shape.bytes {
                    return Err(other_length(file));
                }
                opened.seek(SeekFrom::Start(shape.start)).map_err(failed)?;
                let by_columns = shape.by_columns;
                (
                    shape,
                    if by_columns {
                        Numbers::Columns(opened, meter)
                    } else {
                        Numbers::Rows(meter.counted(0, opened))
                    },
                )
            }
            Bytes::Stream(mut stream) => {
                let shape = Shape::read(file, &mut stream)?;
                if shape.by_columns {
                    let holds = "an array in Fortran order";
                    return Err(FileRefusal::NotAStream { file: file.to_string(), holds }.into());
                }
                (shape, Numbers::Rows(stream))
            }
        };
        let names = names(file, shape.columns, &reading.names, known)?;
        refuse_twins(file, &names)?;
        let header = Header { names, notes: Vec::new(), unasked: Vec::new() };
        Ok((Self { file: file.clone(), shape, numbers, chosen: Arc::default(), row: 0 }, header))
    }

    /// Chooses the columns that are read.
    pub(crate) fn choose(self, schema: &Schema) -> Self {
        let roles = schema.selection.roles.iter().enumerate();
        let chosen = roles.filter(|(_, role)| **role != Role::Skip).map(|(column, _)| column);
        Self { chosen: chosen.collect(), ..self }
    }

    /// Exactly `count` rows, fewer only at the end, none after it.
    ///
    /// # Errors
    /// [`Error::Read`], and an array that is shorter or longer than its header says.
    pub(crate) fn next(&mut self, count: usize) -> Result<Option<Run>, Error> {
        let Shape { kind, rows, columns, start, .. } = self.shape;
        let (width, count) = (kind.width() as u64, (rows - self.row).min(count as u64));
        let read = match &mut self.numbers {
            Numbers::Rows(reader) if count == 0 => {
                let mut more = Vec::new();
                reader.take(1).read_to_end(&mut more).map(|_| more)
            }
            Numbers::Columns(..) if count == 0 => Ok(Vec::new()),
            Numbers::Rows(reader) => read(reader, count * columns as u64 * width),
            Numbers::Columns(opened, meter) => {
                let column = |at: &usize| {
                    let first = *at as u64 * rows + self.row;
                    opened.seek(SeekFrom::Start(start + first * width))?;
                    meter.add(count * width);
                    read(opened, count * width)
                };
                self.chosen
                    .iter()
                    .map(column)
                    .collect::<io::Result<Vec<_>>>()
                    .map(|all| all.concat())
            }
        };
        let bytes = read.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => other_length(&self.file),
            _ => Error::read(&self.file, &error),
        })?;
        if count == 0 {
            return if bytes.is_empty() { Ok(None) } else { Err(other_length(&self.file)) };
        }
        let before = self.row;
        self.row += count;
        let (file, shape) = (self.file.clone(), self.shape);
        let chosen = self.chosen.clone();
        Ok(Some(Run { file, shape, chosen, bytes, before, count: count as usize }))
    }
}

fn read(reader: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(length.min(ROOM) as usize);
    reader.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

fn other_length(file: &str) -> Error {
    let why = "it is not as long as its header says".to_owned();
    FileRefusal::Damaged { file: file.to_owned(), why }.into()
}

/// The numbers of some rows.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    file: Arc<str>,
    shape: Shape,
    chosen: Arc<[usize]>,
    bytes: Vec<u8>,
    /// Rows of the file before it.
    before: u64,
    count: usize,
}

/// A run of rows of an array, not yet decoded.
#[derive(Debug)]
pub(crate) struct NpyCut {
    pub(crate) schema: Arc<Schema>,
    pub(crate) typing: Option<Arc<Typing>>,
    pub(crate) first_row: u64,
    pub(crate) run: Run,
}

impl NpyCut {
    /// Rows.
    pub(crate) fn count(&self) -> usize {
        self.run.count
    }

    /// Looks at the cells of the features.
    pub(crate) fn look(&self, seen: &mut [Seen<'_>]) {
        if let Ok(columns) = self.columns() {
            columns.look(seen);
        }
    }

    /// Decodes and checks the rows.
    ///
    /// # Errors
    /// The first row that is wrong.
    pub(crate) fn decode(&self) -> Result<Block<'static>, Error> {
        self.columns()?.decode()
    }

    /// The same rows as columns, which are decoded as those of any other file.
    fn columns(&self) -> Result<BatchCut, Error> {
        let Run { file, shape, chosen, bytes, before, count } = &self.run;
        let width = shape.kind.width();
        let column = |(place, at): (usize, &usize)| {
            let (start, step) = if shape.by_columns {
                (place * count * width, width)
            } else {
                (at * width, shape.columns * width)
            };
            let end = if shape.by_columns { start + count * width } else { bytes.len() };
            shape.kind.column(&bytes[start..end], step)
        };
        let arrays: Vec<_> = chosen.iter().enumerate().map(column).collect();
        let field = |(at, array): (&usize, &arrow_array::ArrayRef)| {
            Field::new(&self.schema.header[*at], array.data_type().clone(), true)
        };
        let fields: Vec<Field> = chosen.iter().zip(&arrays).map(field).collect();
        let batch = RecordBatch::try_new(Arc::new(arrow_schema::Schema::new(fields)), arrays);
        let batch = batch.map_err(|_| other_length(file))?;
        Ok(BatchCut {
            file: file.clone(),
            schema: self.schema.clone(),
            typing: self.typing.clone(),
            first_row: self.first_row,
            before: *before,
            chosen: chosen.clone(),
            pieces: vec![batch],
        })
    }
}
