//! Finds out how a text is written: what separates and quotes fields, and whether it has a header.

use std::borrow::Cow;

use super::field::{Form, field, skip_blank, unescape};
use crate::reading::{Missing, Quote, Reading};

/// How the fields of a text and their numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grammar {
    /// What separates fields.
    pub(crate) delimiter: u8,
    /// What quotes them.
    pub(crate) quote: Option<u8>,
    /// Whether a comma stands before the fraction of a number.
    pub(crate) comma: bool,
}

impl Default for Grammar {
    fn default() -> Self {
        Self { delimiter: b',', quote: Some(b'"'), comma: false }
    }
}

/// Characters that separate fields in practice; the first wins where two do as well.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Records that are looked at.
const LOOKED_AT: usize = 200;

/// Bytes that are looked at.
pub(crate) const SAMPLE_BYTES: usize = 64 << 10;

/// How a text is written, and whether its first record names the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) grammar: Grammar,
    pub(crate) header: bool,
}

impl Dialect {
    /// The dialect of a text by its first bytes, as far as it is not told; `usual` separates fields unless another
    /// character does so better, and a first record with one of the names `wanted` is a header.
    pub(crate) fn of(sample: &[u8], usual: u8, reading: &Reading, wanted: &[&str]) -> Self {
        let quote = match reading.quote {
            Some(Quote::No) => None,
            Some(Quote::By(quote)) => Some(quote),
            None => Some(quote_of(sample)),
        };
        let mut grammar = Grammar { delimiter: usual, quote, comma: false };
        grammar.delimiter = reading.delimiter.unwrap_or_else(|| delimiter_of(sample, grammar));
        let records = records(sample, grammar);
        let missing = reading.words();
        grammar.comma = match reading.decimal {
            Some(decimal) => decimal == b',',
            None => grammar.delimiter != b',' && has_commas(&records),
        };
        let told = reading.header.or((!reading.names.is_empty()).then_some(false));
        let header = told.unwrap_or_else(|| {
            let asked = |cell: &Cow<'_, str>| wanted.contains(&cell.trim_ascii());
            let first = records.first().map_or(&[][..], Vec::as_slice);
            first.iter().any(asked) || has_header(&records, &missing, grammar.comma)
        });
        Self { grammar, header }
    }
}

/// A number as it is written; with a comma before its fraction where that is so.
#[inline]
pub(crate) fn number(cell: &str, comma: bool) -> Option<f64> {
    let cell = cell.trim_ascii();
    if comma && cell.contains([',', '.']) {
        // A point would group digits: it is not guessed what they mean.
        return if cell.contains('.') { None } else { cell.replace(',', ".").parse().ok() };
    }
    cell.parse().ok()
}

/// The quote that is at work: the usual one, unless single quotes enclose fields and it encloses none.
fn quote_of(sample: &[u8]) -> u8 {
    let opens = |quote: u8| {
        let lines = sample.split(|byte| *byte == b'\n').take(LOOKED_AT);
        let cells = lines.flat_map(|line| line.split(|byte| DELIMITERS.contains(byte)));
        let encloses = |cell: &&[u8]| {
            let cell = cell.trim_ascii();
            cell.len() > 1 && cell.first() == Some(&quote) && cell.last() == Some(&quote)
        };
        cells.filter(encloses).count()
    };
    if opens(b'"') == 0 && opens(b'\'') > 1 { b'\'' } else { b'"' }
}

/// What separates fields: the character that gives every record the same number of fields, and most of them.
fn delimiter_of(sample: &[u8], grammar: Grammar) -> u8 {
    let fields = |delimiter: u8| {
        let records = records(sample, Grammar { delimiter, ..grammar });
        let first = records.first().map_or(0, Vec::len);
        if records.iter().all(|record| record.len() == first) { first } else { 0 }
    };
    let mut best = (grammar.delimiter, fields(grammar.delimiter).max(1));
    for delimiter in DELIMITERS {
        let count = fields(delimiter);
        if count > best.1 {
            best = (delimiter, count);
        }
    }
    best.0
}

/// The first whole records of a text.
fn records(sample: &[u8], grammar: Grammar) -> Vec<Vec<Cow<'_, str>>> {
    let (mut records, mut at) = (Vec::new(), 0);
    while records.len() < LOOKED_AT {
        at = skip_blank(sample, at);
        let mut record = Vec::new();
        loop {
            let Some(field) = field(sample, at, grammar) else { return records };
            let text = String::from_utf8_lossy(&sample[field.start..field.end]);
            record.push(match field.form {
                Form::Bare => text,
                _ => unescape(&text, grammar.quote).into_owned().into(),
            });
            at = field.next;
            if field.last {
                break;
            }
        }
        records.push(record);
    }
    records
}

/// Whether numbers have commas before their fractions: some have, and none has a point.
fn has_commas(records: &[Vec<Cow<'_, str>>]) -> bool {
    let cells = || records.iter().flatten().map(|cell| cell.trim_ascii());
    let points = cells().any(|cell| cell.contains('.') && cell.parse::<f64>().is_ok());
    let commas = |cell: &str| cell.matches(',').count() == 1 && number(cell, true).is_some();
    !points && cells().any(commas)
}

/// Whether the first record names the columns: it has a word above numbers, or there are no numbers to tell.
fn has_header(records: &[Vec<Cow<'_, str>>], missing: &Missing, comma: bool) -> bool {
    let Some((first, rows)) = records.split_first() else { return true };
    let is_number = |cell: &str| number(cell, comma).is_some();
    if rows.is_empty() {
        return !first.iter().all(|cell| is_number(cell));
    }
    let (mut numbers, mut words) = (0, 0);
    for (column, top) in first.iter().enumerate() {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.trim_ascii());
        let mut cells = cells.filter(|cell| !missing.has(cell)).peekable();
        if cells.peek().is_none() || !cells.all(is_number) {
            continue;
        }
        let top = top.trim_ascii();
        numbers += usize::from(is_number(top));
        words += usize::from(!is_number(top) && !missing.has(top));
    }
    words > 0 || numbers == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Dialect {
        Dialect::of(text.as_bytes(), b',', &Reading::default(), &[])
    }

    #[test]
    fn the_character_that_gives_every_record_as_many_fields_separates() {
        for (text, delimiter) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1;2\n", b';'),
            ("a;b\n1,5;2,5\n", b';'),
            ("a\tb, or c\td\n1\t2\t3\n", b'\t'),
            ("a|b\n1|2\n", b'|'),
            ("a\n1\n", b','),
            ("a,b,c\n1,2\n", b','),
            ("\"a;b\",c\n\"1;2\",3\n", b','),
        ] {
            assert_eq!(of(text).grammar.delimiter, delimiter, "{text:?}");
        }
    }

    #[test]
    fn a_header_has_words_above_numbers() {
        for text in ["x,y\n1,2\n", "x,c\n1,a\n", "a,b\nc,d\n", ",x\n0,1\n", "2019,x\n1,2\n"] {
            assert!(of(text).header, "{text:?}");
        }
        for text in ["1,2\n3,4\n", "5.1,setosa\n4.9,setosa\n", "NA,1\n2,3\n", "1,2\n"] {
            assert!(!of(text).header, "{text:?}");
        }
        let wanted = Dialect::of(b"2019,class\n1,a\n", b',', &Reading::default(), &["class"]);
        assert!(wanted.header);
    }

    #[test]
    fn commas_stand_before_fractions_where_no_point_does() {
        assert!(of("a;b\n1,5;2\n").grammar.comma);
        assert!(!of("a;b\n1,5;2.5\n").grammar.comma);
        assert!(!of("a,b\n1,5\n").grammar.comma);
        assert_eq!(number("1,5", true), Some(1.5));
        assert_eq!(number("1.000,5", true), None);
        assert_eq!(number(" -3 ", true), Some(-3.0));
    }

    #[test]
    fn single_quotes_quote_where_double_ones_do_not() {
        assert_eq!(of("'a','b'\n'x,y','z'\n").grammar.quote, Some(b'\''));
        assert_eq!(of("a,b\n\"it's\",'b'\n'c','d'\n").grammar.quote, Some(b'"'));
    }
}
