//! Holds the columns of a file, and what is read of them: the same for every format.

use crate::columns::Selection;
use crate::reading::Missing;

/// The columns of a file that was opened.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// What was found out about the file, and a user may want to know.
    pub(crate) notes: Vec<String>,
    /// Columns that are no features unless they are named: what was the index of a pandas table.
    pub(crate) unasked: Vec<String>,
}

/// What is read of a file.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Names of all columns.
    pub(crate) header: Vec<String>,
    pub(crate) selection: Selection,
    /// What says that a value is missing, where cells are words.
    pub(crate) missing: Missing,
}
