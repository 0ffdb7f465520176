//! Recognises what the columns of a file hold: numbers, flags, categories or text.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::reading::Missing;
use crate::words::words;

/// Words of a cell, on average, from which on a column of words is text and not a category.
const WORDS_OF_TEXT: u64 = 3;

/// What a column holds. Each may have missing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// Numbers, whole or not.
    Number,
    /// Yes or no: 0/1, true/false, yes/no, t/f or y/n, in any case.
    Flag,
    /// Names: cells are the same where they read the same, without the blanks around them.
    Category,
    /// Numbers that are not negative: how often something has happened.
    Count,
    /// Words, of which it matters how often each stands there.
    Text,
}

impl ColumnType {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Number, Self::Flag, Self::Category, Self::Count, Self::Text];

    /// Flags are 0 or 1: above this number they mean yes. Flags above any other number are read as numbers.
    pub const FLAG_ABOVE: f64 = 0.5;

    /// Its name on the command line and in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Flag => "flag",
            Self::Category => "category",
            Self::Count => "count",
            Self::Text => "text",
        }
    }
}

/// What the features of a file are read as.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Types {
    /// Plain numbers; what is missing is refused.
    #[default]
    Plain,
    /// What the first rows say, but for columns whose type is declared, by name or place.
    ///
    /// Of the first block of rows, without what is missing, a column is
    /// * a flag where both words of one pair stand there and nothing else: 0 and 1, true and false, yes and no,
    ///   t and f, y and n, in any case;
    /// * a number where at least half of the cells are numbers, or where all are missing: a word among
    ///   numbers is a slip more often than a name;
    /// * text where cells have three words or more on average, and at least half of them differ;
    /// * a category otherwise.
    ///
    /// Where all are numbers, none is missing and none is declared, rows are plain.
    Recognised(Vec<(String, ColumnType)>),
    /// These, feature by feature: those of a model.
    Given(Vec<ColumnType>),
}

/// Who says what a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidBy {
    /// The first rows.
    Rows,
    /// The user.
    User,
    /// The model.
    Model,
    /// The kind of model, which takes numbers alone.
    Numbers,
}

/// The types of the features of one file, each with who says so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typing {
    pub(crate) types: Vec<ColumnType>,
    pub(crate) said_by: Vec<SaidBy>,
}

impl Typing {
    /// Types that a model has.
    pub(crate) fn of_model(types: &[ColumnType]) -> Self {
        Self { types: types.to_vec(), said_by: vec![SaidBy::Model; types.len()] }
    }

    /// Types that are declared or else recognised in the cells that were looked at; none where rows are plain.
    pub(crate) fn recognised(declared: &[Option<ColumnType>], seen: &[Seen<'_>]) -> Option<Self> {
        let (mut types, mut said_by, mut plain) = (Vec::new(), Vec::new(), true);
        for (declared, seen) in declared.iter().zip(seen) {
            types.push(declared.unwrap_or_else(|| seen.column_type()));
            said_by.push(if declared.is_some() { SaidBy::User } else { SaidBy::Rows });
            plain &= declared.is_none() && seen.is_plain();
        }
        (!plain).then_some(Self { types, said_by })
    }

    /// Whether all columns are numbers because nothing else will do.
    pub(crate) fn is_numbers(&self) -> bool {
        self.said_by.iter().all(|said_by| *said_by == SaidBy::Numbers)
    }

    /// Numbers of which any may be missing.
    pub(crate) fn numbers(columns: usize) -> Self {
        let said_by = vec![SaidBy::Numbers; columns];
        Self { types: vec![ColumnType::Number; columns], said_by }
    }
}

/// What the cells of a column look like.
#[derive(Debug, Default)]
pub(crate) struct Seen<'a> {
    present: u64,
    missing: u64,
    numbers: u64,
    /// Cells that are a flag, by pair of words: those that say no, and those that say yes.
    flags: [[u64; 2]; FLAGS.len()],
    words: u64,
    /// Cells that are no numbers, each once.
    different: HashSet<Cow<'a, str>>,
}

impl<'a> Seen<'a> {
    /// Looks at a cell.
    pub(crate) fn look(&mut self, text: Cow<'a, str>, missing: &Missing) {
        let cell = text.trim_ascii();
        if missing.has(cell) {
            self.look_at_nothing();
            return;
        }
        self.present += 1;
        if let Some((pair, yes)) = pair_of(cell) {
            self.flags[pair][usize::from(yes)] += 1;
        }
        if cell.parse::<f64>().is_ok() {
            self.numbers += 1;
            return;
        }
        self.words += words(cell).count() as u64;
        self.different.insert(text);
    }

    /// Looks at a value that is missing.
    pub(crate) fn look_at_nothing(&mut self) {
        self.missing += 1;
    }

    /// Looks at a number.
    pub(crate) fn look_at_number(&mut self, value: f64) {
        self.present += 1;
        self.numbers += 1;
        if value == 0.0 || value == 1.0 {
            self.flags[0][usize::from(value == 1.0)] += 1;
        }
    }

    /// The rule of [`Types::Recognised`].
    fn column_type(&self) -> ColumnType {
        let pair = |[no, yes]: &[u64; 2]| *no > 0 && *yes > 0 && no + yes == self.present;
        if self.flags.iter().any(pair) {
            return ColumnType::Flag;
        }
        if 2 * self.numbers >= self.present {
            return ColumnType::Number;
        }
        let named = self.present - self.numbers;
        let differ = 2 * self.different.len() as u64 >= named;
        if self.words >= WORDS_OF_TEXT * named && differ {
            return ColumnType::Text;
        }
        ColumnType::Category
    }

    /// Whether it is numbers alone, as far as is seen.
    fn is_plain(&self) -> bool {
        self.column_type() == ColumnType::Number && self.missing == 0
    }
}

/// Pairs of words for no and yes, beside the numbers 0 and 1, which come first.
const FLAGS: [[&str; 2]; 5] =
    [["0", "1"], ["false", "true"], ["no", "yes"], ["f", "t"], ["n", "y"]];

/// The pair that a word is of, and whether it is the one for yes.
fn pair_of(cell: &str) -> Option<(usize, bool)> {
    let found = FLAGS.iter().enumerate().find_map(|(pair, words)| {
        let yes = words.iter().position(|word| word.eq_ignore_ascii_case(cell))?;
        Some((pair, yes == 1))
    });
    // However they are written: 0.0 and 1.0 come from tables with gaps.
    let number = || match cell.parse::<f64>() {
        Ok(0.0) => Some((0, false)),
        Ok(1.0) => Some((0, true)),
        _ => None,
    };
    found.or_else(number)
}

/// Whether a cell says yes; none where it is no flag.
pub(crate) fn flag(cell: &str) -> Option<bool> {
    pair_of(cell).map(|(_, yes)| yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cells: &[&'static str]) -> ColumnType {
        let mut seen = Seen::default();
        cells.iter().for_each(|&cell| seen.look(cell.into(), &Missing::Usual));
        seen.column_type()
    }

    #[test]
    fn flags_are_both_words_of_one_pair() {
        for cells in [["0", "1"], ["1.0", "0.0"], ["TRUE", "false"], ["y", "N"], ["no", " Yes "]] {
            assert_eq!(of(&cells), ColumnType::Flag, "{cells:?}");
        }
        assert_eq!(of(&["t", "NA", "f", "", "F"]), ColumnType::Flag);
        assert_eq!(of(&["0", "1", "2"]), ColumnType::Number);
        assert_eq!(of(&["1", "1"]), ColumnType::Number);
        assert_eq!(of(&["yes", "yes"]), ColumnType::Category);
        assert_eq!(of(&["yes", "no", "maybe"]), ColumnType::Category);
        assert_eq!(of(&["yes", "n"]), ColumnType::Category);
    }

    #[test]
    fn a_word_among_numbers_is_a_slip_and_a_number_among_words_a_name() {
        assert_eq!(of(&["1.5", "x", "2"]), ColumnType::Number);
        assert_eq!(of(&["A", "7", "B"]), ColumnType::Category);
        assert_eq!(of(&["", "NA", "?"]), ColumnType::Number);
        assert_eq!(of(&[]), ColumnType::Number);
    }

    #[test]
    fn text_has_several_words_and_seldom_repeats_itself() {
        assert_eq!(of(&["to be or not", "that is the question"]), ColumnType::Text);
        assert_eq!(of(&["a b c d", "a b c d", "e f g h", "e f g h"]), ColumnType::Text);
        assert_eq!(of(&["a b c", "a b c", "a b c", "e f g", "e f g"]), ColumnType::Category);
        assert_eq!(of(&["New York", "Berlin", "Oslo"]), ColumnType::Category);
        assert_eq!(of(&["win a free prize now", "", "", ""]), ColumnType::Text);
    }

    #[test]
    fn numbers_without_gaps_are_plain() {
        let plain = |cells: &[&'static str]| {
            let mut seen = Seen::default();
            cells.iter().for_each(|&cell| seen.look(cell.into(), &Missing::Usual));
            seen.is_plain()
        };
        assert!(plain(&["1", "2.5", "-3e4"]));
        assert!(!plain(&["1", "NA"]) && !plain(&["0", "1"]) && !plain(&["a"]));
    }
}
