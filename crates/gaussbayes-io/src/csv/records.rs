//! Holds the text of some records, and finds fields and places in it.

use std::borrow::Cow;
use std::sync::Arc;

use super::field::{self, Field, Form, unescape};
use super::grammar::Grammar;
use crate::cell::Cell;
use crate::error::Error;
use crate::refusal::FileRefusal;

/// Whole records as text, each with its newline.
#[derive(Debug, Clone)]
pub(crate) struct Records {
    /// The file, as the user named it.
    pub(crate) file: Arc<str>,
    /// How fields are written.
    pub(crate) grammar: Grammar,
    /// The text, blank lines included.
    pub(crate) bytes: Vec<u8>,
    /// Line of the first byte, counted from 1.
    pub(crate) first_line: u64,
    /// Records in the text.
    pub(crate) count: usize,
}

impl Records {
    /// Where the record after `at` starts; `at` is the end of a record.
    #[inline]
    pub(crate) fn record_at(&self, at: usize) -> usize {
        field::skip_blank(&self.bytes, at)
    }

    /// The field that starts at `at`.
    ///
    /// # Errors
    /// [`Error::UnclosedQuote`] where it does not end, which the cutter has ruled out.
    #[inline]
    pub(crate) fn field(&self, at: usize) -> Result<Field, Error> {
        field::field(&self.bytes, at, self.grammar).ok_or_else(|| self.unclosed(at))
    }

    fn unclosed(&self, at: usize) -> Error {
        Error::UnclosedQuote { file: self.file.to_string(), line: self.line_of(at) }
    }

    /// The fields of the record that starts at `start`.
    pub(crate) fn fields(&self, start: usize) -> Result<Vec<Field>, Error> {
        let mut fields = Vec::new();
        let mut at = start;
        loop {
            let field = self.field(at)?;
            fields.push(field);
            at = field.next;
            if field.last {
                return Ok(fields);
            }
        }
    }

    /// Where record number `number` starts.
    pub(crate) fn start_of(&self, number: usize) -> usize {
        let mut at = self.record_at(0);
        for _ in 0..number {
            let end = field::record_end(&self.bytes, at, self.grammar);
            at = self.record_at(end.unwrap_or(at));
        }
        at
    }

    /// The text of a field without quotes, as the user meant it.
    ///
    /// # Errors
    /// [`Error::NotUtf8`], [`FileRefusal::Nul`], [`Error::TextAfterQuote`] for a field of the column `column`.
    pub(crate) fn text(&self, field: &Field, column: &str) -> Result<Cow<'_, str>, Error> {
        let Ok(text) = str::from_utf8(&self.bytes[field.start..field.end]) else {
            let line = self.line_of(field.start);
            return Err(Error::NotUtf8 { file: self.file.to_string(), line });
        };
        if text.contains('\0') {
            let (file, line) = (self.file.to_string(), self.line_of(field.start));
            return Err(FileRefusal::Nul { file, line }.into());
        }
        match field.form {
            Form::Bare => Ok(text.into()),
            Form::Quoted => Ok(unescape(text, self.grammar.quote)),
            Form::Trailing => Err(Error::TextAfterQuote { cell: self.cell(field, column).into() }),
        }
    }

    /// The line of the byte at `at`, counted from 1.
    pub(crate) fn line_of(&self, at: usize) -> u64 {
        self.first_line + field::newlines(&self.bytes[..at])
    }

    /// Where a field stands, for a person.
    pub(crate) fn cell(&self, field: &Field, column: &str) -> Cell {
        let text = String::from_utf8_lossy(&self.bytes[field.start..field.end]);
        let text = if field.form == Form::Bare {
            text
        } else {
            unescape(&text, self.grammar.quote).into_owned().into()
        };
        let is_newline = |byte: &u8| *byte == b'\n';
        let before = &self.bytes[..field.start];
        let line_start = before.iter().rposition(is_newline).map_or(0, |at| at + 1);
        let after = &self.bytes[line_start..];
        let line = &after[..after.iter().position(is_newline).unwrap_or(after.len())];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let lossy = |end: usize| String::from_utf8_lossy(&line[..end.min(line.len())]).into_owned();
        let start = lossy(field.start - line_start).len();
        let end = lossy(field.end - line_start).len();
        let whole = lossy(line.len());
        let number = self.line_of(field.start);
        Cell::new(&self.file, number, column, &text, (&whole, start..end))
    }
}
