//! Opens Parquet files: pages are decoded one after the other, whatever the size of a row group.

use std::fs::File;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;

use super::guard::{arrow_fault, parquet_fault};
use super::part::{Batches, Found};
use crate::error::Error;
use crate::meter::Meter;

/// Reads the columns of a Parquet file.
///
/// # Errors
/// What the system refuses, and a file that is damaged.
pub(super) fn open(file: &Arc<str>, opened: File, meter: Arc<Meter>) -> Result<Found, Error> {
    let refuse = |error: ParquetError| parquet_fault(file, &error);
    // The types that another program has noted are not needed, and need not be true.
    let options = || ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(&opened, options()).map_err(refuse)?;
    let notes = metadata.metadata().file_metadata().key_value_metadata();
    let pandas = notes.into_iter().flatten().find(|note| note.key == "pandas");
    let pandas = pandas.and_then(|note| note.value.clone());
    let schema = Arc::new(by_views(metadata.schema()));
    let options = options().with_schema(schema.clone());
    let metadata =
        ArrowReaderMetadata::try_new(metadata.metadata().clone(), options).map_err(refuse)?;
    let length = opened.metadata().map_or(0, |about| about.len());
    let all = metadata.metadata().file_metadata().num_rows().max(1) as f64;
    let file = file.clone();
    let begin = move |chosen: Arc<[usize]>, rows: usize| {
        let columns = ProjectionMask::roots(metadata.parquet_schema(), chosen.iter().copied());
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(opened, metadata);
        let reader = builder.with_projection(columns).with_batch_size(rows).build();
        let reader = reader.map_err(|error| parquet_fault(&file, &error))?;
        let batches = reader.map(move |batch| {
            let batch = batch.map_err(|error| arrow_fault(&file, &error))?;
            // What is read of the file follows its rows, whatever the columns.
            meter.add((length as f64 * batch.num_rows() as f64 / all) as u64);
            Ok(batch)
        });
        Ok(Box::new(batches) as Batches)
    };
    Ok(Found { schema, pandas, begin: Box::new(begin) })
}

/// Texts as views of their pages: a long text that a page has once is not copied for every row.
fn by_views(schema: &Schema) -> Schema {
    let field = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => {
            Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View))
        }
        _ => field.clone(),
    };
    let fields: Vec<Arc<Field>> = schema.fields().iter().map(field).collect();
    Schema::new_with_metadata(fields, schema.metadata().clone())
}
