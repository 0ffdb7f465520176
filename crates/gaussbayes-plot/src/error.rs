//! Says why a picture cannot be drawn.

/// Why a picture cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The model or the rows refuse what the picture needs of them.
    #[error(transparent)]
    Core(#[from] gaussbayes::Error),
    /// A bitmap too large, too small or of no size.
    #[error("a bitmap of {width:.0} × {height:.0} pixels cannot be drawn")]
    Png {
        /// Pixels across.
        width: f64,
        /// Pixels upward.
        height: f64,
    },
    /// A model that says nothing of where rows lie.
    #[error("{model} has no densities to draw")]
    NoDensities {
        /// The model, in words.
        model: &'static str,
    },
    /// Classes of one mean, or a single class.
    #[error("the means of all {classes} classes are the same: no direction sets them apart")]
    NoDirection {
        /// Classes.
        classes: usize,
    },
    /// Nothing to draw.
    #[error("there are no {what} to draw")]
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// A number that has no place on an axis.
    #[error("{what} is {value}: it has no place on an axis")]
    NotFinite {
        /// What the number is.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A rule whose boundary is no line.
    #[error("the boundary is no line: {kind}")]
    NotLinear {
        /// What it is.
        kind: &'static str,
    },
    /// More or fewer of something than the figure can show.
    #[error("{what}: {found} where the figure shows {expected}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// As many as the figure shows.
        expected: usize,
        /// As many as there are.
        found: usize,
    },
    /// A column that an axis cannot show.
    #[error("column '{name}' does not hold numbers")]
    NotNumbers {
        /// Its name.
        name: String,
    },
    /// A share of rows that no ellipse holds.
    #[error("share {share} of rows is not above 0 and below 1")]
    BadShare {
        /// The share.
        share: f64,
    },
    /// Rows of which all have a class, or none.
    #[error("there are no rows of class '{class}', or no others")]
    OneSided {
        /// The class.
        class: String,
    },
    /// A name that no figure of the gallery has.
    #[error("there is no figure '{name}'")]
    NoSuchFigure {
        /// The name.
        name: String,
    },
}

impl PlotError {
    /// What a user can do about it.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Core(error) => return error.hint(),
            Self::Png { .. } => "choose a scale between 0.1 and 10, or write SVG",
            Self::NoDensities { .. } => "draw regions or posteriors, or fit Gaussian densities",
            Self::NoDirection { .. } => "name a column instead",
            Self::Nothing { .. } => "give at least one",
            Self::NotLinear { .. } => "share one covariance between the classes, as lda does",
            Self::Count { what: "classes", .. } => "choose some of the classes",
            Self::Count { what: "columns", expected: 2, found: 1 } => {
                "draw the densities of a single column"
            }
            Self::Count { what: "columns", .. } => "choose two of the columns",
            Self::NotNumbers { .. } => "choose columns of numbers",
            Self::BadShare { .. } => "0.9 draws the ellipse that holds nine rows of ten",
            Self::OneSided { .. } => "give rows of every class",
            Self::NoSuchFigure { .. } => "the gallery lists the names of all",
            Self::NotFinite { .. } | Self::Count { .. } => return None,
        };
        Some(hint.into())
    }
}
