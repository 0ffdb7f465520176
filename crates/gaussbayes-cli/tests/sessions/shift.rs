//! Asks whether the shares of classes have moved, and predicts with those that have.

use super::Folder;

const PARAMS: &str =
    r#"{"classes": ["a", "b"], "means": [0, 2], "covariance": 1, "features": ["x"]}"#;

/// A folder with a model of equal priors, rows of (0.9, 0.1), and rows of (0.5, 0.5).
fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("p.json", PARAMS);
    folder.run("model p.json -o m.json").ok();
    folder.run("model p.json --priors 0.9,0.1 -o t.json").ok();
    folder.run("sample t.json -n 4000 --seed 2 -o moved.csv").ok();
    folder.run("sample m.json -n 4000 --seed 2 -o same.csv").ok();
    folder
}

fn number(value: &serde_json::Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_shift_is_found_said_and_saved() {
    let folder = folder("shift");
    let text = folder.run("shift m.json moved.csv -o n.json").ok();
    let said = "the priors have moved: p < 1e-300, below 0.05\nsaved n.json with the new priors\n\
                next: gaussbayes predict n.json moved.csv\n";
    assert!(
        text.starts_with("m.json on moved.csv: 4000 rows\n\nclass  prior  new prior"),
        "{text}"
    );
    assert!(text.contains("± se\na        0.5     0.8901  0.007533\n"), "{text}");
    assert!(text.ends_with(said), "{text}");
    let result = folder.run("shift m.json moved.csv --json").result();
    assert_eq!(result["before"], serde_json::json!([0.5, 0.5]));
    assert_eq!((&result["moved"], &result["model"]), (&true.into(), &serde_json::Value::Null));
    let error = number(&result["standard_errors"][1]);
    assert!((number(&result["after"][1]) - 0.1).abs() < 2.0 * error, "{result}");
    assert!(number(&result["statistic"]) > 1000.0 && number(&result["p_value"]) < 1e-300);
    assert_eq!(folder.run("show n.json --json").result()["priors"], result["after"]);
    let rate = |model: &str| {
        let command = format!("evaluate moved.csv --target class --with {model} --json");
        number(&folder.run(&command).result()["error_rate"])
    };
    let (before, after) = (rate("m.json"), rate("n.json"));
    assert!(before > 0.14 && after < 0.08, "{before} {after}");
}

#[test]
fn what_has_not_moved_is_saved_as_it_is() {
    let folder = folder("no-shift");
    let text = folder.run("shift m.json same.csv -o n.json").ok();
    let said = "the priors have not moved as far as these rows can tell: p = ";
    assert!(
        text.contains(said)
            && text.ends_with(
                "saved n.json with the priors it had\nnext: gaussbayes predict n.json same.csv\n"
            ),
        "{text}"
    );
    assert_eq!(folder.read("n.json"), folder.read("m.json"));
    let predicted = folder.run("predict m.json same.csv --proba").ok();
    let answer = folder.run("predict m.json same.csv --proba --priors shift");
    assert!(answer.stderr.starts_with(said), "{}", answer.stderr);
    assert_eq!(answer.ok(), predicted);
    // A level that lets anything count.
    let text = folder.run("shift m.json same.csv --level 0.999999").ok();
    assert!(text.contains("the priors have moved") && !text.contains("saved"), "{text}");
}

#[test]
fn predictions_take_the_priors_of_their_own_rows() {
    let folder = folder("shift-predict");
    folder.run("shift m.json moved.csv -o n.json").ok();
    let right = folder.run("predict n.json moved.csv --proba").ok();
    let answer = folder.run("predict m.json moved.csv --proba --priors shift");
    let said = "warning: the priors have moved: p < 1e-300, below 0.05; now 'a' 0.8901, 'b' 0.1099";
    assert!(answer.stderr.starts_with(said), "{}", answer.stderr);
    assert_eq!(answer.ok(), right);
    let piped =
        folder.run_with("predict m.json - --proba --priors shift", &folder.read("moved.csv"));
    assert_eq!(piped.ok(), right);
    for threads in [1, 2, 8] {
        let command = format!("shift m.json - --json --threads {threads}");
        let text = folder.run_with(&command, &folder.read("moved.csv")).ok();
        assert_eq!(text, folder.run("shift m.json moved.csv --json --threads 3").ok());
    }
}

#[test]
fn weights_are_numbers_of_rows() {
    let folder = folder("shift-weights");
    folder.write("w.csv", "x,w\n0,30\n2.5,4\n1,0\n-1,6\n");
    let copies = ["0\n".repeat(30), "2.5\n".repeat(4), "-1\n".repeat(6)].concat();
    folder.write("c.csv", format!("x\n{copies}"));
    let weighted = folder.run("shift m.json w.csv --weights w --json").result();
    let copied = folder.run("shift m.json c.csv --json").result();
    assert_eq!((&weighted["n"], &weighted["weight"]), (&3.into(), &40.into()));
    for key in ["statistic", "p_value"] {
        let (a, b) = (number(&weighted[key]), number(&copied[key]));
        assert!((a - b).abs() < 1e-9 * b, "{key}: {a} {b}");
    }
}

#[test]
fn bounds_are_said_and_what_makes_no_sense_is_refused() {
    let folder = folder("shift-refused");
    folder.write("few.csv", "x\n-1\n-2\n-1\n-3\n-2\n-3\n-2\n-2\n");
    let answer = folder.run("shift m.json few.csv -o n.json");
    assert_eq!(answer.code, Some(0));
    assert!(
        answer.stdout.contains("b        0.5          0     -\n- a prior at 0"),
        "{}",
        answer.stdout
    );
    assert!(
        answer.stderr.contains("of 'a' 4 rows are to be expected, fewer than 5"),
        "{}",
        answer.stderr
    );
    assert!(answer.stderr.contains("'b' has prior 0 now"), "{}", answer.stderr);
    let result = folder.run("shift m.json few.csv --json").result();
    assert_eq!(result["standard_errors"], serde_json::json!([null, null]));
    folder.run("cluster same.csv --features x -k 2 --model EEE -o k.json").ok();
    folder.write("empty.csv", "x\n");
    let cases = [
        ("shift m.json moved.csv --level 2", 2, "above 0 and below 1", ""),
        ("shift m.json moved.csv -o moved.csv", 2, "it would be lost", "another file"),
        ("shift m.json absent.csv", 1, "absent.csv", ""),
        ("shift absent.json moved.csv", 1, "absent.json", ""),
        ("shift m.json iris", 3, "no column 'x'", ""),
        ("shift m.json empty.csv", 3, "no rows", ""),
        ("shift k.json same.csv -o n.json", 2, "the shares of clusters", "--freeze"),
        ("predict m.json moved.csv --level 0.1", 2, "--level", "--priors shift"),
    ];
    for (command, code, error, hint) in cases {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(code), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains(error), "{command}: {}", answer.stderr);
        assert!(answer.stderr.contains(hint), "{command}: {}", answer.stderr);
    }
    assert!(folder.run("shift k.json same.csv").ok().contains("\ncluster "));
}
