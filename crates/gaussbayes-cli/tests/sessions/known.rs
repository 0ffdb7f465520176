//! Makes models of known parameters, draws rows from them, and reads what is refused.

use super::Folder;

const PARAMS: &str = r#"{"classes": ["b", "a"], "priors": [0.2, 0.8], "means": [[0, 0], [3, 3]],
 "covariances": [[[1.1, 0.3], [0.3, 1.9]], [[1, 0], [0, 1]]], "features": ["u", "v"]}"#;

#[test]
fn a_known_model_is_shown_and_predicts() {
    let folder = Folder::new("known");
    folder.write("p.json", PARAMS);
    let text = folder.run("model p.json -o m.json").ok();
    assert_eq!(
        text,
        "2 classes and 2 features, a covariance per class\npriors 'a' 0.8, 'b' 0.2\n\
         saved m.json\nnext: gaussbayes explain m.json\n"
    );
    let shown = folder.run("show m.json").ok();
    assert!(shown.starts_with("m.json · VVV (a full covariance per class) · known parameters\n"));
    let result = folder.run("show m.json --json").result();
    assert_eq!(result["known"], true);
    assert_eq!(result["means"], serde_json::json!([[3.0, 3.0], [0.0, 0.0]]));
    folder.write("x.csv", "v,u\n0,0\n3,3\n");
    assert_eq!(folder.run("predict m.json x.csv").ok(), "prediction\nb\na\n");
    let changed =
        folder.run("model p.json --priors uniform --reject 0.1 -o r.json --json").result();
    assert_eq!(changed["priors"], serde_json::json!([0.5, 0.5]));
    folder.write("y.csv", "u,v\n1.5,1.5\n");
    assert_eq!(folder.run("predict r.json y.csv").ok(), "prediction\nreject\n");
}

#[test]
fn a_figure_of_a_textbook_has_the_textbooks_answer() {
    // Theodoridis & Koutroumbas, example 2.2.
    let folder = Folder::new("figure");
    folder.run("model equal-covariance -o m.json").ok();
    folder.write("x.csv", "x1,x2\n1,2.2\n");
    let result = folder.run("predict m.json x.csv --proba --distance --json").result();
    let row = &result["rows"][0];
    assert_eq!(row[0], "1");
    for (at, right) in [(1, 0.589_040_434_058_665), (3, 2.952), (4, 3.672)] {
        assert!((row[at].as_f64().unwrap() - right).abs() < 1e-12, "{row}");
    }
}

#[test]
fn samples_do_not_show_threads_and_begin_alike() {
    let folder = Folder::new("sample");
    folder.write("p.json", PARAMS);
    folder.run("model p.json -o m.json").ok();
    let long = folder.run("sample m.json -n 20000 --seed 4 --threads 1").ok();
    assert_eq!(long.lines().next(), Some("u,v,class"));
    assert_eq!(long.lines().count(), 20_001);
    for threads in [2, 8] {
        let other = format!("sample m.json -n 2e4 --seed 4 --threads {threads} -o {threads}.csv");
        assert!(folder.run(&other).ok().starts_with("20000 rows drawn\n"));
        assert_eq!(folder.read(&format!("{threads}.csv")), long.as_bytes());
    }
    let short = folder.run("sample m.json -n 9000 --seed 4").ok();
    assert!(long.starts_with(&short));
    // What is drawn can be fitted: the error is that of the model, within its interval.
    let fitted = folder.run("evaluate 2.csv --target class --with m.json --json").result();
    assert!(fitted["error_rate"].as_f64().unwrap() < 0.06, "{fitted}");
}

#[test]
fn the_banana_set_is_the_built_in_one() {
    let folder = Folder::new("banana-rows");
    folder.run("sample banana -n 2000 --seed 3 -o b.csv").ok();
    let options = "--target class --model lda --json --seed 3";
    let file = folder.run(&format!("evaluate b.csv {options}")).result();
    assert_eq!(file, folder.run(&format!("evaluate banana {options}")).result());
}

#[test]
fn blobs_take_their_number_size_and_columns() {
    let folder = Folder::new("blobs");
    let text = folder.run("sample blobs -n 50 --classes 5 --columns 3 --spread 0.01").ok();
    assert_eq!(text.lines().next(), Some("x1,x2,x3,class"));
    folder.run("sample blobs -n 500 --spread 0.01 -o b.csv").ok();
    let result = folder.run("evaluate b.csv --target class --model nearest-mean --json").result();
    assert_eq!(result["errors"], 0);
    assert_eq!(result["classes"], serde_json::json!(["1", "2", "3"]));
}

#[test]
fn what_is_no_model_is_refused_by_one_line_and_a_hint() {
    let cases = [
        (
            r#"{"means": [[0, 0], [1, 1]], "covariances": [[[1, 0.5], [0.4, 1]], [[1, 0], [0, 1]]]}"#,
            3,
            "the covariance of class '1' is not symmetric: entry (1, 2) is 0.5 and entry (2, 1) is 0.4",
            "across the diagonal",
        ),
        (
            r#"{"classes": ["a", "b"], "means": [[0, 0], [1, 1]], "covariances": [[[1, 1.5], [1.5, 1]], [[1, 0], [0, 1]]]}"#,
            3,
            "not positive definite: smallest eigenvalue -0.5 of the covariance of class 'a'",
            "variance",
        ),
        (
            r#"{"classes": ["a", "a"], "means": [0, 1], "covariance": 1}"#,
            3,
            "class 'a' is named twice",
            "name",
        ),
        (
            r#"{"priors": [0.5, 0.6], "means": [0, 1], "covariance": 1}"#,
            2,
            "sum to 1.1",
            "sum to 1",
        ),
        (
            r#"{"means": [[0, 0], [1, 1]], "sigma1": 1, "sigma2": 1, "r": 1.5}"#,
            3,
            "r of component 1",
            "between -1 and 1",
        ),
        (
            r#"{"means": [0, 1], "covarianc": 1}"#,
            3,
            "p.json: 'covarianc' is not known",
            "did you mean 'covariance'?",
        ),
        (
            r#"{"means": [0, 1], "covariance": [1, 2]}"#,
            3,
            "'covariance' has 2 entries where 'means[0]' has 1",
            "\"means\"",
        ),
        (r#"{"classes": ["a"], "means": [0], "covariance": 1}"#, 3, "only one class", "two"),
    ];
    for (number, (text, code, error, hint)) in cases.into_iter().enumerate() {
        let folder = Folder::new(&format!("unknown{number}"));
        folder.write("p.json", text);
        let answer = folder.run("model p.json -o m.json");
        assert_eq!(answer.code, Some(code), "{}", answer.stderr);
        let mut lines = answer.stderr.lines();
        assert!(lines.next().unwrap().contains(error), "{}\nwanted: {error}", answer.stderr);
        let said = lines.next().unwrap_or_default();
        assert!(said.starts_with("hint: ") && said.contains(hint), "{}", answer.stderr);
        assert_eq!(folder.files(), ["p.json"]);
    }
    let folder = Folder::new("unknown");
    let answer = folder.run("model quadratc");
    assert_eq!(answer.code, Some(2));
    assert!(answer.stderr.contains("did you mean 'quadratic'?"), "{}", answer.stderr);
    let answer = folder.run("sample nothing");
    assert!(answer.stderr.contains("banana, blobs, trunk, echo, modem"), "{}", answer.stderr);
    for command in
        ["sample banana --priors 0.1,0.9", "sample modem --spread 2", "sample blobs --spread 0"]
    {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains("hint: "), "{}", answer.stderr);
    }
    folder.run("fit iris --density predictive -o t.json").ok();
    let student = folder.run("sample t.json");
    assert_eq!(student.code, Some(2), "{}", student.stderr);
    assert!(
        student.stderr.contains("samples are known of Gaussian densities only"),
        "{}",
        student.stderr
    );
    assert!(student.stderr.contains("hint: "), "{}", student.stderr);
}
