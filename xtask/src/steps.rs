//! Runs the steps of a command one by one, with a line and a time for each.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A step failed and has said why.
#[derive(Debug)]
pub(crate) struct Failed;

/// Runs one step: its name, its work, its time, and what the work found.
pub(crate) fn step(name: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), Failed> {
    print!("{name:<28} ");
    timed(name, "", work)
}

/// Runs a step whose own output is shown while it runs.
pub(crate) fn open_step(
    name: &str,
    work: impl FnOnce() -> Result<(), String>,
) -> Result<(), Failed> {
    println!("{name}");
    timed(name, &format!("{name:<28} "), work)
}

fn timed(name: &str, again: &str, work: impl FnOnce() -> Result<(), String>) -> Result<(), Failed> {
    // Lost progress lines are no reason to fail.
    let _ = io::stdout().flush();
    let start = Instant::now();
    let outcome = work();
    let verdict = if outcome.is_ok() { "ok" } else { "FAILED" };
    println!("{again}{verdict:<6} {:7.1} s", start.elapsed().as_secs_f64());
    outcome.map_err(|findings| {
        println!("{}\nstep `{name}` failed", findings.trim_end());
        Failed
    })
}

/// Says why there is no step to run.
pub(crate) fn said(what: &str) -> Failed {
    println!("{what}");
    Failed
}

/// A list of findings as the outcome of a step.
pub(crate) fn none_of<T: Display>(findings: &[T]) -> Result<(), String> {
    if findings.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    Err(format!("{}\nfindings: {}", lines.join("\n"), lines.len()))
}

/// The page with a text between its two marks, or why it cannot be put there.
pub(crate) fn between(page: &str, marks: [&str; 2], text: &str) -> Result<String, String> {
    let [open, close] = marks;
    let lacks = || format!("the page lacks the line `{open}` or, after it, `{close}`");
    let (before, rest) = page.split_once(open).ok_or_else(lacks)?;
    let (_, after) = rest.split_once(close).ok_or_else(lacks)?;
    Ok(format!("{before}{open}\n\n{text}\n{close}{after}"))
}

/// The cargo that runs this program, with its arguments, in the root of the repository.
pub(crate) fn cargo(root: &Path, arguments: &str) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(arguments.split_whitespace()).current_dir(root);
    one_build(&mut command, root);
    command
}

/// Tells pyo3's build script what maturin would, so that lints and wheel do not undo each other's build.
pub(crate) fn one_build<'a>(command: &'a mut Command, root: &Path) -> &'a mut Command {
    command.env("PYO3_BUILD_EXTENSION_MODULE", "1");
    command.env("PYO3_CONFIG_FILE", root.join("xtask/pyo3.txt"))
}

/// The folder that cargo builds in: this program lies in a profile's folder there.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| error.to_string())?;
    Ok(this.ancestors().nth(2).unwrap_or(&this).to_owned())
}

/// Runs a command and shows its output only when it fails.
pub(crate) fn silent(command: &mut Command) -> Result<(), String> {
    if io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    let output = command.output().map_err(|error| not_started(command, &error))?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    Err(format!("{}\n{}", String::from_utf8_lossy(&text).trim_end(), ended(command, output.status)))
}

/// Runs a command with its output shown as it comes.
pub(crate) fn shown(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(ended(command, status)) }
}

fn not_started(command: &Command, error: &io::Error) -> String {
    format!("`{}` did not start: {error}", spelled(command))
}

fn ended(command: &Command, status: impl Display) -> String {
    format!("`{}` ended with {status}", spelled(command))
}

/// A command as one would type it.
fn spelled(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_listed_whole() {
        assert!(none_of::<String>(&[]).is_ok());
        assert_eq!(none_of(&["a:1: b", "c:2: d"]), Err("a:1: b\nc:2: d\nfindings: 2".to_owned()));
    }

    #[test]
    fn a_failing_command_says_what_was_run() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let found = silent(&mut cargo(root, "no-such-command --flag")).unwrap_err();
        assert!(found.contains("cargo no-such-command --flag` ended with "));
    }
}
