//! Holds files to one opening sentence, a length, and names that say something.

use crate::source;
use crate::tree::{File, Finding};

const SENTENCE_CHARS: usize = 100;
const DOCSTRING: &str = "\"\"\"";
const FILE_LINES: usize = 400;
const EMPTY_NAMES: [&str; 5] = ["base", "common", "core", "helpers", "utils"];

/// Every mapped file opens with one sentence.
pub(crate) fn headlines(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.is_mapped())
        .filter_map(|file| {
            let line = 1 + file.text.lines().take_while(|line| line.trim().is_empty()).count();
            headline(file).err().map(|what| file.finding_at_line(line, what))
        })
        .collect()
}

/// The sentence that opens a file, or why there is none.
pub(crate) fn headline(file: &File) -> Result<&str, String> {
    let mark = if file.has_extension("py") { DOCSTRING } else { "//!" };
    let first = file.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let sentence = first
        .strip_prefix(mark)
        .map(|rest| rest.strip_suffix(DOCSTRING).unwrap_or(rest).trim())
        .filter(|sentence| !sentence.is_empty())
        .ok_or_else(|| format!("the file does not open with a `{mark}` sentence"))?;
    let chars = sentence.chars().count();
    if !sentence.ends_with('.') {
        return Err("the opening sentence does not end with a full stop on its line".to_owned());
    }
    if chars >= SENTENCE_CHARS {
        return Err(format!(
            "the opening sentence has {chars} characters, it must stay under {SENTENCE_CHARS}"
        ));
    }
    Ok(sentence)
}

/// No source file is longer than a reader's patience.
pub(super) fn lengths(files: &[File]) -> Vec<Finding> {
    files
        .iter()
        .filter(|file| file.has_extension("rs") || file.has_extension("py"))
        .filter_map(|file| {
            let lines = file.text.lines().count();
            let what = format!("the file has {lines} lines, more than {FILE_LINES}");
            (lines > FILE_LINES).then(|| file.finding_at_line(FILE_LINES + 1, what))
        })
        .collect()
}

/// No module has a name that could hold anything.
pub(super) fn module_names(files: &[File]) -> Vec<Finding> {
    let named = |name: &str| format!("module `{name}`: name it after what it holds");
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.has_extension("rs") || file.has_extension("py")) {
        let stem = file.path.rsplit_once('.').map_or(file.path.as_str(), |(stem, _)| stem);
        let empty = stem.split('/').filter(|part| EMPTY_NAMES.contains(part));
        findings.extend(empty.map(|name| file.finding_at_line(1, named(name))));
        if file.has_extension("rs") {
            let code = source::code(&file.text);
            for name in EMPTY_NAMES {
                let declarations = source::find_word(&code, &format!("mod {name}"));
                findings.extend(file.findings(&declarations, &named(name)));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapped(text: &str) -> [File; 1] {
        [File::new("crates/a/src/b.rs", text)]
    }

    #[test]
    fn a_sentence_opens_the_file() {
        let opened = "\n//! Does one thing.\nuse x;\n";
        assert_eq!(headline(&mapped(opened)[0]), Ok("Does one thing."));
        assert!(headlines(&mapped("//! Does one thing.\n")).is_empty());
    }

    #[test]
    fn a_missing_open_or_long_sentence_is_found() {
        let long = format!("//! {}.\n", "a".repeat(SENTENCE_CHARS - 1));
        for text in ["", "use x;\n", "//!\n", "//! Goes on\n//! here.\n", "// Plain.\n", &long] {
            assert_eq!(headlines(&mapped(text)).len(), 1, "{text}");
        }
        assert!(headlines(&mapped(&long.replacen('a', "", 1))).is_empty());
    }

    #[test]
    fn a_docstring_opens_a_python_file() {
        let found = |path, text| headlines(&[File::new(path, text)]).len();
        let whole = "\"\"\"Does one thing.\"\"\"\nimport x\n";
        assert_eq!(headline(&File::new("python/a.py", whole)), Ok("Does one thing."));
        assert_eq!(found("python/a.py", "\"\"\"Does one thing.\n\nAnd why.\n\"\"\"\n"), 0);
        let long = format!("\"\"\"{}.\"\"\"", "a".repeat(SENTENCE_CHARS - 1));
        for text in
            ["", "import x\n", "# Plain.\n", "\"\"\"\nLate.\n\"\"\"", "\"\"\"No stop\"\"\"", &long]
        {
            assert_eq!(found("python/a.py", text), 1, "{text}");
            assert_eq!(found("python/a.pyi", text), 0, "{text}");
        }
    }

    #[test]
    fn files_end_at_the_limit() {
        assert!(lengths(&mapped(&"\n".repeat(FILE_LINES))).is_empty());
        assert_eq!(lengths(&mapped(&"\n".repeat(FILE_LINES + 1))).len(), 1);
        let python = File::new("python/a.py", &"\n".repeat(FILE_LINES + 1));
        assert_eq!(lengths(&[python]).len(), 1);
    }

    #[test]
    fn empty_names_are_found_as_files_folders_and_declarations() {
        let found = |path, text| module_names(&[File::new(path, text)]).len();
        assert_eq!(found("crates/a/src/utils.rs", ""), 1);
        assert_eq!(found("crates/a/tests/common/mod.rs", ""), 1);
        assert_eq!(found("python/a/base.py", ""), 1);
        assert_eq!(found("crates/a/src/lib.rs", "mod core { }"), 1);
        assert_eq!(found("crates/a/src/lib.rs", "// mod core\nmod core_set;\nmod _core;"), 0);
    }
}
