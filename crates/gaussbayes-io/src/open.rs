//! Opens data by name: standard input, a built-in set, or a file.

use std::path::Path;

use gaussbayes::{On, Source, Table, each_block};

use crate::csv::{ColumnType, Columns, CsvCut, CsvSource};
use crate::datasets;
use crate::error::Error;
use crate::nearest::nearest;

/// What standard input is called in messages.
const STDIN: &str = "standard input";

/// Rows with the names of their columns, from wherever they come.
///
/// ```
/// use gaussbayes::{On, Pool};
/// use gaussbayes_io::{Columns, Data};
/// let columns = Columns { target: Some("species".into()), ..Columns::default() };
/// let iris = Data::open("iris", &columns, 1)?;
/// assert_eq!(iris.features()[3], "petal_width");
/// let table = iris.read(On::pool(&Pool::new(1)?))?;
/// assert_eq!((table.rows(), table.dim), (150, 4));
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug)]
pub struct Data {
    name: String,
    source: CsvSource,
}

impl Data {
    /// Opens `-` (standard input), a built-in set by its bare name, or a file.
    ///
    /// The seed is that of built-in sets that are drawn at random.
    ///
    /// # Errors
    /// What the system refuses, a header that is wrong, and columns that are not in it.
    pub fn open(name: &str, columns: &Columns, seed: u64) -> Result<Self, Error> {
        let source = if name == "-" {
            CsvSource::from_reader(STDIN, Box::new(std::io::stdin()), columns)?
        } else if let Some(text) = datasets::text(name, seed) {
            CsvSource::from_bytes(name, text, columns)?
        } else {
            CsvSource::open(Path::new(name), columns).map_err(suggest)?
        };
        let name = if name == "-" { STDIN } else { name };
        Ok(Self { name: name.to_owned(), source })
    }

    /// What the data are called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the features, in the order of the numbers of a row.
    pub fn features(&self) -> &[String] {
        self.source.features()
    }

    /// What the features hold; none where they are plain numbers.
    pub fn types(&self) -> Option<&[ColumnType]> {
        self.source.types()
    }

    /// Whether the rows can be read once only.
    pub fn is_once(&self) -> bool {
        self.source.is_once()
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

/// Names the built-in set that a path without a file may have meant.
fn suggest(error: Error) -> Error {
    match error {
        Error::NotFound { path, .. } => {
            let nearest = nearest(&path, datasets::names()).map(str::to_owned);
            Error::NotFound { path, nearest }
        }
        error => error,
    }
}

impl Source for Data {
    type Cut = CsvCut;
    type Error = Error;

    fn dim(&self) -> usize {
        self.source.dim()
    }

    fn next(&mut self, rows: usize) -> Result<Option<CsvCut>, Error> {
        self.source.next(rows)
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.source.rewind()
    }
}
