//! Holds rows that are read again and again: in memory where they are few, in a file where not.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use gaussbayes::{Block, Cut, Label, Labels, Memo, NO_LABEL, On, Rows, Source, Table, each_block};

use crate::error::Error;
use crate::open::Data;
use crate::spool::{RowLayout, Spool};

/// Bytes of rows that stay in memory.
const IN_MEMORY: usize = 64 << 20;

/// Decoded rows that can be read any number of times, wherever they came from.
///
/// ```
/// use gaussbayes::{On, Pool, Source as _};
/// use gaussbayes_io::{Columns, Data, Held, Reading};
/// let data = Data::open(&["faithful"], &Columns::default(), &Reading::default(), 1)?;
/// let mut rows = Held::read(data, On::pool(&Pool::new(1)?))?;
/// assert_eq!((rows.rows(), rows.weight()), (272, 272.0));
/// rows.rewind()?;
/// # Ok::<(), gaussbayes_io::Error>(())
/// ```
#[derive(Debug)]
pub struct Held {
    name: String,
    features: Vec<String>,
    kept: Vec<String>,
    store: Store,
    labels: Arc<[Label]>,
    rows: u64,
    weight: f64,
    fingerprint: u32,
    label_fingerprint: u32,
    /// The row that is read next.
    at: u64,
    /// What is computed of rows in memory, for later passes.
    memo: Option<Arc<Memo>>,
}

#[derive(Debug)]
enum Store {
    Memory(Arc<Table>),
    File(Box<Spool>),
}

impl Held {
    /// Reads all rows of some data once; what does not fit in 64 MB goes to the system's temporary folder. Rows of
    /// names or words stay in memory: it is these that they are made of, and not numbers.
    ///
    /// # Errors
    /// The first row that is wrong, [`Error::Spool`], or [`gaussbayes::Error::Cancelled`].
    pub fn read(data: Data, on: On<'_>) -> Result<Self, Error> {
        Self::read_within(data, IN_MEMORY, on)
    }

    /// The same with at most so many bytes in memory.
    ///
    /// # Errors
    /// As for [`Held::read`].
    pub fn read_within(mut data: Data, bytes: usize, on: On<'_>) -> Result<Self, Error> {
        let (name, features) = (data.name().to_owned(), data.features().to_vec());
        let (kept, dim) = (data.kept().to_vec(), data.dim());
        let (mut parts, mut spool): (Vec<Table>, Option<Spool>) = (Vec::new(), None);
        let (mut rows, mut weight) = (0, 0.0);
        let (mut hasher, mut label_hasher) = (crc32fast::Hasher::new(), crc32fast::Hasher::new());
        let work = |block: &Block<'_>| {
            let mut part = Table::default();
            part.push_block(block);
            let mut hasher = crc32fast::Hasher::new();
            part.values.iter().for_each(|value| hasher.update(&value.to_le_bytes()));
            part.weights.iter().flatten().for_each(|weight| hasher.update(&weight.to_le_bytes()));
            let label_hasher = hashed_labels(&part);
            Ok((part, hasher, label_hasher))
        };
        each_block(&mut data, on, work, |(part, part_hasher, part_label_hasher)| {
            rows += part.rows() as u64;
            weight += match &part.weights {
                Some(weights) => weights.iter().sum(),
                None => part.rows() as f64,
            };
            hasher.combine(&part_hasher);
            label_hasher.combine(&part_label_hasher);
            if let Some(spool) = &mut spool {
                return spool.push(&part);
            }
            let layout =
                RowLayout { dim, weighted: part.weights.is_some(), labelled: part.codes.is_some() };
            let plain = part.fields.is_empty();
            parts.push(part);
            if plain && rows as usize * layout.bytes() > bytes {
                let mut begun = Spool::begin(layout)?;
                parts.drain(..).try_for_each(|part| begun.push(&part))?;
                spool = Some(begun);
            }
            Ok(())
        })?;
        let (labels, store) = if let Some(spool) = spool {
            (spool.labels(), Store::File(Box::new(spool)))
        } else {
            let table = joined(parts, dim)?;
            (table.dictionary.clone(), Store::Memory(Arc::new(table)))
        };
        let mut held = Self {
            name,
            features,
            kept,
            store,
            labels: labels.into(),
            rows,
            weight,
            fingerprint: hasher.finalize(),
            label_fingerprint: label_hasher.finalize(),
            at: 0,
            memo: None,
        };
        held.rewind()?;
        Ok(held)
    }

    /// What the data are called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names of the features, in the order of the numbers of a row.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Names of the columns whose cells stand in place of labels.
    pub fn kept(&self) -> &[String] {
        &self.kept
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Weight of the rows, summed in their order.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// A checksum of values and weights: rows of another one are other rows.
    pub fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// A checksum of the labels, row by row.
    pub fn label_fingerprint(&self) -> u32 {
        self.label_fingerprint
    }

    /// The labels that rows have, in the order of their first occurrence; none without a target.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Whether the rows are in a file.
    pub fn is_spooled(&self) -> bool {
        matches!(self.store, Store::File(_))
    }
}

/// A checksum of labels by their text, as their codes depend on how rows are cut.
fn hashed_labels(part: &Table) -> crc32fast::Hasher {
    let mut hasher = crc32fast::Hasher::new();
    for code in part.codes.iter().flatten() {
        let text = part.dictionary.get(*code as usize).map(Label::as_str);
        // No text has the length that stands for no label.
        let length = text.map_or(NO_LABEL, |text| text.len() as u32);
        hasher.update(&length.to_le_bytes());
        hasher.update(text.unwrap_or_default().as_bytes());
    }
    hasher
}

/// All rows in one table; each part is gone once it is copied.
fn joined(parts: Vec<Table>, dim: usize) -> Result<Table, Error> {
    let mut table = Table { dim, ..Table::default() };
    table.values.reserve_exact(parts.iter().map(|part| part.values.len()).sum());
    for part in parts {
        table.push_block(&part.into_block(0)?);
    }
    Ok(table)
}

impl Source for Held {
    type Cut = HeldCut;
    type Error = Error;

    fn dim(&self) -> usize {
        self.features.len()
    }

    fn is_held(&self) -> bool {
        matches!(self.store, Store::Memory(_))
    }

    fn next(&mut self, rows: usize) -> Result<Option<HeldCut>, Error> {
        let first_row = self.at;
        let count = (self.rows - first_row).min(rows as u64) as usize;
        if count == 0 {
            return Ok(None);
        }
        self.at += count as u64;
        Ok(Some(HeldCut(match &mut self.store {
            Store::Memory(table) => {
                let start = first_row as usize;
                Piece::Memory(table.clone(), start..start + count, self.memo.clone())
            }
            Store::File(spool) => Piece::Bytes {
                bytes: spool.next(count)?,
                layout: spool.layout(),
                labels: self.labels.clone(),
                first_row,
            },
        })))
    }

    fn rewind(&mut self) -> Result<(), Error> {
        self.at = 0;
        let block = self.rows_per_block();
        match &mut self.store {
            Store::Memory(table) => {
                if self.memo.is_none() {
                    self.memo = Some(Arc::new(Memo::new(table.rows(), block)));
                }
                Ok(())
            }
            Store::File(spool) => spool.rewind(),
        }
    }
}

/// A run of held rows.
#[derive(Debug)]
pub struct HeldCut(Piece);

#[derive(Debug)]
enum Piece {
    Memory(Arc<Table>, Range<usize>, Option<Arc<Memo>>),
    Bytes { bytes: Vec<u8>, layout: RowLayout, labels: Arc<[Label]>, first_row: u64 },
}

impl Cut for HeldCut {
    type Error = Error;

    fn decode(&self) -> Result<Block<'_>, Error> {
        match &self.0 {
            Piece::Memory(table, range, memo) => {
                Ok(table.block(range.clone())?.remembered(memo.as_deref(), range))
            }
            Piece::Bytes { bytes, layout, labels, first_row } => {
                let table = layout.read(bytes);
                let labels = table.codes.map(|codes| Labels {
                    codes: Cow::Owned(codes),
                    dictionary: Cow::Borrowed(labels),
                });
                let rows = Rows::new(table.values, layout.dim)?;
                Ok(Block::new(*first_row, rows, table.weights.map(Cow::Owned), labels)?)
            }
        }
    }
}
