//! Matches the numbered formulas of docs/math.md with the code that cites them.

use std::collections::BTreeSet;

use crate::tree::{File, Finding};

const PAGE: &str = "docs/math.md";

/// Every formula cited exists, stands once, and is cited.
pub(super) fn formulas(files: &[File]) -> Vec<Finding> {
    let absent = File { path: PAGE.to_owned(), text: String::new() };
    let page = files.iter().find(|file| file.path == PAGE).unwrap_or(&absent);
    let headings = numbered_headings(&page.text);
    let mut findings = undefined(files, &headings);
    findings.extend(uncited(page, files, &headings));
    findings.extend(repeated(page, &headings));
    findings
}

fn undefined(files: &[File], headings: &[(usize, u32)]) -> Vec<Finding> {
    let known: BTreeSet<u32> = headings.iter().map(|&(_, number)| number).collect();
    let mut findings = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/")) {
        for (at, number) in
            citations(&file.text).iter().filter(|(_, number)| !known.contains(number))
        {
            findings.extend(file.findings(&[*at], &format!("[M{number}] is no heading of {PAGE}")));
        }
    }
    findings
}

fn uncited(page: &File, files: &[File], headings: &[(usize, u32)]) -> Vec<Finding> {
    let cited: BTreeSet<u32> = files
        .iter()
        .filter(|file| file.is_crate_source(&["src", "tests"]))
        .flat_map(|file| citations(&file.text))
        .map(|(_, number)| number)
        .collect();
    headings
        .iter()
        .filter(|(_, number)| !cited.contains(number))
        .map(|&(line, number)| (line, format!("[M{number}] is cited by no source and no test")))
        .map(|(line, what)| page.finding_at_line(line, what))
        .collect()
}

fn repeated(page: &File, headings: &[(usize, u32)]) -> Vec<Finding> {
    let mut seen = BTreeSet::new();
    headings
        .iter()
        .filter(|(_, number)| !seen.insert(*number))
        .map(|&(line, number)| (line, format!("[M{number}] stands here a second time")))
        .map(|(line, what)| page.finding_at_line(line, what))
        .collect()
}

/// Line and number of each heading `## [M<number>] …`, of any level below the title.
fn numbered_headings(page: &str) -> Vec<(usize, u32)> {
    page.lines()
        .enumerate()
        .filter_map(|(index, line)| {
            let heading = line.strip_prefix("##")?.trim_start_matches('#').trim_start();
            match citations(heading).first() {
                Some(&(0, number)) => Some((index + 1, number)),
                _ => None,
            }
        })
        .collect()
}

/// Offset and number of each `[M<number>]`, also with the brackets escaped as rustdoc wants them.
fn citations(text: &str) -> Vec<(usize, u32)> {
    text.match_indices("[M")
        .filter_map(|(at, opening)| {
            let (inside, _) = text[at + opening.len()..].split_once(']')?;
            let digits = inside.strip_suffix('\\').unwrap_or(inside);
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse().ok()).flatten().map(|number| (at, number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(page: &str, source: &str) -> Vec<String> {
        let files = [File::new("crates/a/src/b.rs", source), File::new(PAGE, page)];
        formulas(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cited_formulas_exist() {
        assert!(found("# M\n## [M7] Merge\n", "/// Merges [M7].").is_empty());
        assert!(found("## [M7] Merge\n", r"/// Merges \[M7\].").is_empty());
        let missing = found("## [M7] Merge\n", "//! [M7]\n/// [M8]");
        assert_eq!(missing, ["crates/a/src/b.rs:2: [M8] is no heading of docs/math.md"]);
    }

    #[test]
    fn formulas_are_cited() {
        let unused = found("## [M1] A\ntext [M2]\n### [M3] B\n", "/// [M1]");
        assert_eq!(unused, ["docs/math.md:3: [M3] is cited by no source and no test"]);
    }

    #[test]
    fn an_example_alone_does_not_count() {
        let files = [File::new("crates/a/examples/b.rs", "// [M1]"), File::new(PAGE, "## [M1] A")];
        assert_eq!(formulas(&files).len(), 1);
    }

    #[test]
    fn formulas_stand_once() {
        assert_eq!(found("## [M1] A\n## [M1] B\n", "/// [M1]").len(), 1);
    }

    #[test]
    fn a_missing_page_is_found_by_its_citations() {
        assert_eq!(formulas(&[File::new("crates/a/src/b.rs", "/// [M1]")]).len(), 1);
    }

    #[test]
    fn other_brackets_are_no_citations() {
        assert!(citations("[Mean] [M] [M1x] [MIT]").is_empty());
    }
}
