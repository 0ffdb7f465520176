//! Says which steps `check` and `test` consist of, and in which order.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::steps::{self, Failed, cargo, none_of, open_step, shown, silent, step};
use crate::tree::{self, File};
use crate::{code_map, fuzz, python, rules};

const REPORT: &str = "target/tour/report.html";

/// Tests of loops over rows: not those of boundaries and risks, which have none, nor those of rows with some labels,
/// which take minutes and the loops of clusters.
const MATHEMATICS: &str = "package(gaussbayes) - binary(risk) - binary(boundary) - binary(between)";

/// Quick steps first; the slow ones start only when those are clean.
pub(crate) fn check(root: &Path) -> Result<(), Failed> {
    all([
        step("format", || silent(&mut cargo(root, "fmt --all --check"))),
        step("rules of the tree", || none_of(&rules::findings(&tree::read(root)?))),
        step("code map", || none_of(&code_map::stale(&tree::read(root)?))),
    ])?;
    all([
        step("clippy", || silent(&mut clippy(root))),
        step("rustdoc", || silent(&mut rustdoc(root))),
    ])
}

/// Everything that must pass before a change is done.
pub(crate) fn test(root: &Path) -> Result<(), Failed> {
    check(root)?;
    let files = tree::read(root).map_err(|what| steps::said(&what))?;
    open_step("tests", || shown(&mut test_runner(root)))?;
    other_instructions(root)?;
    open_step("doctests", || shown(&mut cargo(root, "test --release --workspace --doc")))?;
    examples(root, &files)?;
    if files.iter().any(|file| file.is_crate_source(&["benches"])) {
        step("benches, once each", || silent(&mut benches(root)))?;
    }
    python::steps(root)?;
    open_step("tour", || tour(root))
}

/// Tests that grow with the time they are given, with minutes of it.
pub(crate) fn slow(root: &Path) -> Result<(), Failed> {
    open_step("slow tests", || {
        let mut command = cargo(root, "test --release --package gaussbayes --test risk");
        shown(command.env("GAUSSBAYES_DRAWS", "10000000"))
    })?;
    fuzz::steps(root)
}

fn all<const N: usize>(outcomes: [Result<(), Failed>; N]) -> Result<(), Failed> {
    outcomes.into_iter().collect()
}

fn clippy(root: &Path) -> Command {
    cargo(root, "clippy --release --quiet --workspace --all-targets --keep-going -- -D warnings")
}

fn rustdoc(root: &Path) -> Command {
    let mut command = cargo(root, "doc --release --quiet --workspace --no-deps --keep-going");
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

fn benches(root: &Path) -> Command {
    cargo(root, "test --release --quiet --workspace --bench *")
}

/// nextest where it is installed, cargo's own runner elsewhere; doctests are a step of their own.
fn test_runner(root: &Path) -> Command {
    if silent(&mut cargo(root, "nextest --version")).is_ok() {
        cargo(root, "nextest run --release --workspace --no-fail-fast")
    } else {
        cargo(root, "test --release --workspace --tests --no-fail-fast")
    }
}

/// Golden values, laws, hard cases and clusters once more with every instruction set that is not the best of this
/// machine. One that the machine lacks is said to be missing: nobody has seen it pass.
fn other_instructions(root: &Path) -> Result<(), Failed> {
    #[cfg(target_arch = "x86_64")]
    let sets = [
        ("avx512", is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")),
        ("avx2", is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")),
        ("portable", true),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let sets = [("avx512", false), ("avx2", false), ("portable", true)];
    for (name, _) in sets.iter().filter(|(_, there)| !there) {
        open_step(&format!("tests with {name}: NOT RUN, this machine lacks it"), || Ok(()))?;
    }
    for (name, _) in sets.into_iter().filter(|(_, there)| *there).skip(1) {
        open_step(&format!("tests with {name}"), || {
            shown(mathematics(root).env("GAUSSBAYES_SIMD", name))
        })?;
    }
    Ok(())
}

/// The tests of loops over rows, as the whole workspace has built them.
fn mathematics(root: &Path) -> Command {
    if silent(&mut cargo(root, "nextest --version")).is_ok() {
        let mut command = cargo(root, "nextest run --release --workspace --no-fail-fast");
        command.args(["-E", MATHEMATICS]);
        command
    } else {
        cargo(root, "test --release --package gaussbayes --tests --no-fail-fast")
    }
}

/// Builds all examples with the whole workspace, so that they share its build, and runs each.
fn examples(root: &Path, files: &[File]) -> Result<(), Failed> {
    let names: Vec<&str> = files.iter().filter_map(|file| example_name(&file.path)).collect();
    if names.is_empty() {
        return Ok(());
    }
    step("examples, build", || {
        silent(&mut cargo(root, "build --release --quiet --workspace --examples"))
    })?;
    for name in names {
        step(&format!("example {name}"), || {
            silent(&mut built(root, &format!("examples/{name}"))?)
        })?;
    }
    Ok(())
}

/// The example that a file is the root of: `examples/<name>.rs` or `examples/<name>/main.rs`.
fn example_name(path: &str) -> Option<&str> {
    match path.split('/').collect::<Vec<_>>()[..] {
        ["crates", _, "examples", name] => name.strip_suffix(".rs"),
        ["crates", _, "examples", name, "main.rs"] => Some(name),
        _ => None,
    }
}

/// A program that cargo has built, by its path in the folder of the release profile.
fn built(root: &Path, program: &str) -> Result<Command, String> {
    let folder = steps::target_folder()?.join("release");
    let mut command = Command::new(folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)));
    command.current_dir(root);
    Ok(command)
}

/// What the first command of the README runs; it must leave a report behind.
///
/// Built with the whole workspace: `cargo run` would leave out the features that the Python module
/// needs of shared dependencies, and compile them all a second time.
fn tour(root: &Path) -> Result<(), String> {
    let report = root.join(REPORT);
    let folder = report.parent().unwrap_or(root);
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    silent(&mut cargo(root, "build --release --quiet --workspace --bin gaussbayes"))?;
    shown(built(root, "gaussbayes")?.args(["tour", "-o", REPORT]))?;
    match fs::metadata(&report) {
        Ok(found) if found.len() > 0 => Ok(()),
        _ => Err(format!("the tour left no report in {REPORT}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_files_or_folders_with_a_main() {
        assert_eq!(example_name("crates/a/examples/b.rs"), Some("b"));
        assert_eq!(example_name("crates/a/examples/b/main.rs"), Some("b"));
        assert_eq!(example_name("crates/a/examples/b/part.rs"), None);
        assert_eq!(example_name("crates/a/examples/README.md"), None);
        assert_eq!(example_name("crates/a/src/b.rs"), None);
    }
}
