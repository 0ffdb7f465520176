//! Reads loss files, good and bad.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::atomic::{AtomicU64, Ordering};

use gaussbayes::{Action, Label, Loss};
use gaussbayes_io::{Error, Kind, read_loss};

fn read(text: &str) -> Result<Loss, Error> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("gaussbayes-loss-{}-{number}.csv", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).unwrap();
    let classes = ["setosa", "versicolor", "virginica"].map(Label::from);
    let loss = read_loss(&path, &classes);
    std::fs::remove_file(&path).unwrap();
    loss
}

fn sentence(text: &str) -> (String, Option<String>) {
    let error = read(text).unwrap_err();
    assert_eq!(error.kind(), Kind::Data, "{error}");
    let sentence = error.to_string();
    let (_, place) = sentence.split_once(".csv").unwrap();
    (place.to_owned(), error.hint())
}

#[test]
fn classes_and_actions_come_in_any_order() {
    let text = "truth,reject,virginica, setosa,versicolor\r\n\
                versicolor,0.5,4,3,0\r\n\"setosa\",0.5,2,0,1\r\nvirginica,0.5,0,6,5";
    let loss = read(text).unwrap();
    let classes = (0..3).map(Action::Class);
    assert_eq!(loss.actions(), classes.chain([Action::Reject]).collect::<Vec<_>>());
    assert_eq!(loss.costs().unwrap(), [0.0, 1.0, 2.0, 0.5, 3.0, 0.0, 4.0, 0.5, 6.0, 5.0, 0.0, 0.5]);
}

#[test]
fn actions_may_be_some_of_the_classes() {
    let loss = read(",virginica,setosa\nvirginica,0,1\nsetosa,2,0\nversicolor,3,4\n").unwrap();
    assert_eq!(loss.actions(), [Action::Class(0), Action::Class(2)]);
    assert_eq!(loss.costs().unwrap(), [0.0, 2.0, 4.0, 3.0, 1.0, 0.0]);
}

#[test]
fn unknown_names_are_refused_with_a_suggestion() {
    let (place, hint) = sentence("t,setosa,virginca\nsetosa,0,1\n");
    assert_eq!(place, ", line 1: 'virginca' is no class of the model");
    assert_eq!(hint.unwrap(), "did you mean 'virginica'?");
    let (place, hint) = sentence("t,setosa\nsetosa,0\nrose,1\n");
    assert_eq!(place, ", line 3: 'rose' is no class of the model");
    assert_eq!(hint.unwrap(), "the classes are setosa, versicolor, virginica");
    assert_eq!(sentence("t,setosa\nreject,0\n").0, ", line 2: 'reject' is no class of the model");
}

#[test]
fn names_stand_once_and_every_class_has_a_row() {
    let twice = "t,setosa,setosa\nsetosa,0,1\n";
    assert_eq!(sentence(twice).0, ", line 1: 'setosa' stands here a second time");
    let twice = "t,setosa,reject\nsetosa,0,1\n\nsetosa,0,1\n";
    assert_eq!(sentence(twice).0, ", line 4: 'setosa' stands here a second time");
    let missing = "t,setosa\nsetosa,0\nvirginica,1\n";
    assert_eq!(sentence(missing).0, " has no row for class 'versicolor'");
}

#[test]
fn costs_are_finite_numbers_in_a_full_table() {
    for cost in ["abc", "", "inf", "nan"] {
        let text = format!("t,setosa,virginica\nsetosa,0,{cost}\n");
        let error = read(&text).unwrap_err();
        assert!(matches!(error, Error::BadCost { ref cell } if cell.line == 2), "{error}");
        assert!(error.excerpt().unwrap().starts_with("setosa,0,"));
    }
    let word = sentence("t,setosa\nsetosa,abc\n").0;
    assert_eq!(word, ", line 2, column 'setosa': 'abc' is not a finite cost");
    let ragged = sentence("t,setosa,virginica\nsetosa,0\n").0;
    assert_eq!(ragged, ", line 2: 2 fields where the header has 3");
    assert_eq!(sentence("t\nsetosa\n").0, " names no action in its first line");
    assert_eq!(sentence("").0, " is empty");
}

#[test]
fn a_missing_file_is_named() {
    let error = read_loss("no-such.csv".as_ref(), &[]).unwrap_err();
    assert_eq!(error.to_string(), "there is no file 'no-such.csv'");
    assert_eq!(error.kind(), Kind::Failure);
}
