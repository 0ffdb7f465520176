//! Says why a file as a whole is refused: what it holds, or how it differs from its neighbours.

use crate::cell::one_line;
use crate::error::Kind;

/// What is wrong with a file, or with several of them together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileRefusal {
    /// Bytes of a format that is not read.
    #[error("{file} is {holds}, not a table")]
    Foreign {
        /// The file.
        file: String,
        /// What it holds.
        holds: &'static str,
        /// What a user can do about it.
        hint: &'static str,
    },
    /// Text with bytes that no text has.
    #[error("{file}, line {line}: there is a NUL byte, which no text has")]
    Nul {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
    },
    /// More text in the rows of one block than any table has.
    #[error("{file}, line {line}: the rows before this line take more than {limit} bytes together")]
    LongRows {
        /// The file.
        file: String,
        /// Line, counted from 1.
        line: u64,
        /// The most that is read at a time.
        limit: usize,
    },
    /// Blank lines without end.
    #[error("{file}, line {line}: more than {limit} bytes of blank lines follow")]
    Blank {
        /// The file.
        file: String,
        /// Line of the first of them, counted from 1.
        line: u64,
        /// As many as are skipped.
        limit: usize,
    },
    /// Content that is not what its own format says it is.
    #[error("{file} is damaged: {why}")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// Content that its format allows and that is not read.
    #[error("{file} holds what is not read: {why}")]
    Unread {
        /// The file.
        file: String,
        /// What it is.
        why: String,
    },
    /// A format that is read from both ends, in a stream or compressed as a whole.
    #[error("{file} holds {holds}, which cannot be read as it streams by")]
    NotAStream {
        /// The file.
        file: String,
        /// What it holds.
        holds: &'static str,
    },
    /// A column of a type that has no place in a table of numbers, names and words.
    #[error("{file}: column '{}' holds {holds}", one_line(column))]
    Column {
        /// The file.
        file: String,
        /// The column.
        column: String,
        /// What it holds.
        holds: &'static str,
        /// Whether it is the target.
        target: bool,
    },
    /// A file that was written to between two readings.
    #[error("{file} has changed while it was read")]
    Changed {
        /// The file.
        file: String,
    },
    /// Another number of names than of columns.
    #[error("{file} has {columns} columns, and {given} names are given")]
    Names {
        /// The file.
        file: String,
        /// Names.
        given: usize,
        /// Columns.
        columns: usize,
    },
    /// A file of a table that lacks a column of the others.
    #[error("{file} has no column '{}', which {first} has", one_line(column))]
    LacksColumn {
        /// The file.
        file: String,
        /// The first file of the table.
        first: String,
        /// The column.
        column: String,
    },
    /// A file of a table with a column that the others do not have.
    #[error("{file} has a column '{}', which {first} does not have", one_line(column))]
    ExtraColumn {
        /// The file.
        file: String,
        /// The first file of the table.
        first: String,
        /// The column.
        column: String,
    },
    /// A file that is named twice.
    #[error("{file} is named twice: its rows would count twice")]
    Twice {
        /// The file.
        file: String,
    },
    /// A pattern without a file.
    #[error("no file is called '{pattern}'")]
    NoMatch {
        /// The pattern.
        pattern: String,
        /// What is wrong with the pattern itself.
        why: Option<String>,
    },
    /// A folder in place of a file.
    #[error("{path} is a folder, not a file")]
    Folder {
        /// The folder.
        path: String,
    },
    /// Something beside standard input or a built-in set that can only stand alone.
    #[error("{name} cannot be one of several files")]
    Alone {
        /// What was named.
        name: String,
    },
    /// Rows all of which lack a value.
    #[error("{file}: every row has a missing value, so none is left")]
    AllDropped {
        /// The data.
        file: String,
    },
}

impl FileRefusal {
    /// What sort of thing went wrong.
    pub fn kind(&self) -> Kind {
        match self {
            Self::NoMatch { .. } | Self::Changed { .. } => Kind::Failure,
            Self::Names { .. } | Self::Twice { .. } | Self::Folder { .. } | Self::Alone { .. } => {
                Kind::Usage
            }
            _ => Kind::Data,
        }
    }

    /// What a user can do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Foreign { hint, .. } => (*hint).into(),
            Self::Nul { .. } | Self::LongRows { .. } | Self::Blank { .. } => {
                "write the table as CSV text in UTF-8".into()
            }
            Self::Damaged { .. } => "take the file from where it came from again".into(),
            Self::Unread { .. } => "write the table in a plainer way, or as CSV".into(),
            Self::NotAStream { .. } => {
                "save it as a file that is not compressed as a whole, and give its name".into()
            }
            Self::Column { target: true, .. } => {
                "labels are text, whole numbers or flags: name another column as target".into()
            }
            Self::Column { column, .. } => {
                format!("only numbers, flags and text are read: --drop {}", crate::shell(column))
            }
            Self::Changed { .. } => "wait until it is written, and begin anew".into(),
            Self::Names { .. } => "give --names one name for each column".into(),
            Self::LacksColumn { .. } | Self::ExtraColumn { .. } => {
                "the files of one table have the same columns; --features takes some of them".into()
            }
            Self::Twice { .. } => "name each file once; weights count rows more than once".into(),
            Self::NoMatch { why: Some(why), .. } => format!("the pattern is wrong: {why}"),
            Self::NoMatch { .. } => "look with ls what there is".into(),
            Self::Folder { path } => {
                let path = path.trim_end_matches('/');
                format!("for all tables in it: {}", crate::shell(&format!("{path}/*.csv")))
            }
            Self::Alone { .. } => "give files alone, or this alone".into(),
            Self::AllDropped { .. } => "leave the columns without values out: --drop COL".into(),
        }
    }
}
