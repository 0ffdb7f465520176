//! Says why rows cannot be judged in folds, or along a curve.

/// What is wrong with folds, or with a place on a curve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FoldRefusal {
    /// A number of folds that cannot be made.
    #[error("{folds} folds cannot be made: 2 to {most} can")]
    Number {
        /// Folds asked for.
        folds: usize,
        /// The most that can be made of these rows.
        most: u64,
    },
    /// Held-out rows of a class that has no row left to learn from.
    #[error("class '{class}' has all its rows in one fold, so nothing is left to learn it from")]
    ClassInOne {
        /// The class.
        class: String,
    },
    /// A place on a curve that these rows and columns do not reach.
    #[error("a curve at {at} {what}: there are 1 to {most}")]
    Place {
        /// What the curve is drawn over.
        what: &'static str,
        /// The number asked for.
        at: usize,
        /// The most that there are.
        most: usize,
    },
}

impl FoldRefusal {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Number { .. } => "ask for another number of folds, or give more rows",
            Self::ClassInOne { .. } => {
                "leave rows out one by one (loo), or give more rows of this class"
            }
            Self::Place { .. } => "ask for other places, or leave them to be chosen",
        }
    }
}
