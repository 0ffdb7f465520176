//! Runs the command as a person or a script would, and reads what it says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod bad_input;
mod bad_models;
mod breaks;
mod cluster;
mod cluster_breaks;
mod cluster_files;
mod cluster_input;
mod explained;
mod export;
mod freeze;
mod instructions;
mod json_keys;
mod judging;
mod known;
mod manners;
mod moments;
mod moments_refused;
mod near_misses;
mod outliers;
mod pages;
mod papers;
mod plots;
mod products;
mod reading;
mod rubbish;
mod same_bytes;
mod shift;
mod singular;
mod snapshots;
mod softmax;
mod some_labels;
mod text;
mod uses;

use std::fs::File;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder of its own for one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the command here; words are split at blanks.
    fn run(&self, command: &str) -> Answer {
        self.run_with(command, b"")
    }

    fn run_with(&self, command: &str, input: &[u8]) -> Answer {
        let mut stdin = tempfile(&self.0);
        stdin.write_all(input).unwrap();
        stdin.rewind().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_gaussbayes"))
            .args(command.split_whitespace())
            .current_dir(&self.0)
            .stdin(Stdio::from(stdin))
            .output()
            .unwrap();
        Answer {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// A file beside the folder, for standard input.
fn tempfile(folder: &Path) -> File {
    let path = folder.with_extension("stdin");
    File::options().read(true).write(true).create(true).truncate(true).open(path).unwrap()
}

struct Answer {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Answer {
    /// Standard output of a command that did what it was asked for.
    fn ok(self) -> String {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self.stdout
    }

    fn json(self) -> Value {
        let text = self.ok();
        assert_eq!(text.lines().count(), 1, "{text}");
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["schema"], "gaussbayes/1");
        value
    }

    fn result(self) -> Value {
        self.json()["result"].clone()
    }
}

/// Every command there is, as the help lists them.
fn commands() -> Vec<String> {
    let text = Folder::new("commands").run("--help").ok();
    let list = text.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let first = |line: &str| line.split_whitespace().next().map(String::from);
    // Lines that go on with a description are indented further.
    let own = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    own.filter_map(first).filter(|name| name != "help").collect()
}

/// A built-in set as the file it came from.
fn iris() -> &'static str {
    include_str!("../../../gaussbayes-io/data/iris.csv")
}

/// Iris with every number mapped, and printed so that it reads back exactly.
fn mapped_iris(map: impl Fn(f64) -> f64) -> String {
    let mut lines = iris().lines();
    let mut text = lines.next().unwrap().to_string();
    for line in lines {
        let (numbers, species) = line.rsplit_once(',').unwrap();
        let cells: Vec<String> =
            numbers.split(',').map(|cell| format!("{:?}", map(cell.parse().unwrap()))).collect();
        text.push_str(&format!("\n{},{species}", cells.join(",")));
    }
    text + "\n"
}
