//! Draws the code map: every source file with the sentence that opens it.

use std::fmt::Write as _;

use crate::rules::layout::headline;
use crate::steps;
use crate::tree::{File, Finding};

/// The page that carries the map.
pub(crate) const PAGE: &str = "ARCHITECTURE.md";

const OPEN: &str = "<!-- code map -->";
const CLOSE: &str = "<!-- end of code map -->";

/// The nested list of all mapped files, by folder.
pub(crate) fn draw(files: &[File]) -> String {
    let mut map = String::new();
    let mut open_folders: Vec<&str> = Vec::new();
    let mut mapped: Vec<&File> = files.iter().filter(|file| file.is_mapped()).collect();
    mapped.sort_by_key(|file| reading_order(&file.path));
    for file in mapped {
        let mut folders = folders_of(&file.path);
        let Some(name) = folders.pop() else { continue };
        let shared = open_folders.iter().zip(&folders).take_while(|(a, b)| a == b).count();
        for (depth, folder) in folders.iter().enumerate().skip(shared) {
            item(&mut map, depth, &format!("`{folder}/`"));
        }
        let sentence = headline(file).map(|sentence| format!(": {sentence}"));
        item(&mut map, folders.len(), &format!("`{name}`{}", sentence.unwrap_or_default()));
        open_folders = folders;
    }
    map
}

/// The page with the map between its two marks, or why it cannot be put there.
pub(crate) fn splice(page: &str, map: &str) -> Result<String, String> {
    steps::between(page, [OPEN, CLOSE], map)
}

/// What is wrong with the map in the page, if anything.
pub(crate) fn stale(files: &[File]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|file| file.path == PAGE) else {
        return vec![Finding::about(PAGE, "the page is missing")];
    };
    match splice(&page.text, &draw(files)) {
        Ok(fresh) if fresh == page.text => Vec::new(),
        Ok(_) => {
            let mark = page.text.find(OPEN).unwrap_or_default();
            page.findings(&[mark], "the code map is stale: run `cargo xtask docs --write`")
        }
        Err(what) => vec![Finding::about(PAGE, what)],
    }
}

/// A key that puts `a.rs` before the files of `a/`, and both before `a-b`.
fn reading_order(path: &str) -> String {
    path.replace('.', "\u{1}").replace('/', "\u{2}")
}

/// The parts of a path, with `crates/<name>` as one.
fn folders_of(path: &str) -> Vec<&str> {
    let crate_end = path.strip_prefix("crates/").and_then(|rest| rest.find('/'));
    match crate_end.map(|end| path.split_at("crates/".len() + end)) {
        Some((package, rest)) => [package].into_iter().chain(rest[1..].split('/')).collect(),
        None => path.split('/').collect(),
    }
}

fn item(map: &mut String, depth: usize, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(map, "{:indent$}- {text}", "", indent = 2 * depth);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<File> {
        vec![
            File::new("Cargo.toml", ""),
            File::new("crates/a-io/src/lib.rs", "//! Reads.\n"),
            File::new("crates/a/src/b.rs", "//! Holds b.\n"),
            File::new("crates/a/src/b/c.rs", "//! Holds c.\n"),
            File::new("crates/a/tests/d.rs", "//! Tests all.\n"),
            File::new("python/a/__init__.py", "\"\"\"Opens.\"\"\"\n"),
            File::new("python/a/_core.pyi", ""),
            File::new("xtask/src/main.rs", "//! Runs.\n"),
        ]
    }

    const MAP: &str = "\
- `crates/a/`
  - `src/`
    - `b.rs`: Holds b.
    - `b/`
      - `c.rs`: Holds c.
  - `tests/`
    - `d.rs`: Tests all.
- `crates/a-io/`
  - `src/`
    - `lib.rs`: Reads.
- `python/`
  - `a/`
    - `__init__.py`: Opens.
- `xtask/`
  - `src/`
    - `main.rs`: Runs.
";

    #[test]
    fn the_map_nests_by_folder() {
        assert_eq!(draw(&files()), MAP);
    }

    #[test]
    fn a_written_map_is_fresh_until_a_file_changes() {
        let mut files = files();
        let page = splice(&format!("# A\n{OPEN}\n- yesterday\n{CLOSE}\nend\n"), MAP).unwrap();
        assert!(
            page.starts_with("# A\n") && page.ends_with("\nend\n") && !page.contains("yesterday")
        );
        files.push(File::new(PAGE, &page));
        assert!(stale(&files).is_empty());
        files[1].text = "//! Holds more.\n".to_owned();
        assert!(stale(&files)[0].to_string().contains("cargo xtask docs --write"));
    }

    #[test]
    fn a_page_without_marks_and_no_page_are_found() {
        assert!(splice("# A\n", MAP).is_err());
        assert!(splice(&format!("{CLOSE}\n{OPEN}\n"), MAP).is_err());
        assert_eq!(stale(&files()).len(), 1);
    }
}
