//! Keeps panics, prints, threads, solver, `unsafe` and constants of the crates in their places.

use crate::source;
use crate::tree::{File, Finding};

const FAILURES: [&str; 2] = [".unwrap()", "panic!("];
const EXPECTS: [&str; 2] = [".expect(", "::expect("];
const PRINTS: [&str; 4] = ["println!(", "eprintln!(", "print!(", "eprint!("];
const COMMAND: &str = "crates/gaussbayes-cli/";

const SINGLE_PLACES: [Place; 4] = [
    Place {
        words: &["faer"],
        homes: &["crates/gaussbayes/src/linalg/", "crates/gaussbayes/src/linalg.rs"],
    },
    Place { words: &["rayon"], homes: &THREAD_HOMES },
    Place { words: &["thread::spawn", "thread::scope", "thread::Builder"], homes: &THREAD_HOMES },
    Place {
        words: &["unsafe", "unsafe_code"],
        homes: &["crates/gaussbayes-py/src/arrow.rs", "crates/gaussbayes-py/src/arrow/"],
    },
];

const THREAD_HOMES: [&str; 2] =
    ["crates/gaussbayes/src/sweep/run.rs", "crates/gaussbayes/src/sweep/pool.rs"];

const CONSTANTS_HOME: &str = "crates/gaussbayes/src/tolerance";

/// Words that only some files may write.
struct Place {
    words: &'static [&'static str],
    homes: &'static [&'static str],
}

/// Outside tests a crate neither panics without an invariant nor prints, the command excepted.
pub(super) fn failures_and_prints(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in shipped_files(files) {
        let code = source::shipped(&file.text);
        for word in FAILURES {
            let what = format!("`{word}` outside tests: return an error");
            findings.extend(file.findings(&source::find_word(&code, word), &what));
        }
        for word in PRINTS.iter().filter(|_| !file.path.starts_with(COMMAND)) {
            let what = format!("`{word}` outside the command");
            findings.extend(file.findings(&source::find_word(&code, word), &what));
        }
        let what = "`expect` without a message that begins `invariant: `";
        findings.extend(file.findings(&bare_expects(&code, &file.text), what));
    }
    findings
}

/// Offsets of the calls of `expect` that state no invariant.
fn bare_expects(code: &str, text: &str) -> Vec<usize> {
    let calls = EXPECTS.iter().flat_map(|call| code.match_indices(call));
    calls
        .filter(|(at, call)| !states_invariant(&text[at + call.len()..]))
        .map(|(at, _)| at)
        .collect()
}

/// Whether a message or a comment that begins `invariant: ` follows.
fn states_invariant(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    after.trim_start().starts_with("\"invariant: ") || line.contains("// invariant: ")
}

/// The solver, the thread pool, the start of threads and `unsafe` each have one place.
pub(super) fn homes(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("rs")) {
        let code = source::code(&file.text);
        let at_home = |place: &&Place| place.homes.iter().any(|home| file.path.starts_with(home));
        for place in SINGLE_PLACES.iter().filter(|place| !at_home(place)) {
            for word in place.words {
                let what = format!("`{word}` belongs in {} alone", place.homes[0]);
                findings.extend(file.findings(&source::find_word(&code, word), &what));
            }
        }
    }
    findings
}

/// Small numbers of the library have a name and a reason.
pub(super) fn constants(files: &[File]) -> Vec<Finding> {
    let what = format!("this constant belongs in {CONSTANTS_HOME}, with its reason");
    shipped_files(files)
        .into_iter()
        .filter(|file| file.path.starts_with("crates/gaussbayes/src/"))
        .filter(|file| !file.path.starts_with(CONSTANTS_HOME))
        .flat_map(|file| file.findings(&small_numbers(&source::shipped(&file.text)), &what))
        .collect()
}

/// Offsets of literals with a negative exponent, such as `1e-9`.
fn small_numbers(code: &str) -> Vec<usize> {
    code.as_bytes()
        .windows(4)
        .enumerate()
        .filter(|(_, window)| {
            matches!(window, [b'0'..=b'9' | b'.' | b'_', b'e' | b'E', b'-', b'0'..=b'9'])
        })
        .map(|(at, _)| at)
        .collect()
}

/// Source of the crates that their users run: no file that a test module alone brings in.
fn shipped_files(files: &[File]) -> Vec<&File> {
    let sources = || files.iter().filter(|file| file.is_crate_source(&["src"]));
    let test_modules: Vec<String> = sources().flat_map(test_module_stems).collect();
    sources()
        .filter(|file| {
            !test_modules.iter().any(|stem| {
                let below = file.path.strip_prefix(stem.as_str());
                below.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
            })
        })
        .collect()
}

/// Paths, without `.rs`, of the modules that a file declares for tests only.
fn test_module_stems(file: &File) -> Vec<String> {
    let stem = file.path.trim_end_matches(".rs");
    let folder = ["/lib", "/main", "/mod"].iter().find_map(|name| stem.strip_suffix(name));
    let folder = folder.unwrap_or(stem);
    source::test_modules(&file.text).iter().map(|name| format!("{folder}/{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "crates/gaussbayes/src/mixture/fit.rs";

    fn failures(path: &str, text: &str) -> usize {
        failures_and_prints(&[File::new(path, text)]).len()
    }

    #[test]
    fn failures_and_prints_are_found_in_code_alone() {
        for line in ["x.unwrap();", "panic!(\"a\");", "println!();", "eprintln!();", "print!();"] {
            assert_eq!(failures(FILE, line), 1, "{line}");
            assert_eq!(failures(FILE, &format!("/// {line}\n")), 0, "{line}");
            assert_eq!(failures(FILE, &format!("#[cfg(test)]\nmod tests {{ {line} }}")), 0);
            assert_eq!(failures("crates/gaussbayes/tests/a.rs", line), 0, "{line}");
        }
        assert_eq!(failures("crates/gaussbayes-cli/src/main.rs", "println!();"), 0);
        assert_eq!(failures("crates/gaussbayes-cli/src/main.rs", "x.unwrap();"), 1);
        assert_eq!(failures("crates/gaussbayes-py/src/lib.rs", "println!(); x.unwrap();"), 2);
    }

    #[test]
    fn an_expect_states_its_invariant() {
        assert_eq!(failures(FILE, "x.expect(\"a value\");"), 1);
        assert_eq!(failures(FILE, "x.expect(MESSAGE);"), 1);
        assert_eq!(failures(FILE, "x.expect(\"invariant: set above\");"), 0);
        assert_eq!(failures(FILE, "x.expect(\n    \"invariant: set above\",\n);"), 0);
        assert_eq!(failures(FILE, "x.expect(MESSAGE); // invariant: set above"), 0);
        assert_eq!(failures(FILE, "#[expect(dead_code, reason = \"a\")]\nfn f() {}"), 0);
    }

    #[test]
    fn a_test_module_in_its_own_file_is_not_shipped() {
        let parent = File::new("crates/a/src/data/mod.rs", "#[cfg(test)]\nmod checks;\nmod rows;");
        let body = "x.unwrap();";
        let count = |path| failures_and_prints(&[parent.clone(), File::new(path, body)]).len();
        assert_eq!(count("crates/a/src/data/checks.rs"), 0);
        assert_eq!(count("crates/a/src/data/checks/one.rs"), 0);
        assert_eq!(count("crates/a/src/data/rows.rs"), 1);
    }

    #[test]
    fn solver_and_threads_stay_home() {
        let found = |path, text| homes(&[File::new(path, text)]).len();
        assert_eq!(found(FILE, "use faer::Mat;"), 1);
        assert_eq!(found("crates/gaussbayes/src/linalg/cholesky.rs", "use faer::Mat;"), 0);
        assert_eq!(found(FILE, "// as faer does\nlet a = \"faer\";"), 0);
        assert_eq!(found("crates/gaussbayes-io/src/lib.rs", "use rayon::prelude::*;"), 1);
        assert_eq!(found("crates/gaussbayes/src/sweep/run.rs", "use rayon::ThreadPool;"), 0);
        assert_eq!(found("crates/gaussbayes/src/sweep/pool.rs", "std::thread::spawn(f)"), 0);
        assert_eq!(found("crates/gaussbayes/tests/a.rs", "std::thread::spawn(f)"), 1);
        assert_eq!(found("crates/gaussbayes/src/sweep/pool.rs", "use faer::Mat;"), 1);
    }

    #[test]
    fn unsafe_is_allowed_in_the_arrow_import_alone() {
        let found = |path, text| homes(&[File::new(path, text)]).len();
        for text in ["unsafe { f() }", "#![allow(unsafe_code)]"] {
            assert_eq!(found("crates/gaussbayes-py/src/arrow.rs", text), 0);
            assert_eq!(found("crates/gaussbayes-py/src/arrow/array.rs", text), 0);
            assert_eq!(found("crates/gaussbayes-py/src/lib.rs", text), 1);
            assert_eq!(found(FILE, text), 1);
        }
        assert_eq!(found(FILE, "/// Never unsafe.\nlet unsafe_code_in = 1;"), 0);
    }

    #[test]
    fn small_numbers_have_one_home() {
        let found = |path, text| constants(&[File::new(path, text)]).len();
        assert_eq!(found(FILE, "if a < 1e-9 || b < 2.5e-12 {}"), 2);
        assert_eq!(found(FILE, "// 1e-9\nlet a = 1e9; let b = size - 9;"), 0);
        assert_eq!(found(FILE, "#[cfg(test)]\nmod tests { const A: f64 = 1e-9; }"), 0);
        assert_eq!(found("crates/gaussbayes/src/tolerance.rs", "const A: f64 = 1e-9;"), 0);
        assert_eq!(found("crates/gaussbayes-io/src/lib.rs", "1e-9"), 0);
    }
}
