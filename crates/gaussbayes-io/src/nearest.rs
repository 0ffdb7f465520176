//! Finds the name that a mistyped one was meant to be.

use strsim::damerau_levenshtein;

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
