//! Holds CSV reading to its grammar, for every size of reads and of cuts.

use std::fmt::Write as _;

use gaussbayes::{Cut as _, Random, Source as _};

use crate::columns::Columns;
use crate::error::{Error, Kind};
use crate::open::Data;
use crate::reading::Reading;

/// A row as text: numbers, then weight, then label.
type Row = (Vec<f64>, f64, Option<String>);

const CHUNKS: [usize; 7] = [1, 2, 3, 5, 7, 64, 4096];

fn labelled() -> Columns {
    Columns { target: Some("class".into()), ..Columns::default() }
}

fn weighted() -> Columns {
    Columns { weights: Some("w".into()), ..labelled() }
}

fn read(text: &[u8], columns: &Columns, chunk: usize, rows: usize) -> Result<Vec<Row>, Error> {
    let mut source = Data::from_chunks("t.csv", text, columns, &Reading::default(), chunk)?;
    let mut all = Vec::new();
    let mut last = rows;
    while let Some(cut) = source.next(rows)? {
        assert_eq!(last, rows, "only the last cut is short");
        let block = cut.decode()?;
        assert_eq!(block.first_row(), all.len() as u64);
        last = block.rows().count();
        for i in 0..last {
            let mut row = vec![0.0; source.dim()];
            block.rows().read(i, &mut row);
            let label = block.label(i).ok().map(ToString::to_string);
            all.push((row, block.weight(i), label));
        }
    }
    assert!(source.next(rows)?.is_none());
    Ok(all)
}

fn fault(text: &str, columns: &Columns) -> Error {
    let error = read(text.as_bytes(), columns, 4096, 100).unwrap_err();
    for chunk in CHUNKS {
        for rows in [1, 2, 100] {
            let other = read(text.as_bytes(), columns, chunk, rows).unwrap_err();
            assert_eq!(other, error, "chunk {chunk}, rows {rows}");
        }
    }
    let sentence = error.to_string();
    assert!(!sentence.contains('\n') && !sentence.ends_with('.'), "{sentence}");
    error
}

fn row(values: &[f64], label: &str) -> Row {
    (values.to_vec(), 1.0, Some(label.to_owned()))
}

#[test]
fn the_same_rows_for_any_size_of_reads_and_cuts() {
    let text = "\u{feff}x,\"y\",class\r\n1,2,a\r\n\r\n\n3 , \t4,\"b, or\r\nnot\"\n\
                \"5\",6e0,say \"no\"\n\n7,8,\"say \"\"no\"\"\"\n-.5,+1.,é\r";
    let expected = [
        row(&[1.0, 2.0], "a"),
        row(&[3.0, 4.0], "b, or\r\nnot"),
        row(&[5.0, 6.0], "say \"no\""),
        row(&[7.0, 8.0], "say \"no\""),
        row(&[-0.5, 1.0], "é"),
    ];
    for chunk in CHUNKS {
        for rows in [1, 2, 3, 4, 5, 6, 100] {
            let found = read(text.as_bytes(), &labelled(), chunk, rows).unwrap();
            assert_eq!(found, expected, "chunk {chunk}, rows {rows}");
        }
    }
}

#[test]
fn what_is_written_is_read_back() {
    let letters = ['a', 'é', ' ', ',', '"', '\n', '\r', '\t', '1', '.'];
    let mut random = Random::new(7, 0);
    for _ in 0..200 {
        let mut text = String::from("x,class\n");
        let mut expected = Vec::new();
        for _ in 0..=random.below(6) {
            let length = random.below(8) + 1;
            let label: String =
                (0..length).map(|_| letters[random.below(letters.len() as u64) as usize]).collect();
            let value = random.normal_pair().0;
            writeln!(text, "{value},\"{}\"", label.replace('"', "\"\"")).unwrap();
            expected.push(row(&[value], &label));
        }
        let (chunk, rows) = (random.below(9) + 1, random.below(4) + 1);
        let found = read(text.as_bytes(), &labelled(), chunk as usize, rows as usize).unwrap();
        assert_eq!(found, expected, "{text:?}");
    }
}

#[test]
fn records_are_counted_across_reads_and_quoted_newlines() {
    let mut text = String::from("x,class\n");
    for i in 0..500 {
        writeln!(text, "{i},\"a\nb{}\"", i % 3).unwrap();
    }
    for (chunk, rows) in [(1, 7), (16, 64), (100, 128), (4096, 499), (4096, 500)] {
        let found = read(text.as_bytes(), &labelled(), chunk, rows).unwrap();
        assert_eq!(found.len(), 500);
        assert!(found.iter().enumerate().all(|(i, (row, ..))| row[0] == i as f64));
    }
}

#[test]
fn weights_are_read_and_checked() {
    let text = "w,x,class\n2,1,a\n0.5,2,b\n";
    let found = read(text.as_bytes(), &weighted(), 4096, 9).unwrap();
    assert_eq!(found[0], (vec![1.0], 2.0, Some("a".into())));
    assert_eq!(found[1].1, 0.5);
    for word in ["-1", "abc", "", "inf", "NaN"] {
        let error = fault(&format!("w,x,class\n1,1,a\n{word},2,b\n"), &weighted());
        assert!(matches!(error, Error::BadWeight { ref cell } if cell.line == 3), "{error}");
        assert_eq!(error.kind(), Kind::Data);
    }
}

#[test]
fn a_word_is_named_with_file_line_and_column() {
    let error = fault("petal_width,class\n1,a\n\n\"2\",\"b\nc\"\nabc,d\n", &labelled());
    assert_eq!(error.to_string(), "t.csv, line 6, column 'petal_width': 'abc' is not a number");
    let hint = "mend the cell, or fit with --drop petal_width, or with --model naive-bayes, which takes words";
    assert_eq!(error.hint().unwrap(), hint);
    assert_eq!(error.excerpt().unwrap(), "abc,d\n^^^");
    assert_eq!(error.kind(), Kind::Data);
}

#[test]
fn a_cell_in_the_second_line_of_its_record_is_found_there() {
    let error = fault("class,x\n\"a\nb\",1 000\n", &labelled());
    assert!(error.to_string().starts_with("t.csv, line 3, column 'x': '1 000' is"), "{error}");
    assert_eq!(error.excerpt().unwrap(), "b\",1 000\n   ^^^^^");
}

#[test]
fn missing_values_are_refused_by_name() {
    for word in ["", " ", "NA", "NaN", "nan", "?", "null", "N/A"] {
        let error = fault(&format!("x,class\n1,a\n{word},b\n"), &labelled());
        assert!(matches!(error, Error::NotANumber { ref cell } if cell.line == 3), "{error}");
        assert!(error.hint().unwrap().starts_with("missing values are refused"), "{word}");
    }
    let empty = fault("x,y\n,2\n", &Columns::default());
    assert_eq!(empty.to_string(), "t.csv, line 2, column 'x': an empty cell is not a number");
    assert_eq!(empty.excerpt().unwrap(), ",2\n^");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for word in ["inf", "-Infinity", "1e400"] {
        let error = fault(&format!("x,class\n1,a\n{word},b\n"), &labelled());
        let text = format!("t.csv, line 3, column 'x': '{word}' is not a finite number");
        assert_eq!(error.to_string(), text);
        assert!(matches!(error, Error::NotFinite { value, .. } if value.is_infinite()));
    }
    let found = read(b"x\n1e308\n4.9e-324\n1e-400\n0.1\n", &Columns::default(), 8, 9).unwrap();
    let values: Vec<f64> = found.iter().map(|(row, ..)| row[0]).collect();
    assert_eq!(values, [1e308, f64::from_bits(1), 0.0, 0.1]);
}

#[test]
fn the_first_faulty_record_is_reported() {
    let error = fault("x,class\n1,a\ninf,b\nabc,c\n4\n", &labelled());
    assert!(matches!(error, Error::NotFinite { ref cell, .. } if cell.line == 3), "{error}");
    let error = fault("x,class\n1,a\nabc,b\n2,\"c\n", &labelled());
    assert!(matches!(error, Error::NotANumber { ref cell } if cell.line == 3), "{error}");
}

#[test]
fn records_have_as_many_fields_as_the_header() {
    let short = fault("x,y,class\n1,2,a\n3,b\n", &labelled());
    assert_eq!(short.to_string(), "t.csv, line 3: 2 fields where the header has 3");
    // The word is a symptom; the number of fields is the cause.
    let long = fault("x,y,class\n1,abc,2,a\n", &labelled());
    assert!(matches!(long, Error::Ragged { line: 2, found: 4, expected: 3, .. }), "{long}");
    assert!(matches!(fault("x,y\n1,2\n \n", &Columns::default()), Error::Ragged { .. }));
}

#[test]
fn empty_texts_are_told_apart() {
    for text in ["", "\n\r\n", "\u{feff}"] {
        let error = fault(text, &labelled());
        assert_eq!(error.to_string(), "t.csv is empty", "{text:?}");
    }
    let error = fault("x,class\r\n\n", &labelled());
    assert_eq!(error.to_string(), "t.csv has a header but no rows");
}

#[test]
fn columns_have_different_names() {
    let error = fault("x,y, x \n1,2,3\n", &Columns::default());
    assert_eq!(error.to_string(), "t.csv: columns 1 and 3 have the same name 'x'");
}

#[test]
fn names_on_several_lines_are_shown_on_one() {
    let error = fault("\"height\n(cm)\",class\ntall,a\n", &labelled());
    assert!(error.to_string().contains("column 'height (cm)'"), "{error}");
    let error = fault("\"x\ny\",\"x\ny\",class\n1,2,a\n", &labelled());
    assert!(error.to_string().contains("the same name 'x y'"), "{error}");
    let error = fault("\"Class\n\",x\na,1\n", &Columns { target: Some("q".into()), ..labelled() });
    assert!(!error.hint().unwrap().contains('\n'), "{error}");
}

#[test]
fn quotes_must_close_and_end_their_field() {
    let error = fault("x,class\n1,a\n2,\"b\n3,c\n", &labelled());
    assert_eq!(error.to_string(), "t.csv, line 3: a quote is opened and not closed");
    let error = fault("x,class\n1,\"a\"b\n", &labelled());
    assert_eq!(error.to_string(), "t.csv, line 2, column 'class': text follows the closing quote");
    let error = fault("x,class\n\"1\"2,a\n", &labelled());
    assert!(matches!(error, Error::TextAfterQuote { .. }), "{error}");
}

#[test]
fn every_row_has_a_label_where_there_is_a_target() {
    for cell in ["", "\"\""] {
        let error = fault(&format!("x,class\n1,a\n2,{cell}\n"), &labelled());
        assert_eq!(error.to_string(), "t.csv, line 3, column 'class': the row has no label");
    }
    let found = read(b"x,class\n1, a \n", &labelled(), 8, 9).unwrap();
    assert_eq!(found[0].2.as_deref(), Some(" a "), "labels are kept as they stand");
}

#[test]
fn an_empty_label_is_none_where_rows_may_have_none() {
    let partly = Columns { unlabelled: true, ..labelled() };
    let found = read(b"x,class\n1,a\n2,\n3,\"\"\n4,NA\n", &partly, 8, 9).unwrap();
    let labels: Vec<Option<&str>> = found.iter().map(|row| row.2.as_deref()).collect();
    // A word is a class, whatever it means to others.
    assert_eq!(labels, [Some("a"), None, None, Some("NA")]);
}

#[test]
fn only_what_is_read_must_be_text() {
    let text = b"x,note,class\n1,caf\xe9,a\n2,,\xe9\n";
    let unread = Columns { target: None, drop: vec!["note".into(), "class".into()], ..labelled() };
    assert_eq!(read(text, &unread, 8, 9).unwrap().len(), 2);
    let named = Columns { drop: vec!["note".into()], ..labelled() };
    let error = read(text, &named, 8, 9).unwrap_err();
    assert_eq!(error.to_string(), "t.csv, line 3: the text is not UTF-8");
    let feature = Columns { drop: vec!["class".into()], ..Columns::default() };
    assert!(matches!(read(text, &feature, 8, 9), Err(Error::NotUtf8 { line: 2, .. })));
    let wide = b"\xff\xfex\0,\0y\0\n\0";
    assert!(matches!(read(wide, &feature, 8, 9), Err(Error::NotUtf8 { line: 1, .. })));
}

#[test]
fn rewinding_gives_the_same_rows() {
    let text = "x\n1\n2\n3\n";
    let mut source = Data::from_text("t.csv", text.as_bytes(), &Columns::default()).unwrap();
    for _ in 0..2 {
        let cut = source.next(2).unwrap().unwrap();
        assert_eq!(cut.decode().unwrap().first_row(), 0);
        source.rewind().unwrap();
    }
}

#[test]
fn labels_are_numbered_as_they_occur() {
    let text = "x,class\n1,b\n2,a\n3,\"b\"\n";
    let mut source = Data::from_text("t.csv", text.as_bytes(), &labelled()).unwrap();
    let cut = source.next(9).unwrap().unwrap();
    let block = cut.decode().unwrap();
    let labels = block.labels().unwrap();
    assert_eq!(*labels.codes, [0, 1, 0]);
    assert_eq!(labels.dictionary[0].as_str(), "b");
}
