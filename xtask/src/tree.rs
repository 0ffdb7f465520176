//! Reads the text files of the repository and names what is found in them.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::source;

/// Folders that hold nothing of the project, where there is no git to say so.
const OUTSIDE: [&str; 5] = [".git", ".venv", "__pycache__", "node_modules", "target"];

/// One text file, its path relative to the root and with forward slashes.
#[derive(Debug, Clone)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    what: String,
}

impl File {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    pub(crate) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }

    /// Whether this is Rust source of `crates/*/<one of the folders>/`.
    pub(crate) fn is_crate_source(&self, folders: &[&str]) -> bool {
        let parts: Vec<&str> = self.path.split('/').collect();
        self.has_extension("rs")
            && matches!(parts[..], ["crates", _, folder, _, ..] if folders.contains(&folder))
    }

    /// Whether this is Python source under the folder: `.py`, not the stubs.
    pub(crate) fn is_python_of(&self, folder: &str) -> bool {
        self.has_extension("py") && self.path.starts_with(folder)
    }

    /// Whether the code map lists the file and its first line must say its job.
    pub(crate) fn is_mapped(&self) -> bool {
        self.is_crate_source(&["src", "tests", "examples", "benches"])
            || (self.has_extension("rs") && self.path.starts_with("xtask/src/"))
            || self.is_python_of("python/")
    }

    pub(crate) fn finding_at_line(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }

    /// The same finding at each of the byte offsets.
    pub(crate) fn findings(&self, offsets: &[usize], what: &str) -> Vec<Finding> {
        let line = |&at: &usize| source::line_of(&self.text, at);
        offsets.iter().map(|at| self.finding_at_line(line(at), what)).collect()
    }
}

impl Finding {
    pub(crate) fn about(path: &str, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: 1, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.what)
    }
}

/// Every text file that git tracks or would add; without git, every one outside build folders.
pub(crate) fn read(root: &Path) -> Result<Vec<File>, String> {
    read_all(root).map_err(|error| format!("cannot read the files of {}: {error}", root.display()))
}

fn read_all(root: &Path) -> io::Result<Vec<File>> {
    let mut paths = match listed_by_git(root) {
        Some(paths) => paths,
        None => walked(root)?,
    };
    paths.sort();
    paths.dedup();
    let mut files = Vec::new();
    for path in paths {
        let full = root.join(&path);
        // A deleted file is listed until its deletion is staged; links and submodules are not ours.
        if !full.symlink_metadata().is_ok_and(|found| found.is_file()) {
            continue;
        }
        if let Ok(text) = String::from_utf8(fs::read(&full)?)
            && !text.contains('\0')
        {
            files.push(File { path, text });
        }
    }
    Ok(files)
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    let paths: Vec<String> =
        String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(str::to_owned).collect();
    (output.status.success() && !paths.is_empty()).then_some(paths)
}

fn walked(root: &Path) -> io::Result<Vec<String>> {
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type()?;
            if kind.is_dir() && !OUTSIDE.contains(&name.as_str()) {
                folders.push(format!("{folder}{name}/"));
            } else if kind.is_file() {
                paths.push(format!("{folder}{name}"));
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_as_file_line_what() {
        let file = File::new("a.rs", "x\ny\n");
        assert_eq!(file.findings(&[2], "y is here")[0].to_string(), "a.rs:2: y is here");
    }

    #[test]
    fn mapped_files_are_those_of_crates_of_xtask_and_of_python() {
        let mapped = |path| File::new(path, "").is_mapped();
        assert!(mapped("crates/a/src/b/c.rs") && mapped("crates/a/tests/d.rs"));
        assert!(mapped("xtask/src/main.rs"));
        assert!(mapped("python/a/b.py") && mapped("python/tests/c.py"));
        assert!(!mapped("python/a/b.pyi") && !mapped("testdata/golden/make/b.py"));
        assert!(!mapped("crates/a/build.rs") && !mapped("crates/a/src/b.txt"));
    }

    #[test]
    fn git_and_the_walk_both_find_this_crate() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(walked(root).unwrap().contains(&"src/tree.rs".to_owned()));
        assert!(read(root).unwrap().iter().any(|file| file.path == "src/tree.rs"));
    }
}
