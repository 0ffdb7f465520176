//! Says how the fit of a product went.

/// What a user should know about the fit of a product.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ProductReport {
    /// Numbers that were estimated, priors included.
    pub parameters: usize,
    /// Columns that say nothing, with why.
    pub silent: Vec<(usize, Silence)>,
    /// Categories or words that were met, for each column that has some.
    pub names: Vec<(usize, usize)>,
}

/// Why a column says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silence {
    /// No row has a value in it.
    Missing,
    /// All rows have the same name, flag or code in it, or none of its words or counts.
    OneValue,
}

impl Silence {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Missing => "has no value in any row",
            Self::OneValue => "has one value only",
        }
    }
}
