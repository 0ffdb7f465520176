//! Cuts text into words: runs of letters and digits, in lower case.

use std::borrow::Cow;

/// The words of a text in their order.
///
/// A word is a run of letters and digits of any script, in lower case; an apostrophe between two of them belongs
/// to it, however it is written. Everything else separates words.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(char::is_alphanumeric)?;
        let word = &rest[start..];
        let end = end_of(word);
        rest = &word[end..];
        Some(lower(&word[..end]))
    })
}

/// Where the word that a text begins with ends.
fn end_of(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = is_apostrophe(c) && chars.peek().is_some_and(|(_, c)| c.is_alphanumeric());
        if !(c.is_alphanumeric() || inside) {
            return at;
        }
    }
    text.len()
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

fn lower(word: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'\'';
    if word.bytes().all(is_lower) {
        return word.into();
    }
    word.to_lowercase().replace('\u{2019}', "'").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<String> {
        words(text).map(Cow::into_owned).collect()
    }

    #[test]
    fn words_are_letters_and_digits_in_lower_case() {
        assert_eq!(
            cut("Win a FREE prize, 100% free!"),
            ["win", "a", "free", "prize", "100", "free"]
        );
        assert_eq!(cut("ÆBLE, Straße; ΑΘΗΝΑ 東京"), ["æble", "straße", "αθηνα", "東京"]);
        assert_eq!(cut("x_y-z\tq\n"), ["x", "y", "z", "q"]);
        assert!(cut("").is_empty() && cut("... --- !?").is_empty());
    }

    #[test]
    fn an_apostrophe_inside_a_word_belongs_to_it() {
        assert_eq!(
            cut("Don't, don’t 'quoted' dogs' o'clock"),
            ["don't", "don't", "quoted", "dogs", "o'clock"]
        );
        assert_eq!(cut("a''b 'tis"), ["a", "b", "tis"]);
    }
}
