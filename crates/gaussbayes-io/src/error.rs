//! Says what is wrong with a file, with the place and the names that a person needs to mend it.

use crate::cell::{Cell, one_line};
use crate::moments_file::MomentsRefusal;
use crate::refusal::FileRefusal;
use crate::types::{ColumnType, SaidBy};

/// Everything that reading and writing refuses, each variant with its evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the mathematics refuses.
    #[error(transparent)]
    Core(#[from] gaussbayes::Error),
    /// A file that is refused as a whole.
    #[error(transparent)]
    File(#[from] FileRefusal),
    /// Neither a file nor a built-in set.
    #[error("there is no file '{path}'")]
    NotFound {
        /// The path that was given.
        path: String,
        /// A built-in set with a similar name.
        nearest: Option<String>,
    },
    /// A model file that is not there.
    #[error("there is no model file '{path}'")]
    NoModel {
        /// The path that was given.
        path: String,
    },
    /// A file that the system did not let us read.
    #[error("cannot read {path}: {message}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        message: String,
    },
    /// A file that the system did not let us write.
    #[error("cannot write {path}: {message}")]
    Write {
        /// The file.
        path: String,
        /// What the system said.
        message: String,
    },
    /// Rows that could not be kept in, or read back from, the system's temporary folder.
    #[error("cannot keep the rows in {folder}: {message}")]
    Spool {
        /// The folder.
        folder: String,
        /// What the system said.
        message: String,
    },
    /// A file without a single line.
    #[error("{file} is empty")]
    Empty {
        /// The file.
        file: String,
    },
    /// A file that ends after its header.
    #[error("{file} has a header but no rows")]
    HeaderOnly {
        /// The file.
        file: String,
    },
    /// A feature without a name.
    #[error("{file}: column {} has no name", column + 1)]
    UnnamedColumn {
        /// The file.
        file: String,
        /// Column, counted from 0.
        column: usize,
    },
    /// Two columns of one name.
    #[error("{file}: columns {} and {} have the same name '{}'", first + 1, second + 1, one_line(column))]
    DuplicateColumn {
        /// The file.
        file: String,
        /// The name.
        column: String,
        /// The first of them, counted from 0.
        first: usize,
        /// The second, counted from 0.
        second: usize,
    },
    /// A column that the user named and the file does not have.
    #[error("{file} has no column '{}'", one_line(column))]
    MissingColumn {
        /// The file.
        file: String,
        /// The name that was asked for.
        column: String,
        /// A column with a similar name.
        nearest: Option<String>,
        /// The columns of the file.
        columns: Vec<String>,
    },
    /// A column that a model reads and the file does not have.
    #[error("{file} has no column '{}', which the model needs", one_line(column))]
    MissingFeature {
        /// The file.
        file: String,
        /// The feature.
        column: String,
        /// A column with a similar name.
        nearest: Option<String>,
        /// The columns of the file.
        columns: Vec<String>,
    },
    /// A column number, or a range of them, that the file does not have.
    #[error("{file} has {columns} columns, so there is no column {entry}")]
    NoSuchPlace {
        /// The file.
        file: String,
        /// What was asked for.
        entry: String,
        /// Columns of the file.
        columns: usize,
    },
    /// A column that was asked to be two things.
    #[error("column '{}' is named twice: as {first} and as {second}", one_line(column))]
    TwoRoles {
        /// The column.
        column: String,
        /// One role.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A selection of columns that leaves none to compute with.
    #[error("no column of {file} is left as a feature")]
    NoFeatures {
        /// The file.
        file: String,
    },
    /// A cell of a feature that holds no number.
    #[error("{cell}: {} is not a number", cell.quoted())]
    NotANumber {
        /// The cell.
        cell: Box<Cell>,
    },
    /// A cell of a typed feature that holds something else.
    #[error("{cell}: {} is not a {}", cell.quoted(), kind.name())]
    NotOfType {
        /// The cell.
        cell: Box<Cell>,
        /// What the column holds.
        kind: ColumnType,
        /// Who says so.
        said_by: SaidBy,
    },
    /// A cell of a feature that holds an infinite number, or one too large for double precision.
    #[error("{cell}: '{}' is not a finite number", cell.text)]
    NotFinite {
        /// The cell.
        cell: Box<Cell>,
        /// What it was read as.
        value: f64,
    },
    /// A weight that is no number, negative, or too small or large to be summed up.
    #[error("{cell}: {} is neither 0 nor a weight between 1e-150 and 1e150", cell.quoted())]
    BadWeight {
        /// The cell.
        cell: Box<Cell>,
    },
    /// A number in place of a label that is not whole.
    #[error("{cell}: {} is no label: it is not a whole number", cell.quoted())]
    NotALabel {
        /// The cell.
        cell: Box<Cell>,
    },
    /// A target cell that is empty.
    #[error("{cell}: the row has no label")]
    NoLabel {
        /// The cell.
        cell: Box<Cell>,
    },
    /// A cell of a loss file that holds no finite number.
    #[error("{cell}: {} is not a finite cost", cell.quoted())]
    BadCost {
        /// The cell.
        cell: Box<Cell>,
    },
    /// Text between a closing quote and the end of its field.
    #[error("{cell}: text follows the closing quote")]
    TextAfterQuote {
        /// The cell.
        cell: Box<Cell>,
    },
    /// A record with more or fewer fields than the header.
    #[error("{file}, line {line}: {found} fields where the header has {expected}")]
    Ragged {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// Fields of the record.
        found: usize,
        /// Fields of the header.
        expected: usize,
    },
    /// A quote that opens a field and is never closed.
    #[error("{file}, line {line}: a quote is opened and not closed")]
    UnclosedQuote {
        /// The file.
        file: String,
        /// Line where the record starts, counted from 1.
        line: u64,
    },
    /// A line longer than any table has.
    #[error("{file}, line {line}: the line is longer than {limit} bytes")]
    LongLine {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// The longest line that is read.
        limit: usize,
    },
    /// Text that is not UTF-8.
    #[error("{file}, line {line}: the text is not UTF-8")]
    NotUtf8 {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
    },
    /// A loss file that names a class the model does not know.
    #[error("{file}, line {line}: '{class}' is no class of the model")]
    UnknownClass {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// The name found.
        class: String,
        /// A class with a similar name.
        nearest: Option<String>,
        /// The classes of the model.
        classes: Box<[String]>,
    },
    /// A loss file with two rows, or two actions, of one name.
    #[error("{file}, line {line}: '{}' stands here a second time", one_line(name))]
    Repeated {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// The class or action.
        name: String,
    },
    /// A loss file without a row for a class.
    #[error("{file} has no row for class '{class}'")]
    MissingClass {
        /// The file.
        file: String,
        /// The class.
        class: String,
    },
    /// A file that does not begin like a model file.
    #[error("{file} is no gaussbayes model")]
    NotAModel {
        /// The file.
        file: String,
    },
    /// A model file of a release with another layout.
    #[error("{file} has layout version {version}, and this release reads version {known}")]
    OtherVersion {
        /// The file.
        file: String,
        /// Its version.
        version: u64,
        /// The version known here.
        known: u64,
    },
    /// A model file whose text is not what was written.
    #[error("{file} is damaged: its checksum is {found}, not {expected}")]
    DamagedModel {
        /// The file.
        file: String,
        /// The checksum that it states.
        expected: String,
        /// The checksum that it has.
        found: String,
    },
    /// A model file whose parts do not belong together.
    #[error("{file} holds no valid model: {why}")]
    BadModel {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file that no search can be taken up from.
    #[error("{file} is no checkpoint of a search: {why}")]
    BadCheckpoint {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// A checkpoint of other data or settings.
    #[error("{file} is of another run: {what} was {then} and is {now}")]
    OtherRun {
        /// The file.
        file: String,
        /// What differs.
        what: String,
        /// What it was.
        then: String,
        /// What it is now.
        now: String,
    },
    /// A file of known parameters that holds what it must not.
    #[error("{file}{} {why}", placed(place))]
    BadParameters {
        /// The file.
        file: String,
        /// The key and the entries of lists that lead there; nothing for the file as a whole.
        place: String,
        /// What is wrong with it.
        why: String,
        /// What a user can do about it, where that is not the same for all.
        hint: Option<String>,
    },
    /// A model that was saved without what an update needs.
    #[error("{file} is sealed: it holds no statistics that rows could join")]
    SealedModel {
        /// The file.
        file: String,
    },
    /// What is refused of files of moments.
    #[error(transparent)]
    Moments(Box<MomentsRefusal>),
    /// A loss file whose first line names no action.
    #[error("{file} names no action in its first line")]
    NoActions {
        /// The file.
        file: String,
    },
}

/// What sort of thing went wrong; the command makes its exit status of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The system, or the machine, failed.
    Failure,
    /// What was asked for makes no sense.
    Usage,
    /// The data are wrong.
    Data,
    /// The model cannot be fitted to these data.
    Model,
}

impl Error {
    /// The offending line and, under the offending cell, a line of carets.
    pub fn excerpt(&self) -> Option<String> {
        match self {
            Self::NotANumber { cell }
            | Self::NotOfType { cell, .. }
            | Self::NotFinite { cell, .. }
            | Self::BadWeight { cell }
            | Self::NoLabel { cell }
            | Self::NotALabel { cell }
            | Self::BadCost { cell }
            | Self::TextAfterQuote { cell } => cell.excerpt().map(str::to_owned),
            _ => None,
        }
    }
}

fn placed(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(": '{place}'") }
}
