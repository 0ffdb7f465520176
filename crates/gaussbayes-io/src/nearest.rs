//! Finds the name that a mistyped one was meant to be.

use std::path::Path;

use strsim::damerau_levenshtein;

/// Files of a folder that are looked at: a slip of the pen is not worth more.
const MOST_FILES: usize = 10_000;

/// The known name closest to `name`, if at most a third of its letters differ.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = name.to_lowercase();
    let limit = lower.chars().count() / 3;
    known
        .into_iter()
        .filter(|other| !other.is_empty())
        .map(|other| (damerau_levenshtein(&lower, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// The file in the same folder whose name is closest to that of `path`.
pub fn nearest_file(path: &str) -> Option<String> {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let files =
        entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names: Vec<String> =
        files.filter_map(|entry| entry.file_name().into_string().ok()).take(MOST_FILES).collect();
    let found = nearest(path.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| found.into(), |folder| folder.join(found).display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        let known = ["sepal_width", "species", "x1", "x2", ""];
        assert_eq!(nearest("Specis", known), Some("species"));
        assert_eq!(nearest("sepla_width", known), Some("sepal_width"));
        assert_eq!(nearest("X2", known), Some("x2"));
        assert_eq!(nearest("price", known), None);
        assert_eq!(nearest("", known), None);
    }
}
