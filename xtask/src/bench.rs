//! Sets up the peers, builds what users get, and runs both side by side.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python::Place;
use crate::steps::{self, Failed, cargo, open_step, shown, silent, step};

const REQUIREMENTS: &str = "bench/requirements.txt";
const TORCH: &str = "bench/requirements-torch.txt";
const DATA: &str = "bench/gen.py";
const RUNNER: &str = "bench/run.py";
const PAGE: &str = "README.md";
const OPEN: &str = "<!-- bench -->";
const CLOSE: &str = "<!-- /bench -->";

/// Enough to see that everything runs.
const QUICK: [&str; 4] = ["--reps", "3", "--quiet-wait", "1"];

/// The profile of releases.
const PROFILE: &str = "dist";

/// R with MASS, mclust and a fast BLAS, as Debian names them.
const R: &str = "r-base-core r-cran-mass r-cran-mclust libopenblas0-pthread";

/// Exits without success unless R has the peers.
const R_PROBE: &str = "for (p in c('MASS', 'mclust')) if (!requireNamespace(p)) quit(status = 1)";

/// What the setup is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// Small data, to see that everything runs.
    Quick,
    /// The peers on torch.
    Torch,
    /// Wheel and command as the last run left them.
    NoBuild,
    /// Keep the results, and put the table into the page.
    Write,
}

/// The wishes of a command line; the words that are none are for the runner.
fn read(arguments: &[String]) -> (Vec<Wish>, Vec<&str>) {
    let (mut wishes, mut words) = (Vec::new(), Vec::new());
    for word in arguments {
        match word.as_str() {
            "--quick" => wishes.push(Wish::Quick),
            "--torch" => wishes.push(Wish::Torch),
            "--no-build" => wishes.push(Wish::NoBuild),
            "--write" => wishes.push(Wish::Write),
            other => words.push(other),
        }
    }
    (wishes, words)
}

/// The whole benchmark, from the environment to the table.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failed> {
    let (wishes, words) = read(arguments);
    let wished = |wish: Wish| wishes.contains(&wish);
    let target = steps::target_folder().map_err(|what| steps::said(&what))?;
    let home = target.join("bench");
    let place = Place { root, target: &target, folder: &home.join("python") };
    step("peers in Python", || place.environment(REQUIREMENTS))?;
    if wished(Wish::Torch) {
        let place = Place { folder: &home.join("torch"), ..place };
        step("peers on torch", || place.environment(TORCH))?;
    }
    // A peer that cannot be had is named in the results.
    left_out("peers in R", &with_r());
    left_out("peers in Rust", &silent(&mut rust_peers(root, &home)));
    if !wished(Wish::NoBuild) {
        step("command, as released", || silent(&mut command(root)))?;
        step("wheel, as released", || place.wheel(PROFILE))?;
        step("wheel, installed", || place.installed())?;
    }
    let quick = wished(Wish::Quick);
    step("data", || silent(&mut script(&place, &home, quick, DATA)))?;
    open_step("side by side", || {
        let mut runner = script(&place, &home, quick, RUNNER);
        runner.arg("run");
        if quick {
            runner.args(QUICK);
        }
        runner.args(&words).args(wished(Wish::Write).then_some("--write"));
        shown(&mut runner)
    })?;
    if wished(Wish::Write) {
        step("table", || write_table(root, &home))?;
    }
    Ok(())
}

/// Says what is left out and why; the rest goes on.
fn left_out(name: &str, outcome: &Result<(), String>) {
    match outcome {
        Ok(()) => println!("{name:<28} ok"),
        Err(what) => println!("{name:<28} left out: {}", what.lines().last().unwrap_or_default()),
    }
}

/// R with its packages, installed where that is possible without asking.
fn with_r() -> Result<(), String> {
    let probe = || silent(Command::new("Rscript").args(["-e", R_PROBE]));
    if probe().is_ok() {
        return Ok(());
    }
    let mut install = Command::new("apt-get");
    install.args("install --yes --quiet --no-install-recommends".split_whitespace());
    install.args(R.split_whitespace()).env("DEBIAN_FRONTEND", "noninteractive");
    let no_r = |_| "there is no R with MASS and mclust, and apt-get cannot install them".to_owned();
    silent(Command::new("apt-get").args(["update", "--quiet"])).map_err(no_r)?;
    silent(&mut install).and_then(|()| probe()).map_err(no_r)
}

/// linfa, for this machine.
fn rust_peers(root: &Path, home: &Path) -> Command {
    let mut command = cargo(root, "build --release --manifest-path bench/rust_peers/Cargo.toml");
    command.env("CARGO_TARGET_DIR", home.join("rust")).env("RUSTFLAGS", "-Ctarget-cpu=native");
    command
}

/// Built with the whole workspace, so that the wheel finds its dependencies compiled.
fn command(root: &Path) -> Command {
    cargo(root, &format!("build --profile {PROFILE} --locked --workspace --bin gaussbayes"))
}

/// A script of the harness, in the environment of the peers.
fn script(place: &Place<'_>, home: &Path, quick: bool, path: &str) -> Command {
    let program = format!("gaussbayes{}", env::consts::EXE_SUFFIX);
    let program: PathBuf = place.target.join(PROFILE).join(program);
    let mut python = place.python("");
    python.arg(place.root.join(path)).env("BENCH_HOME", home).env("OURS_CLI", program);
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python.env("BENCH_QUICK", if quick { "1" } else { "0" });
    python
}

/// Puts the table that the runner has made between its marks.
fn write_table(root: &Path, home: &Path) -> Result<(), String> {
    let read = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let (path, table) = (root.join(PAGE), read(&home.join("table.md"))?);
    let page = steps::between(&read(&path)?, [OPEN, CLOSE], &table)?;
    fs::write(&path, page).map_err(|error| format!("{PAGE}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_not_for_the_setup_are_for_the_runner() {
        let words = ["--items", "gmm_*", "--quick", "--reps", "7", "--write"].map(str::to_owned);
        let (wishes, words) = read(&words);
        assert_eq!(words, ["--items", "gmm_*", "--reps", "7"]);
        assert_eq!(wishes, [Wish::Quick, Wish::Write]);
    }

    #[test]
    fn what_the_setup_names_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for path in [REQUIREMENTS, TORCH, RUNNER, DATA, "bench/rust_peers/Cargo.toml"] {
            assert!(root.join(path).is_file(), "{path}");
        }
        let page = fs::read_to_string(root.join(PAGE)).unwrap();
        assert!(steps::between(&page, [OPEN, CLOSE], "a table").is_ok());
    }
}
