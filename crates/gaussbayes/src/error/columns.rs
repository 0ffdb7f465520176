//! Says why a column does not hold what a product or a model of plain numbers needs.

use super::words::number;

/// What is wrong with a column, or with a cell in it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnRefusal {
    /// Rows that a model of plain numbers cannot read.
    #[error("{what} where only plain numbers are read")]
    NotPlain {
        /// What the rows are.
        what: &'static str,
    },
    /// A column that holds something else than it did.
    #[error("{} holds {held} where {needed} are needed", named(name.as_ref(), *column))]
    Holds {
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
        /// What is needed.
        needed: &'static str,
        /// What it holds.
        held: &'static str,
    },
    /// A code that is no whole number from 0.
    #[error("row {}, {}: {} is no whole number from 0", row + 1, named(name.as_ref(), *column), number(*value))]
    BadCode {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
        /// What stands there.
        value: f64,
    },
    /// A count below zero.
    #[error("row {}, {}: {} is no count", row + 1, named(name.as_ref(), *column), number(*value))]
    Negative {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
        /// What stands there.
        value: f64,
    },
    /// A name or word that no row of the fit had.
    #[error("row {}, {}: '{value}' was not met in the fit", row + 1, named(name.as_ref(), *column))]
    Unseen {
        /// Row, counted from 0 over the whole source.
        row: u64,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
        /// The name or word.
        value: String,
    },
    /// A class without any value in a column of numbers.
    #[error("class '{class}' has no value in {}", named(name.as_ref(), *column))]
    NoValues {
        /// The class.
        class: String,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
    },
    /// Codes so large that a number for each would not fit into memory.
    #[error("{} has codes from 0 to {}, each of which would be a category", named(name.as_ref(), *column), codes - 1)]
    TooManyCodes {
        /// Codes from 0 to the largest one.
        codes: usize,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
    },
    /// A class that alone has counts of something, where counts of the others speak against it.
    #[error("nothing stands against class '{class}' in {}", named(name.as_ref(), *column))]
    Certain {
        /// The class.
        class: String,
        /// Column, counted from 0.
        column: usize,
        /// Its name, where one is known.
        name: Option<String>,
    },
    /// More classes, names and words than sums can be kept for.
    #[error("sums by class and name take {numbers} numbers, more than {most}")]
    TooManySums {
        /// Numbers to be kept.
        numbers: usize,
        /// The most.
        most: usize,
    },
    /// Priors for scores that take none.
    #[error("weights against classes take no priors")]
    NoPriors,
    /// A row that has probability zero in every class.
    #[error("row {}: no class can have it", row + 1)]
    Impossible {
        /// Row, counted from 0 over the whole source.
        row: u64,
    },
    /// A number that cannot be added to counts.
    #[error("alpha {} is not between 0 and {}", number(*value), number(*most))]
    Alpha {
        /// The value given.
        value: f64,
        /// The largest.
        most: f64,
    },
    /// An answer that only Gaussians have.
    #[error("{model} has no Gaussians")]
    NoGaussians {
        /// What the model is.
        model: &'static str,
    },
}

fn named(name: Option<&String>, column: usize) -> String {
    name.map_or_else(|| format!("column {}", column + 1), |name| format!("column '{name}'"))
}

impl ColumnRefusal {
    /// Puts the names of features where the mathematics knew only their numbers.
    pub(super) fn put_names(&mut self, features: &[String]) {
        if let Self::Holds { column, name, .. }
        | Self::BadCode { column, name, .. }
        | Self::Negative { column, name, .. }
        | Self::Unseen { column, name, .. }
        | Self::TooManyCodes { column, name, .. }
        | Self::Certain { column, name, .. }
        | Self::NoValues { column, name, .. } = self
        {
            *name = features.get(*column).cloned();
        }
    }

    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::NotPlain { .. } => {
                "naive Bayes takes names, words, missing values and sparse counts (MixedNB, --model naive-bayes)"
            }
            Self::Holds { .. } => "give the columns the kinds that they had in the fit",
            Self::BadCode { .. } => "codes count from 0; names of any kind are categories",
            Self::Negative { .. } => "counts say how often something happened: 0 or more",
            Self::Unseen { .. } => {
                "let what was never met be ignored or smoothed (--unseen, unseen=)"
            }
            Self::NoValues { .. } => {
                "leave the column out, or add rows of this class that have one"
            }
            Self::TooManyCodes { .. } => "number the categories from 0, or take them as names",
            Self::Certain { .. } => "complement counts need alpha above 0",
            Self::TooManySums { .. } => "a column of that many names tells rows apart, not classes",
            Self::NoPriors => {
                "multinomial counts are densities, and take priors: fit without complement"
            }
            Self::Impossible { .. } => "alpha above 0 leaves nothing impossible",
            Self::Alpha { .. } => "1 is Laplace's choice, 0 adds nothing",
            Self::NoGaussians { .. } => {
                "predict, evaluate and show work with it; Gaussian models have boundaries and errors in closed form"
            }
        }
    }
}
