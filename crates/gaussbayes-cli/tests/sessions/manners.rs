//! Checks help, exit codes, quiet ends and what is left behind.

use super::{Folder, iris};

#[test]
fn help_and_version_are_answers_and_nonsense_is_not() {
    let folder = Folder::new("help");
    for command in ["--help", "--version", "fit --help", "predict --help"] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(0), "{command}");
        assert!(!answer.stdout.is_empty());
    }
    for command in ["", "fitt iris", "fit", "fit iris --ddof 2", "evaluate iris --folds x"] {
        let answer = folder.run(command);
        assert_eq!(answer.code, Some(2), "{command}: {}", answer.stderr);
        assert_eq!(answer.stdout, "");
    }
    assert!(folder.run("fitt iris").stderr.contains("'fit'"));
}

#[test]
fn help_leads_with_examples_fits_one_screen_and_says_where_the_rest_is() {
    let folder = Folder::new("pages");
    let whole = folder.run("--help").ok();
    assert!(whole.lines().count() <= 40, "{whole}");
    for command in super::commands() {
        let page = folder.run(&format!("{command} --help")).ok();
        assert_eq!(page, folder.run(&format!("{command} -h")).ok());
        assert!(page.lines().count() <= 40, "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
        assert_eq!(page.lines().nth(2), Some("Examples:"), "{page}");
        assert!(page.trim_end().ends_with(&format!("gaussbayes help {command}")), "{page}");
        let all = folder.run(&format!("help {command}")).ok();
        assert!(all.contains("--threads") && !page.contains("--threads"), "{all}");
    }
    let all = folder.run("help fit").ok();
    for flag in ["--pooling", "--ddof", "--unseen", "--penalty", "--sealed", "--delimiter"] {
        assert!(all.contains(flag), "{flag}");
    }
}

#[test]
fn compare_says_what_cannot_be_fitted() {
    let folder = Folder::new("compare");
    folder.write("d.csv", "x,y,c\n0,1,a\n1,1,a\n2,1,a\n3,1,a\n5,1,b\n6,1,b\n7,1,b\n9,1,b\n");
    let text = folder.run("compare d.csv --target c --folds 4").ok();
    let why =
        "with fold 1 left out: singular covariance: those of classes 'a' and 'b' have rank 1 of 2";
    assert!(
        text.contains(&format!("\nqda, naive-bayes, EVV, VEV, EEV, VVE, EVE, EVI: {why}")),
        "{text}"
    );
    assert!(text.contains("\ncannot be fitted\n"), "{text}");
    assert!(text.contains("EII                0.00 %"), "{text}");
    assert!(text.contains("nearest-mean"), "{text}");
    let text = folder.run("compare iris").ok();
    assert_eq!(text.lines().count(), 25, "{text}");
}

#[test]
fn a_wide_table_warns_families_that_depend_on_units() {
    let folder = Folder::new("wide");
    let answer = folder.run("fit wine --model nearest-mean -o m.json");
    assert!(answer.stderr.contains("--standardize"), "{}", answer.stderr);
    let quiet = folder.run("fit wine --model nearest-mean --standardize -o m.json");
    assert_eq!(quiet.stderr, "");
    let json = folder.run("fit wine --model EII --json -o m.json").json();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn evaluate_takes_folds_repeats_models_and_standard_input() {
    let folder = Folder::new("evaluate");
    let ten = folder.run("evaluate iris --model lda --json").result();
    assert_eq!(ten["n"], 150);
    let piped =
        folder.run_with("evaluate - --target species --model lda --json", iris().as_bytes());
    assert_eq!(piped.result(), ten);
    // 50 · 49 · (1/49) is not 50 in floating point: counts are divided, and stay whole.
    let often = folder.run("evaluate iris --model lda --repeat 49 --json").result();
    assert_eq!(often["n"], 150);
    assert_ne!(often["log_loss"], ten["log_loss"]);
    folder.run("fit iris --model lda -o m.json").ok();
    let with = folder.run("evaluate iris --with m.json --json").result();
    assert_eq!(with["errors"], 3);
    assert_eq!(with["confusion"][0][0], 50);
    let never = folder.run("evaluate iris --with m.json --priors 0.5,0.5,0 --json").result();
    assert_eq!(never["confusion"][2], serde_json::json!([0, 50, 0]));
    let both = folder.run("evaluate iris --with m.json --model qda");
    assert_eq!(both.code, Some(2), "{}", both.stderr);
    let rejected = folder.run("evaluate iris --with m.json --reject 0.1").ok();
    assert!(
        rejected.contains("cost ") && rejected.contains("error among the other rows"),
        "{rejected}"
    );
    let text = folder.run("evaluate iris --with m.json").ok();
    assert_eq!(
        text,
        "m.json on iris: all rows\n\n\
         error     2.00 %  (3 of 150; 95 % interval 0.68 % to 5.71 %)\n\
         log loss  0.04372\n\
         Brier     0.02842  (calibration error 0.01501)\n\n\
         true \\ said  setosa  versicolor  virginica\n\
         setosa           50           0          0\n\
         versicolor        0          48          2\n\
         virginica         0           1         49\n\n\
         next: gaussbayes predict m.json NEW.csv --proba\n"
    );
}

#[test]
fn a_sealed_model_predicts_and_is_not_updated() {
    let folder = Folder::new("sealed");
    folder.run("fit iris --model lda -o open.json").ok();
    folder.run("fit iris --model lda --sealed -o sealed.json").ok();
    assert!(folder.read("sealed.json").len() < folder.read("open.json").len() / 2);
    let predicted = |model: &str| folder.run(&format!("predict {model} iris --proba")).ok();
    assert_eq!(predicted("open.json"), predicted("sealed.json"));
    assert!(folder.run("show sealed.json").ok().contains("sealed"));
    let refused = folder.run("update sealed.json iris");
    assert_eq!(refused.code, Some(3), "{}", refused.stderr);
    assert!(refused.stderr.starts_with("error: sealed.json is sealed"), "{}", refused.stderr);
}

#[test]
fn a_target_of_many_classes_is_answered_briefly() {
    let folder = Folder::new("many");
    let rows: String = (0..3000).map(|i| format!("{i},{},k{}\n", i * 7 % 31, i % 1000)).collect();
    folder.write("d.csv", format!("x,y,c\n{rows}"));
    folder.run("fit d.csv --target c --model nearest-mean -o m.json").ok();
    assert!(folder.read("m.json").len() < 1_000_000);
    let text = folder.run("evaluate d.csv --target c --with m.json").ok();
    assert!(text.contains("the largest errors among 1000 classes"), "{text}");
    assert!(text.lines().count() <= 31, "{text}");
}

#[test]
fn a_class_without_weight_needs_no_costs() {
    let folder = Folder::new("weightless");
    let rows: String =
        (0..40).map(|i| format!("{},{},1\n", i * i % 13, ["a", "b"][i % 2])).collect();
    folder.write("d.csv", format!("x,c,w\n{rows}5,z,0\n"));
    let command = "evaluate d.csv --target c --weights w --model lda --reject 0.3 --json";
    for folds in ["5", "loo"] {
        let result = folder.run(&format!("{command} --folds {folds}")).result();
        assert_eq!(result["classes"], serde_json::json!(["a", "b"]));
        assert_eq!(result["n"], 40);
    }
}

#[test]
fn evaluate_warns_as_fit_does() {
    let folder = Folder::new("warns");
    let quiet = folder.run("evaluate wine --model nearest-mean --standardize");
    assert_eq!(quiet.stderr, "");
    let warned = folder.run("evaluate wine --model nearest-mean");
    assert!(warned.stderr.contains("--standardize"), "{}", warned.stderr);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("pipe");
    folder.run("fit banana -o m.json").ok();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
        .args(["predict", "m.json", "banana", "--proba"])
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}
