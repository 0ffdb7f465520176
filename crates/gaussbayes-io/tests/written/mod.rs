//! Writes one table in every format, into a folder that is gone with the test.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, LargeStringArray,
    RecordBatch, StringArray, StringViewArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

/// A folder of temporary files.
pub(crate) struct Folder(PathBuf);

#[allow(dead_code, reason = "no test writes every format")]
impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gaussbayes-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn text(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn gz(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        self.text(name, &packed.finish().unwrap())
    }

    pub(crate) fn zst(&self, name: &str, bytes: &[u8]) -> PathBuf {
        self.text(name, &zstd::encode_all(bytes, 1).unwrap())
    }

    pub(crate) fn parquet(
        &self,
        name: &str,
        batches: &[RecordBatch],
        codec: Compression,
        group: usize,
    ) -> PathBuf {
        let path = self.0.join(name);
        let properties = WriterProperties::builder()
            .set_compression(codec)
            .set_max_row_group_row_count(Some(group))
            .set_data_page_row_count_limit(32)
            .set_write_batch_size(32)
            .build();
        let file = File::create(&path).unwrap();
        let mut writer = ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).unwrap();
        for (key, value) in batches[0].schema().metadata() {
            writer.append_key_value_metadata(KeyValue::new(key.clone(), value.clone()));
        }
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.close().unwrap();
        path
    }

    pub(crate) fn arrow(&self, name: &str, batches: &[RecordBatch]) -> PathBuf {
        let path = self.0.join(name);
        let file = File::create(&path).unwrap();
        let mut writer = FileWriter::try_new(file, &batches[0].schema()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap();
        path
    }

    pub(crate) fn stream(&self, name: &str, batches: &[RecordBatch]) -> PathBuf {
        let path = self.0.join(name);
        let file = File::create(&path).unwrap();
        let mut writer = StreamWriter::try_new(file, &batches[0].schema()).unwrap();
        batches.iter().for_each(|batch| writer.write(batch).unwrap());
        writer.finish().unwrap();
        path
    }

    pub(crate) fn npy(
        &self,
        name: &str,
        kind: &str,
        fortran: bool,
        shape: &str,
        bytes: &[u8],
    ) -> PathBuf {
        let order = if fortran { "True" } else { "False" };
        let header =
            format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut all = b"\x93NUMPY\x01\x00".to_vec();
        all.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        all.extend(header.as_bytes());
        all.extend(bytes);
        self.text(name, &all)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn table(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let field =
        |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

/// Numbers of several types, weights, and labels.
pub(crate) fn batch(rows: i64) -> RecordBatch {
    let number = |i: i64| (i * 7919 % 10_007) as f64 / 1009.0 - 3.0;
    let x = Float64Array::from_iter_values((0..rows).map(number));
    let y = Float64Array::from_iter_values((0..rows).map(|i| number(i * i + 1) * 1e-7));
    let i = Int64Array::from_iter_values((0..rows).map(|i| i * 31 % 17 - 5));
    let few = arrow_array::Int8Array::from_iter_values((0..rows).map(|i| (i % 5) as i8));
    let w = Float64Array::from_iter_values((0..rows).map(|i| 0.5 + (i % 4) as f64));
    let label = StringArray::from_iter_values(
        (0..rows)
            .map(|i| ["setosa", "b, or \"not\"", "long enough to be no view"][(i % 3) as usize]),
    );
    table(vec![
        ("x", Arc::new(x)),
        ("y", Arc::new(y)),
        ("i", Arc::new(i)),
        ("few", Arc::new(few)),
        ("w", Arc::new(w)),
        ("label", Arc::new(label)),
    ])
}

/// Columns of every type, with gaps; some labels are not there.
pub(crate) fn typed(rows: i32) -> RecordBatch {
    let some = |i: i32, step: i32| i % step != 1;
    let n: Int64Array = (0..rows).map(|i| some(i, 9).then(|| i64::from(i % 6))).collect();
    let x: Float64Array = (0..rows).map(|i| some(i, 13).then(|| f64::from(i) / 8.0)).collect();
    let flag: BooleanArray = (0..rows).map(|i| some(i, 7).then_some(i % 3 == 0)).collect();
    let names = ["red", "green", "NA", " blue "];
    let names = (0..rows).map(|i| some(i, 5).then(|| names[(i % 4) as usize]));
    let name: DictionaryArray<Int32Type> = names.collect();
    let digits = (0..rows).map(|i| some(i, 4).then(|| format!("{}.5", i % 10)));
    let digits: StringViewArray = digits.collect();
    let said = |i: i32| format!("row {} says, it is {i} of {rows}", i % 20);
    let said: LargeStringArray = (0..rows).map(|i| some(i, 6).then(|| said(i))).collect();
    let empty = arrow_array::NullArray::new(rows as usize);
    let label = (0..rows).map(|i| some(i, 10).then_some(if i % 2 == 0 { "yes" } else { "no" }));
    let label: DictionaryArray<Int32Type> = label.collect();
    table(vec![
        ("n", Arc::new(n)),
        ("x", Arc::new(x)),
        ("flag", Arc::new(flag)),
        ("name", Arc::new(name)),
        ("digits", Arc::new(digits)),
        ("said", Arc::new(said)),
        ("empty", Arc::new(empty)),
        ("label", Arc::new(label)),
    ])
}

/// The same table as text.
pub(crate) fn csv(table: &RecordBatch) -> Vec<u8> {
    let schema = table.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let mut text = names.join(",");
    for row in 0..table.num_rows() {
        text.push('\n');
        let cells = table.columns().iter().map(|array| cell(array, row));
        text += &cells.collect::<Vec<_>>().join(",");
    }
    text.push('\n');
    text.into_bytes()
}

fn cell(array: &dyn Array, row: usize) -> String {
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::{Float64Type, Int8Type, Int64Type};
    if array.is_null(row) {
        return String::new();
    }
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    match array.data_type() {
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Int8 => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Utf8 => quoted(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => quoted(array.as_string::<i64>().value(row)),
        DataType::Utf8View => quoted(array.as_string_view().value(row)),
        DataType::Dictionary(..) => {
            let part = array.slice(row, 1);
            let dictionary = part.as_any_dictionary();
            cell(dictionary.values(), dictionary.normalized_keys()[0])
        }
        _ => String::new(),
    }
}
