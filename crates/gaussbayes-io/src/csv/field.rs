//! Finds fields and records in bytes: the one place that knows the grammar of CSV.

use std::borrow::Cow;
use std::io::BufRead as _;

use super::grammar::Grammar;

/// One field of a record, by offsets into the bytes that hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Field {
    /// Where its text starts, behind an opening quote.
    pub(crate) start: usize,
    /// Where its text ends, before a closing quote.
    pub(crate) end: usize,
    /// Where the next field, or the next record, starts.
    pub(crate) next: usize,
    /// How it is written.
    pub(crate) form: Form,
    /// Whether it is the last of its record.
    pub(crate) last: bool,
}

/// How a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As it is; quotes in it are text.
    Bare,
    /// In quotes, with doubled quotes for those that are text.
    Quoted,
    /// In quotes, with more text behind the closing one.
    Trailing,
}

/// The field that starts at `start`; none if its end is not among the bytes.
#[inline]
pub(crate) fn field(bytes: &[u8], start: usize, grammar: Grammar) -> Option<Field> {
    let first = *bytes.get(start)?;
    if Some(first) == grammar.quote {
        return quoted_field(bytes, start, first, grammar.delimiter);
    }
    let stop = bare_end(bytes, start, grammar.delimiter)?;
    let last = bytes[stop] == b'\n';
    let end = if last { before_return(bytes, start, stop) } else { stop };
    Some(Field { start, end, next: stop + 1, form: Form::Bare, last })
}

fn quoted_field(bytes: &[u8], open: usize, quote: u8, delimiter: u8) -> Option<Field> {
    let start = open + 1;
    let mut end = start;
    loop {
        end += bytes[end..].iter().position(|&byte| byte == quote)?;
        if *bytes.get(end + 1)? != quote {
            break;
        }
        end += 2;
    }
    let stop = bare_end(bytes, end + 1, delimiter)?;
    let clean = bytes[end + 1..stop].trim_ascii().is_empty();
    let form = if clean { Form::Quoted } else { Form::Trailing };
    Some(Field { start, end, next: stop + 1, form, last: bytes[stop] == b'\n' })
}

#[inline]
fn bare_end(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let ends = |&byte: &u8| byte == delimiter || byte == b'\n';
    bytes[start..].iter().position(ends).map(|length| start + length)
}

fn before_return(bytes: &[u8], start: usize, end: usize) -> usize {
    if end > start && bytes[end - 1] == b'\r' { end - 1 } else { end }
}

/// Where the record that starts at `start` ends, behind its newline; none if that is not there.
pub(crate) fn record_end(bytes: &[u8], start: usize, grammar: Grammar) -> Option<usize> {
    let line = line_end(bytes, start)?;
    if grammar.quote.is_none_or(|quote| !bytes[start..line].contains(&quote)) {
        return Some(line);
    }
    let mut at = start;
    loop {
        let field = field(bytes, at, grammar)?;
        at = field.next;
        if field.last {
            return Some(at);
        }
    }
}

/// Where the line that starts at `start` ends, behind its newline.
fn line_end(bytes: &[u8], start: usize) -> Option<usize> {
    // The standard library offers the system's search for a byte only in this form.
    let end = start + (&bytes[start..]).skip_until(b'\n').ok()?;
    (end > start && bytes[end - 1] == b'\n').then_some(end)
}

/// Line ends among the bytes.
pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    let count = |run: &[u8]| run.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>();
    // Sums that fit a byte are formed sixteen and more at a time.
    bytes.chunks(u8::MAX.into()).map(|run| u64::from(count(run))).sum()
}

/// Where the next record starts: blank lines are none.
#[inline]
pub(crate) fn skip_blank(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    loop {
        at += match bytes[at..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return at,
        };
    }
}

/// The text of a quoted field, in which a quote that is text stands twice.
pub(crate) fn unescape(text: &str, quote: Option<u8>) -> Cow<'_, str> {
    let Some(quote) = quote.map(char::from).filter(|&quote| text.contains(quote)) else {
        return text.into();
    };
    text.replace(&format!("{quote}{quote}"), &quote.to_string()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Grammar = Grammar { delimiter: b',', quote: Some(b'"'), comma: false };

    fn split(text: &str) -> Vec<(&str, Form)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(field) = field(text.as_bytes(), at, USUAL) {
            found.push((&text[field.start..field.end], field.form));
            at = field.next;
            if field.last {
                break;
            }
        }
        found
    }

    #[test]
    fn a_quote_opens_only_at_the_start_of_a_field() {
        use Form::{Bare, Quoted, Trailing};
        assert_eq!(split("a,\"b,c\"\n"), [("a", Bare), ("b,c", Quoted)]);
        assert_eq!(split("5\"2, \"x\"\r\n"), [("5\"2", Bare), (" \"x\"", Bare)]);
        assert_eq!(split("\"a\"\"b\",\"\"\n"), [("a\"\"b", Quoted), ("", Quoted)]);
        assert_eq!(split("\"a\nb\" ,\r\n"), [("a\nb", Quoted), ("", Bare)]);
        assert_eq!(split("\"a\"b,c\n"), [("a", Trailing), ("c", Bare)]);
        assert_eq!(split("\"a\"\r\n"), [("a", Quoted)]);
    }

    #[test]
    fn an_unfinished_field_is_none() {
        for text in ["", "a", "\"a", "\"a\"", "\"a\"\"", "\"a\n"] {
            assert_eq!(field(text.as_bytes(), 0, USUAL), None, "{text:?}");
            assert_eq!(record_end(text.as_bytes(), 0, USUAL), None, "{text:?}");
        }
    }

    #[test]
    fn a_newline_in_quotes_does_not_end_the_record() {
        assert_eq!(record_end(b"a,b\nc", 0, USUAL), Some(4));
        assert_eq!(record_end(b"a,\"b\nc\"\nd\n", 0, USUAL), Some(8));
        assert_eq!(record_end(b"a,b\"\nc\n", 0, USUAL), Some(5));
    }

    #[test]
    fn blank_lines_are_skipped() {
        assert_eq!(skip_blank(b"\n\r\n\na", 0), 4);
        assert_eq!(skip_blank(b"\r", 0), 0);
        assert_eq!(skip_blank(b"", 0), 0);
    }
}
