//! Opens a file of columns as one file of a table, and cuts its batches into runs of rows.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use gaussbayes::rows_per_block;

use super::cells::Cells;
use super::guard::guarded;
use super::{foreign, ipc, parquet};
use crate::columns::Role;
use crate::csv::{names, refuse_twins};
use crate::error::Error;
use crate::feed::{Bytes, Format};
use crate::reading::Reading;
use crate::refusal::FileRefusal;
use crate::schema::{Header, Schema};

/// The batches of a file, in order.
pub(super) type Batches = Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send>;

/// Begins to read some columns of a file, in batches of about so many rows.
pub(super) type Begin = Box<dyn FnOnce(Arc<[usize]>, usize) -> Result<Batches, Error> + Send>;

/// A file of which no column is chosen yet.
pub(super) struct Found {
    pub(super) schema: SchemaRef,
    /// What pandas has written about its table.
    pub(super) pandas: Option<String>,
    pub(super) begin: Begin,
}

/// A file of columns that is open.
pub(crate) struct BatchPart {
    file: Arc<str>,
    state: State,
}

enum State {
    Opened(SchemaRef, Begin),
    Chosen(Cutting),
    /// Behind the last row, or behind a fault.
    Ended,
}

/// Batches that are cut.
struct Cutting {
    batches: Batches,
    chosen: Arc<[usize]>,
    /// What is not yet cut of the latest batch.
    rest: Option<RecordBatch>,
    /// Rows cut so far.
    row: u64,
    /// What is wrong behind the rows of the latest cut.
    fault: Option<Error>,
}

impl BatchPart {
    /// Reads what the columns of a file are.
    ///
    /// # Errors
    /// [`FileRefusal::Damaged`], [`FileRefusal::NotAStream`], [`Error::DuplicateColumn`].
    pub(crate) fn open(
        file: &Arc<str>,
        format: Format,
        bytes: Bytes,
        reading: &Reading,
    ) -> Result<(Self, Header), Error> {
        let found = guarded(file, || match (format, bytes) {
            (Format::ArrowStream, Bytes::File(opened, _)) => {
                ipc::open_stream(file, Box::new(opened))
            }
            (Format::ArrowStream, Bytes::Stream(stream)) => ipc::open_stream(file, stream),
            (Format::Parquet, Bytes::File(opened, meter)) => parquet::open(file, opened, meter),
            (_, Bytes::File(opened, meter)) => ipc::open_file(file, opened, meter),
            (format, Bytes::Stream(_)) => Err(not_a_stream(file, format)),
        })?;
        let Found { schema, pandas, begin } = found;
        let mut own: Vec<String> = schema.fields().iter().map(|f| f.name().clone()).collect();
        if !reading.names.is_empty() {
            own = names(file, own.len(), &reading.names, None)?;
        }
        refuse_twins(file, &own)?;
        let unasked = pandas.as_deref().map(index_columns).unwrap_or_default();
        let header = Header { names: own, notes: Vec::new(), unasked };
        Ok((Self { file: file.clone(), state: State::Opened(schema, begin) }, header))
    }

    /// Chooses the columns that are read.
    ///
    /// # Errors
    /// [`FileRefusal::Column`] for columns that hold nothing that is read.
    pub(crate) fn choose(self, schema: &Schema) -> Result<Self, Error> {
        let Self { file, state } = self;
        let (columns, begin) = match state {
            State::Opened(columns, begin) => (columns, begin),
            state => return Ok(Self { file, state }),
        };
        let mut chosen = Vec::new();
        for (column, role) in schema.selection.roles.iter().enumerate() {
            let kept = schema.selection.keep.contains(&column);
            if *role == Role::Skip && !kept {
                continue;
            }
            let target = *role == Role::Target;
            let kind = columns.field(column).data_type();
            let holds = if target { no_label(kind) } else { no_feature(kind) };
            if let Some(holds) = holds {
                let column = schema.header[column].clone();
                let file = file.to_string();
                return Err(FileRefusal::Column { file, column, holds, target }.into());
            }
            chosen.push(column);
        }
        let chosen: Arc<[usize]> = chosen.into();
        let rows = rows_per_block(schema.selection.features.len());
        let batches = guarded(&file, || begin(chosen.clone(), rows))?;
        let state = State::Chosen(Cutting { batches, chosen, rest: None, row: 0, fault: None });
        Ok(Self { file, state })
    }

    /// Exactly `count` rows, fewer only at the end, none after it: how many are before them, and the slices of
    /// batches that hold them.
    ///
    /// # Errors
    /// [`Error::Read`], [`FileRefusal::Damaged`].
    pub(crate) fn next(&mut self, count: usize) -> Result<Option<Slices>, Error> {
        let State::Chosen(cutting) = &mut self.state else { return Ok(None) };
        let found = cutting.next(&self.file, count);
        if !matches!(found, Ok(Some(_))) {
            self.state = State::Ended;
        }
        Ok(found?.map(|(before, pieces)| (self.file.clone(), before, pieces)))
    }

    /// The columns of the file that batches have.
    pub(crate) fn chosen(&self) -> Arc<[usize]> {
        match &self.state {
            State::Chosen(cutting) => cutting.chosen.clone(),
            State::Opened(..) | State::Ended => Arc::default(),
        }
    }
}

/// A file, its rows before a run, and the slices of its batches that hold the run.
pub(crate) type Slices = (Arc<str>, u64, Vec<RecordBatch>);

impl Cutting {
    fn next(&mut self, file: &str, count: usize) -> Result<Option<(u64, Vec<RecordBatch>)>, Error> {
        let (mut pieces, mut missing) = (Vec::new(), count);
        while missing > 0 && self.fault.is_none() {
            let batch = match self.rest.take() {
                Some(rest) => rest,
                None => match guarded(file, || self.batches.next().transpose()) {
                    Ok(Some(batch)) => batch,
                    Ok(None) => break,
                    Err(fault) => {
                        self.fault = Some(fault);
                        break;
                    }
                },
            };
            let (rows, taken) = (batch.num_rows(), batch.num_rows().min(missing));
            if taken < rows {
                self.rest = Some(batch.slice(taken, rows - taken));
            }
            if taken > 0 {
                pieces.push(batch.slice(0, taken));
            }
            missing -= taken;
        }
        match self.fault.take() {
            // The rows before a fault come first.
            Some(fault) if pieces.is_empty() => return Err(fault),
            fault => self.fault = fault,
        }
        let before = self.row;
        self.row += (count - missing) as u64;
        Ok((!pieces.is_empty()).then_some((before, pieces)))
    }
}

/// What a column holds that no feature or weight can be.
fn no_feature(kind: &DataType) -> Option<&'static str> {
    if Cells::is_text(kind) { None } else { foreign(kind) }
}

/// What a column holds that names no class.
fn no_label(kind: &DataType) -> Option<&'static str> {
    match kind {
        DataType::Dictionary(_, values) => no_label(values),
        kind if kind.is_decimal() => Some("decimal numbers"),
        kind => no_feature(kind),
    }
}

fn not_a_stream(file: &str, format: Format) -> Error {
    let holds = match format {
        Format::Parquet => "a Parquet file",
        Format::Npy => "an array in Fortran order",
        Format::ArrowFile | Format::ArrowStream | Format::Text => "an Arrow file",
    };
    FileRefusal::NotAStream { file: file.to_owned(), holds }.into()
}

/// Names of the columns in which pandas stored the index of its table.
pub fn index_columns(notes: &str) -> Vec<String> {
    let notes = serde_json::from_str::<serde_json::Value>(notes).ok();
    let stored = notes.as_ref().and_then(|notes| notes.get("index_columns")?.as_array());
    let names = stored.into_iter().flatten().filter_map(serde_json::Value::as_str);
    names.map(str::to_owned).collect()
}
