//! Fits to rows of which some have no label, and mixtures for every class.

use serde_json::{Value, json};

use super::{Folder, iris};

/// Iris with every label but each fifteenth left out.
fn some() -> String {
    let line = |(i, line): (usize, &str)| match (i, line.rsplit_once(',')) {
        (0, _) => line.to_owned(),
        (i, Some((numbers, _))) if i % 15 != 1 => format!("{numbers},"),
        _ => line.to_owned(),
    };
    iris().lines().enumerate().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn ten_labels_of_iris_and_140_rows_without() {
    let folder = Folder::new("some-labels");
    folder.write("some.csv", some());
    let answer = folder.run("fit some.csv --target species -o m.json");
    assert_eq!(answer.stderr, "140 of 150 rows have no label and take part by EM\n");
    let text = answer.ok();
    let line = "140 rows without a label took part by EM from one covariance of the labelled rows";
    assert!(text.contains(line), "{text}");
    let judged = folder.run("evaluate iris --with m.json --json").result();
    assert!(number(&judged["errors"]) <= 6.0, "{judged}");
    // Standard input is read once, in little memory; EM cannot go back to rows that are gone.
    let gone = folder.run_with("fit - --target species -o n.json", some().as_bytes());
    assert_eq!(gone.code, Some(3), "{}", gone.stderr);
    assert!(gone.stderr.contains("save standard input to a file first"), "{}", gone.stderr);
    let result = folder.run("fit some.csv --target species --model lda -o l.json --json").result();
    assert_eq!((&result["n"], &result["unlabelled"]), (&json!(150), &json!(140)));
    assert_eq!(result["em"]["start"], "labelled");
    assert_eq!(result["em"]["converged"], true);
    let shown = folder.run("show l.json").ok();
    assert!(shown.contains("140 rows without a label took part by EM"), "{shown}");
    assert!(folder.run("explain l.json").ok().contains("hyperplane"));
    let update = folder.run("update l.json iris");
    assert_eq!(update.code, Some(2));
    assert!(update.stderr.contains("EM found this model in all its rows together"));
}

#[test]
fn labels_for_all_are_no_em_wherever_rows_come_from() {
    let folder = Folder::new("all-labels");
    folder.run("fit iris -o a.json").ok();
    folder.run_with("fit - --target species -o b.json", iris().as_bytes()).ok();
    assert_eq!(folder.read("a.json"), folder.read("b.json"));
    folder.run("update b.json iris").ok();
}

#[test]
fn what_cannot_be_done_without_labels_is_refused() {
    let folder = Folder::new("no-labels");
    folder.write("some.csv", some());
    for (flags, said) in [
        ("--density predictive", "EM takes no densities that know of their estimates"),
        ("--shrinkage auto", "EM takes no Ledoit-Wolf shrinkage"),
        ("--on-singular range", "EM takes no restriction to a range"),
        ("--priors 0,0.5,0.5", "EM takes no prior of 0 for class 'setosa'"),
    ] {
        let answer = folder.run(&format!("fit some.csv --target species {flags}"));
        assert_eq!(answer.code, Some(2), "{flags}");
        assert!(answer.stderr.contains(said), "{}", answer.stderr);
    }
    for command in ["evaluate some.csv", "compare some.csv", "fit some.csv --rda auto"] {
        let answer = folder.run(&format!("{command} --target species"));
        assert_eq!(answer.code, Some(3), "{command}");
        assert!(answer.stderr.contains("line 3, column 'species': the row has no label"));
    }
    folder.write("none.csv", "x,y\n1,\n2,\n3,\n");
    let answer = folder.run("fit none.csv --target y");
    assert!(answer.stderr.contains("none of 3 rows has a label"), "{}", answer.stderr);
    assert!(answer.stderr.contains("gaussbayes cluster"), "{}", answer.stderr);
}

#[test]
fn a_mixture_per_class_on_the_banana() {
    let folder = Folder::new("per-class");
    folder.run("sample banana -n 4000 --seed 1 -o train.csv").ok();
    folder.run("sample banana -n 40000 --seed 2 -o test.csv").ok();
    let fit = "fit train.csv --target class";
    let text = folder.run(&format!("{fit} --components 5 --model EEV,EEE -o m.json")).ok();
    assert!(text.contains("a mixture per class on 4000 rows: 2 classes"), "{text}");
    assert!(text.contains("2      2000           5     EEV  17978.6"), "{text}");
    let judged = folder.run("evaluate test.csv --target class --with m.json --json").result();
    assert!(number(&judged["error_rate"]) < 0.025, "{judged}");
    folder.run(&format!("{fit} -o q.json")).ok();
    let plain = folder.run("evaluate test.csv --target class --with q.json --json").result();
    assert!((number(&plain["error_rate"]) - 0.151).abs() < 0.01, "{plain}");
    let shown = folder.run("show m.json").ok();
    assert!(shown.contains("components by class") && shown.contains("2 (5)"), "{shown}");
    let result = folder.run("show m.json --json").result();
    assert_eq!(result["owner"], json!([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]));
    assert_eq!(result["families"], json!(["EEV", "EEV"]));
    assert_eq!(result["priors"].as_array().unwrap().len(), 2);
    let rows = folder.run("predict m.json test.csv --proba --distance").ok();
    assert!(rows.starts_with("prediction,p_1,p_2,d2_1,d2_2\n"), "{}", &rows[..60]);
    for command in ["explain m.json", "error m.json", "transform m.json test.csv"] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{command}");
        assert!(answer.stderr.contains("class '1' is not one Gaussian"), "{}", answer.stderr);
    }
    let update = folder.run("update m.json train.csv");
    assert!(update.stderr.contains("more of them cannot be added later"), "{}", update.stderr);
    assert_eq!(folder.run("sample m.json -n 5").ok().lines().count(), 6);
}

#[test]
fn the_criterion_chooses_for_every_class() {
    let folder = Folder::new("per-class-auto");
    let fit = "fit iris --components auto --model VVI,EEE";
    let result = folder.run(&format!("{fit} --json -o a.json")).result();
    assert_eq!(result["criterion"], "bic");
    assert_eq!(result["tried"], 18);
    assert_eq!(result["families"].as_array().unwrap().len(), 3);
    folder.run(&format!("{fit} --threads 1 -o b.json")).ok();
    assert_eq!(folder.read("a.json"), folder.read("b.json"));
    folder.write("some.csv", some());
    let few = "fit some.csv --target species --components 1 --model EEI --json";
    let joined = folder.run(few).result();
    assert_eq!((&joined["unlabelled"], &joined["em"]["start"]), (&json!(140), &json!("mixtures")));
    for (flags, said) in [
        ("--components 2 --rda 0.5,0.5", "a mixture per class takes no --rda"),
        ("--components 0", "a number from 1, or auto"),
        ("--criterion icl", "--components"),
        ("--components 2 --model unit", "family unit takes no mixture per class"),
    ] {
        let answer = folder.run(&format!("fit iris {flags}"));
        assert_eq!(answer.code, Some(2), "{flags}: {}", answer.stderr);
        assert!(answer.stderr.contains(said), "{}", answer.stderr);
    }
    let many = folder.run("fit iris --components 60 --model VVI");
    assert_eq!(many.code, Some(4), "{}", many.stderr);
    assert!(many.stderr.contains("class 'setosa': 60 components cannot start"), "{}", many.stderr);
}
