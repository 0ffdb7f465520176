//! Opens CSV text as one file of a table: its dialect, the names of its columns, and its records.

use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

use super::cut::Cutter;
use super::grammar::{Dialect, Grammar};
use super::records::Records;
use crate::error::Error;
use crate::reading::Reading;
use crate::refusal::FileRefusal;
use crate::schema::Header;

/// CSV text that is open.
#[derive(Debug)]
pub(crate) struct CsvPart {
    cutter: Cutter,
}

impl CsvPart {
    /// Reads a text up to its first row; `usual` separates fields unless another character does so better, and
    /// `known` are the names of columns that a text without a header has.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Empty`], and a header that is wrong.
    pub(crate) fn open(
        file: &Arc<str>,
        reader: Box<dyn Read + Send>,
        chunk: usize,
        usual: u8,
        reading: &Reading,
        wanted: &[&str],
        known: Option<&[String]>,
    ) -> Result<(Self, Header), Error> {
        let mut cutter = Cutter::new(file.clone(), reader, chunk)?;
        let sample = cutter.sample()?;
        let Dialect { grammar, header } = Dialect::of(sample, usual, reading, wanted);
        cutter.set_grammar(grammar);
        let empty = || Error::Empty { file: file.to_string() };
        let names = if header {
            header_names(&cutter.next(1)?.ok_or_else(empty)?)?
        } else {
            let columns = cutter.peek()?.ok_or_else(empty)?;
            names(file, columns, &reading.names, known)?
        };
        let notes = notes(grammar, usual, header, &names, reading, known);
        Ok((Self { cutter }, Header { names, notes, unasked: Vec::new() }))
    }

    /// Exactly `count` records, fewer only at the end, none after it.
    ///
    /// # Errors
    /// As for [`Cutter::next`].
    pub(crate) fn next(&mut self, count: usize) -> Result<Option<Records>, Error> {
        self.cutter.next(count)
    }
}

/// Names for the columns of a file that names none.
///
/// # Errors
/// [`FileRefusal::Names`] where another number of them is given.
pub(crate) fn names(
    file: &Arc<str>,
    columns: usize,
    given: &[String],
    known: Option<&[String]>,
) -> Result<Vec<String>, Error> {
    let given = if given.is_empty() { known } else { Some(given) };
    match given {
        None => Ok((1..=columns).map(|j| format!("x{j}")).collect()),
        Some(names) if names.len() == columns => Ok(names.to_vec()),
        Some(names) => {
            let (file, given) = (file.to_string(), names.len());
            Err(FileRefusal::Names { file, given, columns }.into())
        }
    }
}

/// What was found out about a text that is not written as most are.
fn notes(
    grammar: Grammar,
    usual: u8,
    header: bool,
    names: &[String],
    reading: &Reading,
    known: Option<&[String]>,
) -> Vec<String> {
    let mut notes = Vec::new();
    if grammar.delimiter != usual && reading.delimiter.is_none() {
        let delimiter = grammar.delimiter as char;
        let delimiter = if delimiter == '\t' { "tabs".into() } else { format!("'{delimiter}'") };
        notes.push(format!("fields are separated by {delimiter}"));
    }
    if grammar.quote == Some(b'\'') && reading.quote.is_none() {
        notes.push("fields are quoted by single quotes".into());
    }
    if grammar.comma && reading.decimal.is_none() {
        notes.push("a comma stands before the fraction of a number".into());
    }
    if !header && reading.header.is_none() && reading.names.is_empty() {
        let called = match (known, names) {
            (Some(_), _) => "columns are those of the first file".into(),
            (None, [only]) => format!("its column is called {only}"),
            (None, names) => format!("columns are called x1 to x{}", names.len()),
        };
        notes.push(format!("there is no header line, {called}"));
    }
    notes
}

/// Names of the columns: none twice.
fn header_names(first: &Records) -> Result<Vec<String>, Error> {
    let mut names = Vec::new();
    for (column, field) in first.fields(first.record_at(0))?.iter().enumerate() {
        names.push(first.text(field, &(column + 1).to_string())?.trim_ascii().to_owned());
    }
    refuse_twins(&first.file, &names)?;
    Ok(names)
}

/// Refuses two columns of one name.
///
/// # Errors
/// [`Error::DuplicateColumn`].
pub(crate) fn refuse_twins(file: &str, names: &[String]) -> Result<(), Error> {
    let mut known = HashMap::new();
    for (second, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        if let Some(first) = known.insert(name, second) {
            let (file, column) = (file.to_owned(), name.clone());
            return Err(Error::DuplicateColumn { file, column, first, second });
        }
    }
    Ok(())
}
