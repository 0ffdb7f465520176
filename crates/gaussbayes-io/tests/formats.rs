//! Holds every format to one law: the same table gives the same blocks, bit by bit.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod written;

use std::path::Path;
use std::slice::from_ref;
use std::sync::Arc;

use arrow_array::{Float64Array, Int64Array, RecordBatch, StringArray};
use gaussbayes::{Cut as _, On, Pool, Source as _, Table, rows_per_block};
use gaussbayes_io::{ColumnType, Columns, Data, Error, Na, Reading, Types};
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use written::{Folder, batch, csv, typed};

fn columns() -> Columns {
    let (target, weights) = (Some("label".to_owned()), Some("w".to_owned()));
    Columns { target, weights, ..Columns::default() }
}

fn open(paths: &[&Path], columns: &Columns, reading: &Reading) -> Result<Data, Error> {
    let names: Vec<&str> = paths.iter().map(|path| path.to_str().unwrap()).collect();
    Data::open(&names, columns, reading, 1)
}

/// All blocks, as a model meets them.
fn blocks(data: &mut Data, rows: usize) -> Vec<Table> {
    let mut all = Vec::new();
    while let Some(cut) = data.next(rows).unwrap() {
        let mut table = Table::default();
        table.push_block(&cut.decode().unwrap());
        all.push(table);
    }
    all
}

fn read(path: &Path, columns: &Columns) -> Vec<Table> {
    let mut data = open(&[path], columns, &Reading::default()).unwrap();
    blocks(&mut data, 1000)
}

/// NaN equals itself here: gaps must be where they are.
fn assert_same(found: &[Table], expected: &[Table], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        let bits = |table: &Table| table.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(found), bits(expected), "{what}");
        let rest = |table: &Table| Table { values: Vec::new(), ..table.clone() };
        assert_eq!(rest(found), rest(expected), "{what}");
    }
}

const CODECS: [&str; 6] = ["none", "snappy", "gzip", "zstd", "lz4", "brotli"];

fn codec(name: &str) -> Compression {
    match name {
        "snappy" => Compression::SNAPPY,
        "gzip" => Compression::GZIP(GzipLevel::default()),
        "zstd" => Compression::ZSTD(ZstdLevel::default()),
        "lz4" => Compression::LZ4_RAW,
        "brotli" => Compression::BROTLI(BrotliLevel::default()),
        _ => Compression::UNCOMPRESSED,
    }
}

#[test]
fn every_format_gives_the_same_blocks() {
    let folder = Folder::new("same");
    let table = batch(3000);
    let text = folder.text("t.csv", &csv(&table));
    let expected = read(&text, &columns());
    assert_eq!(expected.iter().map(Table::rows).collect::<Vec<_>>(), [1000, 1000, 1000]);
    assert_eq!(expected[0].dictionary.len(), 3);
    let mut paths =
        vec![folder.gz("t.csv.gz", &csv(&table)), folder.zst("t.csv.zst", &csv(&table))];
    for name in CODECS {
        paths.push(folder.parquet(&format!("{name}.parquet"), from_ref(&table), codec(name), 700));
    }
    // Batches of one row, and of none, are batches.
    let pieces: Vec<RecordBatch> = [(0, 1), (1, 0), (1, 1), (2, 1500), (1502, 1498)]
        .iter()
        .map(|&(start, length)| table.slice(start, length))
        .collect();
    paths.push(folder.arrow("t.arrow", &pieces));
    paths.push(folder.stream("t.arrows", &pieces));
    paths.push(folder.gz("t.arrows.gz", &std::fs::read(paths.last().unwrap()).unwrap()));
    for path in &paths {
        assert_same(&read(path, &columns()), &expected, &path.display().to_string());
    }
}

#[test]
fn columns_are_taken_by_name_in_any_order_and_others_are_not_read() {
    let folder = Folder::new("some");
    let table = batch(40);
    let some = Columns {
        features: vec!["i".into(), "x".into()],
        target: Some("label".into()),
        ..Columns::default()
    };
    let expected = read(&folder.text("t.csv", &csv(&table)), &some);
    for path in [
        folder.parquet("t.parquet", from_ref(&table), codec("zstd"), 16),
        folder.arrow("t.arrow", from_ref(&table)),
        folder.stream("t.arrows", &[table]),
    ] {
        assert_same(&read(&path, &some), &expected, &path.display().to_string());
    }
}

#[test]
fn typed_columns_with_gaps_are_the_same_in_every_format() {
    let folder = Folder::new("typed");
    let table = typed(500);
    let text = folder.text("t.csv", &csv(&table));
    for types in [
        Types::Recognised(Vec::new()),
        Types::Recognised(vec![
            ("flag".into(), ColumnType::Category),
            ("n".into(), ColumnType::Count),
        ]),
    ] {
        let columns =
            Columns { target: Some("label".into()), types, unlabelled: true, ..Columns::default() };
        let expected = open(&[&text], &columns, &Reading::default()).unwrap();
        let kinds = expected.types().unwrap().to_vec();
        let expected = read(&text, &columns);
        for path in [
            folder.parquet("t.parquet", from_ref(&table), codec("snappy"), 90),
            folder.arrow("t.arrow", &[table.slice(0, 77), table.slice(77, 423)]),
            folder.stream("t.arrows", &[table.slice(0, 77), table.slice(77, 423)]),
        ] {
            let data = open(&[&path], &columns, &Reading::default()).unwrap();
            assert_eq!(data.types().unwrap(), kinds);
            assert_same(&read(&path, &columns), &expected, &path.display().to_string());
        }
    }
}

#[test]
fn files_of_several_formats_are_one_table_and_are_read_again() {
    let folder = Folder::new("mixed");
    let table = batch(1200);
    let expected = read(&folder.text("t.csv", &csv(&table)), &columns());
    let parts = [
        folder.parquet("1.parquet", &[table.slice(0, 300)], codec("none"), 64),
        folder.text("2.csv", &csv(&table.slice(300, 333))),
        folder.arrow("3.arrow", &[table.slice(633, 1), table.slice(634, 99)]),
        folder.stream("4.arrows", &[table.slice(733, 400)]),
        folder.gz("5.csv.gz", &csv(&table.slice(1133, 67))),
    ];
    let paths: Vec<&Path> = parts.iter().map(std::path::PathBuf::as_path).collect();
    let mut data = open(&paths, &columns(), &Reading::default()).unwrap();
    let found = blocks(&mut data, 1000);
    assert_same(&found, &expected, "mixed");
    data.rewind().unwrap();
    assert_same(&blocks(&mut data, 1000), &expected, "again");
    let whole = data_of(&paths);
    assert_eq!(whole.rows(), 1200);
}

fn data_of(paths: &[&Path]) -> Table {
    let data = open(paths, &columns(), &Reading::default()).unwrap();
    data.read(On::pool(&Pool::new(2).unwrap())).unwrap()
}

#[test]
fn rows_with_gaps_are_left_out_alike() {
    let folder = Folder::new("gaps");
    let x = (0..600).map(|i| (i % 7 != 3).then(|| f64::from(i) / 3.0));
    let x: Float64Array = x.collect();
    let n: Int64Array = (0..600).map(|i| (i % 11 != 5).then_some(i)).collect();
    let label = StringArray::from_iter_values((0..600).map(|i| format!("c{}", i % 2)));
    let table =
        written::table(vec![("x", Arc::new(x)), ("n", Arc::new(n)), ("label", Arc::new(label))]);
    let columns = Columns { target: Some("label".into()), ..Columns::default() };
    let reading = Reading { na: Na::Drop, ..Reading::default() };
    let of = |path: &Path| {
        let mut data = open(&[path], &columns, &reading).unwrap();
        let found = blocks(&mut data, 100);
        (found, data.findings().dropped())
    };
    let (expected, dropped) = of(&folder.text("t.csv", &csv(&table)));
    assert!(
        dropped > 100 && expected.iter().map(Table::rows).sum::<usize>() + dropped as usize == 600
    );
    for path in [
        folder.parquet("t.parquet", from_ref(&table), codec("none"), 50),
        folder.arrow("t.arrow", from_ref(&table)),
    ] {
        let (found, count) = of(&path);
        assert_eq!(count, dropped);
        assert_same(&found, &expected, &path.display().to_string());
        let error = open(&[&path], &columns, &Reading::default())
            .unwrap()
            .read(On::pool(&Pool::new(2).unwrap()));
        let error = error.unwrap_err().to_string();
        assert!(error.ends_with("row 4, column 'x': an empty cell is not a number"), "{error}");
    }
}

#[test]
fn arrays_of_numpy_give_the_same_numbers() {
    let folder = Folder::new("npy");
    let (rows, names) = (2500_usize, ["a", "b", "label"]);
    let value =
        |i: usize, j: usize| if j == 2 { (i % 3) as f64 } else { (i * (j + 2)) as f64 / 7.0 };
    let mut text = format!("{}\n", names.join(","));
    for i in 0..rows {
        text += &format!("{},{},{}\n", value(i, 0), value(i, 1), value(i, 2));
    }
    let columns = Columns { target: Some("label".into()), ..Columns::default() };
    let expected = read(&folder.text("t.csv", text.as_bytes()), &columns);
    let reading = Reading { names: names.map(String::from).to_vec(), ..Reading::default() };
    let by_rows = (0..rows).flat_map(|i| (0..3).map(move |j| (i, j)));
    let by_columns = (0..3).flat_map(|j| (0..rows).map(move |i| (i, j)));
    let little: Vec<u8> = by_rows.clone().flat_map(|(i, j)| value(i, j).to_le_bytes()).collect();
    let great: Vec<u8> = by_columns.flat_map(|(i, j)| value(i, j).to_be_bytes()).collect();
    let paths = [
        folder.npy("c.npy", "<f8", false, "(2500, 3)", &little),
        folder.npy("f.npy", ">f8", true, "(2500, 3)", &great),
    ];
    let packed = folder.gz("c.npy.gz", &std::fs::read(&paths[0]).unwrap());
    for path in paths.iter().chain([&packed]) {
        let mut data = open(&[path], &columns, &reading).unwrap();
        assert_same(&blocks(&mut data, 1000), &expected, &path.display().to_string());
        data.rewind().unwrap();
        assert_same(&blocks(&mut data, 1000), &expected, "again");
    }
    let place = Columns { target: Some("3".into()), ..Columns::default() };
    let data = open(&[&paths[0]], &place, &Reading::default()).unwrap();
    assert_eq!(
        (data.features(), data.target()),
        (&["x1".to_owned(), "x2".to_owned()][..], Some("x3"))
    );
    for (name, bytes) in [("short.npy", &little[1..]), ("long.npy", &[&little[..], b"x"].concat())]
    {
        let path = folder.npy(name, "<f8", false, "(2500, 3)", bytes);
        let error = open(&[&path], &columns, &reading).unwrap_err().to_string();
        assert!(error.ends_with("is damaged: it is not as long as its header says"), "{error}");
        let packed = folder.gz(&format!("{name}.gz"), &std::fs::read(&path).unwrap());
        let data = open(&[&packed], &columns, &reading).unwrap();
        assert!(data.read(On::pool(&Pool::new(1).unwrap())).is_err(), "{name}");
    }
}

#[test]
fn a_large_batch_of_an_arrow_file_is_read_in_parts() {
    let folder = Folder::new("large");
    let table = batch(600_000);
    let at_once = folder.arrow("t.arrow", from_ref(&table));
    assert!(std::fs::metadata(&at_once).unwrap().len() > 24 << 20);
    let pieces: Vec<RecordBatch> = (0..60).map(|k| table.slice(k * 10_000, 10_000)).collect();
    let in_pieces = folder.arrow("p.arrow", &pieces);
    let rows = rows_per_block(4);
    let found = |path: &Path| {
        let mut data = open(&[path], &columns(), &Reading::default()).unwrap();
        blocks(&mut data, rows)
    };
    assert_same(&found(&at_once), &found(&in_pieces), "in parts");
}
