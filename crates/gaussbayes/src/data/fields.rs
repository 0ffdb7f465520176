//! Says what the columns of a typed block hold: numbers, names, or words with their counts.

use std::borrow::Cow;
use std::ops::Range;

use super::label::{Encoder, Label};
use super::rows::Rows;
use super::sparse::Sparse;
use crate::error::{ColumnRefusal, Error};

/// What one column of a typed block holds. A cell's value among the rows says more; NaN says that it is missing.
#[derive(Debug, Clone, PartialEq)]
pub enum Field<'a> {
    /// Numbers.
    Number,
    /// Codes into these names, in any order.
    Category(Cow<'a, [Label]>),
    /// Nothing among the rows: each row has its words here, by their place among the words of the block.
    Text {
        /// The words, in any order.
        words: Cow<'a, [Label]>,
        /// How often each row has each of them.
        counts: Sparse<'a>,
    },
}

impl Field<'_> {
    /// What it holds, in a word.
    pub(crate) fn holds(&self) -> &'static str {
        match self {
            Self::Number => "numbers",
            Self::Category(_) => "names",
            Self::Text { .. } => "words",
        }
    }

    /// The field of some rows, lent once more.
    pub(super) fn lent(&self, rows: Range<usize>) -> Field<'_> {
        match self {
            Self::Number => Field::Number,
            Self::Category(names) => Field::Category(Cow::Borrowed(names)),
            Self::Text { words, counts } => {
                Field::Text { words: Cow::Borrowed(words), counts: counts.lent(rows) }
            }
        }
    }

    /// The field of some rows, copied.
    pub(super) fn picked(&self, rows: &[usize]) -> Field<'static> {
        match self {
            Self::Number => Field::Number,
            Self::Category(names) => Field::Category(Cow::Owned(names.to_vec())),
            Self::Text { words, counts } => {
                Field::Text { words: Cow::Owned(words.to_vec()), counts: counts.picked(rows) }
            }
        }
    }

    /// A field of the same kind without rows.
    pub(super) fn emptied(&self) -> Field<'static> {
        match self {
            Self::Number => Field::Number,
            Self::Category(_) => Field::Category(Cow::Owned(Vec::new())),
            Self::Text { .. } => {
                Field::Text { words: Cow::Owned(Vec::new()), counts: Sparse::empty(0) }
            }
        }
    }
}

impl Field<'static> {
    /// Puts the rows of a later field of the same kind behind these; what its codes become, where it has names.
    pub(super) fn append(&mut self, later: &Field<'_>) -> Option<Vec<u32>> {
        match (self, later) {
            (Self::Category(names), Field::Category(more)) => Some(joined(names, more)),
            (Self::Text { words, counts }, Field::Text { words: more, counts: rows }) => {
                let renamed = joined(words, more);
                counts.append(rows, &renamed, words.len());
                None
            }
            _ => None,
        }
    }

    /// Sorts names or words as text and leaves out those that no row has; what the codes become, where it has names.
    pub(super) fn sorted(&mut self, used: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
        match self {
            Self::Number => None,
            Self::Category(names) => Some(sorted(names.to_mut(), used)),
            Self::Text { words, counts } => {
                let mut held = vec![false; words.len()];
                for i in 0..counts.rows() {
                    counts.row(i).0.iter().for_each(|&word| held[word as usize] = true);
                }
                let renamed = sorted(words.to_mut(), |word| held[word as usize]);
                let rows = std::mem::replace(counts, Sparse::empty(0));
                counts.append(&rows, &renamed, words.len());
                None
            }
        }
    }
}

/// Adds names to others; what the codes of the added ones become.
fn joined(names: &mut Cow<'static, [Label]>, more: &[Label]) -> Vec<u32> {
    let mut encoder = Encoder::of(std::mem::take(names.to_mut()));
    let codes = more.iter().map(|name| encoder.code(name.as_str())).collect();
    *names = Cow::Owned(encoder.into_labels());
    codes
}

/// Sorts the names that are used, as text; the new code of each.
fn sorted(names: &mut Vec<Label>, used: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut order: Vec<u32> = (0..names.len() as u32).filter(|&code| used(code)).collect();
    order.sort_by(|&a, &b| names[a as usize].cmp(&names[b as usize]));
    let mut place = vec![u32::MAX; names.len()];
    for (k, &code) in order.iter().enumerate() {
        place[code as usize] = k as u32;
    }
    *names = order.iter().map(|&code| names[code as usize].clone()).collect();
    place
}

/// Checks that each value is what its field says.
///
/// # Errors
/// [`Error::Shape`] for a code without a name, or fields that are not as many as columns; [`Error::NotFinite`] for an
/// infinite number or count, [`ColumnRefusal::Negative`] for a count below zero.
pub(super) fn check_fields(
    first_row: u64,
    rows: &Rows<'_>,
    fields: &[Field<'_>],
) -> Result<(), Error> {
    let shape = |what, expected, found| {
        if expected == found { Ok(()) } else { Err(Error::Shape { what, expected, found }) }
    };
    shape("fields", rows.dim(), fields.len())?;
    let infinite = |(i, column, value): (usize, usize, f64)| {
        Err(Error::NotFinite { row: first_row + i as u64, column, value })
    };
    for (column, field) in fields.iter().enumerate() {
        if let Field::Text { words, counts } = field {
            shape("rows of words", rows.count(), counts.rows())?;
            shape("words", counts.width(), words.len())?;
            if let Some((i, _, value)) = counts.first(|value| !value.is_finite()) {
                return infinite((i, column, value));
            }
            if let Some((i, _, value)) = counts.first(|value| value < 0.0) {
                let (row, name) = (first_row + i as u64, None);
                return Err(ColumnRefusal::Negative { row, column, name, value }.into());
            }
        }
    }
    let mut row = vec![0.0; rows.dim()];
    for i in 0..rows.count() {
        rows.read(i, &mut row);
        for (column, (&value, field)) in row.iter().zip(fields).enumerate() {
            match field {
                Field::Number if value.is_infinite() => return infinite((i, column, value)),
                Field::Category(names) if !is_code(value, names.len()) => {
                    let found = names.len();
                    return Err(Error::Shape {
                        what: "names",
                        expected: (value as usize).saturating_add(1),
                        found,
                    });
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_code(value: f64, names: usize) -> bool {
    value.is_nan() || value >= 0.0 && value.fract() == 0.0 && value < names as f64
}
