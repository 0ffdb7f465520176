//! Holds the objects of `--json` to the page that lists their keys.

use std::collections::{BTreeMap, BTreeSet};

use super::{Folder, commands, iris};

const PAGE: &str = include_str!("../../../../docs/json.md");

/// Keys of each command, and whether they are always there.
fn documented() -> BTreeMap<String, BTreeMap<String, bool>> {
    let mut all: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    let mut command = None;
    for line in PAGE.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            command = Some(name.to_string());
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let (Some(command), [_, key, _, when, _, _]) = (&command, &cells[..])
            && let Some(key) = key.strip_prefix('`').and_then(|key| key.strip_suffix('`'))
        {
            let keys = all.entry(command.clone()).or_default();
            keys.insert(key.to_string(), *when == "always");
        }
    }
    all
}

/// Commands whose objects have, between them, every key.
const CASES: &[&str] = &[
    "stats iris -o all.moments",
    "merge all.moments -o again.moments",
    "fit iris --model lda -o m.json",
    "fit iris --model softmax -o s.json",
    "fit mixed.csv --target c --model naive-bayes -o t.json",
    "fit iris --components 2 --model VVI -o c.json",
    "fit some.csv --target c --model lda -o e.json",
    "fit --from all.moments --model lda -o f.json",
    "update m.json iris -o u.json",
    "update t.json mixed.csv -o u.json",
    "predict m.json iris --proba",
    "predict m.json iris -o p.csv",
    "shift m.json iris",
    "transform m.json iris",
    "transform m.json iris -o d.csv",
    "cluster faithful -k 2 --model VVV -o k.json",
    "cluster iris -k 2..3 --model EEE -o k.json",
    "cluster faithful -k 3 --model VVV --merge 2 -o k3.json",
    "cluster faithful -k 2 --model VVV --bootstrap 3 --influence 2 -o k4.json",
    "evaluate iris --model lda --folds 3",
    "evaluate iris --model softmax --folds 3",
    "evaluate mixed.csv --target c --model naive-bayes --folds 3",
    "evaluate iris --with m.json",
    "evaluate iris --with k.json",
    "evaluate iris --model lda --curve learning --folds 3",
    "evaluate iris --model lda --curve features --folds 3",
    "evaluate two.csv --target c --model lda --curve roc --folds 3",
    "evaluate two.csv --target c --model lda --curve cost --folds 3",
    "compare iris --folds 3",
    "show m.json",
    "show s.json",
    "show t.json",
    "show c.json",
    "show e.json",
    "explain m.json",
    "explain m.json --as softmax",
    "error hyperbolic",
    "error m.json iris",
    "model hyperbolic -o h.json",
    "export m.json --to onnx -o m.onnx",
    "export m.json --to sql",
    "sample banana -n 5",
    "sample banana -n 5 -o b.csv",
    "plot iris --figure pairs",
    "plot --list",
    "plot --gallery all",
    "tour",
    "report iris -o iris.html",
    "completions bash",
    "man fit",
    "man -o pages",
];

#[test]
fn every_key_is_documented_and_every_documented_key_is_there() {
    let folder = Folder::new("json-keys");
    let rows = |line: &dyn Fn(usize) -> String| (0..60).map(line).collect::<String>();
    let number = |i: usize| (i * i * 7 + i * 3) % 23;
    let class = |i: usize| ["a", "b"][i % 2];
    let mixed = |i: usize| format!("{},{},{}\n", number(i), ["red", "blue"][i % 3 / 2], class(i));
    let some = |i: usize| {
        let label = if i.is_multiple_of(5) { "" } else { class(i) };
        format!("{},{},{label}\n", number(i) + 9 * (i % 2), number(i + 5))
    };
    let two = |i: usize| format!("{},{},{}\n", number(i) + 9 * (i % 2), number(i + 5), class(i));
    folder.write("mixed.csv", format!("x,w,c\n{}", rows(&mixed)));
    folder.write("some.csv", format!("x,y,c\n{}", rows(&some)));
    folder.write("two.csv", format!("x,y,c\n{}", rows(&two)));
    let page = documented();
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for case in CASES {
        let object = folder.run(&format!("{case} --json")).json();
        let top: Vec<&String> = object.as_object().unwrap().keys().collect();
        assert_eq!(top, ["command", "result", "schema", "warnings"], "{case}");
        let command = case.split(' ').next().unwrap();
        assert_eq!(object["command"], command);
        let known = page.get(command).unwrap_or_else(|| panic!("{command} is not on the page"));
        let keys: BTreeSet<String> =
            object["result"].as_object().unwrap().keys().cloned().collect();
        for key in &keys {
            assert!(known.contains_key(key), "{case}: '{key}' is not on the page");
        }
        for (key, _) in known.iter().filter(|(_, always)| **always) {
            assert!(keys.contains(key), "{case}: '{key}' is always there, says the page");
        }
        seen.entry(command.into()).or_default().extend(keys);
    }
    for (command, known) in &page {
        let known: BTreeSet<String> = known.keys().cloned().collect();
        assert_eq!(seen.get(command), Some(&known), "{command}: the page has more than was seen");
    }
    for command in commands() {
        assert!(page.contains_key(&command), "{command} is not on the page");
    }
}

#[test]
fn a_failure_is_one_object_too() {
    let folder = Folder::new("json-failures");
    folder.write("d.csv", "x,c\n1,a\nz,b\n");
    folder.write("one.csv", iris());
    for (command, name, code, message, hint) in [
        ("fit d.csv --target c --model lda", "fit", 3, "'z' is not a number", "mend"),
        ("fit one.csv --target specis", "fit", 2, "no column 'specis'", "'species'"),
        ("show none.json", "show", 1, "there is no model file", "gaussbayes fit"),
        ("fit iris --modl lda", "fit", 2, "unexpected argument '--modl'", "'--model'"),
    ] {
        let answer = folder.run(&format!("{command} --json"));
        assert_eq!(answer.code, Some(code), "{command}");
        assert_eq!(answer.stdout.lines().count(), 1, "{}", answer.stdout);
        let object: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
        assert_eq!(object["schema"], "gaussbayes/1");
        assert_eq!(object["command"], name);
        assert_eq!(object["error"]["code"], code);
        let said = |key: &str| object["error"][key].as_str().unwrap().to_string();
        assert!(said("message").contains(message), "{object}");
        assert!(said("hint").contains(hint), "{object}");
        assert!(answer.stderr.contains(message), "{}", answer.stderr);
        assert!(!answer.stderr.contains('\u{1b}'), "{}", answer.stderr);
    }
    let nothing = folder.run("fitt --json");
    let object: serde_json::Value = serde_json::from_str(&nothing.stdout).unwrap();
    assert!(object["command"].is_null(), "{object}");
}
