//! Replays the corpus of the fuzz targets: what was hostile once is read again, by the same laws.

use std::fs;
use std::path::Path;

#[allow(unreachable_pub, reason = "the targets are a library of their own, too")]
#[path = "../../../fuzz/src/lib.rs"]
mod targets;

/// Runs a target on every file of its corpus, in the order of their names.
fn replay(target: &str, run: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(paths.len() > 40, "{} files in {}", paths.len(), folder.display());
    for path in paths {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let outcome = std::panic::catch_unwind(|| run(&bytes));
        assert!(outcome.is_ok(), "{} fails", path.display());
    }
}

#[test]
fn csv_text_is_read_or_refused() {
    replay("csv", targets::csv::run);
}

#[test]
fn model_files_open_or_are_refused() {
    replay("model", targets::model::run);
}

#[test]
fn moments_files_open_or_are_refused() {
    replay("moments", targets::moments::run);
}
