//! Reads one file of a table, whatever its format: its columns, and runs of its rows.

use std::fmt;
use std::sync::Arc;

use gaussbayes::Block;

use crate::arrow::{BatchCut, BatchPart};
use crate::columns::Columns;
use crate::csv::{CsvCut, CsvPart};
use crate::error::Error;
use crate::feed::{Bytes, Feed, Format};
use crate::npy::{NpyCut, NpyPart};
use crate::reading::Reading;
use crate::schema::{Header, Schema};
use crate::types::{Seen, Typing};

/// A file that is open, and what is read of it.
pub(crate) struct Part {
    rows: Rows,
    schema: Arc<Schema>,
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// The rows of a file.
enum Rows {
    Csv(CsvPart),
    Batches(BatchPart),
    Npy(NpyPart),
}

/// How a file is opened.
pub(crate) struct Opening<'a> {
    /// The file, as the user named it.
    pub(crate) file: &'a Arc<str>,
    /// Bytes that are asked for at a time.
    pub(crate) chunk: usize,
    /// What separates fields by the name of the file.
    pub(crate) delimiter: u8,
    pub(crate) reading: &'a Reading,
    /// Names of columns that are asked for.
    pub(crate) wanted: &'a [&'a str],
    /// Names of columns, where the file has none.
    pub(crate) known: Option<&'a [String]>,
}

impl Opening<'_> {
    /// Opens the bytes of a file; returns the names of its columns before any is chosen.
    ///
    /// # Errors
    /// What the system refuses, and a header that is wrong.
    pub(crate) fn open(&self, feed: Feed) -> Result<Opened, Error> {
        let Feed { format, bytes } = feed;
        let &Self { file, chunk, delimiter, reading, wanted, known } = self;
        let (rows, header) = match format {
            Format::Text => {
                let reader = match bytes {
                    Bytes::File(file, _) => Box::new(file),
                    Bytes::Stream(stream) => stream,
                };
                let opened = CsvPart::open(file, reader, chunk, delimiter, reading, wanted, known);
                let (part, header) = opened?;
                (Rows::Csv(part), header)
            }
            Format::Parquet | Format::ArrowFile | Format::ArrowStream => {
                let (part, header) = BatchPart::open(file, format, bytes, reading)?;
                (Rows::Batches(part), header)
            }
            Format::Npy => {
                let (part, header) = NpyPart::open(file, bytes, reading, known)?;
                (Rows::Npy(part), header)
            }
        };
        Ok(Opened { rows, header })
    }
}

/// A file of which no column is chosen yet.
pub(crate) struct Opened {
    rows: Rows,
    pub(crate) header: Header,
}

impl Opened {
    /// Chooses columns.
    ///
    /// # Errors
    /// Columns that are not there, or cannot be what is asked of them.
    pub(crate) fn choose(
        self,
        file: &Arc<str>,
        columns: &Columns,
        reading: &Reading,
    ) -> Result<Part, Error> {
        let Self { rows, header } = self;
        let mut columns = columns.clone();
        if columns.features.is_empty() {
            let named = [&columns.target, &columns.weights].map(Option::as_ref);
            let unasked = |name: &String| !named.contains(&Some(name));
            let more: Vec<String> = header.unasked.into_iter().filter(unasked).collect();
            columns.drop.extend(more.into_iter().filter(|name| header.names.contains(name)));
        }
        let selection = columns.resolve(file, &header.names)?;
        let schema = Schema { header: header.names, selection, missing: reading.words() };
        let rows = match rows {
            Rows::Csv(part) => Rows::Csv(part),
            Rows::Batches(part) => Rows::Batches(part.choose(&schema)?),
            Rows::Npy(part) => Rows::Npy(part.choose(&schema)),
        };
        Ok(Part { rows, schema: schema.into() })
    }
}

impl Part {
    pub(crate) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Exactly `count` rows, fewer only at the end, none after it; the first has the number `first_row`.
    ///
    /// # Errors
    /// What reading met.
    pub(crate) fn next(
        &mut self,
        count: usize,
        first_row: u64,
        typing: Option<&Arc<Typing>>,
    ) -> Result<Option<Piece>, Error> {
        let (schema, typing) = (self.schema.clone(), typing.cloned());
        Ok(match &mut self.rows {
            Rows::Csv(part) => part
                .next(count)?
                .map(|records| Piece::Csv(CsvCut { schema, typing, records, first_row })),
            Rows::Batches(part) => {
                let chosen = part.chosen();
                part.next(count)?.map(|(file, before, pieces)| {
                    Piece::Batches(BatchCut {
                        file,
                        schema,
                        typing,
                        first_row,
                        before,
                        chosen,
                        pieces,
                    })
                })
            }
            Rows::Npy(part) => {
                part.next(count)?.map(|run| Piece::Npy(NpyCut { schema, typing, first_row, run }))
            }
        })
    }
}

/// A run of rows of one file, not yet decoded.
#[derive(Debug)]
pub(crate) enum Piece {
    Csv(CsvCut),
    Batches(BatchCut),
    Npy(NpyCut),
}

impl Piece {
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Csv(cut) => cut.records.count,
            Self::Batches(cut) => cut.count(),
            Self::Npy(cut) => cut.count(),
        }
    }

    /// Looks at the cells of the features.
    pub(crate) fn look<'a>(&'a self, seen: &mut [Seen<'a>]) {
        match self {
            Self::Csv(cut) => cut.look(seen),
            Self::Batches(cut) => cut.look(seen),
            Self::Npy(cut) => cut.look(seen),
        }
    }

    /// Says what the features hold.
    pub(crate) fn set_typing(&mut self, typing: Option<&Arc<Typing>>) {
        match self {
            Self::Csv(cut) => cut.typing = typing.cloned(),
            Self::Batches(cut) => cut.typing = typing.cloned(),
            Self::Npy(cut) => cut.typing = typing.cloned(),
        }
    }

    /// Decodes and checks the rows.
    ///
    /// # Errors
    /// The first row that is wrong.
    pub(crate) fn decode(&self) -> Result<Block<'static>, Error> {
        match self {
            Self::Csv(cut) => cut.decode(),
            Self::Batches(cut) => cut.decode(),
            Self::Npy(cut) => cut.decode(),
        }
    }
}
