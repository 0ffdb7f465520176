//! Keeps the Python package silent, typed and quick to import.

use crate::source;
use crate::tree::{File, Finding};

const PACKAGE: &str = "python/gaussbayes/";
const OPENING: &str = "python/gaussbayes/__init__.py";
const SLOW: [&str; 2] = ["numpy", "sklearn"];
const SILENCED: &str = "# type: ignore";

/// Blocks whose body does not run when the package is imported.
const LATER: [&str; 4] = ["def ", "async def ", "if TYPE_CHECKING:", "if typing.TYPE_CHECKING:"];

/// The package returns, raises or warns; it prints nothing.
pub(super) fn prints(files: &[File]) -> Vec<Finding> {
    let sources = files.iter().filter(|file| file.is_python_of(PACKAGE));
    sources
        .flat_map(|file| {
            let calls = source::find_word(&source::python_code(&file.text), "print(");
            file.findings(&calls, "`print(` in the package: return it, raise it or warn")
        })
        .collect()
}

/// A silenced type error says why, as a second comment: `# type: ignore[code]  # why`.
pub(super) fn silenced_types(files: &[File]) -> Vec<Finding> {
    let typed = |file: &&File| file.has_extension("py") || file.has_extension("pyi");
    let sources = files.iter().filter(|file| file.path.starts_with(PACKAGE)).filter(typed);
    sources
        .flat_map(|file| {
            let silenced = file.text.match_indices(SILENCED).map(|(at, _)| at);
            let bare: Vec<usize> =
                silenced.filter(|at| !has_reason(&file.text[at + SILENCED.len()..])).collect();
            file.findings(&bare, "`# type: ignore` without a reason: add `  # why`")
        })
        .collect()
}

fn has_reason(after: &str) -> bool {
    let line = after.lines().next().unwrap_or_default();
    line.split_once('#').is_some_and(|(_, reason)| !reason.trim().is_empty())
}

/// Importing the package does not import what takes a second to import.
pub(super) fn slow_imports(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path == OPENING) {
        let mut block = "";
        for (index, line) in source::python_code(&file.text).lines().enumerate() {
            let indented = line.starts_with(char::is_whitespace);
            if !indented && !line.is_empty() {
                block = line;
            }
            let runs = !indented || !LATER.iter().any(|later| block.starts_with(later));
            for package in imported(line).filter(|package| runs && SLOW.contains(package)) {
                let what =
                    format!("imports `{package}` with the package: import it where it is used");
                findings.push(file.finding_at_line(index + 1, what));
            }
        }
    }
    findings
}

/// The packages that a line imports: the first name of each dotted path.
fn imported(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim_start();
    let from = line.strip_prefix("from ").and_then(|rest| rest.split_whitespace().next());
    let list = line.strip_prefix("import ").unwrap_or_default().split(',');
    from.into_iter()
        .chain(list)
        .map(|path| path.trim().split(['.', ' ']).next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_are_found_in_code_of_the_package_alone() {
        let found = |path, text| prints(&[File::new(path, text)]).len();
        let text = "\"\"\"Shows.\n\n>>> print(1)\n\"\"\"\n# print(2)\nprint(3)\nself.pprint(4)\n";
        assert_eq!(found("python/gaussbayes/a.py", text), 1);
        assert_eq!(found("python/gaussbayes/b/a.py", text), 1);
        assert_eq!(found("python/tests/a.py", text), 0);
    }

    #[test]
    fn a_silenced_type_error_says_why() {
        let found = |path, text| silenced_types(&[File::new(path, text)]).len();
        for path in ["python/gaussbayes/a.py", "python/gaussbayes/_core.pyi"] {
            assert_eq!(found(path, "f()  # type: ignore\n# next line\n"), 1);
            assert_eq!(found(path, "f()  # type: ignore[arg-type]\n"), 1);
            assert_eq!(found(path, "f()  # type: ignore[arg-type]  #\n"), 1);
            assert_eq!(found(path, "f()  # type: ignore[arg-type]  # no stubs\n"), 0);
        }
        assert_eq!(found("python/tests/a.py", "f()  # type: ignore\n"), 0);
    }

    #[test]
    fn slow_packages_are_not_imported_with_the_package() {
        let found = |path, text: &str| slow_imports(&[File::new(path, text)]).len();
        for line in [
            "import numpy",
            "import os, numpy as np",
            "import sklearn.base",
            "from sklearn.base import clone",
            "from numpy import (",
        ] {
            assert_eq!(found(OPENING, line), 1, "{line}");
            assert_eq!(found(OPENING, &format!("try:\n    {line}")), 1, "{line}");
            assert_eq!(found(OPENING, &format!("def f():\n    # why\n\n    {line}")), 0, "{line}");
            assert_eq!(found(OPENING, &format!("if TYPE_CHECKING:\n    {line}")), 0, "{line}");
            assert_eq!(found(OPENING, &format!("\"\"\"A.\n\n{line}\n\"\"\"")), 0, "{line}");
            assert_eq!(found("python/gaussbayes/a.py", line), 0, "{line}");
        }
        assert_eq!(found(OPENING, "import numpyro\nfrom gaussbayes import numpy\n"), 0);
    }
}
