//! Opens CSV text as a source of rows: from a file, a stream, or memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gaussbayes::{Source, rows_per_block};

use super::columns::{Columns, Selection};
use super::cut::{CHUNK_BYTES, Cutter};
use super::decode::{CsvCut, Schema};
use super::records::Records;
use super::types::{ColumnType, Types, Typing};
use crate::error::Error;

/// Rows of a CSV text with a header, in order.
///
/// ```
/// use gaussbayes::{Cut as _, Source as _};
/// use gaussbayes_io::{Columns, CsvSource};
/// let text = "x,y,class\n1,2,a\n3,4,b\n";
/// let columns = Columns { target: Some("class".into()), ..Columns::default() };
/// let mut source = CsvSource::from_bytes("two.csv", text.as_bytes(), &columns)?;
/// let cut = source.next(8)?.unwrap();
/// assert_eq!(cut.decode()?.rows().count(), 2);
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug)]
pub struct CsvSource {
    input: Input,
    chunk: usize,
    features: Vec<String>,
    schema: Arc<Schema>,
    cutter: Cutter,
    /// Rows cut so far.
    row: u64,
}

/// Where the text comes from, and whether it can be read again.
#[derive(Debug)]
enum Input {
    File(PathBuf),
    Bytes(Arc<[u8]>),
    Once,
}

impl Input {
    fn reader(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        Ok(match self {
            Self::File(path) => {
                Box::new(File::open(path).map_err(|error| Error::read(name, &error))?)
            }
            Self::Bytes(bytes) => Box::new(Cursor::new(bytes.clone())),
            Self::Once => return Err(gaussbayes::Error::OnePass.into()),
        })
    }
}

impl CsvSource {
    /// Reads a file; one whose name ends in `.tsv` has tabs between its fields.
    ///
    /// # Errors
    /// What the system refuses, a header that is wrong, and columns that are not in it.
    pub fn open(path: &Path, columns: &Columns) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Error::read(&name, &error))?;
        // A pipe under a name gives its text once, like any other.
        let again = file.metadata().is_ok_and(|metadata| metadata.is_file());
        let input = if again { Input::File(path.to_owned()) } else { Input::Once };
        let reader = Box::new(file);
        Self::new(&name, delimiter_of(path), input, reader, columns, CHUNK_BYTES)
    }

    /// Reads a stream, once.
    ///
    /// # Errors
    /// As for [`CsvSource::open`].
    pub fn from_reader(
        name: &str,
        reader: Box<dyn Read + Send>,
        columns: &Columns,
    ) -> Result<Self, Error> {
        Self::new(name, b',', Input::Once, reader, columns, CHUNK_BYTES)
    }

    /// Reads text in memory.
    ///
    /// # Errors
    /// As for [`CsvSource::open`].
    pub fn from_bytes(
        name: &str,
        bytes: impl Into<Arc<[u8]>>,
        columns: &Columns,
    ) -> Result<Self, Error> {
        Self::from_chunks(name, bytes, columns, CHUNK_BYTES)
    }

    /// Reads text in memory, `chunk` bytes at a time.
    pub(super) fn from_chunks(
        name: &str,
        bytes: impl Into<Arc<[u8]>>,
        columns: &Columns,
        chunk: usize,
    ) -> Result<Self, Error> {
        let input = Input::Bytes(bytes.into());
        let reader = input.reader(name)?;
        Self::new(name, b',', input, reader, columns, chunk)
    }

    fn new(
        name: &str,
        delimiter: u8,
        input: Input,
        reader: Box<dyn Read + Send>,
        columns: &Columns,
        chunk: usize,
    ) -> Result<Self, Error> {
        let mut cutter = Cutter::new(name.into(), delimiter, reader, chunk)?;
        let first = cutter.next(1)?.ok_or_else(|| Error::Empty { file: name.to_owned() })?;
        let header = header_names(&first)?;
        let selection = columns.resolve(name, &header)?;
        let features = selection.features.iter().map(|&at| header[at].clone()).collect();
        let typing = typing(&columns.types, &header, &selection, &mut cutter)?;
        let schema = Arc::new(Schema { header, selection, typing });
        Ok(Self { input, chunk, features, schema, cutter, row: 0 })
    }

    /// Whether the text can be read once only.
    pub fn is_once(&self) -> bool {
        matches!(self.input, Input::Once)
    }

    /// Names of the features, in the order of the numbers of a row.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// What the features hold; none where they are plain numbers.
    pub fn types(&self) -> Option<&[ColumnType]> {
        self.schema.typing.as_ref().map(|typing| typing.types.as_slice())
    }
}

impl Source for CsvSource {
    type Cut = CsvCut;
    type Error = Error;

    fn dim(&self) -> usize {
        self.features.len()
    }

    fn next(&mut self, rows: usize) -> Result<Option<CsvCut>, Error> {
        let Some(records) = self.cutter.next(rows)? else {
            if self.row == 0 && rows > 0 {
                return Err(Error::HeaderOnly { file: self.cutter.file().to_string() });
            }
            return Ok(None);
        };
        let first_row = self.row;
        self.row += records.count as u64;
        Ok(Some(CsvCut { schema: self.schema.clone(), records, first_row }))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        let reader = self.input.reader(self.cutter.file())?;
        let (file, delimiter) = (self.cutter.file().clone(), self.cutter.delimiter());
        self.cutter = Cutter::new(file, delimiter, reader, self.chunk)?;
        self.cutter.next(1)?;
        self.row = 0;
        Ok(())
    }
}

/// What the features hold; the rows that are looked at are given back.
fn typing(
    types: &Types,
    header: &[String],
    selection: &Selection,
    cutter: &mut Cutter,
) -> Result<Option<Typing>, Error> {
    match types {
        Types::Plain => Ok(None),
        Types::Given(types) if types.len() == selection.features.len() => {
            Ok(Some(Typing::of_model(types)))
        }
        Types::Given(types) => {
            let (expected, found) = (selection.features.len(), types.len());
            Err(gaussbayes::Error::Shape { what: "types of columns", expected, found }.into())
        }
        Types::Recognised(declared) => {
            let declared = Columns::declared(declared, cutter.file(), header, selection)?;
            // What is wrong with the text is said when it is read again.
            let first = cutter.next(rows_per_block(selection.features.len())).ok().flatten();
            let typing = Typing::recognised(&declared, selection, first.as_ref());
            if let Some(first) = first {
                cutter.give_back(first);
            }
            Ok(typing)
        }
    }
}

/// What separates the fields of a file, by the end of its name.
pub(crate) fn delimiter_of(path: &Path) -> u8 {
    let is_tsv = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("tsv"));
    if is_tsv { b'\t' } else { b',' }
}

/// Names of the columns: none twice, and not all numbers.
fn header_names(first: &Records) -> Result<Vec<String>, Error> {
    let file = || first.file.to_string();
    let mut names = Vec::new();
    let mut known = HashMap::new();
    for (column, field) in first.fields(first.record_at(0))?.iter().enumerate() {
        let name = first.text(field, &(column + 1).to_string())?.trim_ascii().to_owned();
        names.push(name);
    }
    if names.iter().all(|name| name.parse::<f64>().is_ok()) {
        return Err(Error::NoHeader { file: file() });
    }
    for (second, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if let Some(first) = known.insert(name, second) {
            return Err(Error::DuplicateColumn {
                file: file(),
                column: name.clone(),
                first,
                second,
            });
        }
    }
    Ok(names)
}
