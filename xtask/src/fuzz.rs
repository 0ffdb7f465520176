//! Builds the fuzz targets with coverage on stable Rust, and runs them under libFuzzer.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{self, Failed, cargo, open_step, shown, silent, step};

/// The targets: what reads the bytes of others.
const TARGETS: [&str; 3] = ["csv", "model", "moments"];

/// What makes a program tell libFuzzer which of its edges an input has reached.
const COVERAGE: &str = "-Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    --cfg fuzzing";

/// Inputs of the size of files that people make by hand, seconds and megabytes that none of them may take.
const BOUNDS: [&str; 4] =
    ["-max_len=4096", "-timeout=10", "-rss_limit_mb=600", "-print_final_stats=1"];

/// Kilobytes of address space. libFuzzer's own bound is on memory that is touched: a list of a billion zeros is not.
const ADDRESSES: &str = "ulimit -v 524288 && exec \"$0\" \"$@\"";

/// The same inputs every time, as far as the code is the same.
const RUNS: [&str; 2] = ["-seed=1", "-runs=200000"];

/// Runs every target a fixed number of times; says so where there is nothing to build libFuzzer with.
pub(crate) fn steps(root: &Path) -> Result<(), Failed> {
    if let Err(what) = compiler() {
        println!("fuzz targets                 left out: {what}");
        return Ok(());
    }
    let options = RUNS.map(str::to_owned);
    TARGETS.iter().try_for_each(|target| run(root, target, &options))
}

/// Runs one target with the options of libFuzzer.
pub(crate) fn run(root: &Path, target: &str, options: &[String]) -> Result<(), Failed> {
    step("fuzz targets, build", || {
        compiler()?;
        silent(&mut build(root, target)?)
    })?;
    open_step(&format!("fuzz {target}"), || shown(&mut started(root, target, options)?))
}

/// libFuzzer is written in C++.
fn compiler() -> Result<(), String> {
    let name = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let found = Command::new(&name).arg("--version").output();
    match found {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err(format!("there is no C++ compiler '{name}' (CXX names another)")),
    }
}

fn build(root: &Path, target: &str) -> Result<Command, String> {
    let host = host(root)?;
    let arguments = "build --release --locked --manifest-path fuzz/Cargo.toml";
    let mut command = cargo(root, &format!("{arguments} --target {host} --bin {target}"));
    command.env("CARGO_TARGET_DIR", folder()?).env("RUSTFLAGS", COVERAGE);
    Ok(command)
}

/// The program of a target; inputs that reach more than the corpus are kept in the build folder.
fn started(root: &Path, target: &str, options: &[String]) -> Result<Command, String> {
    let folder = folder()?;
    let program = folder.join(host(root)?).join("release").join(target);
    let (found, crashes) = (folder.join("corpus").join(target), folder.join("crashes"));
    for made in [&found, &crashes] {
        fs::create_dir_all(made).map_err(|error| format!("{}: {error}", made.display()))?;
    }
    let mut command = Command::new("sh");
    command.current_dir(root).args(["-c", ADDRESSES]).arg(program).args(BOUNDS).args(options);
    let words = format!("fuzz/dictionaries/{target}.dict");
    command.arg(format!("-dict={words}"));
    command.arg(format!("-artifact_prefix={}/{target}-", crashes.display()));
    command.arg(found).arg(format!("fuzz/corpus/{target}"));
    Ok(command)
}

fn folder() -> Result<PathBuf, String> {
    Ok(steps::target_folder()?.join("fuzz"))
}

/// The machine that this is: named, so that build scripts are compiled without coverage.
fn host(root: &Path) -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).arg("-vV").current_dir(root).output();
    let said = said.map_err(|error| format!("rustc -vV: {error}"))?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_a_program_a_corpus_and_words() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        for target in TARGETS {
            assert!(root.join(format!("fuzz_targets/{target}.rs")).is_file(), "{target}");
            assert!(root.join(format!("dictionaries/{target}.dict")).is_file(), "{target}");
            assert!(root.join(format!("corpus/{target}")).is_dir(), "{target}");
        }
        assert_eq!(fs::read_dir(root.join("corpus")).unwrap().count(), TARGETS.len());
    }
}
