//! Shows where a cell stands: file, line or row, column, and the line with a caret under it.

use std::fmt;
use std::ops::Range;

use crate::reading::Missing;

/// Characters of a line that an excerpt shows; one terminal line with room for an indent.
const EXCERPT_CHARS: usize = 76;

/// Characters that an excerpt keeps before the cell when the line is too long to show whole.
const LEAD_CHARS: usize = 30;

/// Characters of a cell that a message quotes.
const TEXT_CHARS: usize = 40;

/// Usual ways to write that a value is missing, beside nothing at all, compared without regard to case.
pub(crate) const MISSING: [&str; 7] = ["na", "n/a", "nan", "?", "null", "none", "."];

/// A cell of a file that could not be taken, with what a person needs to find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The file, as the user named it.
    pub file: String,
    /// Line of the file, or row of a file that has no lines, counted from 1.
    pub line: u64,
    /// Name of the column.
    pub column: String,
    /// What stands there, without its quotes, on one line and cut when it is long.
    pub text: String,
    /// Whether the text says that a value is missing.
    pub(crate) missing: bool,
    excerpt: Option<String>,
}

impl Cell {
    /// The cell at `place` (bytes) of the text of its line.
    pub(crate) fn new(
        file: &str,
        line: u64,
        column: &str,
        text: &str,
        around: (&str, Range<usize>),
    ) -> Self {
        let (whole, place) = around;
        let text = text.trim_ascii();
        Self {
            file: file.to_owned(),
            line,
            column: column.to_owned(),
            missing: Missing::Usual.has(text),
            text: shorten(text),
            excerpt: Some(excerpt(whole, place)),
        }
    }

    /// The cell of a row, counted from 1, of a file that has no lines.
    pub(crate) fn of_row(file: &str, row: u64, column: &str, text: &str) -> Self {
        let (file, column) = (file.to_owned(), column.to_owned());
        let missing = Missing::Usual.has(text.trim_ascii());
        Self { file, line: row, column, missing, text: shorten(text), excerpt: None }
    }

    /// The line of the cell and, under the cell, a line of carets; none where there are no lines.
    pub fn excerpt(&self) -> Option<&str> {
        self.excerpt.as_deref()
    }

    /// Whether the text says that a value is missing.
    pub fn is_missing(&self) -> bool {
        self.missing
    }

    /// The text in quotes, or that there is none.
    pub(crate) fn quoted(&self) -> String {
        if self.text.is_empty() { "an empty cell".to_owned() } else { format!("'{}'", self.text) }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.excerpt.is_some() { "line" } else { "row" };
        write!(f, "{}, {place} {}, column '{}'", self.file, self.line, one_line(&self.column))
    }
}

/// The text on one line, cut when it is long.
pub(crate) fn shorten(text: &str) -> String {
    let mut kept: String = text.chars().take(TEXT_CHARS).map(plain).collect();
    if text.chars().nth(TEXT_CHARS).is_some() {
        kept.push('…');
    }
    kept
}

/// The text on one line: a name may have been written on several.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(plain).collect()
}

fn plain(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

fn excerpt(whole: &str, place: Range<usize>) -> String {
    let chars: Vec<char> = whole.chars().map(plain).collect();
    let before = |at: usize| whole.char_indices().take_while(|(offset, _)| *offset < at).count();
    let (start, end) = (before(place.start), before(place.end));
    let from = if chars.len() <= EXCERPT_CHARS { 0 } else { start.saturating_sub(LEAD_CHARS) };
    let to = chars.len().min(from + EXCERPT_CHARS);
    let mark = |cut: bool| if cut { "…" } else { "" };
    let shown: String = chars[from..to].iter().collect();
    let indent = " ".repeat(start - from + usize::from(from > 0));
    let carets = "^".repeat(end.min(to).saturating_sub(start).max(1));
    format!("{}{shown}{}\n{indent}{carets}", mark(from > 0), mark(to < chars.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_stand_under_the_cell() {
        assert_eq!(excerpt("5.1,abc,2", 4..7), "5.1,abc,2\n    ^^^");
        assert_eq!(excerpt("5.1,,2", 4..4), "5.1,,2\n    ^");
        assert_eq!(excerpt("é\tabc", 3..6), "é abc\n  ^^^");
    }

    #[test]
    fn a_long_line_shows_the_part_around_the_cell() {
        let line = format!("{},abc,{}", "1".repeat(200), "2".repeat(200));
        let text = excerpt(&line, 201..204);
        let (shown, carets) = text.split_once('\n').unwrap();
        assert!(shown.starts_with('…') && shown.ends_with('…'));
        assert_eq!(shown.chars().count(), EXCERPT_CHARS + 2);
        let under: String =
            shown.chars().zip(carets.chars()).filter(|(_, c)| *c == '^').map(|(c, _)| c).collect();
        assert_eq!(under, "abc");
    }

    #[test]
    fn a_message_quotes_one_short_line() {
        assert_eq!(shorten("a\nb"), "a b");
        assert_eq!(shorten(&"x".repeat(41)).chars().count(), TEXT_CHARS + 1);
    }
}
