//! Holds binary files to good manners: what is wrong with them is said by name, and nothing panics.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod written;

use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Float64Array, Int64Array, ListArray,
    RecordBatch, StringArray,
};
use arrow_schema::Schema;
use gaussbayes::{On, Pool, Table};
use gaussbayes_io::{Columns, Data, Error, FileRefusal, Kind, Reading};
use parquet::basic::Compression;
use written::{Folder, batch, csv, table, typed};

fn read_as(path: &Path, columns: &Columns, reading: &Reading) -> Result<Table, Error> {
    let data = Data::open(&[path.to_str().unwrap()], columns, reading, 1)?;
    data.read(On::pool(&Pool::new(1)?))
}

fn read(path: &Path, columns: &Columns) -> Result<Table, Error> {
    read_as(path, columns, &Reading::default())
}

fn labelled() -> Columns {
    Columns { target: Some("label".into()), ..Columns::default() }
}

fn message(error: &Error) -> String {
    let text = error.to_string();
    assert!(!text.contains('\n') && !text.ends_with('.'), "{text}");
    assert!(error.hint().is_some(), "{text}");
    text.rsplit('/').next().unwrap_or_default().to_owned()
}

fn plain(folder: &Folder, name: &str, table: &RecordBatch) -> PathBuf {
    folder.parquet(name, from_ref(table), Compression::UNCOMPRESSED, 1000)
}

fn small(column: ArrayRef) -> RecordBatch {
    let x: ArrayRef = Arc::new(Float64Array::from_iter_values((0..column.len()).map(|i| i as f64)));
    table(vec![("x", x), ("label", column)])
}

#[test]
fn a_damaged_file_is_refused_and_never_panics() {
    let folder = Folder::new("damaged");
    let table = typed(60);
    let columns = Columns { features: vec!["n".into(), "x".into(), "name".into()], ..labelled() };
    let mixed = Columns {
        types: gaussbayes_io::Types::Recognised(Vec::new()),
        unlabelled: true,
        ..columns
    };
    let npy = folder.npy("t.npy", "<f8", false, "(20, 2)", &[0x3F; 320]);
    for (path, columns) in [
        (folder.parquet("t.parquet", from_ref(&table), Compression::SNAPPY, 16), &mixed),
        (folder.arrow("t.arrow", &[table.slice(0, 9), table.slice(9, 51)]), &mixed),
        (folder.stream("t.arrows", &[table.slice(0, 9), table.slice(9, 51)]), &mixed),
        (npy, &Columns::default()),
    ] {
        let name = path.display().to_string();
        let whole = std::fs::read(&path).unwrap();
        read(&path, columns).unwrap();
        for cut in (1..24).map(|k| whole.len() * k / 24).chain([whole.len() - 1]) {
            let cut = folder.text("cut", &whole[..cut]);
            // A stream may end behind any message.
            if let Err(error) = read(&cut, columns) {
                message(&error);
            } else {
                assert!(name.ends_with("arrows"), "{name}");
            }
        }
        let (mut state, mut refused) = (1_u64, 0);
        for _ in 0..300 {
            let mut bytes = whole.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = 8 + (state >> 33) as usize % (whole.len() - 8);
                bytes[at] = [0, 0xFF, 0x7F, 0x80, (state >> 20) as u8][(state >> 28) as usize % 5];
            }
            let damaged = folder.text("damaged", &bytes);
            if let Err(error) = read(&damaged, columns) {
                message(&error);
                refused += 1;
            }
        }
        assert!(refused > 0, "{name}");
    }
}

#[test]
fn columns_that_are_no_numbers_names_or_words_are_refused_when_they_are_chosen() {
    let folder = Folder::new("types");
    let times: ArrayRef = Arc::new(Date32Array::from_iter_values(0..4));
    let lists = (0..4).map(|i| Some(vec![Some(i)]));
    let lists: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int32Type, _, _>(lists));
    let bytes: ArrayRef = Arc::new(BinaryArray::from_iter_values(["a"; 4]));
    let number: ArrayRef = Arc::new(Float64Array::from_iter_values((0..4).map(f64::from)));
    let table = table(vec![("x", number), ("a b", times), ("lists", lists), ("bytes", bytes)]);
    for path in [plain(&folder, "t.parquet", &table), folder.arrow("t.arrow", &[table])] {
        for (column, holds) in [("a b", "times"), ("lists", "nested values"), ("bytes", "bytes")] {
            let chosen =
                Columns { features: vec!["x".into(), column.into()], ..Columns::default() };
            let error = read(&path, &chosen).unwrap_err();
            assert!(
                message(&error).ends_with(&format!("column '{column}' holds {holds}")),
                "{error}"
            );
            assert_eq!(error.kind(), Kind::Data);
            let target = Columns {
                features: vec!["x".into()],
                target: Some(column.into()),
                ..Columns::default()
            };
            assert!(matches!(read(&path, &target), Err(Error::File(FileRefusal::Column { .. }))));
        }
        let others = ["a b", "lists", "bytes"].map(String::from).to_vec();
        let rest = Columns { drop: others, ..Columns::default() };
        assert_eq!(read(&path, &rest).unwrap().values, [0.0, 1.0, 2.0, 3.0]);
        let error = read(&path, &Columns::default()).unwrap_err();
        assert!(error.hint().unwrap().ends_with("--drop 'a b'"), "{error}");
    }
}

#[test]
fn labels_are_spelled_as_in_csv() {
    let folder = Folder::new("labels");
    let names = |column: ArrayRef| {
        let path = plain(&folder, "l.parquet", &small(column));
        read(&path, &labelled()).map(|table| {
            let codes = table.codes.unwrap();
            codes
                .iter()
                .map(|code| table.dictionary[*code as usize].to_string())
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(names(Arc::new(Int64Array::from(vec![3, -1, 3]))).unwrap(), ["3", "-1", "3"]);
    assert_eq!(names(Arc::new(BooleanArray::from(vec![true, false]))).unwrap(), ["true", "false"]);
    let zeros = Float64Array::from(vec![1.0, -0.0, 0.0]);
    assert_eq!(names(Arc::new(zeros)).unwrap(), ["1", "0", "0"]);
    let error = names(Arc::new(Float64Array::from(vec![1.0, 0.5]))).unwrap_err();
    let text = message(&error);
    assert_eq!(
        text,
        "l.parquet, row 2, column 'label': '0.5' is no label: it is not a whole number"
    );
    for none in [
        Arc::new(StringArray::from(vec![Some("a"), None])) as ArrayRef,
        Arc::new(StringArray::from(vec!["a", ""])),
        Arc::new(Float64Array::from(vec![1.0, f64::NAN])),
    ] {
        let error = names(none).unwrap_err();
        assert_eq!(message(&error), "l.parquet, row 2, column 'label': the row has no label");
    }
}

#[test]
fn a_value_that_is_wrong_is_named_by_row_and_column() {
    let folder = Folder::new("cells");
    let labels: ArrayRef = Arc::new(StringArray::from(vec!["1", "2.5", "x", "y"]));
    let path = folder.arrow("t.arrow", &[small(labels.clone()), small(labels)]);
    let error = read(&path, &Columns::default()).unwrap_err();
    assert_eq!(message(&error), "t.arrow, row 3, column 'label': 'x' is not a number");
    assert_eq!(error.excerpt(), None);
    let weights: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, -3.0, 1.0]));
    let path = plain(&folder, "w.parquet", &small(weights));
    let weighted = Columns { weights: Some("label".into()), ..Columns::default() };
    let error = read(&path, &weighted).unwrap_err();
    assert!(message(&error).starts_with("w.parquet, row 3, column 'label': '-3' is neither"));
    let endless: ArrayRef = Arc::new(Float64Array::from(vec![1.0, f64::INFINITY]));
    let error =
        read(&plain(&folder, "i.parquet", &small(endless)), &Columns::default()).unwrap_err();
    assert_eq!(message(&error), "i.parquet, row 2, column 'label': 'inf' is not a finite number");
}

#[test]
fn numbers_that_stand_for_nothing_do_so_in_every_format() {
    let folder = Folder::new("words");
    let gaps: ArrayRef = Arc::new(Float64Array::from(vec![1.0, -999.0, 3.0]));
    let table = small(gaps);
    let reading = Reading {
        missing: Some(vec!["-999".into()]),
        na: gaussbayes_io::Na::Drop,
        ..Reading::default()
    };
    for path in [folder.text("t.csv", &csv(&table)), plain(&folder, "t.parquet", &table)] {
        let found = read_as(&path, &Columns::default(), &reading).unwrap();
        assert_eq!(found.values, [0.0, 1.0, 2.0, 3.0], "{}", path.display());
    }
}

#[test]
fn files_that_are_read_from_their_end_are_no_streams() {
    let folder = Folder::new("streams");
    let table = batch(10);
    for (path, holds) in [
        (plain(&folder, "t.parquet", &table), "a Parquet file"),
        (folder.arrow("t.arrow", from_ref(&table)), "an Arrow file"),
        (folder.npy("t.npy", "<f8", true, "(2, 2)", &[0; 32]), "an array in Fortran order"),
    ] {
        let packed = folder.gz("t.gz", &std::fs::read(&path).unwrap());
        let error = read(&packed, &Columns::default()).unwrap_err();
        assert_eq!(
            message(&error),
            format!("t.gz holds {holds}, which cannot be read as it streams by")
        );
    }
}

#[test]
fn tables_without_rows_or_columns_and_twins_are_refused() {
    let folder = Folder::new("empty");
    let none = batch(5).slice(0, 0);
    for path in [
        plain(&folder, "t.parquet", &none),
        folder.arrow("t.arrow", from_ref(&none)),
        folder.stream("t.arrows", &[none]),
    ] {
        assert!(matches!(read(&path, &labelled()), Err(Error::HeaderOnly { .. })));
    }
    let bare = RecordBatch::new_empty(Arc::new(Schema::empty()));
    for path in [folder.arrow("0.arrow", from_ref(&bare)), plain(&folder, "0.parquet", &bare)] {
        assert!(matches!(read(&path, &Columns::default()), Err(Error::NoFeatures { .. })));
    }
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
    let twins = table(vec![("x", x.clone()), ("x", x)]);
    for path in [folder.arrow("2.arrow", from_ref(&twins)), plain(&folder, "2.parquet", &twins)] {
        assert!(matches!(read(&path, &Columns::default()), Err(Error::DuplicateColumn { .. })));
    }
}

#[test]
fn the_index_of_a_pandas_table_is_no_feature_unless_it_is_named() {
    let folder = Folder::new("pandas");
    let index: ArrayRef = Arc::new(Float64Array::from(vec![7.0, 8.0]));
    let table = small(index);
    let notes = r#"{"index_columns": ["label"]}"#.to_owned();
    let schema = table
        .schema()
        .as_ref()
        .clone()
        .with_metadata(std::collections::HashMap::from([("pandas".to_owned(), notes)]));
    let table = RecordBatch::try_new(Arc::new(schema), table.columns().to_vec()).unwrap();
    for path in [plain(&folder, "t.parquet", &table), folder.arrow("t.arrow", &[table])] {
        assert_eq!(read(&path, &Columns::default()).unwrap().values, [0.0, 1.0]);
        let named = Columns { features: vec!["label".into()], ..Columns::default() };
        assert_eq!(read(&path, &named).unwrap().values, [7.0, 8.0]);
    }
}
