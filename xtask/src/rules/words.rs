//! Keeps unfinished work, registry hosts and paths of one machine out of the text.

use crate::source;
use crate::tree::{File, Finding};

// Written in pieces, so that the rules do not find themselves.
const UNFINISHED: [&str; 7] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("#[ig", "nore"),
    concat!("db", "g!("),
];

const HOSTS: [&str; 6] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("files.", "pythonhosted"),
    concat!("deb.", "debian"),
    concat!("registry.", "npmjs"),
    concat!("cran.", "r-project"),
];

const LOCK_FILES: [&str; 3] = [".lock", "package-lock.json", "pnpm-lock.yaml"];

const PORTABLE: [&str; 4] = ["md", "py", "pyi", "toml"];

const MACHINE_PATHS: [&str; 3] = ["/work/", "/root/", "/tmp/"];

/// Nothing is left for later, switched off, or printed for the author alone.
pub(super) fn forbidden_words(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        for word in UNFINISHED {
            let what = format!("`{word}` is not allowed: finish it or leave it out");
            findings.extend(file.findings(&source::find_word(&file.text, word), &what));
        }
    }
    findings
}

/// Where packages come from is the business of the lock files alone.
pub(super) fn registry_hosts(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_lock = |file: &File| LOCK_FILES.iter().any(|name| file.path.ends_with(name));
    for file in files.iter().filter(|file| !is_lock(file)) {
        let text = file.text.to_ascii_lowercase();
        for host in HOSTS {
            let places: Vec<usize> = text.match_indices(host).map(|(at, _)| at).collect();
            findings.extend(file.findings(&places, &format!("names the registry `{host}`")));
        }
    }
    findings
}

/// Pages, Python and settings name no absolute path that exists on one machine only.
pub(super) fn machine_paths(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let portable = |file: &&File| PORTABLE.iter().any(|extension| file.has_extension(extension));
    for file in files.iter().filter(portable) {
        for path in MACHINE_PATHS {
            let what = format!("names a path under `{path}`: write one relative to the repository");
            let places = file.text.match_indices(path).map(|(at, _)| at);
            let places: Vec<usize> = places.filter(|&at| starts_a_path(&file.text, at)).collect();
            findings.extend(file.findings(&places, &what));
        }
    }
    findings
}

fn starts_a_path(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].last();
    !before.is_some_and(|&byte| source::is_ident(byte) || byte == b'.' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> [File; 1] {
        [File::new("docs/a.md", text)]
    }

    #[test]
    fn every_unfinished_word_is_found_where_it_stands_alone() {
        for word in UNFINISHED {
            let text = format!("a\n{word} b");
            for name in ["docs/a.md", "python/a.py", "python/a.pyi", "pyproject.toml"] {
                assert_eq!(forbidden_words(&[File::new(name, &text)]).len(), 1, "{word} {name}");
            }
        }
        let inside = format!("{}S {}_CODE mktemp.{}", UNFINISHED[0], UNFINISHED[2], "X".repeat(6));
        assert!(forbidden_words(&page(&inside)).is_empty());
    }

    #[test]
    fn every_registry_is_found_outside_lock_files() {
        for host in HOSTS {
            let text = format!("see https://static.{host}/x");
            assert_eq!(registry_hosts(&page(&text)).len(), 1, "{host}");
            assert!(registry_hosts(&[File::new("Cargo.lock", &text)]).is_empty());
        }
    }

    #[test]
    fn machine_paths_are_found_in_pages_python_and_settings() {
        for path in MACHINE_PATHS {
            assert_eq!(machine_paths(&page(&format!("see `{path}x`"))).len(), 1, "{path}");
            for (name, count) in
                [("a.py", 1), ("a.pyi", 1), ("a.toml", 1), ("a.rs", 0), ("a.lock", 0)]
            {
                assert_eq!(machine_paths(&[File::new(name, path)]).len(), count, "{name}");
            }
        }
        assert!(machine_paths(&page("docs/work/x and target/tmp/y")).is_empty());
    }
}
