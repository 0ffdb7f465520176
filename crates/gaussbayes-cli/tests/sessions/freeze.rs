//! Keeps given means and covariances while a mixture is fitted.

use serde_json::Value;

use super::Folder;

#[test]
fn what_is_frozen_is_in_the_model_that_is_saved() {
    let folder = Folder::new("freeze");
    folder.run("cluster iris -k 3 --model VVV --max-iter 2 -o first.json").ok();
    let first = folder.run("show first.json --json").result();
    let fitted = |wishes: &str, says: &str| {
        let fit = format!("cluster iris --start first.json --model VVV {wishes} -o m.json");
        let text = folder.run(&fit).ok();
        let line = text.lines().find(|line| line.starts_with("frozen: "));
        assert_eq!(line.unwrap_or_default(), says);
        folder.run("show m.json --json").result()
    };
    let same = |a: &Value, b: &Value, what: &str| -> Vec<bool> {
        let all = |value: &Value| value[what].as_array().unwrap().clone();
        all(a).iter().zip(&all(b)).map(|(a, b)| a == b).collect()
    };
    let free = fitted("", "");
    assert_eq!(same(&first, &free, "means"), [false; 3]);
    let says = "frozen: means of 1, 3; covariances of 2";
    let some = fitted("--freeze means=1,3 --freeze covariances=2", says);
    assert_eq!(same(&first, &some, "means"), [true, false, true]);
    assert_eq!(same(&first, &some, "covariances"), [false, true, false]);
    let says = "frozen: means of 1, 2, 3; covariances of 1, 2, 3";
    let all = fitted("--freeze means --freeze covariances", says);
    assert_eq!(same(&first, &all, "means"), [true; 3]);
    assert_eq!(same(&first, &all, "covariances"), [true; 3]);
    assert_ne!(first["priors"], all["priors"]);
}

#[test]
fn what_cannot_be_frozen_is_said() {
    let folder = Folder::new("frozen");
    folder.run("cluster iris -k 2 --model VVV --max-iter 2 -o first.json").ok();
    for (wish, says) in [
        ("iris --freeze means", "nothing is given that could stay as it is"),
        ("iris --start first.json --freeze weights", "'weights' cannot be frozen"),
        ("iris --start first.json --freeze means=3", "'3' is no cluster to freeze"),
    ] {
        let run = folder.run(&format!("cluster {wish}"));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(says), "{}", run.stderr);
        assert!(run.stderr.contains("hint: "), "{}", run.stderr);
    }
    let run = folder.run("cluster iris --start first.json --model VEV --freeze covariances=1");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("VEV"), "{}", run.stderr);
}
