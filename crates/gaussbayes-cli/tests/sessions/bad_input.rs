//! Feeds the command wrong data and wrong wishes: one line, a hint, an exit code, no file.

use super::Folder;

pub(super) struct Case {
    data: &'static str,
    command: &'static str,
    code: i32,
    error: &'static str,
    hint: &'static str,
}

pub(super) fn case(
    data: &'static str,
    command: &'static str,
    code: i32,
    error: &'static str,
    hint: &'static str,
) -> Case {
    Case { data, command, code, error, hint }
}

const GOOD: &str = "x,y,c\n0,0,a\n1,0,a\n0,2,a\n5,5,b\n6,5,b\n5,7,b\n";

/// Each is refused by one line with a hint, and leaves no file.
pub(super) fn assert_refused(name: &str, cases: &[Case]) {
    for (number, case) in cases.iter().enumerate() {
        let folder = Folder::new(&format!("{name}{number}"));
        folder.write("d.csv", case.data);
        let answer = folder.run(case.command);
        let said = &answer.stderr;
        assert_eq!(answer.code, Some(case.code), "{}: {said}", case.command);
        let first = said.lines().next().unwrap_or_default();
        assert!(first.starts_with("error: "), "{said}");
        assert!(first.contains(case.error), "{said}\nwanted: {}", case.error);
        let hint = said.lines().find(|line| line.starts_with("hint: "));
        assert!(
            hint.is_some_and(|hint| hint.contains(case.hint)),
            "{said}\nwanted hint: {}",
            case.hint
        );
        assert_eq!(answer.stdout, "");
        assert_eq!(folder.files(), ["d.csv"], "{}", case.command);
    }
}

#[test]
fn wrong_wishes_are_refused() {
    assert_refused(
        "wish",
        &[
            case(
                GOOD,
                "fit d.csv --target C -o m.json",
                2,
                "d.csv has no column 'C'",
                "did you mean 'c'?",
            ),
            case(GOOD, "fit d.csv -o m.json", 2, "which column holds the classes?", "--target"),
            case(GOOD, "fit e.csv --target c -o m.json", 1, "there is no file 'e.csv'", ""),
            case(
                GOOD,
                "fit d.csv --target c --model qdaa -o m.json",
                2,
                "there is no model 'qdaa'",
                "qda",
            ),
            case(
                GOOD,
                "fit d.csv --target c --priors 0.5,0.6 -o m.json",
                2,
                "sum to 1.1",
                "sum to 1",
            ),
            case(GOOD, "fit d.csv --target c --priors 1 -o m.json", 2, "1 values where 2", ""),
            case(GOOD, "fit d.csv --target c --priors half -o m.json", 2, "'half'", "observed"),
            case(
                GOOD,
                "fit d.csv --target c --shrinkage 2 --shrink-to spherical -o m.json",
                2,
                "shrinkage 2",
                "0",
            ),
            case(
                GOOD,
                "fit d.csv --target c --model lda --shrinkage 0.5 --shrink-to shared -o m.json",
                2,
                "changes nothing",
                "target",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --folds 1",
                2,
                "1 folds cannot be made: 2 to 1000 can",
                "another number",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --folds 100",
                2,
                "100 folds cannot be made: 2 to 6 can",
                "another number",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --folds 4000000000",
                2,
                "4000000000 folds",
                "another number",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --folds -3",
                2,
                "'-3' is no number of folds",
                "loo",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --folds loo --repeat 2",
                2,
                "every time",
                "--repeat",
            ),
            case(GOOD, "fit d.csv --target c -o d.csv", 2, "'d.csv' is read", "another file"),
            case(GOOD, "fit d.csv --target c -o -", 2, "'-' cannot be written", "name a file"),
            case(GOOD, "show iris", 1, "there is no model file 'iris'", "gaussbayes fit"),
            case(
                GOOD,
                "fit d.csv --target c --priors -1,2 -o m.json",
                2,
                "priors must be",
                "sum to 1",
            ),
            case(
                GOOD,
                "evaluate d.csv --target c --model lda --reject nan",
                2,
                "cost of action 3",
                "gain",
            ),
        ],
    );
}

#[test]
fn wrong_data_are_refused() {
    let fit = "fit d.csv --target c -o m.json";
    assert_refused(
        "data",
        &[
            case(
                "x,y,c\n0,0,a\n1,abc,a\n",
                fit,
                3,
                "d.csv, line 3, column 'y': 'abc' is not a number",
                "--drop y",
            ),
            case("x,y,c\n0,0,a\n1,,a\n", fit, 3, "line 3, column 'y'", ""),
            case("x,y,c\n0,0,a\n1,a\n", fit, 3, "line 3", ""),
            case("x,y,c\n0,0,a\n1,0,a,9\n", fit, 3, "line 3", ""),
            case("", fit, 3, "d.csv is empty", ""),
            case("x,y,c\n", fit, 3, "d.csv has a header but no rows", ""),
            case("x,y,c\n0,nan,a\n", fit, 3, "line 2, column 'y'", ""),
            case("x,y,c\n0,-inf,a\n", fit, 3, "line 2, column 'y'", ""),
            case(
                "x,y,c\n0,1,a\n1,0,a\n2,2,a\n",
                fit,
                3,
                "there is only one class, 'a'",
                "two classes",
            ),
            case("x,y,c\n0,1,a\n1,0,a\n2,2,a\n9,9,b\n", fit, 4, "class 'b' has rank 0 of 2", "lda"),
            case(
                "x,y,z,c\n0,1,2,a\n1,0,3,a\n2,2,9,b\n9,9,1,b\n",
                fit,
                4,
                "classes 'a' and 'b' have rank 1 of 3",
                "shrink",
            ),
            case(
                "x,y,c\n0,7,a\n1,7,a\n2,7,a\n5,7,b\n6,7,b\n8,7,b\n",
                fit,
                4,
                "'y' is constant",
                "--drop y",
            ),
            case(
                "x,y,c\n0,0,a\n1,1,a\n2,2,a\n5,5,b\n6,6,b\n8,8,b\n",
                fit,
                4,
                "rank 1 of 2",
                "shrink",
            ),
            case(
                "x,w,c\n0,-1,a\n1,1,a\n",
                "fit d.csv --target c --weights w -o m.json",
                3,
                "line 2",
                "",
            ),
            case(
                "x,w,c\n0,0,a\n1,0,b\n",
                "fit d.csv --target c --weights w -o m.json",
                3,
                "no rows with a positive weight",
                "",
            ),
            case("x,x,c\n0,0,a\n", fit, 3, "'x'", ""),
            case("x,y,c\n\"0,0,a\n", fit, 3, "line 2", ""),
            case("x,y,c\n0,0,a\n1,1,\n", "evaluate d.csv --target c", 3, "line 3", ""),
            // A row without a label may take part in a fit, but it is no class.
            case("x,y,c\n0,0,a\n1,1,\n", fit, 3, "only one class, 'a'", "two classes"),
        ],
    );
}

#[test]
fn a_word_among_numbers_is_shown_with_a_caret() {
    let folder = Folder::new("caret");
    folder.write("d.csv", "x,y,c\n0,0,a\n1,abc,a\n");
    let said = folder.run("fit d.csv --target c -o m.json").stderr;
    assert_eq!(
        said,
        "error: d.csv, line 3, column 'y': 'abc' is not a number\n  1,abc,a\n    ^^^\n\
         hint: mend the cell, or fit with --drop y, or with --model naive-bayes, which takes words\n"
    );
}

#[test]
fn costs_of_the_wrong_shape_or_with_unknown_names() {
    let folder = Folder::new("costs_bad");
    folder.write("d.csv", GOOD);
    folder.run("fit d.csv --target c --model lda -o m.json").ok();
    for (costs, error) in [
        ("true,a,b\na,0,1\n", "'b'"),
        ("true,a,bb\na,0,1\nb,1,0\n", "'bb'"),
        ("true,a,b\na,0,1\nb,1\n", "line 3"),
        ("true,a,b\na,0,one\nb,1,0\n", "'one'"),
        ("true,a,b\na,0,1\na,1,0\n", "'a'"),
        ("", "empty"),
    ] {
        folder.write("costs.csv", costs);
        let answer = folder.run("predict m.json d.csv --loss costs.csv");
        assert!(matches!(answer.code, Some(2 | 3)), "{costs}: {:?} {}", answer.code, answer.stderr);
        let first = answer.stderr.lines().next().unwrap_or_default();
        assert!(first.starts_with("error: costs.csv") && first.contains(error), "{costs}: {first}");
        assert!(answer.stderr.contains("\nhint: "), "{}", answer.stderr);
        assert_eq!(answer.stdout, "");
    }
}

#[test]
fn rows_that_lack_a_column_of_the_model() {
    let folder = Folder::new("lacking");
    folder.write("d.csv", GOOD);
    folder.run("fit d.csv --target c --model lda -o m.json").ok();
    folder.write("n.csv", "x,yy\n1,2\n");
    let answer = folder.run("predict m.json n.csv");
    assert_eq!(answer.code, Some(3), "{}", answer.stderr);
    assert!(
        answer.stderr.contains("'y'") && answer.stderr.contains("the columns are x, yy"),
        "{}",
        answer.stderr
    );
    folder.write("n.csv", "y,x\n2,1\n");
    assert_eq!(folder.run("predict m.json n.csv").ok(), "prediction\na\n");
}

#[test]
fn directions_that_are_not_there() {
    let folder = Folder::new("directions");
    folder.write("d.csv", GOOD);
    folder.run("fit d.csv --target c --model lda -o m.json").ok();
    folder.write("same.csv", "x,c\n0,a\n2,a\n-1,b\n3,b\n");
    folder.run("fit same.csv --target c --model lda -o same.json").ok();
    assert!(!folder.run("show same.json").ok().contains("canonical"));
    folder.write("n.csv", "x,yy\n1,2\n");
    let files = folder.files();
    for (command, code, error) in [
        ("m.json d.csv --components 2 -o o.csv", 2, "there is 1 direction in 'm.json', not 2"),
        ("m.json d.csv --components 0", 2, "invalid value '0'"),
        ("same.json same.csv -o o.csv", 2, "have the same mean"),
        ("m.json n.csv -o o.csv", 3, "'y'"),
        ("m.json d.csv -o m.json", 2, "'m.json' is read"),
    ] {
        let answer = folder.run(&format!("transform {command}"));
        assert_eq!(answer.code, Some(code), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains(error), "{command}: {}", answer.stderr);
        assert_eq!(answer.stdout, "", "{command}");
    }
    assert_eq!(folder.files(), files);
}
