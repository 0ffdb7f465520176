//! Checks that instruction sets give the same answers, and that unknown ones are refused.

use std::process::Command;

use gaussbayes::Instructions;
use serde_json::Value;

use super::Folder;

fn run(folder: &Folder, set: &str, command: &str) -> std::process::Output {
    let mut process = Command::new(env!("CARGO_BIN_EXE_gaussbayes"));
    process.args(command.split_whitespace()).current_dir(&folder.0).env("GAUSSBAYES_SIMD", set);
    process.output().unwrap()
}

/// Every number of a value, in order.
fn numbers(value: &Value, all: &mut Vec<f64>) {
    match value {
        Value::Number(number) => all.extend(number.as_f64()),
        Value::Array(values) => values.iter().for_each(|value| numbers(value, all)),
        Value::Object(fields) => fields.values().for_each(|value| numbers(value, all)),
        _ => {}
    }
}

#[test]
fn instruction_sets_agree() {
    let folder = Folder::new("instructions");
    let sets: Vec<&str> = Instructions::ALL
        .into_iter()
        .filter(|set| set.is_available())
        .map(Instructions::name)
        .collect();
    assert!(sets.contains(&"portable"));
    for (before, command, tolerance) in [
        ("fit iris --model qda -o m.json", "predict m.json iris --proba --json", 1e-10),
        ("fit wine --model lda -o m.json", "predict m.json wine --proba --json", 1e-10),
        ("fit wine --model naive-bayes -o m.json", "predict m.json wine --proba --json", 1e-10),
        ("--version", "cluster faithful -k 2 --model VVV --json", 1e-7),
        ("--version", "cluster faithful -k 2 --model EEE --json", 1e-7),
    ] {
        let answers: Vec<Vec<f64>> = sets
            .iter()
            .map(|set| {
                let first = run(&folder, set, before);
                assert!(first.status.success(), "{set} {before}");
                let output = run(&folder, set, command);
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{set} {command}: {said}");
                let mut all = Vec::new();
                numbers(&serde_json::from_slice(&output.stdout).unwrap(), &mut all);
                all
            })
            .collect();
        assert!(answers[0].len() > 5, "{command}");
        for (set, answer) in sets.iter().zip(&answers) {
            assert_eq!(answer.len(), answers[0].len(), "{set} {command}");
            for (a, b) in answer.iter().zip(&answers[0]) {
                assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{set} {command}: {a} {b}");
            }
        }
    }
}

#[test]
fn other_names_are_refused() {
    let folder = Folder::new("no_instructions");
    let output = run(&folder, "sse9", "fit iris -o m.json");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    let there = "GAUSSBAYES_SIMD=sse9 names no instruction set of this machine";
    assert!(said.contains(there) && said.contains("portable") && said.contains("hint:"), "{said}");
    assert!(folder.files().is_empty());
    // Nothing asked for is the best.
    assert!(run(&folder, "", "fit iris -o m.json").status.success());
}
