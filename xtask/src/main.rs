//! Runs the commands of the workspace: `check`, `test`, `slow`, `fuzz`, `bench`, `python`, `docs`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to its terminal")]

mod bench;
mod code_map;
mod fuzz;
mod python;
mod rules;
mod source;
mod steps;
mod suite;
mod tree;

use std::env;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  check          formatting, the rules of the tree, the code map, clippy, rustdoc
  test           check, then every test, every example, the Python package and the tour
  slow           the tests that take minutes, and every fuzz target for a while
  fuzz TARGET    one fuzz target (csv, model, moments), with options of libFuzzer: -runs=N
  bench          ours beside its peers: bench --items GLOB --peers GLOB --reps N --threads N
                 --quick (small data, to try it) --slow, --torch (more peers) --no-build
                 --write (keep the results, and put the table into README.md)
  python         only the Python package: environment, wheel, types, tests
  docs           print the code map: each file with the sentence that opens it
  docs --write   put the code map into ARCHITECTURE.md
  help           print this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    let (name, outcome) = match words[..] {
        ["check"] => ("check", suite::check(&root)),
        ["test"] => ("test", suite::test(&root)),
        ["slow"] => ("slow", suite::slow(&root)),
        ["fuzz", target, ..] => ("fuzz", fuzz::run(&root, target, &arguments[2..])),
        ["bench", ..] => ("bench", bench::run(&root, &arguments[1..])),
        ["python"] => ("python", python::steps(&root)),
        ["docs"] => return print_map(&root),
        ["docs", "--write"] => return write_map(&root),
        ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        [] => return usage("no command"),
        _ => return usage(&format!("unknown command `{}`", words.join(" "))),
    };
    if outcome.is_ok() {
        println!("xtask {name}: all green");
        ExitCode::SUCCESS
    } else {
        println!("xtask {name}: failed");
        ExitCode::FAILURE
    }
}

fn usage(mistake: &str) -> ExitCode {
    eprint!("{mistake}\n\n{HELP}");
    ExitCode::from(2)
}

fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

fn print_map(root: &Path) -> ExitCode {
    report(map(root).map(|map| print!("{map}")))
}

fn write_map(root: &Path) -> ExitCode {
    let about = |what: &dyn Display| format!("{}: {what}", code_map::PAGE);
    let path = root.join(code_map::PAGE);
    report(map(root).and_then(|map| {
        let page = fs::read_to_string(&path).map_err(|error| about(&error))?;
        let fresh = code_map::splice(&page, &map).map_err(|what| about(&what))?;
        fs::write(&path, fresh).map_err(|error| about(&error))
    }))
}

/// The code map, once every file has its sentence.
fn map(root: &Path) -> Result<String, String> {
    let files = tree::read(root)?;
    steps::none_of(&rules::layout::headlines(&files))?;
    Ok(code_map::draw(&files))
}

fn report(outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("{what}");
            ExitCode::FAILURE
        }
    }
}
