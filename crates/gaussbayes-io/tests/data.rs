//! Opens data as a user does: files, built-in sets and tables in memory.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::PathBuf;

use gaussbayes::{On, Pool, Source as _, Table, banana};
use gaussbayes_io::{Columns, Data, Error, Kind, Reading, names, usual_target};

fn columns(target: &str) -> Columns {
    Columns { target: Some(target.into()), ..Columns::default() }
}

fn read(name: &str, columns: &Columns, threads: usize) -> Result<Table, Error> {
    Data::open(&[name], columns, &Reading::default(), 1)?.read(On::pool(&Pool::new(threads)?))
}

/// A file in the folder of temporary files, with a name of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("gaussbayes-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn every_built_in_set_is_read() {
    for (name, rows, dim, classes) in
        [("banana", 2000, 2, 2), ("faithful", 272, 2, 0), ("iris", 150, 4, 3), ("wine", 178, 13, 3)]
    {
        assert!(names().contains(&name));
        let target = usual_target(name);
        let columns = Columns { target: target.map(str::to_owned), ..Columns::default() };
        let table = read(name, &columns, 2).unwrap();
        let found = (table.rows(), table.dim, table.dictionary.len());
        assert_eq!(found, (rows, dim, classes), "{name}");
    }
}

#[test]
fn the_banana_set_is_the_generated_one_to_the_bit() {
    let table = read("banana", &columns("class"), 1).unwrap();
    assert_eq!(table, banana(1000, 1));
    let chosen = Columns { features: vec!["x2".into()], ..columns("class") };
    let data = Data::open(&["banana"], &chosen, &Reading::default(), 7).unwrap();
    assert_eq!(data.features(), ["x2"]);
    let table = data.read(On::pool(&Pool::new(1).unwrap())).unwrap();
    let second: Vec<f64> = banana(1000, 7).values.chunks(2).map(|row| row[1]).collect();
    assert_eq!(table.values, second);
}

#[test]
fn threads_do_not_change_what_is_read() {
    let mut text = String::from("x,y,class\n");
    for i in 0..40_000 {
        writeln!(text, "{i},{},c{}", f64::from(i) / 3.0, i % 7).unwrap();
    }
    let path = file("many.csv", &text);
    let name = path.to_str().unwrap();
    let one = read(name, &columns("class"), 1).unwrap();
    assert_eq!(one.rows(), 40_000);
    assert_eq!(one.values[2 * 39_999 + 1], 39_999.0 / 3.0);
    assert_eq!(one, read(name, &columns("class"), 4).unwrap());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_earliest_fault_is_reported_for_any_number_of_threads() {
    let mut text = String::from("x\n");
    for i in 0..60_000 {
        text.push_str(if i == 20_000 || i == 50_000 { "abc\n" } else { "1\n" });
    }
    text.push_str("\"open");
    let path = file("faults.csv", &text);
    for threads in [1, 2, 5] {
        let error = read(path.to_str().unwrap(), &Columns::default(), threads).unwrap_err();
        assert!(error.to_string().contains("line 20002, column 'x': 'abc'"), "{error}");
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn tabs_separate_the_fields_of_a_tsv_file() {
    let path = file("t.TSV", "x\ty z\n1\t2\n");
    let data =
        Data::open(&[path.to_str().unwrap()], &Columns::default(), &Reading::default(), 1).unwrap();
    assert_eq!(data.features(), ["x", "y z"]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_is_read_again_after_a_rewind() {
    let path = file("again.csv", "x\n1\n2\n");
    let mut data =
        Data::open(&[path.to_str().unwrap()], &Columns::default(), &Reading::default(), 1).unwrap();
    while data.next(1).unwrap().is_some() {}
    data.rewind().unwrap();
    let table = data.read(On::pool(&Pool::new(1).unwrap())).unwrap();
    assert_eq!(table.values, [1.0, 2.0]);
    std::fs::remove_file(path).unwrap();
}

/// A file of the test's own, with some rows.
fn rows_of(name: &str, count: usize) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let rows: String = (0..count).map(|i| format!("{i},{}\n", i * 7 % 11)).collect();
    std::fs::write(&path, format!("x,y\n{rows}")).unwrap();
    path
}

#[test]
fn a_file_that_becomes_shorter_while_it_is_read_is_an_error() {
    let path = rows_of("shrinks.csv", 200_000);
    let name = path.to_str().unwrap();
    let mut data = Data::open(&[name], &Columns::default(), &Reading::default(), 1).unwrap();
    assert!(data.next(8192).unwrap().is_some());
    std::fs::File::options().write(true).open(&path).unwrap().set_len(700_000).unwrap();
    let error = loop {
        match data.next(8192) {
            Ok(cut) => assert!(cut.is_some(), "the end came as if nothing had happened"),
            Err(error) => break error,
        }
    };
    let sentence = error.to_string();
    assert!(sentence.contains("it became shorter while it was read"), "{sentence}");
    assert_eq!(error.kind(), Kind::Failure);
    assert_eq!(error.hint().unwrap(), "wait until the file is written, and begin anew");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_was_written_between_two_passes_is_an_error() {
    let path = rows_of("changes.csv", 100);
    let name = path.to_str().unwrap();
    let mut data = Data::open(&[name], &Columns::default(), &Reading::default(), 1).unwrap();
    while data.next(64).unwrap().is_some() {}
    data.rewind().unwrap();
    rows_of("changes.csv", 101);
    let error = data.rewind().unwrap_err();
    assert_eq!(error.to_string(), format!("{name} has changed while it was read"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_name_that_is_nothing_suggests_a_built_in_set() {
    let error = Data::open(&["irs"], &Columns::default(), &Reading::default(), 1).unwrap_err();
    assert_eq!(error.to_string(), "there is no file 'irs'");
    assert_eq!(error.hint().unwrap(), "did you mean 'iris'?");
    assert_eq!(error.kind(), Kind::Failure);
    let error = Data::open(&["./iris"], &Columns::default(), &Reading::default(), 1).unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    let folder = Data::open(&["."], &Columns::default(), &Reading::default(), 1).unwrap_err();
    assert_eq!(folder.to_string(), ". is a folder, not a file");
}

#[test]
fn a_column_the_user_named_is_a_matter_of_usage_and_one_the_model_needs_of_data() {
    let error = Data::open(&["iris"], &columns("specis"), &Reading::default(), 1).unwrap_err();
    assert_eq!(error.kind(), Kind::Usage);
    let model = Columns::exactly(&["petal_lenght".to_owned()]);
    let error = Data::open(&["iris"], &model, &Reading::default(), 1).unwrap_err();
    assert_eq!(error.kind(), Kind::Data);
    assert_eq!(error.hint().unwrap(), "did you mean 'petal_length'?");
}

#[test]
fn a_model_reads_its_features_in_its_order_and_nothing_else() {
    let model = Columns::exactly(&["petal_width".to_owned(), "sepal_length".to_owned()]);
    let table = read("iris", &model, 1).unwrap();
    assert_eq!(table.values[..2], [0.2, 5.1]);
    assert_eq!(table.codes, None);
}
