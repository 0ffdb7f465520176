//! Defines what data are, and how their files are read: the same for every command.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use gaussbayes_io::{Columns, Data, Error, Na, Quote, Reading, shell};

use super::by_name;

/// Under what help lists how files are read.
const READING: &str = "Reading files";

/// Where rows come from.
#[derive(Debug, Args)]
pub(crate) struct Tables {
    /// Files of one table, - for standard input, or a built-in set: iris, wine, faithful, banana,
    /// trunk, echo
    ///
    /// Files are CSV, TSV, Parquet, Arrow or npy, .gz and .zst too. Several files, or a pattern such
    /// as 'part-*.csv', are read as one table. Of the built-in sets trunk has columns that help less
    /// and less, echo columns that repeat.
    #[arg(value_name = "DATA", required = true)]
    pub(crate) data: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: ReadingOptions,
}

/// How files are read, where it is not to be found out from their first lines.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadingOptions {
    /// Rows with missing values: refuse them, or drop them, counted
    #[arg(long, help_heading = READING, value_name = "refuse|drop", default_value = "refuse", value_parser = na)]
    na: Na,
    /// What says that a value is missing, beside an empty cell [default: NA, N/A, NaN, ?, null, none, .]
    #[arg(long, help_heading = READING, value_name = "WORDS", value_delimiter = ',', allow_hyphen_values = true)]
    na_words: Option<Vec<String>>,
    /// What separates fields: a character, or tab [default: found out]
    #[arg(long, help_heading = READING, value_name = "CHAR", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// What fields are quoted by: a character, or none [default: found out]
    #[arg(long, help_heading = READING, value_name = "CHAR", value_parser = quote)]
    quote: Option<Quote>,
    /// What stands before the fraction of a number: . or , [default: found out]
    #[arg(long, help_heading = READING, value_name = "CHAR", value_parser = decimal)]
    decimal: Option<u8>,
    /// The first line names the columns [default: found out]
    #[arg(long, help_heading = READING)]
    header: bool,
    /// The first line is a row
    #[arg(long, help_heading = READING, conflicts_with = "header")]
    no_header: bool,
    /// Names of the columns of a file that has none [default: x1, x2, …]
    #[arg(long, help_heading = READING, value_name = "NAMES", value_delimiter = ',', conflicts_with = "header")]
    names: Vec<String>,
}

impl Tables {
    /// Opens the rows.
    pub(crate) fn open(&self, columns: &Columns, seed: u64) -> Result<Data, Error> {
        Data::open(&self.data, columns, &self.reading.reading(), seed)
    }

    /// The column of labels that a built-in set has.
    pub(crate) fn usual_target(&self) -> Option<String> {
        let [only] = self.data.as_slice() else { return None };
        gaussbayes_io::usual_target(only).map(Into::into)
    }

    /// Whether these are the rows of a built-in set.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.data == [name]
    }

    /// Whether all of them are files, which can be read again.
    pub(crate) fn are_files(&self) -> bool {
        self.paths().iter().all(|path| path.is_file())
    }

    /// The files that are read.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        gaussbayes_io::paths_of(&self.data)
    }

    /// What is read, as a shell takes it.
    pub(crate) fn shell(&self) -> String {
        self.data.iter().map(|name| shell(name)).collect::<Vec<_>>().join(" ")
    }
}

impl fmt::Display for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data.as_slice() {
            [first, _, ..] => write!(f, "{first} and {} more", self.data.len() - 1),
            names => f.write_str(names.first().map_or("", String::as_str)),
        }
    }
}

impl ReadingOptions {
    fn reading(&self) -> Reading {
        Reading {
            delimiter: self.delimiter,
            quote: self.quote,
            header: match (self.header, self.no_header) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            },
            names: self.names.clone(),
            decimal: self.decimal,
            missing: self.na_words.clone(),
            na: self.na,
        }
    }
}

fn na(word: &str) -> Result<Na, String> {
    by_name(word, &Na::ALL, Na::name)
}

fn character(word: &str) -> Option<u8> {
    match word.as_bytes() {
        &[byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && byte != b'\n' => Some(byte),
        _ => None,
    }
}

fn delimiter(word: &str) -> Result<u8, String> {
    if word == "tab" || word == "\\t" {
        return Ok(b'\t');
    }
    let delimiter = character(word).filter(|byte| !b"\"'.+-\r".contains(byte));
    delimiter.ok_or_else(|| "a character such as ; or |, or tab".into())
}

fn quote(word: &str) -> Result<Quote, String> {
    if word == "none" {
        return Ok(Quote::No);
    }
    let quote = character(word).filter(|byte| !b",;\t|.+-\r ".contains(byte));
    quote.map(Quote::By).ok_or_else(|| "a character such as ' or \", or none".into())
}

fn decimal(word: &str) -> Result<u8, String> {
    match word {
        "." => Ok(b'.'),
        "," => Ok(b','),
        _ => Err("possible values: . or ,".into()),
    }
}
