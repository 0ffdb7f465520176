//! Opens data by name as one table: files in any format, standard input, or a built-in set.

use std::sync::Arc;

use gaussbayes::{Block, Cut, On, Source, Table, each_block};

use crate::columns::Columns;
use crate::csv::CHUNK_BYTES;
use crate::error::Error;
use crate::feed::Input;
use crate::files::{Files, decoded};
use crate::findings::Findings;
use crate::list::{inputs, title};
use crate::meter::Meter;
use crate::part::Piece;
use crate::reading::{Na, Reading};
use crate::refusal::FileRefusal;
use crate::types::ColumnType;

/// Rows with the names of their columns, from wherever they come.
///
/// ```
/// use gaussbayes::{On, Pool};
/// use gaussbayes_io::{Columns, Data, Reading};
/// let columns = Columns { target: Some("species".into()), ..Columns::default() };
/// let iris = Data::open(&["iris"], &columns, &Reading::default(), 1)?;
/// assert_eq!(iris.features()[3], "petal_width");
/// let table = iris.read(On::pool(&Pool::new(1)?))?;
/// assert_eq!((table.rows(), table.dim), (150, 4));
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug)]
pub struct Data {
    name: String,
    files: Files,
    dropping: Option<Dropping>,
}

impl Data {
    /// Opens `-` (standard input) or a built-in set by its bare name, or files and patterns of files that hold the
    /// rows of one table, one after the other.
    ///
    /// The seed is that of built-in sets that are drawn at random.
    ///
    /// # Errors
    /// What the system refuses, a header that is wrong, and columns that are not in it.
    pub fn open(
        names: &[impl AsRef<str>],
        columns: &Columns,
        reading: &Reading,
        seed: u64,
    ) -> Result<Self, Error> {
        let inputs = inputs(names, seed)?;
        let name = title(&inputs);
        let files = Files::open(inputs, columns, reading, CHUNK_BYTES)?;
        let dropping = (reading.na == Na::Drop).then(Dropping::default);
        Ok(Self { name, files, dropping })
    }

    /// Reads CSV text in memory.
    ///
    /// # Errors
    /// As for [`Data::open`].
    pub fn from_text(name: &str, text: &[u8], columns: &Columns) -> Result<Self, Error> {
        Self::from_chunks(name, text, columns, &Reading::default(), CHUNK_BYTES)
    }

    /// Reads CSV text in memory, `chunk` bytes at a time: rows must not depend on it.
    ///
    /// # Errors
    /// As for [`Data::open`].
    #[doc(hidden)]
    pub fn from_chunks(
        name: &str,
        text: &[u8],
        columns: &Columns,
        reading: &Reading,
        chunk: usize,
    ) -> Result<Self, Error> {
        let inputs = vec![(name.into(), Input::Bytes(text.into()))];
        let files = Files::open(inputs, columns, reading, chunk)?;
        let dropping = (reading.na == Na::Drop).then(Dropping::default);
        Ok(Self { name: name.to_owned(), files, dropping })
    }

    /// What the data are called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the features, in the order of the numbers of a row.
    pub fn features(&self) -> &[String] {
        self.files.features()
    }

    /// The column of labels, if there is one.
    pub fn target(&self) -> Option<&str> {
        self.files.target()
    }

    /// The column of weights, if there is one.
    pub fn weights(&self) -> Option<&str> {
        self.files.weights()
    }

    /// Names of the columns whose cells stand in place of labels.
    pub fn kept(&self) -> &[String] {
        self.files.kept()
    }

    /// What the features hold; none where they are plain numbers.
    pub fn types(&self) -> Option<&[ColumnType]> {
        self.files.types()
    }

    /// How far a pass over the rows has come.
    pub fn meter(&self) -> Arc<Meter> {
        self.files.meter()
    }

    /// What is found out while the files are read: how they are written, and rows that are left out.
    pub fn findings(&self) -> Arc<Findings> {
        self.files.findings().clone()
    }

    /// Whether the rows can be read once only.
    pub fn is_once(&self) -> bool {
        self.files.is_once()
    }

    /// Reads all rows that are left into memory.
    ///
    /// # Errors
    /// The first row that is wrong, or [`gaussbayes::Error::Cancelled`].
    pub fn read(mut self, on: On<'_>) -> Result<Table, Error> {
        let mut table = Table { dim: self.dim(), ..Table::default() };
        each_block(
            &mut self,
            on,
            |block| {
                let mut part = Table::default();
                part.push_block(block);
                Ok(part)
            },
            |part| {
                table.push_block(&part.into_block(0)?);
                Ok(())
            },
        )?;
        Ok(table)
    }
}

impl Source for Data {
    type Cut = DataCut;
    type Error = Error;

    fn dim(&self) -> usize {
        self.features().len()
    }

    fn next(&mut self, rows: usize) -> Result<Option<DataCut>, Error> {
        match &mut self.dropping {
            None => Ok(self.files.next(rows)?.map(|pieces| DataCut(Run::Pieces(pieces)))),
            Some(dropping) => dropping.next(&mut self.files, rows, &self.name),
        }
    }

    fn rewind(&mut self) -> Result<(), Error> {
        if let Some(dropping) = &mut self.dropping {
            dropping.rewind();
            self.files.findings().begin();
        }
        self.files.rewind()
    }
}

/// A run of rows, not yet decoded.
#[derive(Debug)]
pub struct DataCut(Run);

#[derive(Debug)]
enum Run {
    Pieces(Vec<Piece>),
    /// Rows that had to be decoded to know that they are whole, and the number of the first.
    Kept(Table, u64),
}

impl Cut for DataCut {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        match &self.0 {
            Run::Pieces(pieces) => decoded(pieces),
            Run::Kept(table, first_row) => Ok(table.clone().into_block(*first_row)?),
        }
    }
}

/// Leaves rows with missing values out, so that blocks are those of a table without them.
#[derive(Debug, Default)]
struct Dropping {
    /// Whole rows that no block has yet.
    kept: Table,
    /// Rows that were handed on.
    row: u64,
}

impl Dropping {
    fn next(
        &mut self,
        files: &mut Files,
        rows: usize,
        name: &str,
    ) -> Result<Option<DataCut>, Error> {
        let plain = files.types().is_none();
        while self.kept.rows() < rows {
            let Some(pieces) = files.next(rows)? else { break };
            let block = decoded(&pieces)?;
            let dim = files.features().len();
            let is_whole = |&i: &usize| (0..dim).all(|j| !block.rows().value(i, j).is_nan());
            let whole: Vec<usize> = (0..block.rows().count()).filter(is_whole).collect();
            let left_out = block.rows().count() - whole.len();
            files.findings().drop_rows(left_out);
            self.kept.push_block(&block.picked(&whole)?);
            if plain {
                self.kept.fields.clear();
            }
        }
        let all = self.kept.rows();
        if all == 0 {
            let nothing = self.row == 0 && files.findings().dropped() > 0;
            let refusal = FileRefusal::AllDropped { file: name.to_owned() };
            return if nothing { Err(refusal.into()) } else { Ok(None) };
        }
        let (count, mut rest) = (all.min(rows), Table { dim: self.kept.dim, ..Table::default() });
        if count < all {
            rest.push_block(&self.kept.block(count..all)?);
        }
        let mut cut = Table::default();
        cut.push_block(&self.kept.block(0..count)?);
        let first_row = self.row;
        self.row += count as u64;
        self.kept = rest;
        Ok(Some(DataCut(Run::Kept(cut, first_row))))
    }

    fn rewind(&mut self) {
        (self.kept, self.row) = (Table::default(), 0);
    }
}
