//! Says how files are read: what is not told is found out from their first lines.

use std::sync::Arc;

use crate::cell::MISSING;

/// How files are read. What is left open is found out from the first lines of each file.
///
/// ```
/// use gaussbayes_io::{Na, Reading};
/// let as_told = Reading { delimiter: Some(b';'), na: Na::Drop, ..Reading::default() };
/// assert_eq!(as_told.header, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// What separates the fields of a line.
    pub delimiter: Option<u8>,
    /// What fields are quoted by.
    pub quote: Option<Quote>,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// Names of the columns of files that name none; nothing means x1, x2, ….
    pub names: Vec<String>,
    /// The character before the fraction of a number: a point or a comma.
    pub decimal: Option<u8>,
    /// Words for a missing value, beside nothing at all, instead of the usual ones.
    pub missing: Option<Vec<String>>,
    /// What becomes of rows with missing values.
    pub na: Na,
}

/// What the fields of a text are quoted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    /// Nothing: quotes are text.
    No,
    /// This character.
    By(u8),
}

/// What becomes of rows that lack a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Na {
    /// They are refused, but by models that can do without.
    #[default]
    Refuse,
    /// They are left out, and counted.
    Drop,
}

impl Na {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Refuse, Self::Drop];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Refuse => "refuse",
            Self::Drop => "drop",
        }
    }
}

impl Reading {
    /// The words for a missing value.
    pub(crate) fn words(&self) -> Missing {
        self.missing.as_ref().map_or(Missing::Usual, |words| {
            Missing::Words(words.iter().map(|word| word.trim().to_owned()).collect())
        })
    }
}

/// Ways to write that a value is missing; an empty cell always is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Those that most tables use.
    #[default]
    Usual,
    /// These.
    Words(Arc<[String]>),
}

impl Missing {
    /// Whether a text without blanks around it says that a value is missing, in any case.
    #[inline]
    pub(crate) fn has(&self, text: &str) -> bool {
        text.is_empty()
            || match self {
                Self::Usual => MISSING.iter().any(|word| text.eq_ignore_ascii_case(word)),
                Self::Words(words) => words.iter().any(|word| text.eq_ignore_ascii_case(word)),
            }
    }

    /// The numbers among the words.
    pub(crate) fn numbers(&self) -> Vec<f64> {
        match self {
            Self::Usual => Vec::new(),
            Self::Words(words) => words.iter().filter_map(|word| word.parse().ok()).collect(),
        }
    }

    /// Whether numbers may be among the words, so that every cell must be compared.
    pub(crate) fn hides_numbers(&self) -> bool {
        match self {
            Self::Usual => false,
            Self::Words(words) => words.iter().any(|word| word.parse::<f64>().is_ok()),
        }
    }
}
