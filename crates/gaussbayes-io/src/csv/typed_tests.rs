//! Holds typed columns to what their cells say, for every size of reads and of cuts.

use gaussbayes::{Block, Cut as _, Field, On, Pool, Source as _, Table};

use crate::columns::Columns;
use crate::error::{Error, Kind};
use crate::held::Held;
use crate::open::Data;
use crate::reading::Reading;
use crate::types::{ColumnType, SaidBy, Types};

use ColumnType::{Category, Count, Flag, Number, Text};

const TEXT: &str = "age,paid,city,visits,note,class\n\
    31,yes,Oslo,2,\"Good day, good day to you\",a\n\
    NA,no, Bergen ,0,it's all the same to me,b\n\
    27.5,NO,,NaN,,a\n\
    1e2,?,Oslo,7,Don’t know THAT one,b\n";

fn recognised(declared: &[(&str, ColumnType)]) -> Columns {
    let declared = declared.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
    Columns {
        target: Some("class".into()),
        types: Types::Recognised(declared),
        ..Columns::default()
    }
}

/// A cell as text: what a person would read in the block.
fn cell(block: &Block<'_>, i: usize, j: usize) -> String {
    let value = block.rows().value(i, j);
    match &block.fields()[j] {
        _ if value.is_nan() => "-".into(),
        Field::Number => value.to_string(),
        Field::Category(names) => names[value as usize].to_string(),
        Field::Text { words, counts } => {
            let (places, counts) = counts.row(i);
            let mut said: Vec<String> = places
                .iter()
                .zip(counts)
                .map(|(&word, count)| format!("{}:{count}", words[word as usize]))
                .collect();
            said.sort();
            said.join(" ")
        }
    }
}

fn read(text: &str, columns: &Columns, chunk: usize, rows: usize) -> Result<Vec<String>, Error> {
    let mut source =
        Data::from_chunks("t.csv", text.as_bytes(), columns, &Reading::default(), chunk)?;
    let mut all = Vec::new();
    while let Some(cut) = source.next(rows)? {
        let block = cut.decode()?;
        for i in 0..block.rows().count() {
            let cells: Vec<String> = (0..source.dim()).map(|j| cell(&block, i, j)).collect();
            all.push(format!("{} | {}", cells.join(" | "), block.label(i)?));
        }
    }
    Ok(all)
}

#[test]
fn cells_are_read_by_the_types_of_their_columns() {
    let columns = recognised(&[("visits", Count)]);
    let source = Data::from_text("t.csv", TEXT.as_bytes(), &columns).unwrap();
    assert_eq!(source.types(), Some(&[Number, Flag, Category, Count, Text][..]));
    let expected = [
        "31 | 1 | Oslo | 2 | day:2 good:2 to:1 you:1 | a",
        "- | 0 | Bergen | 0 | all:1 it's:1 me:1 same:1 the:1 to:1 | b",
        "27.5 | 0 | - | - | - | a",
        "100 | - | Oslo | 7 | don't:1 know:1 one:1 that:1 | b",
    ];
    for chunk in [1, 2, 3, 7, 64, 4096] {
        for rows in [1, 2, 3, 100] {
            assert_eq!(read(TEXT, &columns, chunk, rows).unwrap(), expected, "{chunk}, {rows}");
        }
    }
    // A model says what the columns are, whatever their first rows look like.
    let given = vec![Category, Category, Text, Number, Text];
    let given = Columns { types: Types::Given(given), ..recognised(&[]) };
    let found = read(TEXT, &given, 4096, 9).unwrap();
    assert!(found[3].starts_with("1e2 | - | oslo:1 | 7 | don't:1"), "{}", found[3]);
}

#[test]
fn a_stream_is_looked_at_and_read_once() {
    let mut once =
        Data::from_chunks("t.csv", TEXT.as_bytes(), &recognised(&[]), &Reading::default(), 7)
            .unwrap();
    assert_eq!(once.types(), Some(&[Number, Flag, Category, Number, Text][..]));
    let cut = once.next(9).unwrap().unwrap();
    let block = cut.decode().unwrap();
    assert_eq!((block.first_row(), block.rows().count()), (0, 4));
    assert!(once.next(9).unwrap().is_none());
    let mut again = Data::from_text("t.csv", TEXT.as_bytes(), &recognised(&[])).unwrap();
    for _ in 0..2 {
        assert_eq!(again.next(9).unwrap().unwrap().decode().unwrap().rows().count(), 4);
        again.rewind().unwrap();
    }
}

#[test]
fn numbers_alone_are_plain() {
    let text = "x,y,class\n1,2,a\n3.5,4,b\n";
    let types = |columns: &Columns| {
        let source = Data::from_text("t.csv", text.as_bytes(), columns).unwrap();
        source.types().map(<[ColumnType]>::to_vec)
    };
    assert_eq!(types(&recognised(&[])), None);
    assert_eq!(types(&recognised(&[("y", Number)])), Some(vec![Number, Number]));
    assert_eq!(types(&recognised(&[("1..2", Category)])), Some(vec![Category, Category]));
}

#[test]
fn faults_in_the_first_rows_are_told_when_they_are_read() {
    for (text, expected) in [
        ("x,class\nred,a\nblue,b\n\"red,a\n", "t.csv, line 4: a quote is opened and not closed"),
        ("x,class\nred,a\nblue\n", "t.csv, line 3: 1 fields where the header has 2"),
        ("x,class\n", "t.csv has a header but no rows"),
        ("x,class\n\"red\"x,a\n", "t.csv, line 2, column 'x': text follows the closing quote"),
    ] {
        for chunk in [1, 5, 4096] {
            let error = read(text, &recognised(&[]), chunk, 2).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}

#[test]
fn a_cell_of_another_type_is_named_with_what_to_do() {
    let fault = |text: &str, columns: &Columns| {
        let error = read(text, columns, 4096, 100).unwrap_err();
        for (chunk, rows) in [(1, 1), (7, 2), (64, 3)] {
            assert_eq!(read(text, columns, chunk, rows).unwrap_err(), error);
        }
        assert_eq!(error.kind(), Kind::Data);
        (error.to_string(), error.hint().unwrap())
    };
    let later = "x,f,class\n1,yes,a\n2,no,b\nabc,yes,a\n";
    let (said, hint) = fault(later, &recognised(&[]));
    assert_eq!(said, "t.csv, line 4, column 'x': 'abc' is not a number");
    assert_eq!(hint, "the first rows hold numbers: mend the cell, or fit with --types x=category");
    // What stands before the cell in its row is of no row.
    let after = "note,x,class\nwe go to town,1,a\nnow and then,2,b\nup and down again,abc,a\n";
    let (said, _) = fault(after, &recognised(&[("note", Text)]));
    assert_eq!(said, "t.csv, line 4, column 'x': 'abc' is not a number");
    let flags = "x,f,class\n1,yes,a\n2,no,b\n3,2,a\n";
    let (said, hint) = fault(flags, &recognised(&[("f", Flag)]));
    assert_eq!(said, "t.csv, line 4, column 'f': '2' is not a flag");
    assert!(hint.starts_with("the column is to hold flags") && hint.ends_with("--types f=number"));
    let counts = "x,f,class\n1,3,a\n2,-4,b\n";
    let (said, hint) = fault(counts, &recognised(&[("f", Count)]));
    assert_eq!(said, "t.csv, line 3, column 'f': '-4' is not a count");
    assert!(hint.contains("counts, 0 or more"), "{hint}");
    let given = Columns { types: Types::Given(vec![Number, Number]), ..recognised(&[]) };
    let (said, hint) = fault(flags, &given);
    assert_eq!(said, "t.csv, line 2, column 'f': 'yes' is not a number");
    assert_eq!(hint, "the model has numbers in this column: mend the cell");
    let error = read("x,class\ninf,a\n", &recognised(&[("x", Number)]), 8, 8).unwrap_err();
    assert!(matches!(error, Error::NotFinite { .. }), "{error}");
    let error = read("x,class\n1,a\nb,a\n", &recognised(&[("x", Number)]), 8, 8).unwrap_err();
    assert!(matches!(error, Error::NotOfType { said_by: SaidBy::User, kind: Number, .. }));
}

#[test]
fn types_are_of_features_and_each_has_one() {
    let error = |declared: &[(&str, ColumnType)]| {
        Data::from_text("t.csv", TEXT.as_bytes(), &recognised(declared)).unwrap_err()
    };
    let unknown = error(&[("aged", Number)]);
    assert_eq!(unknown.to_string(), "t.csv has no column 'aged'");
    assert_eq!(unknown.hint().unwrap(), "did you mean 'age'?");
    let target = error(&[("class", Category)]).to_string();
    assert_eq!(target, "column 'class' is named twice: as the target and as category");
    let twice = error(&[("age", Number), ("1", Category)]);
    assert_eq!(twice.to_string(), "column 'age' is named twice: as number and as category");
    assert_eq!(twice.kind(), Kind::Usage);
}

#[test]
fn rows_of_names_and_words_are_held_in_memory() {
    let path = std::env::temp_dir().join(format!("gaussbayes-typed-{}.csv", std::process::id()));
    std::fs::write(&path, TEXT).unwrap();
    let pool = Pool::new(1).unwrap();
    let open =
        || Data::open(&[path.to_str().unwrap()], &recognised(&[]), &Reading::default(), 1).unwrap();
    let mut rows = Held::read_within(open(), 1, On::pool(&pool)).unwrap();
    assert!(!rows.is_spooled());
    let mut all = Table::default();
    while let Some(cut) = rows.next(3).unwrap() {
        all.push_block(&cut.decode().unwrap());
    }
    let whole = open().read(On::pool(&pool)).unwrap();
    std::fs::remove_file(&path).unwrap();
    let bits = |table: &Table| table.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&all), bits(&whole));
    assert_eq!(all.fields, whole.fields);
}
