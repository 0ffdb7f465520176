//! Reads a large batch of an Arrow file in parts: of each column only the rows that are wanted.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Schema, SchemaRef};

use super::guard::{arrow_fault, damaged};
use super::ipc::Blocks;
use crate::error::Error;

/// Bits of a byte: windows begin at whole bytes of what says which values are there.
const BITS: u64 = 8;

/// A batch that is read in parts.
pub(super) struct Windows {
    schema: SchemaRef,
    columns: Vec<Column>,
    /// Rows that are not read yet.
    left: Range<u64>,
    /// Rows of a part.
    rows: u64,
}

/// The buffers of a column, by their places in the file.
struct Column {
    kind: DataType,
    valid: Option<Range<u64>>,
    buffers: Vec<Range<u64>>,
    /// Bytes that views point into, once they are read.
    texts: Option<Vec<Buffer>>,
}

/// Buffers of a column beside those that say which values are there, where it has no columns within.
fn buffers(kind: &DataType) -> Option<usize> {
    match kind {
        DataType::Null => Some(0),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => Some(2),
        DataType::Utf8View | DataType::BinaryView => Some(1),
        kind if kind.is_primitive() || *kind == DataType::Boolean => Some(1),
        _ => None,
    }
}

impl Windows {
    /// The parts of a batch of plain columns that lie as they are; none of any other, which is read at once.
    pub(super) fn of(
        batch: arrow_ipc::RecordBatch<'_>,
        schema: &Schema,
        chosen: &[usize],
        body: Range<u64>,
        rows: usize,
    ) -> Option<Self> {
        if batch.compression().is_some() {
            return None;
        }
        let length = u64::try_from(batch.length()).ok()?;
        let mut nodes = batch.nodes()?.iter();
        let mut places = batch.buffers()?.iter().map(|buffer| {
            let start = body.start.checked_add(u64::try_from(buffer.offset()).ok()?)?;
            let end = start.checked_add(u64::try_from(buffer.length()).ok()?)?;
            (end <= body.end).then_some(start..end)
        });
        let mut counts = batch.variadicBufferCounts().into_iter().flatten();
        let mut columns = Vec::new();
        for (place, field) in schema.fields().iter().enumerate() {
            let kind = field.data_type();
            let (node, mut count) = (nodes.next()?, buffers(kind)?);
            if node.length() != batch.length() {
                return None;
            }
            if matches!(kind, DataType::Utf8View | DataType::BinaryView) {
                count += usize::try_from(counts.next()?).ok()?;
            }
            let valid = if *kind == DataType::Null { None } else { Some(places.next()??) };
            let valid = valid.filter(|valid| node.null_count() != 0 && !valid.is_empty());
            let buffers = places.by_ref().take(count).collect::<Option<Vec<_>>>()?;
            if chosen.contains(&place) {
                columns.push(Column { kind: kind.clone(), valid, buffers, texts: None });
            }
        }
        let schema = Arc::new(schema.project(chosen).ok()?);
        let rows = (rows as u64).next_multiple_of(BITS);
        Some(Self { schema, columns, left: 0..length, rows })
    }

    /// The next part.
    pub(super) fn next(&mut self, blocks: &mut Blocks) -> Option<Result<RecordBatch, Error>> {
        let start = self.left.start;
        let end = self.left.end.min(start.saturating_add(self.rows));
        if start >= end {
            return None;
        }
        self.left.start = end;
        let columns = self.columns.iter_mut().map(|column| column.read(blocks, start..end));
        let columns = columns.collect::<Result<Vec<ArrayRef>, Error>>();
        let options = RecordBatchOptions::new().with_row_count(Some((end - start) as usize));
        Some(columns.and_then(|columns| {
            RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
                .map_err(|error| arrow_fault(&blocks.file, &error))
        }))
    }
}

impl Column {
    fn read(&mut self, blocks: &mut Blocks, rows: Range<u64>) -> Result<ArrayRef, Error> {
        let bits =
            |place: &Range<u64>| part(place, &(rows.start / BITS..rows.end.div_ceil(BITS)), 1);
        let mut builder =
            ArrayData::builder(self.kind.clone()).len((rows.end - rows.start) as usize);
        if let Some(valid) = &self.valid {
            builder = builder.null_bit_buffer(Some(read(blocks, bits(valid))?));
        }
        let first = self.buffers.first().cloned().unwrap_or_default();
        builder = match &self.kind {
            DataType::Null => builder,
            DataType::Boolean => builder.add_buffer(read(blocks, bits(&first))?),
            DataType::Utf8 | DataType::Binary => {
                let (offsets, texts) = self.texts::<4>(blocks, &rows)?;
                let offsets: Vec<i32> = offsets.into_iter().map(|at| at as i32).collect();
                builder.add_buffer(Buffer::from_vec(offsets)).add_buffer(texts)
            }
            DataType::LargeUtf8 | DataType::LargeBinary => {
                let (offsets, texts) = self.texts::<8>(blocks, &rows)?;
                builder.add_buffer(Buffer::from_vec(offsets)).add_buffer(texts)
            }
            DataType::Utf8View | DataType::BinaryView => {
                let views = read(blocks, part(&first, &rows, 16))?;
                if self.texts.is_none() {
                    let places = self.buffers.iter().skip(1);
                    let texts = places.map(|place| read(blocks, Some(place.clone())));
                    self.texts = Some(texts.collect::<Result<_, Error>>()?);
                }
                builder.add_buffer(views).add_buffers(self.texts.clone().unwrap_or_default())
            }
            kind => {
                let width = kind.primitive_width().unwrap_or(1) as u64;
                builder.add_buffer(read(blocks, part(&first, &rows, width))?)
            }
        };
        let data = builder.align_buffers(true).build();
        Ok(make_array(data.map_err(|error| arrow_fault(&blocks.file, &error))?))
    }

    /// Where texts end that begin at 0, and their bytes.
    fn texts<const WIDTH: usize>(
        &self,
        blocks: &mut Blocks,
        rows: &Range<u64>,
    ) -> Result<(Vec<i64>, Buffer), Error> {
        let wrong = |blocks: &Blocks| damaged(&blocks.file, "a text begins where there is none");
        let [offsets, texts] = &self.buffers[..] else { return Err(wrong(blocks)) };
        let bytes = read(blocks, part(offsets, &(rows.start..rows.end + 1), WIDTH as u64))?;
        let (numbers, _) = bytes.as_chunks::<WIDTH>();
        let number = |bytes: &[u8; WIDTH]| {
            let mut wide = [0; 8];
            wide[..WIDTH].copy_from_slice(bytes);
            i64::from_le_bytes(wide)
        };
        let mut ends: Vec<i64> = numbers.iter().map(number).collect();
        let (first, last) = (ends.first().copied(), ends.last().copied());
        let (first, last) = first.zip(last).ok_or_else(|| wrong(blocks))?;
        ends.iter_mut().for_each(|end| *end = end.wrapping_sub(first));
        let place = u64::try_from(first).ok().zip(u64::try_from(last).ok());
        let texts = place.and_then(|(first, last)| part(texts, &(first..last), 1));
        Ok((ends, read(blocks, texts)?))
    }
}

/// The bytes of some values of so many bytes each; none where they are not all there.
fn part(place: &Range<u64>, values: &Range<u64>, width: u64) -> Option<Range<u64>> {
    let start = place.start.checked_add(values.start.checked_mul(width)?)?;
    let end = place.start.checked_add(values.end.checked_mul(width)?)?;
    (start <= end && end <= place.end).then_some(start..end)
}

fn read(blocks: &mut Blocks, place: Option<Range<u64>>) -> Result<Buffer, Error> {
    let wrong = || damaged(&blocks.file, "a column is shorter than its rows");
    let place = place.ok_or_else(wrong)?;
    Ok(Buffer::from_vec(blocks.bytes(place.start, place.end - place.start)?))
}
