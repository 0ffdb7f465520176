//! Checks the files that a clustering writes before any work is done.

use std::path::{Path, PathBuf};

use gaussbayes_io::check_writable;

use super::super::{place, refuse_overwriting};
use super::job::Job;
use super::start::From;
use crate::args::Cluster;
use crate::failure::Failure;

/// Refuses files that are read, named twice, or cannot be written.
pub(super) fn check(arguments: &Cluster) -> Result<(), Failure> {
    let data = arguments.data.paths();
    let mut with_start = data.clone();
    with_start.extend(arguments.start.as_ref().map(PathBuf::from));
    let outputs =
        [Some(&arguments.output), arguments.checkpoint.as_ref(), arguments.trace.as_ref()];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().map(PathBuf::as_path).collect();
    for (at, output) in outputs.iter().enumerate() {
        // A model may replace the one it starts from, but not where that must be read once more.
        let replaces = at == 0 && arguments.checkpoint.is_none();
        refuse_overwriting(output, if replaces { &data } else { &with_start })?;
        if outputs[..at].iter().any(|other| place(other) == place(output)) {
            let message = format!("'{}' is named for two files", output.display());
            return Err(Failure::usage(message, "give each a name of its own"));
        }
    }
    if let Some(trace) = arguments.trace.as_ref().filter(|path| !is_csv(path) && !is_json(path)) {
        let message = format!("'{}' is no name for a trace", trace.display());
        return Err(Failure::usage(message, "end it in .csv or .json"));
    }
    Ok(outputs.into_iter().try_for_each(check_writable)?)
}

/// Refuses to follow several fits at once.
pub(super) fn check_trace(arguments: &Cluster, job: &Job, cells: usize) -> Result<(), Failure> {
    let given = !matches!(job.from, From::Runs(_));
    let single =
        if given { job.families.as_ref().is_none_or(|all| all.len() == 1) } else { cells == 1 };
    if arguments.trace.is_some() && !single {
        return Err(Failure::usage(
            "only a single fit has a trajectory to write",
            "ask for one number of clusters and one model: -k 3 --model VVV --trace FILE.csv",
        ));
    }
    Ok(())
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv"))
}

pub(super) fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}
