//! Clusters with files that clash, that start a run, or that another run has left.

use serde_json::{Value, json};

use super::cluster_breaks::{rows, spawned, wait_for};
use super::{Folder, iris};

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_file_is_named_once_however_it_is_spelt() {
    let folder = Folder::new("clashes");
    std::fs::create_dir(folder.0.join("sub")).unwrap();
    folder.write("d.csv", iris());
    folder.run("cluster d.csv --target species -k 3 --model VVV -o m.json").ok();
    let (files, model) = (folder.files(), folder.read("m.json"));
    let whole = folder.0.join("zz.json").display().to_string();
    let clashes = [
        "-o ./zz.json --checkpoint zz.json",
        "-o zz.json --checkpoint sub/../zz.json",
        "-o zz.json --trace ./zz.json",
        "-o x.json --checkpoint zz.json --trace ./zz.json",
        &format!("-o zz.json --checkpoint {whole}"),
        "-o n.json --checkpoint ./d.csv",
        "-o n.json --trace sub/../d.csv",
        "-o n.json --start m.json --trace ./m.json",
        "-o n.json --start m.json --checkpoint ./m.json",
        "-o ./m.json --start m.json --checkpoint c.json",
    ];
    for clash in clashes {
        let answer =
            folder.run(&format!("cluster d.csv --target species -k 3 --model VVV {clash}"));
        let said = &answer.stderr;
        assert_eq!(answer.code, Some(2), "{clash}: {said}");
        assert!(
            said.contains("for two files") || said.contains("it would be lost"),
            "{clash}: {said}"
        );
        assert!(folder.files() == files && folder.read("m.json") == model, "{clash}");
    }
    let command = "cluster d.csv --target species -k 3 --model VVV -o zz.json";
    folder.run(&format!("{command} --checkpoint sub/zz.json")).ok();
    folder.run("cluster d.csv --target species --start m.json -o m.json").ok();
    folder.run("show zz.json").ok();
}

#[test]
fn clusters_that_are_numbered_have_no_error_rate_against_classes_that_are() {
    let folder = Folder::new("numbered");
    let species = [("setosa", "1"), ("versicolor", "2"), ("virginica", "3")];
    let numbered = species.iter().fold(iris().to_owned(), |text, (name, k)| text.replace(name, k));
    folder.write("d.csv", numbered);
    let judged = |model: &str| {
        let result = folder.run(&format!("evaluate d.csv --with {model} --target species --json"));
        let result = result.result();
        (result.get("errors").is_some(), result.get("adjusted_rand").is_some())
    };
    folder.run("cluster d.csv --target species -k 3 --model VEV -o m.json").ok();
    assert_eq!(judged("m.json"), (false, true));
    folder.run("cluster d.csv --target species --start m.json -o again.json").ok();
    assert_eq!(judged("again.json"), (false, true));
    // Names that came from classes are those of the classes.
    folder.run("cluster d.csv --target species --start labels --model VEV -o l.json").ok();
    assert_eq!(judged("l.json"), (true, false));
    folder.run("fit d.csv --target species -o f.json").ok();
    folder.run("cluster d.csv --target species --start f.json -o g.json").ok();
    assert_eq!(judged("g.json"), (true, false));
    folder.run("cluster d.csv --target species --start g.json -o h.json").ok();
    assert_eq!(judged("h.json"), (true, false));
}

/// Leaves the checkpoint `c.json` of a run that was killed.
fn killed(folder: &Folder, command: &str) {
    let mut child = spawned(folder, command);
    assert!(wait_for(&mut child, &folder.0.join("c.json")), "no checkpoint was left: {command}");
    child.kill().unwrap();
    child.wait().unwrap();
}

fn refused(folder: &Folder, command: &str, why: &str) {
    let before = folder.read("c.json");
    let answer = folder.run(command);
    assert_eq!(answer.code, Some(2), "{command}: {}", answer.stderr);
    let said = format!("error: c.json is of another run: {why}");
    assert!(answer.stderr.starts_with(&said), "{command}: {}", answer.stderr);
    assert!(folder.read("c.json") == before, "{command}");
}

const SEARCH: &str =
    "cluster d.csv -k 6 --model VVV --tolerance 0 --max-iter 200 --checkpoint c.json";

#[test]
fn a_checkpoint_is_of_the_starts_that_it_was_left_with() {
    let folder = Folder::new("other-starts");
    rows(&folder);
    let command = format!("{SEARCH} --drop class");
    killed(&folder, &command);
    let starts = "the list of starts was hierarchical 0, kmeans 0-1, k-means++ 0-1 and is";
    let five = format!("{starts} hierarchical 0, kmeans 0-3");
    refused(&folder, &format!("{command} --restarts 5"), &five);
    refused(&folder, &format!("{command} --start random"), &format!("{starts} random 0-3"));
    let target = command.replace("--drop", "--target");
    refused(&folder, &target, "--target was not set and is class");
}

#[test]
fn a_checkpoint_is_of_the_model_and_the_labels_that_it_started_from() {
    let folder = Folder::new("other-given");
    rows(&folder);
    folder.run("fit d.csv --target class -o s.json").ok();
    let command = format!("{SEARCH} --drop class --start s.json");
    killed(&folder, &command);
    folder.run("fit d.csv --target class --priors uniform -o s.json").ok();
    refused(&folder, &command, "the model to start from was s.json with checksum ");
    std::fs::remove_file(folder.0.join("c.json")).unwrap();
    let command = format!("{SEARCH} --target class --start labels");
    killed(&folder, &command);
    let text = String::from_utf8(folder.read("d.csv")).unwrap();
    let (rest, last) = text.trim_end().rsplit_once(',').unwrap();
    let other = text.lines().skip(1).filter_map(|line| line.rsplit(',').next());
    let other = other.into_iter().find(|label| *label != last).unwrap();
    folder.write("d.csv", format!("{rest},{other}\n"));
    refused(&folder, &command, "the checksum of the labels was ");
}

#[test]
fn columns_of_a_start_model_are_found_by_their_names() {
    let folder = Folder::new("start-columns");
    folder.run("fit iris -o f.json").ok();
    let command = "cluster iris --start f.json --model VVV --json";
    let whole = folder.run(command).result();
    let turned = "petal_width,sepal_length,petal_length,sepal_width";
    let other = folder.run(&format!("{command} --features {turned}")).result();
    assert_eq!(other["features"], json!(turned.split(',').collect::<Vec<_>>()));
    assert_eq!(other["iterations"], whole["iterations"]);
    assert!((number(&other["loglik"]) - number(&whole["loglik"])).abs() < 1e-6);
    for k in 0..3 {
        for (new, old) in [3, 0, 2, 1].into_iter().enumerate() {
            let (found, expected) = (&other["means"][k][new], &whole["means"][k][old]);
            assert!((number(found) - number(expected)).abs() < 1e-6, "{found} {expected}");
        }
    }
    let few = folder.run("cluster iris --start f.json --features petal_width,petal_length");
    assert_eq!(few.code, Some(2), "{}", few.stderr);
    let error = "error: the model to start from needs the column 'sepal_length'";
    assert!(few.stderr.contains(error), "{}", few.stderr);
    let part = "model f.json --marginal petal_width,petal_length -o part.json";
    assert!(few.stderr.contains(&format!("gaussbayes {part}")), "{}", few.stderr);
    folder.run(part).ok();
    folder.run("cluster iris --start part.json --features petal_width,petal_length").ok();
    let many = folder.run("cluster iris --start part.json --features 1..4");
    assert_eq!(many.code, Some(2), "{}", many.stderr);
    let error = "error: the model to start from has no column 'sepal_length'";
    assert!(many.stderr.contains(error), "{}", many.stderr);
    assert!(many.stderr.contains("hint: leave --features and --drop out"), "{}", many.stderr);
}
