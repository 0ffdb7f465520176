//! Says why a model cannot be written down for other programs.

/// Why there is no recipe of a model.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeRefusal {
    /// A column of text, whose words other programs would cut differently.
    #[error("column '{name}' holds text: how it is cut into words is not part of a recipe")]
    Text {
        /// The column.
        name: String,
    },
    /// A column so wide or narrow that its coefficients are no numbers.
    #[error(
        "column '{name}' has a unit of 2^{exponent}: its coefficients are beyond the range of numbers"
    )]
    Unit {
        /// The column.
        name: String,
        /// The exponent of its unit.
        exponent: i32,
    },
}

impl RecipeRefusal {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Text { .. } => "fit without the column, or on counts of words in columns",
            Self::Unit { .. } => "measure the column in another unit and fit again",
        }
    }
}
